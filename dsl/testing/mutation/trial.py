"""Tries a mutant: compiles it, and runs the tests until one fails."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from dsl.compiler import build
from dsl.diagnostics import Diagnostics
from dsl.engine.failure import Unplayable
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Program, Test
from dsl.semantics.gather.layers import Layer
from dsl.semantics.gather.modules import Modules
from dsl.semantics.gather.provenance import Site, cited
from dsl.source import Span
from dsl.syntax import ast
from dsl.testing.mutation.constructs import variants
from dsl.testing.mutation.reached import Coverage
from dsl.testing.mutation.trees import put
from dsl.testing.mutation.variants import Edit, Variant
from dsl.testing.runner import run_test

STEPS = 50_000
"""What a mutant may do between two decisions."""

SECONDS = 20
"""What one mutant may take of the processor, compiling and testing; where the platform can tell."""

MUTANT = "mutant"
"""The family of the prohibition that keeps a head from being offered; tests do not look at it."""


class TooLong(Exception):
    """A mutant took too long."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutation that compiled: its clause, what was done to it, and the test that noticed (or none)."""

    ids: tuple[str, ...]
    kind: str
    file: str
    line: int
    what: str
    noticed: str | None


@dataclass(slots=True)
class Laboratory:
    """A parsed game, and the tests that it passes."""

    modules: Modules
    sites: tuple[Site, ...]
    failing: frozenset[str]
    """Titles of tests that fail before anything was changed: they notice nothing."""
    coverage: Coverage | None = None
    """What each test comes to before anything is changed."""
    _bases: dict[frozenset[str], Program | None] = field(default_factory=dict)
    """The game as it is, with the tests that name some ids."""

    @property
    def layers(self) -> tuple[Layer, ...]:
        return tuple(self.modules.layers)

    def clause(self, number: int, *, first: bool = False) -> list[Mutant]:
        """The mutants of the clause with a number: all, or up to the first that a test notices."""
        site = self.sites[number]
        kind, found = variants(self.layers, site)
        mutants: list[Mutant] = []
        for variant in found:
            if variant.fallback and mutants:
                continue
            if first and any(each.noticed is not None for each in mutants):
                break
            mutants += self.variant(site, kind, variant)
        return mutants

    def variant(self, site: Site, kind: str, variant: Variant) -> Iterator[Mutant]:
        """The first edit that compiles."""
        for edit in variant.edits:
            try:
                with limited(SECONDS):
                    compiles, noticed = self.tried(edit, frozenset(site.citation.ids))
            except (TooLong, RecursionError):
                continue
            if compiles:
                span = site.node.span
                file = self.modules.file_names().get(span.source.name, span.source.name)
                yield Mutant(site.citation.ids, kind, file, span.line, edit.what, noticed)
                return

    def tried(self, edit: Edit, ids: frozenset[str]) -> tuple[bool, str | None]:
        """Does the edit compile, and which test notices it?

        The tests that name the rule are compiled and run first, alone. Where they notice nothing, the others are: those
        that come to what the edit has changed, or all of them where it has changed more than parts of the program.
        """
        program = self.compiled(edit, lambda test: _names(test, ids))
        if program is None:
            return False, None
        noticed = self.tested(program, ids)
        if noticed is not None:
            return True, noticed
        places = self._places(program, ids)
        if places is not None:
            names = self.modules.file_names()

            def wanted(test: ast.Test) -> bool:
                file = names.get(test.span.source.name, test.span.source.name)
                return not _names(test, ids) and (file, test.span.line) in places

            if not places or not self._has(wanted):
                return True, None
            program = self.compiled(edit, wanted)
        else:
            program = self.compiled(edit, None)
        return (False, None) if program is None else (True, self.tested(program, ids))

    def _places(self, program: Program, ids: frozenset[str]) -> frozenset[tuple[str, int]] | None:
        """Where the tests stand that could notice what differs in a program with the tests that name some ids."""
        if self.coverage is None:
            return None
        if ids not in self._bases:
            self._bases.clear()  # clauses that cite the same follow each other, if at all
            self._bases[ids] = self.compiled(Edit(""), lambda test: _names(test, ids))
        base = self._bases[ids]
        found = None if base is None else self.coverage.places(base, program)
        return None if found is None else frozenset((each.file, each.line) for each in found)

    def _has(self, wanted: Callable[[ast.Test], bool]) -> bool:
        """Is there a test that is wanted?"""
        return any(
            isinstance(each, ast.Test) and wanted(each)
            for layer in self.layers
            for file in layer.files
            for each in file.declarations
        )

    def compiled(self, edit: Edit, wanted: Callable[[ast.Test], bool] | None = None) -> Program | None:
        """The game with one edit, and with its tests or those that are wanted; none where that is no game."""
        layers: Any = self.layers
        for path, new in edit.changes:
            layers = put(layers, path, new)
        if edit.forbidden is not None:
            layers = (*layers[:-1], _forbidding(layers[-1], edit.forbidden))
        layers = pinning(layers, wanted)
        program = build(replace(self.modules, layers=list(layers), diagnostics=Diagnostics()))
        if program is None or not edit.frozen:
            return program
        spans = [field.span for field in edit.frozen]
        return frozen(program, spans, self.modules.file_names())

    def tested(self, program: Program, ids: frozenset[str]) -> str | None:
        """The title of the first test that fails: those that pin the rule come first."""
        try:
            machine = Machine(program, sparing=True)
            for test in ordered(program.tests, ids):
                if test.title in self.failing:
                    continue
                if not run_test(machine, test, steps=STEPS, unseen=MUTANT).passed:
                    return test.title
        except Unplayable:
            return None
        return None


