from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.operators import OPERATORS
from dsl.ir.ops import WORDS
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, SetOf, Type
from dsl.ir.verify.graph import everything as all_nodes
from dsl.ir.verify.program import findings, verify
from tests.ir.builders import (
    CARDS,
    HAND,
    HEAP,
    PLAYERS,
    SCORE,
    TAKEN,
    everyone,
    member,
    num,
    numbers,
    op,
    small,
    test_of,
    truth,
    with_main,
    with_procedure,
    world,
)
from tests.ir.samples import PILE, everything

WIDE = Int(-(10**6), 10**6)
BIG = ir.Local(Int(0, 2**40), 0)
HEAPED = ir.Load(Int(0, 20), HEAP)
MAYBE = ir.Load(Id(CARDS, optional=True), 5)


def told(program: p.Program) -> str:
    found = verify(program, "x.json")
    assert all(each.code is Code.IR_VERIFICATION and each.hint and each.file == "x.json" for each in found)
    return "\n".join(each.message for each in found)


def test_good_programs_pass() -> None:
    assert told(small()) == ""
    assert told(everything()) == ""


def test_only_procedures_and_routines_begin_with_zeros() -> None:
    """A local of a function has what it was given, or nothing: not even where its type has a zero."""
    program = small()
    unset = op(TRUTH, "eq", ir.Local(Int(0, 9), 1), num(0))
    ending = replace(program.endings[0], condition=unset, locals=(Id(PLAYERS), Int(0, 9)))
    message = told(replace(program, endings=(ending, *program.endings[1:])))
    assert "local 1 is read before it is set" in message
    value = p.Value("v", (), (), (Int(0, 9), Int(0, 9)), TRUTH, unset, (), (), None, None)
    assert "local 1 is read before it is set" in told(replace(program, values=(*program.values, value)))
    read = ir.If(unset, ())
    assert told(with_procedure((read,), locals_=(Int(0, 9), Int(0, 9)))) == ""


