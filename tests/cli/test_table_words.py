"""What the table says in small: unclaimed regions, dice beside rows, what is put away, headings, hints, apostrophes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from dsl.authoring.look_up import named as looked
from dsl.cli.asking import why_not
from dsl.cli.board import drawings
from dsl.cli.story import Teller
from dsl.cli.words import grouped
from dsl.engine.changes import changes
from dsl.engine.game import Game
from dsl.ir.types import Id
from dsl.library import load
from dsl.near import plain
from dsl.playable import Playable
from tests.cli.terminal import Terminal

GAME = """\
game ward:
    players ann "Ann"
    rounds 3

type Health = free | hurt
table Rite:
    | id   | name en | name fr |
    | calm | Calm    | Calme   |
    | rage | Rage    | Rage    |
table rites(rite: Rite):
    | rite | effect              |
    | calm | ann.mood gains 1    |
    | rage | ann.mood gains 2    |
table Sort:
    | id   | name en |
    | cook | Cook    |
piece Person of Sort, up to 3 each:
    at: Cell
    state: Health = free, called "State"
map yard on squares(2, 2)
state of Player:
    mood: 0..99, called "Mood"

setup:
    place cook at a1 as one
    one.state = hurt

action cast(r: Rite) by p "Cast {r}":
    let die = roll 1d2
    p.mood gains die
    rites(r)
action bury(u: Person) by p "Bury": take away u
phase evening "Evening falls":  [house W-01]
    ann may "What now?":
        cast(r) for r in Rite
        bury(u) for u in Person
round: evening
"""


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ward") / "ward.scn"
    path.write_text(GAME, encoding="utf-8")
    return path


def told(machine: Playable, choice: str, seed: int) -> list[str]:
    """What is told of the first choice."""
    game = Game.start(machine, seed=seed, telling=True)
    before, known = list(game.state), len(game.log)
    game.choose(choice)
    lines = Teller(machine, "en").stretch(None, game.log[known:], before, list(game.state))
    return [line.text for line in lines]


def test_a_die_is_told_beside_a_row_of_that_number(ward: Path) -> None:
    """The row is called by its member alone, as players know no table."""
    stories = [told(load(ward), "Cast Rage", seed)[:4] for seed in range(1, 9)]
    assert ["Cast Rage", "die 1d2: 1", "Mood (Ann) 0 → 1", "Rage"] in stories, stories
    assert all(each[1].startswith("die 1d2: ") for each in stories), stories


def test_what_leaves_play_is_not_told_to_be_as_new(ward: Path) -> None:
    machine = load(ward)
    game = Game.start(machine, seed=1)
    before = list(game.state)
    game.choose("Bury")
    assert list(changes(machine, before, list(game.state), None, "en")) == ["−1 Cook"]


def test_the_log_has_the_heading_under_which_the_game_stands(ward: Path) -> None:
    terminal = Terminal("play", str(ward), "--seed", "1", "--lang", "en")
    terminal.type("log\n")
    terminal.until_asked()
    answer = terminal.seen.rpartition("log")[2]
    assert "Evening falls" in answer, answer
    terminal.type("look\n")
    terminal.until("look at what?")
    terminal.type("hint 0.2s\n")
    terminal.until("(pass): ")
    terminal.type("undo\n")
    terminal.until("nothing to take back")
    os.kill(terminal.pid, signal.SIGKILL)
    os.waitpid(terminal.pid, 0)


def test_regions_without_a_sign_stay_those_of_the_same_side() -> None:
    """However few of them are left."""
    machine = load("cristal_et_acier")
    game = Game.start(machine, seed=7)
    program = machine.program
    control = next(var for var in program.vars if var.name == "control")
    assert isinstance(control.type, Id) and control.of is not None
    members = program.domains[control.type.domain].members
    horde, neutral = members.index("A"), members.index("neutral")
    state = list(game.state)
    held = state[control.offset : control.offset + len(program.domains[control.of].members)]
    assert held.count(neutral) > held.count(horde) > 0
    for region in [at for at, side in enumerate(held) if side == neutral][2:]:
        state[control.offset + region] = horde
    legend = [str(each) for each in drawings(machine, state, None, "fr", 80)[0].legend]
    assert any("Horde de Fer" in line for line in legend), legend
    assert not any("Neutre" in line for line in legend), legend


def test_texts_are_compared_with_plain_apostrophes_and_numbers_grouped_as_a_language_does() -> None:
    assert plain("L’Élan") == looked("l'élan") == looked("L’ÉLAN") == "l'elan"
    assert grouped(10910, "en") == "10,910" and grouped(10910, "fr") == "10\N{NARROW NO-BREAK SPACE}910"


def test_why_not_takes_a_plural_in_any_case() -> None:
    machine = load("cristal_et_acier")
    game = Game.start(machine, seed=7)
    one, many = (why_not(game, asked, "fr") for asked in ("recruter milice", "RECRUTER Milices"))
    assert many[-1].strip() == one[-1].strip() == "C'est possible maintenant.", (one, many)
