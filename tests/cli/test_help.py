import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from dsl.cli.commands import COMMANDS, GROUPS
from dsl.cli.main import cli
from tests.cli.conftest import DUEL, Run


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_says_what_the_list_says_of_it(name: str) -> None:
    command = COMMANDS[name].load()
    assert command.name == name
    first = (command.help or "").split("\n\n")[0].replace("\n", " ")
    words = COMMANDS[name].words.rstrip(".")
    assert first.startswith(words), f"{name}: {first}"


def test_the_help_teaches(run: Run) -> None:
    told = run("--help").stdout
    assert run().stdout == told
    for group, commands in GROUPS.items():
        assert f"{group}:" in told
        assert all(re.search(rf"(?m)^  {name} ", told) for name in commands)
    lines = [line for line in told.splitlines() if line.startswith("  scenarii ")]
    assert len(lines) >= 6
    for line in lines:
        word = line.split()[1]
        assert word in COMMANDS or word == "COMMAND"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_each_command_keeps_its_examples_apart(run: Run, name: str) -> None:
    told = run(name, "-h").stdout
    assert "\\b" not in told
    assert "-h, --help" in told


def test_what_is_no_command(run: Run) -> None:
    assert "did you mean `check`?" in run("chek", code=2).stderr
    Path("keep").mkdir()
    assert "scenarii play keep" in run("keep", code=2).stderr
    assert "`scenarii --help` lists them" in run("xyzzy", code=2).stderr


SHARED = ("games", "seed", "jobs", "mods", "language", "form")


def test_options_of_several_commands_are_one_option() -> None:
    """What is said and allowed behind `--seed` is the same wherever seeds go up from it."""
    loaded = {name: COMMANDS[name].load() for name in ("check", "test", "simulate", "rules", "show")}
    found = {
        (name, each.name): each
        for name, command in loaded.items()
        for each in command.params
        if isinstance(each, click.Option) and each.name in SHARED
    }
    seeds = [each for (_, option), each in found.items() if option == "seed"]
    assert len(seeds) == 3
    assert len({(each.help, repr(each.type)) for each in seeds}) == 1
    assert {repr(each.type) for (_, option), each in found.items() if option == "jobs"} == {
        "<IntRange 1<=x<=256>"
    }


@pytest.mark.parametrize("verb", ("check", "test", "simulate"))
def test_a_seed_beyond_all_bounds_is_told(verb: str, run: Run) -> None:
    assert "is not in the range" in run(verb, DUEL, "--seed", "9" * 30, code=2).stderr


@pytest.mark.parametrize("verb", ("play", "check", "test", "simulate", "rules"))
def test_no_help_lists_bounds_that_are_far_off(verb: str, run: Run) -> None:
    assert not re.search(r"x<=\s*\d{4}", run(verb, "--help").stdout)


def test_the_version_says_what_it_speaks(run: Run) -> None:
    assert re.fullmatch(r"scenarii \S+.* \(language 1, IR \d+\)\n", run("--version").stdout)


def test_the_help_imports_no_command() -> None:
    code = (
        "import sys, dsl.cli.main as m\n"
        "try: m.cli(['--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(repr([each for each in sys.modules if each in {'dsl.cli.play', 'dsl.diagnostics', 'json'}]) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "[]", done.stderr


# ---------------------------------------------------------------- completion


def completed(*words: str) -> list[tuple[str, str]]:
    found = BashComplete(cli, {}, "scenarii", "_SCENARII_COMPLETE")
    return [(item.type, item.value) for item in found.get_completions(list(words[:-1]), words[-1])]


def test_commands_and_options_are_completed() -> None:
    assert ("plain", "replay") in completed("re")
    assert ("plain", "--seed") in completed("play", "--se")


@pytest.mark.parametrize("command", ["play", "check", "test", "compile", "rules", "show", "resolve"])
def test_games_and_files_are_completed(command: str) -> None:
    found = completed(command, "cristal")
    assert ("plain", "cristal_et_acier") in found
    assert ("file", "cristal") in found


def test_names_of_a_game_are_completed() -> None:
    for command in ("show", "resolve"):
        assert completed(command, DUEL, "kni") == [("plain", "knight")]
    assert ("plain", "glory") in completed("resolve", DUEL, "")


def test_options_and_their_choices_are_completed() -> None:
    assert completed("play", DUEL, "--option", "pride=l") == [("plain", "pride=loud")]


def test_mods_codes_shells_and_folders_are_completed() -> None:
    assert completed("play", DUEL, "--with", "my") == [("file", "my")]
    assert completed("explain", "e020")[:2] == [("plain", "E0201"), ("plain", "E0202")]
    assert [each for _, each in completed("completion", "")] == ["bash", "zsh", "fish"]
    assert completed("new", "x", "--in", "ga") == [("dir", "ga")]


def test_what_cannot_be_read_completes_to_nothing() -> None:
    Path("bad.scn").write_text("game bad:\n  what is this")
    assert completed("show", "bad.scn", "x") == []
    assert completed("show", "nowhere", "x") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(run: Run, shell: str) -> None:
    told = run("completion", shell).stdout
    assert f"_SCENARII_COMPLETE={shell}_complete" in told
    assert "scenarii" in told


def test_the_shell_is_answered() -> None:
    """As the script asks: through the environment."""
    environment = {
        **os.environ,
        "_SCENARII_COMPLETE": "bash_complete",
        "COMP_WORDS": "scenarii sho",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "dsl"], env=environment, capture_output=True, text=True, check=False
    )
    assert "plain,show" in done.stdout


