"""The story says what was drawn: whoever sees the cards which, the others how many."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.cli.main import cli

GAME = Path(__file__).parents[1] / "browser" / "games" / "draws.scn"


def told(*more: str) -> list[str]:
    given = ["play", str(GAME), "--auto", "--seed", "3", *more]
    return [
        each.strip() for each in CliRunner().invoke(cli, given, catch_exceptions=False).output.splitlines()
    ]


@pytest.mark.parametrize(
    ("more", "hands"),
    [
        (
            (),
            [
                "Hand (Ann) +3 (2 Feint, Parry)",
                "Hand (Bob) +3 (Feint, Parry, Lunge)",
                "Hand (Bob) +3 (2 Parry, Lunge)",
            ],
        ),
        (("--as", "ann"), ["Hand (Ann) +3 (2 Feint, Parry)", "Hand (Bob) +3", "Hand (Bob) +3"]),
        (
            ("--as", "bob", "--lang", "fr"),
            [
                "Main (Ann) +3",
                "Main (Bob) +3 (Feinte, Parade, Botte)",
                "Main (Ann) +1",
                "Main (Bob) +3 (2 Parade, Botte)",
            ],
        ),
    ],
)
def test_who_sees_cards_is_told_which_were_drawn_and_others_how_many(
    more: tuple[str, ...], hands: list[str]
) -> None:
    """Not what the rules name themselves, nor what comes back that all have seen; each before the next heading."""
    lines = told(*more)
    assert [each for each in lines if each.startswith(("Hand", "Main"))] == hands
    assert all(
        lines[lines.index(each) - 1].endswith(("take three", "en prendre trois"))
        for each in hands
        if "+3" in each
    )
