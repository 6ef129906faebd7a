"""Layers: what the files of a game, its scenario and its mods declare, merged into one set of declarations.

A layer is a game, a scenario or a mod. Within a layer order never matters. A later layer *adds* (`extend`, new
declarations), *changes* printed cells, *replaces* a declaration of the same head, or *removes* a row, a declaration or
every clause with a citation. Two mods that do different things to one target are reported with both places.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from dsl.diagnostics import Code, Diagnostic, Diagnostics, Fix, Label
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.words import is_clear


@dataclass(frozen=True, slots=True)
class Layer:
    """The files of a game, a scenario or a mod, the header first."""

    header: ast.Header
    files: tuple[ast.File, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A declaration, and the mode it belongs to."""

    declaration: Any
    mode: str | None
    layer: int


@dataclass(slots=True)
class TableSource:
    """A table with all its rows: each group has the header row that its cells follow."""

    declaration: ast.Table
    groups: list[tuple[ast.Row, tuple[ast.Row, ...]]]
    changes: list[tuple[ast.Name, ast.Setting]] = field(default_factory=list)


@dataclass(slots=True)
class Gathered:
    """All declarations of a game in effect."""

    headers: list[ast.Header] = field(default_factory=list)
    modes: list[ast.Mode] = field(default_factory=list)
    tables: dict[str, TableSource] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    extra_fields: dict[str, list[ast.Field]] = field(default_factory=dict)
    extra_lines: dict[str, list[tuple[ast.MenuLine, str | None]]] = field(default_factory=dict)

    def of(self, kind: type) -> Iterable[Entry]:
        return (entry for entry in self.entries if isinstance(entry.declaration, kind))


def gather(layers: Iterable[Layer], diagnostics: Diagnostics) -> Gathered:
    """Merges the layers in order; faults of targets that do not exist are reported."""
    merging = _Merging(diagnostics)
    for number, layer in enumerate(layers):
        merging.add_layer(number, layer)
    return merging.finish()


def named(declaration: Any) -> str | None:
    """The name under which a declaration can be replaced or removed."""
    match declaration:
        case ast.State(of=of):
            return f"state of {of.text}" if of else None
        case ast.Round():
            return "round"
        case ast.Modify() | ast.Permit() | ast.Reaction() | ast.Ending() | ast.Objective() | ast.Setup():
            return None
        case ast.Action(name=head, params=params) if any(param.type is None for param in params):
            return f"{head.text}({', '.join(param.name.text for param in params if param.type is None)})"
        case _:
            name = getattr(declaration, "name", None)
            return name.text if isinstance(name, ast.Name) else None


@dataclass(slots=True)
class _Touch:
    """What a mod did to a target: to be compared with what another mod does."""

    verb: str
    span: Span
    layer: int
    value: object


