"""What an author says of a game from outside its rules: tests as scripts to play, and promises."""

from __future__ import annotations

from dsl.ir.nodes import Expr
from dsl.records import record


@record(frozen=True, slots=True)
class Place:
    """Where something stands in the sources: file (by its name in the game), first line and column (1-based), last."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@record(frozen=True, slots=True)
class Shown:
    """A part of what a test expects: its words in the source, and what they stand for."""

    text: str
    value: Expr
    denominator: int = 1
    """How many parts make 1, where it is a fraction."""


@record(frozen=True, slots=True)
class TestStep:
    """A step of a test in the language.

    `kind` and what it reads: `do` (player, action, args), `take` (player, args[0]), `pass`, `stop`, `label`
    (player, label text), `expect` (condition in args[0]; the `parts` that `and` joins, where there are several; of
    which values it was `made`), `quiet` (nothing is asked), `illegal` (player, action, args, ids, among), `error`
    (text), `given` (procedure), `run` (routine; player, action, args: what must not be refused), `rolls`/`picks`/
    `shuffles` (numbers; in a shuffle -1 - k is a card of kind k; those of `picks` are members of domain `index`, if it
    has one), `decisions` (how many have been taken), `option`
    (option, number), `rounds` (routine: the game from behind its setup, for a test that is given a situation and plays
    on from it), `asking` (a lone option is asked for too), `let` (args[0] is bound to a local). A move that is only
    `tried` is not made: it is expected to be an option, or none where it is not `offered`.

    What the procedure of a `given` yields, a record, is `bound` to locals, which all steps behind it may read; `given`
    and `run` have those that are their `params`. A script that names them has its values in args instead of numbers.
    """

    kind: str
    player: Expr | None = None
    action: int | None = None
    args: tuple[Expr, ...] = ()
    numbers: tuple[int, ...] = ()
    index: int | None = None
    text: str = ""
    ids: tuple[str, ...] = ()
    among: bool = False
    parts: tuple[Shown, ...] = ()
    made: tuple[Shown, ...] = ()
    bound: tuple[int, ...] = ()
    params: tuple[int, ...] = ()
    tried: bool = False
    offered: bool = True
    site: int = -1


@record(frozen=True, slots=True)
class Test:
    """A test in the language: the cases it is about, the rules it pins, and its steps.

    `skipped`: why it is not played, and has no steps, where it is for another scenario, map or mod.
    """

    title: str
    ids: tuple[str, ...]
    pins: tuple[str, ...]
    steps: tuple[TestStep, ...]
    place: Place
    skipped: str = ""


@record(frozen=True, slots=True)
class Held:
    """A line of a promise: a condition without locals, and its words in the source."""

    condition: Expr
    text: str = ""
    site: int = -1


@record(frozen=True, slots=True)
class Promise:
    """What holds at every stop of every game (`always` in the language): all of its lines."""

    title: str
    ids: tuple[str, ...]
    pins: tuple[str, ...]
    lines: tuple[Held, ...]
    place: Place
