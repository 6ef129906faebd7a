"""The command `scenarii`: its subcommands, and what becomes of errors.

Exit codes: 0 clean, 1 findings or failures, 2 wrong usage, 3 a fault of Scenarii itself, 130 stopped by Ctrl-C, 141
when whoever read the output has gone.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any, TextIO, TypeGuard, cast

import click

from dsl.catalogue import N_, nearest, preferred, speak, told, tr
from dsl.cli.commands import COMMANDS, GROUPS
from dsl.cli.helping import click_speaks, in_words, in_words_of, put
from dsl.harmless import Harmless

FINDINGS, USAGE, INTERNAL, STOPPED, UNREAD = 1, 2, 3, 130, 141
MOST_SHOWN = 200
"""Characters of a file's name in a message."""
TRACEBACK = "SCENARII_TRACEBACK"
"""The environment variable that asks for the whole story of an internal error."""

WORDS = N_("Board games as texts: play them, write them, look into them.")
EXAMPLES = N_("""\
scenarii list                      which games there are
scenarii play GAME                 play one; --auto to watch one
scenarii new my_game               begin one of your own, which plays at once
scenarii check my_game             what is wrong with it, and how to put it right
scenarii test my_game              does it do what its tests say?
scenarii show my_game              what it holds, with its map
scenarii COMMAND --help            more about a command, with examples""")
CODES = N_("Exit codes: 0 clean, 1 findings or failures, 2 wrong usage, 3 a fault of Scenarii itself.")


