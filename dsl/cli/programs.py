"""From what a user names to a program, or to the reasons why there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dsl.catalogue import tr
from dsl.cli.completing import complete_file, complete_option
from dsl.cli.languages import LanguageCode, check_language, speaking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dsl.ir.program import Program
    from dsl.library import Build
    from dsl.linker.modules import Modules

F = TypeVar("F", bound=Callable[..., Any])
FINDINGS, USAGE = 1, 2
MOST_GAMES, MOST_JOBS = 1_000_000_000, 256


def bounded(low: int, high: int) -> Callable[[click.Context, click.Parameter, int | None], int | None]:
    """What tells of a number beyond bounds so far off that the help need not list them."""

    def checked(ctx: click.Context, param: click.Parameter, value: int | None) -> int | None:
        if value is not None and not low <= value <= high:
            raise click.BadParameter(
                tr("{value} is not in the range {low} to {high}.", value=value, low=low, high=high),
                ctx,
                param,
            )
        return value

    return checked


class Games(click.ParamType[int]):
    """How many games: `--play N`. A path in that place gets the order of the two told."""

    name = "integer"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(str(value))
        except ValueError:
            named = str(value)
            given = ctx is not None and any(named == each for each in ctx.params.get("paths") or ())
            hint = (
                ""
                if given
                else tr(
                    ": scenarii {info_name} {named} --play 20",
                    info_name=ctx.info_name if ctx else "",
                    named=named,
                )
            )
            self.fail(f"{named!r} is not a number of games; the number stands behind it{hint}", param, ctx)


SELECT_MODS = click.option(
    "--with",
    "mods",
    metavar="MOD",
    multiple=True,
    help="Put this mod on top; several in order.",
    shell_complete=complete_file,
)

SELECT_OPTIONS = click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="Choose a ruling or option; several.",
    shell_complete=complete_option,
)


def select_language(explanation: str) -> Callable[[F], F]:
    """`--lang`, with what its help says of it."""
    return click.option(
        "--lang",
        "language",
        metavar="LANG",
        type=LanguageCode(),
        callback=speaking,
        help=explanation,
    )


SELECT_LANGUAGE = select_language(
    "Labels and messages in a language, such as fr, de, pt-BR (the game's own)."
)


def select_seed(explanation: str) -> Callable[[F], F]:
    """`--seed`: where chance begins, 0 where nothing is said."""
    return click.option(
        "--seed",
        metavar="N",
        type=int,
        callback=bounded(0, 2**62),
        default=0,
        show_default=True,
        help=explanation,
    )


SELECT_SEED = select_seed("The seed of the first; the others follow it.")

FEWEST_STEPS, MOST_STEPS = 1_000, 1_000_000_000

SELECT_STEPS = click.option(
    "--steps",
    metavar="N",
    type=int,
    callback=bounded(FEWEST_STEPS, MOST_STEPS),
    help="How many steps the rules may take between two decisions.  [default: by the game's size]",
)


def select_form(*forms: str) -> Callable[[F], F]:
    """`--format`: as a text for people, or in one of some other forms for tools."""
    return click.option(
        "--format", "form", type=click.Choice(["text", *forms]), default="text", show_default=True
    )


SELECT_FORM = select_form("json")


def select_games(default: int, explanation: str, *, least: int = 0) -> Callable[[F], F]:
    """`--games`: how many random games."""
    return click.option(
        "--games",
        metavar="N",
        type=int,
        callback=bounded(least, MOST_GAMES),
        default=default,
        show_default=True,
        help=explanation,
    )


def select_jobs(explanation: str, default: int | None = None) -> Callable[[F], F]:
    """`--jobs`: how many processes; without a number of its own as many as there are processors."""
    processors = "" if default is not None else "  [default: as many as there are processors]"
    kind = click.IntRange(1, MOST_JOBS)
    shown = default is not None
    return click.option(
        "--jobs", metavar="N", type=kind, default=default, show_default=shown, help=explanation + processors
    )


def program_of(ctx: click.Context, target: str, mods: Sequence[str] = (), *, tests: bool = False) -> Program:
    """The program of a game; where there is none, says why and ends the command."""
    made = build_of(target, mods, tests=tests)
    program = made.program
    if program is None:
        refuse(ctx, made)
    assert program is not None
    check_language(program, ctx.params.get("language"))
    return program


def build_of(target: str, mods: Sequence[str] = (), *, tests: bool = False, findings: bool = False) -> Build:
    """What compiling a game gave, from the cache where it can be; games and mods may be packed. Whoever asks for the
    `findings` may never ask for the program (`dsl.library.build`).
    """
    from dsl.cache import Cache
    from dsl.cli.packed import unpacked
    from dsl.library import build

    files = [unpacked(each) for each in mods]
    made = build(unpacked(target), files, tests=tests, cache=Cache.open(os.environ), findings=findings)
    made.target, made.mods = target, tuple(mods)
    return made


def trees_of(target: str, mods: Sequence[str] = ()) -> Modules:
    """The trees of a game that compiles, with its tests; kept ones where they can be."""
    from dsl.cache import Cache
    from dsl.cli.packed import unpacked
    from dsl.library import read_modules

    return read_modules(unpacked(target), [unpacked(each) for each in mods], cache=Cache.open(os.environ))


def chosen_options(options: Sequence[str]) -> dict[str, str | int]:
    """What `--option NAME=VALUE`, given several times, chooses."""
    chosen: dict[str, str | int] = {}
    for each in options:
        name, sign, value = each.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(tr("write --option NAME=VALUE, not `{each}`.", each=each))
        chosen[name.strip()] = value.strip()
    return chosen


def refuse(ctx: click.Context, made: Build) -> None:
    """Says on standard error why there is no program, and ends the command."""
    tell_faults(made)
    ctx.exit(FINDINGS if made.found else USAGE)


def tell_faults(made: Build) -> None:
    """Says on standard error what is wrong with a game."""
    from dsl.cli.mending import remedy
    from dsl.cli.style import coloured
    from dsl.diagnostics.render import render_all

    colour, names = coloured(sys.stderr), [made.target]
    told = render_all(
        made.diagnostics, color=colour, remedy=remedy(made.diagnostics, names, names, made.mods)
    )
    click.echo(told, nl=False, err=True, color=colour)


def show_progress(done: int, total: int, what: str = "clauses") -> None:
    """How far something long is, on a terminal, in a line that is overwritten and at last removed."""
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {total} {what}", nl=False, err=True)
        if done == total:
            clear_progress()


def clear_progress() -> None:
    """Removes the line that tells how far something is, on a terminal."""
    if sys.stderr.isatty():
        click.echo("\r\033[K", nl=False, err=True)


def show_games(done: int, total: int) -> None:
    """The same, of games that are played."""
    show_progress(done, total, "games")