def test_the_sample_holds_every_node_and_word() -> None:
    met = list(all_nodes(everything()))
    classes = {type(node) for node in met}
    assert {cls for cls, _ in WORDS} <= classes
    assert {node.op for node in met if isinstance(node, ir.Op)} == set(OPERATORS)
    assert {node.kind for node in met if isinstance(node, ir.Fold)} == set(WORDS[ir.Fold, "kind"])


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (op(Int(0, 5), "add", num(3), num(3)), "`add` yields 6..6, and is declared as 0..5"),
        (op(WIDE, "mul", num(10**6), num(10**6)), "`mul` yields"),
        (op(WIDE, "add", num(1)), "`add` does not take (1..1)"),
        (op(WIDE, "add", num(1), MAYBE), "`add` does not take"),
        (op(WIDE, "div_down", num(1), num(0)), "always divides by 0"),
        (op(Int(-(2**63) - 1, 0), "neg", num(1)), "no range"),
        (op(TRUTH, "and", num(4), truth()), "`and` does not take"),
        (test_of("eq", num(1), member(CARDS, 0)), "`eq` does not take (1..1, id of 1)"),
        (test_of("eq", member(PLAYERS, 1), member(CARDS, 0)), "`eq` does not take (id of 0, id of 1)"),
        (test_of("lt", everyone(CARDS, 5), everyone(CARDS, 5)), "`lt` does not take"),
        (op(Id(CARDS), "if", truth(), MAYBE, member(CARDS, 0)), "`if` does not take"),
        (op(SetOf(Int(1, 3)), "union", numbers(1, 3), numbers(4, 6)), "`union` does not take"),
        (op(SetOf(Id(9)), "single", num(1)), "there is no domain 9"),
        (op(Id(CARDS), "only", everyone(CARDS, 5)), "`only` yields id of 1?, and is declared as id of 1"),
        (op(Int(1, 3), "item", ir.Load(ListOf(Int(1, 3), 8), TAKEN), MAYBE), "`item` does not take"),
        (op(WIDE, "explode", num(1)), "`op` of a `Op` is `explode`"),
        (ir.Const(Int(0, 5), 6), "not a value of its type"),
        (ir.Const(SetOf(Id(CARDS)), 32), "not a value of its type"),
        (ir.Const(Int(0, 5), NONE), "not a value of its type"),
        (ir.Const(Int(5, 0), 3), "no range from 5 to 0"),
        (ir.Const(Int(NONE, 0, optional=True), 0), "cannot be as low"),
        (ir.Const(SetOf(Int(0, 16_384)), 0), "16385 elements of a set"),
        (ir.Const(SetOf(Int(2**31, 2**31 + 5)), 0), "a set of numbers from 2147483648"),
        (op(Int(0, 9), "cast", ir.Local(WIDE, 0), num(2**63 - 1)), "leaves 64 bits"),
        (test_of("eq", numbers(0, 5), numbers(10**6, 10**6 + 5)), "more than 8192 apart"),
        (op(SetOf(Int(0, 5)), "minus", numbers(0, 5), numbers(10**6, 10**6 + 5)), "more than 8192 apart"),
        (ir.Const(BagOf(CARDS, 2), (1, 2, 3, 0, 0)), "not a value of its type"),
        (ir.Const(ListOf(Int(0, 3), 2), (1, 1, 1)), "not a value of its type"),
        (ir.Local(Int(0, 5), 7), "there is no local 7"),
        (ir.Local(Int(5, 9), 1), "local 1 is read before it is set"),
        (ir.Load(Int(0, 20), 99), "`var` of a `Load` is 99, and there are 6 vars"),
        (ir.Load(Int(0, 5), HEAP), "`Load` yields 0..20"),
        (ir.Load(Int(0, 60), SCORE), "variable 2 has an owner"),
        (ir.Load(Int(0, 20), HEAP, member(PLAYERS, 0)), "variable 0 has no owner"),
        (ir.Load(Int(0, 60), SCORE, member(CARDS, 0)), "owner of variable 2 of type id of 1"),
        (ir.LoadItem(Int(0, 3), HAND, member(PLAYERS, 0), num(0)), "variable 3 has no such item"),
        (ir.Lookup(Int(1, 5), 0, ()), "table 0 has 1 dimensions, not 0"),
        (ir.Ask(Int(0, 7), 0, ()), "value 0 takes 1 arguments, not 0"),
        (ir.Ask(Int(0, 7), 5, ()), "`value` of a `Ask` is 5"),
        (ir.Judge(TRUTH, 0, (member(PLAYERS, 0), num(4))), "argument of action 0 of type 4..4 where 1..3"),
        (ir.Reach(TRUTH, 0, (), truth(), 1000), "a search looks from 1 to"),
        (
            ir.Trial(TRUTH, 0, (member(PLAYERS, 0), num(1)), truth()),
            "procedure 0 is tried, and leaves something to chance",
        ),
        (ir.Fold(TRUTH, "any", 1, num(3), None, None), "nothing can run over 3..3"),
        (ir.Fold(Int(0, 5), "sum", 2, numbers(1, 9), None, num(1)), "`sum` yields 0..9"),
        (ir.Fold(TRUTH, "every", 2, numbers(1, 9), None, num(4)), "tests a value of type"),
        (ir.Fold(SetOf(Int(1, 3)), "all", 2, numbers(1, 9), None, None), "a set of 1..9"),
        (ir.LetIn(TRUTH, 1, num(3), truth()), "local 1 of type 3..3 where 5..9"),
    ],
)
def test_an_expression_is_refused(expr: ir.Expr, message: str) -> None:
    body = (ir.Log(0, (expr,), None),)
    assert message in told(with_procedure(body, locals_=(WIDE, Int(5, 9), Int(0, 100))))


