"""What reads no state becomes a table, and the game stays what it is."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl import compiler, library
from dsl.authoring import rehearsal
from dsl.cache import Cache
from dsl.cli.main import cli
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.verify.graph import everything
from dsl.lower.rewrite import walk_ir
from dsl.passes.pipeline import OPTIONAL
from dsl.passes.tabulate import kept
from dsl.passes.tabulate.compiled import Functions
from dsl.passes.tabulate.constants import Constants, NotConstant
from dsl.passes.tabulate.kept import keep_tables, with_tables
from dsl.passes.tabulate.tables import tabulated
from dsl.players.random_player import RandomPlayer
from tests.examples import classics
from tests.shipped import shipped
from tests.soak import some

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "language" / "good"
GAME = """\
game strip:
    players red, blue
    rounds 4
    rulebook ST "Strip"

map land on squares(6, 2)

state of Cell:
    mark: Player?

state:
    spot: Cell?

value home(p: Player) -> 1..6 = 1 if p is red else 6 {cited}
value near(c: Cell, p: Player) -> bool = abs(column(c) - home(p)) < 2
value border = all c in Cell where row(c) is 2
value third(c: Cell) -> 1..9 = column(c) * 2 - 3
value taken(c: Cell) -> 1..9 = column(c) * 2 - (3 if c.mark is none else 2)

action claim(c: Cell) by p:
    need c.mark is none
    c.mark = p
round:
    for p in order of play:
        p chooses: claim(c) for c in Cell
