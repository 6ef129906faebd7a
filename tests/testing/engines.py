"""Programs whose tests both engines run."""

from __future__ import annotations

from dsl.engine.failure import Unplayable
from dsl.engine.machine import Machine
from dsl.ir.program import Program
from dsl.wasm.tested import TestedMachine


def both(program: Program) -> Machine:
    """A machine on which both engines run each test; the Python engine alone, where the other cannot."""
    try:
        return TestedMachine(program, cache=False)
    except Unplayable:
        return Machine(program)
