"""Tests in the language, as scripts to play: what is given, what chance gives, what is chosen and expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code, Severity
from dsl.elaborate.bodies.expressions import Resolver
from dsl.elaborate.bodies.ratios import bare, parts_of, wrapped
from dsl.elaborate.bodies.routines import routine
from dsl.elaborate.bodies.scope import BAD, Body, known
from dsl.elaborate.bodies.sides import PLAYER, decider
from dsl.elaborate.bodies.statements import Statements
from dsl.elaborate.clauses.actions import Actions
from dsl.elaborate.clauses.values import Values
from dsl.elaborate.outcomes import Outcomes, endings_by_label
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int, Record
from dsl.ir.walk import inside, locals_in
from dsl.linker.layers import Entry, Gathered
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import plain
from dsl.lower.ir_builder import FALSE, TRUE, conjunction, number
from dsl.lower.rewrite import substitute
from dsl.resolve import symbols as w
from dsl.resolve.effect_columns import explicit
from dsl.resolve.hints import an_action, near_or_all
from dsl.resolve.kinds import AnyType
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast

_LINES = frozenset({"rolls", "picks", "shuffles", "decisions", "run", "expect", "option"})
"""Words that begin lines of tests without a colon."""
_CHECKS_NOTHING = frozenset({ast.Given, ast.Naming, ast.Script, ast.WithOption, ast.Asking})
"""Lines of tests that say what there is, and cannot fail."""
_PLAYED = frozenset({ast.Moves, ast.ExpectOffered, ast.ExpectRefused})
"""Lines of tests that make a move, or ask whether it is offered: the game is played to where somebody chooses."""


class Given(Statements):
    """Elaborates what tests give and run: there the name of a kind stands for the first piece of it in play."""

    choosing = False
    """In a move it stands for any piece of that kind that is offered."""

    def scalar_to(self, expr: ir.Expr, source: Int | Id, type_: Int | Id, span: Span) -> ir.Expr | None:
        found = super().scalar_to(expr, source, type_, span)
        if found is not None or not isinstance(source, Id) or not isinstance(type_, Id) or source.optional:
            return found
        domain = self.world.domains[type_.domain]
        for part in domain.parts:
            inner = self.scalar_to(expr, source, Id(part), span)
            if inner is not None:
                return inner if self.choosing else super().scalar_to(inner, Id(part), type_, span)
        table = domain.pool.table if domain.pool else None
        if table is None or table.domain != source.domain:
            return None
        if self.choosing:
            return expr
        first = self.first_of(domain, expr)
        return first if type_.optional else ir.Op(Id(domain.id), "some", (first,))

    def actor(self, tree: ast.Expr, action: w.Action) -> ir.Expr:
        """Who does an action; a side stands for whoever decides for it, as in the lines of a test."""
        found = self.side(tree)
        if not known(found):
            return found
        wanted = action.params[-1].type if action.by is not None else None
        if wanted == PLAYER and found.type == self.world.types["Side"] != PLAYER:
            return ir.Op(PLAYER, "some", (decider(self.world, found),))
        return super().actor(tree, action)

    def having(self, member: ir.Expr, field: str) -> ir.Expr:
        """Of a kind the first piece, where only pieces have such a field."""
        if not isinstance(member.type, Id) or member.type.optional:
            return member
        kind = self.world.domains[member.type.domain]
        if field in kind.fields or field in self.columns(kind):
            return member
        for domain in self.world.domains:
            table = domain.pool.table if domain.pool else None
            if table is not None and table.domain == kind.id and field in domain.fields:
                return ir.Op(Id(domain.id), "some", (self.first_of(domain, member),))
        return member

    def in_supply(
        self, domain: w.Domain, kind: ir.Expr, owner: ir.Expr | None
    ) -> Callable[[int], ir.SetLocal | ir.Call]:
        """A procedure that all tests share looks for it: hundreds of them place thousands of pieces."""
        known_by = domain.id, kind.type, owner.type if owner is not None else None
        number = self.world.suppliers.get(known_by)
        if number is None:
            s = Given(self.world, Body(effects=True, trusting=True), self.resolve_value)
            params = [s.body.new(each.type) for each in (kind, owner) if each is not None]
            first = s.first_supplied(domain, params[0], params[1] if owner is not None else None)
            found = pr.Procedure("supplied", len(params), tuple(s.body.locals), first.type, (ir.Give(first),))
            self.world.procedures.append(found)
            number = self.world.suppliers[known_by] = len(self.world.procedures) - 1
        args = (kind,) if owner is None else (kind, owner)
        site = self.code.site
        return lambda local: ir.Call(number, args, local, site)

    def bare_member(self, tree: ast.NameExpr, expected: AnyType | None = None) -> ir.Expr:
        """The name of a type of pieces that has no kinds stands for the first of them."""
        type_ = self.world.types.get(tree.name)
        domain = self.world.domains[type_.domain] if isinstance(type_, Id) else None
        if self.choosing or tree.name in self.world.members or domain is None or domain.pool is None:
            return super().bare_member(tree, expected)
        if domain.pool.table is not None:
            return super().bare_member(tree, expected)
        return ir.Op(Id(domain.id), "some", (self.first_of(domain, None),))

    def first_of(self, domain: w.Domain, kind: ir.Expr | None) -> ir.Expr:
        """The first piece of a kind in play; of cards rather one that lies elsewhere than where it began."""
        assert domain.pool is not None
        here = Id(domain.id, optional=True)
        piece = self.body.new(Id(domain.id))
        same: ir.Expr = TRUE
        if kind is not None:
            same = ir.Op(TRUTH, "eq", (self.kind_of(piece, domain), kind))
        first = ir.Fold(here, "first", piece.index, self.members(domain.id), same, None)
        begun = self.world.vars[domain.pool.pile].initial if domain.pool.pile is not None else None
        if begun is None or domain.pool.pile is None:
            return first
        there = substitute(begun, piece)
        moved = ir.Op(TRUTH, "ne", (self.load(domain.pool.pile, piece), there))
        test = conjunction([same, moved])
        placed = ir.Fold(here, "first", piece.index, self.members(domain.id), test, None)
        return ir.Op(here, "if", (ir.Op(TRUTH, "is_none", (placed,)), first, placed))


class Expectations(Outcomes, Given):
    """Elaborates what tests expect, and keeps what each expression came to: a test that fails shows its values."""

    def __init__(self, world: World, body: Body, resolve_value: Resolver) -> None:
        super().__init__(world, body, resolve_value)
        self.found: dict[Span, ir.Expr] = {}

    def expr(self, tree: ast.Expr, expected: AnyType | None = None) -> ir.Expr:
        found = super().expr(tree, expected)
        self.found[tree.span] = found
        return found

    def parts(self, tree: ast.Expr, found: ir.Expr) -> list[pr.Shown]:
        """The conditions that `and` joins."""
        match tree, found:
            case ast.Binary(op="and"), ir.Op(op="and", args=(left, right)):
                return [*self.parts(tree.left, left), *self.parts(tree.right, right)]
            case _:
                return [pr.Shown(tree.span.text, found)]

    def made(self, tree: ast.Expr) -> list[pr.Shown]:
        """What is compared in a condition, as far as it is no constant and is read in any case."""
        match tree:
            case ast.Binary(op="and" | "or"):
                found = [*self.made(tree.left), *self.made(tree.right)]
            case ast.Unary(op="not"):
                found = self.made(tree.operand)
            case ast.Binary():
                pairs = [(each.span, self.found.get(each.span)) for each in (tree.left, tree.right)]
                found = [
                    pr.Shown(span.text, bare(expr), parts_of(expr))
                    for span, expr in pairs
                    if expr is not None
                    and known(expr)
                    and not isinstance(expr, ir.Const)
                    and self.is_closed(expr)
                ]
            case _:
                found = []
        kept: dict[tuple[str, ir.Expr], pr.Shown] = {}
        for each in found:
            kept.setdefault(
                ("".join(each.text.split()), each.value), each
            )  # other spaces, the same expression
        return list(kept.values())

    def is_closed(self, expr: ir.Expr) -> bool:
        """Can it be read by itself: is it a value of the engine, without locals but those that the test has named?"""
        expr = bare(expr)
        named = {each.index for each in self.body.names[0].values() if isinstance(each, ir.Local)}
        within = {each.index for each in inside(expr) if isinstance(each, ir.Fold | ir.LetIn)}
        return not locals_in(expr) - within - named


class Tests:
    """Turns each test of a game into steps."""

    def __init__(self, world: World, values: Values, actions: Actions, rounds: Callable[[], int]) -> None:
        """`rounds` makes the routine that plays the game without its setup, and yields its number."""
        self.world = world
        self.values = values
        self.actions = actions
        self.rounds = cache(rounds)
        self.in_force: set[str] = set()
        """The names of the game, its scenario, its map and its mods."""

    def all(self, gathered: Gathered, ends: tuple[pr.Ending, ...]) -> tuple[pr.Test, ...]:
        endings = endings_by_label(self.world, ends)
        board = self.world.board
        self.in_force = {each.name.text for each in gathered.headers} | ({board.name} if board else set())
        return tuple(self.noted(entry, endings) for entry in gathered.of(ast.Test))

    def noted(self, entry: Entry, endings: dict[str, list[int]]) -> pr.Test:
        """A test, of which it is noted whether it depends on more of the rules than the heads of what it names."""
        before = self.world.body_reads
        found = self.test(entry, endings)
        if self.world.body_reads > before:
            self.world.tangled.add(id(entry))
        return found

    def test(self, entry: Entry, endings: dict[str, list[int]]) -> pr.Test:
        """A test in the block of a mode is played in that mode."""
        decl: ast.Test = entry.declaration
        cited = decl.citation or ast.Citation(span=decl.span)
        place = self.world.place(decl.title.span)
        if absent := [each.text for each in decl.only_for if each.text not in self.in_force]:
            skipped = f"for {' and '.join(absent)}"
            return pr.Test(decl.title.text, cited.ids, cited.pins, (), place, skipped)
        body = Body(effects=True, trusting=True)
        e = Expectations(self.world, body, self.values.result)
        e.endings = endings
        body.by = self.only_player()
        steps = [self.in_mode(entry.mode, decl)] if entry.mode is not None else []
        kinds = {type(line) for line in decl.lines}
        if ast.Given in kinds and kinds & _PLAYED and ast.Run not in kinds:
            steps.append(pr.TestStep("rounds", index=self.rounds(), site=self.world.site(decl.span)))
        idle = bool(kinds) and kinds <= _CHECKS_NOTHING
        wrong = self.world.reporter.diagnostics.count(Severity.ERROR) if idle else 0
        self.world.reporter.testing = decl.title.text
        for line in decl.lines:
            steps += self.line(e, line)
        self.world.reporter.testing = ""
        if idle and self.world.reporter.diagnostics.count(Severity.ERROR) == wrong:
            self.world.error(
                Code.NOTHING_CHECKED,
                decl.title.span,
                "this test checks nothing: it cannot fail",
                hint="add a line such as `expect gold is 3`, `expect legal ACTION by PLAYER` or `PLAYER: MOVE`",
            )
        return pr.Test(decl.title.text, cited.ids, cited.pins, tuple(steps), place)

    def in_mode(self, mode: str, decl: ast.Test) -> pr.TestStep:
        options = [option.name for option in self.world.options]
        number = self.world.modes.names.index(mode)
        return pr.TestStep(
            "option", index=options.index("mode"), numbers=(number,), site=self.world.site(decl.span)
        )

    def line(self, e: Expectations, line: ast.TestLine) -> list[pr.TestStep]:
        site = self.world.site(line.span)
        match line:
            case ast.Given(body=block):
                params = self.params(e)
                index, bound = self.given(e, block)
                return [pr.TestStep("given", index=index, bound=bound, params=params, site=site)]
            case ast.Script(kind=kind):
                if kind == "picks":
                    return [self.picked(e, value, site) for value in line.values]
                written = ", ".join(value.span.text for value in line.values)
                told = f"{kind} {written}" if kind == "shuffles" else ""
                values = self.scripted(e, line)
                numbers = tuple(each for each in values if isinstance(each, int))
                if len(numbers) == len(values):
                    return [pr.TestStep(kind, numbers=numbers, text=told, site=site)]
                args = tuple(number(each) if isinstance(each, int) else each for each in values)
                return [pr.TestStep(kind, args=args, text=told, site=site)]
            case ast.Naming():
                return self.naming_line(e, line)
            case ast.Run(call=call):
                index = self.run(e, call)
                judged = self.judged(e, call)
                action, args = judged if judged is not None else (None, ())
                text = call.call.span.text
                who = self.chooser(e, call.by) if call.by else self.only_player()
                who = who if who is not None and known(who) else None
                params = self.params(e)
                step = pr.TestStep("run", who, action, args, index=index, text=text, params=params, site=site)
                return [step]
            case ast.Moves(player=ast.NameExpr(name=word)) if self.is_line(e, word):
                rest = line.span.text.partition(":")[2].strip()
                message = tr("`{word}` begins a line of a test, and has no colon", word=word)
                e.fault(
                    Code.UNKNOWN_NAME,
                    line.player.span,
                    message,
                    hint=tr("write `{word} {rest}`", word=word, rest=rest),
                )
                return []
            case ast.Moves(player=player, moves=moves):
                who = self.chooser(e, player)
                return [step for move in moves for step in self.moves(e, who, move)]
            case ast.Expect(condition=ast.NameExpr(name="error") as named) if not self.is_known(e, "error"):
                from dsl.syntax.lessons.scripts import ERROR

                e.fault(Code.UNKNOWN_NAME, named.span, "this error has no code", hint=ERROR)
                return []
            case ast.Expect(condition=condition):
                found, text = e.truth(condition), condition.span.text.removeprefix("expect").strip()
                parts = e.parts(condition, found)
                joined, made = tuple(parts) if len(parts) > 1 else (), tuple(e.made(condition))
                step = pr.TestStep("expect", args=(found,), text=text, parts=joined, made=made, site=site)
                return [step]
            case ast.ExpectQuiet():
                return [pr.TestStep("quiet", site=site)]
            case ast.Asking():
                return [pr.TestStep("asking", site=site)]
            case ast.ExpectIllegal():
                return self.illegal(e, line)
            case ast.ExpectRefused(player=player, move=move):
                return [replace(self.move(e, self.chooser(e, player), move), tried=True, offered=False)]
            case ast.ExpectOffered(player=player, move=move):
                return [replace(self.move(e, self.chooser(e, player), move), tried=True)]
            case ast.ExpectError(code=code):
                return [pr.TestStep("error", text=code.text, site=site)]
            case ast.WithOption(settings=settings):
                return [self.option(setting) for setting in settings]
            case _:
                assert_never(line)

    def is_known(self, e: Expectations, name: str) -> bool:
        """Is something of the game, or of this test, called so?"""
        return self.world.knows(name) or e.body.find(name) is not None

    def is_line(self, e: Expectations, word: str) -> bool:
        """Is a word that stands for a player one that begins lines of tests, and nothing of the game?"""
        return word in _LINES and not self.is_known(e, word)

    def chooser(self, e: Expectations, tree: ast.Expr) -> ir.Expr:
        """The player whom a line names; a side stands for whoever decides for it."""
        found = e.side(tree)
        if known(found) and found.type == self.world.types["Side"] != PLAYER:
            return ir.Op(PLAYER, "some", (decider(self.world, found),))
        return e.coerce(found, PLAYER, tree.span)

    def params(self, e: Expectations) -> tuple[int, ...]:
        """The locals of what the test has named so far, which its routines and procedures are given."""
        return tuple(each.index for each in e.body.names[0].values() if isinstance(each, ir.Local))

    def naming(self, e: Expectations) -> Given:
        """The elaborator of code of its own, in which what the test has named so far is known."""
        s = Given(self.world, Body(effects=True, trusting=True), self.values.result)
        for name, local in e.body.names[0].items():
            if isinstance(local, ir.Local):
                s.body.bind(name, s.body.new(local.type))
        return s

    def given(self, e: Expectations, block: ast.Block) -> tuple[int, tuple[int, ...]]:
        """The stores that make the state; no dice, no decisions, and no ending is tested. Also the locals of the test
        to which what was named there is bound.
        """
        s = self.naming(e)
        params = len(s.body.locals)
        with s.collecting() as collected:
            s.run_block(block)
            own = dict(s.body.names[-1])
        code = tuple(collected.statements)
        named: dict[str, tuple[ir.Local, Int | Id]] = {}
        for name, each in own.items():
            if isinstance(each, ir.Local) and isinstance(each.type, Id | Int):
                named[name] = each, each.type
            elif isinstance(each, ir.Const):
                e.body.bind(name, each)  # what `let` says once and for all
        flag, site = self.world.setting_up, self.world.site(block.span)
        if flag is not None:
            begin, end = (ir.Store(flag, None, None, truth, site) for truth in (TRUE, FALSE))
            code = (begin, *code, end)
        if mid.suspends(code):
            self.world.error(
                Code.GIVEN_DECIDES,
                block.span,
                "`given` makes a state, nobody decides in it",
                hint="do that with `run` and moves",
            )
            code = ()
        result = None
        if named and code:
            result = Record(tuple(named), tuple(type_ for _, type_ in named.values()))
            code = (*code, ir.Give(ir.Op(result, "record", tuple(local for local, _ in named.values()))))
        found = pr.Procedure("given", params, tuple(s.body.locals), result, plain(code))
        self.world.procedures.append(found)
        bound = [e.body.new(type_) for _, type_ in named.values()] if result is not None else []
        for name, local in zip(named, bound, strict=False):
            e.body.bind(name, local)
        return len(self.world.procedures) - 1, tuple(each.index for each in bound)

    def naming_line(self, e: Expectations, tree: ast.Naming) -> list[pr.TestStep]:
        """A name for what an expression is now."""
        e.is_new(tree)
        found = e.expr(tree.value)
        if e.body.hoisted:
            e.body.hoisted.clear()
            hint = "write what is rolled, or `rolls` above what rolls it"
            found = e.fault(Code.ROLL_HERE, tree.value.span, "a test dictates its dice", hint=hint)
        if not known(found):
            e.body.bind(tree.name.text, BAD)
            return []
        local = e.body.new(bare(found).type)
        e.body.bind(tree.name.text, wrapped(local, found.type))
        text = f"{tree.name.text} = {tree.value.span.text}"
        site = self.world.site(tree.span)
        return [pr.TestStep("let", args=(bare(found),), text=text, bound=(local.index,), site=site)]

    def run(self, e: Expectations, call: ast.Call) -> int:
        s = self.naming(e)
        params = len(s.body.locals)
        s.body.by = self.only_player()
        quiet = call.otherwise or ast.Block((), span=call.span)
        s.statement(replace(call, otherwise=quiet))
        self.world.routines.append(routine("run", params, s.body, tuple(s.code.statements)))
        return len(self.world.routines) - 1

    def judged(self, e: Expectations, call: ast.Call) -> tuple[int, tuple[ir.Expr, ...]] | None:
        """The action that is run, and with what, where something may refuse it: a test wants it to happen."""
        action = self.action_of(call.call)
        if action is None or self.world.reporter.diagnostics.has_errors:
            return None
        by = self.chooser(e, call.by) if call.by else self.only_player()
        written = call.call.arguments if isinstance(call.call, ast.Apply) else ()
        args = e.action_arguments(action, written, call.call, by)
        rolls = bool(e.body.hoisted)
        e.body.hoisted.clear()
        return None if args is None or rolls else (action.id, args)

    def scripted(self, e: Expectations, line: ast.Script) -> tuple[int | ir.Expr, ...]:
        """The numbers of a script line, or what the test has named; `decisions` has one."""
        if line.kind == "decisions" and len(line.values) > 1:
            e.fault(
                Code.WRONG_ARGUMENTS,
                line.values[1].span,
                "`decisions` is followed by one number: how many have been taken",
            )
        found = tuple(self.number(e, value, cards=line.kind == "shuffles")[0] for value in line.values)
        if line.kind == "decisions" and not (isinstance(found[0], int) and found[0] >= 0):
            e.fault(
                Code.OUT_OF_RANGE, line.values[0].span, "fewer decisions than none cannot have been taken"
            )
        return found

    def picked(self, e: Expectations, tree: ast.Expr, site: int) -> pr.TestStep:
        """What a random choice gives, with the domain that it is of."""
        value, type_ = self.number(e, tree)
        index = type_.domain if isinstance(type_, Id) else None
        text = f"picks {tree.span.text}"
        if isinstance(value, int):
            return pr.TestStep("picks", numbers=(value,), index=index, text=text, site=site)
        return pr.TestStep("picks", args=(value,), index=index, text=text, site=site)

    def number(
        self, e: Expectations, tree: ast.Expr, *, cards: bool = False
    ) -> tuple[int | ir.Expr, AnyType | None]:
        """A number that chance gives, and of what type; among `cards` the name of a kind stands for a card of it."""
        found = e.expr(tree)
        if isinstance(found, ir.Const) and isinstance(found.value, int):
            tables = {each.pool.table.domain for each in self.world.domains if each.pool and each.pool.table}
            kind = cards and isinstance(found.type, Id) and found.type.domain in tables
            return -1 - found.value if kind else found.value, found.type
        if isinstance(found, ir.Local):
            return found, found.type
        if known(found):
            e.fault(Code.TYPE_MISMATCH, tree.span, "chance is scripted with plain numbers and names")
        return 0, None

    def moves(
        self, e: Expectations, who: ir.Expr, move: ast.Expr | ast.Pass | ast.Stop | ast.Times
    ) -> list[pr.TestStep]:
        """A move, as often as it is made."""
        if isinstance(move, ast.Times):
            return [self.move(e, who, move.move)] * move.count
        return [self.move(e, who, move)]

    def move(self, e: Expectations, who: ir.Expr, move: ast.Expr | ast.Pass | ast.Stop) -> pr.TestStep:
        site = self.world.site(move.span)
        match move:
            case ast.Pass():
                return pr.TestStep("pass", who, site=site)
            case ast.Stop():
                return pr.TestStep("stop", who, site=site)
            case ast.Text(text=text):
                return pr.TestStep("label", who, text=text, site=site)
            case _:
                pass
        action = self.action_of(move)
        if action is not None:
            e.choosing = True
            args = e.action_arguments(
                action, move.arguments if isinstance(move, ast.Apply) else (), move, who
            )
            e.choosing = False
            return pr.TestStep("do", who, action.id, args or (), text=move.span.text, site=site)
        if isinstance(move, ast.NameExpr) and len(self.world.members.get(move.name, [])) > 1:
            return pr.TestStep("label", who, text=move.name, site=site)
        found = e.expr(move)
        return pr.TestStep("take", who, args=(found,) if known(found) else (), text=move.span.text, site=site)

    def action_of(self, tree: ast.Expr) -> w.Action | None:
        function = explicit(tree.function, tree.arguments) if isinstance(tree, ast.Apply) else tree
        found = self.world.callables.get(function.name) if isinstance(function, ast.NameExpr) else None
        return found if isinstance(found, w.Action) else None

    def illegal(self, e: Expectations, line: ast.ExpectIllegal) -> list[pr.TestStep]:
        action = self.action_of(line.call)
        site = self.world.site(line.span)
        function = line.call.function if isinstance(line.call, ast.Apply) else line.call
        if isinstance(function, ast.NameExpr) and function.name not in self.world.callables:
            hint = an_action(self.world, function.name)
            e.unknown("action", function.span, hint=hint)
            return []
        if action is None:
            e.fault(
                Code.UNKNOWN_NAME,
                line.call.span,
                "this is no action",
                hint="write `expect illegal recruit(EP) because [CA-043]`",
            )
            return []
        by = self.chooser(e, line.by) if line.by else self.only_player()
        args = e.action_arguments(
            action, line.call.arguments if isinstance(line.call, ast.Apply) else (), line.call, by
        )
        because = line.because
        ids = (*because.ids, *because.families) if because else ()
        return [
            pr.TestStep(
                "illegal",
                by if by is not None and known(by) else None,
                action.id,
                args or (),
                ids=ids,
                among=line.among,
                text=line.call.span.text,
                site=site,
            )
        ]

    def only_player(self) -> ir.Expr | None:
        return ir.Const(Id(0), 0) if len(self.world.domains[0].members) == 1 else None

    def option(self, setting: ast.Setting) -> pr.TestStep:
        """A ruling or option other than by default."""
        world = self.world
        found = next(
            (index for index, option in enumerate(world.options) if option.name == setting.name.text), None
        )
        if found is None:
            names = [option.name for option in world.options]
            hint = near_or_all(world.reporter, setting.name.text, names, tr("the rulings and options are"))
            if setting.name.text in world.globals:
                written = setting.span.text
                hint = tr(
                    "`{name}` is a field: write `given: {written}`", name=setting.name.text, written=written
                )
            elif not names:
                hint = "the game has no rulings, options or modes to choose from"
            world.unknown("option", setting.name.span, hint=hint)
            return pr.TestStep("option")
        option = world.options[found]
        text = setting.value.span.text.strip()
        if (
            option.range is not None
            and text.lstrip("-").isdigit()
            and option.range[0] <= int(text) <= option.range[1]
        ):
            return pr.TestStep("option", numbers=(int(text),), index=found)
        if text not in option.choices:
            hint = world.nearest(text, list(option.choices)) or "choices: " + ", ".join(option.choices)
            world.error(
                Code.UNKNOWN_NAME,
                setting.value.span,
                tr("`{option}` cannot be `{text}`", option=option.name, text=text),
                hint=hint,
            )
            return pr.TestStep("option")
        return pr.TestStep("option", numbers=(option.choices.index(text),), index=found)
