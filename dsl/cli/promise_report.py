"""Promises on the command line: the games that broke them, and how to see each for oneself."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from dsl.catalogue import told, tr
from dsl.cli.style import console
from dsl.diagnostics.excerpt import printable

if TYPE_CHECKING:
    from dsl.cli.story import Line
    from dsl.cli.table import Table
    from dsl.engine.machine import Machine
    from dsl.ir.program import Program, Promise
    from dsl.simulation.running import Simulation
    from dsl.simulation.tally import Tally
    from dsl.testing.promise_games import Breach, Watched
    from dsl.testing.results import TestResult

MOST_STEPS = 10


def selected_lines(program: Program, titles: tuple[str, ...], ids: frozenset[str]) -> frozenset[int]:
    """The numbers of the lines of the promises that are asked for."""
    from dsl.engine.promises import lines_of

    return frozenset(
        number
        for number, (promise, _) in enumerate(lines_of(program))
        if (not titles or any(title.casefold() in promise.title.casefold() for title in titles))
        and (not ids or ids & {*promise.ids, *promise.pins})
    )


def results_of(
    program: Program, lines: frozenset[int], played: Watched
) -> Iterator[tuple[TestResult, Breach | None]]:
    """A result for each promise with such lines, and the first game that broke it; then one for rules that failed."""
    from dsl.engine.promises import lines_of
    from dsl.testing.results import TestResult

    every = lines_of(program)
    chosen: dict[str, Promise] = {every[number][0].title: every[number][0] for number in sorted(lines)}
    for promise in chosen.values():
        of = [each for each in played.breaches if each.broken and every[each.broken.line][0] is promise]
        breach = of[0] if of else None
        place, message = promise.place, ""
        if breach is not None and breach.broken is not None:
            site = every[breach.broken.line][1].site
            place = program.sites[site].place if site >= 0 else place
            message = tr(
                "{why}\n{in_which}", why=breach.why, in_which=_in_which(breach, len(of), played.games)
            )
        title = f'always "{promise.title}"'
        yield TestResult(title, promise.ids, promise.pins, breach is None, message, place, 0.0), breach
    failed = [each for each in played.breaches if each.broken is None]
    if failed:
        place = program.promises[0].place
        message = tr(
            "{why}\n{in_which}", why=failed[0].why, in_which=_in_which(failed[0], len(failed), played.games)
        )
        yield TestResult("random games", (), (), False, message, place, 0.0), failed[0]


def _in_which(breach: Breach, count: int, games: int) -> str:
    with_ = "".join(f", {name} = {value}" for name, value in breach.options.items())
    where = f"seed {breach.seed}{with_}, decision {breach.decision}"
    return f"in {count} of {games} random games, first with {where}"


def command_to(
    breach: Breach, target: str, mods: Sequence[str], options: Mapping[str, str | int] | None = None
) -> str:
    """What plays to where a promise was broken."""
    settings = {**(options or {}), **breach.options}
    return f"{command_of(breach.seed, target, mods, settings)} --until {breach.decision}"


def command_of(
    seed: int,
    target: str,
    mods: Sequence[str],
    options: Mapping[str, str | int],
    players: Sequence[str] = (),
) -> str:
    """What plays the game of a seed: by chance, or with a kind of player on each seat."""
    words = ["scenarii", "play", target, *(word for mod in mods for word in ("--with", mod))]
    words += [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
    words += ["--players", ",".join(players)] if players else ["--auto"]
    return " ".join(map(shlex.quote, (*words, "--seed", str(seed))))


def show_breach(
    machine: Machine, breach: Breach, target: str, mods: Sequence[str], language: str | None
) -> None:
    """The last steps of a game up to where it broke a promise, the board there, and what plays to it."""
    from dsl.cli.looking import show_board
    from dsl.cli.story import show

    table = table_of(machine, breach, target, mods, language)
    lines = list(_story(table, breach.decision))
    out = console()
    out.print(f"  {told(tr('the last steps:'))}")
    if len(lines) > MOST_STEPS:
        out.print("      …")
    show(out, [line for line in lines[-MOST_STEPS:] if line.kind != "round"])
    out.print(f"  {told(tr('the board then:'))}")
    show_board(out, machine, list(table.game.state), None, language or "")
    click.echo(f"  {told(tr('to see it:'))} {printable(command_to(breach, target, mods))}")
    click.echo()


def table_of(
    machine: Machine, breach: Breach, target: str, mods: Sequence[str], language: str | None
) -> Table:
    """A table at which chance plays the game of a breach, at its beginning."""
    from dsl.cli.story import Teller
    from dsl.cli.table import Table
    from dsl.engine.game import Game
    from dsl.players.seats import RANDOM, seats_of

    game = Game.start(machine, seed=breach.seed, options=breach.options, telling=True)
    return Table(
        machine,
        game,
        target=target,
        mods=tuple(mods),
        seed=breach.seed,
        options=dict(breach.options),
        seats=seats_of(machine.program, [RANDOM]),
        teller=Teller(machine, language or ""),
    )


def _story(table: Table, until: int) -> Iterable[Line]:
    from dsl.engine.failure import RuleFailure

    found = list(table.opening())
    while (decision := table.game.decision) is not None and len(table.moves) + 1 < until:
        try:
            found += table.choose(decision, table.by_chance(decision))
        except RuleFailure:  # which is what there is to see
            break
    return found


# ---------------------------------------------------------------- simulations


def promised(program: Program, tally: Tally) -> dict[str, Any]:
    """What a simulation tells of promises, as data."""
    from dsl.engine.promises import lines_of

    lines = lines_of(program)
    return {
        "lines": len(lines),
        "stops": tally.stops,
        "broken": [
            {
                "promise": lines[number][0].title,
                "line": lines[number][1].text,
                "error": each.code or None,
                "games": each.games,
                "seed": each.seed,
                "decision": each.choices + 1,
            }
            for number, each in sorted(tally.breaches.items())
        ],
    }


def broken(program: Program, found: Simulation, asked: tuple[str, Sequence[str]]) -> Iterator[str]:
    """What a simulation tells of promises, in lines; nothing where they were not looked at."""
    from dsl.testing.promise_games import Breach

    if not found.wanted.watched:
        return
    data = promised(program, found.tally)
    promises = _count(len(program.promises), "promise")
    state = "all of them kept" if not data["broken"] else f"{_count(len(data['broken']), 'line')} broken"
    yield f"{promises} looked at {data['stops']:,} times: {state}"
    for each in data["broken"]:
        first = Breach(each["seed"], {}, each["decision"], None, "")
        why = f" ({each['error']} where it is read)" if each["error"] else ""
        yield printable(
            f'    always "{each["promise"]}": {each["line"]}{why}, in {_count(each["games"], "game")}'
        )
        yield printable(f"        {command_to(first, asked[0], asked[1], found.wanted.options)}")


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
