import json
import shutil
from pathlib import Path, PurePosixPath

import pytest

from dsl.authoring.drafts import BadName, check_name, drafted, likely_name
from dsl.authoring.rules_only import rules_only_scenario
from dsl.compiler import compile_game
from dsl.resources import game_folder, games
from tests.cli.conftest import DUEL, Run
from tests.soak import LARGEST, only_when_long

LANGUAGES = ("en", "fr")
CLASSICS = Path(__file__).resolve().parents[2] / "examples" / "classics"


def files() -> dict[str, str]:
    return {each.as_posix(): each.read_text() for each in Path().rglob("*.scn")}


def sound(run: Run, path: str, tests: int) -> None:
    """It is checked without a warning, its tests pass, and its layout is the canonical one."""
    assert run("check", path, "--warnings-as-errors").stdout.startswith(f"{path}: all is well")
    assert run("test", path).stdout == f"{tests} tests passed\n" if tests > 1 else "1 test passed\n"
    run("format", "--check", path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_game_plays_at_once(run: Run, language: str) -> None:
    told = run("new", "my_game", "--lang", language).stdout
    assert told.splitlines()[0] == (
        "my_game: a game to begin with, in my_game/my_game.scn, my_game/tests/my_game_tests.scn"
    )
    assert "    scenarii play my_game" in told
    sound(run, "my_game", 4)
    played = run("play", "my_game", "--auto", "--seed", "3", "--lang", language)
    assert ("Fin : " if language == "fr" else "End: ") in played.stdout
    assert f'title {language} "My game"' in Path("my_game/my_game.scn").read_text()


def has_templates(game: str) -> bool:
    """Does the game bring templates of its own? For others a draft is made from what they declare."""
    folder = game_folder(game)
    return folder is not None and (folder / "templates").is_dir()


# A draft takes many compilations. Where one is made from what a game declares, it is made in the other language for the
# small games below; of templates, scenarios are in one language and mods in the other by turns.
SCENARIOS = [
    (only_when_long if game == LARGEST else pytest.param)(
        game, LANGUAGES[number % 2 if has_templates(game) else 0]
    )
    for number, game in enumerate(games())
]
"""The largest game's templates are used in each run by a faction."""
COMPILED_OFTEN = {"command_and_conquer", "risk_halo"}
"""Games whose mods are drafted in the long run alone: they are large, and scenarios or factions are drafted in each."""
MODS = [
    (only_when_long if game in COMPILED_OFTEN else pytest.param)(
        game, LANGUAGES[(number + 1) % 2 if has_templates(game) else 0]
    )
    for number, game in enumerate(games())
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "language"), SCENARIOS)
def test_a_new_scenario_has_no_rules(run: Run, game: str, language: str) -> None:
    run("new", "my_campaign", "--for", game, "--lang", language)
    sound(run, "my_campaign", 2 if has_templates(game) else 1)
    text = Path("my_campaign/my_campaign.scn").read_text()
    assert f"scenario my_campaign for {game}:" in text
    rules = ("action ", "value ", "modify ", "forbid ", "after ", "state")
    assert not [line for line in text.splitlines() if line.startswith(rules)]
    run("play", "my_campaign", "--auto", "--seed", "1", "--until", "200")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "language"), MODS)
def test_a_new_mod_goes_on_top_of_its_game(run: Run, game: str, language: str) -> None:
    run("new", "my_variant", "--mod", game, "--lang", language)
    assert list(files()) == ["my_variant.scn"]
    text = files()["my_variant.scn"]
    assert "\nchange " in text
    assert "\nforbid " in text or "\nmodify " in text
    sound(run, "my_variant.scn", 2 if has_templates(game) else 1)
    run("play", game, "--with", "my_variant.scn", "--auto", "--seed", "1", "--until", "200")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", only_when_long("fr")])
def test_a_new_faction_plays_at_once(run: Run, language: str) -> None:
    game = "command_and_conquer"
    told = run("new", "my_side", "--for", game, "--faction", "--lang", language).stdout
    assert f"scenarii play {game} --with my_side.scn" in told
    assert list(files()) == ["my_side.scn"]
    sound(run, "my_side.scn", 3)
    run("play", game, "--with", "my_side.scn", "--auto", "--seed", "1", "--until", "200")


def test_a_faction_is_for_games_that_say_what_one_is(run: Run) -> None:
    assert "needs --for" in run("new", "my_side", "--faction", code=2).stderr
    refused = run("new", "my_side", "--for", "cristal_et_acier", "--faction", code=2).stderr
    assert "command_and_conquer" in refused and not files()


