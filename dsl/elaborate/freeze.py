"""The finished world as a program: laid out, numbered, and never changed again."""

from __future__ import annotations

from dataclasses import replace

from dsl.catalogue import tr
from dsl.check import analysis
from dsl.check.open_piles import OpenPiles
from dsl.diagnostics import Code
from dsl.elaborate.positions import described
from dsl.elaborate.positions import variables as in_positions
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.kinds import Bad
from dsl.ir.verify.graph import Graph
from dsl.linker.layers import Gathered
from dsl.resolve.bounds import MOST_SLOTS
from dsl.resolve.headers import Item, header_number, title_label, titled
from dsl.resolve.hidden_kinds import audience
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Pool, Var
from dsl.syntax import ast

DEFAULT_DECISIONS = 100_000


def freeze(
    world: World, gathered: Gathered, name: str, scenario: str, lowered: list[pr.Action | None],
    ends: tuple[pr.Ending, ...], main: int, tests: tuple[pr.Test, ...],
) -> pr.Program:  # fmt: skip
    """The program, when nothing was wrong."""
    sizes = [len(domain.members) for domain in world.domains]
    values = [value.lowered for value in world.values if value.lowered is not None]
    actions = [action for action in lowered if action is not None]
    assert len(values) == len(world.values) and len(actions) == len(world.actions)
    reads = analysis.Reads(values, actions, world.procedures, in_positions(world))
    variables, at = _variables(world, sizes)
    secret = frozenset(index for index, var in enumerate(variables) if var.audience is not None)
    shown = analysis.Reads(values, actions, world.procedures, in_positions(world), OpenPiles(world).rest)
    watched = reads.of(tuple(end.condition for end in ends if end.at_once))
    routines = [
        _routine(each, shown, secret, _private(world, number), watched, sizes)
        for number, each in enumerate(world.routines)
        if each is not None
    ]
    assert len(routines) == len(world.routines)
    procedures = []
    given = {step.index for test in tests for step in test.steps if step.kind == "given"}
    for index, procedure in enumerate(world.procedures):
        assert procedure is not None
        tested = watched and index not in given
        body = analysis.test_at_once(procedure.body, watched) if tested else procedure.body
        procedures.append(replace(procedure, body=body))
    title, of_scenario = (_own_title(world, gathered, kind) for kind in ("game", "scenario"))
    decisions = header_number(gathered, "decisions") or DEFAULT_DECISIONS
    mods = tuple(
        pr.Mod(header.name.text, _title(world, titled(header)))
        for header in gathered.headers
        if header.kind == "mod"
    )
    program = pr.Program(
        name, scenario, title, world.language, decisions, 0, tuple(world.texts), tuple(world.clauses),
        _domains(world), tuple(variables), tuple(world.data), tuple(values), tuple(actions), tuple(procedures),
        tuple(routines), ends, tuple(world.sites), tuple(world.options), (world.board,) if world.board else (),
        _pools(world), (), main, at, at, tests, mods=mods, scenario_title=of_scenario,
    )  # fmt: skip
    program = replace(program, history=described(world, program))
    world.graph = Graph(program)
    size = at + _height(world.graph)
    _check_slots(world, variables, sizes, size)
    return replace(program, size=size)


def _private(world: World, routine: int) -> analysis.Private:
    return {block: found for (number, block), found in world.private.items() if number == routine}


def _routine(
    each: pr.Routine, reads: analysis.Reads, secret: frozenset[int], private: analysis.Private,
    watched: frozenset[int], sizes: list[int],
) -> pr.Routine:  # fmt: skip
    found = analysis.publish(each, reads, secret, private)
    if watched:
        blocks = tuple(
            ir.Block(analysis.test_at_once(block.body, watched), block.end) for block in found.blocks
        )
        found = replace(found, blocks=blocks)
    return analysis.lay_out(found, sizes)


def _height(graph: Graph) -> int:
    """The greatest height of the stack of frames, whichever routine stands below all; 0 where nothing bounds it,
    which the verifier tells.
    """
    try:
        return max(graph.heights().values(), default=0)
    except Bad:
        return 0


def _check_slots(world: World, variables: list[pr.Var], sizes: list[int], slots: int) -> None:
    if slots <= MOST_SLOTS:
        return
    widest = max(variables, key=lambda var: var.width * (1 if var.of is None else sizes[var.of]))
    span = world.clause_spans[widest.clause] if widest.clause is not None else None
    span = span or world.clause_spans[0]
    message = tr(
        "the game keeps {slots} numbers, more than {most_slots}",
        slots=f"{slots:,}",
        most_slots=f"{MOST_SLOTS:,}",
    )
    hint = tr("most of them are in `{widest}`: shorter lists, smaller sets, fewer pieces", widest=widest.name)
    world.error(Code.LIMIT, span, message, hint=hint)


def _variables(world: World, sizes: list[int]) -> tuple[list[pr.Var], int]:
    at = pr.FIRST_VAR
    found = []
    for var in world.vars:
        width = analysis.words(var.type, sizes)
        assert var.initial is not None
        found.append(
            pr.Var(
                var.name,
                var.of,
                var.type,
                at,
                width,
                var.initial,
                audience(world, var),
                var.role,
                var.label,
                var.clause,
                drawn=_is_drawn(var),
            )
        )
        at += width * (sizes[var.of] if var.of is not None else 1)
    return found, at


def _is_drawn(var: Var) -> bool:
    clauses = var.field.clauses if var.field is not None else ()
    return not any(isinstance(each, ast.Undrawn) for each in clauses)


def _domains(world: World) -> tuple[pr.Domain, ...]:
    return tuple(
        pr.Domain(d.name, d.kind, tuple(d.members), tuple(d.labels), d.parts, tuple(d.looks), d.label)
        for d in world.domains
    )


def _pools(world: World) -> tuple[pr.Pool, ...]:
    found = []
    for domain in world.domains:
        pool = domain.pool
        if pool is not None:
            piles = tuple(world.domains[pool.pile_domain].members) if pool.pile_domain is not None else ()
            found.append(
                pr.Pool(
                    pool.name,
                    domain.id,
                    pool.kind_data if pool.kind_var is None else None,
                    pool.in_play,
                    pool.out,
                    pool.pile,
                    pool.order,
                    piles,
                    pool.kind_var,
                    tuple(pool.pile_owners),
                    tuple(pool.pile_words),
                    _supplies(pool),
                )
            )
    return tuple(found)


def _own_title(world: World, gathered: Gathered, kind: str) -> int | None:
    """The title of the game, or of its scenario."""
    headers = (header for header in gathered.headers if header.kind == kind)
    return next((title for each in headers if (title := _title(world, titled(each))) is not None), None)


def _supplies(pool: Pool) -> tuple[int, ...]:
    if pool.kind_var is None or all(each is None for each in pool.owners):
        return ()
    return tuple(each or 0 for each in pool.owners)


def _title(world: World, items: list[Item] | None) -> int | None:
    label = title_label(world, items or [])
    return world.text(label) if label is not None else None
