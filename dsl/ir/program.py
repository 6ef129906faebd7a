"""A compiled game: the catalogue that tools read, and the program that engines run.

The state is one vector of 32-bit integers, and that vector is all of it:

| slots                    | what                                                                          |
|--------------------------|-------------------------------------------------------------------------------|
| 0 to 3                   | the generator: PCG32 state (low, high word), increment (low, high word)       |
| 4 `STATUS`               | 0 running, 1 ended                                                            |
| 5 `WINNERS`              | a bit per player                                                              |
| 6 `REASON`               | index of the ending that ended the game, -1 none yet, -2 the bound            |
| 7 `DECISIONS`            | decisions taken                                                               |
| 8 `TOP`                  | where the top frame begins, -1 none                                           |
| 9 `OUT`                  | a bit per player who is out                                                   |
| 10 `RESULT`              | what a routine has just returned, 0 at every decision                         |
| 11 ..                    | the variables, as `Var.offset` says                                           |
| `Program.frames` ..      | the frame stack, up to `Program.size`                                         |

A frame is `[routine, block, offset of the caller's frame or -1, locals ...]`; local `k` begins at
`3 + Routine.offsets[k]`. All slots behind the top frame are 0, so that equal games have equal vectors. What a
statement, `take_result` or a choice gives to a local of a routine is in its slots; what `let_in`, `fold` and the
variables of offers bind is in no slot. A game that has ended has no frames.

*Steps* bound the work between two decisions: more than `budget` are E0608. Each block entered, each round of a
statement's loop and each call of a procedure takes 1, and 1 more for each 100 that its own code weighs (`weight`). A
large fold, when it is evaluated, and each variable of an offer, when it is run over, takes the number of elements
of its domain times what each of them weighs, divided by 100; for the last variable at least 1 for each. A choice that
`reach` tries takes 1, and 1 more for each 10 slots of the state; so does a `trial`, and 1 more for each 100 that its
arguments and its condition weigh. What only telling or explaining evaluates takes none.
"""

from __future__ import annotations

from dsl.ir.distances import Distances
from dsl.ir.nodes import Block, Expr, Stmt, lowered
from dsl.ir.scripts import Held, Place, Promise, Shown, Test, TestStep
from dsl.ir.types import Type
from dsl.records import record
from dsl.versions import IR

__all__ = ["Held", "Place", "Promise", "Shown", "Test", "TestStep"]
"""What stands in a file of its own, and is had from here too."""

VERSION = IR
STEPS, MOST_STEPS = 1_000_000, 8_000_000
"""The least and the greatest budget of a decision, unless whoever plays asks for another."""
FEWEST_ASKED, MOST_ASKED = 1_000, 1_000_000_000
"""What can be asked for: engines count in 32 bits."""
PAIR_STEPS = 10
"""The budget for each pair of things, where that is between the two."""
SIZES = frozenset({"cell", "piece", "row"})
"""The kinds of domains whose members are such things."""
STATUS, WINNERS, REASON, DECISIONS, TOP, OUT, RESULT = 4, 5, 6, 7, 8, 9, 10
FIRST_VAR = 11
FRAME_HEAD = 3


@record(frozen=True, slots=True)
class Text:
    """A label in each language that the author gave; `""` is the game's own. `{k}` is the k-th argument."""

    texts: tuple[tuple[str, str], ...]


@record(frozen=True, slots=True)
class Ranged:
    """A variable of a menu's line as it is written: `name in range where A and B`, of which A and B are `where`."""

    name: str
    range: str
    where: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Clause:
    """Something that a citation names: what the reports, "why" and "why not" speak of.

    `kind`: action, phase, need, forbid, allow, modify, value, before, after, instead, statement, field, row, table,
    ending, ruling, type, map, setup, round, menu, window, piece, pile, text, test, header, offer (a menu's line).
    """

    kind: str
    name: str
    ids: tuple[str, ...]
    house: bool
    families: tuple[str, ...]
    place: Place
    text: str
    """The source line without its citation, trimmed: what an explanation shows."""
    label: int | None = None
    """What sums call a `modify` that has words for players."""
    conditions: tuple[str, ...] = ()
    """What stands behind `when`, as it is written: of a `modify` in one, of an offer one for each that `and` joins."""
    ranges: tuple[Ranged, ...] = ()
    """The variables of an offer, in their order."""
    action: int | None = None
    """The action in which a `modify` for the rest of something stands."""
    member: tuple[int, int] | None = None
    """Of an action that is declared for one row or piece: its domain, and its number there."""


