"""What a failed line of a test says: the sides of a comparison, the options, the clauses that refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from dsl.engine.bits import bits
from dsl.engine.decision import Decision, Option
from dsl.engine.display import fraction, shown
from dsl.engine.explain import Refusal
from dsl.engine.failure import RuleFailure
from dsl.engine.game import Game
from dsl.engine.kinds import kind_of
from dsl.engine.layout import Plain, read
from dsl.ir import nodes as ir
from dsl.ir.operators import OPERATORS
from dsl.ir.program import FRAME_HEAD, TOP, Program, Shown, TestStep
from dsl.ir.types import NONE, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.walk import parts

SIGNS = {name: OPERATORS[name].sign for name in ("eq", "ne", "lt", "le", "gt", "ge")}
PLACES = frozenset({"at", "in"})
"""The fields that say where a piece is, which may be asked of one that is nowhere."""
MOST_OPTIONS = 20
MOST_NAMED = 3
MOST_SHOWN = 6
LONGEST = 160
"""Characters of a value that are shown."""


def unmet(game: Game, step: TestStep) -> str:
    """Why what a test expects is not so: which conditions that `and` joins fail, and the values that they read."""
    if not step.parts:
        return cause(game, step.args[0], step.made)
    failing, holding = list[str](), list[str]()
    for part in step.parts:
        try:
            holds = game.evaluate(part.value)
        except RuleFailure as failure:
            failing.append(f"`{part.text}` cannot be read ({failure.code}: {failure.message})")
            continue
        if holds:
            holding.append(f"`{part.text}`")
            continue
        why = cause(game, part.value, [each for each in step.made if each.text in part.text])
        failing.append(f"`{part.text}` is not so{' (' + why + ')' if why else ''}")
    rest = f"; {' and '.join(holding)} {'is' if len(holding) == 1 else 'are'} so" if holding else ""
    return "; ".join(failing) + rest


def cause(game: Game, condition: ir.Expr, made: Sequence[Shown] = ()) -> str:
    """Why a condition is not so: what refuses something that was to be legal, which elements fail where all were to do,
    and what was compared.
    """
    match condition:
        case ir.Judge(action=action, args=args):
            with suppress(RuleFailure):
                found = game.refusals(action, [game.evaluate(each) for each in args])
                return f"refused by {refusals_of(game.machine.program, found)}" if found else ""
        case ir.Op(op="not", args=(ir.Fold(kind="any") as fold,)) | (ir.Fold(kind="every") as fold):
            return _those(game, fold)
        case (
            ir.Op(args=(ir.Op(op="reason"), _))
            | ir.Op(op="or", args=(ir.Op(args=(ir.Op(op="reason"), _)), _))
        ):
            return _how_it_ended(game)
        case ir.Op(op=op, args=(left, right)) if op in SIGNS and not made:
            return _sides(game, left, right, SIGNS[op])
        case ir.Trial(condition=ir.Op(op=op, args=(left, right))) if op in SIGNS:
            one, two = (replace(condition, type=each.type, condition=each) for each in (left, right))
            said = _sides(game, one, two, SIGNS[op])
            return f"then {said}" if said else ""
        case _:
            pass
    program, found_values = game.machine.program, list[str]()
    for each in made[:MOST_SHOWN]:
        with suppress(RuleFailure):
            held = game.evaluate(each.value)
            value = placed(program, game.state, each.value.type, held)
            if each.denominator > 1 and isinstance(held, int) and held != NONE:
                value = fraction(held, each.denominator)
            if value != each.text:
                found_values.append(
                    f"{each.text} is {value if len(value) <= LONGEST else value[:LONGEST] + '…'}"
                )
    return ", ".join(found_values)


def _how_it_ended(game: Game) -> str:
    """Whether the game has ended, and by what."""
    found = game.outcome
    if found is None:
        return "the game goes on"
    if found.kind == "bound":
        return "the rounds are over, and no ending held"
    return f'it ended with "{found.label}"' if found.label else "another ending held"


def _sides(game: Game, left: ir.Expr, right: ir.Expr, sign: str) -> str:
    """The sides of a comparison of which the words are not known."""
    try:
        one, two = game.evaluate(left), game.evaluate(right)
    except RuleFailure:
        return ""
    program = game.machine.program
    found, wanted = named(program, left.type, one), named(program, right.type, two)
    return f"it is {found}, and was to be: {sign} {wanted}"


def taken_at_once(decisions: Iterable[Decision]) -> str:
    """Options that nobody was asked for as there was no other, behind a message of a move that does not fit."""
    names = [f"{each.player_name}: {option_name(each.options[0])}" for each in decisions]
    if not names:
        return ""
    many = "was" if len(names) == 1 else "were"
    return (
        f"; {', '.join(names)} {many} taken at once: nothing else was on offer "
        "(with the line `ask every choice` the test is asked)"
    )


def acting(program: Program, state: Sequence[int]) -> int | None:
    """Who does the innermost action that is under way and is somebody's; none where none is."""
    frame = state[TOP] if state else -1
    while frame >= 0:
        routine = program.routines[state[frame]]
        for action in program.actions:
            if action.routine == state[frame] and action.by is not None and action.by < routine.params:
                return state[frame + FRAME_HEAD + routine.offsets[action.by]]
        frame = state[frame + 2]
    return None


