"""The pipeline in one screen: find and parse the files, merge the layers, elaborate, verify."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dsl.catalogue import tr
from dsl.check.blame import blame, too_much_work
from dsl.check.heavy_work import heavy
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.diagnostics.repeats import folded
from dsl.elaborate.assemble import assemble
from dsl.garbage import uncollected
from dsl.ir.limits import HEAVY, MAX_NODES
from dsl.ir.program import Program
from dsl.ir.size import tests_size
from dsl.ir.verify.graph import Graph
from dsl.ir.verify.program import findings
from dsl.linker.companions import check_companions
from dsl.linker.declaration_index import Whence
from dsl.linker.layers import Entry, Gathered
from dsl.linker.merging import gather
from dsl.linker.modules import Modules
from dsl.linker.provenance import complete
from dsl.linker.rulebook import indexed, unindexed, with_titles
from dsl.linker.strains import Strain, add_strains, file_names
from dsl.linker.versions import check_versions
from dsl.near import allowance
from dsl.passes.tabulate.tables import tabulated
from dsl.records import record
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import MOST_WORK, Exhausted, World
from dsl.source import Source
from dsl.syntax import ast

MOST_MODS = 100
REPEATED = "repeated"
"""The word that asks how often a position has stood."""


@record(frozen=True, slots=True)
class Settled:
    """Tests of a game beside whose rules nothing was found, in them or in the rules."""

    tests: frozenset[str]
    """Their keys (`_test_keys`)."""
    work: int
    """At least how much was elaborated for all of them and the rules (`World.work`)."""
    size: int
    """At least how many expressions and statements they and the rules have."""


@record(frozen=True, slots=True)
class Compiled:
    """What compiling gave: a program, unless there were errors, and all that was found.

    Where nothing was found and only tests had changed since that was known of the others, there is no program.
    """

    program: Program | None
    diagnostics: Diagnostics
    sources: tuple[Source, ...]
    modules: Modules
    is_read: bool = True
    """Could all lines be understood, so that the rules were looked at?"""
    settled: Settled | None = None
    """The tests of a game in which nothing was found; none without tests, or where something was."""


def compile_game(
    target: str,
    mods: Sequence[str] = (),
    *,
    tests: bool = False,
    drafts: Mapping[Path, str] | None = None,
    settled: Callable[[Modules], Settled | None] | None = None,
) -> Compiled:
    """Compiles a game by name, or what a path names (a game, scenario or mod), with mods on top.

    `drafts` are texts to read in place of what some files, by their resolved paths, hold. `settled` is asked which
    tests are known to be sound beside the same rules, for whoever wants to know what is wrong and needs no program: if
    nothing is found in the others either, there is none.
    """
    with uncollected(), allowance():
        modules = read_game(target, mods, tests=tests, drafts=drafts)
        if settled is not None and tests and modules.layers and not len(modules.diagnostics):
            known = settled(modules)
            found = _changed_tests(modules, known) if known is not None else None
            if found is not None:
                return Compiled(None, Diagnostics(), tuple(modules.sources.values()), modules, settled=found)
        return _compiled(modules)


def _compiled(modules: Modules) -> Compiled:
    diagnostics = modules.diagnostics
    is_read = bool(modules.layers) and not diagnostics.has_errors
    program = settled = None
    if is_read:
        gathered = gather(modules.layers, diagnostics)
        world, program = _elaborated(modules, gathered)
        if program is not None:
            program = _with_rules(modules, program)
            if modules.tests and not len(diagnostics):
                keys = frozenset(_test_keys(modules, gathered).values())
                settled = Settled(keys, world.work, world.nodes)
    if diagnostics.has_errors:
        program = None
    told = folded(with_titles(modules))
    return Compiled(program, told, tuple(modules.sources.values()), modules, is_read, settled)


def _with_rules(modules: Modules, program: Program) -> Program:
    """A program with the rules of its rulebooks; tells of citations of none."""
    rules = indexed(modules)
    modules.diagnostics.extend(unindexed(modules.layers, rules))
    return complete(replace(program, rules=rules), modules.layers, modules.file_names())


def _changed_tests(modules: Modules, known: Settled) -> Settled | None:
    """What is settled when nothing is found in the tests that are not yet; none where something is, or may be.

    What is found in a game are the findings in its rules and in each test by itself: no test is elaborated from
    another, and what one of them reads of the rules can only take a finding away. So none of the settled tests is
    looked at. What all of them share are the bounds of the whole, which are kept here with what is surely more.
    """
    own = replace(modules, diagnostics=Diagnostics())
    gathered = gather(own.layers, own.diagnostics)
    keys = _test_keys(own, gathered)
    left = [each for each in gathered.entries if keys.get(id(each)) not in known.tests]
    if len(left) == len(gathered.entries):
        return None
    gathered.entries = left
    world, program = _elaborated(own, gathered, settled=True)
    if program is None or world.work + known.work > MOST_WORK or world.nodes + known.size > MAX_NODES:
        return None
    _with_rules(own, program)
    if len(own.diagnostics):
        return None
    return Settled(
        frozenset(keys.values()),
        known.work + world.work - world.begun[0],
        known.size + tests_size(program, *world.begun[1:]),
    )


def _test_keys(modules: Modules, gathered: Gathered) -> dict[int, str]:
    """What tells each test of a game from all others that might be there, by the identity of its entry. One that asks
    how often a position has stood has no key: where nothing else asks, the game remembers its positions for it alone.
    """
    names = modules.file_names()
    return {
        id(entry): _test_key(entry, names)
        for entry in gathered.of(ast.Test)
        if REPEATED not in entry.declaration.span.text
    }


def _test_key(entry: Entry, names: Mapping[str, str]) -> str:
    span = entry.declaration.span
    where = (names.get(span.source.name, ""), entry.layer, entry.mode, sorted(entry.modes or ()), span.text)
    return hashlib.sha256(repr(where).encode()).hexdigest()[:32]


def read_game(
    target: str, mods: Sequence[str] = (), *, tests: bool = False, drafts: Mapping[Path, str] | None = None
) -> Modules:
    """The trees of all files that belong to a game, in their layers; no layers where there is no such game."""
    modules = Modules(Diagnostics(), tests, drafts=drafts or {})
    if modules.open(target):
        if len(mods) > MOST_MODS:
            message = tr(
                "{count} mods at a time, more than {most_mods}", count=len(mods), most_mods=MOST_MODS
            )
            modules.diagnostics.add(
                Diagnostic(Code.LIMIT, message, hint="put what belongs together into one mod")
            )
        for mod in mods[:MOST_MODS]:
            modules.add_mod(mod)
    modules.diagnostics.extend(check_versions(modules.layers))
    modules.diagnostics.extend(check_companions(modules.layers))
    modules.add_prelude()
    return modules


def build(modules: Modules, strains: Sequence[Strain] = (), *, warn: bool = True) -> Program | None:
    """From the trees to a verified program; faults go to the modules' diagnostics. With strains, a program that holds
    the game and them. Without `warn` nobody looks for rules that may take very long.
    """
    return elaborated(modules, strains, warn=warn)[1]


def elaborated(
    modules: Modules, strains: Sequence[Strain] = (), *, warn: bool = True
) -> tuple[World, Program | None]:
    """What the names of a game stand for, and its program."""
    gathered = gather(modules.layers, modules.diagnostics)
    if strains:
        add_strains(gathered, strains)
    return _elaborated(modules, gathered, len(strains), warn=warn)


def _elaborated(
    modules: Modules, gathered: Gathered, strains: int = 0, *, warn: bool = True, settled: bool = False
) -> tuple[World, Program | None]:
    diagnostics = modules.diagnostics
    names = file_names(modules.file_names(), strains)
    world = World(Reporter(diagnostics, Whence(gathered).of), file_names=names)
    try:
        program = assemble(
            world, gathered, modules.name, modules.scenario, tests=modules.tests, settled=settled
        )
    except (Exhausted, RecursionError) as exhausted:
        span = world.at or gathered.headers[0].name.span
        diagnostics.add(too_much_work(span, deep=isinstance(exhausted, RecursionError)))
        return world, None
    if program is None or diagnostics.has_errors:
        return world, None
    found = findings(program, world.graph)
    world.nodes = found.size
    diagnostics.extend(blame(world, gathered, program, fault) for fault in found.faults)
    if warn and found.work > HEAVY and not found.faults:
        played = tabulated(program)[0]  # what is looked up in play is no work
        diagnostics.extend(heavy(world, played, Graph(played)))
    return world, None if found.faults else program