@record(frozen=True, slots=True)
class Domain:
    """A finite set of named things. `kind`: enum, row, piece, cell, player, side, union, line, pile, shape (places
    of several cells), text (words for players that tables print, whose first is empty).

    `parts` of a union are the domains whose members it lists one after another. `labels` are indices of texts. `looks`
    of cells are the signs of the map; those of rows say how each is drawn: a sign, a colour as `#rrggbb` or a word, and
    last a picture, `<svg viewBox="...">...</svg>` with shapes and colours alone, with spaces between them.
    """

    name: str
    kind: str
    members: tuple[str, ...]
    labels: tuple[int, ...]
    parts: tuple[int, ...] = ()
    looks: tuple[str, ...] = ()
    label: int | None = None


@record(frozen=True, slots=True)
class Var:
    """A state variable: one value, or one for each member of the domain `of`.

    The value of member `m` stands at `offset + m * width`. `initial` is an expression without locals, or with local
    0 as the member. `audience` is `None` for public, else a truth of local 0 (the member, 0 for none) and local 1
    (the player). `role` tells tools what it is for: `field`, `option`, `in_play`, `out_of_play`, `pile`, `order`,
    `armed`, `window`, `depth`, `round`, `seats` (the set of players who take part: the others are out from the start),
    `history`.
    """

    name: str
    of: int | None
    type: Type
    offset: int
    width: int
    initial: Expr
    audience: Expr | None
    role: str
    label: int | None
    clause: int | None
    drawn: bool = True
    """Are players shown it? Fields that only rules need may say they are not."""
    metered: int = lowered()
    """The weight that is counted for its first values."""


@record(frozen=True, slots=True)
class Data:
    """A constant table: `values` in row-major order over `dims`, each a number of a dimension's size and first value.

    `clauses[i]` is the clause of the row that entry i stands in. Of a table that `follows`, no values are written:
    `distance`, of two cells of the first board, is how many borders lie between them, and where no way leads as many
    as there are cells. Where `sparse`, which is so in documents alone, each value is the list of what is in a set, and
    no number with a bit for each.
    """

    name: str
    type: Type
    dims: tuple[tuple[int, int], ...]
    """(low, size) of each index."""
    values: tuple[int | tuple[int, ...], ...] | Distances
    clauses: tuple[int | None, ...] = ()
    label: int | None = None
    """What players call an area."""
    denominator: int = 1
    """How many parts make 1, where fractions are printed: the values count such parts."""
    follows: str | None = None
    sparse: bool = False
    called: tuple[tuple[str, str], ...] = ()
    """Of a column what players call it, in each language that the author gave; `""` is the game's own."""


@record(frozen=True, slots=True)
class ValueClause:
    """A `modify`: stands if `condition` holds and no standing clause of `overruled_by` does.

    `stage`: becomes, times, plus, at_least, at_most. `times` is the fraction `operand` / `divisor`.
    """

    clause: int
    stage: str
    condition: Expr
    operand: Expr
    divisor: Expr | None
    overruled_by: tuple[int, ...]


@record(frozen=True, slots=True)
class Value:
    """A question of how much. Base, then the standing clauses by `stages` (becomes, times, plus, bounds).

    Clauses that contradict each other are E0607.

    `rounding` (down, up, zero) applies once to the exact product of all `times`; the result must lie in `result`
    (E0601).
    """

    name: str
    params: tuple[Type, ...]
    names: tuple[str, ...]
    locals: tuple[Type, ...]
    result: Type
    base: Expr
    clauses: tuple[ValueClause, ...]
    stages: tuple[str, ...]
    rounding: str | None
    clause: int | None
    denominator: int = 1
    """How many parts make 1, where the result is a fraction: it counts such parts."""
    label: int | None = None
    """What players call it."""
    labels: tuple[int, ...] = ()
    """What they call its parameters; empty where none has words."""


@record(frozen=True, slots=True)
class Prohibition:
    """A `need` (`condition` already negated), `forbid` or `allow` of an action. `allow` only overrules."""

    clause: int
    kind: str
    condition: Expr
    reason: int | None
    reason_args: tuple[Expr, ...]
    overruled_by: tuple[int, ...]


