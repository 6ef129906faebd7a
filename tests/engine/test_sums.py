"""How numbers came about: every term with its source, and nothing in it that the one who asks could not see."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from dsl.cli.asking import why
from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.summary import in_words
from dsl.engine.sums import Sum
from dsl.testing.runner import Playing
from tests.shipped import shipped
from tests.soak import without_largest

STDLIB = ("command_and_conquer", "cristal_et_acier", "green_conquest", "me_ccg", "risk_halo")
GAME = """
game duel:
    players ann, bob
    rounds 3
table Card:
    | id   | name  | copies | edge |
    | rune | Rune  |      2 |    3 |
    | dull | Stick |      2 |    0 |
piece Sheet of Card, copies each
pile hand of Sheet for each Player, seen by owner
pile table of Sheet, called "Table"
state of Player:
    charm: 0..3 = 2, seen by self
    luck: 0..9 = 1, called "Luck"
    hits: 0..99
state:
    blessed: bool = true
value edge_of(k: Sheet) -> 0..9 = k.edge
modify edge_of: +1 when blessed "blessed" [house]
value open_force(p: Player, die: 1..6) -> -9..50 = die
modify open_force: +p.luck
modify open_force: +(sum edge_of(k) for k in table)
modify open_force: -2 when not blessed "cursed"
modify open_force: times 2 when p.luck > 8
modify open_force: at most 20
value charmed(p: Player, die: 1..6) -> 0..50 = die
modify charmed: +p.charm
modify charmed: +1 when p.charm > 1 "so charming"
modify charmed: +p.luck
value heft(k: Sheet) -> 0..9 = k.edge
modify heft: +1
action swing by p "Swing":
    let die = roll 1d6
    p.hits = open_force(p, die)
action whisper by p "Whisper":
    let die = roll 1d6
    p.hits = charmed(p, die)
action hum(k: Sheet) by p "Hum":
    p.hits = heft(k)
    if p.hits > 50: move k to table
action lay(k: Sheet) by p "Lay {k}":
    move k to table
    p.hits = heft(k)
action curse by p "Curse":
    blessed = false
    for the rest of round: modify open_force: +4
    p.hits = open_force(p, 1)
setup:
    place rune in hand(ann)
    place dull in hand(bob)
    place rune in table
round:
    for p in order of play:
        p repeatedly may:
            swing
            whisper
            curse
            hum(k) for k in hand(p)
            lay(k) for k in hand(p)
