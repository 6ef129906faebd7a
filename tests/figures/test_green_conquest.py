"""The watch over The Green Conquest notices what it is for: each of these states breaks one promise."""

import pytest

from dsl.engine.game import Game
from dsl.ir.types import NONE
from tests.figures.greedy import played
from tests.figures.green_conquest import Field
from tests.figures.play import table
from tests.figures.stops import Reader, Stop
from tests.figures.targets import named, target
from tests.figures.test_watch import Edit, State, nothing, told
from tests.soak import only_when_long

MACHINE = target("green_conquest").machine()
READER = Reader(MACHINE.program)
SIDES, CELLS, KINDS = (READER.members(each) for each in ("Side", "Cell", "Vehicle"))
RED = SIDES.index("red")


def vehicle(state: State, kind: str, side: str = "red") -> int:
    """The one of a kind and a clan."""
    owner = SIDES.index(side)
    return next(v for v, name in enumerate(KINDS) if name.startswith(kind) and state.get("owner", v) == owner)


def put(kind: str, field: str, value: int | str, side: str = "red") -> Edit:
    """Spoils a field of one vehicle; a text is the name of a cell."""
    number = CELLS.index(value) if isinstance(value, str) else value
    return lambda state: state.put(field, number, vehicle(state, kind, side))


def trapped(*cells: str) -> Edit:
    return both(*(lambda state, at=each: state.put("trap", RED, CELLS.index(at)) for each in cells))


def clan(name: str, field: str) -> Edit:
    return lambda state: state.put(field, 1, SIDES.index(name))


def both(*edits: Edit) -> Edit:
    def edit(state: State) -> None:
        for each in edits:
            each(state)

    return edit


EAST = READER.members("Direction").index("east")
WATCHING = both(
    put("nightmare", "at", "e12"), put("nightmare", "facing", EAST), put("shield", "at", "h12", "blue")
)
SPOILT: dict[str, tuple[Edit, tuple[str, ...]]] = {
    "2 vehicles stand on": (put("scout", "at", "c2"), ()),
    "stands on a barred cell": (put("scout", "at", "e5"), ()),
    "stands in another's camp": (put("scout", "at", "o15"), ()),
    "rests on the trampoline": (put("scout", "at", "h8"), ()),
    "is at None, and destroyed is False": (put("scout", "at", NONE), ()),
    "3 traps of red": (trapped("d4", "d5", "d6"), ("lay",)),
    "lies where none may": (trapped("h8"), ("lay",)),
    "come from nothing": (trapped("d4"), ()),
    "a trap of red, which is eliminated": (both(trapped("d4"), clan("red", "eliminated")), ("lay",)),
    "has lost 0, and is eliminated: True": (clan("blue", "eliminated"), ()),
    "is eliminated and has a vehicle": (clan("blue", "eliminated"), ()),
    "red has [": (put("ram", "owner", SIDES.index("blue")), ()),
    "5 hearts of 4": (put("scout", "hearts", 5), ()),
    "0 hearts, and destroyed is False": (put("scout", "hearts", 0), ()),
    "3 vehicles played, and the bonus is False": (
        both(*(put(each, "played", 1) for each in ("scout", "ram", "trapper"))),
        (),
    ),
    "red plays vehicles of others": (put("shield", "played", 1, "blue"), ()),
    "more PM than are printed": (put("scout", "left", 6), ()),
    "red plays where blue is due": (nothing, ("clan_turn",)),
    "latent outside its camp": (both(put("scout", "latent", 1), put("scout", "at", "d7")), ()),
    "is held out of sight": (put("scout", "held_by", 0), ()),
    "stands before a Nightmare, and is free": (WATCHING, ()),
}


def began() -> Game:
    """Clans as printed, in their camps; red is to play."""
    options = {"clan_building": "preset", "placement": "default"}
    return Game.start(MACHINE, seed=0, options=options, telling=True)


@pytest.mark.parametrize("fault", SPOILT)
def test_the_field_notices(fault: str) -> None:
    edit, deeds = SPOILT[fault]
    assert fault in told(Field(MACHINE), began(), edit, deeds)


@pytest.mark.parametrize(
    ("field", "before", "after", "fault"),
    [
        ("hearts", 3, 4, "gains hearts from nothing"),
        ("latent", 1, 1, "is latent and moves"),
    ],
)
def test_the_field_compares_two_stops(field: str, before: int, after: int, fault: str) -> None:
    game, watch = began(), Field(MACHINE)
    state = State(game)
    scout = vehicle(state, "scout")
    state.put(field, before, scout)
    assert list(watch.at(Stop(game, tuple(state.slots)))) == []
    state.put(field, after, scout)
    state.put("at", CELLS.index("b2"), scout)
    assert fault in "; ".join(watch.at(Stop(game, tuple(state.slots))))


def test_a_second_regeneration_is_noticed() -> None:
    game, watch = began(), Field(MACHINE)
    state = State(game)
    clan("red", "regenerated")(state)
    assert list(watch.at(Stop(game, tuple(state.slots)))) == []
    said = "; ".join(watch.at(Stop(game, tuple(state.slots), deeds=("regenerate",))))
    assert "red regenerates twice" in said


def test_who_rests_is_not_played() -> None:
    game, watch = began(), Field(MACHINE)
    state = State(game)
    scout = vehicle(state, "scout")
    state.put("latent", 1, scout)
    assert list(watch.at(Stop(game, tuple(state.slots)))) == []
    assert "is played, latent" in "; ".join(watch.at(Stop(game, tuple(state.slots), "play", (scout,))))


def test_each_mode_is_played() -> None:
    assert [each.mode for each in named("green_conquest")] == ["duel", "free_for_all", "coalition"]
    assert [each.name for each in named("green_conquest:duel")] == ["green_conquest:duel"]


def test_a_target_plays_its_mode() -> None:
    for each in named("green_conquest"):
        for seed in (4, 5):
            game = table(MACHINE, seed, each.mode).start(MACHINE)
            assert READER.members("mode")[READER.value(game.state, "mode")] == each.mode


@pytest.mark.parametrize("mode", ["duel", only_when_long("free_for_all"), only_when_long("coalition")])
def test_who_plays_with_a_purpose_wins(mode: str) -> None:
    game, faults = played(MACHINE, 0, mode)
    assert faults == []
    assert game.outcome is not None
    assert (game.outcome.kind, game.outcome.label) == ("victory", "Dernier clan en lice")
    assert len(game.outcome.players) == (2 if mode == "coalition" else 1)
