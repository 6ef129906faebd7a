"""A module that tells: beside all that plays it has what a page needs to put a game into words.

Where the rules tell something, an *event* is written into a list in memory, which the host reads after each stretch of
play. What labels show, and who may see what, the host asks by number. A module of its own, so that one which only
plays is the same to the byte. What the Python engine tells is the same: `dsl.engine.codegen.telling`, `dsl.engine.log`.

An event is words: its length in bytes, its kind, and then

| kind | what |
|---|---|
| `TOLD` | as `Site` says: see `dsl/browser/page/events.js` |
| `MOVED` | a pool, a card, who saw it where it lay, and who sees it where it lies now |
| `SHUFFLED` | a pool, and a word for each of its cards: is it among those shuffled? |

What is told has the number of its `Site`, the error for which it has no arguments (or 0), who does it (or none), for
each argument the players who may read it (a bit for each), the arguments, the pieces that they are reckoned from, and
for each card among these who sees it now: a word for one, a word for each card of the pool for a set, for each place
for a list. Behind that stands, for each argument that is a piece of a hidden kind, the kind and who sees it. What a
phase or round tells ends with a hash of each field that has words for players, as it stands there (`hashed`), so
that the host knows whether anything has changed under a heading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from dsl.engine.card_knowledge import secret_pools
from dsl.engine.decision import told_when_taken
from dsl.engine.goals import KINDS, comparison, comparisons, fixed, settled, until_round
from dsl.engine.label_holes import source_form
from dsl.engine.log import Told
from dsl.engine.machine import Machine
from dsl.engine.readers import NOBODY, Bar, Bars, Readers, cited_at
from dsl.engine.runtime import BESIDE, MOST_TOLD
from dsl.engine.views import may_see
from dsl.ir import nodes as ir
from dsl.ir.copies import Scope
from dsl.ir.drawn import DRAWN
from dsl.ir.program import Procedure, Program, Routine, Value
from dsl.ir.types import NONE, Id, Int, ListOf, SetOf, Type
from dsl.ir.walk import inside, parts
from dsl.passes.pipeline import PASSES, Lowering
from dsl.wasm.assembly import filled
from dsl.wasm.attempts import ATTEMPTING, AttemptAssembly
from dsl.wasm.function import scaled
from dsl.wasm.instance import FUNCTIONS
from dsl.wasm.module import assembled
from dsl.wasm.reps import scalar_rep, size_of
from dsl.wasm.searching import SearchAssembly
from dsl.wasm.text import Parts, get, i32, plus, put, test

TELLING = {**FUNCTIONS, **ATTEMPTING, "listen": "", "events": "", "word": "iii", "seen": "iii"}
"""What such a module exports."""
TOLD, MOVED, SHUFFLED = 0, 1, 2
HEAD = 20
"""Bytes of an event before the masks of its arguments."""
ROOM = 1024 * 1024
"""Bytes of the list of events."""
SUPPORT = Path(__file__).with_name("telling.wat")


@dataclass(frozen=True, slots=True)
class Site:
    """What one place tells. `sure`: are the masks of its arguments those of the Python engine? Otherwise fewer read.

    `question` is the prompt of a value that was taken at once; `actor`: does somebody do it?
    """

    told: Told
    sure: bool = True
    question: int | None = None
    name: str = ""
    pieces: tuple[tuple[int, Type], ...] = ()
    """The pieces that arguments are reckoned from: the number of the argument, and the type."""


@dataclass(frozen=True, slots=True)
class Words:
    """A thing to ask for: one argument of the `label` of an offer, of the prompt of its decision (offer -1), or
    (`label` false) of what the offer does.
    """

    routine: int
    block: int
    offer: int
    label: bool
    argument: int
    type: Type


@dataclass(frozen=True, slots=True)
class Goal:
    """An ending with words: its number, when the settings of a game leave it open, and how far a player has come.

    `open` is the number of a truth to ask for, none where nothing is settled, or "and" or "or" with such of its parts.
    `near` are comparisons: what to ask for now and at the end, the operator, whether the settings decide the second,
    the variables of the player that he has to see, and what is counted.
    """

    ending: int
    open: Open
    near: tuple[tuple[int, int, str, bool, tuple[int, ...], ir.Expr], ...]


Open = int | None | tuple[str, tuple["Open", ...]]
Drawing = tuple[int, tuple[int, ...]]
"""The number of what is asked for, and the variables of the member that a viewer has to see for it."""


class TellingAssembly(AttemptAssembly):
    """Translates a program, what it tells, and its actions as attempts."""

    def __init__(self, machine: Machine, passes: Collection[str] = PASSES) -> None:
        super().__init__(machine.program, passes)
        self.readers = Readers(self.program)
        self.scope: Scope = ("procedure", -1)
        self.sites: dict[Site, int] = {}
        self.words: list[Words] = []
        self.drawings: dict[str, Drawing] = {}
        self.ends: list[Goal] = []
        self.unlowered = machine.program
        self._lowering = Lowering(machine.program, passes)
        self._secret = secret_pools(self.program)
        self._audience_steps = machine.audience_steps
        self._open_piles = open_piles(machine)
        self.events = self.memory.site(ROOM)
        self._spare = self.memory.site(8)

    # ------------------------------------------------------------ whose code it is

    def procedure(self, index: int, procedure: Procedure, *, batched: bool) -> None:
        self.scope = "procedure", index
        super().procedure(index, procedure, batched=batched)

    def routine(self, index: int, routine: Routine) -> None:
        self.scope = "routine", index
        super().routine(index, routine)

    def in_place(self, st: ir.Call, called: Procedure) -> list[str]:
        before, self.scope = self.scope, ("procedure", st.procedure)
        lines = super().in_place(st, called)
        self.scope = before
        return lines

    # ------------------------------------------------------------ what is told

    def statement(self, st: ir.Stmt) -> list[str]:
        match st:
            case ir.Log():
                told = Told(
                    st.kind,
                    st.label,
                    tuple(each.type for each in st.args),
                    () if st.clause is None else (st.clause,),
                    holes=tuple(source_form(self.program, each) for each in st.args),
                )
                actor = self._actor() if st.kind == "do" else None
                return self._told(Site(told), st.args, self.readers.of_log(self.scope, st), actor)
            case ir.Refused():
                action = self.program.actions[st.action]
                holes = tuple(f"{{{name}}}" for name in action.names)
                told = Told("refused", action.label, action.params, (), holes=holes)
                bars = self.readers.of_log(self.scope, st)
                return self._told(Site(told, name=action.name), st.args, bars, None)
            case ir.Roll() | ir.RollList():
                kept, count = self.hold_number(st.count)
                before = self.env
                self.env = {**before, COUNT: (count, st.count.type)}
                lines = super().statement(_counting(st))
                shown = (ir.Local(st.count.type, COUNT), ir.Local(self._local_type(st.index), st.index))
                lines += self._chance_told(st, shown, st.sides)
                self.env = before
                return [*kept, *lines]
            case ir.Pick():
                shown_pick = (ir.Local(self._local_type(st.index), st.index),)
                return [*super().statement(st), *self._chance_told(st, shown_pick, 0)]
            case _:
                return super().statement(st)

    def hold_number(self, e: ir.Expr) -> tuple[list[str], Parts]:
        """A number in a local of its own, whatever is written afterwards."""
        name = self.temp(scalar_rep(e.type))
        return [put(name, self.expr(e))], Parts((), (get(name),), True)

    def _chance_told(
        self, st: ir.Roll | ir.RollList | ir.Pick, shown: tuple[ir.Expr, ...], sides: int
    ) -> list[str]:
        kind = "pick" if isinstance(st, ir.Pick) else "roll"
        types = tuple(each.type for each in shown)
        told = Told(kind, None, types, cited_at(self.program, st.site), sides)
        seen = self.readers.of_chance(self.scope, st)
        last = (NOBODY,) if self.readers.secrecy.kept(self.scope, st.index) else seen
        return self._told(Site(told), shown, (*(seen,) * (len(shown) - 1), last), None)

    def taken_at_once(self, end: ir.Decide, player: str) -> list[str]:
        """Tells the only option of a decision, where nothing else tells it."""
        frame, lines = self.frame, list[str]()
        assert frame is not None
        offered = "(i32.load (global.get $base))"
        for number, offer in enumerate(end.offers):
            if not told_when_taken(self.program, offer):
                continue
            types = tuple(each.type for each in offer.label_args)
            told = Told("do", offer.label, types, () if offer.clause is None else (offer.clause,))
            asked = offer.kind == "take" and not end.prompt_args
            site = Site(told, question=end.prompt if asked else None)
            before = self.env
            place = self.temp("i32")
            self.env = {**before, **self._option(frame, offer, get(place))}
            inner = self._told(site, offer.label_args, self.readers.of_taken(self.scope, offer), get(player))
            self.env = before
            first = put(place, "(global.get $base)")
            lines.append(test(f"(i32.eq {offered} {i32(number)})", [first, *inner]))
        return lines

    def _option(self, routine: Routine, offer: ir.Offer, place: str) -> dict[int, tuple[Parts, Type]]:
        """The variables of an offer, as they lie in an option."""
        found, at = dict[int, tuple[Parts, Type]](), 4
        for var in offer.variables:
            kind = routine.locals[var.index]
            found[var.index] = self.read(place, at, kind), kind
            at += size_of(self.program, kind)
        return found

    def _told(
        self, site: Site, args: tuple[ir.Expr, ...], bars: tuple[Bars, ...], actor: str | None
    ) -> list[str]:
        """Writes an event, if anybody listens. Where an argument cannot be computed it has none; it takes no steps."""
        values = [bar for each in bars for bar in each if bar.kind == "value"]
        reads = self._reads(args)
        pieces = tuple((n, kind) for n, kind, _ in reads)
        site = Site(site.told, not values, site.question, site.name, pieces)
        number = self.sites.setdefault(site, len(self.sites))
        size = HEAD + 4 * len(args)
        places = []
        for e in (*args, *(local for _, _, local in reads)):
            places.append(size)
            size += (size_of(self.program, e.type) + 3) // 4 * 4
        at, steps, code = self.temp("i32"), self.temp("i32"), self.temp("i32")
        known, self.masks = self.masks, dict(self.masks)
        masks: list[str] = []
        for n, each in enumerate(bars):
            masks.append(f"(i32.store offset={HEAD + 4 * n} {get(at)} {self._passing(each)})")
        shown: list[str] = []
        for e, place in zip((*args, *(local for _, _, local in reads)), places, strict=True):
            shown += self._put_shown(get(at), place, e)
        cards: list[str] = []
        for e, place in zip((*args, *(local for _, _, local in reads)), places, strict=True):
            more, size = self._cards_seen(get(at), place, e.type, size)
            cards += more
        for e, place in zip(args, places, strict=False):
            more, size = self._kind_seen(get(at), place, e.type, size)
            cards += more
        self.masks = known
        standing: list[str] = []
        if site.told.kind == "phase":
            standing = [f"(call $standing {plus(get(at), size)})"]
            size += 4 * len(hashed(self.program))
        zero = "".join(f"(i32.store offset={HEAD + 4 * n} {get(at)} (i32.const 0))" for n in range(len(args)))
        # 1 until the masks are there: who may read what was not come to, nobody does
        first = [
            f"(i32.store offset=8 {get(at)} {i32(number)})",
            f"(i32.store offset=12 {get(at)} (i32.const 1))",
            f"(i32.store offset=16 {get(at)} {actor or i32(NONE)})",
            *standing,
            put(steps, "(call $leave)"),
        ]
        tried = [
            *masks,
            f"(i32.store offset=12 {get(at)} (i32.const 0))",
            *shown,
            *cards,
        ]
        caught = (
            f"(block $caught (result i32) (try_table (catch $fault $caught) {''.join(tried)}) (i32.const 0))"
        )
        behind = [
            put(code, caught),
            test(f"(i32.load offset=12 {get(at)})", [zero] if zero else []),
            f"(i32.store offset=12 {get(at)} {get(code)})",
            f"(call $back {get(steps)})",
            f"(call $told {get(at)})",
        ]
        return [put(at, f"(call $event {i32(TOLD)} {i32(size)})"), test(get(at), [*first, *behind])]

    def _put_shown(self, address: str, at: int, e: ir.Expr) -> list[str]:
        """Writes a value behind an address; a number beyond 32 bits in 8 bytes."""
        if isinstance(e.type, Int) and scalar_rep(e.type) == "i64":
            return [f"(i64.store offset={at} {address} {self.expr(e)})"]
        return self.write(address, at, e.type, self.parts(e))

    def _cards_seen(self, address: str, at: int, kind: Type, to: int) -> tuple[list[str], int]:
        """Writes who sees each card of a value that lies in an event, and where the next words go."""
        of = kind.of if isinstance(kind, SetOf | ListOf) else kind
        pool = self._secret.get(of.domain) if isinstance(of, Id) else None
        if pool is None or not isinstance(of, Id):
            return [], to
        pile, place, target = i32(self._pile(pool)), plus(address, at), plus(address, to)
        match kind:
            case SetOf():
                size = len(self.program.domains[of.domain].members)
                return [f"(call $set_seen {place} {i32(size)} {pile} {target})"], to + 4 * size
            case ListOf():
                return [f"(call $list_seen {place} {pile} {target})"], to + 4 * kind.limit
            case _:
                return [f"(call $one_seen {place} {pile} {target})"], to + 4

    def _kind_seen(self, address: str, at: int, kind: Type, to: int) -> tuple[list[str], int]:
        """Writes of which kind a piece is that lies in an event, and who sees that, where not everybody does."""
        pool = next(
            (each for each in self.program.pools if isinstance(kind, Id) and each.domain == kind.domain), None
        )
        if pool is None or pool.kind is None:
            return [], to
        var, piece = self.program.vars[pool.kind], f"(i32.load offset={at} {address})"
        held = f"(i32.load offset={4 * var.offset} {scaled(piece, 4 * var.width)})"
        known = [
            f"(i32.store offset={to} {address} {held})",
            f"(i32.store offset={to + 4} {address} (call $readers {i32(pool.kind)} {piece}))",
        ]
        return [test(f"(i32.ge_s {piece} (i32.const 0))", known)], to + 8

    def _reads(self, args: tuple[ir.Expr, ...]) -> list[tuple[int, Type, ir.Expr]]:
        """The cards that arguments are reckoned from, each with the number of its argument."""
        found = list[tuple[int, Type, ir.Expr]]()
        for n, each in enumerate(args if self._secret else ()):
            for index, kind in sorted(self.readers.reckoned(self.scope, each).items()):
                found.append((n, kind, ir.Local(kind, index)))
        return found

    def _actor(self) -> str | None:
        by = self.readers.acting.get(self.scope)
        return None if by is None else self.number(ir.Local(Id(self.program.players), by), "i32")

    # ------------------------------------------------------------ who may read it

    def _passing(self, bars: Bars) -> str:
        """The players who pass some bars, a bit for each; -1 all."""
        code = i32(-1)
        for each in dict.fromkeys(bars):
            bar = self._bar(each)
            code = bar if code == i32(-1) else f"(i32.and {code} {bar})"
        return code

    def _bar(self, bar: Bar) -> str:
        match bar.kind:
            case "actor":
                who = self.number(ir.Local(Id(self.program.players), bar.number), "i32")
                return f"(i32.shl (i32.const 1) {who})"
            case "variable":
                owner = self.number(bar.args[0], "i32") if bar.args else i32(0)
                return f"(call $readers {i32(bar.number)} {owner})"
            case "nobody" | "value":
                return i32(0)
            case _:
                assert_never(bar.kind)

    # ------------------------------------------------------------ what the host asks for

    def _whole(self, initial: str) -> str:
        audiences, before = self._audiences(), len(self.answers)
        self._all_words()
        self._all_drawings()
        self._all_goals()
        text = super()._whole(initial)
        first = len(self.program.routines) + self.goals + before
        for name in ("$move_card", "$shuffle_pile"):
            text = text.replace(f"(func {name} ", f"(func {name}_untold ", 1)
        names: dict[str, int | str] = {
            "events": self.events,
            "events_end": self.events + ROOM,
            "beside": BESIDE,
            "most_told": MOST_TOLD,
            "audience_steps": self._audience_steps,
            "audiences": audiences,
            "players": len(self.program.domains[self.program.players].members),
            "pool_of": self._pool_of(),
            "pile_of": self._pile_of(),
            "first": first,
            "moved": MOVED,
            "shuffled": SHUFFLED,
            "standing": self._standing(),
        }
        return text.rstrip().removesuffix(")") + filled(SUPPORT.read_text(encoding="utf-8"), names) + ")\n"

    def _standing(self) -> str:
        """Writes the hash of each field that is told, and of where cards lie."""
        lines = []
        for n, index in enumerate(hashed(self.program)):
            var = self.program.vars[index]
            size = var.width * (1 if var.of is None else len(self.program.domains[var.of].members))
            begin, end = i32(4 * var.offset), i32(4 * (var.offset + size))
            lines.append(f"(i32.store offset={4 * n} (local.get $to) (call $hash_words {begin} {end}))")
        return "".join(lines)

    def _pool_of(self) -> str:
        """Which secret pool has its piles at an address, in bytes; -1 for none."""
        code = i32(-1)
        for pool in self._secret.values():
            at = 4 * self.program.vars[self._pile(pool)].offset
            code = f"(select {i32(pool)} {code} (i32.eq (local.get $at) {i32(at)}))"
        return code

    def _pile_of(self) -> str:
        """The variable that says in which pile a card of a secret pool lies."""
        code = i32(0)
        for pool in self._secret.values():
            code = f"(select {i32(self._pile(pool))} {code} (i32.eq (local.get $pool) {i32(pool)}))"
        return code

    def _pile(self, pool: int) -> int:
        pile = self.program.pools[pool].pile
        assert pile is not None
        return pile

    def _audiences(self) -> str:
        """A function for each variable that not everybody sees, and the statements that find the one of a variable."""
        cases = []
        for index, var in enumerate(self.program.vars):
            if var.audience is None:
                hidden = 0 if var.role == "order" else 1
                if not hidden:
                    cases.append(f"(if (i32.eq (local.get $var) {i32(index)}) (then (return (i32.const 0))))")
                continue
            self.begin_function((), 0)
            self.env = {
                0: (Parts((), (get("$owner"),), True), Int(0, 1) if var.of is None else Id(var.of)),
                1: (Parts((), (get("$player"),), True), Id(self.program.players)),
            }
            code = self.expr(var.audience)
            params = ["(param $owner i32)", "(param $player i32)"]
            self.end_function(f"$u{index}", params, ("i32",), [code])
            call = f"(return (call $u{index} (local.get $owner) (local.get $player)))"
            cases.append(f"(if (i32.eq (local.get $var) {i32(index)}) (then {call}))")
        return "".join(cases)

    def _all_words(self) -> None:
        """A function for each argument of a label or prompt, which puts it into memory and yields where."""
        for r, routine in enumerate(self.program.routines):
            for b, block in enumerate(routine.blocks):
                if not isinstance(block.end, ir.Decide):
                    continue
                for n, e in enumerate(block.end.prompt_args):
                    self._word(Words(r, b, -1, True, n, e.type), routine, None, e)
                for number, offer in enumerate(block.end.offers):
                    for label, args in ((True, offer.label_args), (False, offer.args)):
                        for n, e in enumerate(args):
                            self._word(Words(r, b, number, label, n, e.type), routine, offer, e)

    def _all_drawings(self) -> None:
        """A function for each value that says how something is drawn, asked with a member in place of an option."""
        for number, value in enumerate(self.program.values):
            if value.name not in DRAWN or len(value.params) != 1 or not isinstance(value.params[0], Id):
                continue
            guards = guarding(self.program, number)
            if not isinstance(value.result, Id) or guards is None:
                continue
            asked = ir.Ask(value.result, number, (ir.Local(value.params[0], 0),))
            self.drawings[value.name] = self._answering(value.params[0], asked), guards

    def _all_goals(self) -> None:
        """Functions for what endings with words compare, asked with a player in place of an option, and for what the
        settings of a game decide of them.
        """
        program = self.unlowered
        player, piles = Id(program.players), self._open_piles
        for number, ending in enumerate(program.endings):
            if ending.kind not in KINDS or ending.label is None:
                continue
            near = []
            for each in comparisons(ending):
                guards = [seen_guards(program, arg, piles) for arg in each.args]
                if all(found is not None for found in guards):
                    now, aim = (self._answering(player, arg) for arg in each.args)
                    needed = tuple(sorted({var for found in guards for var in found or ()}))
                    constant, op = fixed(program, each.args[1]), comparison(each)
                    near.append((now, aim, op, constant, needed, each.args[0]))
            self.ends.append(Goal(number, self._left_open(ending.condition), tuple(near)))

    def _left_open(self, condition: ir.Expr) -> Open:
        """When a condition can hold, as far as the settings of a game and its round decide it."""
        if isinstance(condition, ir.Op) and condition.op in {"and", "or"}:
            return condition.op, tuple(self._left_open(each) for each in condition.args)
        timely = until_round(self.unlowered, condition)
        if timely is None and not settled(self.unlowered, condition):
            return None
        return self._answering(Id(self.unlowered.players), timely or condition)

    def _answering(self, of: Id, e: ir.Expr) -> int:
        """The number of a function that puts a value into memory, with what is asked about as local 0. It may come of
        the program that is not lowered.
        """
        e = self._lowering.expr(e)
        self.begin_function((), 0)
        self.temps.append("(local $option i32)")
        self.env = {0: (Parts((), (get("$option"),), True), of)}
        site = self.memory.site(8)
        lines = [put("$option", "(global.get $asked)"), *self._put_shown(i32(site), 0, e)]
        name = f"$word{len(self.words)}"
        self.end_function(name, [], ("i32",), [*lines, i32(site)])
        self.words.append(Words(-1, -1, -1, False, 0, e.type))
        self.answers.append(name)
        return len(self.words) - 1

    def _word(self, words: Words, routine: Routine, offer: ir.Offer | None, e: ir.Expr) -> None:
        self.begin_function((), 0)
        self.frame = routine
        self.temps.append("(local $f i32) (local $option i32)")
        lines = [
            put("$f", "(i32.shl (i32.load offset=32 (i32.const 0)) (i32.const 2))"),
            put("$option", "(global.get $asked)"),
        ]
        if offer is not None:
            self.env = self._option(routine, offer, get("$option"))
        site = self.memory.site(max(8, size_of(self.program, e.type)))
        lines += self._put_shown(i32(site), 0, e)
        name = f"$word{len(self.words)}"
        self.end_function(name, [], ("i32",), [*lines, i32(site)])
        self.frame = None
        self.words.append(words)
        self.answers.append(name)


def guarding(program: Program, value: int) -> tuple[int, ...] | None:
    """The variables of a value's argument that not everybody sees and that it reads; none where it reads anything else
    that is not open to everybody.
    """
    return _guards(program, [(each, True) for each in _asked(program.values[value])], {value}, {})


def seen_guards(program: Program, e: ir.Expr, open_piles: OpenPiles | None = None) -> tuple[int, ...] | None:
    """The same of an expression about what is local 0; that a card lies in one of the `open_piles` is no secret."""
    return _guards(program, [(e, True)], set(), open_piles or {})


OpenPiles = Mapping[int, Collection[int]]
"""By the variable that says in which pile cards lie, the piles whose cards everybody always sees."""


def open_piles(machine: Machine) -> OpenPiles:
    """The piles that who sees them does not make depend on the state."""
    program, found = machine.program, dict[int, Collection[int]]()
    for pool in program.pools:
        audience = None if pool.pile is None else program.vars[pool.pile].audience
        if pool.pile is None or audience is None:
            continue
        if not all(
            isinstance(each, ir.Const | ir.Local | ir.Op)
            or (isinstance(each, ir.Load) and each.var == pool.pile)
            for each in inside(audience)
        ):
            continue
        cards, players = (
            range(len(program.domains[each].members)) for each in (pool.domain, program.players)
        )
        at, state = program.vars[pool.pile].offset, [0] * program.size
        piles = []
        for pile in range(len(pool.piles)):
            state[at : at + len(cards)] = [pile] * len(cards)
            if all(may_see(machine, state, pool.pile, card, player) for card in cards for player in players):
                piles.append(pile)
        found[pool.pile] = frozenset(piles)
    return found


def _in_open_pile(program: Program, e: ir.Expr, piles: OpenPiles) -> bool:
    """Is this whether a card lies in an open pile, or in one of a player's, which are all open?"""
    if not isinstance(e, ir.Op) or e.op not in {"eq", "ne"}:
        return False
    for card, pile in (e.args, e.args[::-1]):
        if not isinstance(card, ir.Load) or card.var not in piles or not isinstance(card.owner, ir.Local):
            continue
        match pile:
            case ir.Const(value=int() as number):
                return number in piles[card.var]
            case ir.Op(op="cast", args=(ir.Local(type=Id() as of), ir.Const(value=int() as first))) if (
                not of.optional
            ):
                members = range(len(program.domains[of.domain].members))
                return all(first + each in piles[card.var] for each in members)
            case _:
                pass
    return False


