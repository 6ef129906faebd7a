"""`scenarii simulate` as a command: its forms, its refusals, and Ctrl-C."""

import csv
import io
import json
import re
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import DUEL, Run
from tests.cli.terminal import Terminal
from tests.examples import CLASSICS, RUIN

TIC_TAC_TOE = str(CLASSICS / "tic_tac_toe")
SHARE = {"games": {"type": "integer"}, **{each: {"type": "number"} for each in ("share", "low", "high")}}


def _object(**properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}
SCHEMA = _object(
    format={"const": "scenarii-simulation"},
    version={"const": 1},
    game=TEXT,
    scenario=TEXT,
    options={"type": "object"},
    seed=WHOLE,
    games=WHOLE,
    complete={"type": "boolean"},
    confidence=NUMBER,
    players={"type": "array", "items": _object(player=TEXT, **SHARE)},
    winners={"type": "array", "items": _object(players={"type": "array", "items": TEXT}, **SHARE)},
    endings={"type": "array", "items": _object(ending=TEXT, **SHARE)},
    choices=_object(
        least=WHOLE,
        lower_quartile=WHOLE,
        median=WHOLE,
        upper_quartile=WHOLE,
        most=WHOLE,
        mean=NUMBER,
        mean_low=NUMBER,
        mean_high=NUMBER,
    ),
    failures={"type": "array", "items": _object(code=TEXT, games=WHOLE, seed=WHOLE)},
    speed=_object(
        engine=TEXT, jobs=WHOLE, seconds=NUMBER, games_per_second=NUMBER, decisions_per_second=NUMBER
    ),
)


def test_the_text(run: Run) -> None:
    told = run("simulate", TIC_TAC_TOE, "--games", "50", "--seed", "2").stdout
    assert told.startswith("tic_tac_toe: 50 random games, seeds 2 to 51\n")
    assert "three in a row" in told
    assert "\n  x " in told
    assert re.search(r"choices: median 8, mean (\S+) \((\S+)-(\S+)\), half ", told)
    french = run("simulate", TIC_TAC_TOE, "--games", "50", "--seed", "2", "--lang", "fr").stdout
    assert "trois alignés" in french


def test_the_json(run: Run) -> None:
    data = json.loads(run("simulate", TIC_TAC_TOE, "--games", "60", "--format", "json").stdout)
    jsonschema.validate(data, SCHEMA)
    assert data["complete"] and data["games"] == 60
    assert sum(each["games"] for each in data["winners"]) == 60
    assert sum(each["games"] for each in data["endings"]) == 60
    assert all(each["low"] <= each["share"] <= each["high"] for each in data["winners"])
    wins = {each["player"]: each["games"] for each in data["players"]}
    assert wins["x"] == next(each["games"] for each in data["winners"] if each["players"] == ["x"])


def test_equal_seeds_give_equal_figures_in_any_number_of_processes(run: Run) -> None:
    found = []
    for jobs in ("1", "2"):
        data = json.loads(
            run("simulate", DUEL, "--games", "40", "--seed", "9", "--jobs", jobs, "--format", "json").stdout
        )
        assert data.pop("speed")["jobs"] == int(jobs)
        found.append(data)
    assert found[0] == found[1]


def test_the_csv(run: Run) -> None:
    rows = list(
        csv.DictReader(io.StringIO(run("simulate", TIC_TAC_TOE, "--games", "60", "--format", "csv").stdout))
    )
    assert set(rows[0]) == {"statistic", "of", "value", "share", "low", "high"}
    values = {(row["statistic"], row["of"]): row for row in rows}
    assert values["games", ""]["value"] == "60"
    shares = [float(row["share"]) for row in rows if row["statistic"] == "won by"]
    assert sum(shares) == pytest.approx(1, abs=1e-5)
    mean = values["choices", "mean"]
    assert float(mean["low"]) < float(mean["value"]) < float(mean["high"])
    one = run("simulate", TIC_TAC_TOE, "--games", "1", "--format", "csv").stdout
    assert next(line for line in one.splitlines() if line.startswith("choices,mean,")).endswith(",,,")
    assert 5 <= int(values["choices", "least"]["value"]) <= int(values["choices", "most"]["value"]) <= 9


def test_what_cannot_be(run: Run) -> None:
    assert "write --option NAME=VALUE" in run("simulate", TIC_TAC_TOE, "--option", "fog", code=2).stderr
    assert "there is no option `fog`" in run("simulate", TIC_TAC_TOE, "--option", "fog=1", code=2).stderr
    told = run("simulate", "green_conquest", "--option", "mod=duel", code=2).stderr
    assert "there is no option `mod`; did you mean `mode`? there are: " in told
    told = run("simulate", "green_conquest", "--option", "mode=dual", code=2).stderr
    assert "has no choice `dual`; did you mean `duel`? there are: duel, " in told
    told = run("simulate", "green_conquest", "--option", f"no_progress_limit={'9' * 5000}", code=2).stderr
    assert "the option `no_progress_limit` has no choice" in told
    run("simulate", TIC_TAC_TOE, "--games", "0", code=2)
    run("simulate", TIC_TAC_TOE, "--jobs", "0", code=2)
    run("simulate", TIC_TAC_TOE, "--format", "xml", code=2)
    run("simulate", "no_such_game", code=2)