def gone(program: Program, state: Sequence[int], kind: Type, value: Plain) -> str:
    """A piece that is not in play, by its name; empty where it is, or is no piece."""
    pool = next((each for each in program.pools if isinstance(kind, Id) and each.domain == kind.domain), None)
    if pool is None or not isinstance(value, int) or value < 0:
        return ""
    var = program.vars[pool.in_play]
    if var.of is not None:
        here = bool(state[var.offset + value * var.width])
    else:
        mask = read(program, list(state), var.offset, var.type)
        here = isinstance(mask, int) and bool(mask >> value & 1)
    return "" if here else f"`{program.domains[pool.domain].members[value]}`"


def read_of_gone(game: Game, condition: ir.Expr) -> Iterator[tuple[str, str]]:
    """The pieces that are not in play of which a condition reads a field, by name, with the field.

    A piece that leaves play is as new, so that what is expected of its fields may hold by accident. Where it is may
    be asked: it is nowhere. What is not always evaluated (behind `or`, in a phrase) is left alone.
    """
    program = game.machine.program
    match condition:
        case ir.Load(var=var, owner=owner) | ir.LoadItem(var=var, owner=owner) if owner is not None:
            field = program.vars[var]
            lives = {
                index for each in program.pools for index in (each.in_play, each.out, each.pile, each.order)
            }
            if field.name not in PLACES and var not in lives:
                with suppress(RuleFailure):
                    name = gone(program, game.state, owner.type, game.evaluate(owner))
                    if name:
                        yield name, field.name
        case (
            ir.Op(op="or" | "if" | "else_")
            | ir.LetIn()
            | ir.Fold()
            | ir.Scan()
            | ir.Ask()
            | ir.Judge()
            | ir.Trial()
        ):
            return
        case _:
            pass
    for part in parts(condition):
        yield from read_of_gone(game, part)


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
    if (row := kind_of(program, state, pool, value)) is not None:
        name = program.domains[row[0]].members[row[1]]
    at = next((each for each in program.vars if each.of == pool.domain and each.name == "at"), None)
    if at is None:
        return name
    place = read(program, list(state), at.offset + value * at.width, at.type)
    return name if place == NONE else f"{name} at {named(program, at.type, place)}"


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
        case ListOf(), ():
            return "empty"
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
    """The clauses that refuse, each with its handles, its reason in quotes or its line, and its place."""
    told = []
    for each in found:
        clause = program.clauses[each.clause]
        handles = handles_of(program, each.clause)
        cited = listed(handles) + " " if handles else ""
        words = f'"{each.reason}"' if each.reason else " ".join(clause.text.split())
        told.append(f"{cited}{words} ({clause.place.file}:{clause.place.line})")
    return "; ".join(told)


def handles_of(program: Program, clause: int) -> tuple[str, ...]:
    """The ids and families of a clause."""
    found = program.clauses[clause]
    return (*found.ids, *found.families)


def listed(names: Iterable[str]) -> str:
    """Handles in brackets."""
    return f"[{', '.join(names)}]"
