"""All that the terminal tells a player where a game stands: what he reads at the prompt, and what each command tells.

What is typed follows from the rules and from what he sees alone, so that it is the same in worlds that he cannot tell
apart. Where somebody else is asked he sees what `--until` shows him.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from contextlib import suppress

from rich.console import Console

from dsl.cli.looking import show_asked, show_board
from dsl.cli.person import Person, Quit
from dsl.cli.story import Teller
from dsl.cli.table import Table
from dsl.engine.decision import Decision
from dsl.engine.display import member_name
from dsl.engine.game import Game
from dsl.engine.layout import bounds
from dsl.ir.program import Action, Program
from dsl.ir.types import Id, Int, Type
from dsl.players.seats import HUMAN, RANDOM

ASKED = 2
"""Questions of `why not` about each action."""
MOST_ACTIONS = 4
WIDTH = 100


def read(game: Game, viewer: int) -> dict[str, str]:
    """For each thing that is typed what a player reads."""
    decision = game.decision
    if decision is None or decision.player != viewer:
        return {"looking on": _looking_on(game, decision, viewer)}
    return {typed: _answered(game, decision, viewer, typed) for typed in commands(game, decision, viewer)}


def commands(game: Game, decision: Decision, viewer: int) -> Iterator[str]:
    """What is typed, `undo` last: it sets the game back."""
    yield from ("", "state", "map", "log", "why", "why not", "a", "99999")
    program, chance = game.machine.program, random.Random(len(decision.raw))
    yield from (f"why not {option.label()}" for option in decision.options[:ASKED])
    actions = [each for each in program.actions if each.by is not None]
    for action in chance.sample(actions, min(len(actions), MOST_ACTIONS)):
        yield f"why not {action.name}"
        for _ in range(ASKED if len(action.params) > 1 else 1):
            yield f"why not {action.name}({', '.join(_arguments(program, action, chance))})"
    yield "undo"


def _arguments(program: Program, action: Action, chance: random.Random) -> Iterator[str]:
    for number, kind in enumerate(action.params):
        if number != action.by:
            yield _argument(program, kind, chance)


def _argument(program: Program, kind: Type, chance: random.Random) -> str:
    """Something of a type as a person types it: a member by its name, a piece rather by its kind, and place."""
    match kind:
        case Id(domain=domain):
            member = chance.randrange(len(program.domains[domain].members))
            name = program.domains[domain].members[member]
            pool = next((each for each in program.pools if each.domain == domain), None)
            if pool is None or chance.random() < 0.3:
                return name
            if pool.kinds is not None:
                data = program.data[pool.kinds]
                assert isinstance(data.type, Id)
                value = data.values[member]
                assert isinstance(value, int)
                name = member_name(program, data.type.domain, value, "")
            if pool.kind is not None:
                kinds = program.vars[pool.kind].type
                assert isinstance(kinds, Id)
                row = chance.randrange(len(program.domains[kinds.domain].members))
                name = member_name(program, kinds.domain, row, "")
            places = [
                var.type.domain
                for var in program.vars
                if var.of == domain and var.name == "at" and isinstance(var.type, Id)
            ]
            if not places or chance.random() < 0.5:
                return name
            return f"{name} at {chance.choice(program.domains[places[0]].members)}"
        case Int():
            return str(chance.randint(*bounds(program, kind)))
        case _:
            return "none"


def _console() -> tuple[io.StringIO, Console]:
    out = io.StringIO()
    return out, Console(file=out, width=WIDTH, no_color=True, highlight=False, markup=False)


def _looking_on(game: Game, decision: Decision | None, viewer: int) -> str:
    out, console = _console()
    show_board(console, game.machine, list(game.state), viewer, "", whole=True)
    if decision is not None:
        show_asked(console, decision, "", options=False)
    return out.getvalue()


def _answered(game: Game, decision: Decision, viewer: int, typed: str) -> str:
    """What stands on the screen once something has been typed, and nothing more."""
    out, console = _console()
    machine, count = game.machine, len(game.machine.program.domains[0].members)
    # the random player has nothing to be asked for
    seats = tuple(HUMAN if number == viewer else RANDOM for number in range(count))
    table = Table(
        machine,
        game.clone(),
        target="",
        mods=(),
        seed=0,
        options={},
        seats=seats,
        teller=Teller(machine, "", viewer),
    )
    table.opening()
    left = [typed]

    def asked(prompt: str) -> str:
        out.write(prompt)
        if not left:
            raise EOFError
        return left.pop()

    with suppress(Quit):
        Person(table, console, None, asked).choose(decision)
    return out.getvalue()
