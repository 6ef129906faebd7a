"""What actions do: their `before` clauses, the body or the one `instead` that stands, their `after` clauses.

Here too are the ends of lifetimes (`again at end of ...`), the course of the game, and the taking away of pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations

from dsl.diagnostics import Code, Label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf
from dsl.semantics.bodies.batches import Parts
from dsl.semantics.bodies.guards import head_length
from dsl.semantics.bodies.holders import leaving
from dsl.semantics.bodies.routines import routine
from dsl.semantics.bodies.scope import Body, facts
from dsl.semantics.bodies.statements import Statements
from dsl.semantics.checks.effects import Fired, Reactions
from dsl.semantics.clauses.clauses import (
    Handled,
    Values,
    bind_params,
    conditions,
    handles,
    nothing_there,
    overruling,
    together,
)
from dsl.semantics.clauses.delays import fire, forget
from dsl.semantics.clauses.ordering import Due, reaction_label, reactions_in_order
from dsl.semantics.code import mid
from dsl.semantics.code.flatten import plain
from dsl.semantics.code.rewrite import substitute
from dsl.semantics.code.small import FALSE, TRUE, conjunction, negation, number
from dsl.semantics.gather.modes import Where
from dsl.semantics.things import cells
from dsl.semantics.things import entries as w
from dsl.semantics.things.bounds import sized
from dsl.semantics.things.entries import Param
from dsl.semantics.things.lookups import ONE_ROW
from dsl.semantics.things.waiting import Delays
from dsl.semantics.things.world import World
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import opening_citation, walk

SLOT = 1
Effect = tuple[ast.Row, tuple[ast.Stmt, ...], Where]
"""A row of a table of effects: what it does, and in which modes."""


@dataclass(slots=True)
class Lifetime:
    """A field that takes its initial value again at a moment of an action."""

    var: int
    clause: ast.Again
    args: tuple[ast.Expr, ...]


@dataclass(slots=True)
class Actions:
    """Elaborates the bodies of all actions."""

    world: World
    values: Values
    effects: dict[str, tuple[Effect, ...]]
    lifetimes: dict[str, list[Lifetime]]
    delays: Delays
    hooks: list[Reactions] = field(default_factory=list)
    """All reactions, to be held against each other when everything is known."""
    moments: list[tuple[str, str, list[Fired]]] = field(default_factory=list)
    """What waits for the same moment, to be held against each other."""
    parts: dict[int, Parts] = field(default_factory=dict)
    """The parts of actions that happen together with others."""
    batches: list[tuple[Span, tuple[int, ...]]] = field(default_factory=list)
    """Where things happen together, and the procedures that are their bodies."""

    def statements(self, params: list[Param], by: int | None) -> Statements:
        """Fresh code whose first locals are the parameters."""
        body = Body(effects=True)
        s = Statements(self.world, body, self.values.result)
        s.actions = self
        for param in params:
            body.bind(param.name, body.new(param.type))
        if by is not None:
            body.by = body.acting = ir.Local(body.locals[by], by)
        return s

    def action(self, action: w.Action) -> None:
        """Elaborates what an action does, and enters it as a procedure or routine."""
        s = self.statements(action.params, action.by)
        site = self.world.site(action.decl.name.span)
        if action.depth_var is not None:
            s.code.add(ir.Change(action.depth_var, None, None, number(1), False, False, site))
        self.moment(s, action, "start")
        self.announce(s, action)
        self.reactions(s, action, "before")
        self.middle(s, action)
        self.reactions(s, action, "after")
        self.moment(s, action, "end")
        if action.depth_var is not None:
            s.code.add(ir.Change(action.depth_var, None, None, number(1), False, True, site))
        if action.kind == "phase":
            s.code.add(ir.TestEndings(False))
        self.finish(s, action)

    def finish(self, s: Statements, action: w.Action) -> None:
        code = tuple(s.code.statements)
        if action.red:
            self.world.routines[action.run] = routine(action.name, len(action.params), s.body, code)
        elif not mid.suspends(code):
            self.world.procedures[action.run] = pr.Procedure(
                action.name, len(action.params), tuple(s.body.locals), None, plain(code)
            )

    def announce(self, s: Statements, action: w.Action) -> None:
        kind = "phase" if action.kind == "phase" else "do"
        if action.clause is not None:
            s.code.add(ir.Mark(action.clause))
        if isinstance(action.decl, ast.Action) and action.decl.label:
            label, args = s.template(action.decl.label, {})
            s.code.add(ir.Log(label, args, action.clause, kind))
        elif kind == "phase":
            s.code.add(ir.Log(self.world.text(action.name), (), action.clause, kind))

    # ------------------------------------------------------------ the body, or what stands instead

    def middle(self, s: Statements, action: w.Action) -> None:
        insteads = [(reaction, guard) for reaction, guard in action.reactions if reaction.hook == "instead"]
        with s.collecting() as own:
            self.own_body(s, action)
        if not insteads:
            s.code.add(*own.statements)
            return
        dues = self.clauses(s, action, insteads)
        tests, bodies = [due.test for due in dues], [due.body for due in dues]
        self.rivals(insteads, tests)
        stands = [s.body.new(TRUTH) for _ in tests]
        for local, test in zip(stands, tests, strict=True):
            s.code.add(ir.SetLocal(local.index, test))
        for one in range(len(stands)):
            for two in range(one + 1, len(stands)):
                both = ir.Op(TRUTH, "and", (stands[one], stands[two]))
                site = self.world.site(insteads[two][0].span)
                s.code.add(ir.If(both, (ir.Fail(Code.CLAUSES_CLASH.id, site),)))
        result: tuple[mid.Mid, ...] = tuple(own.statements)
        for local, body in reversed(list(zip(stands, bodies, strict=True))):
            result = (mid.MidIf(local, body, result),)
        s.code.add(*result)

    def rivals(self, insteads: list[tuple[ast.Reaction, w.Guard]], tests: list[ir.Expr]) -> None:
        """Two replacements that stand on one condition can never both be right."""
        for one, two in combinations(range(len(tests)), 2):
            if together(tests[one], tests[two]):
                self.world.error(
                    Code.TWO_INSTEADS,
                    insteads[two][0].span,
                    "two clauses replace the same action at once",
                    labels=(Label(insteads[one][0].span, "the other one"),),
                    hint="say which of them wins: `, over [ID]` behind its condition",
                )

    def own_body(self, s: Statements, action: w.Action) -> None:
        s.flow.end = s.flow.label()
        with s.collecting() as code:
            if isinstance(action.decl, ast.Table):
                self.rows(s, action)
            elif len(action.variants) > 1:
                self.by_mode(s, action)
            else:
                self.statements_of(s, action.decl)
        decls = (action.decl, *(decl for _, decl, _ in action.variants[1:]))
        returns = any(isinstance(each, ast.Return) for decl in decls for each in walk(decl))
        s.code.add(*((mid.MidGuarded(s.flow.end, tuple(code.statements)),) if returns else code.statements))

    def statements_of(self, s: Statements, decl: ast.Action) -> None:
        """What an action's own block does; its needs have been judged."""
        statements = decl.body.statements
        length = head_length(statements)
        for place, statement in enumerate(statements):
            if place < length and isinstance(statement, ast.Need):
                s.body.facts |= facts(statement.condition, True)
            else:
                s.statement(statement)

    def by_mode(self, s: Statements, action: w.Action) -> None:
        """The definition of the mode that is played."""
        for where, decl, clause in action.variants:
            with s.collecting() as code, s.body.block():
                if clause != action.clause:
                    s.code.add(ir.Mark(clause))
                self.statements_of(s, decl)
            s.code.add(mid.MidIf(self.world.in_modes(where) or TRUE, tuple(code.statements)))

    def rows(self, s: Statements, action: w.Action) -> None:
        """A table of effects: the row that the argument falls in does its calls."""
        assert isinstance(action.decl, ast.Table)
        type_ = action.params[0].type if action.params else None
        keyed = len(action.params) - (action.by is not None)
        if keyed != 1 or not isinstance(type_, Int | Id):
            self.world.error(
                Code.WRONG_ARGUMENTS,
                action.decl.span,
                "a table of effects is read by one argument",
                hint="write `table events(die: 2..12):`",
            )
            return
        if not sized(self.world, type_, action.decl.name.span):
            return
        modes: tuple[str | None, ...] = tuple(self.world.modes.names) or (None,)
        covered: dict[str | None, set[int]] = {mode: set() for mode in modes}
        for row, effect, where in self.effects.get(action.name, ()):
            keys = cells.keys(self.world, row.cells[0], type_)
            here = [mode for mode in modes if where is None or mode in where]
            twice = {key for mode in here for key in covered[mode] & set(keys)}
            if twice:
                message = f"{min(twice)} has a row already"
                self.world.error(Code.TABLE_OVERLAP, row.cells[0].span, message, hint=ONE_ROW)
            for mode in here:
                covered[mode] |= set(keys)
            low = self.world.low(type_)
            outside = [key for key in keys if not low <= key < low + self.world.size(type_)]
            if outside:
                message = f"{outside[0]} is outside the table's range"
                self.world.error(Code.OUT_OF_RANGE, row.cells[0].span, message)
            self.row(s, action, row, effect, keys, type_, where)
        present = self.world.domains[type_.domain].where if isinstance(type_, Id) else []
        missing = [
            value
            for mode in modes
            for value in range(self.world.low(type_), self.world.low(type_) + self.world.size(type_))
            if value not in covered[mode] and (not present or mode in self.world.modes.every(present[value]))
        ]
        if missing:
            self.world.error(
                Code.TABLE_GAP,
                action.decl.name.span,
                f"the table `{action.name}` has no row for {missing[0]}",
                hint="every result needs a row; write `-` where nothing happens",
            )

    def row(
        self,
        s: Statements,
        action: w.Action,
        row: ast.Row,
        effect: tuple[ast.Stmt, ...],
        keys: list[int],
        type_: Int | Id,
        where: Where,
    ) -> None:
        low = self.world.low(type_)
        bits = sum(1 << (key - low) for key in set(keys) if low <= key < low + self.world.size(type_))
        test: ir.Expr = ir.Op(TRUTH, "has", (ir.Const(SetOf(type_), bits), ir.Local(type_, 0)))
        test = conjunction([self.world.in_modes(where) or TRUE, test])
        clause = self.world.clause("row", f"{action.name} {row.cells[0].text}", row.citation, row.span)
        with s.collecting() as code:
            label = self.row_label(action, row)
            s.code.add(ir.Mark(clause))
            s.code.add(ir.Log(label, (ir.Local(type_, 0),), clause, "row"))
            for statement in effect:
                s.statement(statement)
        s.code.add(mid.MidIf(test, tuple(code.statements)))

    def row_label(self, action: w.Action, row: ast.Row) -> int:
        assert isinstance(action.decl, ast.Table)
        heads = self.heads(action)
        texts = [
            (head.text[4:].strip(), f"{cell.text} ({{0}})")
            for head, cell in zip(heads, row.cells, strict=False)
            if head.text == "name" or head.text.startswith("name ")
        ]
        return (
            self.world.text(ast.Label(tuple(texts), span=row.span))
            if texts
            else self.world.text("{0}" if "." in action.name else f"{action.name}: {{0}}")
        )

    def heads(self, action: w.Action) -> tuple[ast.Cell, ...]:
        assert isinstance(action.decl, ast.Table)
        return action.decl.rows[0].cells

    # ------------------------------------------------------------ reactions

    def reactions(self, s: Statements, action: w.Action, hook: str) -> None:
        found = [(reaction, guard) for reaction, guard in action.reactions if reaction.hook == hook]
        if not found:
            return
        order = self.ranked(action, [reaction for reaction, _ in found])
        found = [found[index] for index in order]
        dues = self.clauses(s, action, found)
        checked = list(zip([reaction for reaction, _ in found], dues, strict=True))
        if action.order is not None and len(found) > 1:
            ahead = self.rank_pairs(found, over=False)
            behind = [frozenset(one for one, two in ahead if two == at) for at in range(len(dues))]
            reactions_in_order(s, action.order, dues, behind)
            if action.order.chooser is not None:
                return
            checked = [each for each in checked if each[1].owner is None or each[1].owner.type != Id(0)]
        else:
            s.code.add(*(mid.MidIf(due.test, due.body) for due in dues))
        pairs = self.rank_pairs([(reaction, w.Guard()) for reaction, _ in checked], over=True)
        triples = tuple((reaction, due.test, due.body) for reaction, due in checked)
        self.hooks.append(Reactions(action.name, hook, triples, pairs))

    def rank_pairs(
        self, found: list[tuple[ast.Reaction, w.Guard]], *, over: bool
    ) -> frozenset[tuple[int, int]]:
        """Which reaction is said to come before which, through others too; and, with `over`, which never stand
        together, as one is over the other.
        """
        names = [set(handles(opening_citation(reaction.body))) for reaction, _ in found]
        later, under = [0] * len(found), [0] * len(found)
        for index, (reaction, _) in enumerate(found):
            for references, masks in ((reaction.tail.ahead, later), (reaction.tail.over, under)):
                handled = {handle for reference in references for handle in reference.handles}
                masks[index] = sum(1 << at for at, each in enumerate(names) if at != index and each & handled)
        for middle in range(len(found)):
            for index in range(len(found)):
                if later[index] >> middle & 1:
                    later[index] |= later[middle]
        return frozenset(
            (index, at)
            for index in range(len(found))
            for at in range(len(found))
            if (later[index] | (under[index] if over else 0)) >> at & 1
        )

    def ranked(self, action: w.Action, reactions: list[ast.Reaction]) -> list[int]:
        """An order in which each clause stands before those that it is `ahead of`."""
        before: dict[int, set[int]] = {index: set() for index in range(len(reactions))}
        for index, reaction in enumerate(reactions):
            for reference in reaction.tail.ahead:
                for handle in reference.handles:
                    later = [
                        at
                        for at, other in enumerate(reactions)
                        if handle in handles(opening_citation(other.body)) and at != index
                    ]
                    if not later:
                        others = [
                            Handled(handles(opening_citation(other.body)), (), other.span)
                            for at, other in enumerate(reactions)
                            if at != index
                        ]
                        nothing_there(self.world, reference, handle, action.name, "ahead of", others)
                    for at in later:
                        before[at].add(index)
        done: list[int] = []
        while len(done) < len(reactions):
            ready = [index for index in before if index not in done and before[index] <= set(done)]
            if not ready:
                self.world.error(
                    Code.OVER_CYCLE, reactions[0].span, "clauses that are ahead of each other, in a circle"
                )
                return list(range(len(reactions)))
            done.append(ready[0])
        return done

    def clauses(
        self, s: Statements, action: w.Action, found: list[tuple[ast.Reaction, w.Guard]]
    ) -> list[Due]:
        """The condition of each reaction (what is over it not standing), and its code."""
        handled = [Handled(handles(opening_citation(r.body)), r.tail.over, r.span) for r, _ in found]
        overruled = overruling(self.world, handled, action.name)
        raw = [self.reaction(s, action, reaction, guard) for reaction, guard in found]
        stands: dict[int, ir.Expr] = {}

        def standing(index: int) -> ir.Expr:
            if index not in stands:
                above = [negation(standing(other)) for other in overruled[index]]
                stands[index] = conjunction([raw[index].test, *above])
            return stands[index]

        return [replace(due, test=standing(index)) for index, due in enumerate(raw)]

    def reaction(self, s: Statements, action: w.Action, reaction: ast.Reaction, guard: w.Guard) -> Due:
        world = self.world
        clause = world.clause(reaction.hook, action.name, opening_citation(reaction.body), reaction.span)
        depth = reaction.tail.nested
        site = world.site(reaction.span)
        outer_end, s.flow.end = s.flow.end, s.flow.label()
        with s.collecting() as code:
            s.body.facts.clear()
            s.watch.gone.clear()
            bind_params(s, reaction.targets[0], action.params, action.name)
            test = conditions(s, reaction.tail.condition, guard)
            if reaction.tail.condition:
                s.body.facts |= facts(reaction.tail.condition, True)
            label, label_args = reaction_label(s, reaction)
            outer_by, owner = s.body.by, self.owner(s, reaction)
            s.code.add(ir.Mark(clause))
            if depth is not None:
                var = world.var(f"depth of clause {clause}", None, Int(0, depth), "depth")
                var.initial = ir.Const(var.type, 0)
                test = conjunction([ir.Op(TRUTH, "lt", (ir.Load(var.type, var.id), number(depth))), test])
                s.code.add(ir.Change(var.id, None, None, number(1), False, False, site))
            for statement in reaction.body.statements:
                s.statement(statement)
            if depth is not None:
                s.code.add(ir.Change(var.id, None, None, number(1), False, True, site))
            s.body.by = outer_by
        body: tuple[mid.Mid, ...] = (
            (mid.MidGuarded(s.flow.end, tuple(code.statements)),)
            if _returns(reaction.body)
            else tuple(code.statements)
        )
        s.flow.end = outer_end
        return Due(test, body, owner, clause, label, label_args)

    def owner(self, s: Statements, reaction: ast.Reaction) -> ir.Expr | None:
        """Whose a reaction is; he is the acting player in it."""
        if reaction.tail.owner is None:
            return None
        owner = s.player(reaction.tail.owner)
        if owner is not None and owner.type == Id(0):
            kept = s.body.new(Id(0))
            s.code.add(ir.SetLocal(kept.index, owner))
            s.body.by = kept
        return owner

    # ------------------------------------------------------------ lifetimes

    def moment(self, s: Statements, action: w.Action, moment: str) -> None:
        self.lifetimes_at(s, action.name, moment, action.params)

    def lifetimes_at(self, s: Statements, scope: str, moment: str, params: list[Param]) -> None:
        """What ends, begins anew or comes due at the start or end of an action."""
        if moment == "end":
            forget(s, self.delays, scope, 0)
        for lifetime in self.lifetimes.get(scope, ()):
            if lifetime.clause.moment == moment and not lifetime.clause.next:
                self.for_members(s, lifetime, params, self.resets)
            elif lifetime.clause.next and moment == "start":
                self.for_members(s, lifetime, params, self.arms)
            elif lifetime.clause.next and moment == lifetime.clause.moment:
                self.for_members(s, lifetime, params, self.fires)
        fired = fire(s, self.delays, scope, moment)
        self.moments.append((scope, moment, fired))

    def for_members(
        self,
        s: Statements,
        lifetime: Lifetime,
        params: list[Param],
        build: Callable[[ir.Expr | None, w.Var], list[mid.Mid]],
    ) -> None:
        """Does something to the field of each member whose scope this is."""
        var = self.world.vars[lifetime.var]
        site = self.world.site(lifetime.clause.span)
        if var.of is None:
            s.code.add(*build(None, var))
            return
        owner = s.body.new(Id(var.of))
        with s.collecting() as code:
            s.body.bind("self", owner)
            s.body.owner = owner
            tests = [
                ir.Op(
                    TRUTH,
                    "eq",
                    s.join(s.expr(arg, param.type), ir.Local(s.body.locals[index], index), arg.span)[:2],
                )
                for index, (arg, param) in enumerate(zip(lifetime.args, params, strict=False))
            ]
            s.body.owner = None
            body = tuple(build(owner, var))
            s.code.add(*((mid.MidIf(conjunction(list(tests)), body),) if tests else body))
        s.code.add(mid.MidForEach(owner.index, s.members(var.of), tuple(code.statements), site))

    def initial(self, owner: ir.Expr | None, var: w.Var) -> ir.Expr:
        value = var.initial if var.initial is not None else FALSE
        return substitute(value, owner) if owner is not None else value

    def resets(self, owner: ir.Expr | None, var: w.Var) -> list[mid.Mid]:
        site = self.world.site(var.field.span) if var.field else 0
        return [ir.Store(var.id, owner, None, self.initial(owner, var), site)]

    def arms(self, owner: ir.Expr | None, var: w.Var) -> list[mid.Mid]:
        assert var.armed is not None and var.field is not None
        changed = negation(ir.Op(TRUTH, "eq", (ir.Load(var.type, var.id, owner), self.initial(owner, var))))
        return [
            mid.MidIf(changed, (ir.Store(var.armed, owner, None, TRUE, self.world.site(var.field.span)),))
        ]

    def fires(self, owner: ir.Expr | None, var: w.Var) -> list[mid.Mid]:
        assert var.armed is not None and var.field is not None
        site = self.world.site(var.field.span)
        rest = (*self.resets(owner, var), ir.Store(var.armed, owner, None, FALSE, site))
        return [mid.MidIf(ir.Load(TRUTH, var.armed, owner), rest)]

    # ------------------------------------------------------------ windows, taking away

    def window(self, window: w.Window) -> None:
        s = self.statements([], None)
        s.window_body(window)
        self.world.routines[window.routine] = routine(window.name, 0, s.body, tuple(s.code.statements))

    def search(self, menu: w.Menu, index: int) -> None:
        """The routine in which `reachable` looks ahead."""
        params = [*menu.params, Param("by", Id(0))]
        s = self.statements(params, len(menu.params))
        s.search_body(menu)
        self.world.routines[index] = routine(
            f"search {menu.name}", len(params), s.body, tuple(s.code.statements)
        )

    def retirement(self, domain: w.Domain, for_ever: bool, leaf: bool) -> pr.Procedure:
        """Takes a piece out of play; then its fields begin anew, and what refers to it refers to none.

        Before, what its holder's leaving means is done to all that is in it; a `leaf` holds nothing.
        """
        world = self.world
        assert domain.pool is not None
        s = self.statements([Param("piece", Id(domain.id))], None)
        piece = ir.Local(Id(domain.id), 0)
        if not leaf:
            s.code.add(*leaving(s, domain, piece))
        single = ir.Op(SetOf(Id(domain.id)), "single", (piece,))
        site = 0
        in_play = ir.Load(SetOf(Id(domain.id)), domain.pool.in_play)
        s.code.add(
            ir.Store(domain.pool.in_play, None, None, ir.Op(in_play.type, "minus", (in_play, single)), site)
        )
        for var in list(world.vars):
            if var.role == "pile" and var.of == domain.id:
                nowhere = ir.Const(var.type, NONE)
                pool = [each.id for each in world.domains if each.pool is not None].index(domain.id)
                s.code.add(ir.MoveCard(pool, piece, nowhere, True, site))
            if var.role != "field":
                continue
            if var.of == domain.id:
                s.code.add(ir.Store(var.id, piece, None, self.initial(piece, var), site))
            self.forget(s, var, domain, piece)
        if for_ever:
            out = ir.Load(SetOf(Id(domain.id)), domain.pool.out)
            s.code.add(ir.Store(domain.pool.out, None, None, ir.Op(out.type, "union", (out, single)), site))
        return pr.Procedure(
            f"take away {domain.name}", 1, tuple(s.body.locals), None, plain(tuple(s.code.statements))
        )

    def forget(self, s: Statements, var: w.Var, domain: w.Domain, piece: ir.Expr) -> None:
        """References to the piece become none; sets of pieces lose it."""
        element = var.type.of if isinstance(var.type, SetOf) else var.type
        if not isinstance(element, Id):
            return
        offset = s.offset(domain.id, element.domain)
        if offset is None or (isinstance(var.type, Id) and not var.type.optional):
            return
        whole = Id(element.domain)
        here = piece if element.domain == domain.id else ir.Op(whole, "cast", (piece, number(offset)))
        owner = s.body.new(Id(var.of)) if var.of is not None else None
        load = ir.Load(var.type, var.id, owner)
        store: mid.Mid
        if isinstance(var.type, SetOf):
            less = ir.Op(var.type, "minus", (load, ir.Op(var.type, "single", (here,))))
            store = ir.If(ir.Op(TRUTH, "has", (load, here)), (ir.Store(var.id, owner, None, less, 0),))
        else:
            gone = ir.Const(var.type, NONE)
            store = ir.If(ir.Op(TRUTH, "eq", (load, here)), (ir.Store(var.id, owner, None, gone, 0),))
        if owner is None or var.of is None:
            s.code.add(store)
            return
        everybody = ir.Const(SetOf(Id(var.of)), (1 << len(self.world.domains[var.of].members)) - 1)
        s.code.add(mid.MidForEach(owner.index, everybody, (store,), 0))


def _returns(block: ast.Block) -> bool:
    return any(isinstance(each, ast.Return) for each in walk(block))
