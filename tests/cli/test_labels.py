"""`scenarii labels`, and the languages that a game, its mods and `--lang` have."""

import json
from pathlib import Path

import pytest

from dsl.compiler import compile_game
from dsl.engine.display import languages, text_of
from tests.cli.conftest import Run

BREAKTHROUGH = str(Path(__file__).parents[2] / "examples/classics/breakthrough")
GAME = """game ford:
    title en "The ford"
    players red "Red", blue
    rounds 3
type Ground = meadow | bog
state:
    ground: Ground
action ride(n: 1..3) by p "Ride {n}":
    need n < 3 "too far"
    ground = bog
value merit(n: 1..3) -> 0..9 = n
modify merit: +1 "haste"
action tell: say "merit {merit(1)}"
round:
    for p in order of play:
        p chooses "How far?": ride(n) for n in 1..3
    tell
"""


@pytest.fixture
def ford() -> Path:
    folder = Path("ford")
    folder.mkdir()
    (folder / "ford.scn").write_text(GAME)
    return folder


def findings(*targets: str) -> list[str]:
    compiled = compile_game(targets[0], targets[1:])
    assert compiled.program is not None
    return [each.code.id for each in compiled.diagnostics]


def test_an_example_is_complete_in_each_of_its_languages(run: Run) -> None:
    assert (
        run("labels", BREAKTHROUGH).stdout
        == "breakthrough: 6 texts in en\n    de: 6, complete\n    fr: 6, complete\n"
    )
    told = run("play", BREAKTHROUGH, "--auto", "--seed", "1", "--lang", "de").stdout
    assert told.startswith("Durchbruch\n") and "Schwarz: a7 Südosten" in told


def test_a_draft_has_all_texts_and_keeps_what_is_there(run: Run, ford: Path) -> None:
    draft = run("labels", "ford", "de").stdout
    assert [line for line in draft.splitlines() if '= ""' in line and "#" not in line] == [
        f'    "{text}" = ""'
        for text in ("The ford", "Red", "Ride {n}", "too far", "haste", "merit {merit(1)}", "How far?")
    ]
    assert '    # "meadow" = ""' in draft and '    # "blue" = ""' in draft
    assert "`import de`" in run("labels", "ford", "de", "--write").stdout
    text = (ford / "de.scn").read_text()
    (ford / "de.scn").write_text(
        text.replace('"too far" = ""', '"too far" = "zu weit"').replace('    "Red" = ""\n', "")
    )
    (ford / "ford.scn").write_text(f"import de\n{GAME}")
    assert findings("ford") == ["W0410"]
    assert json.loads(run("labels", "ford", "--format", "json").stdout)["missing"]["de"][1]["text"] == "Red"
    run("labels", "ford", "de", "--write")
    again = (ford / "de.scn").read_text()
    assert '"too far" = "zu weit"' in again and again.count('"Red" = ""') == 1


def test_a_mod_brings_a_language_and_says_words_of_the_game_otherwise(ford: Path) -> None:
    (ford / "ford.scn").write_text(f'{GAME}language de:\n    "Red" = "Rot"\n    "How far?" = "Wie weit?"\n')
    Path("mod.scn").write_text(
        'mod far for ford:\n    note "x"\n'
        'language de:\n    "Red" = "Die Roten"\nlanguage pl:\n    "Red" = "Czerwoni"\n'
    )
    compiled = compile_game("ford", ["mod.scn"])
    assert compiled.program is not None
    assert languages(compiled.program) == ("en", "de", "pl")
    found = {dict(each.texts).get("de"): dict(each.texts) for each in compiled.program.texts}
    assert found["Die Roten"]["pl"] == "Czerwoni"
    assert "Wie weit?" in found


def test_what_a_mod_removes_makes_no_translation_of_the_game_stale(ford: Path) -> None:
    words = (
        text for text in ("The ford", "Red", "Ride {n}", "too far", "haste", "merit {merit(1)}", "How far?")
    )
    lines = "".join(f'    "{each}" = "xx {each}"\n' for each in words)
    cited = GAME.replace('"too far"', '"too far" [far]')
    (ford / "ford.scn").write_text(f"{cited}language de:\n{lines}")
    assert findings("ford") == []
    Path("mod.scn").write_text('mod far for ford:\n    note "x"\nremove [far]\n')
    assert "W0411" not in findings("ford", "mod.scn")


def test_a_region_falls_back_to_its_language_and_then_to_the_game(run: Run, ford: Path) -> None:
    words = 'language pt:\n    "Red" = "Vermelho"\n    "How far?" = "Até onde?"\nlanguage pt_BR:\n    "Red" = "Rubro"\n'
    (ford / "ford.scn").write_text(GAME + words)
    program = compile_game("ford").program
    assert program is not None
    said = {text_of(program, number, "pt_BR") for number in range(len(program.texts))}
    assert {"Rubro", "Até onde?", "too far"} <= said
    assert "Rubro" in run("play", "ford", "--auto", "--lang", "pt-br").stdout


def test_a_language_that_nobody_speaks_is_refused_with_those_that_there_are(run: Run, ford: Path) -> None:
    assert "it has: en" in run("play", "ford", "--auto", "--lang", "tlh", code=2).stderr
    assert "no code of a language" in run("play", "ford", "--auto", "--lang", "german!", code=2).stderr
    run("play", "ford", "--auto", "--lang", "fr")


def test_a_sum_is_told_in_the_words_of_a_language(ford: Path) -> None:
    (ford / "ford.scn").write_text(f'{GAME}language de:\n    "haste" = "Eile"\n')
    program = compile_game("ford").program
    assert program is not None
    from dsl.engine.game import Game
    from dsl.engine.machine import Machine
    from dsl.engine.summary import in_words

    game = Game.start(Machine(program), seed=1, telling=True)
    while game.decision is not None and not game.sums():
        game.choose(game.decision.options[0])
    assert any("Eile" in line for each in game.sums() for line in in_words(program, each, "de"))
