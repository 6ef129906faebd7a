import json
from pathlib import Path

import pytest

from tests.cli.conftest import DUEL, Run

HEAD = """\
game odd:
    title en "Odd"
    players red, blue
    rounds 6

table Kind:
    | id    | name en |
    | guard | Guard   |
    | relic | Relic   |

map land on squares(2, 2)

piece Unit of Kind, up to 2 each:
    owner: Side
    at: Cell?

state of Player:
    gold: 0..99 = 5

"""
PLAIN = (
    HEAD
    + """\
action earn(n: 1..3) by p "Earn {n}": p.gold gains up to n
setup red: place guard at a1

round:
    for p in order of play:
        p chooses: earn(n) for n in 1..3

victory p "rich" when p.gold >= 12
"""
)


def game(text: str) -> str:
    Path("odd").mkdir()
    Path("odd/odd.scn").write_text(text)
    return "odd"


def findings(run: Run, path: str, *more: str, code: int = 0) -> dict[str, list[str]]:
    """The findings of a game by their kinds."""
    found = json.loads(run("check", path, "--play", "40", "--format", "json", *more, code=code).stdout)
    told: dict[str, list[str]] = {}
    for each in found["play"][0]["findings"]:
        told.setdefault(each["kind"], []).append(each["message"])
    return told


def test_a_sound_game_has_nothing_that_stands_out(run: Run) -> None:
    run("new", "my_game")
    told = run("check", "my_game", "--play", "60", "--warnings-as-errors").stdout.splitlines()
    assert told[0] == "my_game: all is well (2 files)"
    assert told[1] == "my_game: 60 random games, seeds 0 to 59"
    assert told[2].startswith("    won by: blue ")
    assert " red " in told[2]
    assert told[-1] == "    nothing stands out: every objective, rule and piece had its part"


def test_equal_seeds_show_the_same(run: Run) -> None:
    told = run("check", DUEL, "--play", "10", "--seed", "5").stdout
    assert told == run("check", DUEL, "--play", "10", "--seed", "5").stdout
    assert "10 random games, seeds 5 to 14" in told


def test_a_piece_that_never_comes(run: Run) -> None:
    late = PLAIN.replace("round:\n", "round:\n    if round is 9: arrive\n").replace(
        "setup red", "action arrive: place relic of red at b2\nsetup red"
    )
    found = findings(run, game(late))
    assert found["reinforcement"] == ["no relic ever comes into play"]
    assert found["rule"] == ["`action arrive: place relic of red at b2` was never done"]


def test_an_objective_that_is_never_reached(run: Run) -> None:
    found = findings(run, game(PLAIN + 'victory red "the moon" when red.gold is 98\n'))
    assert found["objective"] == ["the objective was never reached: the moon"]
    assert "bound" not in found


def test_a_bound_that_is_always_hit(run: Run) -> None:
    found = findings(run, game(PLAIN.replace(">= 12", ">= 90")))
    assert found["bound"] == ["every game ran to its bound: nothing ended one before"]
    assert found["objective"] == ["the objective was never reached: rich"]


def test_rules_that_never_fire(run: Run) -> None:
    text = PLAIN + (
        'forbid earn when n is 2 and p.gold > 50 "too rich"\n'
        'forbid earn when n is 1 and p.gold > 6 "too little"\n'
        "after earn when n is 3 and p.gold is 77: p.gold loses 1\n"
    )
    assert findings(run, game(text))["rule"] == [
        '`forbid earn when n is 2 and p.gold > 50 "too rich"` never refused anything',
        "`after earn when n is 3 and p.gold is 77: p.gold loses 1` never stood",
    ]


def test_rules_of_another_ruling_are_tried_too(run: Run) -> None:
    text = PLAIN + ("ruling mood: calm | wild = calm\nafter earn when mood is wild: p.gold gains up to 1\n")
    assert "rule" not in findings(run, game(text))


def test_a_row_that_is_never_read(run: Run) -> None:
    text = PLAIN + (
        "table luck(die: 1..6):\n"
        "    | die | name en | effect   |\n"
        "    | 1-2 | Bad     | earn_one |\n"
        "    | 3   | None    | -        |\n"
        "    | 4-6 | Good    | earn_one |\n"
        "action earn_one: red.gold gains up to 1\n"
        "phase draw_luck: luck(roll 1d2)\n"
    )
    text = text.replace("round:\n", "round:\n    draw_luck\n")
    assert findings(run, game(text))["rule"] == [
        "`| 3 | None | - |` was never read",
        "`| 4-6 | Good | earn_one |` was never read",
    ]


def test_players_that_are_stuck_or_never_asked(run: Run) -> None:
    stuck = PLAIN.replace(">= 12", ">= 90") + 'forbid earn when p is blue and round > 2 and n > 1 "tired"\n'
    found = findings(run, game(stuck))
    assert found["stuck"] == ["blue is stuck in 40 of 40 games: nothing to choose from round 3 on"]
    assert "idle" not in found