victory p when (count c in Cell where {condition}) is 3
"""


def compiled(path: Path) -> Program:
    found = compiler.compile_game(str(path))
    assert found.program is not None, [each.message for each in found.diagnostics]
    return found.program


def program(folder: Path, condition: str, *, cited: str = "", plain: bool = False) -> Program:
    path = folder / "strip.scn"
    path.write_text(GAME.format(condition=condition, cited=cited), encoding="utf-8")
    made = compiled(path)
    return made if plain else tabulated(made)[0]


def tables(made: Program) -> dict[str, int]:
    """The tables that were made, by what they are of, with their sizes."""
    found = {}
    for each in made.data:
        if each.name.startswith(("values of ", "selection ")):
            found[each.name.rstrip("0123456789").strip()] = len(each.values)
    return found


def steps_of_play(made: Program, seed: int, without: Collection[str] = ()) -> list[object]:
    """Every state and all options of a random game, and how it ended or failed."""
    machine, player = Machine(made, without=without), RandomPlayer(seed)
    told: list[object] = []
    try:
        game = Game.start(machine, seed=seed)
        while game.count:
            decision = game.decision
            assert decision is not None
            told.append((game.state, [option.raw for option in decision.options]))
            game.choose(player.index(game.count))
    except RuleFailure as failure:
        return [*told, failure.code]
    return [*told, game.state]


def test_a_value_that_reads_no_state_is_a_table(tmp_path: Path) -> None:
    made = program(tmp_path, "c.mark is p and near(c, p)")
    assert tables(made)["values of near"] == 24


def test_a_condition_that_reads_no_state_chooses_once(tmp_path: Path) -> None:
    made = program(tmp_path, "near(c, p) and c.mark is p and row(c) is 2")
    assert tables(made)["selection"] == 2
    chosen = next(each for each in made.data if each.name.startswith("selection "))
    cells = made.domains[made.boards[0].domain].members
    named = [
        {name for at, name in enumerate(cells) if isinstance(mask, int) and mask >> at & 1}
        for mask in chosen.values
    ]
    assert named == [{"a2", "b2"}, {"e2", "f2"}]


def test_a_value_without_parameters_is_what_it_gives(tmp_path: Path) -> None:
    made = program(tmp_path, "c.mark is p and any d in border where column(d) is column(c)")
    number = next(at for at, value in enumerate(made.values) if value.name == "border")
    asked = [each for each in walk_ir(made.endings) if isinstance(each, ir.Ask)]
    assert number not in {each.value for each in asked}


def test_what_cites_a_rule_is_left_alone(tmp_path: Path) -> None:
    assert "values of home" in tables(program(tmp_path, "c.mark is p and column(c) is home(p)"))
    cited = program(tmp_path, "c.mark is p and column(c) is home(p)", cited="[ST-01]")
    assert "values of home" not in tables(cited)
    assert "values of near" not in tables(cited)


CONDITIONS = {
    "nothing to choose": "c.mark is p",
    "by a parameter": "near(c, p) and c.mark is p",
    "behind what reads the state": "c.mark is p and near(c, p)",
    "by a neighbour": "c.mark is p and any n in around(c) where row(n) is 2 and n.mark is p",
    "what fails for some": "third(c) > 2 and c.mark is p",
    "what fails for those that are left": "row(c) > 1 and third(c) > 2 and c.mark is p",
    "behind what can fail": "taken(c) > 2 and column(c) > 1 and c.mark is p",
    "before what can fail": "column(c) > 1 and taken(c) > 2 and c.mark is p",
    "sets": "c in {a1, b1, c1, d1} + around(a2) and c.mark is p",
    "a set with a name": "c in border and c.mark is p",
    "in a set with a name": "c.mark is p and any d in border where distance(c, d) < 2 and d.mark is p",
    "nested": "near(c, p) and (count d in Cell where distance(c, d) < 2 and d.mark is p) > 1",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_the_game_stays_what_it_is(tmp_path: Path, name: str) -> None:
    made = program(tmp_path, CONDITIONS[name], plain=True)
    for seed in range(12):
        assert steps_of_play(made, seed) == steps_of_play(made, seed, without=OPTIONAL)


@pytest.mark.parametrize(
    "path", [*classics(), *some(sorted(CORPUS.glob("*.scn")), 3)], ids=lambda path: path.stem
)
def test_programs_play_as_they_do_without_tables(path: Path) -> None:
    made = compiled(path)
    for seed in range(3):
        assert steps_of_play(made, seed) == steps_of_play(made, seed, without=OPTIONAL)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.scn")), ids=lambda path: path.stem)
def test_compiled_tables_are_those_that_are_evaluated(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shipped(path)
    with_code = tabulated(made)[0]
    monkeypatch.setattr(Functions, "of", lambda *_: None)
    assert tabulated(made)[0] == with_code


# ---------------------------------------------------------------- when they are made, and what is kept

NEAR = "near(c, p) and c.mark is p"


def never(*_: object) -> None:
    raise AssertionError("tables are made")


def test_a_check_makes_no_tables_and_play_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = program(tmp_path, NEAR, plain=True)
    assert not tables(made)
    with monkeypatch.context() as patch:
        patch.setattr(kept, "tabulated", never)
        patch.setattr(compiler, "tabulated", never)
        found = CliRunner().invoke(cli, ["check", str(tmp_path / "strip.scn")])
        assert (found.exit_code, "no errors" in found.output) == (0, True), found.output
        with pytest.raises(AssertionError, match="tables are made"):
            Machine(made)
    assert "values of near" not in tables(Machine(made, without=OPTIONAL).program)
    assert tables(Machine(made).program)


def test_the_machines_of_a_program_share_its_tables(tmp_path: Path) -> None:
    made = program(tmp_path, NEAR, plain=True)
    first, second = Machine(made), Machine(made)
    again = Machine(first.program)
    assert first.program is second.program is again.program
    assert first.hash == second.hash == again.hash == Machine(made, without=OPTIONAL).hash


def test_tables_are_kept_in_the_cache_and_read_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "WORTH_KEEPING", 1)
    cache = Cache(tmp_path / "cache")
    cache.folder.mkdir(mode=0o700)
    program(tmp_path, NEAR, plain=True)

    def build() -> Program:
        monkeypatch.setattr(kept, "_made", [])
        made = library.build(str(tmp_path / "strip.scn"), cache=cache).program
        assert made is not None
        return Machine(made).program

    first = build()
    (entry,) = cache.folder.glob("tables-*.json")
    with monkeypatch.context() as patch:
        patch.setattr(Functions, "of", never)
        patch.setattr(Constants, "value", never)
        assert build() == first
    whole = entry.read_bytes()
    for damaged in (b"", b"[]", whole[:-9], whole.replace(b"0", b"1"), b'["", null]'):
        entry.write_bytes(damaged)
        assert build() == first
    entry.unlink()
    assert build() == first
    assert entry.read_bytes() == whole


def test_what_is_kept_of_other_tables_is_not_taken(tmp_path: Path) -> None:
    made = program(tmp_path, NEAR, plain=True)
    whole, results, _ = tabulated(made)
    assert tabulated(made, results)[0] == whole
    assert tabulated(made, [[1, 2, 3]])[0] == whole
    assert tabulated(made, results[:1])[0] == whole


class Somewhere:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}

    def read(self, name: str) -> bytes | None:
        return self.entries.get(name)

    def write(self, name: str, data: bytes) -> None:
        self.entries[name] = data


def test_what_takes_no_time_is_not_kept(tmp_path: Path) -> None:
    made, place = program(tmp_path, NEAR, plain=True), Somewhere()
    keep_tables(made, place, lambda: "key")
    assert tables(with_tables(made)[1])
    assert not place.entries


@pytest.mark.parametrize("path", [*classics(), *sorted(CORPUS.glob("*.scn"))], ids=lambda path: path.stem)
def test_a_program_with_tables_gets_no_more(path: Path) -> None:
    once = tabulated(compiled(path))[0]
    assert tabulated(once)[0] == once


FAR = """\
game far:
    players red, blue
    rounds 9

