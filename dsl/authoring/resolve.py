"""Everything that bears on one name: where it is declared, each clause and mod that has a say in it, and who uses it.

    found = resolved(program, modules, "factor")
    found.groups[0].entries[0].text

A name is a value, action, phase, table, row, column (`Troop.cost`), cell (`MI.cost`), field, option, piece, menu or the
id of a rule. Which clauses are over which, and the order of reactions, are those of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dsl.authoring.edits import Edit, edits
from dsl.authoring.entries import Entry, Group, Resolved
from dsl.authoring.mentions import Mentions
from dsl.authoring.survey import signature
from dsl.authoring.words import source_of, titles, type_words
from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Meant
from dsl.engine.display import member_name, text_of
from dsl.ir.program import Action, Clause, Place, Program, Value
from dsl.linker.layers import Layer
from dsl.linker.modules import Modules
from dsl.source import Source, Span
from dsl.syntax import ast
from dsl.syntax.trees import handles_of, walk

MOST_LINES = 12
_GAP = re.compile(r"(?<=[^|\s]) {3,}(\[[^\[\]]*\])$")
"""The space before a citation that stands in a column of its own."""
HOOKS = ("before", "instead", "after")
STAGE_WORDS = {
    "becomes": "becomes",
    "times": "times",
    "plus": "plus and minus",
    "at_least": "at least",
    "at_most": "at most",
}


def undecided(diagnostics: Iterable[Diagnostic]) -> list[tuple[Span, Span]]:
    """The pairs of clauses of which the compiler could not find out whether they contradict each other."""
    return [
        (each.span, each.cause)
        for each in diagnostics
        if each.code is Code.MAY_CONTRADICT and each.span is not None and each.cause is not None
    ]


def resolved(
    program: Program,
    modules: Modules,
    name: str,
    language: str = "",
    *,
    pairs: Sequence[tuple[Span, Span]] = (),
) -> Resolved | str:
    """What bears on a name of a program and the trees that it was compiled from, or what to say where nothing has
    it; labels are in a language. `pairs` are the clauses that may contradict each other.
    """
    reader = _Reader(program, modules, language)
    found = reader.find(name)
    if found is None:
        hint = Meant.among(name, sorted(reader.known()), 0.5) or "`scenarii show` lists what there is"
        return f"there is nothing called `{name}`; {hint}"
    rivals: dict[str, list[str]] = {}
    for one, two in pairs:
        rivals.setdefault(reader.place(one), []).append(reader.place(two))
        rivals.setdefault(reader.place(two), []).append(reader.place(one))
    groups = (
        replace(
            group,
            entries=tuple(
                replace(each, undecided=tuple(rivals.get(each.where, ()))) for each in group.entries
            ),
        )
        for group in found.groups
    )
    return replace(found, groups=tuple(each for each in groups if each.entries))


class _Reader:
    """A compiled game, asked about one name."""

    def __init__(self, program: Program, modules: Modules, language: str) -> None:
        self.program = program
        self.language = language
        self.layers: tuple[Layer, ...] = tuple(modules.layers)
        names = modules.file_names()
        self.sources: dict[str, Source] = {each.name: each for each in modules.sources.values()}
        self.file_of = {inside: name for name, inside in names.items()}
        """Each file by its name inside its game: what its author calls it from where he stands."""
        self.titles = titles(program, language)
        self.edits = edits(self.layers)
        self.mentions = Mentions(self.layers)
        self.words = dict(_words(self.layers))
        self.homes = {
            file.span.source.name: layer.header for layer in self.layers for file in layer.files
        } | {layer.header.span.source.name: layer.header for layer in self.layers}

    def known(self) -> set[str]:
        """All names that can be asked for."""
        program = self.program
        found = {each.name for each in program.values} | {each.name for each in program.actions}
        found |= {each.name for each in program.vars} | {each.name for each in program.options}
        found |= {each.name for each in program.pools} | {each.name for each in program.data}
        found |= {member for each in program.domains if each.kind == "row" for member in each.members}
        found |= {each.name for each in program.domains if each.kind == "row"}
        found |= {handle for each in program.clauses for handle in (*each.ids, *each.families)}
        return found | set(self.mentions.declared)

    def find(self, name: str) -> Resolved | None:
        """The first of the sorts of things that has this name."""
        program = self.program
        for value in program.values:
            if value.name == name:
                return self.value(value)
        for action in program.actions:
            if action.name == name:
                return self.action(action)
        table, _, column = name.partition(".")
        for domain in program.domains:
            if domain.kind == "row" and name in domain.members:
                return self.row(domain.name, name)
            if domain.kind == "row" and table in domain.members and column:
                return self.cell(domain.name, table, column)
            cells = self.printed(domain.members, column) if domain.name == table and column else ()
            if cells:
                groups = (Group("declared", tuple(self.column(name))), Group("printed", cells))
                return Resolved(name, "column", name, groups)
        return self.other(name)

    # ------------------------------------------------------------ values

    def value(self, value: Value) -> Resolved:
        kinds = [type_words(self.program, each) for each in value.params]
        head = f"{signature(value.name, value.names, kinds)} -> {type_words(self.program, value.result)}"
        own = [self.entry(value.clause)] if value.clause is not None else []
        if value.clause is None:
            own = self.column(value.name)
        clauses = [(each.clause, each.overruled_by) for each in value.clauses]
        entries = self.ranked(clauses)
        groups = [Group("declared", tuple(own))]
        for stage in _stages(value.stages):
            found = [entry for entry, each in zip(entries, value.clauses, strict=True) if each.stage == stage]
            groups.append(Group(STAGE_WORDS[stage], tuple(dict.fromkeys(found))))
        kind = "value" if value.clause is not None else "column"
        if any(action.name == value.name.partition(".")[0] for action in self.program.actions):
            kind = "parameter"
        return Resolved(value.name, kind, head, (*groups, *self.common(value.name, entries + own)))

    def printed(self, rows: Iterable[str], column: str) -> tuple[Entry, ...]:
        """What is printed in a column that no clause modifies, row by row."""
        found = (
            (row, group) for row in rows for group in self.row("", row).groups if group.name == "printed"
        )
        return tuple(
            replace(each, text=(f"{row}.{each.text[0]}",))
            for row, group in found
            for each in group.entries
            if each.text[0].startswith(f"{column}:")
        )

    def column(self, name: str) -> list[Entry]:
        """Where a printed column stands."""
        table = name.partition(".")[0]
        return [self.at(span) for span in self.mentions.declared.get(table, ())][:1]

    # ------------------------------------------------------------ actions

    def action(self, action: Action) -> Resolved:
        shown = [index for index in range(len(action.params)) if index != action.by]
        kinds = [type_words(self.program, action.params[index]) for index in shown]
        head = signature(action.name, [action.names[index] for index in shown], kinds)
        head += f" by {action.names[action.by]}" if action.by is not None else ""
        head += re.sub(r"\{(\d+)\}", lambda at: f"{{{action.names[int(at[1])]}}}", self.label(action.label))
        own = [self.entry(action.clause)] if action.clause is not None else []
        declared = self.mentions.declared.get(action.name, ())
        own = [self.at(span, self.clause(action.clause)) for span in declared] or own
        entries = self.ranked([(each.clause, each.overruled_by) for each in action.prohibitions])
        pairs = list(zip(entries, action.prohibitions, strict=True))
        groups = [Group("declared", tuple(own))]
        for kind in ("need", "forbid", "allow"):
            found = tuple(
                entry for entry, each in pairs if each.kind == kind and each.clause != action.clause
            )
            groups.append(Group(f"{kind}s", found))
        groups.append(Group("modified", self.modified(action.name)))
        for hook in HOOKS:
            groups.append(
                Group("instead of" if hook == "instead" else hook, self.reactions(action.name, hook))
            )
        rows = tuple(
            self.entry(number)
            for number, each in enumerate(self.program.clauses)
            if each.kind == "row" and each.name.startswith(f"{action.name} ")
        )
        groups.append(Group("rows", rows))
        groups.append(Group("offered in", tuple(map(self.at, self.mentions.offers(action.name)))))
        groups.append(Group("ordered in", tuple(map(self.at, self.mentions.orders(action.name)))))
        every = [entry for group in groups for entry in group.entries]
        return Resolved(
            action.name, action.kind, head, (*groups, *self.common(action.name, every, used=False))
        )

    def reactions(self, name: str, hook: str) -> tuple[Entry, ...]:
        """The reactions of an action, in the order in which they are done."""
        places = {
            self.where(each): number
            for number, each in reversed(list(enumerate(self.program.clauses)))
            if each.kind == hook and each.name == name
        }
        found = sorted(places.values())
        ordered = hook != "instead" and len(found) > 1
        return tuple(
            replace(
                self.entry(each),
                note=tr("number {rank} of {count}", rank=rank, count=len(found)) if ordered else "",
            )
            for rank, each in enumerate(found, 1)
        )

    # ------------------------------------------------------------ rows and cells

    def row(self, table: str, name: str) -> Resolved:
        spans = self.mentions.declared.get(name, ())
        own = tuple(self.at(span) for span in spans)
        cells = []
        for cell in self.mentions.cells(name):
            changes = {
                row: [
                    each
                    for each in self.edits
                    if each.verb == "change" and each.target == f"{row}.{cell.column}"
                ]
                for row in cell.rows
            }
            of = next((row for row in cell.rows if changes[row]), cell.rows[-1])
            shown = [cell.text] if of == cell.rows[-1] else []
            text = " → ".join([*shown, *(each.now for each in changes[of])])
            last = changes[of][-1] if changes[of] else None
            place = self.place(last.span if last else cell.span)
            note = (
                tr("like {of}", of=of)
                if of != name
                else "the default"
                if cell.is_default and last is None
                else ""
            )
            origin = self.origin(last.span) if last else ""
            cells.append(Entry((f"{cell.column}: {text}",), place, origin=origin, note=note))
        groups = [Group("declared", own), Group("printed", tuple(cells))]
        modified = self.modified(table)
        groups.append(Group("columns modified", modified))
        head = f"{name}{self.row_label(table, name)}"
        return Resolved(name, f"row of {table}", head, (*groups, *self.common(name, own)))

    def modified(self, table: str, column: str = "") -> tuple[Entry, ...]:
        """The clauses that change columns of a table, or parameters of an action."""
        found: list[Entry] = []
        for value in self.program.values:
            of, _, name = value.name.partition(".")
            if of == table and name and column in {"", name} and value.clause is None:
                entries = self.ranked([(each.clause, each.overruled_by) for each in value.clauses])
                stages = [STAGE_WORDS[each.stage] for each in value.clauses]
                found += [replace(entry, note=stage) for entry, stage in zip(entries, stages, strict=True)]
        return tuple(dict.fromkeys(found))

    def cell(self, table: str, row: str, column: str) -> Resolved | None:
        whole = self.row(table, row)
        own = tuple(
            entry
            for group in whole.groups
            for entry in group.entries
            if group.name == "printed" and entry.text[0].startswith(f"{column}: ")
        )
        if not own:
            return None
        groups = (Group("printed", own), Group("modified", self.modified(table, column)))
        name = f"{row}.{column}"
        return Resolved(name, f"cell of {table}", own[0].text[0], (*groups, self.changes(name)))

    # ------------------------------------------------------------ everything else

    def other(self, name: str) -> Resolved | None:
        """A field, option, piece, menu, table, or all clauses of an id or family."""
        numbers = [
            number for number, each in enumerate(self.program.clauses) if name in (*each.ids, *each.families)
        ]
        if numbers:
            places = {self.where(self.program.clauses[each]): each for each in reversed(numbers)}
            entries = tuple(self.entry(each) for each in sorted(places.values()))
            title = self.titles.get(name, "")
            return Resolved(
                name,
                "rule",
                f"{name} {title}".strip(),
                (Group("declared", entries), self.changes(f"[{name}]"), self.tests(name, entries)),
            )
        spans = self.mentions.declared.get(name)
        if not spans:
            return None
        own = tuple(self.at(span) for span in spans)
        kind, program = self.mentions.kinds[name], self.program
        labelled = [(each.name, each.label) for each in program.vars]
        labelled += [(each.name, each.label) for each in program.options]
        labelled += [(each.name, each.label) for each in program.domains]
        labels = (self.label(label) for called, label in labelled if called.rpartition(".")[2] == name)
        head = f"{name}{next(filter(None, labels), '')}"
        return Resolved(name, kind, head, (Group("declared", own), *self.common(name, own)))

    # ------------------------------------------------------------ what all have

    def common(self, name: str, own: Iterable[Entry], *, used: bool = True) -> tuple[Group, ...]:
        """Changes by mods, uses in other rules, and tests."""
        seen = {entry.where for entry in own}
        uses = [entry for span in self.mentions.uses(name) if (entry := self.at(span)).where not in seen]
        return (self.changes(name), Group("used in", tuple(uses) if used else ()), self.tests(name, own))

    def changes(self, name: str) -> Group:
        """What mods and scenarios change of it, each with what was there."""
        found = [each for each in self.edits if not each.clause and _about(each.target, name)]
        return Group("changed by", tuple(map(self.edited, found)))

    def edited(self, edit: Edit) -> Entry:
        told = f"{edit.verb} {edit.target}"
        told += f": {edit.was} → {edit.now}" if edit.now else ""
        note = tr("it stood at {place}", place=self.place(edit.earlier)) if edit.earlier is not None else ""
        return Entry((told,), self.place(edit.span), origin=self.origin(edit.span), note=note)

    def tests(self, name: str, own: Iterable[Entry]) -> Group:
        """The tests that pin its rules, or that name it."""
        ids = {rule for entry in own for rule in entry.source.strip("[]").split(", ")} | {name}
        naming = {self.place(span) for span in self.mentions.tests(name)}
        found = []
        for test in self.program.tests:
            pinned = [each for each in (*test.ids, *test.pins) if each in ids]
            at = self.stands(test.place)
            if pinned or at in naming:
                note = tr("pins {fromkeys}", fromkeys=", ".join(dict.fromkeys(pinned))) if pinned else ""
                found.append(Entry((test.title,), at, note=note))
        return Group("tests", tuple(found))

    def ranked(self, clauses: Sequence[tuple[int, Sequence[int]]]) -> list[Entry]:
        """Clauses of one head with what each is over."""
        entries = []
        for at, (number, above) in enumerate(clauses):
            over = [self.handle(other) for other, ranks in clauses if at in ranks]
            lifted = [self.handle(clauses[each][0]) for each in above]
            entry = replace(self.entry(number), over=tuple(over), lifted_by=tuple(lifted))
            entries.append(replace(entry, note=self.named(number)))
        return entries

    def named(self, number: int) -> str:
        """How a clause that cites nothing is called behind `over`."""
        clause = self.program.clauses[number]
        if source_of(clause) or clause.kind not in {"need", "forbid"}:
            return ""
        found = self.words.get((self.where(clause), clause.place.column), "")
        return f"over {found}" if found else ""

    def handle(self, number: int) -> str:
        """What a clause is called by others: its citation, where it has one, and its place."""
        clause = self.program.clauses[number]
        return f"{source_of(clause)} {self.where(clause)}".strip()

    # ------------------------------------------------------------ labels

    def label(self, index: int | None) -> str:
        """A label in the language that was asked for, in quotes behind a name; empty where there is none."""
        text = text_of(self.program, index, self.language)
        return f' "{text}"' if text else ""

    def row_label(self, table: str, row: str) -> str:
        for number, each in enumerate(self.program.domains):
            if each.name == table and row in each.members:
                name = member_name(self.program, number, each.members.index(row), self.language)
                return f' "{name}"' if name != row else ""
        return ""

    # ------------------------------------------------------------ places

    def clause(self, number: int | None) -> Clause | None:
        return None if number is None else self.program.clauses[number]

    def entry(self, number: int) -> Entry:
        """A clause of the program, in its author's words."""
        clause = self.program.clauses[number]
        return self._entry(self.lines(clause.place) or (clause.text,), self.where(clause), source_of(clause))

    def at(self, span: Span, clause: Clause | None = None) -> Entry:
        """A place in the trees, with the citation that the program has for it."""
        place = self.place(span)
        clause = clause or next(
            (each for each in self.program.clauses if self.where(each) == place and source_of(each)), None
        )
        lines = self.lines(Place(span.source.name, span.line, span.column, span.end_line, span.end_column))
        return self._entry(lines, place, source_of(clause))

    def _entry(self, lines: tuple[str, ...], place: str, source: str) -> Entry:
        cited = [each for each in source.strip("[]").split(", ") if each in self.titles]
        told = tuple(f"{each} {self.titles[each]}" for each in cited)
        return Entry(lines, place, source, told, origin=self.origin_of(place.rpartition(":")[0]))

    def lines(self, place: Place) -> tuple[str, ...]:
        """The lines of a place without their indentation; long ones are cut."""
        source = self.sources.get(self.file_of.get(place.file, place.file))
        if source is None:
            return ()
        last = min(place.end_line, place.line + MOST_LINES - 1)
        found = [
            _GAP.sub(r"  \1", source.line_text(number).rstrip()) for number in range(place.line, last + 1)
        ]
        while found and not found[-1]:
            found.pop()
        edge = min((len(each) - len(each.lstrip()) for each in found if each), default=0)
        cut = ["…"] if last < place.end_line else []
        return (*(each[edge:] for each in found), *cut)

    def place(self, span: Span) -> str:
        return f"{span.source.name}:{span.line}"

    def stands(self, place: Place) -> str:
        """File and line of a place of the program."""
        return f"{self.file_of.get(place.file, place.file)}:{place.line}"

    def where(self, clause: Clause) -> str:
        return self.stands(clause.place)

    def origin(self, span: Span) -> str:
        header = self.homes.get(span.source.name)
        return f"{header.kind} {header.name.text}" if header is not None and header.kind != "game" else ""

    def origin_of(self, file: str) -> str:
        source = self.sources.get(file)
        return self.origin(source.end) if source is not None else ""


def _words(layers: Iterable[Layer]) -> Iterator[tuple[tuple[str, int], str]]:
    """For each clause that may refuse an action, by its file, line and column: its words as a handle."""
    for layer in layers:
        for file in layer.files:
            for node in walk(file.declarations):
                if isinstance(node, ast.Need | ast.Permit):
                    at = f"{node.span.source.name}:{node.span.line}", node.span.column
                    if words := [each for each in handles_of(node) if each.startswith('"')]:
                        yield at, words[0]


def _stages(stages: Iterable[str]) -> Iterator[str]:
    for each in stages:
        yield from ("at_least", "at_most") if each == "bounds" else (each,)


def _about(target: str, name: str) -> bool:
    """Is a change about this name, or about a cell of this row?"""
    return target == name or (target.startswith(f"{name}.") and "." not in name)
