"""`import dsl` as its page tells it: games, views, positions, snapshots, files, numbers of options."""

from __future__ import annotations

import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dsl
from dsl.api.values import how_many, ordinal, to_python
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf
from dsl.library import load as load_machine
from tests.api.games import OXO, written
from tests.soak import without_largest

ENGINES = ("python", "wasm")


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def oxo(tmp_path: Path, engine: str) -> dsl.Program:
    return dsl.load(written(tmp_path), engine=engine)


# ---------------------------------------------------------------- programs


def test_a_program_tells_of_itself(oxo: dsl.Program) -> None:
    assert (oxo.name, oxo.players, oxo.languages[:1]) == ("oxo", ("x", "o"), ("en",))
    assert oxo.settings["first"].choices == ("x_begins", "o_begins")
    assert oxo.settings["first"].default == "x_begins"
    assert oxo.fields["Cell.mark"].type == "Player or none"
    assert oxo.fields["Cell.mark"].owners == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert oxo.fields["marked"].type == "set of Cell" and oxo.fields["marked"].owners is None
    assert "claim" in oxo.actions


def test_what_does_not_compile_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, text=OXO.replace("need c.mark is none", "need c.marc is none"))
    made = dsl.compile(path)
    assert made.program is None
    (error,) = made.errors
    assert error.code.id == "E0203" or "marc" in str(error)
    assert str(error).startswith(error.file)
    with pytest.raises(dsl.LoadError, match="does not compile"):
        dsl.load(path)
    with pytest.raises(dsl.LoadError) as missing:
        dsl.load("no_such_game")
    assert "does not compile" not in str(missing.value) and missing.value.diagnostics.has_errors
    with pytest.raises(ValueError, match="no engine"):
        dsl.load("cristal_et_acier", engine="fortran")  # type: ignore[arg-type]


def test_warnings_come_with_the_program(tmp_path: Path) -> None:
    made = dsl.compile(written(tmp_path))
    assert made.program is not None and not made.errors


# ---------------------------------------------------------------- playing


def test_options_are_chosen_by_themselves_by_place_and_by_label(oxo: dsl.Program) -> None:
    games = [oxo.start() for _ in range(4)]
    decision = games[0].decision
    assert decision is not None and len(decision) == 9 and decision.player == "x"
    assert decision.prompt("en") == "Your mark"
    games[0].choose(decision.options[4])
    games[1].choose(4)
    games[2].choose("Marquer b2")
    games[3].choose(decision.by_label("Mark b2"))
    assert len({each.fingerprint for each in games}) == 1
    assert games[0].read("mark", "b2") == "x" == games[0]["Cell.mark", "b2"]
    assert games[0]["marked"] == frozenset({"b2"}) and games[0]["last"] == "b2" and games[0]["wild"] is False
    assert decision.options[4].args == ("b2", "x") and decision.options[4].action == "claim"
    games[0].undo()
    assert games[0].fingerprint == oxo.start().fingerprint and games[0]["last"] is None


def test_options_are_equal_where_they_are_the_same_choice(oxo: dsl.Program) -> None:
    one, other = oxo.start().decision, oxo.start(seed=3).decision
    assert one is not None and other is not None
    assert one.options == other.options and len({*one.options, *other.options}) == 9
    assert one.options[0] != one.options[1]
    again = pickle.loads(pickle.dumps([each.id for each in one]))
    assert [other.by_id(each) for each in again] == list(other.options)


def test_what_is_not_offered_is_refused(oxo: dsl.Program) -> None:
    game = oxo.start()
    before = game.fingerprint
    for choice in (9, -1, "Mark z9"):
        with pytest.raises(dsl.IllegalChoice):
            game.choose(choice)
    decision = game.decision
    assert decision is not None
    game.choose(0)
    with pytest.raises(dsl.IllegalChoice):
        game.choose(decision.options[0])
    game.undo()
    stranger = dsl.load("cristal_et_acier").start().decision
    assert stranger is not None
    with pytest.raises(dsl.IllegalChoice, match="another program"):
        game.choose(stranger.options[0])
    with pytest.raises(dsl.IllegalChoice):
        decision.by_id(10**6)
    assert game.fingerprint == before


