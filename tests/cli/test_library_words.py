"""What players of the library games read where they choose, and of what happened."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from dsl.authoring.look_up import Looking
from dsl.cli.asking import why_not
from dsl.cli.goals import goals
from dsl.cli.main import cli
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.library import load


def played(*arguments: str) -> str:
    return CliRunner().invoke(cli, ["play", *arguments], catch_exceptions=False).output


@pytest.mark.parametrize(("mode", "needed"), [("one_on_one", 3), ("team", 4)])
def test_the_goal_of_risk_halo_counts_the_objectives_that_are_accomplished(mode: str, needed: int) -> None:
    machine = Machine(load("risk_halo").program)
    program, state = machine.program, list(Game.start(machine, seed=1, options={"mode": mode}).state)
    pool = next(each for each in program.pools if "collected(unsc)" in each.piles)
    assert pool.pile is not None
    for accomplished in (0, 1, 2):
        for card in range(accomplished):
            state[program.vars[pool.pile].offset + card] = pool.piles.index("collected(unsc)")
        (won, _) = goals(machine, state, 0, "en")
        assert won.endswith(f"Objectives accomplished and base held ({accomplished} / {needed})")


def test_who_draws_a_faction_card_reads_which_and_others_that_he_drew() -> None:
    told = {}
    for player in ("unsc", "covenant"):
        shown = played(
            *("risk_halo", "--auto", "--option", "mode=one_on_one", "--seed", "1", "--lang", "en"),
            *("--as", player, "--until", "450"),
        )
        drawn = r"Faction card of (\w+)  .*\n +Cards drawn: 1\n(?: +Drawn: (.+)\n)?"
        told[player] = re.findall(drawn, shown)
    assert {who for who, _ in told["unsc"]} == {who for who, _ in told["covenant"]} == {"UNSC", "Covenant"}
    for player, own in (("unsc", "UNSC"), ("covenant", "Covenant")):
        assert all(bool(card) == (who == own) for who, card in told[player])


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ("neutral: battle", "yours", "enemy: interception on 1, 2 or 3", "enemy capital: battle"),
        ),
        (
            "fr",
            (
                "neutre : bataille",
                "à vous",
                "ennemie : interception sur 1, 2 ou 3",
                "capitale ennemie : bataille",
            ),
        ),
    ],
)
def test_who_enters_a_region_reads_what_awaits_him_there(language: str, words: tuple[str, ...]) -> None:
    shown = played("cristal_et_acier", "--auto", "--seed", "7", "--lang", language)
    entered = re.findall(r"(?:Enter|Entrer :) [^,\n]+, (.+)", shown)
    assert set(entered) == set(words)


def test_what_a_vehicle_faces_and_units_of_a_territory_are_told_in_words() -> None:
    machine = Machine(load("green_conquest").program)
    started = Game.start(
        machine, seed=1, options={"mode": "duel", "placement": "default", "clan_building": "preset"}
    )
    vehicles = [each for each in Looking(machine, started.state, (0,), "fr").up("c2") if each.state]
    assert vehicles
    found = Looking(machine, started.state, (0,), "fr")
    told = [pair for name in found.names for each in found.up(name) for pair in each.state]
    assert ("Face à", "est") in told and not any(value == "east" for _, value in told)
    machine = Machine(load("risk_halo").program)
    state = list(Game.start(machine, seed=1, options={"mode": "one_on_one"}).state)
    units = next(var for var in machine.program.vars if var.name == "units")
    state[units.offset] = 3
    (first,) = Looking(machine, state, (0,), "fr").up("Striker Ridge")
    assert ("Unités", "3") in first.state and ("", "3") not in first.state


@pytest.mark.parametrize(
    ("game", "options", "asked", "reason"),
    [
        ("risk_halo", {"mode": "one_on_one"}, "play drop pods", "not in your hand"),
        ("me_ccg", {}, "play nazgul", "it is not in your hand"),
        ("me_ccg", {}, "welcome dream stone", "it is no character"),
        ("command_and_conquer", {}, "play nuclear strike", "not in your hand"),
    ],
)
def test_why_not_speaks_in_words(game: str, options: dict[str, str], asked: str, reason: str) -> None:
    told = why_not(Game.start(Machine(load(game).program), seed=4, options=options), asked, "en")
    assert any(line.strip().rpartition("] ")[2] == reason for line in told), told
    assert not any("need " in line or "forbid " in line for line in told), told
