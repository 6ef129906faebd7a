"""What is kept of a value is forgotten as soon as something that it reads is written, in whatever way."""

import pytest

from dsl.ir.program import Program
from dsl.wasm import memos
from dsl.wasm.assembly import Assembly
from dsl.wasm.module import Module
from tests.wasm.agree import Counting, agreed
from tests.wasm.programs import random_program
from tests.wasm.programs.boards import compiled, random_board

GAME = """game ledger:
    title en "Ledger"
    players left, right
    rounds 6

map board on squares(12, 12)

table Kind:
    | id    | worth: 0..9 |
    | stone |           1 |
    | crown |           3 |

table Page:
    | id    | worth: 0..9 |
    | one   |           3 |
    | two   |           1 |
    | three |           2 |
    | four  |           5 |
    | five  |           8 |

state of Cell:
    seen: 0..9

state:
    chosen: set of Cell
    before: 0..999
    after_it: 0..999
    note: 0..999
    tried: 0..9

piece Pawn of Kind, up to 9 each:
    owner: Player
    at: Cell?

piece Sheet of Page, one each
pile deck of Sheet
pile used of Sheet

value told -> 0..999 = READ
value zone -> set of Cell = all c in Cell where c.seen > 0

action sprout(c: Cell, n: 1..9): c.seen gains up to n

action act(n: 1..9) by p en "Act {n}":
    before = told
    WRITE
    after_it = told

action plant(n: 1..9) by p en "Plant {n}":
    tried = n
    if n is 5 or n is 9: a1.seen gains up to n

menu growing(p: Player):
    plant(n) for n in 1..9

menu acts(p: Player):
    act(n) for n in 1..9 where told + n < 12

round:
    for p in order of play:
        p may: acts(p)
"""
SEEN = "sum c.seen for c in Cell"
CASES = {
    "stores": (SEEN, "a1.seen = n"),
    "gains": (SEEN, "a1.seen gains up to n"),
    "sets": ("count c in chosen", "chosen gains {a1, l1, l11}"),
    "pieces": ("count x in Pawn where x.owner is left", "if supply(stone) > 0: place stone of left at a1"),
    "fields of pieces": ("count x in Pawn where x.at is a1", "for x in Pawn: x.at = a1"),
    "cards": ("sum s.worth for s in used", "for s in top(deck): move s to used"),
    "shuffling": ("sum s.worth for s in top(deck)", "shuffle deck"),
    "batches": (SEEN, "together: sprout(a1, n); sprout(a2, n)"),
    "trials": (SEEN, "if told > 6 after sprout(a1, n): note gains 1"),
    "searches": (SEEN, "if reachable(growing(p), told > 3 and tried is 7, at most 1): note gains 1"),
    "what is found": (SEEN, "if reachable(growing(p), told > 8, at most 1): note gains 1"),
    "trials in a run": (
        SEEN,
        "note gains count c in zone where (size(zone) > 3 after sprout(l12, 2))\n    a1.seen = n",
    ),
    "rules that fail": (SEEN, "a1.seen = n\n    if n > 6: a2.seen gains n\n    l3.seen gains 4"),
}


def ledger(what: str) -> Program:
    read, written = CASES[what]
    found = compiled(GAME.replace("READ", read).replace("WRITE", written))
    assert found.program is not None, found.diagnostics
    return found.program


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every value that can have a memo has one."""
    monkeypatch.setattr(memos, "HEAVY", 0)


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("what", CASES)
def test_every_way_to_write(what: str) -> None:
    program = ledger(what)
    held = {program.values[index].name for index in Assembly(program).memos.held}
    assert {"told", "zone"} <= held
    tally = agreed(Counting(program), range(4), cache=False)
    assert not tally.differences
    assert (tally.failures > 0) == (what == "rules that fail")


def test_only_what_is_much_work_is_kept() -> None:
    program = ledger("cards")
    held = {program.values[index].name for index in Assembly(program).memos.held}
    assert "zone" in held
    assert "told" not in held


@pytest.mark.usefixtures("light")
def test_the_host_writes() -> None:
    """An instance in which another state is put begins with nothing known."""
    module = Module.of(ledger("gains"), cache=False)
    one, other = module.instance(), module.instance()
    module.prepare(one, {})
    module.seed(one, 1)
    status, taken = one.calls["begin"](), 0
    while status == 1:
        other.put(one.state)
        assert other.calls["look"]() == 1
        assert other.options() == one.options()
        status, taken = one.calls["choose"](taken * 7 % one.count), taken + 1
    assert taken > 5


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize("seed", range(4))
def test_random_programs(seed: int) -> None:
    for program in (random_program(seed), random_board(seed)):
        assert not agreed(Counting(program), range(2), 20, cache=False).differences
