"""What each player is told of the choices of others: all that all may know, once, and nothing else."""

from __future__ import annotations

from pathlib import Path

from dsl.cli.story import Teller
from dsl.cli.table import Table
from dsl.library import load
from dsl.players.seats import HUMAN

CARDS = """game cards:
    players ann, bob
    rounds 1
table Model:
    | id     | copies |
    | dagger |      4 |
    | shield |      4 |
piece Card of Model, copies each
pile deck of Card, seen by none
pile hand of Card for each Player, seen by owner
pile kept of Card for each Player, seen by owner
pile used of Card
state of Player:
    hits: 0..99
    plan: 0..9, seen by self
    trust: 0..9, seen by self
action play(c: Card) by p "Play {c}":
    move c to used
    p chooses q in Player "Third"
    q.hits gains 1
action keep(c: Card) by p "Keep {c}": move c to kept(p)
action hit(q: Player) by p "Hit {q}": q.hits gains 1
action plan(n: 0..3) by p "Plan {n}": p.plan = n + 5
action trust(n: 0..3) by p "Trust {n}": p.trust gains n
setup:
    for p in Player: draw 3 from deck to hand(p)
round:
    for p in order of play:
        p chooses q in Player "First"
        q.hits gains 1
        p chooses "Second": hit(q) for q in Player
        p chooses: play(c) for c in hand(p)
        p chooses: keep(c) for c in hand(p)
        p chooses: plan(n) for n in 1..3
        p chooses: trust(n) for n in 1..3
        p chooses x in 1..3 "Add"
        p.plan = p.plan - x
        p may "Once more": hit(q) for q in Player
"""
BIDS = """game bids:
    players ann, bob, cid
    rounds 2
state of Player:
    points: 0..99
round:
    ann, bob, cid secretly choose n in 1..3 "A number:"
    for q in Player: q.points gains n[q]
"""


def seat(tmp_path: Path, text: str, seats: int) -> Table:
    path = tmp_path / f"{text.split()[1].rstrip(':')}.scn"
    path.write_text(text, encoding="utf-8")
    machine = load(path, environment={"SCENARII_CACHE": "off"})
    return Table(
        machine,
        machine.start(seed=4),
        target=str(path),
        mods=(),
        seed=4,
        options={},
        seats=(HUMAN,) * seats,
        teller=Teller(machine, "", 0),
    )


def heard(table: Table, viewer: int, picks: list[int]) -> list[str]:
    """The choices that a player is told of in the first round."""
    table.opening()
    for pick in picks:
        decision = table.game.decision
        assert decision is not None
        table.choose(decision, decision.options[min(pick, len(decision.options) - 1)])
    return [
        line.text for told in table.heard[viewer] for line in told if line.kind in {"choice", "pass", "do"}
    ]


def test_what_all_may_know_of_a_choice_is_told_to_all_once(tmp_path: Path) -> None:
    table = seat(tmp_path, CARDS, 2)
    told = heard(table, 1, [0, 1, 0, 1, 0, 1, 1, 1, 99])
    card = next(word for word in ("dagger", "shield") if f"ann: Play {word}" in told)
    assert told == [
        "ann: First ann",
        "ann: Hit bob",
        f"ann: Play {card}",
        "ann: Third bob",
        "ann: Keep ?",
        "ann: Plan ?",
        "ann: Trust ?",
        "ann: Add (hidden)",
        "ann: Once more (pass)",
    ]


def test_the_player_himself_is_told_all_that_he_chose(tmp_path: Path) -> None:
    told = heard(seat(tmp_path, CARDS, 2), 0, [0, 1, 0, 1, 0, 1, 1, 1, 99])
    assert not [line for line in told if "?" in line]
    assert "ann: Plan 2" in told and "ann: Trust 2" in told and "ann: Add 2" in told


def test_nobody_is_told_a_secret_answer_before_the_last(tmp_path: Path) -> None:
    table = seat(tmp_path, BIDS, 3)
    assert heard(table, 2, [0, 1]) == ["ann has chosen", "bob has chosen"]
    decision = table.game.decision
    assert decision is not None
    table.choose(decision, decision.options[2])
    all_told = ["ann: A number: 1", "bob: A number: 2", "cid: A number: 3"]
    assert [line.text for line in table.heard[2][-1] if line.kind == "choice"] == all_told
    assert [line.text for line in table.heard[1][-1] if line.kind == "choice"] == [all_told[0], all_told[2]]


def test_a_secret_answer_is_told_after_it_was_taken_back(tmp_path: Path) -> None:
    table = seat(tmp_path, BIDS, 3)
    heard(table, 2, [0, 1, 2])
    assert table.undo() and table.undo()
    assert heard(table, 2, [2, 2])[-3:] == ["ann: A number: 1", "bob: A number: 3", "cid: A number: 3"]
