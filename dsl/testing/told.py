"""What a failed line of a test says: the sides of a comparison, the options, the clauses that refuse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.engine.bits import bits
from dsl.engine.decision import Decision, Option
from dsl.engine.display import shown
from dsl.engine.explain import Refusal
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.layout import Plain, read
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type

MOST_OPTIONS = 20
MOST_NAMED = 3
SIGNS = {"eq": "is", "ne": "is not", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def unmet(game: Game, condition: ir.Expr) -> str:
    """Why a condition does not hold: of several the first that fails, with the values that it compares."""
    match condition:
        case ir.Op(op="and", args=parts):
            for part in parts:
                if not game.evaluate(part):
                    return unmet(game, part)
            return ""
        case ir.Op(op="not", args=(ir.Op(op=op, args=(left, right)),)) if op in SIGNS:
            return _sides(game, left, right, f"not {SIGNS[op]}")
        case ir.Op(op=op, args=(left, right)) if op in SIGNS:
            return _sides(game, left, right, SIGNS[op])
        case ir.Op(op="not", args=(ir.Fold(kind="any") as fold,)) | (ir.Fold(kind="every") as fold):
            return _those(game, fold)
        case _:
            return ""


def _those(game: Game, fold: ir.Fold) -> str:
    """The first elements for which a phrase does not hold: that are there and should not be, or fail the test."""
    domain = game.evaluate(fold.domain)
    if not isinstance(fold.domain.type, SetOf) or not isinstance(domain, int):
        return ""
    of, low = fold.domain.type.of, fold.domain.type.of.low if isinstance(fold.domain.type.of, Int) else 0
    found: list[str] = []
    for element in bits(domain):
        given = {fold.index: element + low}
        try:
            there = fold.where is None or game.evaluate(fold.where, given)
            met = there and (fold.body is None or game.evaluate(fold.body, given))
        except RuleFailure:
            return ""
        if there and bool(met) is (fold.kind == "any"):
            found.append(placed(game.machine.program, game.state, of, element + low))
    more = ", …" if len(found) > MOST_NAMED else ""
    return f"not so for {', '.join(found[:MOST_NAMED])}{more}" if found else ""


def placed(program: Program, state: Sequence[int], kind: Type, value: Plain) -> str:
    """A value as an author writes it; a piece by its kind, and where it stands."""
    pool = next((each for each in program.pools if isinstance(kind, Id) and each.domain == kind.domain), None)
    if pool is None or not isinstance(value, int) or value < 0:
        return named(program, kind, value)
    name = pool.name
    if pool.kinds is not None:
        data = program.data[pool.kinds]
        number = data.values[value]
        assert isinstance(data.type, Id)
        assert isinstance(number, int)
        name = program.domains[data.type.domain].members[number]
    at = next((each for each in program.vars if each.of == pool.domain and each.name == "at"), None)
    if at is None:
        return name
    place = read(program, list(state), at.offset + value * at.width, at.type)
    return name if place == NONE else f"{name} at {named(program, at.type, place)}"


def _sides(game: Game, left: ir.Expr, right: ir.Expr, sign: str) -> str:
    try:
        one, two = game.evaluate(left), game.evaluate(right)
    except RuleFailure:
        return ""
    program = game.machine.program
    found, wanted = named(program, left.type, one), named(program, right.type, two)
    return f"it is {found}, and was to be: {sign} {wanted}"


def named(program: Program, kind: Type, value: Plain) -> str:
    """A value as an author writes it: members by their names in the source."""
    match kind, value:
        case Id(), int():
            return "none" if value == NONE else program.domains[kind.domain].members[value]
        case Int(), int():
            return "none" if value == NONE else str(bool(value)).lower() if kind.truth else str(value)
        case BagOf(), tuple():
            members = program.domains[kind.domain].members
            counts = [f"{n} {members[member]}" for member, n in enumerate(value) if n]
            return "{" + ", ".join(counts) + "}" if counts else "empty"
        case ListOf(), tuple():
            return "[" + ", ".join(named(program, kind.of, each) for each in value) + "]"
        case Record(), tuple():
            fields = zip(kind.types, value, strict=True)
            return "(" + ", ".join(named(program, each, part) for each, part in fields) + ")"
        case SetOf(of=Id(domain=domain)), int():
            members = program.domains[domain].members
            found = [name for member, name in enumerate(members) if value >> member & 1]
            return "{" + ", ".join(found) + "}" if found else "empty"
        case _:
            return shown(program, kind, value)


def player_name(program: Program, player: int) -> str:
    """A player by his name in the source."""
    members = program.domains[program.players].members
    return members[player] if 0 <= player < len(members) else "nobody"


def option_name(option: Option) -> str:
    """An option as a test would write it, and its label."""
    label, name = option.label(), written(option)
    return name if label in {"", name} else f'{name} "{label}"'


def written(option: Option) -> str:
    """An option as a test would write it, without who chooses."""
    program = option.decision.machine.program
    kinds = [each.type for each in option.declared.args]
    args = [named(program, kind, value) for kind, value in zip(kinds, option.args, strict=False)]
    match option.kind:
        case "do":
            declared = option.declared.action
            assert declared is not None
            action = program.actions[declared]
            shown_args = [arg for n, arg in enumerate(args) if n != action.by]
            return f"{action.name}({', '.join(shown_args)})" if shown_args else action.name
        case "take":
            return ", ".join(args)
        case kind:
            return kind


def options_of(decision: Decision) -> str:
    """What can be chosen, and by whom."""
    program = decision.machine.program
    names = [option_name(option) for option in decision.options[:MOST_OPTIONS]]
    more = len(decision.options) - len(names)
    rest = f", and {more} more" if more > 0 else ""
    return f"{player_name(program, decision.player)} chooses among: {', '.join(names)}{rest}"


def refusals_of(program: Program, found: Sequence[Refusal]) -> str:
    """The clauses that refuse, each with its handles, its reason or its words."""
    told = []
    for each in found:
        clause = program.clauses[each.clause]
        handles = handles_of(program, each.clause)
        told.append(f"{listed(handles) + ' ' if handles else ''}{each.reason or clause.text}")
    return "; ".join(told)


def handles_of(program: Program, clause: int) -> tuple[str, ...]:
    """The ids and families of a clause."""
    found = program.clauses[clause]
    return (*found.ids, *found.families)


def listed(names: Iterable[str]) -> str:
    """Handles in brackets."""
    return f"[{', '.join(names)}]"