@pytest.mark.parametrize("telling", [True, False])
def test_an_outcome_is_told_in_names(oxo: dsl.Program, telling: bool) -> None:
    game = oxo.start(telling=telling)
    for cell in ("a1", "b1", "a2", "b2", "a3"):
        assert game.outcome is None
        game.choose(f"Mark {cell}")
    assert game.is_over and game.decision is None
    assert game.outcome == dsl.Outcome("victory", ("x",), "three in a row", ())
    assert game.outcome_in("fr").label == "trois alignés"  # type: ignore[union-attr]
    assert [each for each in game.told("en") if "Mark" in each][:1] == (["Mark a1"] if telling else [])


def test_why_and_why_not(oxo: dsl.Program) -> None:
    game = oxo.start()
    game.choose("Mark b2")
    assert any(each.name == "claim" for each in game.why())
    found = game.why_not("claim", "b2", "o", language="en")
    assert not found.offered and found.reasons == ("this cell is taken",)
    assert game.why_not("claim", "a1", "o").offered
    with pytest.raises(KeyError, match="claim"):
        game.why_not("clame", "b2", "o")
    with pytest.raises(TypeError):
        game.why_not("claim", "b2")
    with pytest.raises(ValueError, match="no Cell `b9`"):
        game.why_not("claim", "b9", "o")


# ---------------------------------------------------------------- positions


def test_a_position_is_set_by_names(oxo: dsl.Program) -> None:
    game = oxo.start(telling=False)
    placed = game.placed({"mark": {"a1": "x", "b1": "x"}, "marked": {"a1", "b1"}, "wild": True, "last": None})
    assert placed["mark"] == {**dict.fromkeys(oxo.fields["Cell.mark"].owners or ()), "a1": "x", "b1": "x"}
    assert placed["marked"] == {"a1", "b1"} and placed["wild"] is True
    assert game["mark", "a1"] is None
    assert placed.count == 7
    placed.choose("Mark c1")
    assert placed.outcome is not None and placed.outcome.winners == ("x",)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"marc": {}}, KeyError, "did you mean"),
        ({"mark": {"z9": "x"}}, KeyError, "no Cell `z9`"),
        ({"mark": {"a1": "xx"}}, ValueError, "no Player `xx`"),
        ({"mark": {"a1": 3}}, TypeError, "name of a Player"),
        ({"mark": "x"}, TypeError, "mapping by name"),
        ({"visits": {"a1": 10}}, ValueError, "from 0 to 9, not 10"),
        ({"visits": {"a1": True}}, TypeError, "a whole number"),
        ({"visits": {"a1": None}}, ValueError, "cannot be none"),
        ({"marked": "a1"}, TypeError, "a set"),
        ({"wild": 1}, TypeError, "True or False"),
        ({"mark": {"a1": "x"}, "Cell.mark": {"a1": "o"}}, ValueError, "set twice"),
        ({"first": "o_begins"}, ValueError, "when a game is started"),
        ("mark", TypeError, "mapping by name"),
        ({3: 4}, TypeError, "is a text"),
    ],
)
def test_what_a_field_does_not_hold_is_refused(
    oxo: dsl.Program, values: dict[str, object], error: type[Exception], words: str
) -> None:
    game = oxo.start()
    with pytest.raises(error, match=words):
        game.placed(values)


def test_reading_what_there_is_not(oxo: dsl.Program) -> None:
    game = oxo.start()
    for name, owner in (("marc", None), ("mark", "z9"), ("wild", "a1")):
        with pytest.raises(KeyError):
            game.read(name, owner)
    assert game.view(1).player == "o"
    for player in ("z", 2, -1):
        with pytest.raises(KeyError, match="no player"):
            game.view(player)  # type: ignore[arg-type]