def test_the_templates_hold_in_random_play(run: Run) -> None:
    """In some games each side wins, so that there is something to find out."""
    run("new", "my_game")
    ends = {
        run("play", "my_game", "--auto", "--seed", str(seed)).stdout.splitlines()[-3] for seed in range(12)
    }
    assert {each.rsplit(": ", 1)[1] for each in ends} == {"red wins", "blue wins"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mod_for_a_game_without_templates(run: Run, language: str) -> None:
    shutil.copytree(DUEL, "duel")
    assert run("new", "calm", "--mod", "duel", "--lang", language).stdout.startswith(
        "calm: a mod to begin with, in calm/calm.scn\n"
    )
    sound(run, "calm", 1)
    assert "mod calm for duel:" in files()["calm/calm.scn"]
    assert any(verb in files()["calm/calm.scn"] for verb in ("\nforbid ", "\nmodify ", "\nchange "))
    run("new", "long", "--for", "duel", "--lang", language)
    sound(run, "long", 1)
    text = files()["long/long.scn"]
    assert "replace map field on squares:" in text and '"^" = hill' in text
    assert "objective red: any u in Unit where u.owner is red and u.at is c3" in text


FORD = """\
game ford:
    players red, blue
    rounds 12

map valley on hexes(pointy):
    \"\"\"
    . . . . .
     . . . . .
    . . . . .
    \"\"\"

piece Rider, up to 4:
    owner: Player
    at: Cell

setup red: place Rider at a2
setup blue: place Rider at d2

action ride(r: Rider, c: Cell) by p "Ride to {c}": r.at = c

round:
    for p in order of play:
        p chooses: ride(r, c) for r in Rider where r.owner is p, c in around(r.at)
victory red when any r in Rider where r.owner is red and r.at is e1
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mod_for_a_game_without_tables_counts_something(run: Run, language: str) -> None:
    Path("ford").mkdir()
    Path("ford/ford.scn").write_text(FORD)
    run("new", "tally", "--mod", "ford", "--lang", language)
    sound(run, "tally", 1)
    assert "after ride: counted gains up to 1" in files()["tally/tally.scn"]
    run("play", "ford", "--with", "tally", "--auto", "--seed", "1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scenario_is_drafted_from_what_a_game_declares(run: Run, language: str) -> None:
    """The map to be drawn anew, one piece more for each, something to reach, and a test; no cell twice."""
    Path("ford").mkdir()
    Path("ford/ford.scn").write_text(FORD)
    run("new", "frost", "--for", "ford", "--lang", language)
    sound(run, "frost", 1)
    text = files()["frost/frost.scn"]
    assert "setup red: place Rider at a1\nsetup blue: place Rider at e3\n" in text
    assert "replace map valley on hexes(pointy):" in text
    assert text.count("\nobjective ") == 2
    assert "    expect any r in Rider where r.owner is red and r.at is a1" in "".join(files().values())
    assert "Rider on e3" in text if language == "en" else "Rider en e3" in text
    run("play", "frost", "--auto", "--seed", "3")


@pytest.mark.parametrize("game", ["hex", "tic_tac_toe", "reversi"])
def test_a_scenario_of_a_game_of_marks_has_a_mark_for_each(run: Run, game: str) -> None:
    shutil.copytree(CLASSICS / game, game)
    run("new", "mine", "--for", game)
    sound(run, "mine", 1)
    assert "\nsetup:\n    a1." in files()["mine/mine.scn"]
    assert "\nreplace map " in files()["mine/mine.scn"]


@pytest.mark.parametrize("made", ["rows", "supply", "nothing"])
def test_what_does_not_hold_is_not_in_a_draft(run: Run, made: str) -> None:
    """No piece is left over, no cell is free, or nothing can be told apart."""
    text = FORD
    if made == "supply":
        text = text.replace("up to 4", "up to 2")
    elif made == "rows":
        text = text.replace(". . . . .\n     . . . . .\n    . . . . .", ". .").replace("at d2", "at a1")
        text = text.replace("at a2", "at b1").replace("is e1", "is a1 and round > 1")
    else:
        text = (
            "game ford:\n    players red, blue\n    rounds 3\nround:\n    for p in order of play:\n"
            "        p chooses:\n            wait(1)\n            wait(2)\naction wait(n: 1..2) by p: nothing\n"
        )
    Path("ford").mkdir()
    Path("ford/ford.scn").write_text(text)
    run("new", "frost", "--for", "ford")
    sound(run, "frost", 1)
    assert "place Rider" not in files()["frost/frost.scn"]


def test_a_scenario_of_a_game_without_templates_is_its_own_under_another_name(run: Run) -> None:
    folder = game_folder("cristal_et_acier")
    assert folder is not None
    shutil.copytree(folder, "crystal", ignore=shutil.ignore_patterns("templates", "tests"))
    for each in Path("crystal").glob("*.scn"):
        each.write_text(each.read_text().replace("cristal_et_acier", "crystal"))
    Path("crystal/cristal_et_acier.scn").rename("crystal/crystal.scn")
    run("new", "mine", "--for", "crystal")
    assert run("check", "mine").stdout.startswith("mine: all is well")
    assert "scenario mine for crystal:" in files()["mine/mine.scn"]


def test_nothing_is_written_over(run: Run) -> None:
    Path("my_game").mkdir()
    Path("my_game/my_game.scn").write_text("mine")
    Path("other.scn").write_text("mine too")
    before = files()
    assert "is there already" in run("new", "my_game", code=2).stderr
    assert "is there already" in run("new", "other", "--mod", "cristal_et_acier", code=2).stderr
    assert files() == before


def test_in_another_folder(run: Run) -> None:
    Path("games").mkdir()
    run("new", "my_game", "--in", "games")
    sound(run, "games/my_game", 4)
    assert "there is no folder `nowhere`" in run("new", "b", "--in", "nowhere", code=2).stderr
    assert "scenarii new b --in games" in run("new", "games/b", code=2).stderr


@pytest.mark.parametrize(
    ("name", "likely"),
    [
        ("My Game", "my_game"),
        ("2nd war", "game_2nd_war"),
        ("l'été", "l_été"),
        ("Café 2", "café_2"),
        ("siege.scn", "siege"),
        ("---", "my_game"),
        ("cristal_et_acier", "cristal_et_acier_2"),
        ("x" * 60, "x" * 40),
        ("", "my_game"),
    ],
)
def test_bad_names_are_told_with_a_likely_one(name: str, likely: str) -> None:
    with pytest.raises(BadName) as bad:
        check_name(name)
    assert bad.value.hint == likely
    check_name(likely)


def test_names_are_of_any_alphabet(run: Run) -> None:
    assert "for instance: scenarii new le_siège" in run("new", "Le Siège", code=2).stderr
    assert files() == {}
    run("new", "Café")
    run("new", "нападение")
    run("new", "Cafe\u0301_2")
    assert {Path(each).parent.as_posix() for each in files()} >= {"Café", "нападение", "Café_2"}
    for name in ("Café", "нападение", "Café_2"):
        sound(run, name, 4)
    run("new", "déjà", "--mod", "Café")
    sound(run, "déjà", 1)
    run("pack", "Café")
    assert run("check", "Café.scnz").stdout.startswith("Café.scnz: all is well")


def test_what_contradicts_itself(run: Run) -> None:
    assert "choose one" in run("new", "a", "--for", "x", "--mod", "y", code=2).stderr
    assert "there is no game" in run("new", "a", "--for", "cristal", code=2).stderr
    run("compile", DUEL, "-o", "duel.ir.json")
    assert "no sources" in run("new", "a", "--mod", "duel.ir.json", code=2).stderr


def test_likely_names_are_names() -> None:
    assert likely_name("Ça, là!") == "ça_là"
    assert drafted("a", "scenario", target="no_such_game") is None


def test_the_drafts_of_a_game_are_no_part_of_it(run: Run) -> None:
    """Templates lie in a folder of the game; neither checking nor a test of it reads them."""
    found = json.loads(run("list", "--format", "json").stdout)
    assert {each["game"] for each in found} == set(games())


REALM = """\
game realm:
    title en "The Realm"
    players red, blue

type Ground = plain | wood
area camp of Player

table Land:
    | id | name en | price: 0..9 | ground: Ground | needs: set of Land |

table Troop:
    | id | name en | strength | copies: 0..9 | home: Land |

table fair(die: 1..6):
    | 1d6 | name en | effect |

piece Unit of Troop, copies each:
    owner: Player
    at: Cell

action gain: nothing
action hold(l: Land) by p "{p} holds {l}": need l.price > 0

round:
    fair(roll 1d6)
    for p in order of play:
        p may: hold(l) for l in Land

victory p "all" when any u in Unit where u.owner is p and u.at in camp(p)
"""


def test_rules_that_wait_for_a_scenario_get_their_tables_filled(tmp_path: Path) -> None:
    (tmp_path / "realm").mkdir()
    (tmp_path / "realm" / "realm.scn").write_text(REALM, encoding="utf-8")
    draft = rules_only_scenario("war", str(tmp_path / "realm"), "en")
    assert draft is not None
    text = draft[PurePosixPath("war.scn")]
    assert "# Columns: price: 0..9; ground: Ground; needs: set of Land\nextend Land:" in text
    assert "| land | Land    |     2 | plain  | -     |" in text
    assert "| 1-6 | -       | -      |" in text
    assert '"A" = camp of red' in text and '"B" = camp of blue' in text
    assert "rounds 8" in text and "players" not in text
    (tmp_path / "war" / "tests").mkdir(parents=True)
    for path, written in draft.items():
        (tmp_path / "war" / path).write_text(written, encoding="utf-8")
    made = compile_game(str(tmp_path / "war"), tests=True)
    assert made.program is not None and not list(made.diagnostics)


@pytest.mark.parametrize("more", ("value land -> 0..9 = 2\n", "type Sort = land | lake\n", "area land\n"))
def test_an_example_has_a_name_that_the_rules_have_not(more: str, tmp_path: Path) -> None:
    (tmp_path / "realm").mkdir()
    (tmp_path / "realm" / "realm.scn").write_text(REALM + more, encoding="utf-8")
    draft = rules_only_scenario("war", str(tmp_path / "realm"), "en")
    assert draft is not None and "| land_1 |" in draft[PurePosixPath("war.scn")]


def test_what_is_wrong_with_the_rules_is_no_scenarios_to_fill(tmp_path: Path) -> None:
    (tmp_path / "realm").mkdir()
    (tmp_path / "realm" / "realm.scn").write_text(REALM.replace("l.price", "l.cost"), encoding="utf-8")
    assert rules_only_scenario("war", str(tmp_path / "realm"), "en") is None
