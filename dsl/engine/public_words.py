"""What others may read of a choice: its words, with `?` for what they may not see.

A choice is open, as far as it is not hidden by what becomes of it or by what it was made from: what is written into a
field that not everybody sees, a card that somebody sees neither where it lay nor where it goes, and what follows from
hidden fields. Choices that are made in secret (`Decide.sealed`) are another matter: nobody reads of them before the
last has been made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.engine.bits import bits
from dsl.engine.display import Called, Member, filled
from dsl.engine.kinds import calling
from dsl.engine.layout import Plain, low_of
from dsl.engine.runtime import Run
from dsl.engine.views import may_see
from dsl.engine.visibility import Sight
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, Id, ListOf, SetOf, Type
from dsl.ir.walk import locals_in

if TYPE_CHECKING:
    from dsl.engine.decision import Option
    from dsl.engine.machine import Machine


def open_label(option: Option, after: list[int], viewer: int, language: str = "") -> str:
    """What an option says to another player, who sees the state before the choice and the one `after` it."""
    decision, offer = option.decision, option.declared
    program = decision.machine.program
    values = decision.values_of(option.offer, "label", offer.label_args, option.values)
    shown: list[Plain | None] = []
    for arg, value in zip(offer.label_args, values or (), strict=False):
        shown.append(value if _may_know(option, arg, value, after, viewer) else None)
    kinds = [each.type for each in offer.label_args]
    called = _called(decision.machine, decision.state, after, viewer)
    return filled(program, offer.label, kinds, shown if values is not None else None, language, called=called)


def _called(machine: Machine, before: list[int], after: list[int], viewer: int) -> Called | None:
    """By what a player calls things who sees two states: a piece by its kind if he sees that in one of them."""
    first, second = calling(machine, before, (viewer,)), calling(machine, after, (viewer,))
    if first is None or second is None:
        return None

    def called(domain: int, member: int) -> Member:
        found = first(domain, member)
        return found if found != (domain, member) else second(domain, member)

    return called


def value_seen(state: list[int], run: Run, value: int, args: tuple[Plain, ...]) -> int:
    """The players who may see all that a value reads, asked of some things: a bit for each."""
    program = run.machine.program
    declared = program.values[value]
    given = (ir.Const(kind, arg) for kind, arg in zip(declared.params, args, strict=True))
    asked = ir.Ask(declared.result, value, tuple(given))
    players = range(len(program.domains[program.players].members))
    return sum(1 << each for each in players if Sight(run.machine, state, each, run).sees(asked, {}))


def _may_know(option: Option, arg: ir.Expr, value: Plain, after: list[int], viewer: int) -> bool:
    decision = option.decision
    machine, scope = decision.machine, ("routine", decision.where[0])
    chosen = {each.index for each in option.declared.variables}
    for local in locals_in(arg):
        if local in chosen and machine.secrecy.stored(scope, local):
            return False
        if local not in chosen and machine.secrecy.is_drawn(scope, local):
            return False
    known = dict(zip((each.index for each in option.declared.variables), option.values, strict=True))
    if not Sight(machine, decision.state, viewer).sees(arg, known):
        return False
    return all(
        any(may_see(machine, state, pile, card, viewer) for state in (decision.state, after))
        for pile, card in _cards(option, arg.type, value)
    )


def _cards(option: Option, kind: Type, value: Plain) -> list[tuple[int, int]]:
    """The cards of hidden piles among what a value names, each with the variable that says where it lies."""
    machine = option.decision.machine
    program = machine.program
    of = kind.of if isinstance(kind, SetOf | ListOf) else kind
    pool = machine.secret_pools.get(of.domain) if isinstance(of, Id) else None
    pile = program.pools[pool].pile if pool is not None else None
    if pile is None:
        return []
    match value:
        case int() if isinstance(kind, SetOf):
            return [(pile, card) for card in bits(value, low_of(program, kind))]
        case int():
            return [] if value == NONE else [(pile, value)]
        case _:
            return [(pile, card) for card in value]