def test_a_player_that_is_never_asked(run: Run) -> None:
    text = PLAIN.replace(
        "for p in order of play:\n        p chooses",
        "for p in order of play where p is red:\n        p chooses",
    )
    found = findings(run, game(text))
    assert found["idle"] == ["blue never has anything to choose"]
    assert found["one-sided"] == ["red wins every game"]


def test_a_rule_that_fails_is_a_fault_with_its_seed(run: Run) -> None:
    text = (
        PLAIN.replace("gains up to n", "gains n")
        .replace("gold: 0..99 = 5", "gold: 0..9 = 5")
        .replace(">= 12", "is 0")
    )
    path = game(text)
    told = run("check", path, "--play", "5", code=1).stdout
    assert "finding: a rule fails in 5 of 5 games: E0601" in told
    assert "(--seed 0)" in told
    assert findings(run, path, code=1)["failure"]


def test_findings_count_where_warnings_do(run: Run) -> None:
    path = game(PLAIN + 'victory red "the moon" when red.gold is 98\n')
    run("check", path, "--play", "20")
    run("check", path, "--play", "20", "--warnings-as-errors", code=1)


def test_only_the_authors_own_files_are_told_of(run: Run) -> None:
    run("new", "camp", "--for", "cristal_et_acier")
    found = json.loads(run("check", "camp", "--play", "20", "--format", "json").stdout)["play"][0]
    assert found["scenario"] == "camp"
    assert {each["where"].partition("/")[0] for each in found["findings"]} <= {"camp", ""}


def test_a_faulty_game_is_not_played(run: Run) -> None:
    Path("bad.scn").write_text("game bad:\n    players a\n    rounds 2\nround: x = 1\n")
    assert "random games" not in run("check", "bad.scn", "--play", "5", code=1).stdout
    document = json.loads(run("check", "bad.scn", "--play", "5", "--format", "json", code=1).stdout)
    assert document["play"] == []


@pytest.mark.parametrize("args", [["--play", "0"], ["--play", "x"], ["--play", "5", "--format", "sarif"]])
def test_wrong_usage(run: Run, args: list[str]) -> None:
    assert "Error: " in run("check", DUEL, *args, code=2).stderr


def test_what_the_games_show_is_told_in_a_language(run: Run) -> None:
    text = PLAIN.replace('"rich"', 'fr "Riche" en "Rich"') + 'defeat red fr "Perdu" when round > 90\n'
    path = game(text)
    assert "ended by: Riche" in run("check", path, "--play", "3", "--lang", "fr").stdout
    assert "ended by: Rich " in run("check", path, "--play", "3", "--lang", "en").stdout


def test_findings_stand_in_files_from_where_one_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = game(PLAIN + "modify earn_most: +1 when round > 90\nvalue earn_most -> 0..9 = 3\n")
    monkeypatch.chdir(path)
    found = json.loads(run("check", ".", "--play", "3", "--format", "json").stdout)
    places = {each["where"] for each in found["play"][0]["findings"] if each["where"]}
    assert places and all(Path(each.partition(":")[0]).is_file() for each in places)
    shown = json.loads(run("show", "odd.scn", "earn_most", "--format", "json").stdout)["sections"]
    assert shown[0]["rows"][0]["where"] == "odd.scn:29"


def test_the_files_of_the_prelude_are_not_counted(run: Run) -> None:
    path = game(PLAIN.replace("p.gold >= 12", "p.gold >= 12 and size(rivals(p)) is 0"))
    assert run("check", path).stdout == "odd: all is well (1 file)\n"


LASTING = """game lasting:
    players ann, bob
    rounds 3
value pace -> 0..9 = 2
action rush by p:
    for the rest of round: modify pace: becomes 5
action crawl by p:
    for the rest of round: modify pace: becomes 1
action look by p: need pace > 0
value calm -> 0..9 = 2
modify calm: becomes 3 when any p in Player where p is ann
modify calm: becomes 4 when (count p in Player where p is bob) > 1
round:
    for p in order of play:
        p chooses:
            rush
            crawl
        p chooses:
            rush
            look
"""


def test_what_could_not_be_decided_is_searched_for_and_resolved(
    run: Run,
) -> None:
    Path("lasting.scn").write_text(LASTING, encoding="utf-8")
    told = run("check", "lasting.scn", "--play", "20", code=1).stdout
    line = next(each for each in told.splitlines() if "undecided" in each)
    assert line.strip().startswith("2 undecided pairs (W0407): 1 met, lasting.scn:6 and lasting.scn:8 in ")
    document = json.loads(run("check", "lasting.scn", "--play", "20", "--format", "json", code=1).stdout)
    met = {tuple(each["clauses"]): each["met"] for each in document["play"][0]["undecided"]}
    assert met["lasting.scn:11", "lasting.scn:12"] == 0
    assert met["lasting.scn:6", "lasting.scn:8"] > 0
    assert "may contradict lasting.scn:8 (W0407)" in run("resolve", "lasting.scn", "pace").stdout


def test_a_file_in_place_of_the_number_of_games_gets_their_order_told(run: Run) -> None:
    told = run("check", "--play", "lasting.scn", code=2).stderr
    assert "scenarii check lasting.scn --play 20" in told
