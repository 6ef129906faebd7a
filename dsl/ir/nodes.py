"""The program part of the IR: pure expressions, statements, routines.

*Expressions* are pure and total over the state vector. *Procedures* (and all expressions) can never reach a
decision: they are plain structured code. *Routines* can reach one: each is a list of basic blocks that end in one
terminator, and runs on a frame inside the state vector, whose program counter is the number of the block. So a
suspended game is plain data, for every engine alike.

Locals are numbered; parameters come first. Everything is resolved: `var`, `data`, `value`, `action`, `procedure`,
`routine`, `label`, `clause` are indices into the tables of `program.Program`.
"""

from __future__ import annotations

from dataclasses import field

from dsl.ir.types import Type
from dsl.records import record

LOWERED = "lowered"
UNMETERED = -1


def lowered() -> int:
    """A field that only passes and engines know: it is in no document, and no hash. Until a pass fills it in it is
    `UNMETERED`.
    """
    return field(default=UNMETERED, metadata={LOWERED: True})


# ---------------------------------------------------------------- expressions


@record(frozen=True, slots=True)
class Const:
    """A scalar (`int`), a set (bits as one `int`), a bag or record (a tuple of counts or fields), a list (a tuple)."""

    type: Type
    value: int | tuple[int, ...]


@record(frozen=True, slots=True)
class Local:
    type: Type
    index: int


@record(frozen=True, slots=True)
class Load:
    """The state variable `var`, of the element `owner` where it belongs to a domain."""

    type: Type
    var: int
    owner: Expr | None = None


@record(frozen=True, slots=True)
class LoadItem:
    """One count of a bag variable (`item` is the member), one field of a record, or one element of a list (from 0)."""

    type: Type
    var: int
    owner: Expr | None
    item: Expr


@record(frozen=True, slots=True)
class Lookup:
    """A constant table: `data` with one index per dimension (values as the dimension's type, see `program.Data`)."""

    type: Type
    data: int
    indices: tuple[Expr, ...]


@record(frozen=True, slots=True)
class Op:
    """An operator on values, see [Operators](#operators).

    Its operands are evaluated from left to right, but for those that `and`, `or`, `if` and `else_` leave out.
    """

    type: Type
    op: str
    args: tuple[Expr, ...]


@record(frozen=True, slots=True)
class LetIn:
    """Binds local `index` to `value` within `body`."""

    type: Type
    index: int
    value: Expr
    body: Expr


@record(frozen=True, slots=True)
class Fold:
    """The one loop of expressions: local `index` runs over `domain` (a set, ascending, or a list), fixed at entry.

    `kind`: `any every count sum all first least most lowest highest union closure ordered`. Elements for which `where`
    fails are skipped.
    `body` is the truth of `any`/`every` (constant true for `any` with only a `where`), the term of `sum`, the measure
    of `least`/`most` (all elements that share the least or greatest measure, as a set) and `lowest`/`highest` (that
    measure, or none where there is no element). `union`: what is in the set `body` of any element. `closure`: the
    domain, a set of members, with the elements of the set `body` of each of them, and so on until nothing is new;
    from what fails `where` it does not go on. `ordered`: the elements as a list, by the measure `body` of each, the
    least first; those of one measure as in the domain.
    """

    type: Type
    kind: str
    index: int
    domain: Expr
    where: Expr | None
    body: Expr | None
    metered: int = lowered()
    """The weight that is counted for each element of the domain (of a `closure` for each of the result); 0: none."""


@record(frozen=True, slots=True)
class Scan:
    """What a loop comes to: local `kept` is `start` first, and becomes `step` for each element (local `index`) of
    `domain` (a set, ascending, or a list), fixed at entry. The type is a scalar or a record.
    """

    type: Type
    index: int
    domain: Expr
    kept: int
    start: Expr
    step: Expr
    metered: int = lowered()
    """As with `Fold`."""


@record(frozen=True, slots=True)
class Ask:
    """A value of the rules: base and the clauses that bear on it (`program.Value`)."""

    type: Type
    value: int
    args: tuple[Expr, ...]


@record(frozen=True, slots=True)
class Judge:
    """Is the action allowed now, with these arguments? True where no prohibition stands."""

    type: Type
    action: int
    args: tuple[Expr, ...]


@record(frozen=True, slots=True)
class Reach:
    """`reachable`: can `goal` be made true by at most `limit` choices of the offers of one ask, on a scratch copy,
    counting only offers without chance and without others' choices?
    """

    type: Type
    routine: int
    args: tuple[Expr, ...]
    goal: Expr
    limit: int


