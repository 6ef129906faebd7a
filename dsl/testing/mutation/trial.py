"""Tries mutants: compiles them, many at a time, and runs the tests of each until one fails."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dsl.compiler import build
from dsl.diagnostics import Diagnostic, Diagnostics
from dsl.engine.failure import Unplayable
from dsl.engine.machine import Machine
from dsl.garbage import uncollected
from dsl.ir import nodes as ir
from dsl.ir.program import Place, Program, Test
from dsl.linker.layers import Layer
from dsl.linker.merging import gather
from dsl.linker.modules import Modules
from dsl.linker.provenance import Site, cited
from dsl.linker.strains import Strain
from dsl.passes.pipeline import OPTIONAL
from dsl.source import Span
from dsl.syntax import ast
from dsl.testing.mutation.constructs import variants
from dsl.testing.mutation.noticing import names, noticed, ordered
from dsl.testing.mutation.reached import Coverage
from dsl.testing.mutation.schema import Schema, compiled, forbidding, setting, strain
from dsl.testing.mutation.trees import put
from dsl.testing.mutation.variants import Edit

SECONDS = 20
"""What one mutant may take of the processor, compiling and testing; where the platform can tell."""

BATCH = 40
"""How many edits are compiled together, where so many are to be tried."""


class TooLong(Exception):
    """A mutant took too long."""


class Refused(Exception):
    """The compiler has found an error in a mutant."""


class _UpToFirst(Diagnostics):
    """What is found in a mutant, up to the first error: it is no game, whatever else is wrong with it."""

    def add(self, diagnostic: Diagnostic) -> None:
        if diagnostic.is_error:
            raise Refused
        super().add(diagnostic)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutation that compiled: its clause, what was done to it, and the test that noticed (or none)."""

    ids: tuple[str, ...]
    kind: str
    file: str
    line: int
    what: str
    noticed: str | None