def test_commands_are_commands() -> None:
    assert all(isinstance(each.load(), click.Command) for each in COMMANDS.values())


def test_the_version_needs_neither_compiler_nor_engine() -> None:
    said = "import sys; from dsl.cli.version import told; told(); print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout
    assert "dsl.versions" in found
    assert not re.search(r"dsl\.(?:ir|linker|resolve|elaborate|syntax|engine|compiler)\b", found)


FRENCH = {
    ("--help",): ("Usage :", "Codes de sortie", "quels jeux il y a", "Montre ce message et s’arrête."),
    ("play", "--help"): ("Joue à un jeu dans le terminal", "Tous sont d’accord que tout peut être repris."),
    ("simulate", "--help"): ("Des graines égales", "  scenarii simulate my_game --games 10000\n"),
    ("show", DUEL, "--wrong"): (
        "Essayez 'scenarii show --help'",
        "Erreur : Il n’y a pas d’option '--wrong'.",
    ),
    ("list", "--lag", "fr"): ("Erreur : Il n’y a pas d’option '--lag'. Vouliez-vous dire '--lang' ?",),
    ("--versoin",): (
        "Usage : scenarii",
        "Il n’y a pas d’option '--versoin'. Vouliez-vous dire '--version' ?",
    ),
    ("play", "a", "b"): ("Essayez 'scenarii play --help' pour l’aide.", "Erreur : Un argument de trop (b)"),
    ("play", "--seed"): ("Erreur : L’option '--seed' demande une valeur.",),
    ("play", "--seed", "x"): (
        "Valeur refusée pour '--seed' : 'x' n’est pas un nombre valable (nombre entier).",
    ),
    ("play", "--engine", "x"): ("'x' n’est pas l’un de 'wasm', 'python'.",),
    ("shwo",): ("Erreur : il n’y a pas de commande `shwo` ; vouliez-vous dire `show` ?",),
    ("test", DUEL): ("1 test réussi\n",),
    ("simulate", DUEL, "--games", "3"): ("duel : 3 parties au hasard, graines 0 à 2\n", "vitesse : "),
}


def test_what_is_wrong_is_told_in_the_language_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever on the line it is asked for, and whatever the environment says."""
    french, english = "Erreur : Il n’y a pas d’option '--foo'.", "Error: No such option '--foo'."
    for spoken, args, told in (
        ("C", ("play", "--lang", "fr", "--foo"), french),
        ("C", ("play", "--foo", "x", "--lang=fr-CA"), french),
        ("C", ("play", "--foo", "--", "--lang", "fr"), english),
        ("fr", ("play", "--lang", "en", "--foo"), english),
        ("fr", ("play", "--lang", "xx", "--foo"), french),
    ):
        monkeypatch.setenv("LANGUAGE", spoken)
        monkeypatch.setenv("LC_ALL", spoken)
        found = CliRunner().invoke(cli, args)
        assert found.exit_code == 2 and told in found.output, (args, found.output)


@pytest.mark.parametrize("args", FRENCH, ids=" ".join)
def test_commands_speak_french(args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "fr")
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    result = CliRunner().invoke(cli, list(args), prog_name="scenarii")
    for each in FRENCH[args]:
        assert " ".join(each.split()) in " ".join(result.output.split()), result.output
    monkeypatch.setenv("LANGUAGE", "en")
    asked = CliRunner().invoke(cli, ["play", "--lang", "fr", "a", "b"]).output
    assert "Usage :" in asked and "Un argument de trop" in asked, (
        "the language that is asked for, in all of it"
    )
    assert "Usage:" in CliRunner().invoke(cli, ["show", "--help"]).output
