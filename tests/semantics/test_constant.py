"""What reads no state becomes a table, and the game stays what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import compiler
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.players.random_player import RandomPlayer
from dsl.semantics.code.rewrite import walk_ir
from dsl.semantics.constant.compiled import Functions
from dsl.semantics.constant.evaluate import Constants, NotConstant
from tests.examples import classics

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


def program(folder: Path, condition: str, *, cited: str = "", plain: bool = False) -> Program:
    path = folder / "strip.scn"
    path.write_text(GAME.format(condition=condition, cited=cited), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        if plain:
            patch.setattr(compiler, "tabulated", lambda made: made)
        found = compiler.compile_game(str(path))
    assert found.program is not None, [each.message for each in found.diagnostics]
    return found.program


def tables(made: Program) -> dict[str, int]:
    """The tables that were made, by what they are of, with their sizes."""
    found = {}
    for each in made.data:
        if each.name.startswith(("values of ", "selection ")):
            found[each.name.rstrip("0123456789").strip()] = len(each.values)
    return found


def steps_of_play(made: Program, seed: int) -> list[object]:
    """Every state and all options of a random game, and how it ended or failed."""
    machine, player = Machine(made), RandomPlayer(seed)
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
    made = program(tmp_path, CONDITIONS[name])
    plain = program(tmp_path, CONDITIONS[name], plain=True)
    for seed in range(12):
        assert steps_of_play(made, seed) == steps_of_play(plain, seed)


@pytest.mark.parametrize("path", [*classics(), *sorted(CORPUS.glob("*.scn"))], ids=lambda path: path.stem)
def test_programs_play_as_they_did(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = compiler.compile_game(str(path)).program
    monkeypatch.setattr(compiler, "tabulated", lambda program: program)
    plain = compiler.compile_game(str(path)).program
    assert made is not None and plain is not None
    for seed in range(3):
        assert steps_of_play(made, seed) == steps_of_play(plain, seed)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.scn")), ids=lambda path: path.stem)
def test_compiled_tables_are_those_that_are_evaluated(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = compiler.compile_game(str(path)).program
    monkeypatch.setattr(Functions, "of", lambda *_: None)
    assert compiler.compile_game(str(path)).program == compiled


def test_what_cannot_be_known_is_left_to_play_in_compiled_code_too(tmp_path: Path) -> None:
    made = program(tmp_path, "third(c) < 4 and c.mark is p")
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