def test_cards_that_lie_nowhere_are_no_position() -> None:
    game = dsl.load("me_ccg").start()
    card = next(name for name, pile in game["Card pile"].items() if pile)
    with pytest.raises(dsl.SaveError, match="in no pile"):
        game.placed({"Card pile": {card: None}})


# ---------------------------------------------------------------- keeping


@pytest.mark.parametrize("telling", [True, False])
def test_snapshots_pickles_and_clones_go_on_alike(engine: str, telling: bool) -> None:
    program = dsl.load("cristal_et_acier", engine=engine)
    game, chance = program.start(seed=5, telling=telling), Random(5)
    for _ in range(40):
        game.choose(chance.randrange(game.count))
    others = [
        game.clone(),
        program.restore(game.snapshot(), telling=telling),
        pickle.loads(pickle.dumps(game)),
    ]
    for _ in range(20):
        number = chance.randrange(game.count)
        for each in (game, *others):
            each.choose(number)
    assert {each.fingerprint for each in others} == {game.fingerprint}
    assert all(each.is_telling == telling for each in others)


def test_a_program_that_is_pickled_twice_is_made_ready_once() -> None:
    program = dsl.load("cristal_et_acier")
    one, other = pickle.loads(pickle.dumps((program.start(), program.start(seed=2))))
    assert one.program is other.program and one.program == program


@pytest.mark.parametrize("name", without_largest(["cristal_et_acier", "command_and_conquer"]))
def test_a_game_goes_on_in_another_process(name: str, tmp_path: Path) -> None:
    game = dsl.load(name, engine="wasm").start(seed=3, telling=False)
    game.choose(0)
    path = tmp_path / "game.pickle"
    path.write_bytes(pickle.dumps(game))
    code = f"import pickle; game = pickle.load(open({str(path)!r}, 'rb')); game.choose(0); print(game.fingerprint)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    game.choose(0)
    assert told.stdout.strip() == game.fingerprint, told.stderr


def broken(kind: str, folder: Path) -> Exception:
    """An error as a user meets it."""
    name = "oxo.scn"
    path = folder / "oxo" / name
    path.parent.mkdir()
    text = OXO.replace("visits gains 1", "visits loses 1") if kind == "RuleFailure" else OXO
    path.write_text(text.replace("c.mark = p", "c.mrak = p") if kind == "LoadError" else text)
    with pytest.raises(getattr(dsl, kind)) as found:
        game = dsl.load(path).start(options={"first": "nobody"} if kind == "StartError" else None)
        if kind == "SaveError":
            game.program.restore(b"x")
        game.choose("no such label" if kind == "IllegalChoice" else 0)
    error: Exception = found.value
    return error


@pytest.mark.parametrize("kind", ["IllegalChoice", "LoadError", "RuleFailure", "SaveError", "StartError"])
def test_an_error_is_called_as_it_is_imported_and_goes_to_another_process(kind: str, tmp_path: Path) -> None:
    error = broken(kind, tmp_path)
    assert "".join(traceback.format_exception_only(error)).startswith(f"dsl.{kind}: ")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
    for name in ("code", "place", "clauses"):
        assert getattr(again, name, None) == getattr(error, name, None)
    assert len(getattr(again, "diagnostics", ())) == len(getattr(error, "diagnostics", ()))


def test_errors_are_the_packages_own() -> None:
    errors = [each for each in map(partial(getattr, dsl), dsl.__all__) if isinstance(each, type)]
    assert {each.__module__ for each in errors if issubclass(each, Exception)} == {"dsl"}


def test_players_and_settings_in_other_languages(tmp_path: Path) -> None:
    text = OXO.replace("players x, o", 'players x en "Cross" fr "Croix", o')
    path = tmp_path / "oxo.scn"
    path.write_text(text)
    program = dsl.load(path)
    told = [program.player_label(*each) for each in (("x",), ("x", "fr"), (0, "de"), ("o", "fr"))]
    assert told == ["Cross", "Croix", "Cross", "o"]
    first = program.settings["first"]
    assert (first.label, first.labels["en"], first.labels["fr"]) == (
        "who begins",
        "who begins",
        "qui commence",
    )
    assert tuple(first.labels) == program.languages
    with pytest.raises(KeyError, match="no player `y`"):
        program.player_label("y")