@record(frozen=True, slots=True)
class Action:
    """What may be done or happen: the prohibitions on it, and what does it (a procedure, or a routine if it can ask).

    `by` is the parameter that holds the acting player. Judging is the caller's: `run` is what follows.
    """

    name: str
    kind: str
    params: tuple[Type, ...]
    names: tuple[str, ...]
    locals: tuple[Type, ...]
    """Parameters first, then what the conditions bind."""
    by: int | None
    prohibitions: tuple[Prohibition, ...]
    procedure: int | None
    routine: int | None
    label: int | None
    clause: int | None


@record(frozen=True, slots=True)
class Procedure:
    """Structured code that can never reach a decision."""

    name: str
    params: int
    locals: tuple[Type, ...]
    result: Type | None
    body: tuple[Stmt, ...]
    metered: int = lowered()
    """The weight that is counted where it is called, besides its step."""


@record(frozen=True, slots=True)
class Routine:
    """Blocks that run on a frame. `offsets[k]`: where local k begins behind the frame's head; `width`: all of it."""

    name: str
    params: int
    locals: tuple[Type, ...]
    offsets: tuple[int, ...]
    width: int
    result: Type | None
    blocks: tuple[Block, ...]


@record(frozen=True, slots=True)
class Ending:
    """`kind` victory, defeat or draw; `who` names one player, or local 0 runs over all players.

    `otherwise` holds when the bound ends the game. `team` are the players who win together with local 0; without it
    everybody wins for himself.
    """

    kind: str
    who: int | None
    condition: Expr
    locals: tuple[Type, ...]
    at_once: bool
    otherwise: bool
    label: int | None
    clause: int | None
    team: Expr | None = None


@record(frozen=True, slots=True)
class Site:
    """A place in the rules where something can fail at run time, with the clause that stands there."""

    place: Place
    clause: int | None


@record(frozen=True, slots=True)
class Option:
    """A ruling, option or mode: set when the game starts, constant afterwards.

    `var` holds the index of the choice (or the number).
    """

    name: str
    kind: str
    choices: tuple[str, ...]
    range: tuple[int, int] | None
    default: int
    var: int
    label: int | None
    clause: int | None


@record(frozen=True, slots=True)
class Grouping:
    """What the regions of a map are in: for each the member of a domain, none (`NONE`) where it is in nothing."""

    domain: int
    members: tuple[int, ...]


@record(frozen=True, slots=True)
class Board:
    """The map: cells with their place in a drawing. `shape`: squares, hexes_pointy, hexes_flat, regions.

    `x`, `y` are columns and lines of the drawing (hexes: axial q, r). `drawing` is the text of a region map, in which
    the names of cells stand. `neighbours` is a set per cell (bits).
    """

    name: str
    shape: str
    domain: int
    x: tuple[int, ...]
    y: tuple[int, ...]
    neighbours: tuple[int, ...]
    drawing: str
    signs: tuple[str, ...]
    shapes: tuple[tuple[int, int], ...] = ()
    """Types of places that take several cells: the domain of each, and the data that gives the cells of its members."""
    groups: tuple[Grouping, ...] = ()
    """Of regions, as far as the map names them: the groups that they are in, then the boards that they lie on."""


@record(frozen=True, slots=True)
class Pool:
    """A piece type: its domain, the data that gives each piece its kind, and the variables that keep its life and pile.

    `in_play` and `out` are sets of its pieces: those that are in play, and those that never come back. The others
    are in the supply.

    `order` is where in its pile a piece lies: 0 is on top, the numbers of a pile have no gaps, and a piece in no pile
    has 0. `move_card` and `shuffle_pile` keep it so. `in_play` and `out` are sets of pieces; the rest is in the supply.
    """

    name: str
    domain: int
    kinds: int | None
    in_play: int
    out: int
    pile: int | None
    order: int | None
    piles: tuple[str, ...]
    """Names of the piles its cards can lie in; `pile` holds the index, none where it lies in no pile."""
    kind: int | None = None
    """The variable that holds the kind of each piece, where not everybody sees it; `kinds` is none then."""
    owners: tuple[tuple[int, int], ...] = ()
    """The domain and the member that each pile is of, such as a player's; -1 and -1 where it is of none."""
    own_words: tuple[int, ...] = ()
    """What each pile is called without its owner: `Hand`, where its label says `Hand (Ann)`."""
    supplies: tuple[int, ...] = ()
    """Where kinds are hidden, and each player has a supply of his own: for each piece in whose it is."""


@record(frozen=True, slots=True)
class Alike:
    """Pieces of which those of one class may change places without making another position.

    `classes[m]` is the class of member `m` of `domain`; `vars` are the variables of the domain that count. Of a piece
    that is not in play only that counts, and whether it can come back.
    """

    domain: int
    in_play: int
    out: int
    vars: tuple[int, ...]
    classes: tuple[int, ...]


