"""A saved game as a test in the language.

Where the game stands at the first decision of an action or phase that can be run by itself, the test gives the state
and runs that. Elsewhere, in the middle of something, no `given` says how far it has come: the test then plays the game
from its beginning, with the same chance and the same choices. Either is run, and must lead to the state of the save.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from dsl.catalogue import tr
from dsl.engine import layout
from dsl.engine.decision import Decision, Option
from dsl.engine.game import Game
from dsl.engine.layout import Plain
from dsl.engine.machine import Choice, Machine
from dsl.format.layout import formatted
from dsl.ir.program import FRAME_HEAD, TOP, Pool, Program, Test
from dsl.ir.types import Id, ListOf, Type
from dsl.source import Source
from dsl.testing.failure_text import named, placed, player_name, written
from dsl.testing.recorded_chance import HeardGame
from dsl.testing.runner import Playing
from dsl.testing.situation import Unwritable, element, given_lines
from dsl.testing.states import Fields

INDENT = "    "
MOST_EXPECTED = 12
LONGEST = 100
"""Characters of a line of moves."""
Compile = Callable[[str], "tuple[Machine, Test] | str"]
"""Compiles the game with a test in it; or says why it cannot."""


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a test, how it makes the state (`given` or `played`), and why it is not given, where it is not."""

    text: str
    form: str
    reason: str = ""


class Untestable(Exception):
    """A save that no test leads to; the message says why."""


def test_of(
    machine: Machine,
    title: str,
    seed: int,
    options: Mapping[str, str | int],
    choices: Sequence[Choice],
    compiled: Compile,
) -> Written:
    """The test of a save. Raises `Untestable`."""
    game = HeardGame.start(machine, seed=seed, options=options)
    assert isinstance(game, HeardGame)
    played = list(_played(game, choices))
    settings = [
        f"option {name} = {_setting(machine.program, name, value)}" for name, value in options.items()
    ]
    expected = list(_expected(game))
    reason = tr("the game is over")
    if game.decision is not None:
        try:
            fresh = Game.fresh(machine, options=options)
            given = given_lines(machine, list(fresh.state), list(game.state))
        except Unwritable as error:
            reason = error.args[0]
        else:
            begin = [*settings, "given:", *(INDENT + each for each in given or ["nothing"])]
            for run in _runs(game):
                text = _text(title, list(lean([*begin, run, *expected])))
                if not leads_to(compiled, text, game):
                    return Written(text, "given")
            reason = tr("it stands in the middle of what no single `run` begins")
    fault = ""
    for plain in (False, True):
        again = HeardGame.start(machine, seed=seed, options=options)
        assert isinstance(again, HeardGame)
        lines = list(_played(again, choices, plain=plain)) if plain else played
        begins = next((number for number, line in enumerate(lines) if _mover(line)[0]), len(lines))
        cards = _cards(machine.program, lines)
        text = _text(title, [*settings, *lines[:begins], *cards, *joined(lines[begins:]), *expected])
        found = leads_to(compiled, text, game)
        if not found:
            return Written(text, "played", reason)
        fault = fault or found
    raise Untestable(fault)


def lean(lines: Sequence[str]) -> Iterator[str]:
    """Lines without the names of pieces that no other line uses."""
    used = Counter(word for line in lines for word in set(re.findall(r"\w+", line)))
    for line in lines:
        what, named_as, name = line.rpartition(" as ")
        yield what if named_as and what.lstrip().startswith("place ") and used[name] == 1 else line


def _text(title: str, lines: Sequence[str]) -> str:
    quoted = title.replace('"', "'")
    text = "\n".join([f'test "{quoted}":', *(INDENT + each for each in lines)]) + "\n"
    laid = formatted(Source("test.scn", text))
    return laid if isinstance(laid, str) else text


def leads_to(compiled: Compile, text: str, game: Game) -> str:
    """Why a test does not lead to where a game stands; empty where it does."""
    found = compiled(text)
    if isinstance(found, str):
        return found
    machine, test = found
    playing = Playing(machine, test)
    if message := playing.through():
        return message
    different = next(
        Fields(game.machine.program, machine.program).differing(game.state, playing.game.state), ""
    )
    if different:
        return tr("it leads to another state: {different}", different=different)
    return "" if _asked(playing.game) == _asked(game) else tr("it leads to another decision")


def _asked(game: Game) -> list[str]:
    decision = game.decision
    return [] if decision is None else [decision.player_name, *(written(each) for each in decision.options)]


