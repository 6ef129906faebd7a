"""Decisions: who chooses what, from which options, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from dsl.catalogue import tr
from dsl.check.lints import warn_of_endless
from dsl.check.offers import check_lines, check_offer
from dsl.diagnostics import Code
from dsl.elaborate.bodies.choices import Choices
from dsl.elaborate.bodies.scope import BAD, known
from dsl.elaborate.bodies.sides import NOBODY
from dsl.elaborate.bodies.writes import writes
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, Int, ListOf, SetOf
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, conjunction, number
from dsl.records import record
from dsl.resolve import symbols as w
from dsl.resolve.hints import an_action
from dsl.syntax import ast


@record(slots=True)
class Line:
    """A menu line on its way to an offer: what is bound so far, on which condition it stands, and what it cites."""

    variables: list[ir.OfferVar] = field(default_factory=list)
    conditions: list[ir.Expr] = field(default_factory=list)
    marks: list[ir.Mark] = field(default_factory=list)


class Menus(Choices):
    """Elaborates decisions. The mixin's other half is `Statements`."""

    # ------------------------------------------------------------ menus

    def ask_menu(self, tree: ast.AskMenu) -> None:
        s = self.s
        player = self.player(tree.chooser)
        if player is None:
            return
        s.flush()
        if not isinstance(player, ir.Local | ir.Const):
            kept = self.body.new(player.type)
            s.code.add(ir.SetLocal(kept.index, player))
            player = kept
        label = s.flow.label() if tree.repeated else None
        anew = self.asked_anew(tree.chooser, player) if label is not None else ()
        if label is not None:
            s.flow.loops.append((label, len(s.flow.untils)))
        by = ir.Op(Id(0), "some", (player,)) if player.type == NOBODY else player
        offers = self.offers(tree.lines, by, label)
        if label is not None and not tree.optional and not s.flow.untils:
            warn_of_endless(self.world.reporter, tree, offers)
        done: tuple[mid.Mid, ...] = (ir.Leave(label),) if label is not None else ()
        if tree.optional and not any(each.offer.kind == "pass" for each in offers):
            offers.append(mid.MidOffer(self.passing(), done))
        prompt, prompt_args = self.asked(tree.prompt, tree.chooser)
        empty = self.nothing_to_choose(tree, done)
        decide = mid.MidDecide(player, tuple(offers), prompt, prompt_args, empty, self.world.site(tree.span))
        if label is None:
            s.code.add(decide)
            return
        s.flow.loops.pop()
        s.code.add(mid.MidForever(label, (*anew, decide, *self.tests())))

    def nothing_to_choose(self, tree: ast.AskMenu, done: tuple[mid.Mid, ...]) -> tuple[mid.Mid, ...] | None:
        """What follows where no line can be chosen, or nobody is there to do it; none where that must not be."""
        if tree.otherwise is None:
            return done if tree.optional else None
        if tree.optional:
            who = tree.chooser.span.text
            self.fault(
                Code.MISPLACED_LINE,
                tree.otherwise.span,
                "who may pass always has something to choose",
                hint=tr("write `{who} chooses:`, or a line `pass:` with what follows a pass", who=who),
            )
        with self.s.watch.branch():
            return (*self.complete(tree.otherwise), *done)

    def complete(self, block: ast.Block | None) -> tuple[mid.Mid, ...]:
        """What is done in place of an action; where that is anything, a test of the endings follows."""
        found = self.s.block(block) if block is not None else ()
        return (*found, ir.TestEndings(False)) if found else ()

    def tests(self) -> tuple[mid.Mid, ...]:
        """What `until` blocks around a menu test after each choice."""
        with self.s.collecting() as code:
            self.s.test_untils()
        return tuple(code.statements)

    def offers(self, lines: tuple[ast.MenuLine, ...], by: ir.Expr, loop: int | None) -> list[mid.MidOffer]:
        found: list[mid.MidOffer] = []
        if check_lines(self.world, lines):
            for line in lines:
                self.line(line, by, loop, Line(), found)
        return found

    def line(
        self, line: ast.MenuLine, by: ir.Expr, loop: int | None, start: Line, found: list[mid.MidOffer]
    ) -> None:
        with self.body.block():
            here = Line(list(start.variables), list(start.conditions), list(start.marks))
            if line.citation is not None:
                here.marks.append(ir.Mark(self.s.cited(line.citation, line.span)))
            self.body.depth += 1
            with self.acting(by):
                self.bind_selections(line, here)
                if line.condition:
                    here.conditions.append(self.truth(line.condition))
                    self.learn(line.condition, holds=True)
            self.body.depth -= 1
            if line.kind in {"pass", "stop"}:
                self.closing(line, loop, here, found)
            elif line.call is not None:
                self.calling(line, line.call, by, loop, here, found)

    @contextmanager
    def acting(self, by: ir.Expr) -> Iterator[None]:
        """Within, who chooses is meant where a condition asks what may be done and does not say by whom."""
        before, self.body.by = self.body.by, by
        try:
            yield
        finally:
            self.body.by = before

    def bind_selections(self, line: ast.MenuLine, here: Line) -> None:
        for selection in line.selections:
            domain = self.domain(selection.domain)
            if not known(domain):
                self.body.bind(selection.name.text, BAD)
                continue
            if isinstance(domain.type, ListOf):
                assert isinstance(domain.type.of, Int | Id)
                domain = ir.Op(SetOf(domain.type.of), "list_set", (domain,))
            assert isinstance(domain.type, SetOf)
            local = self.body.new(domain.type.of)
            self.body.bind(selection.name.text, local)
            where = self.truth(selection.condition) if selection.condition else None
            if selection.condition:
                self.learn(selection.condition, holds=True)
            here.variables.append(ir.OfferVar(local.index, domain, where))
        if line.selections:
            check_offer(self.world, tuple(here.variables), line.span)

    def closing(self, line: ast.MenuLine, loop: int | None, here: Line, found: list[mid.MidOffer]) -> None:
        """`pass` and `stop` lines; a repeated menu ends with either."""
        body: list[mid.Mid] = [*here.marks, *self.complete(line.body)]
        if loop is not None:
            body.append(ir.Leave(loop))
        offer = self.passing(line.label, line.kind)
        guard = conjunction(here.conditions)
        found.append(
            mid.MidOffer(
                ir.Offer(
                    offer.kind,
                    (),
                    None if guard == TRUE else guard,
                    None,
                    (),
                    offer.label,
                    offer.label_args,
                    -1,
                ),
                tuple(body),
            )
        )

    def calling(
        self,
        line: ast.MenuLine,
        call: ast.Call,
        by: ir.Expr,
        loop: int | None,
        here: Line,
        found: list[mid.MidOffer],
    ) -> None:
        tree = call.call
        name_tree = tree.function if isinstance(tree, ast.Apply) else tree
        arguments = tree.arguments if isinstance(tree, ast.Apply) else ()
        name = name_tree.name if isinstance(name_tree, ast.NameExpr) else ""
        target = self.world.callables.get(name)
        if isinstance(target, w.Menu):
            self.included(target, arguments, tree, by, loop, here, found)
            return
        if target is not None and target is self.world.placing:
            self.s.not_done(name_tree.span)
            return
        if not isinstance(target, w.Action):
            hint = an_action(self.world, name)
            self.unknown(
                "action",
                name_tree.span,
                tr("there is no action `{name}` to offer", name=name),
                hint=hint,
                label="unknown action",
            )
            return
        args = self.action_arguments(target, arguments, tree, by)
        if args is None:
            return
        if target.permits or target.depth is not None:
            here.conditions.append(ir.Judge(TRUTH, target.id, args))
        label, label_args = self.offer_label(line, target, args)
        guard = conjunction(here.conditions)
        offer = ir.Offer(
            "do",
            tuple(here.variables),
            None if guard == TRUE else guard,
            target.id,
            args,
            label,
            label_args,
            -1,
            target.clause,
            self.world.offer_clause(line),
        )
        run = self.s.running(target, args, line.span)
        found.append(mid.MidOffer(offer, (*here.marks, *run, *self.behind(line, run), ir.TestEndings(False))))

    def behind(self, line: ast.MenuLine, run: list[mid.Mid]) -> tuple[mid.Mid, ...]:
        """What a line does behind its call."""
        if not line.body:
            return ()
        with self.s.watch.branch(), self.s.body.block():
            self.s.watch.done(line.span, run, self.s.pieces_in_scope())
            self.s.outdate(writes(self.world, line.call or ()))
            return self.s.block(line.body)

    def offer_label(
        self, line: ast.MenuLine, action: w.Action, args: tuple[ir.Expr, ...]
    ) -> tuple[int, tuple[ir.Expr, ...]]:
        return self.template(line.label, {}) if line.label else self.action_label(action, args)

    def action_label(self, action: w.Action, args: tuple[ir.Expr, ...]) -> tuple[int, tuple[ir.Expr, ...]]:
        """How doing an action is called: by its label, or by its name and arguments."""
        bindings = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
        if isinstance(action.decl, ast.Action) and action.decl.label:
            return self.template(action.decl.label, bindings)
        shown = args[:-1] if action.by is not None else args
        holes = ", ".join(f"{{{index}}}" for index in range(len(shown)))
        return self.world.text(f"{action.name}({holes})" if shown else action.name), shown

    def included(
        self,
        menu: w.Menu,
        arguments: tuple[ast.Expr, ...],
        tree: ast.Expr,
        by: ir.Expr,
        loop: int | None,
        here: Line,
        found: list[mid.MidOffer],
    ) -> None:
        """A menu as a line of another: its lines, with its parameters bound."""
        args = self.arguments(menu.params, arguments, tree, menu.name)
        if args is None or menu.name in self.world.unfolding:
            return
        self.world.unfolding.add(menu.name)
        self.world.unfolded.add(menu.name)
        with self.body.block():
            for param, arg in zip(menu.params, args, strict=True):
                self.body.bind(param.name, arg)
            for line, guard in menu.lines:
                start = Line(list(here.variables), list(here.conditions), list(here.marks))
                if guard.condition is not None:
                    start.conditions.append(guard.condition)
                with self.called_by(menu, guard):
                    self.line(line, by, loop, start, found)
        self.world.unfolding.discard(menu.name)

    @contextmanager
    def called_by(self, menu: w.Menu, guard: w.Guard) -> Iterator[None]:
        """A scope in which the menu's parameters have the names that an added line gives them."""
        with self.body.block():
            bound = [self.body.find(param.name) for param in menu.params]
            for name, value in zip(guard.names, bound, strict=False):
                if value is not None:
                    self.body.bind(name, value)
            yield

    def search_body(self, menu: w.Menu) -> None:
        """A menu asked over and over, by whoever is the last parameter."""
        s = self.s
        player = ir.Local(Id(0), len(menu.params))
        label = s.flow.label()
        offers: list[mid.MidOffer] = []
        lines = menu.lines if check_lines(self.world, tuple(line for line, _ in menu.lines)) else []
        for line, guard in lines:
            start = Line(conditions=[guard.condition] if guard.condition is not None else [])
            with self.called_by(menu, guard):
                self.line(line, player, label, start, offers)
        if not any(each.offer.kind == "pass" for each in offers):
            offers.append(mid.MidOffer(self.passing(), (ir.Leave(label),)))
        site = self.world.site(menu.decl.span)
        decide = mid.MidDecide(player, tuple(offers), None, (), (ir.Leave(label),), site)
        s.code.add(mid.MidForever(label, (decide,)))

    # ------------------------------------------------------------ windows

    def open_window(self, tree: ast.OpenWindow) -> None:
        call = tree.call
        name = call.name if isinstance(call, ast.NameExpr) else ""
        window = self.world.callables.get(name)
        if not isinstance(window, w.Window):
            hint = self.world.nearest(
                name, [n for n, c in self.world.callables.items() if isinstance(c, w.Window)]
            )
            self.unknown("window", call.span, tr("there is no window `{name}`", name=name), hint=hint)
            return
        site = self.world.site(tree.span)
        self.s.code.add(
            ir.Change(window.open_var, None, None, number(1), False, False, site),
            mid.MidEnter(window.routine, (), None, site),
        )

    def window_body(self, window: w.Window) -> None:
        """The players in turn, until all have passed: in a row where they alternate, once where a pass is final."""
        s = self.s
        decl = window.decl
        site = self.world.site(decl.span)
        players = [self.player(each) for each in decl.players]
        if any(player is None for player in players):
            return
        everybody = SetOf(Int(0, len(players) - 1))
        passed = self.body.new(everybody)
        s.code.add(ir.SetLocal(passed.index, ir.Const(everybody, 0)))
        label = s.flow.label()
        rounds: list[mid.Mid] = []
        for index, player in enumerate(players):
            assert player is not None
            anew = self.asked_anew(decl.players[index], player)
            rounds += self.window_turn(window, player, anew, index, passed, label)
        s.code.add(mid.MidForever(label, tuple(rounds)))
        s.code.add(ir.Change(window.open_var, None, None, number(1), False, True, site))

    def window_turn(
        self,
        window: w.Window,
        player: ir.Expr,
        anew: tuple[mid.Mid, ...],
        index: int,
        passed: ir.Local,
        label: int,
    ) -> list[mid.Mid]:
        """One player's place in the round: he plays or passes; a play withdraws all passes where they alternate. Behind
        `anew` he is who decides now.
        """
        by = ir.Op(Id(0), "some", (player,)) if player.type == NOBODY else player
        chooser = window.decl.players[index]
        with self.s.collecting():
            if window.decl.acting is not None:
                who = self.side(chooser)
                self.body.bind(window.decl.acting.text, by if who.type == Id(0) else who)
            prompt, prompt_args = self.asked(window.decl.prompt, chooser)
            offers = self.offers(tuple(line for line, _ in window.lines), by, None)
        everybody = passed.type
        assert isinstance(everybody, SetOf)
        mine = ir.Const(everybody, 1 << index)
        everyone = ir.Const(everybody, (1 << self.extent(everybody)) - 1)
        mark: tuple[mid.Mid, ...] = (
            ir.SetLocal(passed.index, ir.Op(everybody, "union", (passed, mine))),
            mid.MidIf(ir.Op(TRUTH, "eq", (passed, everyone)), (ir.Leave(label),)),
        )
        again: tuple[mid.Mid, ...] = (ir.SetLocal(passed.index, ir.Const(everybody, 0)),)
        if window.decl.turns == "in turn":
            again = ()
        playing = [
            mid.MidOffer(each.offer, (*each.body, *again)) for each in offers if each.offer.kind == "do"
        ]
        passes = [each for each in offers if each.offer.kind == "pass"] or [mid.MidOffer(self.passing(), ())]
        passing = mid.MidOffer(passes[0].offer, (*passes[0].body, *mark))
        site = self.world.site(window.decl.span)
        decide = mid.MidDecide(player, (*playing, passing), prompt, prompt_args, mark, site)
        if window.decl.turns == "in turn":
            waiting = ir.Op(
                TRUTH,
                "not",
                (ir.Op(TRUTH, "has", (passed, ir.Const(Int(0, self.extent(everybody) - 1), index))),),
            )
            return [mid.MidIf(waiting, (*anew, decide))]
        return [*anew, decide]
