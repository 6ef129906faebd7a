"""Merging layers: what each adds to those before it, and what its four verbs do to them.

What a layer declares is there before its verbs work, so that order never matters within it. In a mode a verb works
for that mode and those that are like it: a row or clause that is removed there holds in the others, a definition
that is replaced there has one more beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Any

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Label, Meant, Subject, Thing
from dsl.linker import edit_targets as meant
from dsl.linker.drawings import drawn_in
from dsl.linker.edit_conflicts import Path, Touch, Touches
from dsl.linker.layers import (
    Changed,
    Entry,
    Gathered,
    Group,
    Layer,
    TableSource,
    cites,
    head_name,
    named,
    pieces_of,
    without,
)
from dsl.linker.modes import Where, find_modes
from dsl.linker.variants import resolve_variants
from dsl.near import is_clear, nearest
from dsl.records import record
from dsl.source import Span
from dsl.syntax import ast
from dsl.syntax.words import nearest_handle

VERBS = (
    ast.ExtendRows,
    ast.ExtendColumn,
    ast.ExtendType,
    ast.ExtendFields,
    ast.ExtendMenu,
    ast.Change,
    ast.Replace,
    ast.Remove,
)
NEVER_IN_A_MODE = (ast.Map, ast.Legend, ast.Mode, ast.Import, ast.Header, ast.Language)


def gather(layers: Iterable[Layer], diagnostics: Diagnostics) -> Gathered:
    """Merges the layers in order; faults of targets that do not exist are reported."""
    found = tuple(layers)
    gathered = Gathered(find_modes((file for layer in found for file in layer.files), diagnostics))
    merging = _Merging(diagnostics, gathered, Touches(gathered.modes))
    for number, layer in enumerate(found):
        merging.add_layer(number, layer)
    merging.touches.report(diagnostics)
    resolve_variants(gathered, diagnostics)
    return gathered


@record(slots=True)
class _Merging:
    diagnostics: Diagnostics
    gathered: Gathered
    touches: Touches
    late: list[tuple[Any, str | None]] = field(default_factory=list)
    layer: int = 0
    lacks_tests: bool = False
    """Are there tests of the layers so far that have not been read?"""
    titles: dict[tuple[str, str | None, tuple[str, ...]], ast.Test] = field(default_factory=dict)
    """The tests of this layer by title, the mode they stand in, and what they are for."""

    def fault(
        self, code: Code, span: Span, message: str, *, hint: str = "", labels: tuple[Label, ...] = ()
    ) -> None:
        self.diagnostics.add(Diagnostic(code, message, span, labels=labels, hint=hint))

    # ------------------------------------------------------------ what a layer declares

    def add_layer(self, number: int, layer: Layer) -> None:
        self.gathered.headers.append(layer.header)
        self.late, self.layer, self.titles = [], number, {}
        headers = [each for file in layer.files for each in file.declarations if isinstance(each, ast.Header)]
        for header in headers[1:]:
            self.second_header(headers[0], header)
        for file in layer.files:
            self.gathered.layer_of.setdefault(file.span.source.name, number)
            for declaration in file.declarations:
                for source in drawn_in(declaration):
                    self.gathered.layer_of.setdefault(source.name, number)
                self.add(declaration, None)
        for declaration, mode in sorted(
            self.late, key=lambda pair: not isinstance(pair[0], ast.ExtendColumn | ast.ExtendType)
        ):
            self.apply(declaration, mode)
        self.lacks_tests = self.lacks_tests or not layer.has_tests

    def second_header(self, first: ast.Header, second: ast.Header) -> None:
        self.fault(
            Code.MISPLACED_LINE,
            second.name.span,
            tr("`{second}` is a second header", second=second.name.text),
            labels=(Label(first.name.span, "the first one"),),
            hint="each game, scenario and mod has a file of its own; its chapters have no header",
        )

    def add(self, declaration: Any, mode: str | None) -> None:
        if mode is not None and isinstance(declaration, NEVER_IN_A_MODE):
            self.misplaced(declaration)
            return
        match declaration:
            case ast.Import() | ast.Header():
                pass
            case ast.Mode():
                for each in declaration.declarations:
                    self.add(each, declaration.name.text)
            case ast.Table():
                self.add_table(declaration, mode)
            case _ if isinstance(declaration, VERBS):
                self.late.append((declaration, mode))
            case _:
                if isinstance(declaration, ast.Test):
                    self.check_title(declaration, mode)
                where = self.gathered.modes.where(mode)
                self.gathered.entries.append(Entry(declaration, mode, self.layer, where))

    def check_title(self, test: ast.Test, mode: str | None) -> None:
        """A test is known by its title: two of one title could not be told apart."""
        known = test.title.text, mode, tuple(each.text for each in test.only_for)
        first = self.titles.setdefault(known, test)
        if first is not test:
            self.fault(
                Code.DUPLICATE_NAME,
                test.title.span,
                tr('there is a test "{title}" already', title=test.title.text),
                labels=(Label(first.title.span, "the first one"),),
                hint="give it another title, which says what it shows",
            )

    def misplaced(self, declaration: Any) -> None:
        """A map is the ground of all modes; modes, imports and headers stand by themselves."""
        if isinstance(declaration, ast.Map | ast.Legend):
            hint = "draw one map for all modes, or one in each scenario; rules say which part a mode plays on"
            self.fault(Code.NOT_BUILT, declaration.span, "a map cannot belong to one mode only", hint=hint)
        else:
            hint = "move it out of the mode, to the left margin"
            self.fault(Code.MISPLACED_LINE, declaration.span, "this does not belong into a mode", hint=hint)

    def add_table(self, table: ast.Table, mode: str | None) -> None:
        modes = self.gathered.modes
        earlier = self.gathered.tables.get(table.name.text)
        group = Group(table.rows[0], table.rows[1:], modes.where(mode))
        if earlier is None:
            own = group if table.params else group._replace(where=None)
            self.gathered.tables[table.name.text] = _begun(table, own)
        elif mode is None or not table.params or self.prints_in(earlier, mode):
            self.fault(
                Code.DUPLICATE_NAME,
                table.name.span,
                tr("table `{table}` is declared twice", table=table.name.text),
                labels=(Label(earlier.declaration.name.span, "first declared here"),),
                hint=tr("to add rows to it write `extend {table}:`", table=table.name.text),
            )
        elif self.same_reading(earlier.declaration, table):
            earlier.cut(modes, group.where)
            earlier.groups.append(group)

    def prints_in(self, source: TableSource, mode: str) -> bool:
        """Does a table stand in the block of just this mode already?"""
        return any(group.where == self.gathered.modes.where(mode) for group in source.groups) and any(
            group.where is not None for group in source.groups
        )

    def same_reading(self, first: ast.Table, second: ast.Table) -> bool:
        """Is a table of a mode read in the same way as elsewhere?"""
        same = (first.params, first.result, first.dash) == (second.params, second.result, second.dash)
        if not same:
            self.fault(
                Code.WRONG_ARGUMENTS,
                second.name.span,
                tr("`{second}` is read in another way here", second=second.name.text),
                labels=(Label(first.name.span, "and so elsewhere"),),
                hint="its parameters and its result are the same in all modes",
            )
        return same

    # ------------------------------------------------------------ the four verbs

    def apply(self, declaration: Any, mode: str | None) -> None:
        where = self.gathered.modes.where(mode)
        if isinstance(declaration, ast.Change | ast.Replace | ast.Remove):
            self.gathered.changed = self.layer
        match declaration:
            case ast.ExtendRows():
                self.extend_rows(declaration, where)
            case ast.ExtendColumn():
                self.extend_column(declaration)
            case ast.ExtendType():
                self.extend_type(declaration)
            case ast.ExtendFields():
                self.extend_fields(declaration, mode)
            case ast.ExtendMenu():
                self.extend_menu(declaration, where)
            case ast.Change():
                self.change(declaration, where)
            case ast.Replace():
                self.replace(declaration, mode)
            case ast.Remove(cited=None):
                self.remove(declaration, where)
            case ast.Remove(cited=cited):
                for handle in (*cited.ids, *cited.families) if cited else ():
                    self.remove_cited(declaration, handle, where)
            case _:
                pass

    def touch(self, path: Path, verb: str, span: Span, value: object, where: Where) -> Touch:
        return Touch(path, verb, span, self.layer, value, where)

    def extend_rows(self, extend: ast.ExtendRows, where: Where) -> None:
        source = self.gathered.tables.get(extend.table.text)
        if source is None:
            self.no_such(extend.table, list(self.gathered.tables), "table", "extend")
            return
        head = tuple(cell.text for cell in extend.rows[0].cells)
        for row in extend.rows[1:]:
            if row.cells:
                path = (extend.table.text, row.cells[0].text)
                touch = self.touch(path, "extend", row.span, (head, row), where)
                source.remove(self.gathered.modes, self.touches.same_row(touch), where)
                self.touches.add(touch)
        source.groups.append(Group(extend.rows[0], extend.rows[1:], where))
        source.captions += [(extend.rows[0], each) for each in extend.captions]

    def extend_column(self, extend: ast.ExtendColumn) -> None:
        """A column of a table of kinds; two layers may add the same one. It is there in all modes."""
        tables = {name: each for name, each in self.gathered.tables.items() if not each.declaration.params}
        source, name = tables.get(extend.table.text), extend.name.text
        if source is None:
            self.no_such(extend.table, list(tables), "table", "extend", what="table of kinds")
            return
        own, earlier = source.heads.get(name), source.added.get(name)
        if earlier is not None and (earlier.type, earlier.initial) == (extend.type, extend.initial):
            return
        first = own.span if own is not None else earlier.name.span if earlier is not None else None
        if first is not None:
            self.fault(
                Code.DUPLICATE_NAME,
                extend.name.span,
                tr("the table `{table}` has a column `{name}` already", table=extend.table.text, name=name),
                labels=(Label(first, "first declared here"),),
                hint=tr(
                    "to change what it prints write `change ROW: {name} = value`, else give it another name",
                    name=name,
                ),
            )
            return
        source.added[name] = extend

    def extend_type(self, extend: ast.ExtendType) -> None:
        """More members of a type, in all modes; two layers may add the same one."""
        types = [entry.declaration for entry in self.gathered.of(ast.TypeDecl)]
        at = next(
            (at for at, entry in enumerate(self.gathered.entries) if self.declares(entry, extend.name)), None
        )
        if at is None:
            self.no_such(extend.name, [each.name.text for each in types], "type", "extend")
            return
        entry = self.gathered.entries[at]
        known = {
            each.name: each for each in entry.declaration.alternatives if isinstance(each, ast.NamedType)
        }
        if len(known) < len(entry.declaration.alternatives):
            other = entry.declaration.alternatives[0]
            self.fault(
                Code.TYPE_MISMATCH,
                extend.name.span,
                tr(
                    "`{extend}` is another name for `{other}`, and has no members of its own",
                    extend=extend.name.text,
                    other=other.span.text,
                ),
                labels=(Label(entry.declaration.name.span, "declared here"),),
                hint=tr("to let it be more, write `replace type {extend} = ...`", extend=extend.name.text),
            )
            return
        added: list[ast.TypeExpr] = []
        for each in extend.alternatives:
            earlier = known.get(each.name) if isinstance(each, ast.NamedType) else None
            if not isinstance(each, ast.NamedType):
                message = tr(
                    "`{each}` is no name for a member of `{extend}`",
                    each=each.span.text,
                    extend=extend.name.text,
                )
                self.fault(
                    Code.TYPE_MISMATCH, each.span, message, hint="a member is one word, such as `swamp`"
                )
            elif earlier is None:
                known[each.name] = each
                added.append(each)
            elif self.gathered.layer_of.get(earlier.span.source.name) in {0, self.layer}:
                self.fault(
                    Code.DUPLICATE_NAME,
                    each.span,
                    tr("`{each}` is a member of `{extend}` already", each=each.name, extend=extend.name.text),
                    labels=(Label(earlier.span, "the first one"),),
                    hint=tr('to call it otherwise write `change {each}: name = "..."`', each=each.name),
                )
            self.touches.add(self.touch((extend.name.text, each.span.text), "extend", each.span, each, None))
        new = replace(entry.declaration, alternatives=(*entry.declaration.alternatives, *added))
        self.gathered.entries[at] = replace(entry, declaration=new)

    def declares(self, entry: Entry, name: ast.Name) -> bool:
        """Is an entry the declaration of a type?"""
        return isinstance(entry.declaration, ast.TypeDecl) and entry.declaration.name.text == name.text

    def extend_fields(self, extend: ast.ExtendFields, mode: str | None) -> None:
        """Fields of a piece are added to its own; of anything else they are one more `state of`."""
        name = extend.name.text
        pieces = [entry.declaration.name.text for entry in self.gathered.of(ast.Piece)]
        if name in pieces:
            self.gathered.extra_fields.setdefault(name, []).extend(extend.fields)
            return
        types = [entry.declaration.name.text for entry in self.gathered.of(ast.TypeDecl)]
        known = ["state", "Player", "Side", "Cell", *types, *self.gathered.tables, *pieces]
        if name not in known:
            hint = meant.extended(self.gathered, name)
            self.no_such(extend.name, known, "type", "extend", what="type or piece", hint=hint)
            return
        of = extend.name if name != "state" else None
        state = ast.State(of, extend.fields, extend.citation, span=extend.span)
        self.gathered.entries.append(Entry(state, mode, self.layer, self.gathered.modes.where(mode)))

    def extend_menu(self, extend: ast.ExtendMenu, where: Where) -> None:
        menus = [
            entry.declaration.name.text for kind in (ast.Menu, ast.Window) for entry in self.gathered.of(kind)
        ]
        if extend.name.text not in menus:
            hint = meant.extended_menu(self.gathered, extend.name.text)
            self.no_such(extend.name, menus, "menu", "extend", what="menu or window", hint=hint)
            return
        lines = self.gathered.extra_lines.setdefault(extend.name.text, [])
        lines.extend((line, where) for line in extend.lines)
        self.gathered.extenders.update({id(line): extend for line in extend.lines})

    def change(self, change: ast.Change, where: Where) -> None:
        target = change.target
        row = target.name if isinstance(target, ast.NameExpr) else target.span.text
        name, of = ast.Name(row, span=target.span), None
        if isinstance(target, ast.Member) and isinstance(target.of, ast.NameExpr):
            of = target.of.name if target.of.name in self.gathered.tables else None
            name, row = (target.name, target.name.text) if of else (name, row)
        sources = self.tables_with(row, of)
        if len(sources) > 1:
            self.of_several(target.span, row, sources, "change", ": ...")
            return
        source = next(iter(sources), None)
        if source is None and (types := self.types_with(target)):
            self.change_member(change, types, where)
            return
        table = self.table_that_had(row) if source is None else source.declaration.name.text
        touched = [
            self.touch((table or row, row, each.name.text), "change", each.span, each.value, where)
            for each in change.settings
        ]
        if source is None:
            if not [each for each in touched if self.touches.lost(each)]:
                rows = [cell for each in self.gathered.tables.values() for cell in each.row_names()]
                words = [
                    each
                    for entry in self.gathered.of(ast.TypeDecl)
                    for each in entry.declaration.alternatives
                ]
                rows += [each.name for each in words if isinstance(each, ast.NamedType)]
                self.no_such(name, rows, "row", hint=meant.changed(self.gathered, change, row))
            return
        for setting, each in zip(change.settings, touched, strict=True):
            if (earlier := self.changed_before(source, name, setting, where)) is not None:
                self.fault(
                    Code.DUPLICATE_NAME,
                    setting.span,
                    tr("`{setting}` of `{row}` is changed twice", setting=setting.name.text, row=row),
                    labels=(Label(earlier, "changed here before"),),
                    hint="leave one of them out",
                )
                continue
            self.touches.add(each)
            source.changes.append(Changed(name, setting, where, change.citation))

    def types_with(self, target: ast.Expr) -> list[tuple[ast.TypeDecl, ast.NamedType]]:
        """The types with a member of that name, or `Terrain.forest` of one of them, each with the member."""
        of = (
            target.of.name if isinstance(target, ast.Member) and isinstance(target.of, ast.NameExpr) else None
        )
        name = target.name.text if isinstance(target, ast.Member) else getattr(target, "name", "")
        types = [entry.declaration for entry in self.gathered.of(ast.TypeDecl)]
        declared = {each.name.text for each in types} | set(self.gathered.tables)
        return [
            (decl, each)
            for decl in types
            for each in decl.alternatives
            if isinstance(each, ast.NamedType) and each.name == name and name not in declared
            if of in {None, decl.name.text}
        ]

    def change_member(
        self, change: ast.Change, types: list[tuple[ast.TypeDecl, ast.NamedType]], where: Where
    ) -> None:
        """Another label for a member of a type."""
        (decl, member), *others = types
        if others:
            names = [each.name.text for each, _ in types]
            message = tr(
                "`{member}` is a member of {names}",
                member=member.name,
                names=" and ".join(f"`{each}`" for each in names),
            )
            hint = tr("write `change {names}.{member}: ...`", names=names[0], member=member.name)
            self.fault(Code.AMBIGUOUS_NAME, change.target.span, message, hint=hint)
            return
        words = self.gathered.words.setdefault((decl.name.text, member.name), {})
        for setting in change.settings:
            found = re.fullmatch(r"name(?:\s+(\w+))?", setting.name.text)
            if found is None:
                message = tr(
                    "`{member}` is a member of the type `{decl}`, and has no columns",
                    member=member.name,
                    decl=decl.name.text,
                )
                labels = (Label(member.span, "declared here"),)
                hint = 'its label is changed by `name = "..."`; what a row prints belongs to a table'
                self.fault(Code.UNKNOWN_NAME, setting.name.span, message, labels=labels, hint=hint)
            elif not isinstance(setting.value, ast.Text):
                hint = tr(
                    'write `{setting} = "{setting2}"`',
                    setting=setting.name.text,
                    setting2=setting.value.span.text,
                )
                message = "words for players stand in quotes"
                self.fault(Code.TYPE_MISMATCH, setting.value.span, message, hint=hint)
            elif where is not None:
                message = "what a member of a type is called cannot change in one mode only"
                hint = "change it outside of the modes, or give the mode a member of its own"
                self.fault(Code.NOT_BUILT, setting.span, message, hint=hint)
            else:
                path = (decl.name.text, member.name, setting.name.text)
                self.touches.add(self.touch(path, "change", setting.span, setting.value, where))
                words[found[1] or ""] = setting.value.text

    def changed_before(
        self, source: TableSource, row: ast.Name, setting: ast.Setting, where: Where
    ) -> Span | None:
        """Where the same layer changes the same cell to something else already."""
        for known, other, there, _ in source.changes:
            is_same = known.text == row.text and other.name.text == setting.name.text and there == where
            layer = self.gathered.layer_of.get(other.span.source.name, 0)
            if is_same and layer == self.layer and other.value != setting.value:
                return other.span
        return None

    def tables_with(self, row: str, of: str | None = None) -> list[TableSource]:
        """The tables that have a row of this name, or the one that is named, if it has."""
        found = [table for table in self.gathered.tables.values() if row in table.row_names()]
        return [each for each in found if of in {None, each.declaration.name.text}]

    def of_several(self, at: Span, row: str, sources: list[TableSource], verb: str, more: str = "") -> None:
        """Tells that several tables have the row that is meant."""
        names = [each.declaration.name.text for each in sources]
        labels = [
            Label(line.cells[0].span, tr("a row of `{table}`", table=source.declaration.name.text))
            for source in sources
            for group in source.groups
            for line in group.rows
            if line.cells and line.cells[0].text == row
        ]
        self.fault(
            Code.AMBIGUOUS_NAME,
            at,
            tr("`{row}` is a row of {names}", row=row, names=" and ".join(f"`{each}`" for each in names)),
            labels=tuple(labels),
            hint=tr(
                "say of which table: `{line}`",
                line=f"{verb} {names[0]}.{row}{more}",
            ),
        )

    def table_that_had(self, row: str) -> str | None:
        """The table from which another layer has removed a row."""
        return next((each.path[0] for each in self.touches.done if each.path[1:] == (row,)), None)

    def replace(self, verb: ast.Replace, mode: str | None) -> None:
        new, where = verb.declaration, self.gathered.modes.where(mode)
        name = _called(new)
        if not name:
            hint = "`remove [ID]` takes away what cites an id; then write your own"
            if isinstance(new, ast.Setup):
                hint = "a setup with a name, as in `replace setup red:`, takes the place of all that has this name"
            self.fault(Code.UNKNOWN_NAME, verb.span, "only what has a name can be replaced", hint=hint)
            return
        touch = self.touch((name,), "replace", verb.span, new, where)
        if isinstance(new, ast.Table) and new.name.text in self.gathered.tables:
            self.touches.add(touch)
            self.displace(verb, self.gathered.tables[new.name.text].declaration)
            self.replace_table(new, where)
            return
        same = [
            index
            for index, entry in enumerate(self.gathered.entries)
            if type(entry.declaration) is type(new) and _called(entry.declaration) == name
        ]
        if not same and isinstance(new, ast.Test) and self.lacks_tests:
            self.gathered.entries.append(Entry(new, mode, self.layer, where))
            return  # the test that it is about is not read here
        if not same:
            if not self.touches.lost(touch):
                names = [n for entry in self.gathered.entries if (n := _called(entry.declaration))]
                self.no_such(ast.Name(name, span=verb.span), names, "declaration")
                return
        else:
            self.touches.add(touch)
        for index in same:
            self.displace(verb, self.gathered.entries[index].declaration)
        if isinstance(new, ast.Setup):
            for entry in [self.gathered.entries[index] for index in same]:
                self.leave(entry, None, where)
            self.gathered.entries.append(Entry(new, mode, self.layer, where))
            return
        own = [index for index in same if self.gathered.entries[index].mode == mode]
        at = own[0] if own else len(self.gathered.entries)
        self.gathered.entries[at : at + len(own[:1])] = [Entry(new, mode, self.layer, where)]

    def displace(self, verb: ast.Replace, old: Any) -> None:
        """Notes what the declaration had that stood there before: other files may go on using it."""
        name = getattr(verb.declaration, "name", None)
        span = name.span if isinstance(name, ast.Name) else verb.span
        gone = set(_parts(old)) - set(_fields(verb.declaration))
        self.gathered.displaced.update(dict.fromkeys(sorted(gone), span))

    def replace_table(self, new: ast.Table, where: Where) -> None:
        source = self.gathered.tables[new.name.text]
        if where is None:
            self.gathered.tables[new.name.text] = _begun(new, Group(new.rows[0], new.rows[1:]))
        elif not new.params:
            hint = tr(
                "write `remove ROW`, `change ROW: ...` and `extend {new}:` in the mode", new=new.name.text
            )
            message = "a table of kinds cannot be replaced in one mode only"
            self.fault(Code.NOT_BUILT, new.name.span, message, hint=hint)
        elif self.same_reading(source.declaration, new):
            source.cut(self.gathered.modes, where)
            source.groups.append(Group(new.rows[0], new.rows[1:], where))

    def remove(self, verb: ast.Remove, where: Where) -> None:
        assert verb.name is not None
        if verb.kind is not None and verb.kind.text == "setup":
            self.remove_setup(verb, f"setup {verb.name.text}", where)
            return
        name = verb.name.text
        of = verb.table.text if verb.table is not None else None
        sources = [] if verb.kind is not None else self.tables_with(name, of)
        if len(sources) > 1:
            self.of_several(verb.name.span, name, sources, "remove")
            return
        if sources:
            self.remove_row(verb, name, sources[0], where)
            return
        if verb.table is not None and not self.touches.lost(
            self.touch((verb.table.text, name), "remove", verb.span, None, where)
        ):
            source = self.gathered.tables.get(verb.table.text)
            if self.is_part(verb.table.text, name):
                self.fault(
                    Code.UNKNOWN_NAME,
                    verb.name.span,
                    "`remove` takes away whole declarations and rows",
                    hint=tr(
                        "a field or column stays: say the declaration of `{of}` again without it, behind `replace`",
                        of=verb.table.text,
                    ),
                )
            elif source is None:
                self.no_such(verb.table, list(self.gathered.tables), "table", "remove", what="table")
            else:
                self.no_such(verb.name, source.row_names(), "row", "remove", what="row")
            return
        if verb.kind is not None and (rows := self.tables_with(name)):
            rows = self.tables_with(name, verb.kind.text) or rows
            line = f"remove {rows[0].declaration.name.text}.{name}"
            message = tr("`{name}` is a row of a table", name=name)
            self.fault(Code.UNKNOWN_NAME, verb.kind.span, message, hint=tr("write `{line}`", line=line))
            return
        found = [entry for entry in self.gathered.entries if named(entry.declaration) == name and of is None]
        if verb.kind is not None and found:
            kind = verb.kind.text
            found, others = [each for each in found if _keyword(each.declaration) == kind], found
            if not found:
                self.no_such_kind(verb.kind, name, _keyword(others[0].declaration))
                return
        table = of or self.table_that_had(name)
        touch = self.touch((table, name) if table else (name,), "remove", verb.span, None, where)
        if not found:
            if not self.touches.lost(touch):
                names = [n for entry in self.gathered.entries if (n := named(entry.declaration))]
                self.no_such(
                    verb.name,
                    names,
                    "declaration",
                    "remove",
                    what="declaration or row",
                    hint=meant.removed(self.gathered, name),
                )
            return
        self.touches.add(touch)
        self.gathered.gone[name] = verb.span
        for entry in found:
            if isinstance(entry.declaration, ast.Piece) and entry.declaration.of is not None:
                self.gathered.gone[pieces_of(entry.declaration.of.text)] = verb.span
            self.leave(entry, None, where)

    def is_part(self, of: str, name: str) -> bool:
        """Is it a column of a table, or a field of a type?"""
        if of in self.gathered.tables:
            return name in self.gathered.tables[of].heads
        return any(name in _fields_of(each.declaration, of) for each in self.gathered.entries)

    def remove_row(self, verb: ast.Remove, name: str, source: TableSource, where: Where) -> None:
        """Takes away a row of a table, with what actions do in its case."""
        rows = [
            row for group in source.groups for row in group.rows if row.cells and row.cells[0].text == name
        ]
        table = source.declaration.name.text
        self.touches.add(self.touch((table, name), "remove", verb.span, None, where))
        source.remove(self.gathered.modes, rows, where)
        self.leave_read_rows([name], where, table)
        if all(each is source for each in self.tables_with(name)):
            self.gathered.gone[name] = verb.span
            self.leave_cases([name], where)
        else:
            self.leave_cases([name], where, table)

    def no_such_kind(self, kind: ast.Name, name: str, keyword: str) -> None:
        """Tells that what is removed is something else than what the word before it says."""
        self.fault(
            Code.UNKNOWN_NAME,
            kind.span,
            tr("`{name}` is no {kind}", name=name, kind=kind.text),
            hint=tr("write `remove {keyword} {name}`, or `remove {name}` alone", keyword=keyword, name=name),
        )

    def leave_cases(self, rows: list[str], where: Where, table: str = "") -> None:
        """What actions do in the case of a row goes with it; where others have such a row, that of this table alone."""
        for entry in list(self.gathered.entries):
            case = entry.declaration
            if isinstance(case, ast.Action) and any(
                param.type is None
                and param.name.text in rows
                and (not table or self.is_of(case, number, table))
                for number, param in enumerate(case.params)
            ):
                self.leave(entry, None, where)

    def leave_read_rows(self, rows: list[str], where: Where, table: str) -> None:
        """What tables that are read by the rows of a table have for some of these goes with them."""
        types = self.types_of(table)
        unions = [each.declaration for each in self.gathered.of(ast.TypeDecl)]
        for _ in unions:
            types |= {
                union.name.text
                for union in unions
                if any(isinstance(part, ast.NamedType) and part.name in types for part in union.alternatives)
            }
        for source in self.gathered.tables.values():
            read_by = source.declaration.params[0].type if source.declaration.params else None
            if isinstance(read_by, ast.NamedType) and read_by.name in types:
                read = [row for group in source.groups for row in group.rows]
                read = [row for row in read if row.cells and row.cells[0].text in rows]
                source.remove(self.gathered.modes, read, where)

    def is_of(self, case: ast.Action, number: int, table: str) -> bool:
        """Is what a case of an action is about a row of a table, or a piece of that kind?"""
        types = self.types_of(table)
        heads = (each.declaration for each in self.gathered.of(ast.Action))
        return any(
            isinstance(kind := head.params[number].type, ast.NamedType) and kind.name in types
            for head in heads
            if head.name.text == case.name.text and number < len(head.params)
        )

    def types_of(self, table: str) -> set[str]:
        """The names of the types that the rows of a table stand for: its own, and those of its pieces."""
        pieces = (each.declaration for each in self.gathered.of(ast.Piece))
        return {table, *(each.name.text for each in pieces if each.of is not None and each.of.text == table)}

    def remove_setup(self, verb: ast.Remove, name: str, where: Where) -> None:
        """Takes away what is set up under one name, however many blocks it has."""
        assert verb.name is not None
        found = [entry for entry in self.gathered.entries if _called(entry.declaration) == name]
        touch = self.touch((name,), "remove", verb.span, None, where)
        if found:
            self.touches.add(touch)
        elif not self.touches.lost(touch):
            setups = [e.declaration for e in self.gathered.entries if isinstance(e.declaration, ast.Setup)]
            known = sorted({each.side.text for each in setups if each.side is not None})
            self.no_such(verb.name, known, "declaration", "remove", what="setup")
        for entry in found:
            self.leave(entry, None, where)

    def remove_cited(self, verb: ast.Remove, handle: str, where: Where) -> None:
        """Takes away all that carries a citation: whole clauses, and rows, fields and statements within others."""
        found = self.remove_cited_rows(handle, where, verb.span) + self.remove_cited_lines(handle, where)
        paths: list[Path] = [(f"[{handle}]",)]
        for entry in list(self.gathered.entries):
            kept, hit = without(entry.declaration, handle)
            if hit:
                found += 1
                head = named(entry.declaration)
                paths += [(head, f"[{handle}]")] if head else []
                self.leave(entry, kept, where)
        touches = [self.touch(path, "remove", verb.span, None, where) for path in paths]
        if found:
            for touch in touches:
                self.touches.add(touch)
            self.gathered.gone[handle] = verb.span
        elif not self.touches.lost(touches[0]):
            assert verb.cited is not None
            known = sorted({each for entry in self.gathered.entries for each in _handles(entry.declaration)})
            near = nearest_handle(handle, known)
            hint = (
                tr("did you mean `[{near}]`?", near=near)
                if near
                else "its citation stands at the end of the line to remove"
            )
            message = tr("no line of the game cites `{handle}`, so nothing is removed", handle=handle)
            self.fault(Code.UNKNOWN_NAME, verb.cited.span, message, hint=hint)

    def leave(self, entry: Entry, kept: Any, where: Where) -> None:
        """Lets a declaration hold no more in some modes; `kept`, what is left of it, holds there."""
        modes = self.gathered.modes
        at = next(index for index, each in enumerate(self.gathered.entries) if each is entry)
        left = modes.without(entry.modes, where)
        found = [replace(entry, where=left)] if left is None or left else []
        if kept is not None:
            found.append(replace(entry, declaration=kept, where=modes.both(entry.modes, where)))
        self.gathered.entries[at : at + 1] = found

    def remove_cited_rows(self, handle: str, where: Where, at: Span) -> int:
        count = 0
        for source in self.gathered.tables.values():
            rows = [row for group in source.groups for row in group.rows if cites(row, handle)]
            if rows:
                source.remove(self.gathered.modes, rows, where)
                names = [row.cells[0].text for row in rows if row.cells and not source.declaration.params]
                self.gathered.gone.update(dict.fromkeys(names, at))
                self.leave_cases(names, where)
                self.leave_read_rows(names, where, source.declaration.name.text)
            count += len(rows)
        return count

    def remove_cited_lines(self, handle: str, where: Where) -> int:
        count = 0
        modes = self.gathered.modes
        for name, lines in self.gathered.extra_lines.items():
            hit = [line for line, _ in lines if cites(line, handle)]
            count += len(hit)
            left = [
                (line, modes.without(own, where) if any(line is each for each in hit) else own)
                for line, own in lines
            ]
            self.gathered.extra_lines[name] = [(line, own) for line, own in left if own is None or own]
        return count

    def no_such(
        self,
        name: ast.Name,
        names: list[str],
        thing: Thing,
        verb: str = "change",
        *,
        what: str = "",
        hint: meant.Hint = meant.NONE,
    ) -> None:
        """Tells of a name that a verb cannot be about; `hint` is said where it is sure, or no other name is near."""
        near = "" if hint.is_sure else nearest(name.text, names)
        changed = any(
            isinstance(each, ast.Change)
            and each.target.span.source is name.span.source
            and _begins(each.target) == near
            for each, _ in self.late
        )
        clear = is_clear(name.text, names) and not changed
        said = Meant(name.text, near, is_clear=clear) if near else hint.text
        message = tr("there is no {what} `{name}` to {verb}", what=what or thing, name=name.text, verb=verb)
        subject = Subject(thing, name.text)
        fault = Diagnostic(Code.UNKNOWN_NAME, message, name.span, hint=said, subject=subject)
        self.diagnostics.add(fault.with_fix())


def _keyword(declaration: Any) -> str:
    """The word that a declaration begins with."""
    return str(declaration.span.text.split(maxsplit=1)[0])


def _handles(node: Any) -> tuple[str, ...]:
    cited = getattr(node, "citation", None)
    return (*cited.ids, *cited.families) if isinstance(cited, ast.Citation) else ()


def _begins(target: ast.Expr) -> str:
    """The name with which what is changed begins: of `Terrain.hill` that of the type."""
    while isinstance(target, ast.Member):
        target = target.of
    return target.span.text


def _called(declaration: Any) -> str | None:
    """The name under which a declaration can be replaced: of a test its title, of a setup that of whose it is."""
    match declaration:
        case ast.Test(title=title):
            return f'test "{title.text}"'
        case ast.Setup(side=ast.Name(text=side)):
            return f"setup {side}"
        case _:
            return named(declaration)


def _fields(declaration: Any) -> tuple[str, ...]:
    """The fields that pieces have of their own."""
    if not isinstance(declaration, ast.Piece):
        return ()
    return tuple(each.name.text for each in declaration.fields)


def _fields_of(declaration: Any, name: str) -> tuple[str, ...]:
    """The fields that a declaration gives to the members of a type."""
    match declaration:
        case ast.State(of=ast.Name(text=of)) if of == name:
            return tuple(each.name.text for each in declaration.fields)
        case ast.Piece(name=ast.Name(text=of)) if of == name:
            return _fields(declaration)
        case _:
            return ()


def _parts(declaration: Any) -> tuple[str, ...]:
    """The names that others may use of a declaration: its own, and those of its rows, columns, members or signs."""
    own = named(declaration)
    names = (own,) if own else ()
    match declaration:
        case ast.Table(rows=(head, *rows), params=()):
            columns = [head_name(cell) for cell in head.cells[1:]]
            return (*names, *columns, *(row.cells[0].text.split(" ")[0] for row in rows if row.cells))
        case ast.TypeDecl():
            return (*names, *(e.name for e in declaration.alternatives if isinstance(e, ast.NamedType)))
        case ast.Piece():
            return (*names, *_fields(declaration))
        case ast.Legend():
            return (*names, *(line.sign.text for line in declaration.lines))
        case _:
            return names


def _begun(table: ast.Table, group: Group) -> TableSource:
    """A table with its own rows alone."""
    return TableSource(table, [group], captions=[(table.rows[0], each) for each in table.captions])
