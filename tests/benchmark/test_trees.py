"""The examples have as many lines of play as programs for these games agree on, and the moves of OpenSpiel's games."""

from random import Random
from typing import Any

import pytest

import dsl
from tests.benchmark import trees
from tests.benchmark.trees import TREES, Tree
from tests.examples import FOLDER
from tests.soak import fewer

MOST = {"wasm": 45_000, "python": 300}
"""So many ways are counted on either engine; deeper by `python -m tests.benchmark trees`."""
WHOLE = fewer(8_000, 45_000)
"""So many where a row of choices is one move, which is counted in Python on both."""


@pytest.mark.parametrize("engine", MOST)
@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_there_are_as_many_lines_of_play(tree: Tree, engine: Any) -> None:
    game = tree.beginning(engine)
    most = min(MOST[engine], WHOLE) if tree.whole else MOST[engine]
    depths = [depth for depth, count in enumerate(tree.counts, start=1) if count <= most]
    assert len(depths) >= 1
    assert [tree.counted(game, depth) for depth in depths] == list(tree.counts[: len(depths)])


def test_a_row_of_captures_is_one_move() -> None:
    """A man that takes twice has moved once: three choices are two moves."""
    game = dsl.load(FOLDER / "draughts", engine="wasm", ask_always=True).start(telling=False)
    men = {"c3": "black", "d4": "white", "f6": "white", "c7": "white"}
    empty = dict.fromkeys(game.read("Cell.side"))
    found = game.placed({"Cell.side": {**empty, **men}, "Cell.rank": {**empty, **dict.fromkeys(men, "man")}})
    assert [dsl.perft(found, depth) for depth in (1, 2)] == [1, 1]
    assert trees.turns(found, 1) == 1
    assert trees.turns(found, 2) == dsl.perft(found, 3) == 2


def test_the_table_says_which_counts_differ(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    draughts = next(tree for tree in TREES if tree.name == "draughts")
    wrong = Tree("draughts", draughts.path, (7, 50, 302, 1469), whole=True)
    monkeypatch.setattr(trees, "TREES", (wrong,))
    assert trees.show(400) == 1
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split(" | ")[:4] for row in rows] == [
        ["| draughts", "1", "7", "7"],
        ["| draughts", "2", "49", "50"],
        ["| draughts", "3", "302", "302"],
    ]


POINTS = list(dsl.load(FOLDER / "nine_mens_morris").start(telling=False).read("Point.man"))


def _draughts(option: dsl.Option) -> str:
    return "".join(str(each) for each in option.args[:2])


def _morris(option: dsl.Option) -> str:
    points = [str(POINTS.index(str(each))) for each in option.args if each in POINTS]
    return f"Move {' -> '.join(points)}" if option.action == "move" else f"Point {points[0]}"


@pytest.mark.parametrize(
    ("name", "theirs", "written"),
    [("draughts", "checkers", _draughts), ("nine_mens_morris", "nine_mens_morris", _morris)],
)
def test_each_position_has_the_moves_of_open_spiel(name: str, theirs: str, written: Any) -> None:
    """Both play the same random games, until one of them ends; who has won there has won in both."""
    spiel = pytest.importorskip("pyspiel").load_game(theirs)
    program = dsl.load(FOLDER / name, engine="wasm", ask_always=True)
    won = 0
    for seed in range(30):
        chance, game, state = Random(seed), program.start(telling=False), spiel.new_initial_state()
        while (decision := game.decision) is not None and not state.is_terminal():
            mine = {written(option): option for option in decision.options}
            other = {state.action_to_string(each): each for each in state.legal_actions()}
            assert sorted(mine) == sorted(other)
            move = chance.choice(sorted(mine))
            game.choose(mine[move])
            state.apply_action(other[move])
        outcome = game.outcome
        if outcome is not None and outcome.winners:
            won += 1
            assert state.returns()[program.players.index(outcome.winners[0])] == 1
        elif state.is_terminal():
            assert state.returns() == [0, 0]
    assert won >= 10
