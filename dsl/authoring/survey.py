"""What a game holds, as tables for its authors: kinds, cards and pieces, printed tables, values, actions, options,
fields, maps and endings, each with its place and its source.

    found = sections(program, "fr")
    found[0].rows[0].cells

Everything is read from the program, so that a compiled file can be shown as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dsl.authoring.sections import DASH, Line, Section
from dsl.authoring.words import source_of, type_words
from dsl.engine.display import choice_words, fraction, member_name, shown, text_of, worded
from dsl.engine.kinds import kinds_at_first
from dsl.engine.settings import player_counts
from dsl.ir.program import Action, Clause, Data, Domain, Program, Var
from dsl.ir.types import NONE, BagOf, Id, Int, Record, SetOf, Type


def kinds(program: Program, language: str = "", mode: int | None = None) -> tuple[Section, ...]:
    """The tables of kinds and cards alone, for players: what is printed of them is told by its labels, as it is in a
    mode, by its number, or in all of them. Of a table that says what players call its columns, or has texts where
    others say that, the others are left out.
    """
    return tuple(_Reader(program, language, labelled=True, mode=mode).kinds())


def sections(program: Program, language: str = "") -> tuple[Section, ...]:
    """All of a game, in the order in which an author thinks of it."""
    reader = _Reader(program, language)
    found = (
        reader.game(),
        *reader.options(),
        *reader.kinds(),
        *reader.pieces(),
        *reader.lookups(),
        *reader.effects(),
        *reader.fields(),
        *reader.values(),
        *reader.actions(),
        *reader.menus(),
        *reader.endings(),
    )
    return tuple(found)


class _Reader:
    """A program on its way into tables."""

    def __init__(
        self, program: Program, language: str, *, labelled: bool = False, mode: int | None = None
    ) -> None:
        self.program = program
        self.language = language
        self.labelled = labelled
        self.mode = mode
        self.columns: dict[str, list[Data]] = {}
        self.tables: dict[str, Clause] = {}
        self.rows: dict[str, Clause] = {}
        self.groups: dict[str, list[Clause]] = {}
        """For each file the tables, and rows added to them, that are cited as a whole."""
        for data in program.data:
            self.columns.setdefault(data.name.partition(".")[0], []).append(data)
        for clause in program.clauses:
            if clause.kind in {"table", "map", "piece", "type"} and clause.name:
                self.tables.setdefault(clause.name, clause)
            if clause.kind == "row":
                self.rows.setdefault(clause.name, clause)
            if clause.kind == "table" and (clause.ids or clause.house):
                self.groups.setdefault(clause.place.file, []).append(clause)

    def text(self, index: int | None) -> str:
        return text_of(self.program, index, self.language)

    def clause(self, index: int | None) -> Clause | None:
        return None if index is None else self.program.clauses[index]

    def line(self, name: str, cells: Iterable[str], clause: Clause | None) -> Line:
        return Line(name, tuple(cells), source_of(self.cited(clause)), where(clause))

    def cited(self, clause: Clause | None) -> Clause | None:
        """What a line is cited by: its own citation, or that of the rows that it stands among."""
        if clause is None or clause.kind != "row" or clause.ids or clause.house:
            return clause
        at = clause.place
        around = (
            each for each in self.groups.get(at.file, ()) if each.place.line <= at.line <= each.place.end_line
        )
        return next(around, clause)

    # ------------------------------------------------------------ the game and its options

    def game(self) -> Section:
        program = self.program
        players = program.domains[program.players]
        told = [("players", ", ".join(self.names(players)))]
        if program.scenario:
            label = self.text(program.scenario_title)
            told.append(("scenario", f"{program.scenario} ({label})" if label else program.scenario))
        for each in program.mods:
            told.append(("mod", f"{each.name} ({label})" if (label := self.text(each.label)) else each.name))
        rounds = _rounds(program)
        told.append(("rounds", str(rounds)) if rounds else ("decisions", f"at most {program.decisions}"))
        rows = tuple(Line(name, (name, text)) for name, text in told)
        title = self.text(program.title) or program.name
        return Section("game", program.name, title, ("", ""), rows)

    def names(self, domain: Domain) -> Iterator[str]:
        for index, name in enumerate(domain.members):
            label = self.text(domain.labels[index]) if index < len(domain.labels) else ""
            yield name if label in {"", name} else f"{name} ({label})"

    def options(self) -> Iterator[Section]:
        """Rulings, options and modes: each with its choices, the one that holds first."""
        rows: dict[str, list[Line]] = {}
        for option in self.program.options:
            if option.range is not None:
                low, high = option.range
                if option.name == "players" and (counts := player_counts(self.program)):
                    low = counts[0]
                choices = f"{option.default} ({low}..{high})"
                words = ""
            else:
                order = [option.default, *(n for n in range(len(option.choices)) if n != option.default)]
                choices = " | ".join(option.choices[n] for n in order)
                told = choice_words(self.program, option, self.language)
                words = " | ".join(told[n] or option.choices[n] for n in order) if any(told) else ""
            label = self.text(option.label)
            clause = self.clause(option.clause)
            rows.setdefault(option.kind, []).append(
                self.line(option.name, (option.name, choices, label, words), clause)
            )
        for kind, lines in rows.items():
            columns = ("name", "choices", "about", "words")
            in_words = any(each.cells[-1] for each in lines)
            kept = tuple(each if in_words else replace(each, cells=each.cells[:-1]) for each in lines)
            yield Section("options", f"{kind}s", f"{kind}s", columns if in_words else columns[:-1], kept)

    # ------------------------------------------------------------ kinds and pieces

    def kinds(self) -> Iterator[Section]:
        """Each table of kinds with its printed columns, and what clauses may change of them."""
        for number, domain in enumerate(self.program.domains):
            if domain.kind == "row":
                yield self.table(number, domain)

    def table(self, number: int, domain: Domain) -> Section:
        size = len(domain.members)
        columns = [each for each in self.columns.get(domain.name, ()) if each.dims[-1:] == ((0, size),)]
        if self.labelled and self.worded(columns):
            columns = [each for each in columns if each.called or self.is_text(each)]
        named = any(self.labels(domain, member) for member in range(size))
        rows = []
        for member, name in enumerate(domain.members):
            cells = [name, *([member_name(self.program, number, member, self.language)] if named else [])]
            cells += [
                " | ".join(
                    dict.fromkeys(self.printed(each, value) for value in self.of_row(each, member, size))
                )
                for each in columns
            ]
            rows.append(self.line(name, cells, self.row(domain.name, name)))
        heads = ("id", *(["name"] if named else []), *map(self.heading, columns))
        own = self.tables.get(domain.name)
        title = self.text(domain.label)
        return Section("kinds", domain.name, title, heads, tuple(rows), source_of(own), where(own))

    def worded(self, columns: Sequence[Data]) -> bool:
        """Do the words of a table for players say all that they are shown? So it is where its columns have some, and
        where it has texts alone while columns of other tables have names.
        """
        if any(each.called for each in columns):
            return True
        elsewhere = any(each.called for of in self.columns.values() for each in of)
        return elsewhere and any(map(self.is_text, columns))

    def heading(self, data: Data) -> str:
        """What heads a column: its name, or to players what they call it."""
        words, plain = dict(data.called), data.name.partition(".")[2]
        if not self.labelled:
            return plain
        near = (self.language, self.language.partition("_")[0], "")
        return next((words[each] for each in near if words.get(each)), plain)

    def is_text(self, data: Data) -> bool:
        """Does a column hold words for players?"""
        return isinstance(data.type, Id) and self.program.domains[data.type.domain].kind == "text"

    def of_row(self, data: Data, member: int, size: int) -> Sequence[int | tuple[int, ...]]:
        """What a column holds for a row: in the mode that is asked for, or in each."""
        values = data.values[member::size]
        return values if self.mode is None or len(values) == 1 else values[self.mode : self.mode + 1]

    def labels(self, domain: Domain, member: int) -> str:
        label = self.text(domain.labels[member]) if member < len(domain.labels) else ""
        return "" if label == domain.members[member] else label

    def row(self, table: str, name: str) -> Clause | None:
        return self.rows.get(f"{table} {name}") or self.rows.get(name)

    def pieces(self) -> Iterator[Section]:
        """The types of pieces: how many of each kind there are, what each remembers, and the piles."""
        for pool in self.program.pools:
            domain = self.program.domains[pool.domain]
            kinds = kinds_at_first(self.program, pool)
            counted: dict[str, int] = {}
            for member in range(len(domain.members)):
                kind = self.shown(kinds.type, kinds.values[member]) if kinds is not None else pool.name
                counted[kind] = counted.get(kind, 0) + 1
            rows = [Line(kind, (kind, str(count))) for kind, count in counted.items()]
            own = self.tables.get(pool.name)
            yield Section(
                "pieces",
                pool.name,
                self.text(domain.label),
                ("kind", "pieces"),
                tuple(rows),
                source_of(own),
                where(own),
            )
            piles = [Line(name, (name,)) for name in pool.piles]
            if piles:
                yield Section("piles", f"piles of {pool.name}", "", ("pile",), tuple(piles))

    # ------------------------------------------------------------ tables that are read or that act

    def lookups(self) -> Iterator[Section]:
        """The tables that are read by one or two arguments."""
        for data in self.program.data:
            own = self.tables.get(data.name)
            if own is None or not data.clauses or len(data.dims) > 2 or "." in data.name:
                continue
            low, height = data.dims[0]
            left, width = data.dims[1] if len(data.dims) == 2 else (0, 1)
            rows: list[Line] = []
            for line in range(height):
                entries = [data.values[line * width + at] for at in range(width)]
                cells = [str(low + line), *(self.printed(data, each) for each in entries)]
                rows.append(self.line(str(low + line), cells, self.clause(data.clauses[line * width])))
            heads = ("", *(str(left + at) if len(data.dims) == 2 else "value" for at in range(width)))
            title = self.text(own.label)
            yield Section("lookup", data.name, title, heads, tuple(rows), source_of(own), where(own))

    def printed(self, data: Data, value: int | tuple[int, ...]) -> str:
        """An entry of a table as it is printed."""
        if data.denominator > 1 and isinstance(value, int) and value != NONE:
            return fraction(value, data.denominator)
        return self.entry(data.type, value)

    def entry(self, kind: Type, value: int | tuple[int, ...]) -> str:
        if isinstance(value, tuple) and isinstance(kind, Record):
            between = "-" if kind.names == ("low", "high") else "/"
            return between.join(str(each) for each in value)
        return self.shown(kind, value)

    def effects(self) -> Iterator[Section]:
        """The tables whose rows do something: as they are written."""
        for action in self.program.actions:
            own = self.clause(action.clause)
            if own is None or own.kind != "table":
                continue
            prefix = f"{action.name} "
            clauses = [
                each for each in self.program.clauses if each.kind == "row" and each.name.startswith(prefix)
            ]
            worded = any(each.label is not None for each in clauses)
            rows = [
                self.line(each.name.removeprefix(prefix), self.effect(each, worded=worded), each)
                for each in clauses
            ]
            width = max((len(row.cells) for row in rows), default=0)
            heads = (action.names[0], *("" for _ in range(width - 1)))
            if worded:
                heads = (action.names[0], "name", "effect")
            yield Section(
                "effects",
                action.name,
                self.text(own.label),
                heads,
                tuple(rows),
                source_of(own),
                where(own),
            )

    def effect(self, row: Clause, *, worded: bool) -> tuple[str, ...]:
        """A row of a table of effects: as it is written, or, where rows have words for players, those in its language
        between what it is read by and what it does.
        """
        written = _cells(row.text)
        if not worded:
            return written
        said = self.program.texts[row.label].texts if row.label is not None else ()
        others = [each for each in written[1:] if not any(each in words for _, words in said)]
        return written[0], self.text(row.label), others[-1] if others else written[-1]

    # ------------------------------------------------------------ state and rules

    def fields(self) -> Iterator[Section]:
        """What the game remembers, of itself and of each thing."""
        grouped: dict[int | None, list[Line]] = {}
        for var in self.program.vars:
            if var.role == "field":
                grouped.setdefault(var.of, []).append(self.field(var))
        for of, lines in grouped.items():
            name = "state" if of is None else f"state of {self.program.domains[of].name}"
            yield Section("fields", name, "", ("field", "type", "called"), tuple(lines))

    def field(self, var: Var) -> Line:
        kind = type_words(self.program, var.type)
        seen = "" if var.audience is None else ", secret"
        return self.line(var.name, (var.name, kind + seen, self.text(var.label)), self.clause(var.clause))

    def values(self) -> Iterator[Section]:
        """Each value: its parameters, what it gives, and how many clauses bear on it."""
        rows = []
        for value in self.program.values:
            kinds = [type_words(self.program, each) for each in value.params]
            head = signature(value.name, value.names, kinds)
            cells = (head, type_words(self.program, value.result), str(len(value.clauses) or ""))
            rows.append(self.line(value.name, cells, self.clause(value.clause)))
        if rows:
            yield Section("values", "values", "", ("value", "gives", "clauses"), tuple(rows))

    def actions(self) -> Iterator[Section]:
        """Each action and phase: its parameters, its words, and how many clauses may refuse it."""
        rows: dict[str, list[Line]] = {"action": [], "phase": []}
        for action in self.program.actions:
            own = self.clause(action.clause)
            if own is not None and own.kind == "table":
                continue
            rows.setdefault(action.kind, []).append(self.action(action, own))
        for kind, lines in rows.items():
            if lines:
                heads = (kind, "by", "words", "may refuse it")
                yield Section("actions", f"{kind}s", "", heads, tuple(lines))

    def action(self, action: Action, own: Clause | None) -> Line:
        shown = [index for index in range(len(action.params)) if index != action.by]
        kinds = [type_words(self.program, action.params[index]) for index in shown]
        head = signature(action.name, [action.names[index] for index in shown], kinds)
        by = action.names[action.by] if action.by is not None else ""
        refusing = sum(each.kind != "allow" for each in action.prohibitions)
        words = self.text(action.label)
        for index, name in enumerate(action.names):
            words = words.replace(f"{{{index}}}", f"{{{name}}}")
        return self.line(action.name, (head, by, words, str(refusing or "")), own)

    def menus(self) -> Iterator[Section]:
        """The named menus and windows, as they are headed, with their lines."""
        for kind in ("menu", "window"):
            rows = [
                self.line(each.name, (each.name, *_head(each.text)), each)
                for each in self.program.clauses
                if each.kind == kind and each.name
            ]
            if rows:
                yield Section("menus", f"{kind}s", "", (kind, ""), tuple(rows))

    def endings(self) -> Iterator[Section]:
        rows = []
        for ending in self.program.endings:
            own = self.clause(ending.clause)
            who = (
                self.program.domains[self.program.players].members[ending.who]
                if ending.who is not None
                else ""
            )
            when = "at the bound" if ending.otherwise else "at once" if ending.at_once else ""
            cells = (ending.kind, who, self.text(ending.label), when)
            rows.append(self.line(ending.kind, cells, own))
        if rows:
            yield Section("endings", "endings", "", ("ending", "who", "words", ""), tuple(rows))

    def shown(self, kind: Type, value: int | tuple[int, ...]) -> str:
        """A printed value; members by their names, as rules call them, or by their labels."""
        if (
            value == NONE
            or (isinstance(value, tuple) and not any(value))
            or (value == 0 and isinstance(kind, SetOf))
        ):
            return DASH
        if isinstance(kind, Id) and isinstance(value, int):
            if self.program.domains[kind.domain].kind == "text":
                return member_name(self.program, kind.domain, value, self.language) or DASH
            return self.called(kind.domain)[value]
        if isinstance(kind, SetOf) and isinstance(kind.of, Id) and isinstance(value, int):
            members = self.called(kind.of.domain)
            return ", ".join(name for index, name in enumerate(members) if value >> index & 1)
        if isinstance(kind, BagOf) and isinstance(value, tuple):
            members = self.called(kind.domain)
            return ", ".join(f"{count} {name}" for count, name in zip(value, members, strict=True) if count)
        say = worded if self.labelled else shown
        return say(self.program, kind, value, self.language)

    def called(self, domain: int) -> tuple[str, ...]:
        """The members of a domain as they are called here."""
        names = self.program.domains[domain].members
        if not self.labelled:
            return names
        return tuple(member_name(self.program, domain, member, self.language) for member in range(len(names)))


def _head(text: str) -> tuple[str, ...]:
    """The head of a menu or window without its lines: what stands behind its name."""
    words = text.removesuffix(":").partition(" ")[2]
    return (re.sub(r"^\w+", "", words).strip(),)


def where(clause: Clause | None) -> str:
    """The place of a clause: file and line."""
    return "" if clause is None else f"{clause.place.file}:{clause.place.line}"


def signature(name: str, names: Sequence[str], kinds: Sequence[str]) -> str:
    """A head as an author writes it."""
    pairs = ", ".join(f"{each}: {kind}" for each, kind in zip(names, kinds, strict=True))
    return f"{name}({pairs})" if pairs else name


def _rounds(program: Program) -> int:
    """How many rounds are played; 0 where decisions bound the game."""
    most = next((each.type for each in program.vars if each.name == "round" and each.role == "round"), None)
    return most.high if isinstance(most, Int) and most.high < 100_000 else 0


def _cells(row: str) -> tuple[str, ...]:
    """The cells of a row as it is written."""
    inner, _, _ = (
        row.strip().strip("|").rpartition("|") if row.rstrip().endswith("]") else (row.strip("| "), "", "")
    )
    return tuple(each.strip() for each in inner.strip(" |").split("|"))