def laboratory(
    modules: Modules, failing: frozenset[str], coverage: Coverage | None = None, *, own: bool = False
) -> Laboratory:
    """What is needed to try mutants of a game that was read; with `own`, of a scenario or mod only its own clauses."""
    layers = own_layers(modules) if own else range(len(modules.layers))
    sites = tuple(
        each for each in cited(tuple(modules.layers)) if each.citation.ids and each.path[0] in layers
    )
    return Laboratory(modules, sites, failing, coverage)


def own_layers(modules: Modules) -> range:
    """The numbers of the layers that were asked for: of a scenario or mod not those of the game below it."""
    asked = modules.asked
    begin = next((at for at, layer in enumerate(modules.layers) if layer.header is asked), 0)
    return range(0 if asked is None or asked.kind == "game" else begin, len(modules.layers))


def ordered(tests: Sequence[Test], ids: frozenset[str]) -> list[Test]:
    """The tests, those first that pin one of the ids, then those that are named for one."""

    def rank(test: Test) -> int:
        return 0 if ids & set(test.pins) else 1 if ids & set(test.ids) else 2

    return sorted(tests, key=rank)


def pinning(layers: tuple[Layer, ...], wanted: Callable[[ast.Test], bool] | None) -> tuple[Layer, ...]:
    """The layers without promises, and without the tests that are not wanted, where some are chosen."""

    def stays(declaration: ast.Node) -> bool:
        if not isinstance(declaration, ast.Test):
            return not isinstance(declaration, ast.Always)
        return wanted is None or wanted(declaration)

    def kept(file: ast.File) -> ast.File:
        return replace(file, declarations=tuple(each for each in file.declarations if stays(each)))

    return tuple(replace(each, files=tuple(kept(file) for file in each.files)) for each in layers)


def _names(test: ast.Test, ids: frozenset[str]) -> bool:
    """Does a test name one of the ids?"""
    cited = test.citation
    return cited is not None and bool(ids & {*cited.pins, *cited.ids})


def _forbidding(layer: Layer, name: ast.Name) -> Layer:
    """A layer with a prohibition on a head that always stands."""
    span = name.span
    target = ast.Target(name, None, None, span=span)
    citation = ast.Citation(families=(MUTANT,), span=span)
    permit = ast.Permit("forbid", (target,), ast.Tail(span=span), citation, span=span)
    return Layer(layer.header, (*layer.files, ast.File((permit,), span=span)))


# ---------------------------------------------------------------- fields that keep their value


def frozen(program: Program, fields: Sequence[Span], file_names: Mapping[str, str]) -> Program | None:
    """The program in which the rules never write some fields (tests still may); none where they never did."""
    places = {(file_names.get(span.source.name, span.source.name), span.line, span.column) for span in fields}
    kept = frozenset(
        index
        for index, var in enumerate(program.vars)
        if var.clause is not None and _at(program, var.clause) in places
    )
    given = {step.index for test in program.tests for step in test.steps if step.kind == "given"}
    procedures = tuple(
        each if index in given else replace(each, body=_without(each.body, kept))
        for index, each in enumerate(program.procedures)
    )
    routines = tuple(
        replace(each, blocks=tuple(ir.Block(_without(block.body, kept), block.end) for block in each.blocks))
        for each in program.routines
    )
    changed = replace(program, procedures=procedures, routines=routines)
    return None if changed == program else changed


def _at(program: Program, clause: int) -> tuple[str, int, int]:
    place = program.clauses[clause].place
    return place.file, place.line, place.column


def _without(body: tuple[ir.Stmt, ...], kept: frozenset[int]) -> tuple[ir.Stmt, ...]:
    found: list[ir.Stmt] = []
    for each in body:
        match each:
            case ir.Store(var=var) | ir.Change(var=var) if var in kept:
                continue
            case ir.If():
                then, other = _without(each.then, kept), _without(each.other, kept)
                found.append(replace(each, then=then, other=other))
            case ir.ForEach() | ir.Loop() | ir.Guarded() | ir.Batch():
                found.append(replace(each, body=_without(each.body, kept)))
            case _:
                found.append(each)
    return tuple(found)


# ---------------------------------------------------------------- time


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raises `TooLong` inside when so many seconds of the processor have gone by, however busy the machine is; where
    there are no alarms it takes as long as need be.
    """
    try:
        before = signal.signal(signal.SIGVTALRM, _rung)
    except (AttributeError, ValueError):
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _rung(*_: object) -> None:
    raise TooLong