def folds_inside_each_other(count: int) -> p.Program:
    many = SetOf(Int(0, 999))
    deep: ir.Expr = truth()
    for index in range(count):
        deep = ir.Fold(TRUTH, "any", index, ir.Const(many, (1 << 1000) - 1), None, deep)
    locals_: tuple[Type, ...] = (Int(0, 999),) * count
    return with_procedure((ir.If(deep, ()),), locals_=locals_)


def test_folds_that_count_their_steps_may_multiply() -> None:
    found = findings(folds_inside_each_other(3))
    assert not found.faults
    assert 1000**3 < found.work < 4 * 1000**3


def test_an_expression_cannot_take_for_ever_without_counting() -> None:
    """Values that ask another one twice: no fold is there to take steps for it."""
    program = with_procedure((), locals_=())
    first = len(program.values)
    asked = [
        ir.Op(Int(0, 1), "max", (ir.Ask(Int(0, 1), number - 1, ()),) * 2) if number > first else num(1)
        for number in range(first, first + 40)
    ]
    values = [p.Value(f"v{n}", (), (), (), Int(0, 1), e, (), (), None, None) for n, e in enumerate(asked)]
    message = told(replace(program, values=(*program.values, *values)))
    assert "more than 20000000 nodes that no step counts" in message


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (ir.SetLocal(0, num(11)), "local 0 of type 11..11 where 0..10"),
        (ir.SetLocal(4, num(1)), "there is no local 4"),
        (ir.Store(HEAP, None, None, member(CARDS, 0), 0), "id of 1 is written where 0..20 is kept"),
        (ir.Store(HEAP, None, None, num(1), 3), "`site` of a `Store` is 3"),
        (ir.Change(HAND, member(PLAYERS, 0), None, num(1), True, False, 0), "nothing is added to set"),
        (ir.Roll(0, num(-1), 6, 0), "nobody throws"),
        (ir.RollList(0, num(1), 6, 0), "dice do not fit"),
        (ir.Pick(0, num(1), 0), "nothing can run over"),
        (ir.Pick(0, everyone(CARDS, 5), 0, everyone(CARDS, 5)), "does not weigh id of 1"),
        (ir.MoveCard(0, member(CARDS, 0), num(0), True, 0), "`pool` of a `MoveCard` is 0"),
        (ir.Call(0, (), None, 0), "procedure 0 takes 2 arguments"),
        (ir.Call(1, (), None, 0), "procedure 1 leads back to itself"),
        (ir.If(num(3), ()), "a condition is of type 3..3"),
        (ir.Leave(0), "no guarded block 0 around"),
        (ir.Guarded(0, (ir.Guarded(0, ()),)), "inside itself"),
        (ir.TakeResult(0), "a result is taken at the beginning"),
        (ir.Batch((ir.Roll(0, num(1), 6, 0),), 0), "chance decides within a batch"),
        (ir.Batch((ir.Call(0, (member(PLAYERS, 0), num(1)), None, 0),), 0), "leaves something to chance"),
        (ir.Fail("E0101", 0), "a rule fails with a code"),
        (ir.Give(num(1)), "gives what its result does not say"),
        (ir.Log(0, (), 99), "`clause` of a `Log` is 99"),
        (ir.Loop(num(10**7), truth(), (), 0), "a loop of"),
        (ir.ForEach(0, everyone(CARDS, 5), (), 0), "local 0 of type id of 1"),
        (ir.Refused(0, (), 0), "action 0 takes 2 arguments"),
        (ir.Log(0, (), None, "shout"), "`kind` of a `Log` is `shout`"),
        (ir.Log(0, (num(1),), None, veiled=(1,)), "numbers below 1"),
        (ir.Log(0, (num(1), num(2)), None, veiled=(1, 0)), "in order"),
    ],
)
def test_a_statement_is_refused(statement: ir.Stmt, message: str) -> None:
    assert message in told(with_procedure((statement,), locals_=(Int(0, 10), Int(5, 9))))


def test_loops_inside_each_other_are_bounded() -> None:
    body: tuple[ir.Stmt, ...] = ()
    for _ in range(11):
        body = (ir.Loop(num(2), truth(), body, 0),)
    assert "inside each other" in told(with_procedure(body))


