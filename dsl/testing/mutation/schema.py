"""Several mutants in one program, each chosen by options: one compilation serves them all.

    schema, refused = compiled(modules, layers, strains)  # a program of the edits that it can hold together
    schema.noticed(edit, tests, failing, long)            # which of some tests notices one of them

These are mutant schemata (Untch, Offutt and Harrold, "Mutation analysis using mutant schemata", 1993) by declarations:
what an edit makes of a value, an action, a clause, an ending, a setup or the round is a *strain* of the game
(`dsl.linker.strains`), and the default of a ruling is an option of it. What else an edit changes needs a
program of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dsl.compiler import build
from dsl.diagnostics import Diagnostics, Severity
from dsl.engine.machine import Machine
from dsl.garbage import uncollected
from dsl.ir import nodes as ir
from dsl.ir.program import Place, Program, Test
from dsl.linker.layers import Layer
from dsl.linker.modules import Modules
from dsl.linker.strains import Strain, strain_of
from dsl.passes.pipeline import OPTIONAL
from dsl.resolve.options import STRAIN
from dsl.syntax import ast
from dsl.testing.mutation.noticing import MUTANT, noticed
from dsl.testing.mutation.reached import Coverage, Part, asked_in, parts_of, values_in, with_askers
from dsl.testing.mutation.trees import put
from dsl.testing.mutation.variants import Edit

SPOILED = (
    *(ast.Value, ast.Action, ast.Modify, ast.Permit, ast.Reaction),
    *(ast.Ending, ast.Objective, ast.Setup, ast.Round),
)
"""Declarations of which a program can hold several: what stands in them is known nowhere else by its form."""

FEW = 5
"""Fewer edits are as quickly compiled each by itself."""


# ---------------------------------------------------------------- edits as strains


def strain(layers: tuple[Layer, ...], in_effect: frozenset[int], edit: Edit) -> Strain | None:
    """An edit as a strain of the game; none where it changes something else than one declaration in effect (by their
    identities) that a program can hold beside others.
    """
    if edit.forbidden is not None and not edit.changes:
        return Strain(None, forbidding(edit.forbidden))
    if edit.frozen or edit.forbidden is not None or len(edit.changes) != 1:
        return None
    path, new = edit.changes[0]
    node: Any = layers
    for at, step in enumerate(path):
        if isinstance(node, SPOILED):
            return _strain(node, put(node, path[at:], new)) if id(node) in in_effect else None
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return None


def _strain(old: Any, new: Any) -> Strain:
    """A `modify` that never stands is left out: what it could make of a number is no matter."""
    never = isinstance(new, ast.Modify) and getattr(new.tail.condition, "value", None) is False
    return Strain(old, None if never else new)


def forbidding(name: ast.Name) -> ast.Permit:
    """A prohibition on a head that always stands."""
    span = name.span
    target = ast.Target(name, None, None, span=span)
    citation = ast.Citation(families=(MUTANT,), span=span)
    return ast.Permit("forbid", (target,), ast.Tail(span=span), citation, span=span)


def setting(
    program: Program, layers: tuple[Layer, ...], in_effect: frozenset[int], edit: Edit
) -> dict[str, str | int] | None:
    """The options that make of a game what an edit of the default of a ruling does; none where it is no such edit."""
    if edit.frozen or edit.forbidden is not None or len(edit.changes) != 1:
        return None
    (*above, last), new = edit.changes[0]
    node: Any = layers
    for step in above:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    if not isinstance(node, ast.Ruling) or last != "default" or id(node) not in in_effect:
        return None
    option = next((each for each in program.options if each.name == node.name.text), None)
    if option is None:
        return None
    if option.range is not None:
        low, high = option.range
        if str(option.default) != node.default.text or not low <= int(new.text) <= high:
            return None
        return {option.name: int(new.text)}
    known = option.choices[option.default] == node.default.text and new.text in option.choices
    return {option.name: str(new.text)} if known else None


# ---------------------------------------------------------------- one program


@dataclass
class Schema:
    """A program with tests, and for each of its edits, by their identities, the options that choose it."""

    program: Program
    chosen: dict[int, dict[str, str | int]]
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Forgets code that may have been left unfinished."""
        self.machine = Machine(self.program, sparing=True, without=OPTIONAL)

    def noticed(
        self, edit: Edit, tests: Iterable[Test], failing: frozenset[str], long: frozenset[str]
    ) -> str | None:
        """The title of the first of some tests that notices an edit."""
        return noticed(self.machine, tests, failing, long, self.chosen[id(edit)])

    def places(self, edit: Edit, coverage: Coverage, game: Program) -> frozenset[Place] | None:
        """The places of the tests that come to what an edit changes; none where that may be all."""
        options = self.chosen[id(edit)]
        if STRAIN in options:
            own = {part for part, uses in self._uses if options[STRAIN] in uses}
        else:
            own = self._reading({n.var for n in self.program.options if n.name in options})
        return coverage.named(game, self.program, with_askers(own, self._asked))

    def _reading(self, options: set[int]) -> set[Part]:
        """The parts that read some options, at the beginning of a game too."""
        beginning = [(("initial", n), (var.initial, var.audience)) for n, var in enumerate(self.program.vars)]
        return {
            part
            for part, code in (*parts_of(self.program), *beginning)
            if any(isinstance(each, ir.Load) and each.var in options for each in _nodes(code))
        }

    @cached_property
    def _asked(self) -> dict[Part, frozenset[Part]]:
        return asked_in(self.program)

    @cached_property
    def _uses(self) -> list[tuple[Part, frozenset[int]]]:
        """The parts of the program that ask for the strain, each with those strains in which it does otherwise."""
        option = next((each for each in self.program.options if each.name == STRAIN), None)
        if option is None:
            return []
        count = len(option.choices)
        found = []
        for part, code in parts_of(self.program):
            uses = frozenset(_otherwise(code, option.var, count))
            if uses:
                found.append((part, uses))
        return found