@record(frozen=True, slots=True)
class History:
    """The positions that have stood, for `occurrences`.

    A position is what the variables `vars` hold, with the pieces `alike`, and who has chosen last, which the variable
    `last` holds; where nobody had chosen yet it is the same whoever has chosen in the other. In the variable `var`, a
    list, stand the two numbers of each position that was noted, the oldest first; the oldest give way when it is full.

    The numbers of a position, `method` `sums`: each variable of `vars` gives words of 64 bits, two of its slots each as
    numbers without sign, the first below, the last alone where their number is odd; each of `alike` gives one word.
    From 1 on they are counted, and h is the sum of `spread(word + k * 11400714819323198485)` for word number k, all in
    64 bits without sign. `spread` is the mixing of SplitMix64: `x = (x xor (x >> 30)) * 0xBF58476D1CE4E5B9`,
    `x = (x xor (x >> 27)) * 0x94D049BB133111EB`, `x xor (x >> 31)`. The word of `alike` is the sum over its members of
    an m that begins as 0 and takes in the class, then 1 and the slots of its `vars`, or 2 where the piece is not in
    play, or 3 where it never comes back, each slot w by `m = (m xor w) * 11400714819323198485; m = m xor (m >> 32)`.
    The first number is the lower 31 bits of h, the second the upper 26 with five more below
    them: 0, or 1 and the number of the player who has chosen last.
    """

    var: int
    last: int
    vars: tuple[int, ...]
    alike: tuple[Alike, ...]
    method: str
    """How the numbers of a position are made: `sums`."""


@record(frozen=True, slots=True)
class Rule:
    """An id of the rulebook's index, with its title, and how it stands.

    `status`: `declared` (a clause is to cite it), `same_as` (it restates `of`), `definition` (carried out through
    `of`), `not_applicable` (`note` says why); or it is ours: `house` where the book is silent, `ambiguity` where it
    can be read in more than one way.
    """

    id: str
    title: str
    status: str
    of: tuple[str, ...]
    note: str
    titles: tuple[tuple[str, str], ...] = ()
    """The title in other languages."""


@record(frozen=True, slots=True)
class Mod:
    """A mod in force: the name behind `mod` in its header, and its title where it has one."""

    name: str
    label: int | None


@record(frozen=True, slots=True)
class Program:
    """All of a compiled game. `main` is the routine that plays it; `rounds` bounds it (None: `decisions` does)."""

    name: str
    scenario: str
    title: int | None
    language: str
    decisions: int
    """The game ends, undecided, when so many decisions have been taken."""
    players: int
    """The domain of players."""
    texts: tuple[Text, ...]
    clauses: tuple[Clause, ...]
    domains: tuple[Domain, ...]
    vars: tuple[Var, ...]
    data: tuple[Data, ...]
    values: tuple[Value, ...]
    actions: tuple[Action, ...]
    procedures: tuple[Procedure, ...]
    routines: tuple[Routine, ...]
    endings: tuple[Ending, ...]
    sites: tuple[Site, ...]
    options: tuple[Option, ...]
    boards: tuple[Board, ...]
    pools: tuple[Pool, ...]
    rules: tuple[Rule, ...]
    main: int
    frames: int
    size: int
    tests: tuple[Test, ...] = ()
    promises: tuple[Promise, ...] = ()
    """Left out of the document where there are none."""
    mods: tuple[Mod, ...] = ()
    """In the order in which they were loaded; left out of the document where there are none."""
    history: History | None = None
    """Left out of the document where no rule asks whether a position has stood before."""
    scenario_title: int | None = None
    """What players call the scenario, if its header says so; left out of the document where it does not."""
    version: int = VERSION


def name_of_table(value: Value) -> str:
    """What the table of all that a value gives is called."""
    return f"values of {value.name}"


def tabulated(program: Program, data: Data) -> int | None:
    """The value of which this is the table, where it is one."""
    return next((n for n, each in enumerate(program.values) if name_of_table(each) == data.name), None)


def budget(program: Program) -> int:
    """The steps that may be taken between two decisions: `PAIR_STEPS` for each pair of cells, pieces and rows (n of
    them have n² pairs), and at least `STEPS`, at most `MOST_STEPS`.
    """
    things = sum(len(each.members) for each in program.domains if each.kind in SIZES)
    return min(max(STEPS, PAIR_STEPS * things**2), MOST_STEPS)