def test_a_local_set_on_one_way_only_is_not_set() -> None:
    read = ir.SetLocal(0, ir.Local(Int(5, 9), 0))
    once = ir.If(truth(), (ir.SetLocal(0, num(5)),))
    locals_ = (Int(5, 9),)
    assert "local 0 is read before" in told(with_procedure((once, read), locals_=locals_))
    both = ir.If(truth(), (ir.SetLocal(0, num(5)),), (ir.Fail("E0604", 0),))
    assert told(with_procedure((both, read), locals_=locals_)) == ""
    left = ir.Guarded(0, (ir.If(truth(), (ir.Leave(0),)), ir.SetLocal(0, num(6))))
    assert "local 0 is read before" in told(with_procedure((left, read), locals_=locals_))


def stop(block: int) -> ir.Decide:
    offer = ir.Offer("stop", (), None, None, (), 0, (), block)
    return ir.Decide(member(PLAYERS, 0), (offer,), None, (), True, None, 0)


RETURN = ir.Block((), ir.Return())


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ((), "0 blocks"),
        ((ir.Block((), ir.Jump(7)),), "there is no block 7"),
        ((ir.Block((), ir.Return(num(1))),), "returns what its result does not say"),
        ((ir.Block((ir.SetLocal(0, num(1)),), stop(1)), RETURN), "has no statements"),
        ((ir.Block((), replace(stop(1), offers=())), RETURN), "nothing to choose, ever"),
        ((ir.Block((), ir.Enter(0, (), 1, 0)), RETURN), "enters itself again"),
        ((ir.Block((), ir.Branch(num(3), 0, 0)),), "a condition is of type"),
        ((ir.Block((ir.Give(None),), ir.Return()),), "only a procedure gives"),
        (
            (ir.Block((), ir.Jump(1)), ir.Block((ir.SetLocal(1, ir.Local(Int(5, 9), 1)),), ir.Return())),
            "local 1 is read",
        ),
    ],
)
def test_a_routine_is_refused(blocks: tuple[ir.Block, ...], message: str) -> None:
    made = world()
    assert message in told(with_main(made, *blocks, locals_=(Int(0, 10), Int(5, 9))))


def test_the_result_of_a_routine_is_taken() -> None:
    made = world()
    taking = ir.Block((ir.TakeResult(0),), ir.Return())
    made.routine("main", (ir.Block((), ir.Enter(1, (), 1, 0)), taking), locals_=(Int(0, 9),))
    made.routine("inner", (ir.Block((), ir.Return(num(3))),), result=Int(0, 9))
    program = made.program()
    assert told(program) == ""
    twice = (ir.Block((), ir.Branch(truth(), 1, 2)), ir.Block((), ir.Enter(1, (), 2, 0)), taking)
    main = replace(program.routines[0], blocks=twice)
    assert "block 2, to which a routine returns" in told(
        replace(program, routines=(main, program.routines[1]))
    )
    main = replace(program.routines[0], blocks=(program.routines[0].blocks[0], RETURN))
    assert "does not take the result" in told(replace(program, routines=(main, program.routines[1])))
    assert "and can need 18" in told(replace(program, size=program.size - 1))


def test_a_counted_routine_may_enter_itself() -> None:
    made = world()
    made.var("depth", Int(0, 3), num(0), role="depth")
    again = test_of("lt", ir.Load(Int(0, 3), 0), num(3))
    deeper = ir.Change(0, None, None, num(1), False, False, 0)
    made.stack = 4 * 3
    blocks = (
        ir.Block((), ir.Branch(again, 1, 2)),
        ir.Block((deeper,), ir.Enter(0, (), 3, 0)),
        RETURN,
        RETURN,
    )
    made.routine("main", blocks)
    assert told(made.program()) == ""
    made.stack -= 1
    assert "and can need 24" in told(made.program())