def test_a_pickle_that_is_damaged_is_refused() -> None:
    program = dsl.load("cristal_et_acier")
    with pytest.raises(ValueError, match="pickled program"):
        remade, (hash_, data, engine, steps) = program.__reduce__()
        remade(hash_, data[:-50], engine, steps + 1)


def test_snapshots_from_strangers_are_refused(oxo: dsl.Program) -> None:
    data = oxo.start().snapshot()
    chance = Random(1)
    for _ in range(60):
        at = chance.randrange(len(data))
        spoilt = data[:at] + bytes([data[at] ^ (1 + chance.randrange(255))]) + data[at + 1 :]
        for telling in (True, False):
            try:
                game = oxo.restore(spoilt, telling=telling)
            except dsl.SaveError as error:
                assert error.diagnostics and str(error)
            else:
                assert game.snapshot() == spoilt
    with pytest.raises(dsl.SaveError, match="too short"):
        oxo.restore(b"")
    with pytest.raises(dsl.SaveError, match="another version"):
        dsl.load("cristal_et_acier").restore(data)


@pytest.mark.parametrize("telling", [True, False])
def test_a_file_is_opened_here_and_by_the_command(tmp_path: Path, engine: str, telling: bool) -> None:
    program = dsl.load(written(tmp_path), engine=engine)
    game = program.start(seed=4, options={"first": "o_begins"}, telling=telling)
    game.choose("Mark b2")
    path = tmp_path / "game.json"
    game.save(path)
    at_once = program.open(path, replay=False)
    again = program.open(path)
    assert again.fingerprint == game.fingerprint == at_once.fingerprint
    assert (
        again.taken == 1 and at_once.taken == 0 and again.told() == (game.told() if telling else again.told())
    )
    again.undo()
    assert again.fingerprint == program.start(seed=4, options={"first": "o_begins"}).fingerprint
    for each in (at_once, again):
        each.choose("Mark b2" if each is again else "Mark a1")
        each.save(path)
        assert program.open(path).fingerprint == each.fingerprint
    again.choose("Mark a1")
    again.save(path)
    third = program.open(path)
    assert third.fingerprint == again.fingerprint and third["mark", "a1"] == "o"
    command = [sys.executable, "-m", "dsl", "replay", str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    with pytest.raises(ValueError, match="not played from its start"):
        game.placed({"wild": True}).save(path)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(dsl.SaveError):
        program.open(path)
    with pytest.raises(dsl.SaveError):
        program.open(tmp_path / "missing.json")


# ---------------------------------------------------------------- views


def test_a_view_has_what_its_player_sees_and_no_more() -> None:
    game, chance = dsl.load("me_ccg").start(seed=2), Random(2)
    seen = 0
    for _ in range(60):
        decision = game.decision
        assert decision is not None
        for player in game.program.players:
            view = game.view(player)
            assert (view.decision is not None) == (decision.player == player == view.chooser)
            for name, entry in game.program.fields.items():
                whole, shown = game.read(name), view[name]
                pairs = [(whole[each], shown[each]) for each in whole] if entry.owners else [(whole, shown)]
                for real, told in pairs:
                    assert told is dsl.HIDDEN or told == real
                    seen += told is dsl.HIDDEN
        game.choose(chance.randrange(game.count))
    assert seen, "nothing is hidden in a game with hands"
    assert pickle.loads(pickle.dumps(dsl.HIDDEN)) is dsl.HIDDEN


def test_views_of_worlds_that_differ_in_secrets_are_equal() -> None:
    game = dsl.load("me_ccg").start(seed=2)
    watcher, other = game.program.players[:2]
    hidden = [
        name for name, value in game.view(watcher)["Card.in"].items() if value is dsl.HIDDEN
    ]  # which pile a card of the other lies in
    assert hidden or game.view(watcher)["Card order"]
    assert game.view(watcher).fields == game.clone().view(watcher).fields
    assert game.view(watcher).fields != game.view(other).fields


# ---------------------------------------------------------------- numbers of options


@pytest.mark.parametrize("name", ["cristal_et_acier", "green_conquest"])
def test_numbers_of_options_are_their_own_and_lie_below_the_count(name: str) -> None:
    program = dsl.load(name, engine="wasm")
    game, chance = program.start(seed=1, telling=False), Random(1)
    known: dict[int, tuple[object, ...]] = {}
    for _ in range(150):
        decision = game.decision
        if decision is None:
            break
        ids = decision.ids
        assert len(set(ids)) == len(ids) and all(0 <= each < program.option_count for each in ids)
        for option in decision.options:
            what = (option.action, option.kind, option._offered.values, option._offered.decision.where)
            assert known.setdefault(option.id, what) == what
        game.choose(chance.randrange(game.count))


def test_numbers_count_the_values_of_every_type() -> None:
    rules = load_machine("cristal_et_acier").program
    domain = next(n for n, each in enumerate(rules.domains) if len(each.members) == 3)
    kinds: list[tuple[object, list[object]]] = [
        (Int(-1, 1, optional=True), [-1, 0, 1, NONE]),
        (Id(domain), [0, 1, 2]),
        (SetOf(Id(domain)), list(range(8))),
        (BagOf(domain, 1), [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]),
        (ListOf(Int(0, 1), 2), [(), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]),
        (Record(("a", "b"), (Int(0, 1), Int(0, 2))), [(a, b) for a in (0, 1) for b in (0, 1, 2)]),
    ]
    for kind, values in kinds:
        assert how_many(rules, kind) == len(values)  # type: ignore[arg-type]
        assert [ordinal(rules, kind, each) for each in values] == list(range(len(values)))  # type: ignore[arg-type]
        assert len({repr(to_python(rules, kind, each)) for each in values}) == len(values)  # type: ignore[arg-type]


# ---------------------------------------------------------------- playing on


def test_playouts_are_the_same_in_both_engines(tmp_path: Path) -> None:
    for name in (str(written(tmp_path)), "cristal_et_acier"):
        found = []
        for engine in ENGINES:
            for telling in (True, False):
                game = dsl.load(name, engine=engine).start(seed=3, telling=telling)
                game.choose(0)
                before = game.fingerprint
                found.append(dsl.playout(game, 12, seed=9))
                assert game.fingerprint == before
                game.choose(0)
        assert found[0].games == 12 and all(each == found[0] for each in found)


def test_playouts_count_wins_draws_and_what_is_cut_off(oxo: dsl.Program) -> None:
    game = oxo.start(telling=False)
    found = dsl.playout(game, 200, seed=1)
    assert sum(found.wins.values()) + found.drawn == 200 and found.unfinished == 0
    assert found.share("x") > found.share("o") > 0
    cut = dsl.playout(game, 10, most=3)
    assert cut.unfinished == 10 and cut.choices == 30
    won = game.placed({"mark": {"a1": "x", "b1": "x"}})
    won.choose("Mark c1")
    assert dsl.playout(won, 5).wins == {"x": 5, "o": 0}
    with pytest.raises(ValueError):
        dsl.playout(game, -1)


def test_playouts_with_dice_have_dice_of_their_own() -> None:
    game = dsl.load("cristal_et_acier", engine="wasm").start(seed=1, telling=False)
    assert len({game.reseeded(each).fingerprint for each in range(10)}) == 10
    assert len({dsl.playout(game, 1, seed=each).choices for each in range(30)}) > 5


def test_ways_are_counted(tmp_path: Path, engine: str) -> None:
    game = dsl.load(written(tmp_path), engine=engine, ask_always=True).start(telling=False)
    assert [dsl.perft(game, depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    assert sum(dsl.perft_divide(game, 3).values()) == 504
    with pytest.raises(ValueError):
        dsl.perft(game, -1)


def test_ways_that_end_sooner_do_not_count(tmp_path: Path) -> None:
    """255,168 games of noughts and crosses; of these 1,440 end at the fifth mark."""
    game = dsl.load(written(tmp_path), engine="wasm", ask_always=True).start(telling=False)
    assert dsl.perft(game, 5) == 15_120
    assert dsl.perft(game, 6) == (15_120 - 1_440) * 4


def test_ways_of_chess() -> None:
    chess = dsl.load("examples/chess", engine="wasm", ask_always=True).start(telling=False)
    assert [dsl.perft(chess, depth) for depth in (1, 2, 3)] == [20, 400, 8902]


def test_a_lone_option_is_asked_for_where_that_is_wanted(tmp_path: Path, engine: str) -> None:
    path = written(tmp_path)
    usual, asking = dsl.load(path, engine=engine), dsl.load(path, engine=engine, ask_always=True)
    assert usual.hash != asking.hash
    marks = ("a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2")
    games = [each.start() for each in (usual, asking)]
    for game in games:
        for cell in marks:
            game.choose(f"Mark {cell}")
    assert games[0].is_over and games[1].count == 1


def test_a_rule_that_fails_leaves_the_game_where_it_stood(tmp_path: Path, engine: str) -> None:
    text = OXO.replace("c.visits gains 1", "c.visits gains 6").replace(
        "need c.mark is none", "need c.visits < 9"
    )
    game = dsl.load(written(tmp_path, text=text), engine=engine).start()
    game.choose("Mark a1")
    before = game.fingerprint
    with pytest.raises(dsl.RuleFailure) as failure:
        game.choose("Mark a1")
    assert failure.value.code == "E0601" and game.fingerprint == before
    found = dsl.playout(game, 20)
    assert found.failed and sum(found.failed.values()) + found.drawn + sum(found.wins.values()) == 20


class _Index:
    """A whole number of another library."""

    def __index__(self) -> int:
        return 1


def test_whole_numbers_of_other_libraries_count(oxo: dsl.Program) -> None:
    one: Any = _Index()
    game = oxo.start(seed=one, telling=False)
    game.choose(one)
    assert game["last"] == "b1" and oxo.start(seed=1).fingerprint != oxo.start(seed=2).fingerprint
    assert game.view(one).player == "o" and game.placed({"visits": {"a1": one}})["visits", "a1"] == 1
    assert dsl.playout(game, one, seed=one, most=one).choices == 1 and dsl.perft(game, one) == 8
    game.undo(one)
    assert game.taken == 0


WRONG: list[tuple[str, Callable[[dsl.Program, dsl.Game], object]]] = [
    ("choose", lambda program, game: game.choose(True)),
    ("choose", lambda program, game: game.choose(3.0)),  # type: ignore[arg-type]
    ("choose", lambda program, game: game.choose(None)),  # type: ignore[arg-type]
    ("start", lambda program, game: program.start(seed="7")),  # type: ignore[arg-type]
    ("start", lambda program, game: program.start(seed=1.0)),  # type: ignore[arg-type]
    ("start", lambda program, game: program.start(options="first")),  # type: ignore[arg-type]
    ("start", lambda program, game: program.start(options={"first": None})),  # type: ignore[dict-item]
    ("start", lambda program, game: program.start(options={"first": True})),
    ("start", lambda program, game: program.start(options={3: "x"})),  # type: ignore[dict-item]
    ("start", lambda program, game: program.start(telling="no")),  # type: ignore[arg-type]
    ("reseeded", lambda program, game: game.reseeded("a")),  # type: ignore[arg-type]
    ("undo", lambda program, game: game.undo("a")),  # type: ignore[arg-type]
    ("read", lambda program, game: game.read(3)),  # type: ignore[arg-type]
    ("read", lambda program, game: game.read("mark", 3)),  # type: ignore[arg-type]
    ("view", lambda program, game: game.view(None)),  # type: ignore[arg-type]
    ("view", lambda program, game: game.view(1.0)),  # type: ignore[arg-type]
    ("why", lambda program, game: game.why(last="a")),  # type: ignore[arg-type]
    ("why_not", lambda program, game: game.why_not(3)),  # type: ignore[arg-type]
    ("placed", lambda program, game: game.placed(None)),  # type: ignore[arg-type]
    ("told", lambda program, game: game.told(None)),  # type: ignore[arg-type]
    ("outcome_in", lambda program, game: game.outcome_in(3)),  # type: ignore[arg-type]
    ("restore", lambda program, game: program.restore("abc")),  # type: ignore[arg-type]
    ("restore", lambda program, game: program.restore(None)),  # type: ignore[arg-type]
    ("playout", lambda program, game: dsl.playout(program, 3)),  # type: ignore[arg-type]
    ("playout", lambda program, game: dsl.playout(game, "a")),  # type: ignore[arg-type]
    ("playout", lambda program, game: dsl.playout(game, most=1.5)),  # type: ignore[arg-type]
    ("playout", lambda program, game: dsl.playout(game, seed="a")),  # type: ignore[arg-type]
    ("perft", lambda program, game: dsl.perft(game, None)),  # type: ignore[arg-type]
    ("perft", lambda program, game: dsl.perft(None, 1)),  # type: ignore[arg-type]
    ("perft_divide", lambda program, game: dsl.perft_divide(game, True)),
    ("load", lambda program, game: dsl.load(b"oxo.scn")),  # type: ignore[arg-type]
    ("load", lambda program, game: dsl.load("cristal_et_acier", mods="a.scn")),
    ("load", lambda program, game: dsl.load("cristal_et_acier", mods=3)),  # type: ignore[arg-type]
    ("load", lambda program, game: dsl.load("cristal_et_acier", steps="a")),  # type: ignore[arg-type]
    ("load", lambda program, game: dsl.load("cristal_et_acier", ask_always="no")),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("what", "call"), WRONG, ids=[f"{what}-{at}" for at, (what, _) in enumerate(WRONG)])
def test_a_wrong_type_is_told_where_it_comes_in(
    tmp_path: Path, what: str, call: Callable[[dsl.Program, dsl.Game], object]
) -> None:
    program = dsl.load(written(tmp_path))
    game = program.start()
    before = game.fingerprint
    with pytest.raises(TypeError, match=r" is (a|the|True|None) |is \(?a ") as told:
        call(program, game)
    assert game.fingerprint == before
    assert (
        told.traceback[-1].path.parts[-2:] == ("api", "arguments.py")
        or told.traceback[-1].path.parts[-2] == "api"
    )


def test_what_is_no_game_is_not_taken_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    saved = tmp_path / "game.save"
    dsl.load(path).start().save(saved)
    with pytest.raises(dsl.LoadError, match="neither a source of a game nor a compiled program"):
        dsl.load(saved)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError):
        dsl.load("")
    with pytest.raises(dsl.LoadError):
        dsl.load("x" * 5000)
    assert "cristal_et_acier" in dsl.games()


def test_who_takes_part() -> None:
    program = dsl.load("green_conquest")
    duel = program.start(options={"mode": "duel"}, telling=False)
    assert len(duel.playing) == 2 < len(program.players)


def test_names_are_suggested(oxo: dsl.Program) -> None:
    game = oxo.start()
    for name in ("mrk", "MARK", "Cel.mark"):
        with pytest.raises(KeyError, match="did you mean"):
            game.read(name)
    view = game.view("x")
    assert view["mark"] == view["Cell.mark"] and "Cell.mark" in view and set(view) == set(oxo.fields)
    assert oxo.fields["Cell.mark"].names == ("x", "o") and oxo.fields["wild"].names is None
    with pytest.raises(KeyError, match="did you mean `x`"):
        dsl.playout(game, 1).share("X")
    assert "claim" in repr(game.decision.options[0])  # type: ignore[union-attr]


def test_the_names_of_the_interface_are_there() -> None:
    assert sorted(dir(dsl)) == sorted(dsl.__all__)
    for name in dsl.__all__:
        assert getattr(dsl, name) is not None
    with pytest.raises(AttributeError):
        dsl.nothing  # noqa: B018
