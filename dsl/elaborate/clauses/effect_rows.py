"""Actions that are tables of effects: the row that the argument falls in says what is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.statements import Statements
from dsl.ir import nodes as ir
from dsl.ir.types import TRUTH, Id, Int, SetOf
from dsl.linker.layers import head_name
from dsl.linker.modes import Where
from dsl.lower import structured_ir as mid
from dsl.lower.ir_builder import TRUE, conjunction
from dsl.resolve import cell_values as readings
from dsl.resolve import symbols as w
from dsl.resolve.bounds import sized
from dsl.resolve.clause_texts import Said
from dsl.resolve.gaps import asked_by, missing_rows, named_keys
from dsl.resolve.lookup_tables import ONE_ROW
from dsl.resolve.printed_cells import EMPTY
from dsl.resolve.symbol_table import World
from dsl.resolve.texts import TEXT_HEAD, check_length, is_text_head
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.elaborate.clauses.actions import Actions

Covered = dict[str | None, set[int]]
"""By mode, the arguments that have a row."""


def effect_rows(actions: Actions, s: Statements, action: w.Action) -> None:
    """A table of effects: the row that the argument falls in does its calls."""
    assert isinstance(action.decl, ast.Table)
    world = actions.world
    type_ = action.params[0].type if action.params else None
    keyed = len(action.params) - (action.by is not None)
    if keyed != 1 or not isinstance(type_, Int | Id):
        world.error(
            Code.WRONG_ARGUMENTS,
            action.decl.span,
            "a table of effects is read by one argument",
            hint="write `table events(die: 2..12):`; who acts stands in its header, `effect by p`",
        )
        return
    if not sized(world, type_, action.decl.name.span):
        return
    s.body.in_cells = action.name
    covered: Covered = {mode: set() for mode in tuple(world.modes.names) or (None,)}
    for row, effect, where in actions.effects.get(action.name, ()):
        keys = readings.keys(world, row.cells[0], type_)
        _cover(world, covered, row, keys, type_, where)
        _row(actions, s, action, row, effect, keys, type_, where)
    s.body.in_cells = ""
    _tell_of_gaps(actions, action, covered, type_)


def _cover(
    world: World, covered: Covered, row: ast.Row, keys: list[int], type_: Int | Id, where: Where
) -> None:
    """Notes the arguments of a row; one that has a row already, or cannot be, is a fault."""
    here = [mode for mode in covered if where is None or mode in where]
    twice = {key for mode in here for key in covered[mode] & set(keys)}
    if twice:
        message = tr("{twice} has a row already", twice=min(twice))
        world.error(Code.TABLE_OVERLAP, row.cells[0].span, message, hint=ONE_ROW)
    for mode in here:
        covered[mode] |= set(keys)
    low = world.low(type_)
    outside = [key for key in keys if not low <= key < low + world.size(type_)]
    if outside:
        message = tr("{outside} is outside the table's range", outside=outside[0])
        hint = tr("its range goes from {low} to {low2}", low=low, low2=low + world.size(type_) - 1)
        world.error(Code.OUT_OF_RANGE, row.cells[0].span, message, hint=hint)


def _tell_of_gaps(actions: Actions, action: w.Action, covered: Covered, type_: Int | Id) -> None:
    """Each argument has a row in each mode in which it is there."""
    world = actions.world
    assert isinstance(action.decl, ast.Table)
    present = world.domains[type_.domain].where if isinstance(type_, Id) else []
    low = world.low(type_)
    missing = [
        value
        for mode in covered
        for value in range(low, low + world.size(type_))
        if value not in covered[mode]
        and (mode is None or not present or mode in world.modes.every(present[value]))
    ]
    if missing and not world.reporter.is_spoilt(action.decl.span):
        rows = [row for row, _, _ in actions.effects.get(action.name, ())]
        keys = named_keys(world, type_, sorted(set(missing)))
        missing_rows(world, action.decl, rows, keys, "", "-", asked_by(world, type_, missing))


def _row(
    actions: Actions,
    s: Statements,
    action: w.Action,
    row: ast.Row,
    effect: tuple[ast.Stmt, ...],
    keys: list[int],
    type_: Int | Id,
    where: Where,
) -> None:
    """The code of one row, for the arguments that fall in it."""
    low = actions.world.low(type_)
    bits = sum(1 << (key - low) for key in set(keys) if low <= key < low + actions.world.size(type_))
    test: ir.Expr = ir.Op(TRUTH, "has", (ir.Const(SetOf(type_), bits), ir.Local(type_, 0)))
    test = conjunction([actions.world.in_modes(where) or TRUE, test])
    said = Said(_said(actions, action, row, numbered=False))
    clause = actions.world.clause("row", f"{action.name} {row.cells[0].text}", row.citation, row.span, said)
    with s.collecting() as code:
        label = _row_label(actions, action, row, type_)
        s.code.add(ir.Mark(clause))
        s.code.add(ir.Log(label, (ir.Local(type_, 0),), clause, "row"))
        for statement in effect:
            s.statement(statement)
    s.code.add(mid.MidIf(test, tuple(code.statements)))


def _said(actions: Actions, action: w.Action, row: ast.Row, *, numbered: bool) -> int | None:
    """What players read of a row: its name, `numbered` with the argument behind, and its text; none without a name."""
    assert isinstance(action.decl, ast.Table)
    world, heads = actions.world, action.decl.rows[0].cells
    names: list[tuple[str, str]] = []
    texts: list[tuple[str, str]] = []
    for head, cell in zip(heads, row.cells, strict=False):
        title = head_name(head)
        if cell.text in EMPTY:
            continue
        if head.text == "name" or head.text.startswith("name "):
            names.append((head.text[4:].strip(), cell.text))
        elif is_text_head(head):
            if not numbered:
                check_length(world, cell)
            texts.append(((TEXT_HEAD.fullmatch(title) or ["", ""])[1] or "", cell.text))
    if not names:
        return None
    name = dict(world.spoken(ast.Label(tuple(names), span=row.span)).texts)
    text = dict(world.spoken(ast.Label(tuple(texts), span=row.span)).texts) if texts else {}
    found: list[tuple[str, str]] = []
    for language in dict.fromkeys((*name, *text)):
        words = name.get(language) or next(iter(name.values()))
        words = f"{words} ({{0}})" if numbered else words
        if text:
            colon = " :" if language == "fr" else ":"
            words = f"{words}{colon} {text.get(language) or next(iter(text.values()))}"
        found.append((language, words))
    return world.intern(world.translated(ast.Label(tuple(found), span=row.span)))


def _row_label(actions: Actions, action: w.Action, row: ast.Row, type_: Int | Id) -> int:
    """What a report says of a row: its name and text, or the argument, which a number does not say of what it is."""
    said = _said(actions, action, row, numbered=True)
    if said is not None:
        return said
    table = action.name.replace("_", " ")
    return actions.world.text("{0}" if isinstance(type_, Id) or "." in action.name else f"{table}: {{0}}")