def test_an_offer_has_not_too_many_combinations() -> None:
    everything_ = tuple(ir.OfferVar(index, numbers(0, 999), None) for index in range(4))
    offer = ir.Offer("stop", everything_, None, None, (), 0, (), 1)
    program = with_main(
        world(),
        ir.Block((), ir.Decide(member(PLAYERS, 0), (replace(offer, kind="pass"),), None, (), True, None, 0)),
        RETURN,
        locals_=(Int(0, 999),) * 4,
    )
    assert "1000000000000 combinations" in told(program)


def changed(table: str, index: int, **fields: Any) -> p.Program:
    program = everything()
    entries = list(getattr(program, table))
    entries[index] = replace(entries[index], **fields)
    return replace(program, **{table: tuple(entries)})


def with_step(step: p.TestStep) -> p.Program:
    return changed("tests", 0, steps=(step,))


TO_PILE = ir.Store(PILE, member(CARDS, 0), None, member(PLAYERS, 0), 0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: replace(everything(), main=9), "`main` of a `Program` is 9"),
        (lambda: replace(everything(), size=10**7), "at most 1000000"),
        (lambda: replace(everything(), frames=11), "behind the first frame"),
        (lambda: replace(everything(), decisions=0), "a game of 0 decisions"),
        (lambda: changed("vars", 0, offset=12), "in another's slots"),
        (lambda: changed("vars", 0, width=4), "variable 0 is 5 slots wide, not 4"),
        (lambda: changed("vars", 0, of=99), "there is no domain 99"),
        (lambda: changed("vars", 0, role="toy"), "`role` of a `Var` is `toy`"),
        (lambda: changed("vars", 7, initial=member(CARDS, 0)), "begins as id of 1, and is 0..2"),
        (lambda: changed("vars", 7, initial=ir.Local(Int(0, 2), 0)), "there is no local 0"),
        (lambda: changed("vars", 7, type=Int(0, 2**31)), "do not fit into the state"),
        (lambda: changed("data", 0, values=(0, 1)), "2 entries, expected 5"),
        (lambda: changed("data", 0, values=(0, 1, 2, 3, 4)), "entry 3 is no value of its type"),
        (lambda: changed("domains", 3, members=("a",), labels=()), "its parts have 8 members, and it has 1"),
        (lambda: changed("domains", 0, labels=(1,)), "2 members have 1 labels"),
        (lambda: changed("texts", 0, texts=(("en", "x"),)), "game's own language"),
        (lambda: changed("options", 0, default=2), "its default 2 is not between 0 and 1"),
        (lambda: changed("options", 0, choices=("a", "b", "c")), "its variable cannot hold 0 to 2"),
        (lambda: changed("boards", 0, neighbours=(9, 0, 0)), "none of its cells"),
        (lambda: changed("pools", 0, in_play=0), "variable 0 cannot be its `in_play`"),
        (lambda: changed("pools", 0, order=None), "one of `pile` and `order`"),
        (lambda: changed("pools", 0, owners=((-1, -1),)), "of each pile whose it is"),
        (lambda: changed("pools", 0, own_words=(0,)), "of each pile whose it is"),
        (lambda: changed("pools", 0, owners=((-1, -1), (0, 9))), "a pile is of member 9 of domain 0"),
        (lambda: changed("values", 0, stages=("plus",)), "a stage that it does not have"),
        (lambda: changed("values", 0, names=()), "1 parameters have 0 names"),
        (lambda: changed("actions", 0, by=5), "parameter 5 is to be who does it"),
        (lambda: changed("actions", 0, procedure=1), "takes other parameters"),
        (lambda: changed("endings", 2, who=4), "there is no player 4"),
        (lambda: changed("routines", 0, width=99), "slots wide, not 99"),
        (lambda: changed("routines", 0, result=Int(0, 3)), "the main routine has no result"),
        (lambda: changed("domains", 3, members=(), labels=(), parts=(3,)), "a union itself"),
        (lambda: changed("boards", 0, x=(0, 10**6, 2)), "too far away"),
        (lambda: changed("boards", 0, x=(0, 999, 2), y=(0, 999, 0)), "rectangle of 1000000 places"),
        (lambda: changed("clauses", 0, place=replace(everything().clauses[0].place, line=-3)), "line -3"),
        (lambda: changed("vars", 7, role="seats"), "who has a seat"),
        (lambda: changed("actions", 0, by=1), "parameter 1 is to be who does it"),
        (lambda: with_step(p.TestStep("given", index=0)), "gives its procedure other arguments"),
        (lambda: with_step(p.TestStep("run", index=1)), "gives its routine other arguments"),
        (lambda: with_step(p.TestStep("given", index=0, params=(3,))), "gives its procedure other arguments"),
        (lambda: with_step(p.TestStep("stop", bound=(0,))), "`stop` binds nothing"),
        (lambda: with_step(p.TestStep("illegal", action=0)), "gives its action other arguments"),
        (lambda: with_step(p.TestStep("do", action=0)), "gives its action more or fewer arguments"),
        (lambda: with_step(p.TestStep("expect")), "`expect` has one condition"),
        (lambda: with_step(p.TestStep("decisions", numbers=(-1,))), "a number of decisions"),
        (lambda: changed("procedures", 2, body=(TO_PILE,)), "keeps a pile"),
        (lambda: changed("routines", 0, offsets=(0, 0, 0)), "local 1 begins at 0, not at 1"),
    ],
)
def test_a_catalogue_is_refused(make: Callable[[], p.Program], message: str) -> None:
    assert message in told(make())