@record(frozen=True, slots=True)
class Trial:
    """Would `condition` hold after `procedure` had run with these arguments? Runs both on a scratch copy of the state,
    which is then thrown away. The procedure leaves nothing to chance.
    """

    type: Type
    procedure: int
    args: tuple[Expr, ...]
    condition: Expr
    metered: int = lowered()
    """The weight that is counted for arguments and condition."""


@record(frozen=True, slots=True)
class Occurrences:
    """How often the position that stands now has stood, this time counted: see `program.History`."""

    type: Type


Expr = (
    Const
    | Local
    | Load
    | LoadItem
    | Lookup
    | Op
    | LetIn
    | Fold
    | Scan
    | Ask
    | Judge
    | Reach
    | Trial
    | Occurrences
)


# ---------------------------------------------------------------- statements


@record(frozen=True, slots=True)
class SetLocal:
    index: int
    value: Expr
    site: int = -1


@record(frozen=True, slots=True)
class Store:
    """Writes a variable, or one item of a bag, record or list variable. Outside the declared range: E0601.

    Inside a `Batch` the write is kept back; two different writes to one slot are E0603.
    """

    var: int
    owner: Expr | None
    item: Expr | None
    value: Expr
    site: int


@record(frozen=True, slots=True)
class Change:
    """Adds `amount` (may be negative; for bags a whole bag, for sets a set, for lists one element, behind its last);
    `saturates` stops at the range's ends.

    With `negative` the amount is taken away instead.

    Inside a `Batch` amounts to one slot add up before the range is checked, what a set gains is joined, and the
    elements that a list gains stand in the order in which the bodies add them; an element that a set both gains and
    loses is E0603.
    """

    var: int
    owner: Expr | None
    item: Expr | None
    amount: Expr
    saturates: bool
    negative: bool
    site: int


@record(frozen=True, slots=True)
class Roll:
    """`index` takes the sum of `count` dice with `sides` sides."""

    index: int
    count: Expr
    sides: int
    site: int


@record(frozen=True, slots=True)
class RollList:
    """`index` takes the list of `count` dice, highest first."""

    index: int
    count: Expr
    sides: int
    site: int


@record(frozen=True, slots=True)
class Pick:
    """`index` takes one element of a set, each as likely, or as likely as its count in the bag `weights`.

    An empty set is E0605.
    """

    index: int
    domain: Expr
    site: int
    weights: Expr | None = None


@record(frozen=True, slots=True)
class MoveCard:
    """Puts piece `card` of pool `pool` on the top or at the bottom of pile number `pile`."""

    pool: int
    card: Expr
    pile: Expr
    top: bool
    site: int


@record(frozen=True, slots=True)
class ShufflePile:
    pool: int
    pile: Expr
    site: int


@record(frozen=True, slots=True)
class Call:
    """Runs a procedure; `result` takes what it returns."""

    procedure: int
    args: tuple[Expr, ...]
    result: int | None
    site: int


@record(frozen=True, slots=True)
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()


@record(frozen=True, slots=True)
class ForEach:
    """Runs `body` for each element of a set (ascending) or list that is fixed at entry."""

    index: int
    domain: Expr
    body: tuple[Stmt, ...]
    site: int
    metered: int = lowered()
    """The weight that is counted for each round, besides its step."""


@record(frozen=True, slots=True)
class Loop:
    """Runs `body` up to `limit` times, while `condition` holds before each run."""

    limit: Expr
    condition: Expr
    body: tuple[Stmt, ...]
    site: int
    metered: int = lowered()
    """As with `ForEach`."""


@record(frozen=True, slots=True)
class Guarded:
    """A labelled block: `Leave` with its number goes to its end."""

    number: int
    body: tuple[Stmt, ...]


@record(frozen=True, slots=True)
class Leave:
    """Goes to the end of the enclosing `Guarded` of that number."""

    number: int


@record(frozen=True, slots=True)
class Batch:
    """Runs `body` with its writes kept back, then commits them at once."""

    body: tuple[Stmt, ...]
    site: int


@record(frozen=True, slots=True)
class Log:
    """Tells: the label's `{k}` is the k-th argument, shown by its type. `clause` gives the citation."""

    label: int
    args: tuple[Expr, ...]
    clause: int | None
    kind: str = "say"
    """`say`, `do` (an action is done), `refused`, `phase`, `row`, `end`. What chance gives is told by itself."""
    veiled: tuple[int, ...] = ()
    """The arguments that follow, by way of locals, from what not everybody sees and nobody has revealed."""


