"""What players of the library games read where they choose, and of what happened."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

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
