"""Small programs by hand: a catalogue in which any expression, statement or routine can be tried.

`World` gathers declarations and lays them out; `world.program()` is the finished program. `small()` is a
whole game: two players in turn take 1 to 3 from a heap, roll, draw a card, and who takes the last one wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.types import NONE, TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type

PLACE = p.Place("game.scn", 1, 1, 1, 10)
PLAYERS, CARDS, CELLS = 0, 1, 2


def num(value: int) -> ir.Const:
    return ir.Const(Int(value, value), value)


def truth(value: bool = True) -> ir.Const:
    return ir.Const(TRUTH, int(value))


def member(domain: int, index: int) -> ir.Const:
    return ir.Const(Id(domain), index)


def none_of(domain: int) -> ir.Const:
    return ir.Const(Id(domain, optional=True), NONE)


def op(kind: Type, name: str, *args: ir.Expr) -> ir.Op:
    return ir.Op(kind, name, args)


def test_of(name: str, *args: ir.Expr) -> ir.Op:
    """An operation that yields a truth."""
    return ir.Op(TRUTH, name, args)


test_of.__test__ = False  # type: ignore[attr-defined]


def everyone(domain: int, count: int) -> ir.Const:
    """The set of all members of a domain."""
    return ir.Const(SetOf(Id(domain)), (1 << count) - 1)


def numbers(low: int, high: int) -> ir.Const:
    """The set of the numbers from low to high."""
    return ir.Const(SetOf(Int(low, high)), (1 << (high - low + 1)) - 1)


@dataclass
class World:
    """A program under construction."""

    domains: list[p.Domain] = field(default_factory=list)
    texts: list[p.Text] = field(default_factory=list)
    clauses: list[p.Clause] = field(default_factory=list)
    vars: list[p.Var] = field(default_factory=list)
    data: list[p.Data] = field(default_factory=list)
    values: list[p.Value] = field(default_factory=list)
    actions: list[p.Action] = field(default_factory=list)
    procedures: list[p.Procedure] = field(default_factory=list)
    routines: list[p.Routine] = field(default_factory=list)
    endings: list[p.Ending] = field(default_factory=list)
    options: list[p.Option] = field(default_factory=list)
    boards: list[p.Board] = field(default_factory=list)
    pools: list[p.Pool] = field(default_factory=list)
    tests: list[p.Test] = field(default_factory=list)
    promises: list[p.Promise] = field(default_factory=list)
    end: int = p.FIRST_VAR
    stack: int | None = None

    def text(self, text: str) -> int:
        self.texts.append(p.Text((("", text),)))
        return len(self.texts) - 1

    def clause(self, name: str, kind: str = "action") -> int:
        self.clauses.append(p.Clause(kind, name, (name,), False, (), PLACE, f"{name}: ..."))
        return len(self.clauses) - 1

    def domain(
        self, name: str, members: tuple[str, ...], kind: str = "enum", parts: tuple[int, ...] = ()
    ) -> int:
        labels = tuple(self.text(each) for each in members)
        self.domains.append(p.Domain(name, kind, members, labels, parts))
        return len(self.domains) - 1

    def slots(self, kind: Type) -> int:
        match kind:
            case Int() | Id():
                return 1
            case SetOf(Int(low, high)):
                return -(-(high - low + 1) // 32)
            case SetOf(Id(domain)):
                return -(-len(self.domains[domain].members) // 32)
            case BagOf(domain):
                return len(self.domains[domain].members)
            case ListOf(of, limit):
                return 1 + limit * self.slots(of)
            case Record(_, types):
                return len(types)
            case _:
                raise AssertionError(kind)

    def var(
        self,
        name: str,
        kind: Type,
        initial: ir.Expr,
        *,
        of: int | None = None,
        role: str = "field",
        audience: ir.Expr | None = None,
    ) -> int:
        width = self.slots(kind)
        self.vars.append(p.Var(name, of, kind, self.end, width, initial, audience, role, None, None))
        self.end += width * (1 if of is None else len(self.domains[of].members))
        return len(self.vars) - 1

    def table(
        self,
        name: str,
        kind: Type,
        dims: tuple[tuple[int, int], ...],
        values: tuple[int | tuple[int, ...], ...],
    ) -> int:
        self.data.append(p.Data(name, kind, dims, values))
        return len(self.data) - 1

    def value(
        self,
        name: str,
        params: tuple[Type, ...],
        result: Type,
        base: ir.Expr,
        clauses: tuple[p.ValueClause, ...] = (),
        *,
        locals_: tuple[Type, ...] = (),
        rounding: str | None = None,
    ) -> int:
        stages = ("becomes", "times", "plus", "bounds")
        names = tuple(f"p{n}" for n in range(len(params)))
        self.values.append(
            p.Value(name, params, names, (*params, *locals_), result, base, clauses, stages, rounding, None)
        )
        return len(self.values) - 1

    def action(
        self,
        name: str,
        params: tuple[Type, ...] = (),
        prohibitions: tuple[p.Prohibition, ...] = (),
        *,
        by: int | None = None,
        procedure: int | None = None,
        routine: int | None = None,
        locals_: tuple[Type, ...] = (),
    ) -> int:
        names = tuple(f"p{n}" for n in range(len(params)))
        label = self.text(name)
        self.actions.append(
            p.Action(
                name,
                "action",
                params,
                names,
                (*params, *locals_),
                by,
                prohibitions,
                procedure,
                routine,
                label,
                None,
            )
        )
        return len(self.actions) - 1

    def procedure(
        self,
        name: str,
        body: tuple[ir.Stmt, ...],
        *,
        params: tuple[Type, ...] = (),
        locals_: tuple[Type, ...] = (),
        result: Type | None = None,
    ) -> int:
        self.procedures.append(p.Procedure(name, len(params), (*params, *locals_), result, body))
        return len(self.procedures) - 1

    def routine(
        self,
        name: str,
        blocks: tuple[ir.Block, ...],
        *,
        params: tuple[Type, ...] = (),
        locals_: tuple[Type, ...] = (),
        result: Type | None = None,
    ) -> int:
        kinds = (*params, *locals_)
        offsets, at = [], 0
        for kind in kinds:
            offsets.append(at)
            at += self.slots(kind)
        width = at + p.FRAME_HEAD
        self.routines.append(p.Routine(name, len(params), kinds, tuple(offsets), width, result, blocks))
        return len(self.routines) - 1

    def program(self, main: int = 0) -> p.Program:
        """The program, its stack as large as all its routines together unless told otherwise."""
        stack = self.stack if self.stack is not None else sum(each.width for each in self.routines)
        return p.Program(
            name="game",
            scenario="scenario",
            title=None,
            language="fr",
            decisions=1000,
            players=PLAYERS,
            texts=tuple(self.texts),
            clauses=tuple(self.clauses),
            domains=tuple(self.domains),
            vars=tuple(self.vars),
            data=tuple(self.data),
            values=tuple(self.values),
            actions=tuple(self.actions),
            procedures=tuple(self.procedures),
            routines=tuple(self.routines),
            endings=tuple(self.endings),
            sites=(p.Site(PLACE, None),),
            options=tuple(self.options),
            boards=tuple(self.boards),
            pools=tuple(self.pools),
            rules=(),
            main=main,
            frames=self.end,
            size=self.end + stack,
            tests=tuple(self.tests),
            promises=tuple(self.promises),
        )


def world() -> World:
    """Players `ana` and `bob`, cards `c0` to `c4`, cells `a1` to `a3`."""
    made = World()
    made.domain("Player", ("ana", "bob"), "player")
    made.domain("Card", ("c0", "c1", "c2", "c3", "c4"), "piece")
    made.domain("Cell", ("a1", "a2", "a3"), "cell")
    return made


def with_main(made: World, *blocks: ir.Block, locals_: tuple[Type, ...] = ()) -> p.Program:
    """The program whose main routine has these blocks."""
    main = made.routine("main", blocks, locals_=locals_)
    return made.program(main)


def idle(made: World) -> p.Program:
    """The program whose main routine returns at once."""
    return with_main(made, ir.Block((), ir.Return()))


HEAP, TURN, SCORE, HAND, TAKEN, LAST = range(6)


def small() -> p.Program:
    """The whole game."""
    made = world()
    _variables(made)
    _rules(made)
    _take(made)
    _main(made)
    ends = ir.Load(Int(0, 20), HEAP)
    who = test_of("eq", ir.Load(Id(PLAYERS), TURN), ir.Local(Id(PLAYERS), 0))
    wins = test_of("and", test_of("eq", ends, num(0)), who)
    made.endings.append(
        p.Ending("victory", None, wins, (Id(PLAYERS),), False, False, made.text("empty"), None)
    )
    return made.program(0)


def _variables(made: World) -> None:
    made.var("heap", Int(0, 20), num(7))
    made.var("turn", Id(PLAYERS), member(PLAYERS, 0))
    made.var("score", Int(0, 60), num(0), of=PLAYERS)
    mine = test_of("eq", ir.Local(Id(PLAYERS), 0), ir.Local(Id(PLAYERS), 1))
    made.var("hand", SetOf(Id(CARDS)), ir.Const(SetOf(Id(CARDS)), 0), of=PLAYERS, audience=mine)
    made.var("taken", ListOf(Int(1, 3), 8), ir.Const(ListOf(Int(1, 3), 8), ()))
    made.var("last", Id(CARDS, optional=True), none_of(CARDS))
    made.table("printed", Int(1, 5), ((0, 5),), (1, 2, 3, 4, 5))


def _rules(made: World) -> None:
    card = ir.Local(Id(CARDS), 0)
    printed = ir.Lookup(Int(1, 5), 0, (card,))
    many = test_of("gt", ir.Load(Int(0, 20), HEAP), num(3))
    plus = p.ValueClause(made.clause("[X-1]", "modify"), "plus", many, num(2), None, ())
    made.value("worth", (Id(CARDS),), Int(0, 7), printed, (plus,))
    amount = ir.Local(Int(1, 3), 1)
    too_many = test_of("gt", amount, ir.Load(Int(0, 20), HEAP))
    need = p.Prohibition(made.clause("[X-2]", "need"), "need", too_many, made.text("not enough"), (), ())
    made.action("take", (Id(PLAYERS), Int(1, 3)), (need,), by=0, procedure=0)


def _take(made: World) -> None:
    player, amount = ir.Local(Id(PLAYERS), 0), ir.Local(Int(1, 3), 1)
    rolled, card = ir.Local(Int(1, 6), 2), ir.Local(Id(CARDS), 3)
    hand = SetOf(Id(CARDS))
    left = ir.Op(hand, "minus", (everyone(CARDS, 5), ir.Load(hand, HAND, player)))
    taken = ir.Op(hand, "union", (ir.Load(hand, HAND, player), ir.Op(hand, "single", (card,))))
    draw = (
        ir.Pick(3, left, 0),
        ir.Store(HAND, player, None, taken, 0),
        ir.Store(LAST, None, None, card, 0),
        ir.Change(SCORE, player, None, ir.Ask(Int(0, 7), 0, (card,)), True, False, 0),
    )
    lucky = test_of(
        "and", test_of("ge", rolled, num(5)), test_of("gt", ir.Op(Int(0, 5), "size", (left,)), num(0))
    )
    body: tuple[ir.Stmt, ...] = (
        ir.Change(HEAP, None, None, amount, False, True, 0),
        ir.Roll(2, num(1), 6, 0),
        ir.If(lucky, draw),
        ir.Log(made.text("{0} takes {1}"), (player, amount), None, "do"),
        ir.TestEndings(False),
    )
    made.procedure("take", body, params=(Id(PLAYERS), Int(1, 3)), locals_=(Int(1, 6), Id(CARDS)))


def _main(made: World) -> None:
    turn, amount = ir.Load(Id(PLAYERS), TURN), ir.Local(Int(1, 3), 0)
    offer = ir.Offer(
        "do",
        (ir.OfferVar(0, numbers(1, 3), None),),
        ir.Judge(TRUTH, 0, (turn, amount)),
        0,
        (turn, amount),
        made.text("take {0}"),
        (amount,),
        1,
    )
    ask = ir.Decide(turn, (offer,), made.text("how many?"), (), True, None, 0)
    other = ir.Op(
        Id(PLAYERS), "if", (test_of("eq", turn, member(PLAYERS, 0)), member(PLAYERS, 1), member(PLAYERS, 0))
    )
    made.routine(
        "main",
        (
            ir.Block((), ask),
            ir.Block(
                (ir.Call(0, (turn, amount), None, 0), ir.Store(TURN, None, None, other, 0)),
                ir.Branch(test_of("gt", ir.Load(Int(0, 20), HEAP), num(0)), 0, 2),
            ),
            ir.Block((), ir.Return()),
        ),
        locals_=(Int(1, 3),),
    )


def with_procedure(body: tuple[ir.Stmt, ...], *, locals_: tuple[Type, ...] = ()) -> p.Program:
    """The small game with one more procedure, that nothing calls."""
    game = small()
    return replace(game, procedures=(*game.procedures, p.Procedure("tried", 0, locals_, None, body)))
