"""`scenarii odds`: exact shares against what is counted by hand or one by one, and what it refuses."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.soak import some

ROWS = list(product((1, 2, 3), (1, 2), (0, 1), (0, 1)))
"""Dice of the attack and of the defence, and what a hero adds to the best die of each."""
GAME = """
game dice:
    players red, blue
    rounds 3
    language 1

table Card:
    | id    | name en | copies |
    | spark | Spark   |      3 |
    | frost | Frost   |      5 |

piece Sheet of Card, copies each
pile deck of Sheet, seen by none
pile hand of Sheet for each Player, seen by owner

state:
    lost: 0..9, called en "Lost"
    killed: 0..9, called en "Killed"
    glory: 0..9, called en "Glory"
    heads: 0..90, called en "Heads"

action fight(n: 1..3, m: 1..2, a: 0..1, d: 0..1) by p:
    roll each n d6 as mine
    roll each m d6 as yours
    if mine[1] + a > yours[1] + d: killed gains 1
    else: lost gains 1
    if n > 1 and m > 1:
        if mine[2] > yours[2]: killed gains 1
        else: lost gains 1

action toss by p:
    if roll 1d2 is 1: glory gains 1

action bold by p:
    glory gains roll 1d10

action flips by p:
    repeat 20 times:
        heads gains roll 1d2 - 1

action draw_three by p:
    shuffle deck
    draw 2 from deck to hand(p)
    draw 1 from deck to hand(p)

action dare by p en "Dare":
    lost gains roll 1d2 - 1
    p chooses:
        safe
        brave
        risk

action safe by p en "Play safe":
    glory gains 1

action brave by p en "Be brave":
    glory gains 1

action risk by p en "Risk it":
    glory gains roll 1d4 - 1

round:
    for p in order of play:
        p chooses:
            fight(n, m, a, d) for n in 1..3, m in 1..2, a in 0..1, d in 0..1
            toss
            bold
            flips
            draw_three
            dare

test "after a loss":
    given: lost = 2
    run toss by red

test "a choice":
    red: toss
    blue: bold