@record(frozen=True, slots=True)
class TakeResult:
    """Local `index` takes what the routine just returned, and the slot `RESULT` becomes 0."""

    index: int


@record(frozen=True, slots=True)
class Refused:
    """An ordered action did not happen: logs it with the clauses that stood."""

    action: int
    args: tuple[Expr, ...]
    site: int
    veiled: tuple[int, ...] = ()
    """As with `Log`."""


@record(frozen=True, slots=True)
class Mark:
    """Clause `clause` takes effect here. Changes nothing; explaining and covering engines note it."""

    clause: int


@record(frozen=True, slots=True)
class TestEndings:
    """Tests victories, defeats and draws; `at_once` only those so declared.

    Inside a `Batch` it does nothing: no ending is tested before the instant is over.
    """

    at_once: bool


@record(frozen=True, slots=True)
class Remember:
    """Notes the position that stands now in the program's history, unless it is the one that was noted last."""


@record(frozen=True, slots=True)
class Fail:
    """Ends the stretch with a rule failure: the game stays at the last decision. `clauses` are those that it names."""

    code: str
    site: int
    clauses: tuple[int, ...] = ()


@record(frozen=True, slots=True)
class Give:
    """Returns from a procedure."""

    value: Expr | None


Stmt = (
    SetLocal | Store | Change | Roll | RollList | Pick | MoveCard | ShufflePile | Call | If | ForEach | Loop | Guarded
    | Leave | Batch | Log | TakeResult | Refused | Mark | TestEndings | Remember | Fail | Give
)  # fmt: skip


# ---------------------------------------------------------------- terminators of blocks


@record(frozen=True, slots=True)
class Jump:
    block: int


@record(frozen=True, slots=True)
class Branch:
    condition: Expr
    then: int
    other: int


@record(frozen=True, slots=True)
class Enter:
    """Calls a routine: the caller's counter is set to `block`, then the new frame is pushed.

    `block` has no other way in; where the routine gives a value it begins with `TakeResult`.
    """

    routine: int
    args: tuple[Expr, ...]
    block: int
    site: int


@record(frozen=True, slots=True)
class Return:
    """Pops the frame, sets all its slots to 0, and leaves a scalar `value` in the slot `RESULT`."""

    value: Expr | None = None


@record(frozen=True, slots=True)
class OfferVar:
    """Local `index` runs over `domain`; `where` is tested as soon as it is bound. Both may read earlier variables."""

    index: int
    domain: Expr
    where: Expr | None
    metered: int = lowered()
    """The weight that is counted for each element of the domain."""


@record(frozen=True, slots=True)
class Offer:
    """One line of a decision: an option for each binding of `variables` for which `guard` holds.

    `kind` is `do` (the action `action` with `args`), `take` (the value `args[0]`), `pass` or `stop`. A `where`
    may hold consequences of the guard that prune early. Choosing binds the locals and goes on at `block`. `clause` is
    the action's, `menu` the line of the rules that offers it.
    """

    kind: str
    variables: tuple[OfferVar, ...]
    guard: Expr | None
    action: int | None
    args: tuple[Expr, ...]
    label: int
    label_args: tuple[Expr, ...]
    block: int
    clause: int | None = None
    menu: int | None = None


@record(frozen=True, slots=True)
class Decide:
    """The only stop; a block that ends in it has no statements, so that it can be entered again from a snapshot.

    `player` (none for a side that nobody decides for) chooses among all options of `offers`.
    No option: go on at `empty`, or E0602 where there is no such block. One option, and `public` (that there is one
    follows from what all see): it is taken at once. `player` is none or out of the game: `empty`, else E0606.
    """

    player: Expr
    offers: tuple[Offer, ...]
    prompt: int | None
    prompt_args: tuple[Expr, ...]
    public: bool
    empty: int | None
    site: int
    sealed: bool = False
    """Is the answer told to nobody before the next question that is not sealed has been answered?"""
    metered: int = lowered()
    """The weight that is counted before its options are listed."""


Terminator = Jump | Branch | Enter | Return | Decide


@record(frozen=True, slots=True)
class Block:
    body: tuple[Stmt, ...]
    end: Terminator
    metered: int = lowered()
    """The weight that is counted where it is entered, besides its step; 0 for one that ends in a decision."""
