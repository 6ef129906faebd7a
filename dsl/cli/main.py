"""The command `scenarii`: its subcommands, and what becomes of errors.

Exit codes: 0 clean, 1 findings or failures, 2 wrong usage, 3 a fault of Scenarii itself, 130 stopped by Ctrl-C, 141
when whoever read the output has gone.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any

import click

from dsl.cli.check import check
from dsl.cli.compile import compile_
from dsl.cli.explain import explain
from dsl.cli.format import format_
from dsl.cli.listing import list_
from dsl.cli.new import new
from dsl.cli.play import play
from dsl.cli.replay import replay
from dsl.cli.resolve import resolve
from dsl.cli.rules import rules
from dsl.cli.show import show
from dsl.cli.test import test

FINDINGS, USAGE, INTERNAL, STOPPED, UNREAD = 1, 2, 3, 130, 141
TRACEBACK = "SCENARII_TRACEBACK"
"""The environment variable that asks for the whole story of an internal error."""


class Scenarii(click.Group):
    """The group of all commands; an error that nothing expected makes one line and exit code 3."""

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **more)
        except BrokenPipeError:
            _silence()
            sys.exit(UNREAD)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()
            return found
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo("", err=True)
            ctx.exit(STOPPED)
        except BrokenPipeError:
            _silence()
            ctx.exit(UNREAD)
        except RecursionError as error:
            _internal(ctx, error, "something is nested too deep")
        except Exception as error:
            _internal(ctx, error, str(error))


def _internal(ctx: click.Context, error: BaseException, words: str) -> None:
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)
    first = words.splitlines()[0][:200] if words else ""
    click.echo(f"internal error: {type(error).__name__}{f': {first}' if first else ''}", err=True)
    click.echo(
        f"This is a fault of Scenarii, not yours. Please report it with the game's files, the command, and what "
        f"the command says when {TRACEBACK}=1 is set.",
        err=True,
    )
    ctx.exit(INTERNAL)


def _silence() -> None:
    """Whoever read our output has gone; what is still to be written goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from dsl.cli.version import VERSION

        click.echo(f"scenarii {VERSION}")
        ctx.exit()


@click.group(
    cls=Scenarii,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 clean, 1 findings or failures, 2 wrong usage, 3 a fault of Scenarii itself.",
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
def cli() -> None:
    """Check, compile, play and test board games that are written in the Scenarii language."""


for command in (list_, new, check, format_, explain, compile_, play, replay, test, rules, show, resolve):
    cli.add_command(command)


def main() -> None:
    """What the installed command runs."""
    cli(prog_name="scenarii")


if __name__ == "__main__":
    main()
