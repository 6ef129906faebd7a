"""The same random game told by Python alone, and told of what a module has played."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Clause, Place, Program, Text
from dsl.ir.types import Int
from dsl.ir.verify.program import examine
from dsl.players.random_player import RandomPlayer
from dsl.wasm.machine import FastMachine


def worded(program: Program) -> Program:
    """The program with something to tell in each block and procedure: the first number in its state, and a clause."""
    number = next(n for n, each in enumerate(program.vars) if each.of is None and isinstance(each.type, Int))
    text = Text((("", "now {0}"),))
    clause = Clause("action", "tell", ("T-1",), False, (), Place("game.scn", 1, 1, 1, 10), "tell: ...")
    told = (
        ir.Log(len(program.texts), (ir.Load(program.vars[number].type, number),), None),
        ir.Mark(len(program.clauses)),
    )
    routines = (
        replace(each, blocks=tuple(_with(block, told) for block in each.blocks)) for each in program.routines
    )
    procedures = (replace(each, body=(*told, *each.body)) for each in program.procedures)
    return replace(
        program,
        texts=(*program.texts, text),
        clauses=(*program.clauses, clause),
        routines=tuple(routines),
        procedures=tuple(procedures),
    )


def _with(block: ir.Block, told: tuple[ir.Stmt, ...]) -> ir.Block:
    return block if isinstance(block.end, ir.Decide) else replace(block, body=(*told, *block.body))


PATIENCE = 3
"""A game in which so many choices failed is given up."""


def told_alike(program: Program, seed: int, most: int = 25) -> int:
    """Plays a game on both and compares what is told of each stretch; yields how many there were."""
    program = worded(program)
    assert not examine(program)
    machines = Machine(program), FastMachine(program, cache=False)
    games = [_begun(each, seed) for each in machines]
    mine, fast = games
    if not isinstance(mine, Game) or not isinstance(fast, Game):
        assert mine == fast, "one can begin"
        return 0
    player, failed, stretches = RandomPlayer(seed), 0, 0
    while mine.count and failed < PATIENCE and stretches < most:
        _same(mine, fast)
        index = player.index(mine.count)
        faults = [_chosen(each, index) for each in (mine, fast)]
        assert faults[0] == faults[1]
        failed += faults[0] is not None
        stretches += 1
        if mine.choices and failed % 2:
            for each in (mine, fast):
                each.undo()
    _same(mine, fast)
    return stretches


def _begun(machine: Machine, seed: int) -> Game | tuple[object, ...]:
    try:
        return Game.start(machine, seed=seed, telling=True)
    except RuleFailure as failure:
        return _words(failure)


def _chosen(game: Game, index: int) -> tuple[object, ...] | None:
    try:
        game.choose(index)
    except RuleFailure as failure:
        return _words(failure)
    return None


def _words(failure: RuleFailure) -> tuple[object, ...]:
    return failure.code, failure.message, failure.site, failure.clauses


def _same(mine: Game, fast: Game) -> None:
    assert mine.state == fast.state
    assert mine._now.options == fast._now.options
    assert mine.log == fast.log
    assert [each.before for each in mine.log] == [each.before for each in fast.log]
    assert mine.marks == fast.marks
    assert mine.outcome == fast.outcome
    with suppress(RuleFailure):
        assert mine.view(0).values == fast.view(0).values
