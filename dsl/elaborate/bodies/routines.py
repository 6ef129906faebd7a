"""Routines: code that may stop at decisions, with its locals."""

from __future__ import annotations

from dsl.elaborate.bodies.scope import Body
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.lower import structured_ir as mid
from dsl.lower.control_flow import cut


def routine(name: str, params: int, body: Body, code: tuple[mid.Mid, ...]) -> pr.Routine:
    """A routine with its frame laid out."""
    blocks = cut(code, body.new)
    return laid_out(name, params, body, blocks)


def laid_out(name: str, params: int, body: Body, blocks: tuple[ir.Block, ...]) -> pr.Routine:
    """A routine whose frame is measured later, when all domains are known."""
    return pr.Routine(name, params, tuple(body.locals), (), 0, None, blocks)
