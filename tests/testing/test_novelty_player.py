"""The player that prefers what was chosen least: kinds of options come in turn, and not each option as often."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.players.novelty_player import NoveltyPlayer
from dsl.testing.exercise import exercised

QUARRY = """\
game quarry:
    players ann
    rounds 60
    rulebook QU "The quarry"
    map pit

map pit on squares(8, 8)

table Stone:
    | id     | copies |
    | gravel |     90 |
    | slate  |      2 |
    | marble |      1 |
piece Block of Stone, copies each
pile heap of Block

state:
    at: Cell = a1
    polished: 0..99

action lift(b: Block): polished gains (1 if b is marble else 0)
action walk(c: Cell): at = c
action polish: polished gains 1                                 [QU-1]
forbid polish when polished < 3                                 [QU-2]

round:
    ann chooses:
        lift(b) for b in heap
        walk(c) for c in Cell
        polish
        pass
"""


def quarry(folder: Path) -> Program:
    path = folder / "quarry.scn"
    path.write_text(QUARRY, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    return made.program


def chosen(program: Program, games: int, seed: int = 0) -> list[str]:
    """What was chosen in a few games, by the words of the options."""
    machine, player = Machine(program), NoveltyPlayer(program, seed)
    found = []
    for number in range(games):
        game = Game.start(machine, seed=number)
        while game.decision is not None:
            option = player.choose(game, game.decision)
            found.append(option.label())
            game.choose(option)
    return found


def test_kinds_of_options_are_chosen_about_as_often_however_many_options_they_have(tmp_path: Path) -> None:
    kinds = Counter(
        each.partition("(")[0] if "walk" in each else each for each in chosen(quarry(tmp_path), 5)
    )
    assert sum(kinds.values()) == 300
    assert set(kinds) == {"lift(gravel)", "lift(slate)", "lift(marble)", "walk", "polish", "pass"}
    assert min(kinds.values()) > 35 and max(kinds.values()) < 65


def test_the_same_seed_plays_the_same_games(tmp_path: Path) -> None:
    program = quarry(tmp_path)
    assert chosen(program, 2, seed=3) == chosen(program, 2, seed=3) != chosen(program, 2, seed=4)


def test_what_chance_rarely_comes_to_is_exercised_by_who_is_directed(tmp_path: Path) -> None:
    program = quarry(tmp_path)
    machine = Machine(program)
    by_chance, directed = (exercised(machine, 1, directed=each).ids(program) for each in (False, True))
    assert by_chance == {"QU-2"}
    assert directed == {"QU-1", "QU-2"}