def test_games_in_which_a_rule_fails_are_counted_apart(run: Run) -> None:
    Path("ruin").mkdir()
    Path("ruin/ruin.scn").write_text(RUIN)
    data = json.loads(run("simulate", "ruin", "--games", "80", "--format", "json", code=1).stdout)
    (failure,) = data["failures"]
    assert failure["code"] == "E0601"
    assert sum(each["games"] for each in data["winners"]) == 80 - failure["games"] > 0
    run("simulate", "ruin", "--games", "1", "--seed", str(failure["seed"]), code=1)
    told = run("simulate", "ruin", "--games", "80", code=1).stdout
    assert f"a rule failed in {failure['games']} games: E0601; the first is shown by\n" in told
    (shown,) = re.findall("    scenarii (play ruin --auto .*)", told)
    assert shown.endswith(f"--seed {failure['seed']}")
    assert "E0601" in run(*shown.split(), code=1).stderr


@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_a_game_that_cannot_begin(run: Run, engine: str) -> None:
    Path("ruin").mkdir()
    rules = "option rich: 0..9 = 0\nvalue purse -> 0..9 = rich\n"
    Path("ruin/ruin.scn").write_text(RUIN.replace("gold: 0..3 = 3", "gold: 0..3 = purse") + rules)
    told = run("simulate", "ruin", "--games", "3", "--engine", engine, "--option", "rich=7", code=1)
    assert "E0601" in told.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_done(jobs: str) -> None:
    terminal = Terminal("simulate", TIC_TAC_TOE, "--games", "1000000000", "--jobs", jobs)
    terminal.until(*["of 1000000000 games"] * 3)  # the first is none of them
    terminal.send("\x03")
    assert terminal.ends() == 130
    (done,) = re.findall(r"broken off after ([\d,]+) of 1,000,000,000 games", terminal.seen)
    assert f"tic_tac_toe: {done} random games" in terminal.seen
    assert "won by" in terminal.seen
    assert "Traceback" not in terminal.seen


def test_a_terminal_shows_how_far_it_is() -> None:
    terminal = Terminal("simulate", TIC_TAC_TOE, "--games", "2000")
    terminal.until("of 2000 games")
    terminal.until("decisions/s")
    assert terminal.ends() == 0


@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_promises_are_looked_at_in_many_games(run: Run, engine: str) -> None:
    Path("duel").mkdir()
    line = 'always "glory is rare": glory < 9\nalways "glory is there": glory >= 0\n'
    Path("duel/duel.scn").write_text(Path(DUEL, "duel.scn").read_text() + line)
    asked = ("simulate", "duel", "--games", "60", "--promises", "--engine", engine)
    told = run(*asked, code=1).stdout
    found = re.search(
        r"2 promises looked at (\d+) times: 1 line broken\n"
        r' +always "glory is rare": glory < 9, in (\d+) games?\n +scenarii (play duel .*)\n',
        told,
    )
    assert found is not None, told
    assert "Glory" in run(*found[3].split()).stdout
    data = json.loads(run(*asked, "--format", "json", code=1).stdout)
    [broken] = data["promises"]["broken"]
    assert (data["promises"]["stops"], broken["games"]) == (int(found[1]), int(found[2]))
    assert f"--seed {broken['seed']} --until {broken['decision']}" in found[3]
    assert f"broken,glory is rare,{found[2]},,," in run(*asked, "--format", "csv", code=1).stdout


def test_a_game_without_promises_has_none_to_look_at(run: Run) -> None:
    assert "promises nothing" in run("simulate", DUEL, "--promises", code=2).stderr


def test_players_that_think(run: Run) -> None:
    asked = ("simulate", TIC_TAC_TOE, "--games", "12", "--players", "mcts:200,random", "--format", "json")
    found = []
    for jobs in ("1", "2"):
        data = json.loads(run(*asked, "--jobs", jobs).stdout)
        del data["speed"]
        found.append(data)
    assert found[0] == found[1]
    assert found[0]["seats"] == ["mcts:200", "random"]
    assert next(each["games"] for each in found[0]["players"] if each["player"] == "o") <= 1
    text = run("simulate", TIC_TAC_TOE, "--games", "2", "--players", "greedy").stdout
    assert text.startswith("tic_tac_toe: games of greedy: 2, seeds 0 to 1")


