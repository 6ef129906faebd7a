"""Folds and domains without a loop: conditions that are sets are all that a fold asks, or narrow what it runs over."""

from __future__ import annotations

from dsl.engine.layout import extent, is_whole
from dsl.ir import nodes as ir
from dsl.ir.conditions import conjoined, conjuncts, holder
from dsl.ir.types import NONE, Id, Int, SetOf, Type
from dsl.ir.walk import locals_in
from dsl.wasm.bitboards import Bitboards
from dsl.wasm.reps import CHUNK, reps, scalar_rep
from dsl.wasm.text import Parts, both, get, i32, i64, plus, put

STOPS_EARLY = {"any", "every", "first"}
"""Folds that do not look at every element."""


class Narrowing(Bitboards):
    """Adds folds that are operations on sets, and domains that conditions narrow."""

    def at_once(self, e: ir.Fold, domain: Parts) -> Parts | None:
        """A fold that is an operation on sets; none where it has to run."""
        condition, kind = self.only(e), e.domain.type
        if condition is None or not isinstance(kind, SetOf):
            return None
        pre: tuple[str, ...] = domain.pre
        if id(e) in self.masks:
            found = self.masks[id(e)][1]
        elif self.all_at_once(condition, e.index, e.domain):
            made = self.mask(condition, e.index, kind)
            if made is None:
                return None
            found, pre = made, (*pre, *made.pre)
        elif isinstance(e.domain, ir.Const) and self._dense(e.domain):
            judged = self.bitboard([condition], e.index, domain, kind, stops=e.kind in STOPS_EARLY)
            if judged is None:
                return None
            found, pre = judged, (*pre, *judged.pre)
        else:
            return None
        return self._folded_at_once(e, pre, domain.codes, found.codes)

    def _folded_at_once(
        self, e: ir.Fold, pre: tuple[str, ...], domain: tuple[str, ...], found: tuple[str, ...]
    ) -> Parts | None:
        if e.kind == "every":
            rest = [f"(i64.and {a} (i64.xor {b} (i64.const -1)))" for a, b in zip(domain, found, strict=True)]
            return Parts((), (self.after_all(pre, f"(i64.eqz {both('i64.or', rest)})"),))
        met = [f"(i64.and {a} {b})" for a, b in zip(domain, found, strict=True)]
        match e.kind:
            case "any":
                return Parts((), (self.after_all(pre, f"(i64.ne {both('i64.or', met)} {i64(0)})"),))
            case "count" if scalar_rep(e.type) == "i32":
                counts = [f"(i64.popcnt {code})" for code in met]
                return Parts((), (self.after_all(pre, f"(i32.wrap_i64 {both('i64.add', counts)})"),))
            case "all" if e.type == e.domain.type:
                return Parts(pre, tuple(met))
            case "first" if scalar_rep(e.type) == "i32":
                names = [self.temp("i64") for _ in met]
                code, low = i32(NONE), self.lowest(e.domain.type)
                for k in reversed(range(len(met))):
                    least = plus(f"(i32.wrap_i64 (i64.ctz {get(names[k])}))", low + k * CHUNK)
                    code = f"(select {code} {least} (i64.eqz {get(names[k])}))"
                return Parts((*pre, *map(put, names, met)), (code,))
            case _:
                return None

    def after_all(self, pre: tuple[str, ...], code: str) -> str:
        """A truth or number after some statements."""
        return f"(block (result i32) {''.join(pre)}{code})" if pre else code

    def all_at_once(self, condition: ir.Expr, index: int, domain: ir.Expr) -> bool:
        """Is it no more work to look at all members than at those of a domain?"""
        assert isinstance(domain.type, SetOf)
        if isinstance(domain, ir.Const) and self._dense(domain):
            return True
        if self.is_many(domain) and self.is_short(condition, index, domain.type):
            return True
        return self.loads(condition, index, domain.type)

    def is_many(self, domain: ir.Expr) -> bool:
        """Is it likely to have so many members that all may as well be looked at: the pieces in play?"""
        return isinstance(domain, ir.Load) and self.program.vars[domain.var].role == "in_play"

    def _dense(self, domain: ir.Const) -> bool:
        """Is a constant set so full that all members may as well be looked at?"""
        assert isinstance(domain.type, SetOf)
        return isinstance(domain.value, int) and 2 * domain.value.bit_count() >= extent(
            self.program, domain.type
        )

    def narrowed(
        self, domain: ir.Expr, value: Parts, where: ir.Expr | None, index: int, *, stops: bool
    ) -> tuple[ir.Expr, Parts, ir.Expr | None]:
        """Takes leading conditions that are sets into the domain. `stops`: may it end before the last element?"""
        conditions = conjuncts(where)
        while conditions and (held := holder(self.program, conditions[0], domain.type, index)) is not None:
            other = self.held(held)
            if is_whole(self.program, domain):
                value, domain = other, held
            else:
                codes = tuple(f"(i64.and {a} {b})" for a, b in zip(value.codes, other.codes, strict=True))
                met = self.hold(Parts((*value.pre, *other.pre), codes), domain.type)
                value, domain = met, ir.Op(domain.type, "meet", (domain, held))
            conditions = conditions[1:]
        value, left = self.filtered(domain, value, conditions, index, stops=stops)
        if len(left) < len(conditions):
            domain, conditions = ir.Op(domain.type, "meet", (domain, domain)), left
        return domain, value, conjoined(conditions)

    def filtered(
        self, domain: ir.Expr, value: Parts, conditions: list[ir.Expr], index: int, *, stops: bool
    ) -> tuple[Parts, list[ir.Expr]]:
        """A domain without the members for which the first conditions fail, and the conditions left."""
        kind, kept = domain.type, list(conditions)
        if not isinstance(kind, SetOf):
            return value, kept
        dense = isinstance(domain, ir.Const) and self._dense(domain)
        while kept:
            found = self.mask(kept[0], index, kind) if self.all_at_once(kept[0], index, domain) else None
            if found is not None:
                codes = tuple(f"(i64.and {a} {b})" for a, b in zip(value.codes, found.codes, strict=True))
                value = self.hold(Parts((*value.pre, *found.pre), codes), kind)
            else:
                found = self.bitboard(kept[:1], index, value, kind, stops=stops) if dense else None
                if found is None:
                    break
                value = self.hold(found, kind)
            kept.pop(0)
        return value, kept

    # ------------------------------------------------------------ values written out

    def written_out(self, e: ir.Ask) -> Parts | None:
        """A value asked for, where it is a fold whose set is known here, or comes from mirrors."""
        fold = self._asked(e)
        condition = None if fold is None else self.only(fold)
        if fold is None or condition is None:
            return None
        known = {id(fold): self.masks[id(fold)]} if id(fold) in self.masks else {}
        if not (locals_in(condition) == {fold.index} if known else self._is_light(fold, condition)):
            return None
        value = self.program.values[e.value]
        given = self.arguments(e.args, value.params)
        names = [
            (self.temp(rep), code) for rep, code in zip(self._reps(value.params), given.codes, strict=True)
        ]
        lines = [*given.pre, *(put(name, code) for name, code in names)]
        before, frame, masks, at = self.env, self.frame, self.masks, 0
        self.env, self.frame, self.masks = {}, None, known
        for index, kind in enumerate(value.params):
            count = len(reps(self.program, kind))
            self.env[index] = Parts((), tuple(get(name) for name, _ in names[at : at + count]), True), kind
            at += count
        found = self.parts(fold)
        self.env, self.frame, self.masks = before, frame, masks
        return Parts((*lines, *found.pre), found.codes, found.atomic)

    def _is_light(self, fold: ir.Fold, condition: ir.Expr) -> bool:
        """Is a fold over a small set an operation on one that is there?"""
        kind = fold.domain.type
        small = isinstance(kind, SetOf) and extent(self.program, kind) <= CHUNK
        plain = isinstance(fold.domain, ir.Lookup | ir.Const) and isinstance(fold.type, Int | Id)
        return isinstance(kind, SetOf) and small and plain and self.loads(condition, fold.index, kind)

    def _reps(self, kinds: tuple[Type, ...]) -> list[str]:
        return [rep for kind in kinds for rep in reps(self.program, kind)]
