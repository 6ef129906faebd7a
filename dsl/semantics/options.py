"""Rulings, options and modes: what is chosen before the game."""

from __future__ import annotations

import re

from dsl.diagnostics import Code
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int
from dsl.semantics.layers import Gathered
from dsl.semantics.world import Domain, World
from dsl.source import Span
from dsl.syntax import ast


def declare_options(world: World, gathered: Gathered) -> None:
    """Enters each ruling and option, and the modes as one option."""
    for entry in gathered.of(ast.Ruling):
        _option(world, entry.declaration)
    if gathered.modes:
        first = gathered.modes[0]
        names = list(dict.fromkeys(mode.name.text for mode in gathered.modes))
        labels = {mode.name.text: mode.label for mode in gathered.modes}
        domain = world.domain("mode", "enum")
        for name in names:
            world.enter_member(domain, name, world.text(labels[name], name))
        _enter_option(world, "mode", "mode", domain, 0, None, first.name.span, None)
        _heirs(world, gathered, names)


def _heirs(world: World, gathered: Gathered, names: list[str]) -> None:
    """In which modes the clauses of a mode stand: in its own, and in those that are like it."""
    parents: dict[str, str] = {}
    for mode in gathered.modes:
        if mode.like is None:
            continue
        if mode.like.text not in names:
            hint = world.nearest(mode.like.text, names)
            message = f"there is no mode `{mode.like.text}`"
            world.error(Code.UNKNOWN_NAME, mode.like.span, message, hint=hint)
            continue
        if mode.name.text in (mode.like.text, *_ancestors(parents, mode.like.text)):
            message = f"the mode `{mode.name.text}` is like itself, in a circle"
            world.error(Code.CALL_CYCLE, mode.like.span, message, hint="one of them stands for itself")
            continue
        parents[mode.name.text] = mode.like.text
    for name in names:
        world.heirs[name] = tuple(each for each in names if name in (each, *_ancestors(parents, each)))


def _ancestors(parents: dict[str, str], name: str) -> list[str]:
    """The modes that a mode takes over, nearest first."""
    found: list[str] = []
    while name in parents:
        name = parents[name]
        found.append(name)
    return found


def _option(world: World, ruling: ast.Ruling) -> None:
    clause = world.clause("ruling", ruling.name.text, ruling.citation, ruling.span)
    label = world.text(ruling.label) if ruling.label else None
    if ruling.range is not None:
        low, high = ruling.range.low, ruling.range.high
        default = int(ruling.default.text) if re.fullmatch(r"-?\d+", ruling.default.text) else low
        if not low <= default <= high:
            message = f"{default} is outside {low}..{high}"
            world.error(Code.OUT_OF_RANGE, ruling.default.span, message, hint="choose a default in the range")
            default = low
        var = world.var(ruling.name.text, None, Int(low, high), "option")
        declare_global(world, ruling.name, var.id)
        world.options.append(
            pr.Option(ruling.name.text, ruling.kind, (), (low, high), default, var.id, label, clause)
        )
        return
    names = [choice.text for choice in ruling.choices]
    if ruling.default.text not in names:
        world.error(
            Code.UNKNOWN_NAME,
            ruling.default.span,
            f"`{ruling.default.text}` is none of the choices",
            hint=world.nearest(ruling.default.text, names) or "choose one of " + ", ".join(names),
        )
    default = names.index(ruling.default.text) if ruling.default.text in names else 0
    if set(names) <= {"true", "false"}:
        var = world.var(ruling.name.text, None, TRUTH, "option")
        declare_global(world, ruling.name, var.id)
        default = int(ruling.default.text == "true")
        world.options.append(
            pr.Option(ruling.name.text, ruling.kind, ("false", "true"), None, default, var.id, label, clause)
        )
        return
    domain = world.domain(ruling.name.text, "enum")
    for choice in ruling.choices:
        world.enter_member(domain, choice.text, world.text(choice.text))
    _enter_option(world, ruling.name.text, ruling.kind, domain, default, label, ruling.name.span, clause)


def _enter_option(
    world: World,
    name: str,
    kind: str,
    domain: Domain,
    default: int,
    label: int | None,
    span: Span,
    clause: int | None,
) -> None:
    var = world.var(name, None, Id(domain.id), "option")
    declare_global(world, ast.Name(name, span=span), var.id)
    world.options.append(pr.Option(name, kind, tuple(domain.members), None, default, var.id, label, clause))


def declare_global(world: World, name: ast.Name, var: int) -> None:
    """Lets a bare name stand for a state variable."""
    if name.text in world.globals or name.text in world.callables:
        world.duplicate(name, None)
    world.globals[name.text] = var