@dataclass
class Laboratory:
    """A parsed game, and the tests that it passes."""

    modules: Modules
    sites: tuple[Site, ...]
    failing: frozenset[str]
    """Titles of tests that fail before anything was changed: they notice nothing."""
    coverage: Coverage | None = None
    """What each test comes to before anything is changed."""
    _programs: dict[int, tuple[Edit, Schema | None]] = field(default_factory=dict)
    """By the identity of an edit, the edit and the program that holds it; none where it needs one of its own."""
    _others: dict[int, frozenset[Place] | None] = field(default_factory=dict)
    """Of edits that no test notices that names their ids, where the others stand that may; none where all may."""

    _games: dict[frozenset[str], Program | None] = field(default_factory=dict)
    """The game as it is, by the ids that its tests name."""

    @property
    def layers(self) -> tuple[Layer, ...]:
        return tuple(self.modules.layers)

    def clauses(self, numbers: Sequence[int], *, first: bool = False) -> list[list[Mutant]]:
        """The mutants of each of some clauses: all, or up to the first that a test notices.

        Goes in rounds: what is to be tried next of each clause is compiled together, as far as it can be.
        """
        courses = [_Course(self, self.sites[number], first) for number in numbers]
        while waiting := [each for each in courses if each.edit is not None]:
            share = BATCH // len(waiting)
            self._prepare([(edit, course.ids) for course in waiting for edit in course.next(share)])
            for course in waiting:
                course.go_on()
        self._programs.clear()
        self._others.clear()
        self._games.clear()
        return [each.mutants for each in courses]

    def _prepare(self, edits: list[tuple[Edit, frozenset[str]]]) -> None:
        """Finds for each edit the program that holds it; none for what must be compiled alone. Such a program has the
        tests that name an id of one of its edits; once those have noticed nothing, the others that may.
        """
        new = [(edit, ids) for edit, ids in edits if id(edit) not in self._programs]
        again = [edit for edit, _ in edits if id(edit) in self._others and id(edit) in self._programs]
        every = frozenset[str]().union(*(ids for _, ids in new))
        self._hold([edit for edit, _ in new], lambda test: _names(test, every))
        places = [self._others[id(edit)] for edit in again]
        if None in places:
            self._hold(again, None)
        else:
            self._hold(again, self._standing(frozenset[Place]().union(*filter(None, places))))

    def _standing(self, places: frozenset[Place]) -> Callable[[ast.Test], bool]:
        """Does a test stand at one of some places?"""
        files, lines = self.modules.file_names(), {(each.file, each.line) for each in places}

        def wanted(test: ast.Test) -> bool:
            name = test.span.source.name
            return (files.get(name, name), test.span.line) in lines

        return wanted

    def _hold(self, edits: list[Edit], wanted: Callable[[ast.Test], bool] | None) -> None:
        strains: list[tuple[Edit, Strain]] = []
        for edit in edits:
            self._programs[id(edit)] = edit, None
            if (found := strain(self._whole, self._in_effect, edit)) is not None:
                strains.append((edit, found))
            elif self.game is not None and (
                options := setting(self.game.program, self._whole, self._in_effect, edit)
            ):
                self.game.chosen[id(edit)] = options
                self._programs[id(edit)] = edit, self.game
        layers = self._whole if wanted is None else pinning(self._whole, wanted)
        schemata, _ = compiled(self.modules, layers, strains)
        for edit, _ in strains:
            held = next((each for each in schemata if id(edit) in each.chosen), None)
            self._programs[id(edit)] = edit, held

    def is_prepared(self, edit: Edit) -> bool:
        """Is it known whether a program holds an edit beside others?"""
        return id(edit) in self._programs

    @cached_property
    def _whole(self) -> tuple[Layer, ...]:
        """The game without promises, with all tests."""
        return pinning(self.layers, None)

    @cached_property
    def _in_effect(self) -> frozenset[int]:
        """The declarations that are in effect, by their identities."""
        return frozenset(id(each.declaration) for each in gather(self._whole, Diagnostics()).entries)

    @cached_property
    def game(self) -> Schema | None:
        """The game as it is, without promises."""
        program = self.compiled(Edit(""))
        return None if program is None else Schema(program, {})

    def outcome(self, edit: Edit, ids: frozenset[str]) -> tuple[bool, str | None] | None:
        """Does an edit compile, and which test notices it? What takes too long counts for nothing. None where
        more tests must be compiled to tell.
        """
        _, schema = self._programs[id(edit)]
        try:
            with limited(SECONDS):
                if schema is not None:
                    try:
                        return self._held(schema, edit, ids)
                    except Unplayable:  # together they nest deeper than one alone
                        pass
                return self.tried(edit, ids)
        except (TooLong, RecursionError):
            if schema is not None:
                schema.renew()
            return False, None

    def _held(self, schema: Schema, edit: Edit, ids: frozenset[str]) -> tuple[bool, str | None] | None:
        """The same of an edit that a program holds beside others."""
        tests = ordered(schema.program.tests, ids)
        if id(edit) not in self._others:
            found = self._noticed(schema, edit, [each for each in tests if names(each, ids)])
            if found is not None:
                return True, found
            places = None
            if self.coverage is not None and self.game is not None:
                places = schema.places(edit, self.coverage, self.game.program)
            if places is not None:
                places -= self._naming(ids)
                if not places:
                    return True, None
            self._others[id(edit)] = places
            if schema is not self.game:
                return None
        places = self._others[id(edit)]
        others = (each for each in tests if not names(each, ids))
        wanted = [each for each in others if places is None or each.place in places]
        return True, self._noticed(schema, edit, wanted)

    def _noticed(self, schema: Schema, edit: Edit, tests: Sequence[Test]) -> str | None:
        return schema.noticed(edit, tests, self.failing, self._long)

    @property
    def _long(self) -> frozenset[str]:
        return frozenset() if self.coverage is None else self.coverage.long

    def _naming(self, ids: frozenset[str]) -> frozenset[Place]:
        """The places of the tests that name some ids."""
        if self.game is None:
            return frozenset()
        return frozenset(each.place for each in self.game.program.tests if names(each, ids))

    def mutant(self, site: Site, kind: str, edit: Edit, noticed: str | None) -> Mutant:
        """What is told of an edit that compiled."""
        span = site.node.span
        file = self.modules.file_names().get(span.source.name, span.source.name)
        return Mutant(site.citation.ids, kind, file, span.line, edit.what, noticed)

    def tried(self, edit: Edit, ids: frozenset[str]) -> tuple[bool, str | None]:
        """Does the edit compile by itself, and which test notices it?

        The tests that name the rule are compiled and run first, alone. Where they notice nothing, the others are: those
        that come to what the edit has changed, or all of them where it has changed more than parts of the program.
        """
        if edit.frozen and not edit.changes:
            return self._frozen(edit, ids)
        if id(edit) in self._others:
            return self._others_tried(edit, ids, self._others[id(edit)])
        program = self.compiled(edit, lambda test: _names(test, ids))
        if program is None:
            return False, None
        noticed = self.tested(program, ids)
        if noticed is not None:
            return True, noticed
        before = self._named(ids)
        places = None if before is None else self._places(before, program)
        if places is not None:
            places -= self._naming(ids)
            if not places:
                return True, None
        return self._others_tried(edit, ids, places)

    def _others_tried(
        self, edit: Edit, ids: frozenset[str], places: frozenset[Place] | None
    ) -> tuple[bool, str | None]:
        """The same by the tests that do not name the rule: those at some places, or all. Of all those come first that
        speak of what is spoiled.
        """
        standing = None if places is None else self._standing(places)

        def others(test: ast.Test) -> bool:
            return not _names(test, ids) and (standing is None or standing(test))

        speaks = None if standing is not None else speaking(self.layers, edit)
        if speaks is not None and any(others(each) and speaks(each) for each in self._tests):
            program = self.compiled(edit, lambda test: others(test) and speaks(test))
            if program is None:
                return False, None
            noticed = self.tested(program, ids)
            if noticed is not None:
                return True, noticed
        program = self.compiled(edit, others)
        return (False, None) if program is None else (True, self.tested(program, ids))

    @cached_property
    def _tests(self) -> tuple[ast.Test, ...]:
        """All tests of the game."""
        declared = (each for layer in self.layers for file in layer.files for each in file.declarations)
        return tuple(each for each in declared if isinstance(each, ast.Test))

    def _places(self, before: Program, program: Program) -> frozenset[Place] | None:
        """Where the tests stand that come to what differs in a spoiled game; none where that may be all. The game as it
        is has the same tests.
        """
        return None if self.coverage is None else self.coverage.places(before, program)

    def _named(self, ids: frozenset[str]) -> Program | None:
        """The game as it is, with the tests that name some ids."""
        if ids not in self._games:
            self._games[ids] = self.compiled(Edit(""), lambda test: _names(test, ids))
        return self._games[ids]

    def _wanted(self, before: Program, program: Program, ids: frozenset[str]) -> Callable[[Test], bool]:
        """Which tests of a spoiled game could notice it that do not name some ids: those that come to what differs."""
        places = self._places(before, program)
        return lambda test: not names(test, ids) and (places is None or test.place in places)

    def compiled(self, edit: Edit, wanted: Callable[[ast.Test], bool] | None = None) -> Program | None:
        """The game with one edit, and with its tests or those that are wanted; none where that is no game."""
        layers: Any = self.layers
        for path, new in edit.changes:
            layers = put(layers, path, new)
        if edit.forbidden is not None:
            layers = (*layers[:-1], _forbidding(layers[-1], edit.forbidden))
        layers = pinning(layers, wanted)
        with uncollected():
            try:
                own = replace(self.modules, layers=list(layers), diagnostics=_UpToFirst())
                return build(own, warn=False)
            except Refused:
                return None

    def _frozen(self, edit: Edit, ids: frozenset[str]) -> tuple[bool, str | None]:
        """The same of fields that are never written: the game is compiled already."""
        if self.game is None:
            return False, None
        spans = [field.span for field in edit.frozen]
        program = frozen(self.game.program, spans, self.modules.file_names())
        if program is None:
            return False, None
        wanted = self._wanted(self.game.program, program, ids)
        return True, self.tested(program, ids, lambda test: names(test, ids) or wanted(test))

    def tested(
        self, program: Program, ids: frozenset[str], wanted: Callable[[Test], bool] = lambda _: True
    ) -> str | None:
        """The title of the first test that fails, of those that are wanted: those that pin the rule come first."""
        try:
            tests = [each for each in ordered(program.tests, ids) if wanted(each)]
            return noticed(Machine(program, sparing=True, without=OPTIONAL), tests, self.failing, self._long)
        except Unplayable:
            return None