"""


@cache
def machine(name: str) -> Machine:
    return Machine(shipped(name))


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    file = tmp_path_factory.mktemp("sums") / "duel.scn"
    file.write_text(GAME, encoding="utf-8")
    result = compile_game(str(file))
    assert result.program is not None, result.diagnostics
    return Machine(result.program)


def after(duel: Machine, *labels: str) -> Game:
    game = Game.start(duel, seed=4, telling=True)
    for label in labels:
        game.choose(label)
    return game


def words(game: Game, player: int | None = None) -> list[str]:
    return [line for each in game.sums(player) for line in in_words(game.machine.program, each)]


def test_each_term_has_its_source(duel: Machine) -> None:
    line, below = words(after(duel, "Swing"))
    die = line.split(" = ")[1].split()[0]
    assert line == f"open force(ann, {die}) = {die} die + 1 Luck + 4 Rune = {int(die) + 5}"
    assert below == "edge of(Rune) = 3 edge + 1 blessed = 4"
    both = words(after(duel, "Curse"))
    assert both == ["open force(ann, 1) = 1 die + 1 Luck + 3 Rune − 2 cursed + 4 curse = 7"]


def test_what_a_player_does_not_see_is_in_no_sum_of_his(duel: Machine) -> None:
    game = after(duel, "Whisper")
    own, other = words(game, 0), words(game, 1)
    die = own[0].split(" = ")[1].split()[0]
    assert own == [f"charmed(ann, {die}) = {die} die + 2 charm + 1 so charming + 1 Luck = {int(die) + 4}"]
    assert other == [f"charmed(ann, {die}) = {die} die + 1 Luck + ? = ?"]
    state = list(game.state)
    var = next(each for each in duel.program.vars if each.name == "charm")
    assert state[var.offset] == 2


def test_whether_a_hidden_term_stands_does_not_show(duel: Machine) -> None:
    told = []
    for charm in (0, 1, 3):
        game = Game.start(duel, seed=4, telling=True)
        var = next(each for each in duel.program.vars if each.name == "charm")
        game._now.state[var.offset] = charm
        game.choose("Whisper")
        told.append((words(game, 1), game.sums(1)))
    assert told[0] == told[1] == told[2] != ([], ())


def test_of_a_hidden_card_nothing_is_told_until_it_is_laid(duel: Machine) -> None:
    game = after(duel, "Hum")
    assert words(game, 0) == ["heft(Rune) = 3 edge + 1 = 4"] and words(game, 1) == []
    game = after(duel, "Lay Rune")
    assert words(game, 0) == words(game, 1) == ["heft(Rune) = 3 edge + 1 = 4"]


def test_why_tells_each_player_what_he_may_know_of_it(duel: Machine) -> None:
    game = after(duel, "Whisper")
    own, other = why(game, "en", 0), why(game, "en", 1)
    assert "How it adds up:" in own and own[-1].startswith("  charmed(ann, ") and "so charming" in own[-1]
    assert other[-1].endswith("+ 1 Luck + ? = ?") and "charming" not in other[-1]
    game.choose("Swing")
    assert [line for line in why(game, "en", 0, last=2) if "charmed(" in line] == [own[-1]]
    assert not [line for line in why(game, "en", 0) if "charmed(" in line]


def test_sums_go_with_their_choice(duel: Machine) -> None:
    game = after(duel, "Whisper", "Swing")
    assert [line.partition("(")[0] for line in words(game)] == ["open force", "edge of"]
    game.undo()
    assert [line.partition("(")[0] for line in words(game)] == ["charmed"]
    assert words(game.clone()) == words(game)


def added(found: Sum) -> int | None:
    """What the parts of a sum add up to; none where it is more than a sum."""
    if any(part.stage not in {"base", "plus"} or part.amount is None for part in found.parts):
        return None
    return sum(part.amount or 0 for part in found.parts)


@pytest.mark.parametrize("name", without_largest(STDLIB))
def test_the_terms_add_up_in_every_game(name: str) -> None:
    chance, compared, with_terms = random.Random(3), 0, 0
    game = Game.start(machine(name), seed=8, telling=True)
    for _ in range(250):
        if game.decision is None:
            break
        game.choose(chance.randrange(game.count))
        for each in game.sums():
            total = added(each)
            if total is not None:
                assert total == each.result, in_words(game.machine.program, each)
                compared += 1
                with_terms += len(each.parts) > 1
    assert compared > 20 and with_terms > 3


def test_situation_4_of_the_card_game_is_told_as_its_text_adds_it_up() -> None:
    program = shipped("me_ccg", tests=True)
    test = next(each for each in program.tests if "ME-X06" in each.ids)
    playing, told = Playing(Machine(program), test, telling=True), list[str]()
    for step in test.steps:
        playing._do(step)
        told += [line for each in playing.game.sums() for line in in_words(program, each, "en")]
    words = "1 Words of power and terror [ME-079, ME-A07, ME-A08, ME-A09]"
    assert f"Reaction(Cirdan, 8) = 8 dice + 6 Prowess − {words} = 13" in told
    assert "Strike force = 15 Attack force − 3 Old thrush [ME-080, ME-A04, ME-A07] = 12" in told


WORDED = """game forge:
    players ann, bob
    rounds 2
table Tool:
    | id        | name en | cost |
    | called en |         | Price |
    | saw       | Saw     | 6    |
state of Player:
    purse: 0..99 = 20, called en "Purse"
    tools: set of Tool
value price(t: Tool) = t.cost
modify price: times 2 when round > 0 "early"
value pay(p: Player) -> 0..99 = p.purse
modify pay: +2 "wages"
value due(p: Player, days: 1..9 en "Days" fr "Jours", off_season: 0..9) -> 0..99, called en "Rent" fr "Loyer":
    return p.purse + days + off_season
modify due: -1 "rebate"
modify due: at least 30 "floor"
action live by p "Live": p.purse = due(p, 7, 2)
action buy(t: Tool) by p "Buy {t}": p.purse loses price(t)
action earn by p "Earn": p.purse = pay(p)
round:
    for p in order of play:
        p chooses:
            buy(t) for t in Tool
            earn
            live
"""


def test_sums_have_the_words_of_values_of_columns_and_of_fields_that_are_set(tmp_path: Path) -> None:
    path = tmp_path / "forge.scn"
    path.write_text(WORDED, encoding="utf-8")
    made = compile_game(str(path))
    assert made.program is not None, [each.message for each in made.diagnostics]
    game = Game.start(Machine(made.program), seed=1, telling=True)
    game.choose("Live")
    assert (
        why(game, "en")[-1]
        == "  Rent(ann, 7, 2) = 20 Purse + 7 Days + 2 off season − 1 rebate, at least 30 floor = 30"
    )
    assert (
        why(game, "fr")[-1]
        == "  Loyer(ann, 7, 2) = 20 Purse + 7 Jours + 2 off season − 1 rebate, au moins 30 floor = 30"
    )
    game.undo()
    expected = {
        "Buy Saw": "  Price(Saw) = 6 Price × 2 early = 12",
        "Earn": "  Purse(bob) = 20 Purse + 2 wages = 22",
    }
    for label, told in expected.items():
        assert game.decision is not None
        game.choose(next(each for each in game.decision.options if each.label() == label))
        assert why(game, "en")[-2:] == ["How it adds up:", told]
