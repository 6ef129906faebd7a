"""What happens where it cannot be computed what a position is worth, or rules fail in games that are played on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import dsl
from dsl.cli.main import cli
from dsl.engine.game import Game
from dsl.library import load
from dsl.players.seats import HUMAN, RANDOM
from dsl.search.searcher import MOST_LOOKS, Searcher
from dsl.search.thinker import Thinker
from tests.cli.test_person import Sitting

DIG = """
game dig:
    players red, blue
    rounds 4
    language 1

state of Player:
    gold: 0..99 = 1

state:
    depth: 0..9 = {depth}

value worth(p: Player) -> 0..9 = {worth}

action dig(n: 1..2) by p en "Dig {{n}}":
    p.gold gains n
    depth = {after}

round:
    for p in order of play:
        p chooses: dig(n) for n in 1..2

victory red when round is 4 and red.gold > blue.gold
victory blue when round is 4 and blue.gold > red.gold
"""
DIVIDED = "min(p.gold, 3) + (6 / depth rounded down)"


def written(folder: Path, worth: str, depth: int = 0, after: str = "depth") -> str:
    path = folder / "dig" / "dig.scn"
    path.parent.mkdir(exist_ok=True)
    path.write_text(DIG.format(worth=worth, depth=depth, after=after), encoding="utf-8")
    return str(path.parent)


@pytest.mark.parametrize(("worth", "code"), [(DIVIDED, "E0609"), ("p.gold * 50", "E0601")])
def test_a_worth_that_cannot_be_computed_is_a_rule_that_fails(tmp_path: Path, worth: str, code: str) -> None:
    """The reference engine says where."""
    machine = load(written(tmp_path, worth))
    state = Game.start(machine).state
    for kind in ("greedy", "mcts:50"):
        with pytest.raises(dsl.RuleFailure) as caught:
            Thinker(machine).choice(kind, state, seed=1, made=0)
        assert caught.value.code == code
        assert caught.value.place is not None and caught.value.place.line == 13


def test_the_game_stays_at_its_last_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second to choose cannot judge: the first choice is saved."""
    monkeypatch.chdir(tmp_path)
    game = written(tmp_path, DIVIDED, depth=2, after="0")
    told = CliRunner().invoke(cli, ["play", game, "--players", "mcts:50", "--seed", "1"])
    assert told.exit_code == 1
    assert "error[E0609]: the rules failed" in told.stderr and "dig.scn:13" in told.stderr
    saved = json.loads((tmp_path / "dig-1.save.json").read_text())
    assert len(saved["choices"]) == 1
    told = CliRunner().invoke(
        cli, ["simulate", game, "--games", "4", "--players", "greedy", "--format", "json"]
    )
    assert json.loads(told.stdout)["failures"] == [{"code": "E0609", "games": 4, "seed": 0}]


def test_a_hint_says_in_how_many_games_a_rule_failed(tmp_path: Path) -> None:
    for depth, after, expected in (
        (2, "0", "(in 100 of them a rule failed; they count as lost)"),
        (0, "0", "this player cannot think: E0609"),
        (2, "2", "(100 games were played on from here; 100 % is a win, 50 % a draw or an even game) > "),
    ):
        game = written(tmp_path, DIVIDED, depth, after)
        told = Sitting(load(game), ["hint 100", "quit"], (HUMAN, RANDOM)).play()
        assert expected in " ".join(told.split())


def test_among_thousands_of_options_greedy_tries_some(tmp_path: Path) -> None:
    """At each game all options are looked at: eight games for each of 22,500 would take minutes."""
    text = DIG.format(worth="min(p.gold, 9)", depth=0, after="depth").replace("gains n", "= min(n, 9)")
    text = text.replace("dig(n: 1..2)", "dig(n: 1..150, m: 1..150)")
    text = text.replace("dig(n) for n in 1..2", "dig(n, m) for n in 1..150, m in 1..150")
    path = tmp_path / "dig.scn"
    path.write_text(text, encoding="utf-8")
    machine = load(str(path))
    game = Game.start(machine)
    assert game.count == 22_500
    found = Searcher(machine).compare(game.state)
    assert found.playouts == MOST_LOOKS // 22_500 < game.count
    assert found.best.expectation > 0.5