class Scenarii(click.Group):
    """The group of all commands; an error that nothing expected makes one line and exit code 3."""

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Runs a command between streams that only harmless text goes through."""
        given = arguments[0] if arguments else more.get("args")
        speak(_asked_language(sys.argv[1:] if given is None else given) or preferred(os.environ))
        click_speaks()
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (cast(TextIO, Harmless(each, _styled)) for each in streams)
        try:
            return super().main(*arguments, **more)
        finally:
            sys.stdout, sys.stderr = streams

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        listed = COMMANDS.get(cmd_name)
        return in_words(listed.load()) if listed is not None else super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            ctx.fail(told(_no_command(args[0])))
        return super().resolve_command(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(told(WORDS))
            formatter.write_paragraph()
            formatter.write_text(f"\b\n{told(EXAMPLES)}")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(told(CODES))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [in_words_of(each) for each in super().get_params(ctx)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(told(group)):
                formatter.write_dl([(name, told(each.words)) for name, each in commands.items()])

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **more)
        except click.UsageError as error:
            put(error)
            sys.exit(error.exit_code)
        except BrokenPipeError:
            _silence()
            sys.exit(UNREAD)
        except OSError as error:
            if not _no_room(error):
                raise
            _unwritten(error)
            sys.exit(FINDINGS)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()
            return found
        except click.ClickException as error:
            put(error)
            ctx.exit(error.exit_code)
        except (click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo("", err=True)
            ctx.exit(STOPPED)
        except BrokenPipeError:
            _silence()
            ctx.exit(UNREAD)
        except RecursionError as error:
            if os.environ.get(TRACEBACK):
                traceback.print_exception(error)
            _internal(ctx, error, "something is nested too deep")
        except Exception as error:
            if _no_room(error):
                _unwritten(error)
                ctx.exit(FINDINGS)
            if os.environ.get(TRACEBACK):
                traceback.print_exception(error)
            _told(error)
            _internal(ctx, error, str(error))


def _asked_language(args: Sequence[str]) -> str:
    """The language that a command line asks for, before anything else in it is read: it tells what is wrong there."""
    for number, each in enumerate(args):
        if each == "--":
            break
        name, given, value = each.partition("=")
        if name == "--lang":
            code = (value if given else "".join(args[number + 1 : number + 2])).replace("-", "_")
            if nearest(code) == code.partition("_")[0]:
                return nearest(code)
    return ""


def _told(error: Exception) -> None:
    """What no command has told and is no fault of Scenarii, in every command: files that cannot be read or written,
    programs that no engine can play, rules that fail, and a memory that is full.
    """
    failure, wasmtime = sys.modules.get("dsl.engine.failure"), sys.modules.get("wasmtime")
    if isinstance(error, OSError) and error.filename is not None:
        raise click.UsageError(
            tr("{shown}: {strerror}", shown=_shown(error.filename), strerror=error.strerror or error)
        ) from None
    if isinstance(error, OSError):
        raise click.ClickException(
            tr("the system refuses: {strerror}", strerror=error.strerror or error)
        ) from None
    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):  # up to Python 3.12
        raise click.UsageError(_shown(str(error))) from None
    if isinstance(error, MemoryError):
        raise click.ClickException("there is not enough memory for this") from None
    if failure is not None and isinstance(error, failure.Unplayable):
        raise click.ClickException(tr("this program cannot be played: {error}", error=error)) from None
    if failure is not None and isinstance(error, failure.RuleFailure | failure.StartError):
        raise click.ClickException(tr("a rule failed: {error}", error=error)) from None
    if wasmtime is not None and isinstance(error, wasmtime.WasmtimeError | wasmtime.Trap):
        first = (str(error).splitlines() or [""])[0]
        raise click.ClickException(
            tr("WebAssembly cannot play this program ({first}); say --engine python", first=first[:200])
        ) from None


def _shown(name: object) -> str:
    """The name of a file in a message, its middle left out where it is long."""
    from dsl.diagnostics.excerpt import printable

    text = printable(os.fsdecode(name) if isinstance(name, str | bytes) else str(name))
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN // 2]}...{text[-MOST_SHOWN // 2 :]}"


def _no_room(error: Exception) -> TypeGuard[OSError]:
    """Is it that output has nowhere to go? An error that is about a file names it."""
    full = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
    return isinstance(error, OSError) and error.errno in full and error.filename is None


def _internal(ctx: click.Context, error: BaseException, words: str) -> None:
    first = words.splitlines()[0][:200] if words else ""
    click.echo(f"internal error: {type(error).__name__}{f': {first}' if first else ''}", err=True)
    click.echo(
        f"This is a fault of Scenarii, not yours. Please report it with the game's files, the command, and what "
        f"the command says when {TRACEBACK}=1 is set.",
        err=True,
    )
    ctx.exit(INTERNAL)


def _styled(stream: TextIO) -> bool:
    """Are styles for this stream, or a line that is overwritten?"""
    from dsl.cli import style

    return stream.isatty() or style.coloured(stream)


def _unwritten(error: OSError) -> None:
    _silence()
    click.echo(f"what is told here cannot be written: {error.strerror}", err=True)


def _silence() -> None:
    """Whoever read our output has gone; what is still to be written goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _open_streams() -> None:
    """Streams that were closed lead nowhere; else the next files that are opened would stand in their places."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for as long as it runs


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from dsl.cli.version import told

        click.echo(told())
        ctx.exit()


def _no_command(name: str) -> str:
    """What to say of a word that is no command: the nearest one, or what to do with a file."""
    from dsl.near import nearest

    near = nearest(name, COMMANDS, 0.5)
    if near:
        return tr("there is no command `{name}`; did you mean `{close}`?", name=name, close=near)
    if os.path.exists(name):
        return tr("say what to do with {name}, such as: scenarii play {name}", name=name)
    return tr("there is no command `{name}`; `scenarii --help` lists them.", name=name)


@click.group(
    cls=Scenarii,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Board games as texts: play them, write them, look into them."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """What the installed command runs; signs that a terminal cannot show stand there as `?`."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower().replace("-", "") != "utf8":
            stream.reconfigure(errors="replace")
    cli(prog_name="scenarii")


if __name__ == "__main__":
    main()
