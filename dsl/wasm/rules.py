"""Values, judgements and endings as functions: they stop as soon as the answer is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod

from dsl.catalogue import tr
from dsl.engine.codegen.rules import stages_of
from dsl.engine.failure import Unplayable
from dsl.ir import program as p
from dsl.ir.nodes import Ask, Expr, Trial
from dsl.ir.program import OUT, STATUS
from dsl.ir.types import NONE, Id, Int, Type
from dsl.ir.walk import inside
from dsl.wasm.function import as_rep, scaled
from dsl.wasm.memos import HEAD
from dsl.wasm.pure_memos import PureMemo, Shape
from dsl.wasm.reps import is_pointer, optional, reps, scalar_rep, size_of
from dsl.wasm.statements import Statements
from dsl.wasm.text import Parts, after, both, get, i32, i64, outside, plus, put, test

Clauses = tuple[p.ValueClause, ...] | tuple[p.Prohibition, ...]
FAIL_607 = "(call $fail (i32.const 607)) (unreachable)"
MOST_64 = 2**63 - 1
MOST_TEMPS, MOST_TEXT = 40_000, 4_000_000
"""Locals and characters of one function: WebAssembly allows 50,000 locals and some megabytes of code."""
UNDER_WAY = (
    *("temps", "around", "standing", "masks", "env", "frame", "locals", "homes", "rooms"),
    *("batched", "result", "room"),
)
"""What belongs to one function."""
FEW_NODES = 80
"""Nodes of a condition, for all players together, that is written out for each of them."""


class Rules(Statements):
    """Adds values, judgements and endings. `standing` are the clauses of the head at hand of which it is known
    whether they stand; `functions` collects the text of the module.
    """

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.standing: dict[int, str] = {}
        self.functions: list[str] = []

    def begin_function(self, locals_: tuple[Type, ...], params: int) -> tuple[list[str], list[str]]:
        self.temps, self.around, self.standing, self.masks = [], [], {}, {}
        self.batched, self.result, self.room = False, None, 0
        return self.begin_locals(locals_, params)

    def end_function(self, name: str, params: list[str], result: tuple[str, ...], lines: list[str]) -> None:
        """Puts a finished function into the module."""
        if len(self.temps) > MOST_TEMPS or sum(map(len, lines)) > MOST_TEXT:
            raise Unplayable("a function that is larger than WebAssembly allows")
        head = " ".join((*params, *(f"(result {each})" for each in result)))
        self.functions.append(f"(func {name} {head} {''.join(self.temps)}\n{''.join(lines)})\n")

    # ------------------------------------------------------------ values

    def value(self, index: int, value: p.Value) -> None:
        """The function `$v<index>`."""
        if index in self.memos.held:
            self._remembering(index, value)
        params, lines = self._evaluated(value)
        self.end_function(f"$v{index}", params, reps(self.program, value.result), lines)

    def _evaluated(self, value: p.Value) -> tuple[list[str], list[str]]:
        """A value: the parameters of its function, and what stands in it."""
        params, lines = self.begin_function(value.locals, len(value.params))
        if value.clauses:
            return params, [*lines, *self._composed(value)]
        return params, [*lines, *self._yielded(self.checked(value.base, value.result), value.result)]

    def drop_memos(self) -> None:
        """Takes the memos off values that turn out to be a few instructions in a row: a fold over a set is often no
        more, and looking an entry up would take longer.
        """
        for index in list(self.memos.held):
            _, lines = self._evaluated(self.program.values[index])
            if not any("(loop " in line or "(call " in line for line in lines):
                del self.memos.held[index]

    def _remembering(self, index: int, value: p.Value) -> None:
        """The function `$m<index>`: where the answer of a value stands, which is computed where it is not known."""
        memo = self.memos.held[index]
        params, _ = self.begin_function(value.params, len(value.params))
        rep = reps(self.program, value.result)
        entry = i32(0)
        for n, kind in enumerate(value.params):
            low, count = self.memos.range(kind)
            entry = (
                f"(i32.add {scaled(entry, count)} {plus(get(f'$l{n}_0'), -low)})"
                if n
                else plus(get("$l0_0"), -low)
            )
        known, age = f"(global.get {memo.known})", f"(global.get {memo.age})"
        at, before = self.temp("i32"), self.temp("i32")
        made = f"(call $v{index} {' '.join(get(f'$l{n}_0') for n in range(len(value.params)))})"
        names = [self.temp(each) for each in rep]
        anew = [
            f"(global.set {memo.known} (i64.or {known} {i64(memo.bit)}))",
            "(global.set $age (i64.add (global.get $age) (i64.const 1)))",
            f"(global.set {memo.age} (global.get $age))",
        ]
        compute = [
            put(before, "(global.get $steps)"),
            made,
            *(f"(local.set {name})" for name in reversed(names)),
            *(
                f"({each}.store offset={HEAD + 8 * k} {get(at)} {get(name)})"
                for k, (each, name) in enumerate(zip(rep, names, strict=True))
            ),
            f"(i32.store offset=8 {get(at)} (i32.sub (global.get $steps) {get(before)}))",
            f"(i64.store {get(at)} {age})",
        ]
        stale = f"(i64.ne (i64.load {get(at)}) {age})"
        lines = [
            put(at, plus(scaled(entry, memo.size), memo.address)),
            test(f"(i64.eqz (i64.and {known} {i64(memo.bit)}))", anew),
            test(stale, compute, [self.count_code(f"(i32.load offset=8 {get(at)})")]),
            get(at),
        ]
        self.end_function(f"$m{index}", params, ("i32",), lines)

    def tabled(self, shape: Shape) -> PureMemo | None:
        """Writes the function `$k<n>` of a table: given the inputs of an entry, it fills it in and yields the byte."""
        names = [f"$of{n}" for n in range(len(shape.inputs))]
        with self.elsewhere():
            self.begin_function((), 0)
            self.env = {
                n: (Parts((), (get(name),), True), kind)
                for n, (name, kind) in enumerate(zip(names, shape.inputs, strict=True))
            }
            self.tabling = True
            code = self.expr(shape.expr)
            self.tabling = False
            memo = self.pure.table(shape) if "(loop " in code else None
            if memo is not None:
                found, byte = self.temp("i32"), self.temp("i32")
                low, high = self.range_of(shape.expr.type)
                told = plus(get(found), 1 - low)
                if optional(shape.expr.type):
                    told = f"(select {i32(high - low + 2)} {told} (i32.eq {get(found)} {i32(NONE)}))"
                entry = self.entry_of(shape, list(map(get, names)))
                lines = [
                    put(found, code),
                    put(byte, told),
                    f"(i32.store8 offset={memo.address} {entry} {get(byte)})",
                    get(byte),
                ]
                self.end_function(memo.function, [f"(param {name} i32)" for name in names], ("i32",), lines)
        return memo

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """While another function is written what is under way in this one waits."""
        kept = {name: getattr(self, name) for name in UNDER_WAY}
        yield
        for name, value in kept.items():
            setattr(self, name, value)

    def _yielded(self, value: Parts, kind: Type) -> list[str]:
        if is_pointer(kind):
            value = self.copied(value, kind, i32(self.memory.site(size_of(self.program, kind))))
        return [*value.pre, *value.codes]

    def _composed(self, value: p.Value) -> list[str]:
        if isinstance(value.result, Int | Id):
            return self._number(value, value.result)
        kinds = {value.base.type, *(each.operand.type for each in value.clauses), value.result}
        if len(kinds) > 1:
            raise Unplayable("a value whose clauses are of several types of sets, bags, records or lists")
        names = [self.temp(rep) for rep in reps(self.program, value.result)]
        base = self.parts(value.base)
        lines = [*base.pre, *base.codes, *(f"(local.set {name})" for name in reversed(names))]
        lines += self._becomes(value, value.result, names)
        return [*lines, *map(get, names)]

    def _number(self, value: p.Value, kind: Type) -> list[str]:
        """A number is computed with 64 bits, so that nothing on the way is lost."""
        self._bounded(value)
        r = self.temp("i64")
        lines = [put(r, self.number(value.base, "i64"))]
        for stage in stages_of(value):
            wanted = {"at_least", "at_most"} if stage == "bounds" else {stage}
            chosen = [n for n, clause in enumerate(value.clauses) if clause.stage in wanted]
            if not chosen:
                continue
            match stage:
                case "becomes":
                    lines += self._becomes(value, Int(-MOST_64, MOST_64), [r])
                case "times":
                    lines += self._times(value, chosen, r)
                case "plus":
                    for n in chosen:
                        lines += self._added(value, n, r)
                case _:
                    lines += self._bounds(value, chosen, r)
        low, high = self.range_of(kind)
        wrong = outside(get(r), low, high, "i64")
        if optional(kind):
            wrong = f"(i32.and {wrong} (i64.ne {get(r)} {i64(NONE)}))"
        lines.append(test(wrong, ["(call $fail (i32.const 601)) (unreachable)"]))
        return [*lines, as_rep(get(r), "i64", scalar_rep(kind))]

    def _bounded(self, value: p.Value) -> None:
        """Refuses a value whose sum or product could leave 64 bits on the way."""
        sizes = {"plus": 0, "becomes": 0}
        factors, divisors = [], []
        for clause in value.clauses:
            size = max(map(abs, self.range_of(clause.operand.type)))
            if clause.stage == "times":
                factors.append(max(size, 1))
                if clause.divisor is not None:
                    divisors.append(max(1, *map(abs, self.range_of(clause.divisor.type))))
            elif clause.stage == "plus":
                sizes["plus"] += size
            else:
                sizes["becomes"] = max(sizes["becomes"], size)
        most = max(*map(abs, self.range_of(value.base.type)), sizes["becomes"], 1) + sizes["plus"]
        if (most + 1) * prod(factors) > MOST_64 or prod(divisors) > MOST_64:
            raise Unplayable(tr("the value `{name}` can leave 64 bits on the way", name=value.name))

    def _where_number(self, value: p.Value, r: str, then: list[str]) -> list[str]:
        """What is none stays none, whatever is added to it."""
        return [test(f"(i64.ne {get(r)} {i64(NONE)})", then)] if optional(value.result) else then

    def _becomes(self, value: p.Value, kind: Type, names: list[str]) -> list[str]:
        chosen = [n for n, clause in enumerate(value.clauses) if clause.stage == "becomes"]
        single, lines, seen = len(chosen) == 1, [], self.temp("i32")
        rep = reps(self.program, kind)
        for n in chosen:
            operand = value.clauses[n].operand
            number = isinstance(kind, Int)
            found = Parts((), (self.number(operand, "i64"),)) if number else self.parts(operand)
            if single:
                change = [*found.pre, *found.codes, *(f"(local.set {name})" for name in reversed(names))]
            else:
                found = self.hold(found, kind)
                if is_pointer(kind):
                    raise Unplayable("a bag or list that several clauses set")
                differ = [
                    f"({each}.ne {get(name)} {code})"
                    for each, name, code in zip(rep, names, found.codes, strict=True)
                ]
                clash = test(f"(i32.and {get(seen)} {both('i32.or', differ)})", [FAIL_607])
                change = [*found.pre, clash, put(seen, i32(1))]
                change += [put(name, code) for name, code in zip(names, found.codes, strict=True)]
            lines += self.when_stands(value.clauses, n, change)
        return lines if single else [put(seen, i32(0)), *lines]

    def _added(self, value: p.Value, n: int, r: str) -> list[str]:
        added = put(r, f"(i64.add {get(r)} {self.number(value.clauses[n].operand, 'i64')})")
        return self.when_stands(value.clauses, n, self._where_number(value, r, [added]))

    def _times(self, value: p.Value, chosen: list[int], r: str) -> list[str]:
        m, d = self.temp("i64"), self.temp("i64")
        lines = [put(m, i64(1)), put(d, i64(1))]
        for n in chosen:
            clause = value.clauses[n]
            change = [put(m, f"(i64.mul {get(m)} {self.number(clause.operand, 'i64')})")]
            if clause.divisor is not None:
                change.append(put(d, f"(i64.mul {get(d)} {self.number(clause.divisor, 'i64')})"))
            lines += self.when_stands(value.clauses, n, change)
        rounding = {"down": "$div_down", "up": "$div_up", "zero": "$div_zero"}.get(
            value.rounding or "", "$div_exact"
        )
        scaled = put(r, f"(call {rounding} (i64.mul {get(r)} {get(m)}) {get(d)})")
        changed = f"(i32.or (i64.ne {get(m)} {i64(1)}) (i64.ne {get(d)} {i64(1)}))"
        return [*lines, test(changed, self._where_number(value, r, [scaled]))]

    def _bounds(self, value: p.Value, chosen: list[int], r: str) -> list[str]:
        names = {
            "at_least": (self.temp("i64"), self.temp("i32"), "gt_s"),
            "at_most": (self.temp("i64"), self.temp("i32"), "lt_s"),
        }
        lines = [put(seen, i32(0)) for _, seen, _ in names.values()]
        for n in chosen:
            bound, seen, sign = names[value.clauses[n].stage]
            pre, x = self.atom(self.number(value.clauses[n].operand, "i64"), "i64")
            better = f"(i32.or (i32.eqz {get(seen)}) (i64.{sign} {x} {get(bound)}))"
            change = [*pre, test(better, [put(bound, x), put(seen, i32(1))])]
            lines += self.when_stands(value.clauses, n, change)
        (low, has_low, _), (high, has_high, _) = names.values()
        crossed = f"(i64.gt_s {get(low)} {get(high)})"
        lines.append(test(f"(i32.and (i32.and {get(has_low)} {get(has_high)}) {crossed})", [FAIL_607]))
        for bound, seen, sign in ((low, has_low, "lt_s"), (high, has_high, "gt_s")):
            beyond = f"(i32.and {get(seen)} (i64.{sign} {get(r)} {get(bound)}))"
            lines.append(test(beyond, self._where_number(value, r, [put(r, get(bound))])))
        return lines

    # ------------------------------------------------------------ clauses

    def when_stands(self, clauses: Clauses, n: int, then: list[str]) -> list[str]:
        """The lines run where clause `n` stands. What they hold was made before, and runs only then."""
        lines: list[str] = []
        code = self.stands(clauses, n, lines)
        return [*lines, test(code, then)]

    def stands(self, clauses: Clauses, n: int, lines: list[str]) -> str:
        """Whether a clause stands; what others need to know of it is kept."""
        if n in self.standing:
            return self.standing[n]
        clause = clauses[n]
        over = [self.stands(clauses, other, lines) for other in clause.overruled_by]
        code = self._unless(over, clause.condition)
        if any(n in other.overruled_by for other in clauses):
            name = self.temp("i32")
            lines.append(put(name, code))
            code = get(name)
        self.standing[n] = code
        return code

    def _unless(self, over: list[str], condition: Expr) -> str:
        code = self.expr(condition)
        if not over:
            return code
        return f"(if (result i32) {both('i32.or', over)} (then (i32.const 0)) (else {code}))"

    def judge(self, index: int, action: p.Action) -> None:
        """The function `$j<index>`: true where no prohibition stands."""
        params, lines = self.begin_function(action.locals, len(action.params))
        none = ["(return (i32.const 0))"]
        for numbers in _tried_together(action.prohibitions):
            trials = [action.prohibitions[n].condition for n in numbers]
            if len(numbers) > 1:
                found = self.tried([each for each in trials if isinstance(each, Trial)])
                lines += [*found.pre, test(found.codes[0], none)]
            else:
                lines.append(test(self.stands(action.prohibitions, numbers[0], lines), none))
        self.end_function(f"$j{index}", params, ("i32",), [*lines, i32(1)])

    # ------------------------------------------------------------ endings

    def ending(self, ending: p.Ending, found: str) -> list[str]:
        """Statements that give a local the players for whom an ending holds, a bit for each (1 for a draw)."""
        player = self.temp("i32")
        lines = self._for_player(ending, player)
        if ending.kind == "draw":
            return [*lines, put(player, i32(0)), put(found, self._held(ending))]
        out = f"(i32.load offset={4 * OUT} (i32.const 0))"
        first = ending.who or 0
        last = self._players() - 1 if ending.who is None else first
        if (last + 1 - first) * self._nodes(ending) <= FEW_NODES:
            return [*lines, put(found, i32(0)), *self._one_by_one(ending, range(first, last + 1), found)]
        held = self._held(ending)
        add = put(found, f"(i32.or {get(found)} (i32.shl (i32.const 1) {get(player)}))")
        asked = test(
            f"(i32.eqz (i32.and (i32.shr_u {out} {get(player)}) (i32.const 1)))", [test(held, [add])]
        )
        again, more = self.label("n"), f"(local.tee {player} {plus(get(player), 1)})"
        loop = f"(loop {again} {asked} (br_if {again} (i32.le_s {more} {i32(last)})))"
        return [*lines, put(found, i32(0)), put(player, i32(first)), loop]

    def _one_by_one(self, ending: p.Ending, players: range, found: str) -> list[str]:
        """The same for a few players and a short condition: written out for each, so that they share what they read."""
        lines, before = [], self.env
        for player in players:
            self.env = {**before, 0: (Parts((), (i32(player),), True), Id(self.program.players))}
            held = test(self._held(ending), [put(found, f"(i32.or {get(found)} {i32(1 << player)})")])
            out = f"(i32.and (i32.load offset={4 * OUT} (i32.const 0)) {i32(1 << player)})"
            lines.append(test(f"(i32.eqz {out})", [held]))
        self.env = before
        return lines

    def _nodes(self, ending: p.Ending) -> int:
        """How long the condition of an ending is, with the value that it asks for."""
        e = ending.condition
        asked = self.program.values[e.value].base if isinstance(e, Ask) else e
        return sum(1 for _ in inside(asked))

    def _held(self, ending: p.Ending) -> str:
        """The condition of an ending; a value that is all it asks for, and that nothing changes, is written out."""
        e = ending.condition
        value = self.program.values[e.value] if isinstance(e, Ask) else None
        plain = value is not None and all(isinstance(each, Int | Id) for each in value.params)
        if value is None or not isinstance(e, Ask) or value.clauses or not plain:
            return self.expr(e)
        given = self.arguments(e.args, value.params)
        names = [self.temp(scalar_rep(each)) for each in value.params]
        lines = [*given.pre, *(put(name, code) for name, code in zip(names, given.codes, strict=True))]
        before, masks = self.env, self.masks
        pairs = zip(names, value.params, strict=True)
        self.env = {n: (Parts((), (get(name),), True), kind) for n, (name, kind) in enumerate(pairs)}
        self.masks = {}
        code = self.checked_scalar(value.base, value.result)
        self.env, self.masks = before, masks
        return after(lines, "i32", as_rep(code, scalar_rep(value.result), "i32"))

    def _for_player(self, ending: p.Ending, name: str) -> list[str]:
        _, lines = self.begin_locals((), 0)
        player = Id(self.program.players)
        if ending.locals or ending.team is not None:
            self.env[0] = Parts((), (get(name),), True), player
        return lines

    def _players(self) -> int:
        return len(self.program.domains[self.program.players].members)

    def team(self, index: int, ending: p.Ending) -> None:
        """The function `$team<index>`: who wins together with a player, where an ending knows teams."""
        if ending.team is None:
            return
        self.begin_function((), 0)
        lines = self._for_player(ending, "$player")
        code = f"(i32.wrap_i64 {self.expr(ending.team)})"
        self.end_function(f"$team{index}", ["(param $player i32)"], ("i32",), [*lines, code])

    def settle(self, name: str, chosen: list[int]) -> None:
        """A function that tests some endings: all conditions are read before any of them has an effect."""
        self.begin_function((), 0)
        held = {index: self.temp("i32") for index in chosen}
        lines = [line for index, at in held.items() for line in self.ending(self.program.endings[index], at)]
        if name != "$settle_otherwise":
            lines.insert(0, test(f"(i32.load offset={4 * STATUS} (i32.const 0))", ["(return)"]))
        if not held:
            self.end_function(name, [], (), [])
            return
        lines.append(test(f"(i32.eqz {both('i32.or', map(get, held.values()))})", ["(return)"]))
        kinds = {kind: self._of_kind(held, kind, lines) for kind in ("victory", "defeat", "draw")}
        out_slot = f"(i32.load offset={4 * OUT} (i32.const 0))"
        (winners, reason), (out, last), (draws, even) = kinds.values()
        lines.append(f"(i32.store offset={4 * OUT} (i32.const 0) (i32.or {out_slot} {get(out)}))")
        together = f"(call $together {get(reason)} {get(winners)})"
        lines.append(test(get(winners), [f"(call $finish {together} {get(reason)})", "(return)"]))
        over = self.temp("i32")
        survivors = put(over, f"(call $survivors {get(last)})")
        ended = test(
            f"(i32.ge_s {get(over)} (i32.const 0))", [f"(call $finish {get(over)} {get(last)})", "(return)"]
        )
        lines.append(test(get(out), [survivors, ended]))
        lines.append(test(get(draws), [f"(call $finish (i32.const 0) {get(even)})"]))
        self.end_function(name, [], (), lines)

    def _of_kind(self, held: dict[int, str], kind: str, lines: list[str]) -> tuple[str, str]:
        """The players of all endings of a kind that hold, and the first of these endings."""
        players, first = self.temp("i32"), self.temp("i32")
        lines += [put(players, i32(0)), put(first, i32(-1))]
        for index, at in held.items():
            if self.program.endings[index].kind == kind:
                note = test(f"(i32.lt_s {get(first)} (i32.const 0))", [put(first, i32(index))])
                joined = put(players, f"(i32.or {get(players)} {get(at)})")
                lines.append(test(get(at), [note, joined]))
        return players, first

    def teams(self) -> None:
        """`$allies`: who wins together with a player, by an ending; `$allies_of`: -1 where it knows no teams."""
        lines = []
        for index, each in enumerate(self.program.endings):
            if each.team is not None:
                call = f"(return (call $team{index} (local.get $player)))"
                lines.append(test(f"(i32.eq (local.get $ending) {i32(index)})", [call]))
        self.begin_function((), 0)
        self.end_function(
            "$allies", ["(param $ending i32)", "(param $player i32)"], ("i32",), [*lines, i32(-1)]
        )
        known = [n for n, each in enumerate(self.program.endings) if each.team is not None]
        tests = [f"(i32.eq (local.get $ending) {i32(n)})" for n in known]
        code = f"(i32.sub {both('i32.or', tests)} (i32.const 1))" if tests else i32(-1)
        self.end_function("$allies_of", ["(param $ending i32)"], ("i32",), [code])


def _tried_together(clauses: tuple[p.Prohibition, ...]) -> Iterator[list[int]]:
    """The clauses that prohibit: each by itself, but those that follow on each other and try the same."""
    overrule = {other for each in clauses for other in each.overruled_by}
    group: list[int] = []
    tried: tuple[int, tuple[Expr, ...]] | None = None
    for n, clause in enumerate(clauses):
        if clause.kind == "allow":
            continue
        condition, alone = clause.condition, clause.overruled_by or n in overrule
        what = (condition.procedure, condition.args) if isinstance(condition, Trial) and not alone else None
        if group and (what is None or what != tried):
            yield group
            group = []
        group.append(n)
        tried = what
    if group:
        yield group