map land on squares(16, 16)

state:
    claimed: 0..1

state of Cell:
    mark: Player?

value crowd(c: Cell) -> 0..2000 = count d in Cell where distance(c, d) < 9

action claim(c: Cell) by p:
    need c.mark is none
    need any d in around(c) where (count e in Cell where crowd(e) > crowd(d)) > 3
    c.mark = p
    claimed gains 1
round:
    for p in order of play:
        p chooses: claim(c) for c in Cell
"""


def test_what_is_looked_up_in_play_does_not_keep_check_from_seeing_what_fails(tmp_path: Path) -> None:
    path = tmp_path / "far.scn"
    path.write_text(FAR, encoding="utf-8")
    made = compiled(path)
    found, whole = rehearsal._rehearsed(Machine(made, without=OPTIONAL))
    assert ([each.code for each in found], whole) == (["E0608"], False)
    (stumble,) = rehearsal.rehearse(made)
    assert (stumble.code, stumble.place and stumble.place.line) == ("E0601", 19)


def test_what_cannot_be_known_is_left_to_play_in_compiled_code_too(tmp_path: Path) -> None:
    made = program(tmp_path, "third(c) < 4 and c.mark is p", plain=True)
    constants = Constants(made, list(made.data), 1_000)
    functions = Functions(constants)
    for value in (each for each in made.values if len(each.params) == 1):
        function = functions.of(value.base, (0,))
        assert function is not None
        for cell in range(12):
            try:
                expected = constants.number(value.base, {0: cell})
            except NotConstant:
                with pytest.raises(NotConstant):
                    function(cell)
            else:
                assert function(cell) == expected
    loaded = next(each for value in made.values for each in walk_ir(value.base) if isinstance(each, ir.Load))
    unknown = functions.of(loaded, ())
    assert unknown is not None
    with pytest.raises(NotConstant):
        unknown()


RAYS = """\
game rays:
    players red, blue
    rounds 4
map land on squares(4, 3)
state of Cell:
    mark: Player?
value behind(c: Cell, d: Direction) -> set of Cell:
    let met = first x in ray(c, d) where x.mark is not none
    return {} if met is none else all x in ray(met, d) where true
action claim(c: Cell) by p:
    need c.mark is none
    c.mark = p
round:
    for p in order of play:
        p chooses: claim(c) for c in Cell
victory p when any c in Cell where c.mark is p and behind(c, east) is not empty
"""


def test_all_of_a_list_in_a_table_are_a_set_in_another(tmp_path: Path) -> None:
    """Also where the list is looked up by what only the state knows."""
    path = tmp_path / "rays.scn"
    path.write_text(RAYS, encoding="utf-8")
    given = compiled(path)
    made = tabulated(given)[0]
    behind = next(each for each in made.values if each.name == "behind")
    assert not any(isinstance(each, ir.Fold) and each.kind == "all" for each in walk_ir(behind))
    for seed in range(20):
        played = [steps_of_play(given, seed, without) for without in ((), OPTIONAL)]
        assert played[0] == played[1]


def test_lists_as_sets_and_what_is_put_together_from_tables_are_tables(tmp_path: Path) -> None:
    seen = "any d in Direction where c in ray(a2, d)"
    condition = f"c.mark is red and ({seen}) and every x in between(a2, c) satisfies x.mark is none"
    whole = tabulated(program(tmp_path, condition, plain=True))[0]
    ops = {each.op for each in everything(whole) if isinstance(each, ir.Op)}
    assert "list_set" not in ops
    assert "meet" not in ops
