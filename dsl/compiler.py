"""The pipeline in one screen: find and parse the files, merge the layers, elaborate, verify."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dsl.catalogue import tr
from dsl.check.blame import blame, too_much_work
from dsl.check.heavy_work import heavy
from dsl.check.surfaces import inferred, written
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.diagnostics.repeats import folded
from dsl.elaborate.assemble import assemble
from dsl.garbage import uncollected
from dsl.ir.limits import HEAVY, MAX_NODES
from dsl.ir.program import Program
from dsl.ir.size import tests_size
from dsl.ir.verify.program import Findings, findings
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
from dsl.resolve.bounds import MOST_SLOTS
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import MOST_WORK, Exhausted, World
from dsl.source import Source
from dsl.syntax import ast

MOST_MODS = 100
FAR_REACHING = re.compile(r"\brepeated\b|\btogether\b|\b(?:start|end|rest)\s+of\b")
"""Words in tests that may bear on the rules: where nothing else asks how often a position has stood, has something
happen together or later, the game keeps what it takes for them alone.
"""


@record(frozen=True, slots=True)
class Settled:
    """Tests of a game beside whose rules nothing was found, in them or in the rules."""

    tests: frozenset[str]
    """Their keys (`_test_keys`)."""
    work: int
    """At least how much was elaborated for all of them (`World.work`)."""
    size: int
    """At least how many expressions and statements they have."""
    free: frozenset[str]
    """Those that see nothing of the rules but their surface (`dsl.check.surfaces`)."""
    surface: str
    """The part of that which was inferred; empty where none of the tests can be kept by it."""
    slots: int
    """At least how many numbers a whole state keeps with each of them."""


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
    rules: Program | None = None
    """Where there is none and the rules were elaborated anew: a program that plays alike, without most tests."""


def compile_game(
    target: str,
    mods: Sequence[str] = (),
    *,
    tests: bool = False,
    drafts: Mapping[Path, str] | None = None,
    settled: Callable[[Modules], Settled | None] | None = None,
    alike: Callable[[Modules], Settled | None] | None = None,
) -> Compiled:
    """Compiles a game by name, or what a path names (a game, scenario or mod), with mods on top.

    `drafts` are texts to read in place of what some files, by their resolved paths, hold. `settled` is asked which
    tests are known to be sound beside the same rules, and `alike` beside rules with the same written surface, for
    whoever wants to know what is wrong and needs no program: if nothing is found in all else, there is none.
    """
    with uncollected(), allowance():
        modules = read_game(target, mods, tests=tests, drafts=drafts)
        if settled is not None and tests and modules.layers and not len(modules.diagnostics):
            sources = tuple(modules.sources.values())
            known = settled(modules)
            found = _changed_tests(modules, known) if known is not None else None
            if found is not None:
                return Compiled(None, Diagnostics(), sources, modules, settled=found)
            known = alike(modules) if known is None and alike is not None else None
            changed = _changed_rules(modules, known) if known is not None else None
            if changed is not None:
                return Compiled(
                    None, Diagnostics(), sources, modules, settled=changed.settled, rules=changed.program
                )
        return _compiled(modules)


@record(frozen=True, slots=True)
class _Made:
    """What elaborating a game gave: a program where nothing was wrong, with what the verifier found out about it."""

    world: World
    program: Program | None
    found: Findings | None = None


def _compiled(modules: Modules) -> Compiled:
    diagnostics = modules.diagnostics
    is_read = bool(modules.layers) and not diagnostics.has_errors
    program = settled = None
    if is_read:
        gathered = gather(modules.layers, diagnostics)
        made = _elaborated(modules, gathered)
        program = made.program
        if program is not None:
            program = _with_rules(modules, program)
            if modules.tests and not len(diagnostics):
                settled = _settled(modules, gathered, made)
    if diagnostics.has_errors:
        program = None
    told = folded(with_titles(modules))
    return Compiled(program, told, tuple(modules.sources.values()), modules, is_read, settled)


def _with_rules(modules: Modules, program: Program) -> Program:
    """A program with the rules of its rulebooks; tells of citations of none."""
    rules = indexed(modules)
    modules.diagnostics.extend(unindexed(modules.layers, rules))
    return complete(replace(program, rules=rules), modules.layers, modules.file_names())


# ---------------------------------------------------------------- after an edit


@record(frozen=True, slots=True)
class _Changed:
    """What is known after an edit of rules beside which nothing was found."""

    program: Program
    """It has not all tests."""
    settled: Settled


def _settled(modules: Modules, gathered: Gathered, made: _Made) -> Settled:
    """The tests of a game in which nothing was found."""
    world, program, found = made.world, made.program, made.found
    assert program is not None and found is not None
    keys = _test_keys(modules, gathered)
    return Settled(
        frozenset(keys.values()),
        world.work - world.begun[0],
        tests_size(program, found.sizes, *world.begun[1:]),
        frozenset(key for entry, key in keys.items() if entry not in world.tangled),
        inferred(world, gathered, written(modules), found),
        program.size,
    )


def _changed_tests(modules: Modules, known: Settled) -> Settled | None:
    """What is settled when nothing is found in the tests that are not yet; none where something is, or may be.

    What is found in a game are the findings in its rules and in each test by itself: no test is elaborated from
    another, and what one of them reads of the rules can only take a finding away. So none of the settled tests is
    looked at. What all of them share are the bounds of the whole, which are kept here with what is surely more.
    """
    found = _without(modules, known.tests, known, same=True)
    return None if found is None else found.settled


def _changed_rules(modules: Modules, known: Settled) -> _Changed | None:
    """The same where rules were edited whose written surface is what it was: of the tests that see no more of them none
    is looked at if the inferred one is, too. Then nothing that they are elaborated or verified from is another.
    """
    found = _without(modules, known.free, known, same=False) if known.surface else None
    return None if found is None or found.settled.surface != known.surface else found


def _without(modules: Modules, sound: frozenset[str], known: Settled, *, same: bool) -> _Changed | None:
    """What elaborating a game without its sound tests gives, beside the `same` rules or others; none where anything is
    found or may be, or all tests are to be elaborated.
    """
    own = replace(modules, diagnostics=Diagnostics())
    whole = gather(own.layers, own.diagnostics)
    keys = _test_keys(own, whole)
    left = [each for each in whole.entries if keys.get(id(each)) not in sound]
    aside = tuple(each for each in whole.entries if keys.get(id(each)) in sound)
    if not aside:
        return None
    with allowance():  # whoever compiles all after this has as much to spend as without it
        made = _elaborated(own, replace(whole, entries=left, aside=aside), settled=same)
    world, program, found = made.world, made.program, made.found
    if program is None or found is None:
        return None
    if world.work + known.work > MOST_WORK or world.nodes + known.size > MAX_NODES:
        return None
    if not same and program.size + known.slots > MOST_SLOTS:
        return None
    own.diagnostics.extend(unindexed(own.layers, indexed(own)))
    if len(own.diagnostics):
        return None
    free = {keys[id(each)] for each in left if id(each) in keys and id(each) not in world.tangled}
    settled = Settled(
        frozenset(keys.values()),
        known.work + world.work - world.begun[0],
        known.size + tests_size(program, found.sizes, *world.begun[1:]),
        frozenset(free | known.free).intersection(keys.values()),
        inferred(world, whole, written(own), found),
        max(known.slots, program.size),
    )
    return _Changed(program, settled)


def _test_keys(modules: Modules, gathered: Gathered) -> dict[int, str]:
    """What tells each test of a game from all others that might be there, by the identity of its entry. Those have no
    key that may bear on the rules.
    """
    names = modules.file_names()
    return {
        id(entry): _test_key(entry, names)
        for entry in gathered.of(ast.Test)
        if not FAR_REACHING.search(entry.declaration.span.text)
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
    made = _elaborated(modules, gathered, len(strains), warn=warn)
    return made.world, made.program


def _elaborated(
    modules: Modules, gathered: Gathered, strains: int = 0, *, warn: bool = True, settled: bool = False
) -> _Made:
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
        return _Made(world, None)
    if program is None or diagnostics.has_errors:
        return _Made(world, None)
    found = findings(program, world.graph)
    world.nodes = found.sizes.total
    diagnostics.extend(blame(world, gathered, program, fault) for fault in found.faults)
    if found.faults:
        return _Made(world, None, found)
    if warn and _work_of_rules(world, found, settled=settled) > HEAVY:
        assert found.graph is not None
        played = tabulated(_without_tests(world, program))[0]  # what is looked up in play is no work
        diagnostics.extend(heavy(world, played, found.graph))
    return _Made(world, program, found)


def _work_of_rules(world: World, found: Findings, *, settled: bool) -> int:
    """How many nodes the heaviest evaluation of a game can visit; nobody waits for those of tests. Of rules that are
    `settled` nothing was told: only what was written behind the tests may be there for new ones.
    """
    procedures, routines = world.tested
    tests = {("procedure", each) for each in procedures} | {("routine", each) for each in routines}
    behind = {"procedure": procedures.stop, "routine": routines.stop}
    looked_at = (
        work
        for (kind, number), work in found.works.items()
        if (kind, number) not in tests and not (settled and number < behind.get(kind, number + 1))
    )
    return max(looked_at, default=0)


def _without_tests(world: World, program: Program) -> Program:
    """A program with nothing in the procedures and routines that its tests have of their own."""
    procedures, routines = list(program.procedures), list(program.routines)
    for number in world.tested[0]:
        procedures[number] = replace(procedures[number], body=())
    for number in world.tested[1]:
        routines[number] = replace(routines[number], blocks=())
    return replace(program, procedures=tuple(procedures), routines=tuple(routines), tests=())