"""
SPARKS = "count s in hand(red) where s is spark"


@pytest.fixture(autouse=True)
def dice(own_folders: None) -> None:
    Path("dice.scn").write_text(GAME, encoding="utf-8")


def told(run: Run, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("odds", "dice.scn", *args, "--format", "json").stdout)
    return found


def shares(odds: dict[str, Any], key: str = "changes") -> dict[tuple[str, ...], Fraction]:
    def words(each: dict[str, Any]) -> tuple[str, ...]:
        return tuple(each[key].values() if key == "values" else each[key])

    return {words(each): Fraction(each["fraction"]) for each in odds["outcomes"]}


def fought(n: int, m: int, a: int, d: int) -> Iterator[tuple[str, ...]]:
    """What each throw of all dice comes to."""
    for throw in product(range(1, 7), repeat=n + m):
        mine, yours = sorted(throw[:n], reverse=True), sorted(throw[n:], reverse=True)
        wins = [mine[0] + a > yours[0] + d]
        if min(n, m) > 1:
            wins.append(mine[1] > yours[1])
        counts = (("Lost", wins.count(False)), ("Killed", wins.count(True)))
        yield tuple(f"{name} 0 → {count}" for name, count in counts if count)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_duel_is_as_all_its_throws(run: Run, row: tuple[int, int, int, int]) -> None:
    found = told(run, f"fight{row}".replace(" ", ""))
    assert found["exact"]
    counts = Counter(fought(*row))
    assert shares(found["odds"]) == {each: Fraction(n, counts.total()) for each, n in counts.items()}


def test_a_table_for_people(run: Run) -> None:
    text = run("odds", "dice.scn", "fight(3,2,0,0)").stdout
    assert "2890/7776  37.17 %  Killed 0 → 2\n" in text
    assert "2611/7776  33.58 %  Lost 0 → 1, Killed 0 → 1\n" in text
    assert "2275/7776  29.26 %  Lost 0 → 2\n" in text


def test_a_coin_in_each_form_and_language(run: Run) -> None:
    assert shares(told(run, "toss")["odds"]) == {("Glory 0 → 1",): Fraction(1, 2), (): Fraction(1, 2)}
    rows = list(csv.DictReader(io.StringIO(run("odds", "dice.scn", "toss", "--format", "csv").stdout)))
    assert [(row["numerator"], row["denominator"]) for row in rows] == [("1", "2"), ("1", "2")]
    french = run("odds", "dice.scn", "toss", "--lang", "fr").stdout
    assert "rien ne change" in french
    assert "ce qui change" in french


def test_an_urn_is_hypergeometric(run: Run) -> None:
    found = told(run, "draw_three", "--of", SPARKS)["odds"]
    whole = comb(8, 3)
    wanted = {(str(k),): Fraction(comb(3, k) * comb(5, 3 - k), whole) for k in range(4)}
    assert shares(found, "values") == wanted
    assert found["means"][SPARKS]["fraction"] == "9/8"


def test_a_rule_that_fails_on_one_way(run: Run) -> None:
    outcomes = told(run, "bold")["odds"]["outcomes"]
    assert len(outcomes) == 10
    assert {each["fraction"] for each in outcomes} == {"1/10"}
    (failed,) = [each["failed"] for each in outcomes if "failed" in each]
    assert failed["code"] == "E0601"
    assert failed["where"].partition(":")[0].endswith("dice.scn")


def test_too_many_ways_are_refused_and_can_be_sampled(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.cli.odds.MOST_WAYS", 2_000)
    refused = run("odds", "dice.scn", "flips", code=1)
    assert "more than 2,000 ways" in refused.stderr
    assert "--sample 10000" in refused.stderr
    found = told(run, "flips", "--sample", "500", "--seed", "3")
    assert (found["exact"], found["samples"], found["seed"]) == (False, 500, 3)
    for each in found["odds"]["outcomes"]:
        heads = int(each["changes"][0].split()[-1]) if each["changes"] else 0
        assert each["low"] <= each["probability"] <= each["high"]
        true = comb(20, heads) / 2**20
        if 8 <= heads <= 12:
            assert abs(each["probability"] - true) < 4 * (true * (1 - true) / 500) ** 0.5


def test_a_sample_is_near_what_is_exact(run: Run) -> None:
    exact = shares(told(run, "fight(3,2,0,0)")["odds"])
    sample = told(run, "fight(3,2,0,0)", "--sample", "2000", "--seed", "1")
    assert sum(each["probability"] for each in sample["odds"]["outcomes"]) == pytest.approx(1)
    for each in sample["odds"]["outcomes"]:
        assert each["low"] <= exact[tuple(each["changes"])] <= each["high"]
    assert told(run, "fight(3,2,0,0)", "--sample", "2000", "--seed", "1") == sample


def test_a_choice_in_the_middle(run: Run) -> None:
    asked = told(run, "dare")["odds"]["asked"]
    assert [each["fraction"] for each in asked] == ["1/2", "1/2"]
    safe, brave, risk = asked[0]["options"]
    assert shares(safe) == shares(brave)
    assert set(shares(safe).values()) == {Fraction(1)}
    assert sorted(shares(risk).values()) == [Fraction(1, 4)] * 4
    text = run("odds", "dice.scn", "dare").stdout
    assert "if red chooses: Play safe | Be brave\n" in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_is_chosen_is_said(run: Run) -> None:
    found = told(run, "dare", "--choose", "red: Play safe")["odds"]
    assert shares(found) == {
        ("Glory 0 → 1",): Fraction(1, 2),
        ("Lost 0 → 1", "Glory 0 → 1"): Fraction(1, 2),
    }
    unused = run("odds", "dice.scn", "toss", "--choose", "blue: Play safe").stderr
    assert "never asked for: --choose 'blue: Play safe'" in unused


def test_options_that_all_lead_to_the_same_are_one(run: Run) -> None:
    Path("dice.scn").write_text(GAME.replace("        risk\n", ""), encoding="utf-8")
    text = run("odds", "dice.scn", "dare").stdout
    assert text.count("whatever is chosen\n") == 2
    assert "if red chooses" not in text


def test_where_a_test_stands(run: Run) -> None:
    found = told(run, "--test", "after a loss", "--of", "lost", "--of", "lost + glory")["odds"]
    assert shares(found, "values") == {("2", "2"): Fraction(1, 2), ("2", "3"): Fraction(1, 2)}
    first = told(run, "--test", "a choice")
    assert first["action"].startswith("red")
    assert set(shares(first["odds"]).values()) == {Fraction(1, 2)}


def test_where_a_save_stands(run: Run) -> None:
    run("play", "dice.scn", "--auto", "--seed", "4", "--record", "whole.json")
    run("replay", "whole.json", "--until", "2", "-o", "here.json")
    found = json.loads(run("odds", "here.json", "toss", "--format", "json").stdout)
    assert found["position"] == "here.json, decision 2"
    assert found["action"] == "blue: toss"
    assert set(shares(found["odds"]).values()) == {Fraction(1, 2)}
    assert "leave --option and --test out" in run("odds", "here.json", "toss", "--test", "x", code=2).stderr


def test_a_mod_and_an_option_count(run: Run) -> None:
    ruled = GAME.replace("\nstate:", "\nruling luck: plain | sure = plain\n\nstate:").replace(
        "    if roll 1d2 is 1: glory gains 1",
        "    if roll 1d2 is 1: glory gains 1\n    if luck is sure: killed gains 1",
    )
    Path("dice.scn").write_text(ruled, encoding="utf-8")
    assert ("Killed 0 → 1",) in shares(told(run, "toss", "--option", "luck=sure")["odds"])
    Path("better.scn").write_text(
        'mod better for dice:\n    title en "Better"\n\nafter toss: lost gains 1\n', encoding="utf-8"
    )
    assert ("Lost 0 → 1",) in shares(told(run, "toss", "--with", "better.scn")["odds"])


def test_steps_are_bounded(run: Run) -> None:
    once, often = "repeat 20 times:\n        heads gains", "repeat 2000 times:\n        heads ="
    assert once in GAME
    Path("dice.scn").write_text(
        GAME.replace(once, often).replace("heads = roll 1d2 - 1", "heads = roll 1d2"), "utf-8"
    )
    (outcome,) = told(run, "flips", "--sample", "1", "--steps", "1000")["odds"]["outcomes"]
    assert outcome["failed"]["code"] == "E0608"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("dance",), "`dance` is not offered there"),
        (("fight(9,1,0,0)",), "`9` is no number from 1 to 3"),
        (("toss", "--of", "nothing_like_it"), "nothing_like_it"),
        (("--test", "nope"), "there are: “after a loss”, “a choice”"),
        (("--test", "a"), "several tests have that"),
    ],
)
def test_what_there_are_no_odds_of(run: Run, args: tuple[str, ...], words: str) -> None:
    assert words in run("odds", "dice.scn", *args, code=1).stderr


CLASH = """
test "clash {attack} {defence}":
    given:
        table_of(ring)
        give({{INC01}}, unsc, 5)
        give({{INC02}}, covenant, 4)
        {heroes}
    run clash(INC01, INC02, 3, 2)
