"""Which engine plays: `--engine`, and what is said where the fast one cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dsl.catalogue import tr

if TYPE_CHECKING:
    from dsl.engine.failure import Unplayable
    from dsl.ir.program import Program
    from dsl.playable import Playable

WASM, PYTHON = "wasm", "python"
Command = TypeVar("Command", bound=Callable[..., Any])


def select_engine(default: str) -> Callable[[Command], Command]:
    """The option `--engine`; a command says what plays where nothing is asked for."""
    words = f"What plays: compiled code, or the reference.  [default: {default}]"
    return click.option("--engine", type=click.Choice([WASM, PYTHON]), help=words)


def machine_of(program: Program, engine: str | None, steps: int | None = None) -> Playable:
    """A program on the engine that was asked for; on the reference where the fast one cannot play it, which is said in
    a line. `steps` may be taken between two decisions.
    """
    from dsl.engine.failure import Unplayable
    from dsl.playable import Playable
    from dsl.wasm.available import need_wasmtime

    if engine == PYTHON:
        return Playable(program, steps=steps)
    try:
        need_wasmtime()
        from dsl.wasm.machine import FastMachine

        return FastMachine(program, steps=steps)
    except Unplayable as error:
        instead_of_wasm(error)
        return Playable(program, steps=steps)


def tested_machine(program: Program, engine: str, steps: int | None = None) -> Playable:
    """A program whose tests are run by Python, or by both engines."""
    from dsl.engine.failure import Unplayable
    from dsl.playable import Playable
    from dsl.wasm.available import need_wasmtime

    if engine == PYTHON:
        return Playable(program, steps=steps)
    try:
        need_wasmtime()
        from dsl.wasm.tested import TestedMachine

        return TestedMachine(program, steps=steps)
    except Unplayable as error:
        raise not_with_wasm(error) from None


def instead_of_wasm(error: Unplayable) -> None:
    """Says that the reference plays, and why."""
    click.echo(f"played by the Python engine: {_told(error)}", err=True)


def not_with_wasm(error: Unplayable) -> click.ClickException:
    """What ends a command whose engine cannot play."""
    return click.ClickException(tr("not with --engine wasm: {told}", told=_told(error)))


def _told(error: Unplayable) -> str:
    from dsl.diagnostics.excerpt import printable

    return printable(" ".join(str(error).split()))
