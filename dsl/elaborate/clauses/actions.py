"""What actions do: their `before` clauses, the body or the one `instead` that stands, their `after` clauses.

Here too are the ends of lifetimes (`again at end of ...`), the course of the game, and the taking away of pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from dsl.catalogue import tr
from dsl.check.effects import Fired, Reactions
from dsl.check.public_passes import is_total
from dsl.check.reach import asked_by_later
from dsl.diagnostics import Code, Label
from dsl.elaborate.bodies.batches import Part, Parts
from dsl.elaborate.bodies.guards import head_length
from dsl.elaborate.bodies.routines import routine
from dsl.elaborate.bodies.scope import Body, Opened, modified_argument, opened_once_more
from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.bodies.writes import writes
from dsl.elaborate.clauses import ranks
from dsl.elaborate.clauses.batch_reactions import Happened
from dsl.elaborate.clauses.conditions import bind_params, conditions
from dsl.elaborate.clauses.conflicting_clauses import Pair, Work, rivalry, unlike
from dsl.elaborate.clauses.copies import Copies
from dsl.elaborate.clauses.effect_rows import effect_rows
from dsl.elaborate.clauses.lifetimes import Lifetime, lifetimes_at
from dsl.elaborate.clauses.ordering import Due, reaction_label, reactions_in_order
from dsl.elaborate.clauses.precedence import Handled, overruling
from dsl.elaborate.clauses.values import Values
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int
from dsl.linker.modes import Where
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import plain
from dsl.lower.ir_builder import FALSE, TRUE, conjunction, negation, number
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.delayed_effects import Delays
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Param
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.trees import handles_of, nodes_of, opening_citation, walk

SLOT = 1
MOST_NESTED = 32
"""Clauses that replace an action, each written in the `else` of the one before."""
MOST_OVER = 1_000
"""Conditions that the one of a reaction takes in: those of what is over it, again for each that is over those."""
Effect = tuple[ast.Row, tuple[ast.Stmt, ...], Where]
"""A row of a table of effects: what it does, and in which modes."""


@record(frozen=True, slots=True)
class Replaced:
    """An action and the clauses that replace it, the conditions under which each stands, and the pairs of which it is
    not plain that they exclude each other.
    """

    action: w.Action
    clauses: tuple[ast.Reaction, ...]
    tests: tuple[ir.Expr, ...]
    pairs: tuple[Pair, ...]


@record(slots=True)
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
    parts: dict[tuple[int, Opened | None], Parts] = field(default_factory=dict)
    """The parts of actions that happen together with others, also within what happens together itself."""
    replaced: list[Replaced] = field(default_factory=list)
    """Actions that several clauses replace, to be held against each other when everything is known."""
    work: Work = field(default_factory=Work)
    """What is left of the work for telling clauses apart."""
    batches: list[tuple[Span, tuple[int, ...]]] = field(default_factory=list)
    """Where things happen together, and the procedures that are their bodies."""
    copies: Copies = field(init=False)
    """Actions at a depth, where things happen together."""
    afters: dict[int, list[Part]] = field(default_factory=dict)
    """The `after` clauses of actions that are done within what happens together, as parts of their own."""
    counted: dict[tuple[Span, int], tuple[int, int | None]] = field(default_factory=dict)
    """For each reaction and action: its clause, and the variable that counts how often it is open."""
    pairs: dict[int, list[Pair]] = field(default_factory=dict)
    """For each action the pairs of replacements that may stand at once, as found first."""

    happened: Happened = field(init=False)
    """What is done within what happens together, until that is over."""

    def __post_init__(self) -> None:
        self.copies = Copies(self)
        self.happened = Happened(self)

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
        self.course(s, action)
        if action.depth_var is not None:
            s.code.add(ir.Change(action.depth_var, None, None, number(1), False, True, site))
        if action.kind == "phase":
            s.code.add(ir.TestEndings(False))
        self.finish(s, action)

    def course(self, s: Statements, action: w.Action) -> None:
        """All that an action does, from its start to its end."""
        self.modified(s, action)
        self.moment(s, action, "start")
        self.announce(s, action)
        self.reactions(s, action, "before")
        self.middle(s, action)
        if s.opened is not None and action.is_followed:
            done_with = tuple(ir.Local(s.body.locals[at], at) for at in range(len(action.params)))
            s.code.add(*self.happened.keep(s, action, done_with))
        else:
            self.reactions(s, action, "after")
        self.moment(s, action, "end")

    def modified(self, s: Statements, action: w.Action) -> None:
        """What clauses make of the arguments, all at once of those with which the action was ordered."""
        ordered = tuple(ir.Local(s.body.locals[at], at) for at in range(len(action.params)))
        made = [(at, s.body.new(action.params[at].type)) for at in sorted(action.modified)]
        for at, local in made:
            site = self.world.site(action.decl.params[at].span)
            s.code.add(ir.SetLocal(local.index, modified_argument(action, at, ordered), site))
        for at, local in made:
            s.code.add(ir.SetLocal(at, local))

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
            self.world.told_at.setdefault(label, []).append(action.decl.name.span)
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
        pairs = self.rivals(action, [reaction for reaction, _ in insteads], tests)
        if pairs or not all(map(is_total, tests)):
            stands: list[ir.Expr] = [s.body.new(TRUTH) for _ in tests]
            for local, test in zip(stands, tests, strict=True):
                assert isinstance(local, ir.Local)
                s.code.add(ir.SetLocal(local.index, test))
            tests = stands
        for one, two in pairs:
            both = ir.Op(TRUTH, "and", (tests[one], tests[two]))
            named = (dues[one].clause, dues[two].clause)
            site = self.world.site(insteads[two][0].span)
            s.code.add(ir.If(both, (ir.Fail(Code.CLAUSES_CLASH.id, site, named),)))
        s.code.add(*self.one_of(s, tests, bodies, tuple(own.statements)))

    def one_of(
        self,
        s: Statements,
        tests: list[ir.Expr],
        bodies: list[tuple[mid.Mid, ...]],
        rest: tuple[mid.Mid, ...],
    ) -> tuple[mid.Mid, ...]:
        """The first body whose test holds, or the rest. Of many none stands inside the one before it."""
        cases = list(zip(tests, bodies, strict=True))
        if len(cases) > MOST_NESTED:
            end = s.flow.label()
            chosen = [mid.MidIf(test, (*body, ir.Leave(end))) for test, body in cases]
            return (mid.MidGuarded(end, (*chosen, *rest)),)
        for test, body in reversed(cases):
            rest = (mid.MidIf(test, body, rest),)
        return rest

    def rivals(self, action: w.Action, clauses: list[ast.Reaction], tests: list[ir.Expr]) -> list[Pair]:
        """The pairs of replacements that may stand at once, as far as can be told before values are known."""
        if action.id in self.pairs:
            return self.pairs[action.id]
        params = [(param.name, param.type) for param in action.params]
        found = rivalry(self.world, self.work, params, tests)
        pairs = unlike(found, action.name, [each.span for each in clauses])
        self.replaced.append(Replaced(action, tuple(clauses), tuple(tests), tuple(pairs)))
        self.pairs[action.id] = pairs
        return pairs

    def own_body(self, s: Statements, action: w.Action) -> None:
        s.flow.end = s.flow.label()
        with s.collecting() as code:
            if isinstance(action.decl, ast.Table):
                effect_rows(self, s, action)
            elif len(action.variants) > 1:
                self.by_mode(s, action)
            else:
                self.statements_of(s, action, action.decl)
        decls = (action.decl, *(decl for _, decl, _ in action.variants[1:]))
        returns = any(nodes_of(decl, ast.Return) for decl in decls)
        s.code.add(*((mid.MidGuarded(s.flow.end, tuple(code.statements)),) if returns else code.statements))

    def statements_of(self, s: Statements, action: w.Action, decl: ast.Action) -> None:
        """What an action's own block does; its needs have been judged."""
        statements = decl.body.statements
        length = head_length(statements)
        before = tuple(each for each, _ in action.reactions if each.hook == "before")
        for place, statement in enumerate(statements):
            if place < length and isinstance(statement, ast.Need):
                s.learn(statement.condition, holds=True)
                s.unlearn(action.params[at].name for at in action.modified)
                if place == length - 1:
                    s.outdate(writes(self.world, before))
            else:
                s.statement(statement)

    def by_mode(self, s: Statements, action: w.Action) -> None:
        """The definition of the mode that is played."""
        for where, decl, clause in action.variants:
            with s.collecting() as code, s.body.block():
                if clause != action.clause:
                    s.code.add(ir.Mark(clause))
                self.statements_of(s, action, decl)
            s.code.add(mid.MidIf(self.world.in_modes(where) or TRUE, tuple(code.statements)))

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
            masks = ranks.rank_masks([reaction for reaction, _ in found], over=False)
            behind = [
                frozenset(at for at in range(len(dues)) if masks[at] >> one & 1) for one in range(len(dues))
            ]
            reactions_in_order(s, action.order, dues, behind)
            if action.order.chooser is not None:
                return
            checked = [each for each in checked if each[1].owner is None or each[1].owner.type != Id(0)]
        else:
            s.code.add(*(mid.MidIf(due.test, due.body) for due in dues))
        if s.opened is not None:  # what the action does elsewhere has been held against each other
            return
        pairs = ranks.rank_masks([reaction for reaction, _ in checked], over=True)
        triples = tuple((reaction, due.test, due.body) for reaction, due in checked)
        self.hooks.append(Reactions(action.name, hook, triples, pairs))

    def clauses(
        self, s: Statements, action: w.Action, found: list[tuple[ast.Reaction, w.Guard]]
    ) -> list[Due]:
        """The condition of each reaction (what is over it not standing), and its code."""
        handled = [Handled(handles_of(r), r.tail.over, r.span) for r, _ in found]
        overruled = overruling(self.world.reporter, handled, action.name)
        raw = [self.reaction(s, action, reaction, guard) for reaction, guard in found]
        stands: dict[int, ir.Expr] = {}
        size: dict[int, int] = {}

        def standing(index: int) -> ir.Expr:
            if index not in stands:
                above = [negation(standing(other)) for other in overruled[index]]
                size[index] = 1 + sum(size[other] for other in overruled[index])
                if size[index] > MOST_OVER:
                    self.too_much_over(found[index][0].span)
                    above, size[index] = [], 1
                stands[index] = conjunction([raw[index].test, *above])
            return stands[index]

        return [replace(due, test=standing(index)) for index, due in enumerate(raw)]

    def too_much_over(self, span: Span) -> None:
        """Tells of a reaction above which others stand in so many ways that its condition would be too large."""
        message = tr(
            "more than {most} reactions are over this one, one by way of others", most=f"{MOST_OVER:,}"
        )
        hint = "give a family to those of one rank, `[house, family]`, and let the next ones be `over` the family"
        self.world.error(Code.LIMIT, span, message, hint=hint)

    def reaction(self, s: Statements, action: w.Action, reaction: ast.Reaction, guard: w.Guard) -> Due:
        world = self.world
        depth = reaction.tail.nested
        clause, counter = self.counter(action, reaction)
        site = world.site(reaction.span)
        outer_opened = s.opened
        outer_end, s.flow.end = s.flow.end, s.flow.label()
        with s.collecting() as code:
            s.body.facts.clear()
            s.watch.gone.clear()
            s.watch.events.clear()
            bind_params(s, reaction.targets[0], action.params, action.name)
            test = conditions(s, reaction.tail.condition, guard)
            if reaction.tail.condition:
                s.learn(reaction.tail.condition, holds=True)
            label, label_args = reaction_label(s, reaction)
            outer_by, owner = s.body.by, self.owner(s, reaction)
            s.code.add(ir.Mark(clause))
            if depth is not None and counter is not None:
                test = conjunction([s.room(counter, depth), test])
            counts = counter is not None and s.opened is None
            if counts and counter is not None:
                s.code.add(ir.Change(counter, None, None, number(1), False, False, site))
            if s.opened is not None:
                s.opened = opened_once_more(s.opened, counter)
            if test != FALSE:
                for statement in reaction.body.statements:
                    s.statement(statement)
            if counts and counter is not None:
                s.code.add(ir.Change(counter, None, None, number(1), False, True, site))
            s.opened = outer_opened
            s.body.by = outer_by
        body: tuple[mid.Mid, ...] = (
            (mid.MidGuarded(s.flow.end, tuple(code.statements)),)
            if _returns(reaction.body)
            else tuple(code.statements)
        )
        s.flow.end = outer_end
        return Due(test, body, owner, clause, label, label_args)

    def counter(self, action: w.Action, reaction: ast.Reaction) -> tuple[int, int | None]:
        """The clause of a reaction, and the variable that counts how often it is open, if it says how often."""
        key = (reaction.span, action.id)
        if key not in self.counted:
            cited = opening_citation(reaction.body)
            clause = self.world.clause(reaction.hook, action.name, cited, reaction.span)
            counter = None
            if reaction.tail.nested is not None:
                type_ = Int(0, reaction.tail.nested)
                var = self.world.var(f"depth of {reaction.hook} {action.name}", None, type_, "depth")
                var.initial = ir.Const(var.type, 0)
                counter = var.id
            self.counted[key] = clause, counter
        return self.counted[key]

    def cannot_be_together(self, action: w.Action) -> None:
        """Tells of an action that is no procedure, where things happen together."""
        told, hint = tr("asks somebody"), "let it ask in an `after` clause, or behind the block"
        if not action.asks:
            told = tr("leads back to itself through the cards that it draws")
            hint = tr(
                "let it lead back in an `after {action}` clause, or do it behind the block",
                action=action.name,
            )
        message = tr(
            "`{action}` {told}, so it cannot happen together with others", action=action.name, told=told
        )
        span = action.decl.name.span
        cells = {
            name: tuple(s for _, found, _ in group for s in found) for name, group in self.effects.items()
        }
        later = asked_by_later(self.world, action.name, cells) if action.asks else None
        labels = (Label(span, tr("it happens together with others")),) if later else ()
        self.world.error(Code.TOGETHER, later or span, message, hint=hint, labels=labels)

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
        lifetimes_at(self, s, action.name, moment, action.params)

    def ranked(self, action: w.Action, reactions: list[ast.Reaction]) -> list[int]:
        """An order in which each clause stands before those that it is `ahead of`."""
        return ranks.ranked(self.world.reporter, action, reactions)

    # ------------------------------------------------------------ windows

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

    def unoffered(self, menu: w.Menu, names: Mapping[str, ir.Expr]) -> None:
        """Reads a menu that nothing offers, with some names beside its parameters, and keeps nothing of it."""
        s = self.statements([*menu.params, Param("by", Id(0))], len(menu.params))
        for name, stands_for in names.items():
            if s.body.find(name) is None:
                s.body.bind(name, stands_for)
        s.search_body(menu)


def _returns(block: ast.Block) -> bool:
    return any(isinstance(each, ast.Return) for each in walk(block))