def test_players_that_cannot_be(run: Run) -> None:
    def refused(*more: str) -> str:
        return run("simulate", TIC_TAC_TOE, *more, code=2).stderr

    assert "nobody is asked in a simulation" in refused("--players", "human,random")
    assert "`clever` is no kind of player; there are: human, random, greedy, mcts" in refused(
        "--players", "clever"
    )
    assert "`fast` is no time to think: say seconds, such as 2s" in refused("--players", "mcts:fast")
    assert "`0s` is no time to think" in refused("--players", "mcts:0s")
    assert "`greedy:2s` is no kind of player" in refused("--players", "greedy:2s")
    assert "has 2 players (x, o), and 3 are given" in refused("--players", "greedy,greedy,greedy")
    assert "leave --engine out" in refused("--players", "greedy", "--engine", "python")
    assert "leave --players out" in refused("--players", "greedy", "--promises")


def test_a_rule_that_fails_is_shown_with_its_players(run: Run, tmp_path: Path) -> None:
    """The command that is told plays the same game, to the rule that fails."""
    source = """
game burst:
    players one, two
    rounds 40

state:
    total: 0..30

action more(n: 1..3) by p:
    total = total + n

round:
    for p in order of play:
        p chooses: more(n) for n in 1..3
"""
    path = tmp_path / "burst.scn"
    path.write_text(source, encoding="utf-8")
    told = run("simulate", str(path), "--games", "1", "--players", "greedy,random", code=1).stdout
    command = told.split("is shown by", 1)[1].split("\n")[1].split()
    assert command[-4:] == ["--players", "greedy,random", "--seed", "0"]
    assert "error[E06" in run(*command[1:], code=1).stderr


def test_exchanged_seats(run: Run, tmp_path: Path) -> None:
    """Told in text and as data; a state goes on, and what does not go together is refused."""
    asked = ("simulate", TIC_TAC_TOE, "--games", "39", "--players", "greedy,random", "--swap")
    told = run(*asked, "--state", "kept.json").stdout
    assert "greedy, random: 40, seeds 0 to 19" in told
    assert re.search(
        r"greedy scores \d+\.\d% a game, from .* \(seeds: 20, each in 2 seatings\)\n    Elo: \+", told
    )
    data = json.loads(run(*asked, "--games", "60", "--state", "kept.json", "--format", "json").stdout)
    assert data["games"] == 60
    whole = json.loads(run(*asked, "--games", "60", "--format", "json").stdout)
    del data["speed"], whole["speed"]
    assert data == whole
    assert whole["exchanged"]["seatings"] == 2
    assert (
        sum(each["games"] for each in whole["exchanged"]["kinds"]) + whole["exchanged"]["undecided"]["games"]
        == 60
    )
    assert "other games (seed)" in run(*asked, "--state", "kept.json", "--seed", "1", code=2).stderr
    Path("kept.json").write_text("[]")
    assert "kept.json holds no simulation" in run(*asked, "--state", "kept.json", code=2).stderr
    assert "say who plays" in run("simulate", TIC_TAC_TOE, "--swap", code=2).stderr
    assert "there is one" in run("simulate", TIC_TAC_TOE, "--swap", "--players", "greedy", code=2).stderr


def test_ends_when_it_is_sure(run: Run) -> None:
    asked = ("simulate", TIC_TAC_TOE, "--games", "100000", "--until", "3%", "--format", "json")
    one, two = (json.loads(run(*asked, "--jobs", jobs).stdout) for jobs in ("1", "2"))
    del one["speed"], two["speed"]
    assert one == two
    assert one["complete"] and 500 < one["games"] < 2_000
    assert all(each["high"] - each["low"] <= 0.06 for each in one["players"])
    assert "no such width" in run("simulate", TIC_TAC_TOE, "--until", "3", code=2).stderr


def test_what_is_had_and_chosen_is_counted(run: Run) -> None:
    """In noughts and crosses the middle is the best first move, and whoever begins wins the more."""
    asked = ("simulate", TIC_TAC_TOE, "--games", "300", "--count")
    text = run(*asked, "--report", "page.html").stdout
    assert "first moves, and how often whoever made them won" in text
    assert "which rules took effect" not in text
    assert "of all who played a decided game 50.0% won" in text
    page = Path("page.html").read_text()
    assert "<h1>tic_tac_toe: games played</h1>" in page and "Differences from the first" not in page
    assert "first moves, and how often whoever made them won" in page and page.count("<svg") == 2
    data = json.loads(run(*asked, "--format", "json").stdout)
    begins = next(each for each in data["counted"] if (each["group"], each["where"]) == ("first", "begins"))
    assert begins["games"] == 300 and begins["won_low"] > 0.5
    assert {each["group"] for each in data["counted"]} == {"first", "place"}
    assert data["played"]["games"] == 600
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").stdout)))
    assert len([row for row in rows if row["statistic"] == "place ends of wins"]) == 9
    ruled = run(*asked[:3], "40", "--count", "--count-rules").stdout
    assert "which rules took effect, and how often whoever had chosen won" in ruled
    assert "--count-rules goes with --count" in run(*asked[:2], "--count-rules", code=2).stderr
    assert "leave --engine" in run(*asked, "--engine", "python", code=2).stderr