"""


def test_risk_halo_fights_as_all_its_throws(run: Run) -> None:
    """Three dice against two, with a hero on either side, asked of the game itself."""
    cases = some([(1, 0), (0, 1)], 2)
    tests = "".join(
        CLASH.format(
            attack=a,
            defence=d,
            heroes="\n        ".join(
                ["unsc.hero = INC01"] * a + ["covenant.hero = INC02"] * d or ["fallen = 0"]
            ),
        )
        for a, d in cases
    )
    Path("fights.scn").write_text(
        f'mod fights for risk_halo:\n    title fr "Combats"\n{tests}', encoding="utf-8"
    )
    for a, d in cases:
        args = ("risk_halo", "--with", "fights.scn", "--test", f"clash {a} {d}", "--format", "json")
        found: Counter[int] = Counter()
        for each in json.loads(run("odds", *args).stdout)["odds"]["outcomes"]:
            units = [text for text in each["changes"] if text.startswith("Unités (Rim Watch) 4 → ")]
            killed = 4 - int(units[0].split()[-1]) if units else 0
            found[killed] += int(Fraction(each["fraction"]) * 6**5)
        wanted = Counter(
            int(dict(row.split(" 0 → ") for row in fell).get("Killed", 0)) for fell in fought(3, 2, a, d)
        )
        assert found == wanted


def test_a_text_of_very_many_lines_is_cut_with_a_word(run: Run) -> None:
    wide = "action wide by p:\n    p chooses: scaled(n) for n in 1..12\naction scaled(n: 1..12) by p:\n"
    wide += "    heads gains up to n * (roll 1d20 - 1)\n"
    text = GAME.replace("action toss", f"{wide}\naction toss").replace(
        "            toss\n", "            toss\n            wide\n"
    )
    Path("wide.scn").write_text(text.replace("game dice", "game wide"), encoding="utf-8")
    lines = run("odds", "wide.scn", "wide", "--lang", "en").stdout.splitlines()
    assert len(lines) == 205
    assert lines[-1].startswith("… ") and "--choose" in lines[-1] and "csv" in lines[-1]
    assert (
        len(run("odds", "wide.scn", "wide", "--choose", "scaled(3)", "--lang", "en").stdout.splitlines()) < 40
    )
