"""Values: what they are without clauses, and what `modify` makes of them, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import cast

from dsl.catalogue import N_, tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.expressions import Expressions
from dsl.elaborate.bodies.ratios import as_ratio, bare, level, literal, parts_of, same_parts, wrapped
from dsl.elaborate.bodies.scope import BAD, Body, known
from dsl.elaborate.clauses.conditions import bind_params, conditions
from dsl.elaborate.clauses.lasting_modifiers import clauses_of_copies
from dsl.elaborate.clauses.loops import Loops, wrapped_in
from dsl.elaborate.clauses.precedence import Handled, overruling
from dsl.elaborate.clauses.range_fit import check_cells, out_of_range, reached
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int, SetOf, Type
from dsl.linker.modes import Strained
from dsl.lower.ir_builder import TRUE, conjunction, number
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.bounds import BIGGEST
from dsl.resolve.clause_texts import Said, written
from dsl.resolve.delayed_effects import Lasting
from dsl.resolve.kinds import UNKNOWN, AnyType, Fraction, Unknown, as_fraction, counted_in
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Guard
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import handles_of

DEFAULT_STAGES = ("becomes", "times", "plus", "bounds")
_SAID = {"up": "up", "down": "down", "zero": "to zero"}
STAGE = {
    "becomes": "becomes",
    "times": "times",
    "plus": "plus",
    "minus": "plus",
    "at-least": "at_least",
    "at-most": "at_most",
}


def known_types(types: Iterable[AnyType]) -> tuple[Type, ...] | None:
    """Types that are all known, or none of them."""
    found = tuple(types)
    kept = tuple(each for each in found if not isinstance(each, Unknown))
    return kept if len(kept) == len(found) else None


def _alike(one: AnyType, two: AnyType) -> bool:
    """Are two types the same but for the range of a number?"""
    if isinstance(one, Int) and isinstance(two, Int):
        return (one.truth, one.optional) == (two.truth, two.optional)
    return one == two


@record(frozen=True, slots=True)
class Composed:
    """A value with its clauses and where each stands; behind the first `plain` those that last for a while."""

    value: w.Value
    clauses: tuple[pr.ValueClause, ...]
    spans: tuple[Span, ...]
    plain: int


# ---------------------------------------------------------------- values


MOST_CLAUSES = 3000
"""`modify` lines of one value: each is held against each."""

FIXED = {
    "supply": (
        N_("`{column}` says how many pieces there are when a game begins; a clause makes no more of them"),
        N_("print another number: `change ROW: {column} = 3`"),
    ),
    "borders": (
        N_("`{column}` says what borders on what, as the map is made; a clause moves no border"),
        N_(
            "print other neighbours with `change ROW: {column} = ...`, or ask a value of your own that reads `{column}`"
        ),
    ),
}
"""What is read of a column before any clause stands, and what to do instead of modifying it."""


class Values:
    """Elaborates values on demand: a value whose type is to be inferred is needed before others."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.composed: list[Composed] = []
        """Values with clauses, to be held against each other when everything is known."""
        self.loops: dict[Expressions, Loops] = {}
        """What the blocks that are being read set."""

    def result(self, value: w.Value) -> AnyType:
        """The type of a value; inferred from its base where it is not declared."""
        if value.result is None:
            self.infer(value)
        return value.result if value.result is not None else UNKNOWN

    def infer(self, value: w.Value) -> None:
        """Finds a type from the base, and its range also from what the clauses may make of it."""
        if value.busy:
            span = value.decl.name.span if value.decl else value.modifies[0][0].span
            self.world.error(
                Code.CALL_CYCLE,
                span,
                tr("`{name}` is computed from itself", name=value.name),
                hint="declare its type (`-> 0..9`), and break the circle",
            )
            value.result = UNKNOWN
            return
        value.busy = True
        e, _ = self.opened(value)
        base = self.base(e, value)
        value.busy = False
        if value.result is None:
            value.result = base.type if known(base) else UNKNOWN
            value.result = self.widened(value, value.result)

    def columns(self) -> None:
        """Printed columns that are modified reach as far as their clauses take them."""
        for value in self.world.values:
            if value.column is not None and value.result is not None:
                value.result = value.column.type = self.widened(value, value.result)

    def widened(self, value: w.Value, type_: AnyType) -> AnyType:
        """An inferred range, with what the clauses may make of its numbers; as it is where that is too much.

        A clause that reads the value itself, which is refused later, sees the range of the base.
        """
        numbers = counted_in(type_)
        if not isinstance(numbers, Int) or numbers.truth or not (value.modifies or value.lasting):
            return type_
        e, _ = self.opened(value)
        made: list[pr.ValueClause] = []
        for decl, guard in value.modifies:
            with e.body.block():
                bind_params(e, decl.target, value.params, value.name)
                conditions(e, decl.tail.condition, guard)
                made += self.possible(e, value, type_, decl, 1)
        for decl, lasting in value.lasting:
            var = self.world.vars[lasting.var]
            if lasting.copies is not None or not isinstance(var.type, Int):
                continue
            with e.body.block():
                if var.of is not None and lasting.captured is not None:
                    e.body.bind(lasting.captured, e.body.new(Id(var.of)))
                size = 1 if var.of is None else len(self.world.domains[var.of].members)
                bind_params(e, decl.target, value.params, value.name)
                conditions(e, decl.tail.condition, Guard())
                made += self.possible(e, value, type_, decl, size * max(var.type.high, 1))
        found = reached((numbers.low, numbers.high), self.stages(value), made)
        if found is None or found[0] < -BIGGEST or found[1] > BIGGEST:
            return type_
        return cast(AnyType, replace(cast(Int, type_), low=found[0], high=found[1]))

    def possible(
        self, e: Expressions, value: w.Value, type_: AnyType, decl: ast.Modify, often: int
    ) -> list[pr.ValueClause]:
        """A clause as far as the range needs it; nothing where it is not understood, which is told later."""
        if decl.tail.condition:
            e.learn(decl.tail.condition, holds=True)
        operand: ir.Expr = BAD
        divisor: ir.Expr | None = None
        if decl.op == "times":
            operand, divisor = self.fraction(e, decl.operand)
        elif decl.op == "becomes":
            found = e.expr(decl.operand, type_)
            if known(found) and getattr(as_fraction(found.type), "parts", None) == getattr(
                as_fraction(type_), "parts", None
            ):
                operand = bare(found)
        elif printed := as_fraction(type_):
            operand = self.parts(e, decl.operand, printed)
        else:
            operand = e.whole(decl.operand)
        if not known(operand) or not isinstance(operand.type, Int) or operand.type.truth:
            return []
        if decl.op in {"plus", "minus"}:
            ends = [often * operand.type.low, often * operand.type.high, 0]
            ends = [-each for each in ends] if decl.op == "minus" else ends
            operand = ir.Const(Int(min(ends), max(ends)), 0)
        return [pr.ValueClause(0, STAGE[decl.op], TRUE, operand, divisor, ())]

    def opened(self, value: w.Value) -> tuple[Expressions, Body]:
        """An elaborator whose first locals are the parameters."""
        body = Body()
        e = Expressions(self.world, body, self.result)
        for param in value.params:
            body.bind(param.name, body.new(param.type))
        return e, body

    def elaborate(self, value: w.Value) -> None:
        """Base and clauses as the program's value."""
        self.result(value)
        if len(value.modifies) > MOST_CLAUSES:
            message = tr(
                "`{name}` has {count} clauses, more than {most_clauses}",
                name=value.name,
                count=f"{len(value.modifies):,}",
                most_clauses=f"{MOST_CLAUSES:,}",
            )
            hint = "what differs by a thing or a number is a column of a table"
            self.world.error(Code.LIMIT, value.modifies[MOST_CLAUSES][0].span, message, hint=hint)
            value.modifies.clear()
        e, body = self.opened(value)
        base = self.base(e, value)
        if not known(base) or isinstance(value.result, Unknown):
            self.clauses(e, value)
            return
        base = bare(base) if as_fraction(value.result) and not value.modifies else base
        if not self.is_staged(value, base) and value.base is None:
            span = value.decl.body.span if value.decl else (*value.modifies, *value.lasting)[0][0].span
            base = e.coerce(base, value.result or UNKNOWN, span)
        clauses = self.clauses(e, value)
        self.check_range(value, base, clauses)
        names = tuple(param.name for param in value.params)
        params = known_types(param.type for param in value.params)
        if not known(base) or isinstance(value.result, Unknown | None) or params is None:
            return
        stages = self.stages(value)
        fraction = as_fraction(value.result)
        value.lowered = pr.Value(
            value.name,
            params,
            names,
            tuple(body.locals),
            counted_in(value.result),
            bare(base),
            tuple(clauses),
            stages,
            self.rounding(value),
            value.clause,
            1 if fraction is None else fraction.parts,
            value.label,
            self.labels(value),
        )

    def labels(self, value: w.Value) -> tuple[int, ...]:
        """What players call the parameters, where one has words; the others are called by their names."""
        written = value.decl.params if value.decl is not None else ()
        if all(each.label is None for each in written):
            return ()
        return tuple(self.world.text(each.label or each.name.text.replace("_", " ")) for each in written)

    def is_staged(self, value: w.Value, base: ir.Expr) -> bool:
        """Is it a number that clauses or rounding bring into the range of the value, or keep there?"""
        numeric = isinstance(bare(base).type, Int) and isinstance(counted_in(value.result or UNKNOWN), Int)
        return numeric and bool(value.modifies or as_fraction(value.result))

    def check_range(self, value: w.Value, base: ir.Expr, clauses: list[pr.ValueClause]) -> None:
        """A cell or a clause that takes a value out of the range that it declares is told."""
        type_, declared = value.result, value.declared
        if value.decl is not None and value.decl.result is not None:
            declared = value.decl.name.span
        if declared is None or not isinstance(type_, Int) or type_.truth or not known(base):
            return
        stages = self.stages(value)
        base = bare(base)
        if not isinstance(base.type, Int):
            return
        fits = check_cells(
            self.world,
            value.name,
            type_,
            base,
            declared,
            lambda found: reached((found, found), stages, clauses),
        )
        if not fits or len(clauses) != len(value.modifies):
            return
        start = base.type.low, base.type.high
        for at, found in sorted(out_of_range(start, stages, clauses, type_)):
            shown = f"{found[0]}" if found[0] == found[1] else f"{found[0]}..{found[1]}"
            message = tr(
                "this makes `{name}` {shown}, which is {low}..{high}",
                name=value.name,
                shown=shown,
                low=type_.low,
                high=type_.high,
            )
            labels = (Label(declared, "declared here"),)
            hint = tr(
                "bound it (`modify {name}: at most {high}`), or widen the range",
                name=value.name,
                high=type_.high,
            )
            span = value.modifies[at][0].span
            self.world.error(Code.OUT_OF_RANGE, span, message, labels=labels, hint=hint)

    def base(self, e: Expressions, value: w.Value) -> ir.Expr:
        if value.base is not None:
            return value.base
        if value.decl is None:
            assert value.column is not None
            data, row = value.column.data, ir.Local(e.body.locals[0], 0)
            args = (self.world.mode_now(), row) if value.column.by_mode else (row,)
            return ir.Lookup(self.world.data[data].type, data, args)
        if len(value.variants) > 1:
            return self.by_mode(e, value)
        return self.body(e, value, value.decl)

    def body(self, e: Expressions, value: w.Value, decl: ast.Value) -> ir.Expr:
        if isinstance(decl.body, ast.Block):
            return self.block(e, decl.body.statements, value)
        return e.expr(decl.body, value.result)

    def by_mode(self, e: Expressions, value: w.Value) -> ir.Expr:
        """The definition of the mode that is played; where no other has one, the last. Of strains the game's own comes
        first, as what does not go with it is their fault.
        """
        result: ir.Expr | None = None
        variants = value.variants[::-1]
        if isinstance(variants[-1][0], Strained):
            variants = [variants[-1], *variants[:-1]]
        for where, decl in variants:
            with e.body.block():
                own = self.body(e, value, decl)
            test = self.world.in_modes(where)
            if (
                result is not None
                and isinstance(where, Strained)
                and not self._fits(e, value, own, result, decl)
            ):
                continue
            if not known(own):
                return BAD
            if result is None or test is None:
                result = own
                continue
            if value.result is not None and not (
                self.is_staged(value, own) and self.is_staged(value, result)
            ):
                own = e.coerce(own, value.result, decl.body.span)
                result = e.coerce(result, value.result, decl.body.span)
            one, two, type_ = e.join(own, result, decl.name.span)
            if not known(one):
                return BAD
            result = ir.Op(type_, "if", (test, one, two))
        return result if result is not None else BAD

    def _fits(self, e: Expressions, value: w.Value, own: ir.Expr, game: ir.Expr, decl: ast.Value) -> bool:
        """Can a strain give what it does where the game gives something? Where it cannot, the others are still read."""
        if known(own) and known(game) and value.result is None and not _alike(own.type, game.type):
            e.fault(Code.TYPE_MISMATCH, decl.name.span, "a strain gives what the game gives")
            return False
        return known(own)

    def block(self, e: Expressions, statements: tuple[ast.Stmt, ...], value: w.Value) -> ir.Expr:
        """A block of `let`, `if` and `return` as one expression."""
        if not statements:
            span = value.decl.span if value.decl else None
            assert span is not None
            return e.fault(
                Code.NO_RETURN,
                span,
                tr("`{name}` may end without a value", name=value.name),
                hint="end each way through it with `return ...`",
            )
        first, rest = statements[0], statements[1:]
        loops = self.loops.get(e) or Loops(e)
        if loops.takes(first):
            self.loops[e] = loops
            steps = loops.steps((first,))
            result_of = self.block(e, rest, value)
            if not loops.fine or not known(result_of):
                return BAD
            return wrapped(wrapped_in(steps, bare(result_of)), result_of.type)
        match first:
            case ast.Return(value=result) if result is not None:
                found = self.fitting(e, e.expr(result, value.result), value, result)
                return self.said(e, first, found, value)
            case ast.Let():
                e.is_new(first)
                bound = e.expr(first.value)
                if not known(bound):
                    e.body.bind(first.name.text, BAD)
                    return self.block(e, rest, value)
                local = e.body.new(counted_in(bound.type))
                e.body.bind(first.name.text, wrapped(local, bound.type))
                body = self.block(e, rest, value)
                if not known(body):
                    return BAD
                inner = ir.LetIn(counted_in(body.type), local.index, bare(bound), bare(body))
                return wrapped(inner, body.type)
            case ast.If():
                return self.branches(e, first, rest, value, 0)
            case _:
                return e.fault(
                    Code.VALUE_BLOCK,
                    first.span,
                    "a value computes, it does nothing",
                    hint="only `let`, `if`, `for`, `return` and what sets a name stand here",
                )

    def fitting(self, e: Expressions, found: ir.Expr, value: w.Value, tree: ast.Expr) -> ir.Expr:
        """What one line returns, which is told by itself where it can never be the value's."""
        wanted = value.result
        if not isinstance(found.type, Int | Id) or not isinstance(wanted, Int | Id):
            return found
        return found if known(e.coerce(found, wanted, tree.span)) else BAD

    def said(self, e: Expressions, tree: ast.Return, result: ir.Expr, value: w.Value) -> ir.Expr:
        """What a cited line returns: it reads the one row of a table that stands for the line, so that reports
        note it as they note the rows of tables.
        """
        if tree.citation is None or not known(result):
            return result
        world = self.world
        clause = world.clause_of_citation.get(id(tree.citation))
        if clause is None:
            clause = world.clause("value", value.name, tree.citation, tree.span)
            world.clause_of_citation[id(tree.citation)] = clause
        line = Int(0, 0)
        said = pr.Data(f"{value.name} says", line, ((0, 1),), (0,), (clause,))
        data = world.data.index(said) if said in world.data else world.add_data(said)
        local = e.body.new(line)
        return ir.LetIn(result.type, local.index, ir.Lookup(line, data, (number(0),)), result)

    def branches(
        self, e: Expressions, tree: ast.If, rest: tuple[ast.Stmt, ...], value: w.Value, at: int
    ) -> ir.Expr:
        condition, block = tree.branches[at]
        test = e.truth(condition)
        with e.body.block():
            e.learn(condition, holds=True)
            one = self.block(e, (*block.statements, *rest), value)
        with e.body.block():
            e.learn(condition, holds=False)
            if at + 1 < len(tree.branches):
                two = self.branches(e, tree, rest, value, at + 1)
            else:
                other = tree.otherwise.statements if tree.otherwise else ()
                two = self.block(e, (*other, *rest), value)
        if not known(one) or not known(two):
            return BAD
        if value.result is not None and not isinstance(value.result, Unknown):
            one, two = e.coerce(one, value.result, tree.span), e.coerce(two, value.result, tree.span)
        one, two, type_ = e.join(one, two, tree.span)
        return e.branching(test, one, two, type_) if known(one) else BAD

    def stages(self, value: w.Value) -> tuple[str, ...]:
        """The order of stages; those that the author does not name keep their places around the others."""
        named = value.decl.stages if value.decl else ()
        for name in named:
            if name.text not in DEFAULT_STAGES:
                hint = self.world.nearest(name.text, list(DEFAULT_STAGES)) or "stages are: " + ", ".join(
                    DEFAULT_STAGES
                )
                self.world.unknown("stage", name.span, hint=hint)
        own = [name.text for name in named if name.text in DEFAULT_STAGES]
        missing = [stage for stage in DEFAULT_STAGES if stage not in own]
        return (
            *[each for each in missing if each != "bounds"],
            *own,
            *[each for each in missing if each == "bounds"],
        )

    def rounding(self, value: w.Value) -> str | None:
        """How what the value's fractions make is rounded: as its head says, or else its `times`; all say the same."""
        heads = [decl for _, decl in value.variants] or ([value.decl] if value.decl else [])
        said: list[tuple[str, Span]] = [(decl.rounding, decl.name.span) for decl in heads if decl.rounding]
        clauses = [decl for decl, _ in value.modifies] + [decl for decl, _ in value.lasting]
        said += [(decl.rounding, decl.operand.span) for decl in clauses if decl.rounding]
        for direction, span in said[1:]:
            if direction != said[0][0]:
                self.world.error(
                    Code.CONFLICTING_BECOMES,
                    span,
                    tr(
                        "`{name}` is rounded {said} here, and {said2} elsewhere",
                        name=value.name,
                        said=_SAID[direction],
                        said2=_SAID[said[0][0]],
                    ),
                    labels=(Label(said[0][1], tr("rounded {said}", said=_SAID[said[0][0]])),),
                    hint="all fractions of a value make one, which is rounded once: say the same in both, "
                    "or compute one of them as `becomes`",
                )
        return said[0][0] if said else None

    # ------------------------------------------------------------ modifiers

    def clauses(self, e: Expressions, value: w.Value) -> list[pr.ValueClause]:
        groups: list[list[pr.ValueClause]] = []
        for decl, guard in value.modifies:
            clause = self.modifier(e, value, decl, guard)
            groups.append([] if clause is None else [clause])
        for decl, lasting in value.lasting:
            if lasting.copies is not None:
                read = partial(self.modifier, e, value, decl, Guard(), lasting)
                groups.append(clauses_of_copies(e, lasting, read, ranks=bool(decl.tail.over)))
                continue
            clause = self.lasting(e, value, decl, lasting)
            groups.append([] if clause is None else [clause])
        decls = [decl for decl, _ in (*value.modifies, *value.lasting)]
        handled = [Handled(handles_of(decl), decl.tail.over, decl.span) for decl in decls]
        overruled = overruling(self.world.reporter, handled, value.name)
        counted = iter(range(sum(map(len, groups))))
        numbers = [[next(counted) for _ in group] for group in groups]
        found = [
            replace(clause, overruled_by=tuple(sorted(number for one in over for number in numbers[one])))
            for group, over in zip(groups, overruled, strict=True)
            for clause in group
        ]
        if all(groups):
            spans = tuple(decl.span for decl, group in zip(decls, groups, strict=True) for _ in group)
            self.composed.append(Composed(value, tuple(found), spans, len(value.modifies)))
        return found

    def lasting(
        self, e: Expressions, value: w.Value, decl: ast.Modify, lasting: Lasting
    ) -> pr.ValueClause | None:
        """A modifier for the rest of something: as often as it was set, for what it was set for."""
        var = self.world.vars[lasting.var]
        if var.of is None or lasting.captured is None:
            count = ir.Load(var.type, var.id)
            clause = self.modifier(e, value, decl, Guard(ir.Op(TRUTH, "gt", (count, number(0)))), lasting)
            if clause is None or clause.stage != "plus":
                return clause
            term = self.times(e, clause.operand, count, decl)
            return replace(clause, operand=term) if known(term) else None
        with e.body.block():
            who = e.body.new(Id(var.of))
            e.body.bind(lasting.captured, who)
            count = ir.Load(var.type, var.id, who)
            clause = self.modifier(e, value, decl, Guard(), lasting)
        if clause is None:
            return None
        everybody = ir.Const(SetOf(Id(var.of)), (1 << len(self.world.domains[var.of].members)) - 1)
        holds = conjunction([ir.Op(TRUTH, "gt", (count, number(0))), clause.condition])
        stands = ir.Fold(TRUTH, "any", who.index, everybody, holds, TRUE)
        if clause.stage != "plus":
            return replace(clause, condition=stands)
        term = self.times(e, clause.operand, count, decl)
        if not isinstance(term.type, Int):
            return None
        size = len(self.world.domains[var.of].members)
        type_ = Int(min(0, size * term.type.low), max(0, size * term.type.high))
        total = ir.Fold(type_, "sum", who.index, everybody, holds, term)
        return replace(clause, condition=stands if decl.tail.over else TRUE, operand=total)

    def times(self, e: Expressions, operand: ir.Expr, count: ir.Expr, decl: ast.Modify) -> ir.Expr:
        return e.compute("*", operand, count, decl.operand)

    def called(self, decl: ast.Modify, lasting: Lasting | None) -> Said:
        """What a sum calls a modifier: by its words, what brings it, or its condition."""
        label = None if decl.tail.reason is None else self.world.text(decl.tail.reason)
        conditions = () if decl.tail.condition is None else (written(decl.tail.condition),)
        within = None if lasting is None else lasting.within
        if not isinstance(within, ast.Action) or within.kind != "action":
            return Said(label, conditions)
        action = self.world.callables.get(within.name.text)
        number_ = action.id if isinstance(action, w.Action) else None
        return Said(label, conditions, (), number_, self.member(within))

    def member(self, head: ast.Action) -> tuple[int, int] | None:
        """The row or piece for which an action is declared, as its first argument."""
        if not head.params or head.params[0].type is not None:
            return None
        name = head.params[0].name.text
        for number_, domain in enumerate(self.world.domains):
            if domain.kind in {"row", "piece"} and name in domain.members:
                return number_, domain.members.index(name)
        return None

    def tell_of_fixed(self, decl: ast.Modify, column: w.Column, read: Span, what: str) -> None:
        """A clause on a column that is read before any clause stands."""
        message, hint = FIXED[what]
        self.world.error(
            Code.TYPE_MISMATCH,
            decl.span,
            tr(message, column=column.name),
            labels=(Label(read, "read here"),),
            hint=tr(hint, column=column.name),
        )

    def modifier(
        self,
        e: Expressions,
        value: w.Value,
        decl: ast.Modify,
        guard: Guard,
        lasting: Lasting | None = None,
    ) -> pr.ValueClause | None:
        if value.column is not None and value.column.fixed is not None:
            self.tell_of_fixed(decl, value.column, *value.column.fixed)
        called = self.called(decl, lasting)
        number_ = self.world.clause("modify", value.name, decl.citation, decl.span, called)
        with e.body.block():
            bind_params(e, decl.target, value.params, value.name)
            condition = conditions(e, decl.tail.condition, guard)
            if decl.tail.condition:
                e.learn(decl.tail.condition, holds=True)
            result = value.result or UNKNOWN
            divisor: ir.Expr | None = None
            if decl.op == "becomes":
                operand = self.becomes(e, value, decl.operand)
            elif decl.op == "times":
                operand, divisor = self.fraction(e, decl.operand)
                if known(operand) and divisor != number(1) and not self.is_rounded(value, decl):
                    return None
            elif printed := as_fraction(result):
                operand = self.parts(e, decl.operand, printed)
            else:
                operand = e.whole(decl.operand)
        if not known(operand):
            return None
        numbers = counted_in(result)
        if decl.op != "becomes" and not (isinstance(numbers, Int) and not numbers.truth):
            self.world.error(
                Code.TYPE_MISMATCH,
                decl.span,
                tr("`{name}` is {result}, not a number", name=value.name, result=self.world.show(result)),
                hint="only `becomes` goes with it",
            )
            return None
        if decl.op == "minus":
            assert isinstance(operand.type, Int)
            operand = ir.Op(Int(-operand.type.high, -operand.type.low), "neg", (operand,))
        return pr.ValueClause(number_, STAGE[decl.op], condition, operand, divisor, ())

    def becomes(self, e: Expressions, value: w.Value, tree: ast.Expr) -> ir.Expr:
        """What a value, or an argument of an action, becomes; a number that it cannot be names where it is declared."""
        result, found = value.result or UNKNOWN, e.expr(tree, value.result)
        if isinstance(found.type, Int) and isinstance(result, Int) and not (found.type.truth or result.truth):
            low, high = found.type.low, found.type.high
            if value.declared is not None and (low > result.high or high < result.low):
                shown = f"{low}" if low == high else f"{low}..{high}"
                message = tr(
                    "`{name}` is {low}..{high}, and can never become {shown}",
                    name=value.name,
                    low=result.low,
                    high=result.high,
                    shown=shown,
                )
                labels = (Label(value.declared, "declared here"),)
                hint = "widen the range, or mend the number"
                self.world.error(Code.OUT_OF_RANGE, tree.span, message, labels=labels, hint=hint)
                return BAD
        return bare(e.coerce(found, result, tree.span))

    def is_rounded(self, value: w.Value, decl: ast.Modify) -> bool:
        """May a value be multiplied by a fraction here? It is told where nothing says how that is rounded."""
        written = decl.operand.span.text
        if as_fraction(value.result):
            self.world.error(
                Code.UNROUNDED,
                decl.operand.span,
                tr(
                    "`{name}` is a fraction itself, and counts in parts that `times {written}` need not leave",
                    name=value.name,
                    written=written,
                ),
                hint=tr(
                    "print what it becomes, or multiply where `{name}` is used and rounded", name=value.name
                ),
            )
            return False
        heads = [head for _, head in value.variants] or ([value.decl] if value.decl else [])
        if decl.rounding is not None or any(head.rounding for head in heads):
            return True
        labels = tuple(Label(head.name.span, "this does not say how it is rounded") for head in heads[:1])
        self.world.error(
            Code.UNROUNDED,
            decl.operand.span,
            tr("`{name}` does not say how it is rounded, and this may leave a fraction", name=value.name),
            labels=labels,
            hint=tr(
                "say it here: `times {written} rounded down`, `rounded up` or `rounded to zero`",
                written=written,
            ),
        )
        return False

    def fraction(self, e: Expressions, tree: ast.Expr) -> tuple[ir.Expr, ir.Expr]:
        """A factor as what stands above and below its stroke; below a whole number stands the constant 1."""
        if not (isinstance(tree, ast.Binary) and tree.op == "/") or literal(tree) is not None:
            found = e.scalar(tree)
            if as_ratio(found):
                return bare(found), number(parts_of(found))
            return e.number_of(found, tree), number(1)
        above, below = e.scalar(tree.left), e.scalar(tree.right)
        if not known(above) or not known(below):
            return BAD, BAD
        if (even := level(e, above, below, tree)) is None:
            return e.number_of(above, tree.left), e.number_of(below, tree.right)
        return even[0], even[1]

    def parts(self, e: Expressions, tree: ast.Expr, printed: Fraction) -> ir.Expr:
        """What is added to a printed fraction, or bounds it, in its own parts."""
        found = e.scalar(tree)
        even = same_parts(e, found, printed, tree.span) if known(found) else None
        return even if even is not None else BAD