# ---------------------------------------------------------------- played from the start


def _played(game: HeardGame, choices: Sequence[Choice], *, plain: bool = False) -> Iterator[str]:
    """The lines that play a game as it was played: what chance gives stands before the choice that asks for it; `plain`
    with the labels of what is done with pieces, rather than with their kinds, and with numbers for what is picked.
    """
    yield from _scripted(game, plain=plain)
    for number, choice in enumerate(choices, 1):
        decision = game.decision
        if decision is None or choice not in decision.raw:
            raise Untestable(tr("choice {number} of the save is not among the options there", number=number))
        option = decision.options[decision.raw.index(choice)]
        line = f"{decision.player_name}: {_move(decision, option, plain=plain)}"
        game.choose(option)
        yield from _scripted(game, plain=plain)
        yield line


def _cards(program: Program, lines: Sequence[str]) -> Iterator[str]:
    """A name for each card that a move names though its kind does not tell it from others: the first of its kind, and
    so on up to it.
    """
    words = {word for line in lines if '"' not in line for word in re.findall(r"\w+", line)}
    for pool in program.pools:
        if pool.pile is None or pool.kinds is None:
            continue
        cards = program.domains[pool.domain].members
        kinds = [named_by_kind(program, Id(pool.domain), card) for card in range(len(cards))]
        for kind in dict.fromkeys(kind for card, kind in zip(cards, kinds, strict=True) if card in words):
            alike = [card for card, each in zip(cards, kinds, strict=True) if each == kind]
            last = max(number for number, card in enumerate(alike) if card in words)
            for number, card in enumerate(alike[: last + 1]):
                others = "".join(f" and c is not {each}" for each in alike[:number])
                yield f"let {card} = first c in {pool.name} where c.kind is {kind}{others}"


def joined(lines: Sequence[str]) -> Iterator[str]:
    """Moves of one player behind each other on a line, the same ones as `N times`."""
    for (who, _), several in groupby(lines, _mover):
        moves = list(several)
        if not who:
            yield from moves
            continue
        told = [each.removeprefix(f"{who}: ") for each in moves]
        counted = [(move, len(list(group))) for move, group in groupby(told)]
        words = [move if count == 1 else f"{move} {count} times" for move, count in counted]
        line = f"{who}: {words[0]}"
        for word in words[1:]:
            if len(line) + len(word) > LONGEST:
                yield line
                line = f"{who}: {word}"
            else:
                line = f"{line}; {word}"
        yield line


def _mover(line: str) -> tuple[str, bool]:
    """Who makes a move; nobody in a line about chance."""
    who, colon, _ = line.partition(": ")
    return (who, True) if colon and who.isidentifier() else ("", False)


def _scripted(game: HeardGame, *, plain: bool) -> Iterator[str]:
    """What chance has given, in lines; `plain` with numbers for picks, rather than with names."""
    for kind, several in groupby(game.heard, lambda each: each[0]):
        given = [numbers for _, numbers in several]
        if kind == "picks":
            given = [numbers[1:] if plain else numbers[:1] for numbers in given]
        found = [", ".join(map(str, numbers)) for numbers in given]
        yield from (f"{kind} {each}" for each in (found if kind == "shuffles" else [", ".join(found)]))
    game.heard.clear()


def _move(decision: Decision, option: Option, *, plain: bool = False) -> str:
    """A choice as a test writes it: pieces by their kinds where that means the one that was chosen."""
    if option.kind in {"pass", "stop"}:
        return option.kind
    program = decision.machine.program
    pieces = [
        _piece(program, expr.type, value)
        for expr, value in zip(option.declared.args, option.args, strict=False)
    ]
    if not any(pieces):
        return written(option)
    same = [each for each in decision.options if _by_kind(each) == _by_kind(option)]
    if not plain and same[0] is option and all(each is None or each[0].kinds is not None for each in pieces):
        return _call(option, _by_kind(option)[1])
    if option.kind == "take":
        return f'"{written(option)}"'
    label = option.label()
    alike = [each for each in decision.options if each.label() == label]
    if len(alike) > 1 and all(each is None or each[0].pile is not None for each in pieces):
        return written(option)
    same = alike
    return f'"{label}"' if label and len(same) == 1 else _with_kinds(decision.machine, decision.state, option)


