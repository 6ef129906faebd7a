"""What the page on balance compares is there to be compared, and its tables say what the figures say."""

import shlex

import click
import pytest

from dsl.cli.compare import compare
from dsl.simulation.comparing import varied
from tests.examples import CLASSICS
from tests.figures.balance import PLANS, compared, counted, rows
from tests.shipped import shipped


@pytest.mark.parametrize("game", PLANS)
def test_what_is_varied_is_in_the_game(game: str) -> None:
    program = shipped(game)
    for line in PLANS[game]:
        with click.Context(compare) as ctx:
            compare.parse_args(ctx, [game, *shlex.split(line)])
        assert ctx.params["vary"] is not None or ctx.params["counted"], (
            "one variant alone is compared with nothing"
        )
        if ctx.params["vary"] is not None:
            varied(ctx.params["vary"]).check(program)
        for option in ctx.params["options"]:
            assert option.partition("=")[0] in {each.name for each in program.options}


def test_the_tables() -> None:
    found = compared(str(CLASSICS / "tic_tac_toe"), "--games 200 --count")
    heading, _, row = rows(found)
    assert heading[:2] == ("variant", "games") and row[:2] == ("as it is", "200")
    shares = [float(each.partition("%")[0]) for each in row[2:5]]
    assert sum(shares) == pytest.approx(100, abs=0.2)
    tables = counted(found["variants"][0])
    begins = next(each for each in tables["first"] if "(begins)" in each[0])
    assert begins[1] == str(200 - round(2 * shares[2])) and float(begins[2].removesuffix("%")) > 50
    assert counted({"counted": []}) == {}