class _Course:
    """What is done to one clause, edit by edit."""

    def __init__(self, lab: Laboratory, site: Site, first: bool) -> None:
        self.lab, self.site, self.first = lab, site, first
        self.kind, self.variants = variants(lab.layers, site)
        self.ids = frozenset(site.citation.ids)
        self.mutants: list[Mutant] = []
        self._variant = self._edit = 0

    @property
    def edit(self) -> Edit | None:
        """What is to be tried next; none where all is done."""
        return next(iter(self.next(1)), None)

    def next(self, count: int) -> list[Edit]:
        """What may be tried next: the edits of one variant, and of more while they are fewer than `count`. The first
        of them will be tried.
        """
        found: list[Edit] = []
        if not (self.first and any(each.noticed is not None for each in self.mutants)):
            for number in range(self._variant, len(self.variants)):
                each = self.variants[number]
                if not (each.fallback and self.mutants) and (not found or len(found) < count):
                    found += each.edits[self._edit if number == self._variant else 0 :]
        return found

    def go_on(self) -> None:
        """Tries one edit after the other while it is known which program holds it, and the tests there are enough."""
        while (edit := self.edit) is not None and self.lab.is_prepared(edit):
            while not any(edit is each for each in self.variants[self._variant].edits[self._edit :]):
                self._variant, self._edit = self._variant + 1, 0
            outcome = self.lab.outcome(edit, self.ids)
            if outcome is None:
                return
            compiles, noticed = outcome
            if compiles:
                self.mutants.append(self.lab.mutant(self.site, self.kind, edit, noticed))
            self._edit += 1
            if compiles or self._edit == len(self.variants[self._variant].edits):
                self._variant, self._edit = self._variant + 1, 0


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