def _nodes(code: object) -> Iterator[object]:
    """All nodes of some code."""
    waiting = [code]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each if isinstance(each, tuple) else values_in(each)


def _otherwise(code: object, var: int, count: int) -> Iterator[int]:
    """The strains in which a test of the strain within some code comes out otherwise than in the game as it is."""
    waiting = [code]
    while waiting:
        each = waiting.pop()
        match each:
            case ir.Op(op="eq", args=(ir.Load(var=asked), ir.Const(value=int(number)))) if asked == var:
                yield number
            case ir.Op(op="has", args=(ir.Const(value=int(members)), ir.Load(var=asked))) if asked == var:
                yield from (n for n in range(1, count) if (members >> n ^ members) & 1)
            case ir.Load(var=asked) if asked == var:
                yield from range(1, count)
            case tuple():
                waiting += each
            case _:
                waiting += values_in(each)


# ---------------------------------------------------------------- compiling


def compiled(
    modules: Modules, layers: tuple[Layer, ...], strains: Sequence[tuple[Edit, Strain]]
) -> tuple[list[Schema], list[Edit]]:
    """Programs that hold the edits, few of them; and the edits that none holds, as the compiler refuses them, or does
    so beside others.

    What is told of a strain's own lines is its fault. Where the fault may be anybody's, half of them are tried at a
    time.
    """
    if len(strains) < FEW:
        return [], [edit for edit, _ in strains]
    own = replace(modules, layers=list(layers), diagnostics=Diagnostics())
    with uncollected():
        program = build(own, [each for _, each in strains], warn=False)
    if program is not None:
        chosen: dict[int, dict[str, str | int]] = {
            id(edit): {STRAIN: n} for n, (edit, _) in enumerate(strains, 1)
        }
        return [Schema(program, chosen)], []
    faults = [each.span for each in own.diagnostics if each.severity is Severity.ERROR and each.span]
    blamed = {strain_of(span) for span in faults} - {None}
    if blamed:
        left = [each for n, each in enumerate(strains, 1) if n not in blamed]
        found, refused = compiled(modules, layers, left)
        return found, [*refused, *(edit for n, (edit, _) in enumerate(strains, 1) if n in blamed)]
    half = len(strains) // 2
    (one, not_one), (two, not_two) = (
        compiled(modules, layers, each) for each in (strains[:half], strains[half:])
    )
    return [*one, *two], [*not_one, *not_two]