def _piece(program: Program, kind: Type, value: Plain) -> tuple[Pool, int] | None:
    """The piece that a value is, and its type; none where it is no piece. It may be one of several types."""
    if not isinstance(kind, Id) or not isinstance(value, int) or value < 0:
        return None
    for part in program.domains[kind.domain].parts or (kind.domain,):
        size = len(program.domains[part].members)
        if value < size:
            found = (each for each in program.pools if each.domain == part)
            return next(((pool, value) for pool in found), None)
        value -= size
    return None


def _by_kind(option: Option) -> tuple[object, tuple[str, ...]]:
    """What is done, and with what, pieces by their kinds."""
    machine = option.decision.machine
    action = machine.program.actions[option.declared.action] if option.declared.action is not None else None
    args = [
        named_by_kind(machine.program, expr.type, value)
        for n, (expr, value) in enumerate(zip(option.declared.args, option.args, strict=False))
        if action is None or n != action.by
    ]
    return (option.kind, option.declared.action), tuple(args)


def named_by_kind(program: Program, kind: Type, value: Plain) -> str:
    """A value as an author writes it; a piece by its kind."""
    piece = _piece(program, kind, value)
    if piece is None or piece[0].kinds is None:
        return named(program, kind, value)
    data = program.data[piece[0].kinds]
    number = data.values[piece[1]]
    assert isinstance(data.type, Id)
    assert isinstance(number, int)
    return program.domains[data.type.domain].members[number]


def _call(option: Option, args: Sequence[str]) -> str:
    if option.declared.action is None:
        return ", ".join(args)
    name = option.decision.machine.program.actions[option.declared.action].name
    return f"{name}({', '.join(args)})" if args else name


def _with_kinds(machine: Machine, state: list[int], option: Option) -> str:
    """A call whose pieces are named by their kinds, and where they stand."""
    program = machine.program
    action = program.actions[option.declared.action or 0]
    args = [
        placed(machine.program, state, expr.type, value)
        for n, (expr, value) in enumerate(zip(option.declared.args, option.args, strict=False))
        if n != action.by
    ]
    return f"{action.name}({', '.join(args)})" if args else action.name


# ---------------------------------------------------------------- run from a given state


def _runs(game: Game) -> Iterator[str]:
    """What could be run to come to where the game stands: what is under way, from the outermost to the innermost."""
    machine, state = game.machine, list(game.state)
    program, frames, frame = machine.program, [], state[TOP]
    while frame >= 0:
        frames.append(frame)
        frame = state[frame + 2]
    for frame in reversed(frames):
        routine = program.routines[state[frame]]
        action = next((each for each in program.actions if each.routine == state[frame]), None)
        count = routine.params
        values = [
            layout.read(program, state, frame + FRAME_HEAD + routine.offsets[n], routine.locals[n])
            for n in range(count)
        ]
        names = [placed(program, state, routine.locals[n], values[n]) for n in range(count)]
        by = names[action.by] if action is not None and action.by is not None and action.by < count else ""
        args = [each for n, each in enumerate(names) if action is None or n != action.by]
        call = f"{routine.name}({', '.join(args)})" if args else routine.name
        yield f"run {call}{f' by {by}' if by and len(program.domains[program.players].members) > 1 else ''}"


# ---------------------------------------------------------------- what is expected


def _expected(game: Game) -> Iterator[str]:
    """The game's own fields as they stand, to begin with; its author will keep what matters."""
    program, state = game.machine.program, list(game.state)
    pools = {pool.domain for pool in program.pools}
    fields = [
        var
        for var in program.vars
        if var.role == "field"
        and var.of is None
        and var.name.isidentifier()
        and element(var.type) not in pools
    ]
    fields = [var for var in fields if var.label is not None] or fields
    for var in fields[:MOST_EXPECTED]:
        value = layout.read(program, state, var.offset, var.type)
        if isinstance(var.type, ListOf) and isinstance(value, tuple):
            elements = (named(program, var.type.of, each) for each in value)
            each_one = (f"{var.name}[{place}] is {said}" for place, said in enumerate(elements, 1))
            yield f"expect {' and '.join([f'length({var.name}) is {len(value)}', *each_one])}"
            continue
        yield f"expect {var.name} is {named(program, var.type, value)}"
    if game.outcome is None and not fields:
        yield "expect not ended"
    if game.outcome is not None:
        names = [player_name(program, each) for each in game.outcome.players]
        yield from (f"expect won({name})" for name in names)
        yield "expect ended"


def _setting(program: Program, name: str, value: str | int) -> str:
    option = next(each for each in program.options if each.name == name)
    return option.choices[value] if isinstance(value, int) and option.choices else str(value)