def pinning(layers: tuple[Layer, ...], wanted: Callable[[ast.Test], bool] | None) -> tuple[Layer, ...]:
    """The layers without promises, and without the tests that are not wanted, where some are chosen."""

    def stays(declaration: ast.Node) -> bool:
        if not isinstance(declaration, ast.Test):
            return not isinstance(declaration, ast.Always)
        return wanted is None or wanted(declaration)

    def kept(file: ast.File) -> ast.File:
        return replace(file, declarations=tuple(each for each in file.declarations if stays(each)))

    return tuple(replace(each, files=tuple(kept(file) for file in each.files)) for each in layers)


def speaking(layers: tuple[Layer, ...], edit: Edit) -> Callable[[ast.Test], bool] | None:
    """Does a test say the name of what an edit changes, that of a row or a declaration? None where it has no name."""
    name = ""
    for path, _ in edit.changes:
        node: Any = layers
        for step in path:
            node = node[step] if isinstance(step, int) else getattr(node, step)
            if isinstance(node, ast.Row) and node.cells:
                name = node.cells[0].text.partition(" ")[0]
            elif isinstance(found := getattr(node, "name", None), ast.Name):
                name = found.text
    if not name.isidentifier():
        return None
    said = re.compile(rf"\b{re.escape(name)}\b")
    return lambda test: said.search(test.span.text) is not None


def _names(test: ast.Test, ids: frozenset[str]) -> bool:
    """Does a test name one of the ids?"""
    cited = test.citation
    return cited is not None and bool(ids & {*cited.pins, *cited.ids})


def _forbidding(layer: Layer, name: ast.Name) -> Layer:
    """A layer with a prohibition on a head that always stands."""
    return replace(layer, files=(*layer.files, ast.File((forbidding(name),), span=name.span)))


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