@dataclass(slots=True)
class _Merging:
    diagnostics: Diagnostics
    gathered: Gathered = field(default_factory=Gathered)
    touched: dict[str, _Touch] = field(default_factory=dict)
    late: list[tuple[Any, int]] = field(default_factory=list)

    def add_layer(self, number: int, layer: Layer) -> None:
        self.gathered.headers.append(layer.header)
        self.late = []
        headers = [each for file in layer.files for each in file.declarations if isinstance(each, ast.Header)]
        for header in headers[1:]:
            self.second_header(headers[0], header)
        for file in layer.files:
            for declaration in file.declarations:
                self.add(declaration, None, number)
        for declaration, layer_number in self.late:
            self.apply(declaration, layer_number)

    def second_header(self, first: ast.Header, second: ast.Header) -> None:
        name = second.name
        self.diagnostics.add(
            Diagnostic(
                Code.MISPLACED_LINE,
                f"`{name.text}` is a second header",
                name.span,
                labels=(Label(first.name.span, "the first one"),),
                hint="each game, scenario and mod has a file of its own; its chapters have no header",
            )
        )

    def add(self, declaration: Any, mode: str | None, layer: int) -> None:
        match declaration:
            case ast.Import() | ast.Header() | ast.Test() if layer and isinstance(declaration, ast.Import):
                pass
            case ast.Import() | ast.Header():
                pass
            case ast.Mode():
                self.gathered.modes.append(declaration)
                self.check_mode(declaration)
                for each in declaration.declarations:
                    self.add(each, declaration.name.text, layer)
            case ast.Table():
                self.add_table(declaration, layer)
            case (
                ast.ExtendRows()
                | ast.ExtendFields()
                | ast.ExtendMenu()
                | ast.Change()
                | ast.Replace()
                | ast.Remove()
            ):
                if mode and isinstance(declaration, ast.ExtendMenu):
                    self.extend_menu(declaration, mode)
                else:
                    self.late.append((declaration, layer))
            case _:
                self.gathered.entries.append(Entry(declaration, mode, layer))

    def check_mode(self, mode: ast.Mode) -> None:
        """What a mode cannot hold yet is said, so that it never holds in all modes in silence."""
        for each in mode.declarations:
            match each:
                case ast.Modify() | ast.Permit() | ast.Reaction() | ast.Ending() | ast.Objective():
                    pass
                case ast.Action() | ast.Setup() | ast.ExtendMenu() | ast.Test():
                    pass
                case _:
                    self.not_built(each.span, "this cannot belong to one mode only yet")

    def not_built(self, span: Span, message: str) -> None:
        hint = "a mode holds actions, clauses, endings, objectives, setups and lines of menus"
        self.diagnostics.add(Diagnostic(Code.NOT_BUILT, message, span, hint=hint))

    def add_table(self, table: ast.Table, layer: int) -> None:
        earlier = self.gathered.tables.get(table.name.text)
        if earlier:
            self.diagnostics.add(
                Diagnostic(
                    Code.DUPLICATE_NAME,
                    f"table `{table.name.text}` is declared twice",
                    table.name.span,
                    labels=(Label(earlier.declaration.name.span, "first declared here"),),
                    hint=f"to add rows to it write `extend {table.name.text}:`",
                )
            )
            return
        self.gathered.tables[table.name.text] = TableSource(table, [(table.rows[0], table.rows[1:])])

    # ------------------------------------------------------------ the four verbs

    def apply(self, declaration: Any, layer: int) -> None:
        match declaration:
            case ast.ExtendRows():
                self.extend_rows(declaration)
            case ast.ExtendFields():
                self.extend_fields(declaration, layer)
            case ast.ExtendMenu():
                self.extend_menu(declaration, None)
            case ast.Change():
                self.change(declaration, layer)
            case ast.Replace():
                self.replace(declaration, layer)
            case ast.Remove():
                self.remove(declaration, layer)
            case _:
                pass

    def extend_rows(self, extend: ast.ExtendRows) -> None:
        source = self.gathered.tables.get(extend.table.text)
        if source is None:
            self.unknown(extend.table, list(self.gathered.tables), "table")
            return
        source.groups.append((extend.rows[0], extend.rows[1:]))

    def extend_fields(self, extend: ast.ExtendFields, layer: int) -> None:
        """Fields of a piece are added to its own; of anything else they are one more `state of`."""
        name = extend.name.text
        pieces = [entry.declaration.name.text for entry in self.gathered.of(ast.Piece)]
        if name in pieces:
            self.gathered.extra_fields.setdefault(name, []).extend(extend.fields)
            return
        types = [entry.declaration.name.text for entry in self.gathered.of(ast.TypeDecl)]
        known = ["state", "Player", "Side", "Cell", *types, *self.gathered.tables, *pieces]
        if name not in known:
            self.unknown(extend.name, known, "type or piece")
            return
        of = extend.name if name != "state" else None
        state = ast.State(of, extend.fields, extend.citation, span=extend.span)
        self.gathered.entries.append(Entry(state, None, layer))

    def extend_menu(self, extend: ast.ExtendMenu, mode: str | None) -> None:
        menus = [
            entry.declaration.name.text for kind in (ast.Menu, ast.Window) for entry in self.gathered.of(kind)
        ]
        if extend.name.text not in menus and mode is None:
            self.unknown(extend.name, menus, "menu or window")
            return
        lines = self.gathered.extra_lines.setdefault(extend.name.text, [])
        lines.extend((line, mode) for line in extend.lines)

    def change(self, change: ast.Change, layer: int) -> None:
        target = change.target
        row = target.name if isinstance(target, ast.NameExpr) else None
        source = self.table_with(row) if row else None
        if row is None or source is None:
            rows = [cell for table in self.gathered.tables.values() for cell in _row_names(table)]
            self.unknown(ast.Name(row or "?", span=target.span), rows, "row")
            return
        for setting in change.settings:
            self.touch(f"{row}.{setting.name.text}", "change", setting.span, layer, setting.value)
            source.changes.append((ast.Name(row, span=target.span), setting))

    def table_with(self, row: str) -> TableSource | None:
        return next((table for table in self.gathered.tables.values() if row in _row_names(table)), None)

    def replace(self, verb: ast.Replace, layer: int) -> None:
        new = verb.declaration
        name = named(new)
        if isinstance(new, ast.Table) and new.name.text in self.gathered.tables:
            self.gathered.tables[new.name.text] = TableSource(new, [(new.rows[0], new.rows[1:])])
            return
        for index, entry in enumerate(self.gathered.entries):
            if name and named(entry.declaration) == name and type(entry.declaration) is type(new):
                self.touch(name, "replace", verb.span, layer, new)
                self.gathered.entries[index] = Entry(new, entry.mode, layer)
                return
        names = [n for entry in self.gathered.entries if (n := named(entry.declaration))]
        self.unknown(ast.Name(name or "?", span=verb.span), names, "declaration")

    def remove(self, verb: ast.Remove, layer: int) -> None:
        if verb.cited:
            self.remove_cited(verb, verb.cited, layer)
            return
        assert verb.name is not None
        name = verb.name.text
        for table in self.gathered.tables.values():
            if name in _row_names(table):
                self.touch(name, "remove", verb.span, layer, None)
                table.groups = [
                    (head, tuple(row for row in rows if row.cells[0].text != name))
                    for head, rows in table.groups
                ]
                return
        kept = [entry for entry in self.gathered.entries if named(entry.declaration) != name]
        if len(kept) == len(self.gathered.entries):
            names = [n for entry in self.gathered.entries if (n := named(entry.declaration))]
            self.unknown(verb.name, names, "declaration or row")
            return
        self.touch(name, "remove", verb.span, layer, None)
        self.gathered.entries = kept

    def remove_cited(self, verb: ast.Remove, cited: ast.Citation, layer: int) -> None:
        found = False
        for handle in (*cited.ids, *cited.families):
            self.touch(handle, "remove", verb.span, layer, None)
            for index, entry in enumerate(self.gathered.entries):
                kept, hit = without(entry.declaration, handle)
                found = found or hit
                self.gathered.entries[index] = replace(entry, declaration=kept)
            self.gathered.entries = [
                entry for entry in self.gathered.entries if entry.declaration is not None
            ]
        if not found:
            self.unknown(ast.Name(cited.span.text, span=cited.span), [], "clause")

    def touch(self, target: str, verb: str, span: Span, layer: int, value: object) -> None:
        """Two mods that do different things to one target are in conflict; a third layer settles it."""
        earlier = self.touched.get(target)
        self.touched[target] = _Touch(verb, span, layer, value)
        if earlier and earlier.layer != layer and (earlier.verb, earlier.value) != (verb, value):
            self.diagnostics.add(
                Diagnostic(
                    Code.MOD_CONFLICT,
                    f"two mods {verb} `{target}` in different ways",
                    span,
                    labels=(Label(earlier.span, f"the other one does `{earlier.verb}` here"),),
                    hint=f"load a third mod after both that says what `{target}` is to be",
                )
            )

    def unknown(self, name: ast.Name, names: list[str], what: str) -> None:
        from difflib import get_close_matches

        close = get_close_matches(name.text, names, n=1, cutoff=0.6)
        message = f"there is no {what} `{name.text}` to change"
        fix = (
            Fix(name.span, close[0], f"write `{close[0]}`", is_safe=is_clear(name.text, names))
            if close
            else None
        )
        hint = f"did you mean `{close[0]}`?" if close else ""
        self.diagnostics.add(Diagnostic(Code.UNKNOWN_NAME, message, name.span, hint=hint, fix=fix))

    def finish(self) -> Gathered:
        rounds = [entry.declaration for entry in self.gathered.of(ast.Round)]
        for other in rounds[1:]:
            self.diagnostics.add(
                Diagnostic(
                    Code.DUPLICATE_NAME,
                    "the course of a round is told twice",
                    other.span,
                    labels=(Label(rounds[0].span, "first told here"),),
                    hint="put both into one, or write `replace` before the one that holds",
                )
            )
        return self.gathered


def _row_names(source: TableSource) -> list[str]:
    if source.declaration.params:
        return []
    return [row.cells[0].text for _, rows in source.groups for row in rows if row.cells]


def without(node: Any, handle: str) -> tuple[Any, bool]:
    """The tree without each statement, clause, field or row that cites `handle`; None where that is the whole node."""
    cited = getattr(node, "citation", None)
    if isinstance(cited, ast.Citation) and handle in (*cited.ids, *cited.families):
        return None, True
    if not is_dataclass(node) or isinstance(node, type):
        return node, False
    changes: dict[str, Any] = {}
    hit = False
    for each in fields(node):
        child = getattr(node, each.name)
        if isinstance(child, tuple) and child and isinstance(child[0], ast.Node):
            kept = [without(item, handle) for item in child]
            if any(found for _, found in kept):
                hit = True
                changes[each.name] = tuple(item for item, _ in kept if item is not None)
        elif isinstance(child, ast.Block):
            body, found = without(child, handle)
            if found:
                hit = True
                changes[each.name] = body if body is not None else ast.Block((), span=child.span)
    return (replace(node, **changes), True) if hit else (node, False)
