"""The Green Conquest on a field where a jump can fail: a barred cell two steps behind the trampoline.

On the printed field no jump of a forced movement comes down where nobody may stand.
"""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.testing.runner import run_tests

SCENARIO = '''scenario barred_landing for green_conquest:
    title fr "Atterrissage barré"
    mode duel

replace map field on squares(from_top):
    legend:
        "r" = camp of red
        "y" = camp of yellow
        "b" = camp of blue
        "g" = camp of green
        "T" = zone, springboard
        "X" = barred
    """
    r r . . . . . . . y y
    r r . . . . . . . y y
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . T . X . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    g g . . . . . . . b b
    g g . . . . . . . b b
    """

value one(t: VehicleType) -> Vehicle? = first v in Vehicle where v.kind is t

test "pushed: the damage of the push, however long the jump":
    given:
        place ram of red at b6 with facing = east
        place octopus of blue at d6 with facing = north
    run clan_turn(red)
    red: play(ram); drive(ram, east) 2 times
    blue: j10
    expect one(octopus).hearts is 4 and one(octopus).latent and one(ram).at is d6

test "hypnotised: the run-up by its own coefficient":
    given:
        place hypnotist of red at d9 with facing = east
        place octopus of blue at d6 with facing = south
    run clan_turn(red)
    red: play(hypnotist); hypnotise(hypnotist, octopus); drive(hypnotist, east) 2 times
    blue: j10
    expect one(octopus).hearts is 5 and one(octopus).latent

test "protected: nothing, and it stops before the trampoline":
    given:
        place ram of red at b6 with facing = east
        place octopus of blue at d6 with facing = north
        place shield of blue at f9 with facing = north
    run clan_turn(red)
    red: play(ram); drive(ram, east) 2 times
    expect one(octopus).hearts is 5 and one(octopus).at is e6 and not one(octopus).latent and one(ram).at is d6

test "pulled: nothing either, as no rule says how much":
    given:
        place octopus of red at g6 with facing = west
        place scout of blue at d6 with facing = north
    run clan_turn(red)
    red: play(octopus); pull(octopus, scout, f6)
    expect one(scout).at is e6 and one(scout).hearts is 4 and not one(scout).latent

test "one's own drive onto it is refused":
    given: place tunneler of red at d6 with facing = east
    run clan_turn(red)
    red: play(tunneler); drive(tunneler, east)
    expect illegal red: drive(tunneler, east)
'''


def test_a_forced_jump_with_nowhere_to_land_is_a_collision(tmp_path: Path) -> None:
    path = tmp_path / "barred_landing.scn"
    path.write_text(SCENARIO, encoding="utf-8")
    made = compile_game(str(path), tests=True)
    assert [each.message for each in made.diagnostics] == []
    assert made.program is not None
    own = [each for each in run_tests(made.program) if f'test "{each.title}"' in SCENARIO]
    assert len(own) == 5
    assert [(each.title, each.message) for each in own if not each.passed] == []
