"""Rulings, options and modes: what is chosen before the game."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, Id, Int
from dsl.linker.layers import Gathered
from dsl.resolve.gaps import header_that_fills
from dsl.resolve.headers import header_items
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain
from dsl.source import Span
from dsl.syntax import ast

STRAIN = "*strain*"
"""What the option is called that says how a game is spoiled."""


def declare_options(world: World, gathered: Gathered) -> None:
    """Enters each ruling and option, and the modes as one option."""
    for entry in gathered.of(ast.Ruling):
        _option(world, entry.declaration)
    world.modes, world.reporter.gone, world.reporter.layer_of = (
        gathered.modes,
        gathered.gone,
        gathered.layer_of,
    )
    world.reporter.displaced = gathered.displaced
    world.filling = header_that_fills(gathered)
    played = _mode_named(world, gathered)
    if gathered.modes.names:
        _modes(world, gathered, played or gathered.modes.names[0])
    if gathered.strains:
        _strains(world, gathered.strains)


def _strains(world: World, count: int) -> None:
    """Which strain is played, as one option of a name that no author can write; 0 is the game as it is."""
    domain = world.domain(STRAIN, "enum")
    for number in range(count + 1):
        name = f"{STRAIN} {number}"
        domain.add(name, world.text(name))
    var = world.var(STRAIN, None, Id(domain.id), "option")
    world.strain = var.id
    world.options.append(pr.Option(STRAIN, "option", tuple(domain.members), None, 0, var.id, None, None))


def _mode_named(world: World, gathered: Gathered) -> str | None:
    """The mode which a header says is played when nobody chooses; none where no header says it."""
    names, found = gathered.modes.names, None
    for _, items in header_items(gathered, "mode"):
        written = next((item for item in items if isinstance(item, ast.Name)), None)
        if written is not None and written.text not in names:
            hint = world.nearest(written.text, names)
            hint = hint or tr(
                "write `mode {written}: nothing` for the game as it stands", written=written.text
            )
            world.unknown("mode", written.span, hint=hint)
        elif written is not None:
            found = written.text
    return found


def _modes(world: World, gathered: Gathered, default: str) -> None:
    """The modes as one option, with the one that is played when nobody chooses."""
    modes = gathered.modes
    labels = {mode.name.text: mode.label for mode in reversed(modes.trees) if mode.label}
    domain = world.domain("mode", "enum")
    texts = [world.text(labels.get(name), name) for name in modes.names]
    for name, text in zip(modes.names, texts, strict=True):
        world.enter_member(domain, name, text)
    spans = {mode.name.text: mode.name.span for mode in reversed(modes.trees)}
    _tell_alike(world, "mode", [spans[name] for name in modes.names], texts)
    number, span = domain.index[default], modes.trees[0].name.span
    world.mode = len(world.vars)
    _enter_option(world, "mode", "mode", domain, number, None, span, None)


def _option(world: World, ruling: ast.Ruling) -> None:
    clause = world.clause("ruling", ruling.name.text, ruling.citation, ruling.span)
    label = world.text(ruling.label) if ruling.label else None
    if ruling.range is not None:
        low, high = ruling.range.low, ruling.range.high
        default = int(ruling.default.text) if re.fullmatch(r"-?\d+", ruling.default.text) else low
        if not low <= default <= high:
            message = tr("{default} is outside {low}..{high}", default=default, low=low, high=high)
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
            tr("`{default}` is none of the choices", default=ruling.default.text),
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
    texts = [world.text(choice.label, choice.text) for choice in ruling.choices]
    for choice, text in zip(ruling.choices, texts, strict=True):
        world.enter_member(domain, choice.text, text)
    _tell_alike(world, ruling.name.text, [(choice.label or choice).span for choice in ruling.choices], texts)
    _enter_option(world, ruling.name.text, ruling.kind, domain, default, label, ruling.name.span, clause)


def _tell_alike(world: World, option: str, spans: Sequence[Span], texts: Sequence[int]) -> None:
    """Tells of each choice whose words another one before it has, in some language."""
    first: dict[tuple[str, str], Span] = {}
    for span, number in zip(spans, texts, strict=True):
        told = {language or world.language: words for language, words in world.texts[number].texts}
        alike = next((each for each in told.items() if each in first), None)
        if alike is not None and first[alike] != span:
            world.error(
                Code.DUPLICATE_NAME,
                span,
                tr('two choices of `{option}` read "{words}"', option=option, words=alike[1]),
                hint="give them other words: players choose by these",
                labels=(Label(first[alike], "the first one"),),
            )
        for each in told.items():
            first.setdefault(each, span)


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