def _readings(program: Program, e: ir.Expr, piles: OpenPiles) -> Iterator[ir.Expr]:
    """All that is in an expression, without whether cards lie in open piles."""
    if not _in_open_pile(program, e, piles):
        yield e
        for part in parts(e):
            yield from _readings(program, part, piles)


def _guards(
    program: Program, waiting: list[tuple[ir.Expr, bool]], past: set[int], piles: OpenPiles
) -> tuple[int, ...] | None:
    found = set[int]()
    while waiting:
        e, own = waiting.pop()
        for each in _readings(program, e, piles):
            match each:
                case ir.Judge() | ir.Reach() | ir.Trial() | ir.Occurrences():
                    return None
                case ir.Load(var=var) | ir.LoadItem(var=var):
                    declared = program.vars[var]
                    if declared.audience is None and declared.role != "order":
                        continue
                    if not own or not isinstance(each.owner, ir.Local) or each.owner.index != 0:
                        return None
                    found.add(var)
                case ir.Ask(value=other) if other not in past:
                    past.add(other)
                    waiting += [(part, False) for part in _asked(program.values[other])]
                case _:
                    pass
    return tuple(sorted(found))


def _asked(value: Value) -> list[ir.Expr]:
    """The expressions that a value is computed from."""
    found = [value.base]
    for clause in value.clauses:
        found += [clause.condition, clause.operand, *([] if clause.divisor is None else [clause.divisor])]
    return found


