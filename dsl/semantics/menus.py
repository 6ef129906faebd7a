"""Decisions: who chooses what, from which options, and what follows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from dsl.diagnostics import Code
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, ListOf, SetOf, Type
from dsl.semantics import mid
from dsl.semantics import world as w
from dsl.semantics.expressions import Expressions
from dsl.semantics.scope import BAD, FALSE, TRUE, appended, conjunction, facts, known, number, replace_type
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.semantics.statements import Statements

HOLE = re.compile(r"\{([^{}]*)\}")
ANY_PRODUCT = 65536


@dataclass(slots=True)
class Line:
    """A menu line on its way to an offer: what is bound so far, and on which condition it stands."""

    variables: list[ir.OfferVar] = field(default_factory=list)
    conditions: list[ir.Expr] = field(default_factory=list)


class Menus(Expressions):
    """Elaborates decisions. The mixin's other half is `Statements`."""

    @property
    def s(self) -> Statements:
        return cast("Statements", self)

    def player(self, tree: ast.Expr) -> ir.Expr | None:
        """Who decides: a player, or the player who decides for a side (none for a neutral one)."""
        found = self.scalar(tree, Id(0))
        if not known(found):
            return None
        if found.type == Id(0):
            return found
        if isinstance(found.type, Id):
            domain = self.world.domains[found.type.domain]
            if domain.parts and domain.parts[0] == 0:
                n = len(self.world.domains[0].members)
                here = ir.Op(TRUTH, "lt", (ir.Op(Int(0, len(domain.members) - 1), "id", (found,)), number(n)))
                one = replace_type(ir.Op(Id(0), "cast", (found, number(0))), Id(0, optional=True))
                return ir.Op(Id(0, optional=True), "if", (here, one, ir.Const(Id(0, optional=True), NONE)))
        shown = self.world.show(found.type)
        self.fault(Code.TYPE_MISMATCH, tree.span, f"a player decides, this is {shown}")
        return None

    # ------------------------------------------------------------ labels

    def template(self, label: ast.Label, bindings: dict[str, ir.Expr]) -> tuple[int, tuple[ir.Expr, ...]]:
        """A label with its holes numbered, and what fills them."""
        args: list[ir.Expr] = []
        numbers: dict[str, int] = {}

        def hole(match: re.Match[str]) -> str:
            path = match[1].strip()
            if path not in numbers:
                value = self.hole(path, label.span, bindings)
                if value is None:
                    return match[0]
                numbers[path] = len(args)
                args.append(value)
            return f"{{{numbers[path]}}}"

        texts = tuple((lang, HOLE.sub(hole, words)) for lang, words in label.texts)
        return self.world.text(ast.Label(texts, span=label.span)), tuple(args)

    def hole(self, path: str, span: Span, bindings: dict[str, ir.Expr]) -> ir.Expr | None:
        if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", path):
            self.fault(
                Code.UNKNOWN_NAME,
                span,
                f"`{{{path}}}` is no name",
                hint="a label shows names in scope: `{u}`, `{u.kind}`",
            )
            return None
        head, *rest = path.split(".")
        tree: ast.Expr = ast.NameExpr(head, span=span)
        for name in rest:
            tree = ast.Member(tree, ast.Name(name, span=span), span=span)
        with self.body.inner():
            for name, value in bindings.items():
                self.body.bind(name, value)
            found = self.expr(tree)
        return found if known(found) else None

    # ------------------------------------------------------------ one thing chosen

    def choose(self, tree: ast.Choose) -> None:
        player = self.player(tree.chooser)
        selection = tree.selection
        domain = self.domain(selection.domain)
        if player is None or not known(domain):
            self.body.bind(selection.name.text, ir.Const(domain.type, 0) if not known(domain) else domain)
            return
        s = self.s
        s.flush()
        if isinstance(domain.type, ListOf):
            assert isinstance(domain.type.of, Int | Id)
            domain = ir.Op(SetOf(domain.type.of), "list_set", (domain,))
        assert isinstance(domain.type, SetOf)
        prompt, prompt_args = self.prompt(tree.prompt)
        match tree.how:
            case "one":
                self.choose_one(tree, player, domain, prompt, prompt_args)
            case _:
                self.choose_many(tree, player, domain, prompt, prompt_args)

    def prompt(self, label: ast.Label | None) -> tuple[int | None, tuple[ir.Expr, ...]]:
        return self.template(label, {}) if label else (None, ())

    def taking(
        self, selection: ast.Selection, domain: ir.Expr, extra: ir.Expr | None = None
    ) -> tuple[ir.Offer, ir.Local]:
        """An offer of each element that satisfies `where`."""
        assert isinstance(domain.type, SetOf)
        local = self.body.new(domain.type.of)
        with self.body.inner():
            self.body.bind(selection.name.text, local)
            where = self.truth(selection.condition) if selection.condition else None
        if extra is not None:
            where = conjunction([extra, where] if where else [extra])
        variable = ir.OfferVar(local.index, domain, where)
        text = self.world.text("{0}")
        return ir.Offer("take", (variable,), None, None, (local,), text, (local,), -1), local

    def choose_one(
        self,
        tree: ast.Choose,
        player: ir.Expr,
        domain: ir.Expr,
        prompt: int | None,
        prompt_args: tuple[ir.Expr, ...],
    ) -> None:
        offer, local = self.taking(tree.selection, domain)
        site = self.world.site(tree.span)
        if not tree.optional:
            self.s.code.add(
                mid.MidDecide(player, (mid.MidOffer(offer, ()),), prompt, prompt_args, None, site)
            )
            self.body.bind(tree.selection.name.text, local)
            if tree.selection.condition:
                self.body.facts |= facts(tree.selection.condition, True)
            return
        assert isinstance(local.type, Int | Id)
        result = self.body.new(
            Id(local.type.domain, optional=True)
            if isinstance(local.type, Id)
            else Int(local.type.low, local.type.high, optional=True)
        )
        taken = ir.SetLocal(result.index, replace_type(local, result.type))
        missing = ir.SetLocal(result.index, ir.Const(result.type, NONE))
        offers = (mid.MidOffer(offer, (taken,)), mid.MidOffer(self.passing(), (missing,)))
        self.s.code.add(mid.MidDecide(player, offers, prompt, prompt_args, (missing,), site))
        self.body.bind(tree.selection.name.text, result)

    def passing(self, label: ast.Label | None = None, kind: str = "pass") -> ir.Offer:
        text, args = self.template(label, {}) if label else (self.world.text(kind), ())
        return ir.Offer(kind, (), None, None, (), text, args, -1)

    def choose_many(
        self,
        tree: ast.Choose,
        player: ir.Expr,
        domain: ir.Expr,
        prompt: int | None,
        prompt_args: tuple[ir.Expr, ...],
    ) -> None:
        """`up to N`, `exactly N`, `order of`: one after another, until there are enough or the player stops."""
        s = self.s
        assert isinstance(domain.type, SetOf)
        site = self.world.site(tree.span)
        kept = self.body.new(domain.type)
        filtered = s.filtered(domain, tree.selection)
        s.code.add(ir.SetLocal(kept.index, filtered))
        size = self.extent(domain.type)
        limit = self.whole(tree.limit) if tree.limit is not None else number(size)
        if not known(limit):
            limit = number(1)
        ordered = tree.how == "order"
        type_: Type = ListOf(domain.type.of, size) if ordered else domain.type
        chosen = self.body.new(type_)
        s.code.add(ir.SetLocal(chosen.index, ir.Const(type_, () if ordered else 0)))
        offer, local = self.taking(
            ast.Selection(tree.selection.name, tree.selection.domain, span=tree.selection.span), kept
        )
        if ordered:
            more: ir.Expr = appended(chosen, local)
        else:
            more = ir.Op(type_, "union", (chosen, ir.Op(domain.type, "single", (local,))))
        rest = ir.Op(domain.type, "minus", (kept, ir.Op(domain.type, "single", (local,))))
        taken: tuple[mid.Mid, ...] = (ir.SetLocal(chosen.index, more), ir.SetLocal(kept.index, rest))
        label = s.flow.label()
        leave: tuple[mid.Mid, ...] = (ir.Leave(label),)
        offers = [mid.MidOffer(offer, taken)]
        if tree.how == "up to":
            offers.append(mid.MidOffer(self.passing(kind="stop"), leave))
        decide = mid.MidDecide(player, tuple(offers), prompt, prompt_args, leave, site)
        s.code.add(mid.MidGuarded(label, (mid.MidLoop(limit, TRUE, (decide,), site),)))
        self.body.bind(tree.selection.name.text, chosen)

    def secretly(self, tree: ast.SecretChoose) -> None:
        """Each answers in turn, from options of the entry state; nothing shows before the last has answered."""
        s = self.s
        domain = self.domain(tree.selection.domain)
        players = [self.player(each) for each in tree.choosers]
        if (
            not known(domain)
            or not isinstance(domain.type, SetOf)
            or any(player is None for player in players)
        ):
            return
        s.flush()
        pairs: list[tuple[ir.Expr, ir.Expr]] = []
        prompt, prompt_args = self.prompt(tree.prompt)
        for player in players:
            assert player is not None
            offer, local = self.taking(tree.selection, domain)
            site = self.world.site(tree.span)
            s.code.add(mid.MidDecide(player, (mid.MidOffer(offer, ()),), prompt, prompt_args, None, site))
            pairs.append((player, local))
        self.body.secrets[tree.selection.name.text] = pairs

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
        if label is not None:
            s.flow.loops.append((label, len(s.flow.untils)))
        by = replace_type(player, Id(0)) if isinstance(player.type, Id) and player.type.optional else player
        offers = self.offers(tree.lines, by, label)
        done: tuple[mid.Mid, ...] = (ir.Leave(label),) if label is not None else ()
        if tree.optional and not any(each.offer.kind == "pass" for each in offers):
            offers.append(mid.MidOffer(self.passing(), done))
        prompt, prompt_args = self.prompt(tree.prompt)
        empty = done if tree.optional else None
        decide = mid.MidDecide(player, tuple(offers), prompt, prompt_args, empty, self.world.site(tree.span))
        if label is None:
            s.code.add(decide)
            return
        s.flow.loops.pop()
        s.code.add(mid.MidForever(label, (decide, *self.tests())))

    def tests(self) -> tuple[mid.Mid, ...]:
        """What `until` blocks around a menu test after each choice."""
        with self.s.collecting() as code:
            self.s.test_untils()
        return tuple(code.statements)

    def offers(self, lines: tuple[ast.MenuLine, ...], by: ir.Expr, loop: int | None) -> list[mid.MidOffer]:
        found: list[mid.MidOffer] = []
        for line in lines:
            self.line(line, by, loop, Line(), found)
        return found

    def line(
        self, line: ast.MenuLine, by: ir.Expr, loop: int | None, start: Line, found: list[mid.MidOffer]
    ) -> None:
        with self.body.block():
            here = Line(list(start.variables), list(start.conditions))
            self.body.depth += 1
            self.bind_selections(line, here)
            if line.condition:
                here.conditions.append(self.truth(line.condition))
                self.body.facts |= facts(line.condition, True)
            self.body.depth -= 1
            if line.kind in {"pass", "stop"}:
                self.closing(line, loop, here, found)
            elif line.call is not None:
                self.calling(line, line.call, by, loop, here, found)

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
                self.body.facts |= facts(selection.condition, True)
            here.variables.append(ir.OfferVar(local.index, domain, where))

    def closing(self, line: ast.MenuLine, loop: int | None, here: Line, found: list[mid.MidOffer]) -> None:
        """`pass` and `stop` lines; a repeated menu ends with either."""
        body: list[mid.Mid] = list(self.s.block(line.body)) if line.body else []
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
        if not isinstance(target, w.Action):
            hint = self.world.nearest(name, [a.name for a in self.world.actions])
            self.fault(
                Code.UNKNOWN_NAME,
                name_tree.span,
                f"there is no action `{name}` to offer",
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
        clause = target.clause
        offer = ir.Offer(
            "do",
            tuple(here.variables),
            None if guard == TRUE else guard,
            target.id,
            args,
            label,
            label_args,
            -1,
            clause,
        )
        run = self.s.running(target, args, line.span)
        after = self.s.block(line.body) if line.body else ()
        found.append(mid.MidOffer(offer, (*run, *after, ir.TestEndings(False))))

    def offer_label(
        self, line: ast.MenuLine, action: w.Action, args: tuple[ir.Expr, ...]
    ) -> tuple[int, tuple[ir.Expr, ...]]:
        if line.label:
            return self.template(line.label, {})
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
        if args is None:
            return
        with self.body.block():
            for param, arg in zip(menu.params, args, strict=True):
                self.body.bind(param.name, arg)
            for line, guard in menu.lines:
                start = Line(list(here.variables), list(here.conditions))
                if guard.condition is not None:
                    start.conditions.append(guard.condition)
                self.line(line, by, loop, start, found)

    def search_body(self, menu: w.Menu) -> None:
        """A menu asked over and over, by whoever is the last parameter."""
        s = self.s
        player = ir.Local(Id(0), len(menu.params))
        label = s.flow.label()
        offers: list[mid.MidOffer] = []
        for line, guard in menu.lines:
            start = Line(conditions=[guard.condition] if guard.condition is not None else [])
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
            self.fault(Code.UNKNOWN_NAME, call.span, f"there is no window `{name}`", hint=hint)
            return
        self.s.code.add(mid.MidEnter(window.routine, (), None, self.world.site(tree.span)))

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
        s.code.add(ir.Change(window.open_var, None, None, number(1), False, False, site))
        s.code.add(ir.SetLocal(passed.index, ir.Const(everybody, 0)))
        label = s.flow.label()
        rounds: list[mid.Mid] = []
        for index, player in enumerate(players):
            assert player is not None
            rounds += self.window_turn(window, player, index, passed, label)
        s.code.add(mid.MidForever(label, tuple(rounds)))
        s.code.add(ir.Change(window.open_var, None, None, number(1), False, True, site))

    def window_turn(
        self, window: w.Window, player: ir.Expr, index: int, passed: ir.Local, label: int
    ) -> list[mid.Mid]:
        """One player's place in the round: he plays or passes; a play withdraws all passes where they alternate."""
        by = replace_type(player, Id(0)) if isinstance(player.type, Id) and player.type.optional else player
        with self.s.collecting():
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
        decide = mid.MidDecide(player, (*playing, passing), None, (), mark, site)
        if window.decl.turns == "in turn":
            waiting = ir.Op(
                TRUTH,
                "not",
                (ir.Op(TRUTH, "has", (passed, ir.Const(Int(0, self.extent(everybody) - 1), index))),),
            )
            return [mid.MidIf(waiting, (decide,))]
        return [decide]


__all__ = ["ANY_PRODUCT", "FALSE", "Menus"]
