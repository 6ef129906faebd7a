"""What generated code calls: the small operations that Python has no sign for, and the context of a run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, NoReturn

from dsl.catalogue import N_, tr
from dsl.engine.card_knowledge import Naming, Witness
from dsl.engine.failure import RuleFailure
from dsl.engine.layout import Plain
from dsl.engine.log import Asked, Entry, Told
from dsl.ir.limits import MAX_OPTIONS
from dsl.ir.program import TOP
from dsl.ir.types import NONE, Type

if TYPE_CHECKING:
    from dsl.engine.decision import Decision
    from dsl.engine.machine import Machine
    from dsl.engine.script import Script

BESIDE = 200_000
"""Steps for what is computed beside the rules between two decisions (the log, who may see it), and again for each list
of labels, drawing or explanation: many times what games need, and a fraction of what the rules have themselves.
"""
MOST_TOLD = 5_000
"""Lines of the log between two decisions."""
MOST_ASKED = 1_000
"""Values of the rules that are noted between two decisions."""
MOST_COPIED = 4_000_000
"""Slots of states that are kept for them."""


class Run:
    """What belongs to one stretch of play and not to the state: counted steps, and what is told about it.

    `steps` counts since the last decision. `script` replaces chance, `certain` forbids it. `log`, `marks` and
    `hits` are written by telling and covering code only, and in `marked` who may know of each mark: those under no
    `veil`. `listing` is whether options are being listed; `depth` is how deep the calls of procedures are. In `heard`,
    where there is one, stands all that chance gave, as a script would give it. `witness`: who has seen which card,
    where a log is kept and cards are hidden. `asking`: a lone option is asked for as well. In `lone`, where
    there is one, stand the decisions whose lone option was taken at once. `left`: how many steps telling may still
    take (it takes none of the rules'), `beside` whether it is under way.
    """

    __slots__ = (
        *("asked", "asking", "beside", "certain", "copied", "covering", "depth", "heard", "hits", "left"),
        *("listing", "log", "logs", "lone", "machine", "marked", "marks", "past", "script", "steps", "veil"),
        "witness",
    )

    def __init__(
        self,
        machine: Machine,
        script: Script | None = None,
        logs: Sequence[Told] = (),
        *,
        covering: bool = False,
        certain: bool = False,
    ) -> None:
        self.machine = machine
        self.logs = logs
        self.script = script
        self.certain = certain
        self.covering = covering
        self.steps = 0
        self.left = BESIDE
        self.beside = False
        self.depth = 0
        self.log: list[Entry] = []
        self.asked: list[Asked] = []
        self.past: list[int] = []
        self.copied = 0
        self.marks: list[int] = []
        self.marked: list[int] = []
        self.veil = -1
        self.hits: dict[int, int] = {}
        self.listing = False
        self.asking = False
        self.lone: deque[Decision] | None = None
        self.heard: list[tuple[str, tuple[int | str, ...]]] | None = None
        pools = machine.secret_pools if logs else None
        self.witness = Witness(machine.program, pools) if pools else None

    @classmethod
    def aside(cls, machine: Machine, steps: int = BESIDE) -> Run:
        """A run for what is computed beside the rules, with so many steps: more are E0608."""
        run = cls(machine)
        run.steps = machine.budget - steps
        return run

    def leave(self) -> int:
        """Leaves the rules: from here on steps are those of telling. Yields what `back` needs; none where telling is
        under way already.
        """
        if self.beside:
            return -1
        self.beside, steps = True, self.steps
        self.steps = self.machine.budget - self.left
        return steps

    def back(self, steps: int) -> None:
        """Comes back to the rules, whose steps were so many."""
        if steps >= 0:
            self.beside, self.left = False, max(0, self.machine.budget - self.steps)
            self.steps = steps

    def hears(self) -> bool:
        """Is what happens still told? After very many lines in one stretch nobody listens."""
        return len(self.log) < MOST_TOLD

    def hit(self, clause: int) -> None:
        self.hits[clause] = self.hits.get(clause, 0) + 1

    def before(self, state: list[int]) -> list[int]:
        """What an entry keeps of the state; entries between which nothing changes share it, and those after
        very many.
        """
        if self.copied < MOST_COPIED:
            past = state[: self.machine.program.frames]
            self.copied += len(past)
            if past != self.past:
                self.past = past
        return self.past


def mask_of(elements: tuple[int, ...], low: int) -> int:
    """The set of some elements."""
    mask = 0
    for element in elements:
        mask |= 1 << element - low
    return mask


def after(mask: int, low: int, element: int) -> int:
    """The least element that is greater than `element` (or the least of all, after none); none if there is
    none.
    """
    if element != NONE and element >= low:
        mask = mask >> element - low + 1 << element - low + 1
    return least(mask, low)


def least(mask: int, low: int) -> int:
    """The least element of a set; none if it has none."""
    return (mask & -mask).bit_length() - 1 + low if mask else NONE


def span(low: int, high: int, first: int, last: int) -> int:
    """The numbers from `low` to `high` as a set in which bit 0 stands for `first`, and which ends at
    `last`.
    """
    low, high = max(low, first), min(high, last)
    return (1 << high - low + 1) - 1 << low - first if low <= high else 0


def up(number: int, divisor: int) -> int:
    """The quotient rounded up."""
    return -(-number // divisor) if divisor else uncomputable()


def down(number: int, divisor: int) -> int:
    """The quotient rounded down."""
    return number // divisor if divisor else uncomputable()


def zero(number: int, divisor: int) -> int:
    """The quotient rounded toward zero."""
    if not divisor:
        uncomputable()
    size = abs(number) // abs(divisor)
    return size if (number < 0) == (divisor < 0) else -size


def scaled(number: int, times: int, divisor: int, rounding: str | None) -> int:
    """`number * times / divisor`, rounded once."""
    match rounding:
        case "down":
            return down(number * times, divisor)
        case "up":
            return up(number * times, divisor)
        case "zero":
            return zero(number * times, divisor)
        case _:
            if not divisor or number * times % divisor:
                uncomputable()
            return number * times // divisor


def uncomputable() -> NoReturn:
    """E0609."""
    raise RuleFailure(
        "E0609", "a number that cannot be computed: divided by zero, or inexact and not rounded"
    )


def left(value: object, low: int, high: int, about: int = -1) -> NoReturn:
    """E0601: a number left its range."""
    failure = RuleFailure(
        "E0601",
        tr("{shown} is outside the range from {low} to {high}", shown=shown(value), low=low, high=high),
        about=about,
    )
    failure.outside = shown(value), low, high
    raise failure


def shown(value: object) -> str:
    """A number in a message."""
    return "none" if value == NONE else str(value)


def too_long(length: int, limit: int, about: int = -1) -> NoReturn:
    """E0601: a list has no room."""
    raise RuleFailure(
        "E0601",
        tr("a list of {length} elements where {limit} have room", length=length, limit=limit),
        about=about,
    )


def none_met() -> NoReturn:
    """E0604: none is met where a value is needed."""
    raise RuleFailure("E0604", "a value is needed here, and there is none")


def stray(value: int) -> NoReturn:
    """E0604: a member is met where it cannot stand."""
    raise RuleFailure("E0604", tr("{shown} is not one of those that can stand here", shown=shown(value)))


def too_many_steps(budget: int, site: int = -1) -> NoReturn:
    """E0608."""
    raise RuleFailure(
        "E0608", tr("more than {budget} steps between two decisions", budget=f"{budget:,}"), site=site
    )


def too_many_options(run: Run, menu: int) -> NoReturn:
    """E0612, at the line that offers them (-1 unknown)."""
    clauses = (menu,) if menu >= 0 else ()
    failure = RuleFailure(
        "E0612",
        tr("more than {max_options} options in one choice", max_options=f"{MAX_OPTIONS:,}"),
        clauses=clauses,
    )
    if clauses:
        failure.place = run.machine.program.clauses[menu].place
    raise failure


def too_deep() -> NoReturn:
    """E0608: the stack has no room."""
    raise RuleFailure("E0608", "more calls inside each other than the state has room for")


def element(items: tuple[int, ...], index: int) -> int:
    """An element of a list, from 0."""
    if not 0 <= index < len(items):
        beyond(index, len(items))
    return items[index]


def beyond(index: int, count: int) -> NoReturn:
    """E0604: a list has no such element; `index` is from 0, and told from 1 as authors write it."""
    number = index + 1
    match count:
        case 0:
            message = tr("there is no element {number} in an empty list", number=number)
        case 1:
            message = tr("there is no element {number} in a list of one element", number=number)
        case _:
            message = tr(
                "there is no element {number} in a list of {count} elements", number=number, count=count
            )
    raise RuleFailure("E0604", message)


def bag_put(bag: tuple[int, ...], member: int, count: int) -> tuple[int, ...]:
    """The bag with another count of one member."""
    return (*bag[:member], count, *bag[member + 1 :])


def narrow_list(elements: tuple[int, ...], limit: int) -> tuple[int, ...]:
    """The list, if it has room."""
    return elements if len(elements) <= limit else too_long(len(elements), limit)


def narrow_bag(bag: tuple[int, ...], limit: int) -> tuple[int, ...]:
    """The same bag where no count is more than a limit."""
    most = max(bag, default=0)
    if most > limit:
        left(most, 0, limit)
    return bag


def bag_add(bag: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Two bags together."""
    return tuple([a + b for a, b in zip(bag, other, strict=True)])


def bag_sub(bag: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The bag without another, which it must contain."""
    result = tuple([a - b for a, b in zip(bag, other, strict=True)])
    if any(count < 0 for count in result):
        raise RuleFailure("E0601", "more is taken than there is")
    return result


def bag_set(bag: tuple[int, ...]) -> int:
    """The members that a bag has any of."""
    if len(bag) <= len(_POWERS):
        return sum(compress(_POWERS, bag))
    return sum(1 << member for member, count in enumerate(bag) if count)


_POWERS = tuple(1 << member for member in range(128))


def clash(about: int, first: int, second: int) -> NoReturn:
    """E0607: two clauses, named, about one value."""
    raise RuleFailure("E0607", "two clauses that contradict each other", clauses=(first, second), about=about)


FAILURES = {
    602: N_("there is nothing to choose, or no room for what is left"),
    604: N_("nothing of what is needed here is left"),
    607: N_("two clauses that stand contradict each other"),
    610: N_("there is no room for this piece, or it holds something, or is held, itself"),
    611: N_("no place is free here for the piece that is to be placed"),
    612: N_("there is more to choose from than anybody can look at"),
}


Reads = tuple[tuple[int, int, int], ...]
"""For arguments of a line of the log the pieces that they are reckoned from: the argument's number, the domain of the
piece, and its number there (or `NONE`)."""


def fail(number: int, clauses: tuple[int, ...] = ()) -> NoReturn:
    """The rules themselves say that they fail here, and name clauses."""
    message = FAILURES.get(number, N_("the rules lead nowhere from here"))
    raise RuleFailure(f"E{number:04}", message, clauses=clauses)


def note(run: Run, clause: int | None) -> None:
    """A row of a table is read; while options are listed, nothing comes of it yet."""
    if clause is not None and not run.listing:
        run.hit(clause)


def answered(run: Run, clause: int, value: object) -> None:
    """A value gave something by its own words, and not nothing: while a choice is carried out, or for an option."""
    something = any(value) if isinstance(value, tuple) else bool(value) and value != NONE
    if something:
        run.hit(clause)


def tell(
    state: list[int],
    run: Run,
    log: int,
    args: tuple[Plain, ...] | None,
    seen_by: tuple[int, ...],
    player: int | None = None,
    failed: str = "",
    reads: Reads = (),
) -> None:
    """A line of the log, as telling code comes to it; after very many in one stretch nobody listens any more.
    Of no dice nothing is told. Where its arguments could not be computed there are none, and `failed` is why.
    `reads` are the pieces that arguments are reckoned from.
    """
    if not run.hears():
        return
    told, program = run.logs[log], run.machine.program
    if failed:
        run.machine.unsaid[failed] += 1
    if told.sides and args is not None and not args[0]:
        return
    depth, before = run.depth + frames(state), run.before(state)
    actor = None if player == NONE else player
    if run.witness is not None and args is not None:
        seen_by = _named(state, run, told.types, args, seen_by, reads)
    run.log.append(
        Entry(
            *(program, told.kind, told.label, told.types, args, seen_by, told.clauses, depth),
            sides=told.sides,
            player=actor,
            before=before,
            holes=told.holes,
            failed=failed,
            known=run.machine.known_kinds(state, told.types, args),
        )
    )


def asked(
    state: list[int],
    run: Run,
    value: int,
    args: tuple[Plain, ...],
    seen_by: int,
    pieces: tuple[tuple[int, int], ...],
) -> None:
    """Notes that the rules ask for a value, as telling code comes to it."""
    if len(run.asked) < MOST_ASKED:
        run.asked.append(Asked(value, args, seen_by, pieces, run.before(state)))


def refused(
    state: list[int],
    run: Run,
    action: int,
    args: tuple[Plain, ...] | None,
    seen_by: tuple[int, ...],
    failed: str = "",
    reads: Reads = (),
) -> None:
    """An ordered action that did not happen, with the clauses that stood."""
    if not run.hears():
        return
    program = run.machine.program
    declared = program.actions[action]
    if failed:
        run.machine.unsaid[failed] += 1
    steps = run.leave()
    clauses = () if args is None else run.machine.standing(state, run, action, args)
    run.back(steps)
    depth = run.depth + frames(state)
    if run.witness is not None and args is not None:
        seen_by = _named(state, run, declared.params, args, seen_by, reads)
    entry = Entry(
        *(program, "refused", declared.label, declared.params, args, seen_by, clauses, depth),
        name=declared.name,
        before=run.before(state),
        holes=tuple(f"{{{name}}}" for name in declared.names),
        failed=failed,
        known=run.machine.known_kinds(state, declared.params, args),
    )
    run.log.append(entry)


def _named(
    state: list[int],
    run: Run,
    kinds: tuple[Type, ...],
    args: tuple[Plain, ...],
    seen_by: tuple[int, ...],
    reads: Reads,
) -> tuple[int, ...]:
    """Who may see each argument of the next line of the log, with the cards that it names or is reckoned from."""
    witness = run.witness
    assert witness is not None
    found = []
    for at, (kind, value, others) in enumerate(zip(kinds, args, seen_by, strict=True)):
        read = [(witness.pools[domain], piece) for n, domain, piece in reads if n == at and piece != NONE]
        naming = Naming(len(run.log), at, others, {}, witness.cards(kind, value))
        for pool, card in (*naming.named, *read):
            naming.cards[pool, card] = witness.saw((pool, card)) | card_seen(state, run, pool, card)
        witness.told(naming)
        found.append(naming.seen_by)
    return tuple(found)


def card_seen(state: list[int], run: Run, pool: int, card: int) -> int:
    """The players who see a card where it lies."""
    pile = run.machine.program.pools[pool].pile
    return -1 if pile is None else seen(state, run, pile, card)


def frames(state: list[int]) -> int:
    """How many frames lie under the top one."""
    count, frame = -1, state[TOP]
    while frame >= 0:
        count, frame = count + 1, state[frame + 2]
    return max(count, 0)


def seen(state: list[int], run: Run, var: int, owner: int | None) -> int:
    """The players who may see a variable, a bit for each; of an unknown owner nobody."""
    if owner is None:
        return 0
    program = run.machine.program
    found = 0
    steps = run.leave()
    for player in range(len(program.domains[program.players].members)):
        if sees(state, run, var, owner, player):
            found |= 1 << player
    run.back(steps)
    return found


def sees(state: list[int], run: Run, var: int, owner: int, player: int) -> bool:
    """Is a player in the audience of a variable? Where that cannot be computed in its share of steps he is not."""
    machine = run.machine
    before = run.steps
    run.steps = begun = max(before, machine.budget - machine.audience_steps)
    try:
        found = bool(machine.plain.names[f"u{var}"](state, run, owner, player))
    except RuleFailure as failure:
        machine.unsaid[failure.code] += 1
        found = False
    run.steps = before + run.steps - begun
    return found


OPERATIONS: tuple[Callable[..., object], ...] = (
    *(mask_of, after, least, span, up, down, zero, scaled, element),
    *(
        bag_put,
        narrow_list,
        narrow_bag,
        bag_add,
        bag_sub,
        bag_set,
        note,
        answered,
        tell,
        asked,
        refused,
        seen,
    ),
    *(left, too_long, none_met, stray, beyond, too_many_steps, too_many_options, too_deep, clash, fail),
)
"""What generated code may call, by its own name."""