def hashed(program: Program) -> tuple[int, ...]:
    """What is hashed where a phase begins: the fields that are told, and behind them in which piles cards lie that come
    to players.
    """
    piles = (pool.pile for pool in program.pools if any(owner == program.players for owner, _ in pool.owners))
    return (*fields_told(program), *(each for each in piles if each is not None))


def fields_told(program: Program) -> tuple[int, ...]:
    """The fields that have words for players: of those alone it is told that they have changed."""
    return tuple(
        index for index, var in enumerate(program.vars) if var.role == "field" and var.label is not None
    )


COUNT = -2
"""The local that has the number of dice while a throw is told."""


def _counting(st: ir.Roll | ir.RollList) -> ir.Roll | ir.RollList:
    """The throw of as many dice as that local says."""
    return replace(st, count=ir.Local(st.count.type, COUNT))


class ThinkingAssembly(TellingAssembly, SearchAssembly):
    """The same with a tree search, for players that think in a page."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A module that tells: its bytes, what its events and words are about, and where the list of events begins."""

    code: bytes
    sites: tuple[Site, ...]
    words: tuple[Words, ...]
    events: int
    ends: tuple[Goal, ...]
    drawings: Mapping[str, Drawing]
    """The values that say how cells and pieces are drawn, each asked for with a member."""
    arguments: int
    """Where an attempt has its arguments."""
    places: tuple[tuple[int, ...], ...]
    """For each action where each argument lies behind the first."""
    questions: int
    """Where chance is asked."""


def telling(machine: Machine, *, thinking: bool = False) -> Telling:
    """The module of a program that tells, and where it is `thinking` has a tree search; `Unplayable` where it is beyond
    this engine.
    """
    assembly = (ThinkingAssembly if thinking else TellingAssembly)(machine, machine.passes)
    code = assembled(assembly)
    return Telling(
        code,
        tuple(assembly.sites),
        tuple(assembly.words),
        assembly.events,
        tuple(assembly.ends),
        assembly.drawings,
        assembly.given_at,
        tuple(tuple(assembly.given_places(each.params)[0]) for each in assembly.program.actions),
        assembly.asked_at,
    )
