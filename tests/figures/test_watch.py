"""The watches notice what they are for: each of these states breaks one promise."""

from collections.abc import Callable, Iterator

import pytest

from dsl.engine.game import Game
from dsl.ir.types import NONE
from dsl.players.random_player import RandomPlayer
from tests.figures.cristal import Campaign
from tests.figures.rows import Grid
from tests.figures.stops import Reader, Stop, Watch
from tests.figures.targets import MAIN, target

Edit = Callable[["State"], None]


class State:
    """A vector to spoil, by names."""

    def __init__(self, game: Game) -> None:
        self.slots = list(game.state)
        self.vars = {each.name: each for each in game.machine.program.vars}

    def put(self, name: str, value: int, member: int = 0, element: int = 0) -> None:
        var = self.vars[name]
        self.slots[var.offset + member * var.width + element] = value

    def get(self, name: str, member: int = 0, element: int = 0) -> int:
        var = self.vars[name]
        return self.slots[var.offset + member * var.width + element]


def told(watch: Watch, game: Game, edit: Edit, deeds: tuple[str, ...], chosen: str = "") -> str:
    """What a watch says of a spoilt stop that follows a sound one."""
    assert list(watch.at(Stop(game, game.state))) == []
    state = State(game)
    edit(state)
    return "; ".join(watch.at(Stop(game, tuple(state.slots), chosen, (0,), deeds)))


def nothing(state: State) -> None:
    pass


def hire_too_many(state: State) -> None:
    state.put("troops", 90, 0, 0)


def shrink(state: State) -> None:
    kind = next(k for k in range(19) if state.get("roster", 0, k))
    state.put("roster", 0, 0, kind)


BROKEN: dict[str, tuple[Edit, tuple[str, ...]]] = {
    "treasury is negative": (lambda state: state.put("treasury", -1), ()),
    "the production is": (lambda state: state.put("production", 50), ()),
    "the MAX is not": (lambda state: state.put("maximum", 77), ()),
    "the army is nowhere": (lambda state: state.put("army_at", 20), ()),
    "is in no state": (lambda state: state.put("control", 9, 3), ()),
    "has a garrison of its own": (lambda state: state.put("defenders", 1, 10), ()),
    "and gives it recruits": (lambda state: state.put("levied", 1, 3), ()),
    "falls to the Empire by nothing": (lambda state: state.put("control", 0, 0), ("annex",)),
    "falls to an enemy by nothing": (lambda state: state.put("control", 2, 0), ("walk_in",)),
    "becomes neutral": (lambda state: state.put("control", 1, 3), ("conquer",)),
    "hired beyond the MAX": (hire_too_many, ("recruit", "movement")),
    "0 PO for units of": (hire_too_many, ("recruit",)),
    "shrinks without a battle": (shrink, ("event",)),
    "conquest comes where event is due": (nothing, ("conquest",)),
    "round 8 of a battle": (nothing, ("battle", *["battle_round"] * 8)),
    "a battle in the phase": (nothing, ("event", "recruitment", "battle")),
    "a march of 4 points": (
        lambda state: state.put("march", 4),
        ("event", "recruitment", "movement"),
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_the_campaign_notices(fault: str) -> None:
    machine = target(MAIN).machine()
    game = Game.start(machine, seed=0, telling=True)
    edit, deeds = BROKEN[fault]
    assert fault in told(Campaign(machine), game, edit, deeds)


def test_the_campaign_counts_steps() -> None:
    machine = target(MAIN).machine()
    game = Game.start(machine, seed=0, telling=True)
    said = told(Campaign(machine), game, nothing, (), "enter")
    assert "2 movement points spent of 0" in said
    assert "leaps" in said


def grid_faults(name: str, edits: dict[str, int]) -> Iterator[str]:
    machine = target(name).machine()
    game, reader = Game.start(machine, seed=0), Reader(machine.program)
    watch, state = Grid(machine), State(game)
    for cell, player in edits.items():
        state.put(watch.field(), player, reader.members("Cell").index(cell))
    yield from watch.at(Stop(game, tuple(state.slots)))


def test_the_grids_notice() -> None:
    assert list(grid_faults("connect_four", {"a1": 0, "b1": 1, "a2": 0})) == []
    assert "hangs in the air" in "; ".join(grid_faults("connect_four", {"a2": 0}))
    assert "2 marks" in "; ".join(grid_faults("tic_tac_toe", {"a1": 0, "b2": 0}))
    row = {"a1": 0, "b1": 1, "a2": 0, "b2": 1, "a3": 0}
    assert "rows of [0]" in "; ".join(grid_faults("tic_tac_toe", row))
    assert "free cells" in "; ".join(grid_faults("tic_tac_toe", row))


def test_a_mark_that_changes_its_owner_is_noticed() -> None:
    machine = target("tic_tac_toe").machine()
    game, player = Game.start(machine, seed=0), RandomPlayer(0)
    game.choose(player.index(game.count))
    watch = Grid(machine)
    assert list(watch.at(Stop(game, game.state))) == []
    state = State(game)
    cell = Reader(machine.program).numbers(game.state, watch.field()).index(0)
    state.put(watch.field(), NONE, cell)
    assert "changed their owner" in "; ".join(watch.at(Stop(game, tuple(state.slots))))
