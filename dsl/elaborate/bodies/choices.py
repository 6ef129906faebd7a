"""Choices: `chooses`, `may choose`, several at once, in secret."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.labels import Labels
from dsl.elaborate.bodies.scope import BAD, BIGGEST, appended, known
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, Id, Int, ListOf, SetOf, Type
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, conjunction, counting, number, replace_type
from dsl.syntax import ast
from dsl.syntax.trees import nodes_of


class Choices(Labels):
    """Elaborates decisions about one set of things."""

    def choose(self, tree: ast.Choose) -> None:
        player = self.player(tree.chooser)
        selection = tree.selection
        domain = self.domain(selection.domain)
        if player is None or not known(domain):
            self.body.bind(selection.name.text, BAD)
            return
        s = self.s
        s.flush()
        if isinstance(domain.type, ListOf):
            assert isinstance(domain.type.of, Int | Id)
            domain = ir.Op(SetOf(domain.type.of), "list_set", (domain,))
        assert isinstance(domain.type, SetOf)
        prompt, prompt_args = self.asked(tree.prompt, tree.chooser)
        self.check_closing(tree)
        match tree.how:
            case "one":
                self.choose_one(tree, player, domain, prompt, prompt_args)
            case _:
                self.choose_many(tree, player, domain, prompt, prompt_args)

    def check_closing(self, tree: ast.Choose) -> None:
        """Words for an option that chooses nothing: only where there is one, under the word that it has."""
        kind = {"one": "pass" if tree.optional else "", "up to": "stop"}.get(tree.how, "")
        if tree.closing is None or tree.closes == kind:
            return
        words = tree.closing.span
        if kind:
            hint = tr("write `{kind} {words}`", kind=kind, words=words.text)
            message = tr(
                "who chooses here does not `{closes}`, but `{kind}`", closes=tree.closes or "", kind=kind
            )
        else:
            hint = "leave the words out"
            if tree.how == "one":
                hint = tr("leave the words out, or write `{who} may choose`", who=tree.chooser.span.text)
            message = tr("nobody can `{closes}` here", closes=tree.closes or "")
        self.fault(Code.MISPLACED_LINE, words, message, hint=hint)

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
                self.learn(tree.selection.condition, holds=True)
            return
        assert isinstance(local.type, Int | Id)
        result = self.body.new(
            Id(local.type.domain, optional=True)
            if isinstance(local.type, Id)
            else Int(local.type.low, local.type.high, optional=True)
        )
        taken = ir.SetLocal(result.index, replace_type(local, result.type))
        missing = ir.SetLocal(result.index, ir.Const(result.type, NONE))
        offers = (mid.MidOffer(offer, (taken,)), mid.MidOffer(self.passing(tree.closing), (missing,)))
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
        elif isinstance(limit.type, Int) and limit.type.high > BIGGEST:
            limit = ir.Op(Int(min(limit.type.low, size), size), "min", (limit, number(size)))
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
        if isinstance(tree.limit, ast.Number) and tree.limit.value > 1:
            prompt = self.world.counted(prompt, len(prompt_args))
            prompt_args = (*prompt_args, counting(chosen, size), number(tree.limit.value))
        label = s.flow.label()
        leave: tuple[mid.Mid, ...] = (ir.Leave(label),)
        offers = [mid.MidOffer(offer, taken)]
        if tree.how == "up to":
            offers.append(mid.MidOffer(self.passing(tree.closing, "stop"), leave))
        decide = mid.MidDecide(player, tuple(offers), prompt, prompt_args, leave, site)
        s.code.add(mid.MidGuarded(label, (mid.MidLoop(limit, TRUE, (decide,), site),)))
        self.body.bind(tree.selection.name.text, chosen)

    def secretly(self, tree: ast.SecretChoose) -> None:
        """Each answers in turn, from options of the entry state; nothing shows before the last has answered."""
        s = self.s
        if any(each.name == "self" for each in nodes_of(tree.selection, ast.NameExpr)):
            self.fault(
                Code.UNKNOWN_NAME,
                tree.selection.span,
                "what is chosen in secret is chosen from the same things by all",
                hint="for a bound of each player let him choose into a field that he alone sees: `for p in order of "
                "play:`, then `p chooses n in 0..p.coins` and `p.bid = n`, with `bid: 0..20, seen by self`",
            )
            self.body.bind(tree.selection.name.text, BAD)
            return
        domain = self.domain(tree.selection.domain)
        players = [self.player(each) for each in tree.choosers]
        if (
            not known(domain)
            or not isinstance(domain.type, SetOf)
            or any(player is None for player in players)
        ):
            self.body.bind(tree.selection.name.text, BAD)
            return
        s.flush()
        pairs: list[tuple[ir.Expr, ir.Expr]] = []
        for chooser, player in zip(tree.choosers, players, strict=True):
            assert player is not None
            prompt, prompt_args = self.asked(tree.prompt, chooser)
            offer, local = self.taking(tree.selection, domain)
            site = self.world.site(tree.span)
            sealed = len(pairs) + 1 < len(players)
            s.code.add(
                mid.MidDecide(player, (mid.MidOffer(offer, ()),), prompt, prompt_args, None, site, sealed)
            )
            pairs.append((player, local))
        self.body.secrets[tree.selection.name.text] = pairs