def test_clauses_over_each_other_are_refused() -> None:
    value = everything().values[0]
    first, *rest = value.clauses
    program = changed("values", 0, clauses=(first, rest[0], replace(rest[1], overruled_by=(0,)), *rest[2:]))
    assert "clauses 0, 2 are over each other" in told(program)


def test_a_value_cannot_ask_itself() -> None:
    program = changed("values", 0, base=ir.Ask(Int(0, 6), 0, (ir.Local(Int(0, 6), 0),)))
    assert "value 0 leads back to itself" in told(program)


def test_a_variable_begins_without_later_ones() -> None:
    game = small()
    late = replace(game.vars[0], name="late", type=Int(1, 6), offset=game.frames, initial=num(1))
    early = replace(game.vars[0], initial=ir.Load(Int(1, 6), 6))
    program = replace(game, vars=(early, *game.vars[1:], late), frames=game.frames + 1, size=game.size + 1)
    assert "variable 6 holds, which has no value yet" in told(program)


def test_a_label_shows_only_what_it_is_given() -> None:
    program = changed("texts", len(everything().texts) - 1, texts=(("", "{7}"),))
    assert "shows argument 7, and there are 0" in told(program)


def test_what_is_shared_is_counted_wherever_it_stands() -> None:
    """An engine writes it out as often: a document of a few lines would take a gigabyte."""
    doubled: ir.Expr = test_of("eq", HEAPED, num(1))
    for _ in range(16):
        doubled = test_of("or", doubled, doubled)
    assert "a function larger than 50000" in told(with_procedure((ir.If(doubled, ()),)))
    some: ir.Expr = test_of("eq", HEAPED, num(1))
    for _ in range(13):
        some = test_of("or", some, some)
    program = with_procedure((ir.If(some, ()),))
    many = (program.procedures[1],) * 20
    assert "larger than 400000" in told(replace(program, procedures=(*program.procedures, *many)))


def test_clauses_are_not_over_each_other_without_end() -> None:
    first, *_ = everything().values[0].clauses
    chain = tuple(replace(first, overruled_by=(number + 1,)) for number in range(199))
    program = changed("values", 0, clauses=(*chain, replace(first, overruled_by=())))
    assert "more than 150 clauses are over each other" in told(program)


def test_a_first_value_searches_nothing() -> None:
    search = ir.Reach(TRUTH, 2, (), truth(), 1)
    program = changed("vars", 7, initial=search)
    assert "what a search finds" in told(program)
