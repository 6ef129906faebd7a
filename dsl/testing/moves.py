"""Which option a move of a test means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from dsl.engine.decision import Decision, Option
from dsl.engine.game import Game
from dsl.engine.kinds import kind_of
from dsl.engine.layout import Plain
from dsl.ir import nodes as ir
from dsl.ir.program import Program, TestStep
from dsl.ir.types import NONE, Id
from dsl.testing import failure_text as told
from dsl.testing.results import Unmet


def chosen(game: Game, step: TestStep) -> Option:
    """The option of the pending decision that a move takes."""
    decision = _asked(game, step)
    program = game.machine.program
    found = [option for option in decision.options if _matches(game, step, option)]
    if len(found) == 1 or (found and _by_kind(program, step, found[0])):
        return found[0]
    if found:
        names = ", ".join(told.option_name(option) for option in found)
        raise Unmet(f"{_named(step)} may be any of: {names}")
    raise Unmet(f"{_named(step)} is not offered{_refused(game, step)}; {told.options_of(decision)}")


def not_offered(game: Game, step: TestStep) -> None:
    """A move that is expected to be no option of the pending decision."""
    decision = _asked(game, step)
    if any(_matches(game, step, option) for option in decision.options):
        raise Unmet(f"{_named(step)} is offered; {told.options_of(decision)}")


def _asked(game: Game, step: TestStep) -> Decision:
    """The pending decision, which is to be that of the player who moves."""
    decision = game.decision
    program = game.machine.program
    if decision is None:
        why = "the game has ended" if game.outcome is not None else "nothing is being asked"
        raise Unmet(f"{_named(step)} cannot be chosen: {why}")
    if step.player is not None:
        player = game.evaluate(step.player)
        if player != decision.player:
            mover = told.player_name(program, player) if isinstance(player, int) else "somebody else"
            raise Unmet(f"{mover} is not the one who chooses: {told.options_of(decision)}")
    return decision


def _named(step: TestStep) -> str:
    match step.kind:
        case "do" | "take":
            return step.text
        case "label":
            return f'"{step.text}"'
        case kind:
            return f"`{kind}`"


def _matches(game: Game, step: TestStep, option: Option) -> bool:
    if step.kind == "label":
        return step.text in _names(option)
    if step.kind != option.kind:
        return False
    if step.kind == "do":
        return option.declared.action == step.action and _same(game, step.args, option)
    return step.kind != "take" or (len(step.args) == 1 and _same(game, step.args, option))


def _same(game: Game, written: tuple[ir.Expr, ...], option: Option) -> bool:
    """Do the arguments in the test mean those of the option?"""
    offered = option.declared.args
    if len(written) != len(offered) or option.fails:
        return False
    program = game.machine.program
    pairs = zip(written, offered, option.args, strict=True)
    state = option.decision.state
    return all(_equal(program, state, one, game.evaluate(one), two, value) for one, two, value in pairs)


def _equal(
    program: Program, state: list[int], written: ir.Expr, value: Plain, offered: ir.Expr, other: Plain
) -> bool:
    """Members of different types are the same where they have the same name, as in a union and its parts."""
    one, two = written.type, offered.type
    if isinstance(one, Id) and isinstance(two, Id) and one.domain != two.domain:
        if not isinstance(value, int) or not isinstance(other, int) or NONE in (value, other):
            return value == other
        kinds = _kinds(program, state, one, two)
        if kinds is not None:
            return kinds[other] == value
        return program.domains[one.domain].members[value] == program.domains[two.domain].members[other]
    return value == other


def _kinds(program: Program, state: list[int], one: Id, two: Id) -> tuple[object, ...] | None:
    """The kind of each piece of a domain (or of a union's members), where the other domain is that of its kinds."""
    parts = program.domains[two.domain].parts
    if parts:
        inner = [_kinds(program, state, one, Id(part)) for part in parts]
        sizes = [len(program.domains[part].members) for part in parts]
        found = [kinds or (None,) * size for kinds, size in zip(inner, sizes, strict=True)]
        return tuple(kind for kinds in found for kind in kinds) if any(inner) else None
    for pool in program.pools:
        if pool.domain != two.domain:
            continue
        rows = [
            kind_of(program, state, pool, each) for each in range(len(program.domains[pool.domain].members))
        ]
        found = [row for row in rows if row is not None and row[0] == one.domain]
        if rows and len(found) == len(rows):
            return tuple(kind for _, kind in found)
    return None


def _by_kind(program: Program, step: TestStep, option: Option) -> bool:
    """Does a move name a kind where a piece is offered? Then it means the first of several."""
    types = [(one.type, two.type) for one, two in zip(step.args, option.declared.args, strict=False)]
    return any(
        isinstance(one, Id)
        and isinstance(two, Id)
        and _kinds(program, option.decision.state, one, two) is not None
        for one, two in types
    )


def _names(option: Option) -> set[str]:
    """What an option can be called: its label in each language, or the name of what is taken."""
    program = option.decision.machine.program
    names = {option.label(language) for language in _languages(option.decision, option.declared.label)}
    if option.kind == "take":
        names |= {
            program.domains[each.type.domain].members[value]
            for each, value in zip(option.declared.args, option.args, strict=False)
            if isinstance(each.type, Id) and isinstance(value, int) and value != NONE
        }
    return names


def _languages(decision: Decision, label: int) -> Iterable[str]:
    return dict.fromkeys(("", *(language for language, _ in decision.machine.program.texts[label].texts)))


def _refused(game: Game, step: TestStep) -> str:
    """The clauses that refuse an action, where that is why it is not offered."""
    if step.kind != "do" or step.action is None:
        return ""
    for args in _meant(game, step):
        if found := game.refusals(step.action, args):
            return f", refused by {told.refusals_of(game.machine.program, found)}"
    return ""


def _meant(game: Game, step: TestStep) -> Iterator[list[Plain]]:
    """The arguments of a move; where it names a kind, each piece of that kind that something is offered for."""
    assert step.action is not None
    program, values = game.machine.program, list[list[Plain]]()
    offered = {
        (expr.type, value)
        for option in game.decision or ()
        for expr, value in zip(option.declared.args, option.args, strict=False)
    }
    for arg, param in zip(step.args, program.actions[step.action].params, strict=False):
        value = game.evaluate(arg)
        if not isinstance(arg.type, Id) or not isinstance(param, Id) or arg.type.domain == param.domain:
            values.append([value])
            continue
        kinds = _kinds(program, list(game.state), arg.type, param)
        pieces = [piece for piece, kind in enumerate(kinds or ()) if kind == value]
        values.append([each for each in pieces if (param, each) in offered])
    yield from map(list, product(*values))
