"""The pipeline in one screen: find and parse the files, merge the layers, elaborate, verify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dsl.catalogue import tr
from dsl.check.blame import blame, too_much_work
from dsl.check.heavy_work import heavy
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.diagnostics.repeats import folded
from dsl.elaborate.assemble import assemble
from dsl.garbage import uncollected
from dsl.ir.limits import HEAVY
from dsl.ir.program import Program
from dsl.ir.verify.graph import Graph
from dsl.ir.verify.program import findings
from dsl.linker.companions import check_companions
from dsl.linker.declaration_index import Whence
from dsl.linker.merging import gather
from dsl.linker.modules import Modules
from dsl.linker.provenance import complete
from dsl.linker.rulebook import indexed, unindexed, with_titles
from dsl.linker.strains import Strain, add_strains, file_names
from dsl.linker.versions import check_versions
from dsl.near import allowance
from dsl.passes.tabulate.tables import tabulated
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import Exhausted, World
from dsl.source import Source

MOST_MODS = 100


@dataclass(frozen=True, slots=True)
class Compiled:
    """What compiling gave: a program, unless there were errors, and all that was found."""

    program: Program | None
    diagnostics: Diagnostics
    sources: tuple[Source, ...]
    modules: Modules
    is_read: bool = True
    """Could all lines be understood, so that the rules were looked at?"""


def compile_game(
    target: str, mods: Sequence[str] = (), *, tests: bool = False, drafts: Mapping[Path, str] | None = None
) -> Compiled:
    """Compiles a game by name, or what a path names (a game, scenario or mod), with mods on top.

    `drafts` are texts to read in place of what some files, by their resolved paths, hold.
    """
    with uncollected(), allowance():
        return _compiled(read_game(target, mods, tests=tests, drafts=drafts))


def _compiled(modules: Modules) -> Compiled:
    diagnostics = modules.diagnostics
    is_read = bool(modules.layers) and not diagnostics.has_errors
    program = build(modules) if is_read else None
    if program is not None:
        rules = indexed(modules)
        diagnostics.extend(unindexed(modules.layers, rules))
        program = complete(replace(program, rules=rules), modules.layers, modules.file_names())
    if diagnostics.has_errors:
        program = None
    return Compiled(program, folded(with_titles(modules)), tuple(modules.sources.values()), modules, is_read)


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


def build(modules: Modules, strains: Sequence[Strain] = ()) -> Program | None:
    """From the trees to a verified program; faults go to the modules' diagnostics. With strains, a program that holds
    the game and them.
    """
    return elaborated(modules, strains)[1]


def elaborated(modules: Modules, strains: Sequence[Strain] = ()) -> tuple[World, Program | None]:
    """What the names of a game stand for, and its program."""
    diagnostics = modules.diagnostics
    gathered = gather(modules.layers, diagnostics)
    if strains:
        add_strains(gathered, strains)
    names = file_names(modules.file_names(), len(strains))
    world = World(Reporter(diagnostics, Whence(gathered).of), file_names=names)
    try:
        program = assemble(world, gathered, modules.name, modules.scenario, tests=modules.tests)
    except (Exhausted, RecursionError) as exhausted:
        span = world.at or gathered.headers[0].name.span
        diagnostics.add(too_much_work(span, deep=isinstance(exhausted, RecursionError)))
        return world, None
    if program is None or diagnostics.has_errors:
        return world, None
    found = findings(program)
    diagnostics.extend(blame(world, gathered, program, fault) for fault in found.faults)
    if found.work > HEAVY and not found.faults:
        played = tabulated(program)[0]  # what is looked up in play is no work
        diagnostics.extend(heavy(world, played, Graph(played)))
    return world, None if found.faults else program
