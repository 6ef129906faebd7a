"""What a player may know of one thing of a game that he names: a kind or card, a piece, a cell, a player, a rule.

    for each in Looking(machine, state, viewers, "fr").up("grenadiers"):
        print(each.title, each.values, each.state)

What is printed is in the program, and no secret. What a thing is *now* is read from the scene of the viewers, which
holds what they all see and nothing else: whatever is hidden from one of them is not found, and cannot be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from dsl.authoring.present import Present
from dsl.authoring.sections import Line, Section
from dsl.authoring.survey import kinds
from dsl.authoring.words import titles
from dsl.catalogue import N_, told
from dsl.catalogue import nearest as spoken_as
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import languages, member_name, text_of, title_of
from dsl.engine.kinds import kind_of
from dsl.engine.machine import Machine
from dsl.ir.program import Clause, Program
from dsl.ir.types import Id
from dsl.near import nearest, plain, singular
from dsl.records import record
from dsl.scene.aims import aims
from dsl.scene.eyes import Viewers
from dsl.scene.model import NOBODY, Board, Cell, Panel, Piece, Scene, Zone
from dsl.scene.reading import scene_of

MOST_FOUND = 6
"""So many things are told of, where a name may mean more."""
MOST_LINES = 12
"""So many lines of the rules are told of one rule."""
HOLE = re.compile(r"\{[^}]*\}")
EMPTY = frozenset({"", "-"})
APART = frozenset({"id", "name", "look"})
"""Columns that are no line of what is told: the title has the name."""
GOALS = {"victory": N_("victory"), "defeat": N_("defeat")}
Pair = tuple[str, str]


@record(frozen=True, slots=True)
class Looked:
    """One thing, as its viewers may know it, in words of their language.

    `title` is what it is called, `sort` what sort of thing it is, where players have words for that. `values` are
    printed, a name and a value each; `state` is how it is now, of a truth the name alone; `texts` are sentences: what
    is printed on a card, the lines of a rule. `rules` are the ids of the rulebook that it cites, with their titles.
    """

    title: str
    sort: str = ""
    values: tuple[Pair, ...] = ()
    state: tuple[Pair, ...] = ()
    texts: tuple[str, ...] = ()
    rules: tuple[Pair, ...] = ()
    source: bool = False
    """Are the texts lines of the source, as nothing else is known of it?"""


def named(text: str) -> str:
    """A text as names are compared: plain, with spaces for underscores."""
    return " ".join(plain(text).replace("_", " ").split())


class Looking:
    """A state as some viewers see it, in which things are looked up; all texts are in `language`."""

    def __init__(self, machine: Machine, state: Sequence[int], viewers: Viewers, language: str = "") -> None:
        self.machine = machine
        self.program: Program = machine.program
        self.state = list(state)
        self.viewers = viewers
        self.language = language

    @cached_property
    def scene(self) -> Scene:
        """What the viewers see."""
        return scene_of(self.machine, self.state, self.viewers, self.language)

    @cached_property
    def present(self) -> Present:
        """What fields, values and areas hold of what they see."""
        return Present(self.machine, self.state, self.viewers, self.language, self.scene)

    # ------------------------------------------------------------ finding

    @cached_property
    def names(self) -> dict[str, list[tuple[str, object]]]:
        """By each name, as it is compared, what has it: a kind of thing, and the thing."""
        found: dict[str, list[tuple[str, object]]] = {}

        def enter(sort: str, thing: object, *names: str) -> None:
            for name in dict.fromkeys(map(named, names)):
                if name:
                    found.setdefault(name, []).append((sort, thing))

        for section in self.sections:
            for row in section.rows:
                enter("kind", (section, row), row.name, self._title(section, row))
        for number, domain in enumerate(self.program.domains):
            if domain.kind == "enum":
                for member, name in enumerate(domain.members):
                    enter("member", (number, member), name, self._called(number, member))
        for board in self.scene.boards:
            for number, cell in enumerate(board.cells):
                enter("cell", (board, number), cell.name, cell.label)
            for piece in board.pieces:
                if piece.name:
                    enter("piece", (board, piece), piece.name)
        for owner, declared in enumerate(self.scene.owners):
            enter("owner", owner, declared.name, declared.label)
        for panel in self.scene.panels:
            for pile in panel.zones:
                enter("zone", (panel, pile), pile.name, pile.label)
        for rule in self.program.rules:
            enter("rule", rule.id, rule.id, rule.title)
        for handle in dict.fromkeys(h for each in self.program.clauses for h in (*each.ids, *each.families)):
            if handle not in self.titles:
                enter("rule", handle, handle)
        for action in self.program.actions:
            label = HOLE.sub(" ", text_of(self.program, action.label, self.language))
            enter("clause", action.name, action.name, label.strip(" :?!,.()"))
        for number, value in enumerate(self.program.values):
            enter("value", number, value.name, text_of(self.program, value.label, self.language))
        for index, var in self.present.worded_fields():
            enter("field", index, var.name, self.present.fields.name(var))
        for area, (called, _) in self.present.areas.items():
            enter("area", area, area, called)
        for clause in self.program.clauses:
            if clause.kind == "row" and clause.label is not None:
                words = text_of(self.program, clause.label, self.language)
                enter("row", clause, words, re.split(r"\s?:\s", words)[0])
        for number, ending in enumerate(self.program.endings):
            enter("ending", number, text_of(self.program, ending.label, self.language))
        return found

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        mode = (each for each in self.program.vars if each.role == "option" and each.name == "mode")
        return kinds(self.program, self.language, next((self.state[each.offset] for each in mode), None))

    @cached_property
    def titles(self) -> dict[str, str]:
        return titles(self.program, self.language)

    def up(self, text: str) -> tuple[Looked, ...]:
        """What has a name or label; else the pieces of a kind at a place, `grenadier a3`; else what has all words of a
        text in its name, whole words before parts of them, plurals as their singulars. Empty where nothing has. Of a
        rule that is found by words among other things only the title is told. A number alone is a part of too many.
        """
        wanted = named(text)
        found = self._named(wanted) if wanted else []
        among = wanted not in self.names and len(found) > 1
        tells = tuple(dict.fromkeys(each for sort, thing in found for each in self._told(sort, thing, among)))
        bare = {
            each
            for sort, thing in found
            if sort == "member"
            for each in self._told(sort, thing)
            if not each.state
        }
        tells = tuple(each for each in tells if each not in bare) or tells
        known = {replace(each, state=()) for each in tells if each.state}
        tells = tuple(each for each in tells if each.state or each not in known)
        return tuple(each for each in tells if not each.source) or tells

    def near(self, text: str) -> str:
        """The name that is most like a text; empty where none is."""
        names = (
            name
            for name, things in self.names.items()
            if any(sort not in {"rule", "clause", "value", "piece"} for sort, _ in things)
        )
        return nearest(named(text), tuple(names)) or ""

    def _named(self, wanted: str) -> list[tuple[str, object]]:
        if wanted in self.names:
            return self.names[wanted]
        if (standing := self._standing(wanted)) is not None:
            return standing
        stems = [singular(each) for each in wanted.split()]

        def alike(name: str) -> bool:
            return [singular(each) for each in name.split()] == stems

        def has_words(name: str) -> bool:
            return set(stems) <= {singular(each) for each in name.split()}

        def has_parts(name: str) -> bool:
            return all(each in name for each in stems)

        if all(each.isdecimal() for each in stems):
            return []
        for way in (alike, has_words, has_parts):
            if found := [each for name, things in self.names.items() if way(name) for each in things]:
                return list({(sort, id(thing)): (sort, thing) for sort, thing in found}.values())
        return []

    def _standing(self, wanted: str) -> list[tuple[str, object]] | None:
        """The pieces of a kind at a place."""
        parted = re.fullmatch(r"(.+?)(?: (?:at|on|in|en|a|sur|dans))? (\S+)", wanted)
        if parted is None:
            return None
        kind, place = singular(parted[1]), parted[2]
        found: list[tuple[str, object]] = [
            ("piece", (board, piece))
            for board in self.scene.boards
            for piece in board.pieces
            if (kind in named(piece.label) or kind == named(piece.sign) or named(piece.name).startswith(kind))
            and any(place in {named(board.cells[n].name), named(board.cells[n].label)} for n in piece.cells)
        ]
        return found or None

    # ------------------------------------------------------------ telling

    def _told(self, sort: str, thing: object, among: bool = False) -> Iterator[Looked]:
        """What is told of a thing that was found, `among` others by words of its name."""
        match sort, thing:
            case "kind", (Section() as section, Line() as row):
                yield self._kind(section, row)
            case "member", (int() as domain, int() as member):
                yield Looked(self._called(domain, member), state=tuple(self.present.of_thing(domain, member)))
            case "cell", (Board() as board, int() as number):
                yield self._cell(board, number)
            case "piece", (Board() as board, Piece() as piece):
                yield self._piece(board, piece)
            case "owner", int() as owner:
                yield self._owner(owner)
            case "zone", (Panel() as panel, Zone() as zone):
                yield self._zone(panel, zone)
            case "rule", str() as rule:
                yield Looked(self._rule(rule).title) if among else self._rule(rule)
            case "clause", str() as name:
                yield from self._clauses(name)
            case "value", int() as number:
                yield self._value(number)
            case "field", int() as index:
                yield self._field(index)
            case "area", str() as area:
                yield Looked(self.present.areas[area][0], values=self.present.area(area))
            case "row", Clause() as clause:
                yield self._effect(clause)
            case "ending", int() as number:
                yield self._ending(number)
            case _:
                raise AssertionError(sort)

    def _title(self, section: Section, row: Line) -> str:
        return row.cells[1] if section.columns[1:2] == ("name",) and len(row.cells) > 1 else row.name

    def _called(self, domain: int, member: int) -> str:
        return printable(member_name(self.program, domain, member, self.language))

    def _kind(self, section: Section, row: Line) -> Looked:
        """A row of a table: its figures by what their columns are called, its texts, what its fields hold now, and
        where pieces of it are.
        """
        values: list[Pair] = []
        texts: list[str] = []
        for column, cell in zip(section.columns, row.cells, strict=False):
            kind = self._column(section.name, column)
            if column in APART or cell in EMPTY:
                continue
            if kind is not None and self.program.domains[kind].kind == "text":
                texts.append(printable(cell))
            else:
                values.append((column.replace("_", " "), printable(cell)))
        title = printable(self._title(section, row))
        return Looked(
            title,
            printable(section.title),
            tuple(values),
            (
                *self._now(section.name, row.name),
                *self._whereabouts(row.name, title),
                *self._holders(section.name, row.name),
            ),
            tuple(texts),
            self._cited(re.findall(r"[^\s,\[\]]+", row.source)),
        )

    def _now(self, table: str, name: str) -> Iterator[Pair]:
        """What the fields of a row hold now; a region of a map tells that as a cell."""
        regions = {each.domain for each in self.program.boards}
        for number, domain in enumerate(self.program.domains):
            if number in regions or domain.kind != "row":
                continue
            if domain.name == table and name in domain.members:
                yield from self.present.of_thing(number, domain.members.index(name))

    def _column(self, table: str, column: str) -> int | None:
        """The domain of what a column holds, if it holds members of one."""
        data = next((each for each in self.program.data if each.name == f"{table}.{column}"), None)
        return data.type.domain if data is not None and isinstance(data.type, Id) else None

    def _whereabouts(self, name: str, title: str) -> Iterator[Pair]:
        """Where the viewers see pieces and cards of a kind: on which cells, and in which piles."""
        for board in self.scene.boards:
            for piece in board.pieces:
                if piece.label == title and not piece.hidden and self._row_of(piece) in {name, ""}:
                    yield self._place(board, piece), self._of(piece)
        for panel in self.scene.panels:
            for zone in panel.zones:
                count = sum(card.name == name for card in zone.cards)
                if count:
                    yield self._pile(panel, zone), str(count)

    def _holders(self, table: str, name: str) -> Iterator[Pair]:
        """By what fields are called that hold a row of a table, who and what has it there: `Place  West, East`."""
        for number, domain in enumerate(self.program.domains):
            if domain.name == table and name in domain.members:
                yield from self.present.holding(number, domain.members.index(name))

    def _row_of(self, piece: Piece) -> str | None:
        """The name in the rules of the row that a piece is of: empty where its type has no kinds, none of what is no
        piece. Rows of one table may be called alike.
        """
        for pool in self.program.pools:
            members = self.program.domains[pool.domain].members
            if piece.name in members:
                kind = kind_of(self.program, self.state, pool, members.index(piece.name))
                return "" if kind is None else self.program.domains[kind[0]].members[kind[1]]
        return None

    def _of(self, piece: Piece) -> str:
        """A piece in a line: whose it is, and what is told of it."""
        whose = [self.scene.owners[piece.owner].label] if piece.owner != NOBODY else []
        return ", ".join((*whose, *(each for each in (piece.why,) if each), *_listed(piece.values)))

    def _place(self, board: Board, piece: Piece) -> str:
        return ", ".join(board.cells[each].label for each in piece.cells)

    def _piece(self, board: Board, piece: Piece) -> Looked:
        """A piece as it is now, with what is printed of its kind, if the viewers see which that is."""
        printed = None
        if not piece.hidden:
            kind = self._kind_of(piece)
            printed = self._kind(*kind) if kind is not None else None
        whose = [("", self.scene.owners[piece.owner].label)] if piece.owner != NOBODY else []
        turned = [self._turned(piece)] if piece.facing else []
        return Looked(
            f"{piece.label} ({self._place(board, piece)})",
            printed.sort if printed is not None else "",
            printed.values if printed is not None else (),
            (*whose, *turned, *((("", piece.why),) if piece.why else ()), *piece.values),
            printed.texts if printed is not None else (),
            printed.rules if printed is not None else (),
        )

    def _turned(self, piece: Piece) -> Pair:
        """What a piece faces, and what that is called."""
        for var in self.program.vars:
            kind = var.type
            if var.name != "facing" or not isinstance(kind, Id) or var.of is None:
                continue
            members = self.program.domains[kind.domain].members
            if piece.name in self.program.domains[var.of].members and piece.facing in members:
                called = printable(text_of(self.program, var.label, self.language))
                way = member_name(self.program, kind.domain, members.index(piece.facing), self.language)
                return called, printable(way)
        return "", piece.facing

    def _kind_of(self, piece: Piece) -> tuple[Section, Line] | None:
        """The row that a piece of the scene is a piece of."""
        tables = {
            self.program.domains[kind].name
            for pool in self.program.pools
            if piece.name in self.program.domains[pool.domain].members
            for kind in self._tables(pool.kinds, pool.kind)
        }
        for section in self.sections:
            for row in section.rows if section.name in tables else ():
                if self._title(section, row) == piece.label and self._row_of(piece) in {row.name, ""}:
                    return section, row
        return None

    def _tables(self, data: int | None, var: int | None) -> Iterator[int]:
        for kind in (
            *(() if data is None else (self.program.data[data].type,)),
            *(() if var is None else (self.program.vars[var].type,)),
        ):
            if isinstance(kind, Id):
                yield kind.domain

    def _cell(self, board: Board, number: int) -> Looked:
        """A cell or region: what lies there, whose it is, what is told of it, and what stands on it."""
        cell: Cell = board.cells[number]
        fields = tuple(self._fields(board, number))
        state: list[Pair] = []
        whose = self.scene.owners[cell.owner].label if cell.owner != NOBODY else ""
        if whose and whose not in {value for name, value in fields if name}:
            state.append(("", whose))
        if cell.number is not None and str(cell.number) not in {value for name, value in fields if name}:
            state.append(("", str(cell.number)))
        state += [("", each) for each in cell.notes]
        for piece in board.pieces:
            if number in piece.cells:
                state.append((piece.label, self._of(piece)))
        known = {text for _, text in state} | set(cell.ground.split(", "))
        state += [
            (name, value) for name, value in fields if not known & {f"{name} {value}".strip(), name, value}
        ]
        printed = self._region(board, cell)
        ground = ((("", cell.ground),) if cell.ground else ()) if board.shape != "regions" else ()
        return Looked(
            cell.label,
            printed.sort if printed is not None else "",
            (*ground, *(printed.values if printed is not None else ())),
            tuple(state),
            printed.texts if printed is not None else (),
            printed.rules if printed is not None else (),
        )

    def _region(self, board: Board, cell: Cell) -> Looked | None:
        """What is printed of a region that is a row of a table."""
        domain = self.program.domains[
            next(each.domain for each in self.program.boards if each.name == board.name)
        ]
        for section in self.sections:
            for row in section.rows if section.name == domain.name else ():
                if row.name == cell.name:
                    return self._kind(section, row)
        return None

    def _fields(self, board: Board, number: int) -> Iterator[Pair]:
        """The fields of a cell with words for players that hold something."""
        domain = next(each.domain for each in self.program.boards if each.name == board.name)
        yield from self.present.fields.of_member(domain, number)

    def _owner(self, owner: int) -> Looked:
        """A player or side: his panel, and his pieces on the boards."""
        mine = [panel for panel in self.scene.panels if panel.owner == owner]
        state: list[Pair] = [pair for panel in mine for pair in panel.values]
        for panel in mine:
            for zone in panel.zones:
                state.append(
                    (
                        self._without(owner, zone.label),
                        _zone_text(zone.count, [card.label for card in zone.cards]),
                    )
                )
        counted: dict[str, list[str]] = {}
        for board in self.scene.boards:
            for piece in board.pieces:
                if piece.owner == owner and piece.label:
                    counted.setdefault(piece.label, []).append(self._place(board, piece))
            for cell in board.cells:
                if cell.owner == owner:
                    counted.setdefault("", []).append(
                        cell.label if cell.number is None else f"{cell.label} {cell.number}"
                    )
        state += [(label, ", ".join(places)) for label, places in counted.items()]
        return Looked(
            self.scene.owners[owner].label, state=(*state, *self._ruled(owner), *self._goals(owner))
        )

    def _goals(self, owner: int) -> Iterator[Pair]:
        """What a player plays for, and how far he has come as the viewers may know it, a line for each ending."""
        domain, member = self._owner_member(owner)
        if domain != self.program.players:
            return
        spoken = spoken_as(self.language or self.program.language)
        for kind, found in aims(self.machine, self.state, self.viewers, member, self.language):
            name = told(GOALS[kind], spoken)
            for label, far in found.items():
                yield name, f"{label} ({far})" if far else label

    def _ruled(self, owner: int) -> Iterator[Pair]:
        """The values with words for players that are of each player, or side, alone: what they are of this one."""
        domain, member = self._owner_member(owner)
        for number, value in enumerate(self.program.values):
            if value.label is None or len(value.params) != 1 or not isinstance(value.params[0], Id):
                continue
            if value.params[0].domain != domain:
                continue
            if (now := self.present.value_of(number, member)) is not None:
                yield printable(text_of(self.program, value.label, self.language)), now

    def _owner_member(self, owner: int) -> tuple[int, int]:
        """A player or side of the scene as the member of its domain; no member of any of what else owns something."""
        name = self.scene.owners[owner].name
        for number, domain in enumerate(self.program.domains):
            if domain.kind in {"player", "side"} and name in domain.members and not domain.parts:
                return number, domain.members.index(name)
        return NOBODY, NOBODY

    def _without(self, owner: int, label: str) -> str:
        """What is told of an owner without that it is his."""
        known = self.scene.owners[owner].label
        return label.removesuffix(f" ({known})")

    def _zone(self, panel: Panel, zone: Zone) -> Looked:
        """A pile: how many cards it has, and those that the viewers see."""
        counted: dict[str, int] = {}
        for card in zone.cards:
            counted[card.label] = counted.get(card.label, 0) + 1
        cards = tuple((label, str(count) if count > 1 else "") for label, count in counted.items())
        return Looked(self._pile(panel, zone), state=(("", str(zone.count)), *cards))

    def _pile(self, panel: Panel, zone: Zone) -> str:
        """What a pile is called, with whose it is."""
        whose = self.scene.owners[panel.owner].label if panel.owner != NOBODY else ""
        return zone.label if not whose or whose in zone.label else f"{zone.label} ({whose})"

    # ------------------------------------------------------------ rules

    def _cited(self, ids: Iterable[str]) -> tuple[Pair, ...]:
        return tuple((each, printable(self.titles[each])) for each in ids if each in self.titles)

    def _rule(self, rule: str) -> Looked:
        """A rule of the book: its title, what stands for it here, and, of one that restates others, those."""
        declared = next((each for each in self.program.rules if each.id == rule), None)
        texts = self._lines(each for each in self.program.clauses if rule in {*each.ids, *each.families})
        note = (printable(declared.note),) if declared is not None and declared.note else ()
        title = f"{rule}  {title_of(declared, self.language)}" if declared is not None else rule
        through = self._cited(declared.of) if declared is not None else ()
        return Looked(printable(title), texts=(*note, *texts), rules=through)

    def _clauses(self, name: str) -> Iterator[Looked]:
        """An action of the rules: what may refuse it, and the rules that it cites."""
        own = [
            each for each in self.program.clauses if each.name == name and each.kind not in {"row", "test"}
        ]
        heads = len(own)
        for action in self.program.actions:
            if action.name == name:
                own += [self.program.clauses[each.clause] for each in action.prohibitions]
        label = next(
            (
                text_of(self.program, action.label, self.language)
                for action in self.program.actions
                if action.name == name and action.label is not None
            ),
            "",
        )
        shown = HOLE.sub("…", label)
        ids = dict.fromkeys(rule for clause in own for rule in clause.ids)
        if own:
            yield self._or_source(
                Looked(
                    printable(shown or name.replace("_", " ")),
                    texts=tuple(self._lines(own[heads:], in_words=True)),
                    rules=self._cited(ids),
                ),
                own if not shown else own[heads:],
            )

    def _value(self, number: int) -> Looked:
        """A value of the rules: what it is now, if that can be told, what bears on it, and the rules that it cites."""
        value = self.program.values[number]
        own = [] if value.clause is None else [self.program.clauses[value.clause]]
        terms = [self.program.clauses[each.clause] for each in value.clauses]
        now = self.present.value(number)
        return self._or_source(
            Looked(
                printable(text_of(self.program, value.label, self.language) or value.name.replace("_", " ")),
                state=(("", now),) if now is not None else (),
                texts=tuple(self._lines(terms, in_words=True)),
                rules=self._cited(dict.fromkeys(rule for each in (*own, *terms) for rule in each.ids)),
            ),
            (*own, *terms),
        )

    def _field(self, index: int) -> Looked:
        """A field of the state: what it is called, what it holds now, and the rules that it cites."""
        var = self.program.vars[index]
        cited = () if var.clause is None else self.program.clauses[var.clause].ids
        return Looked(
            self.present.fields.name(var), state=self.present.field(index), rules=self._cited(cited)
        )

    def _or_source(self, looked: Looked, clauses: Iterable[Clause]) -> Looked:
        """What was found, and where that is nothing, lines of the source."""
        if looked.state or looked.texts or looked.rules:
            return looked
        texts = tuple(self._lines(clauses))
        return replace(looked, texts=texts, source=bool(texts))

    def _effect(self, clause: Clause) -> Looked:
        """A row of a table of effects: what it is called, and what its text says."""
        words = printable(text_of(self.program, clause.label, self.language))
        name, *text = re.split(r"\s?:\s", words, maxsplit=1)
        return Looked(
            name, texts=tuple(each[:1].upper() + each[1:] for each in text), rules=self._cited(clause.ids)
        )

    def _ending(self, number: int) -> Looked:
        """How somebody wins or loses: the line of the rules that says when, and what it cites."""
        ending = self.program.endings[number]
        own = [] if ending.clause is None else [self.program.clauses[ending.clause]]
        title = printable(text_of(self.program, ending.label, self.language))
        return self._or_source(
            Looked(
                title,
                texts=tuple(each for each in self._lines(own, in_words=True) if each != title),
                rules=self._cited(dict.fromkeys(rule for clause in own for rule in clause.ids)),
            ),
            own,
        )

    def _lines(self, clauses: Iterable[Clause], *, in_words: bool = False) -> list[str]:
        """Lines of the rules: the words for players of those that have some, and of the others what the rules say;
        `in_words` are the words alone.
        """
        numbers = {id(each): number for number, each in enumerate(self.program.clauses)}
        reasons = {
            each.clause: each.reason
            for action in self.program.actions
            for each in action.prohibitions
            if each.reason is not None
        }
        found: dict[str, None] = {}
        for clause in clauses:
            reason = reasons.get(numbers[id(clause)], clause.label)
            words = printable(HOLE.sub("…", text_of(self.program, reason, self.language)))
            member = clause.member and printable(member_name(self.program, *clause.member, self.language))
            if in_words or words:
                found.setdefault(words or member or "")
                continue
            text = self._translated(" ".join(printable(clause.text).split()))
            if clause.kind == "row":
                text = self._row(clause) or text
            found.setdefault(f"{member}: {text}" if member and member not in text else text)
        lines = [each for each in found if each]
        return [*lines[:MOST_LINES], *([f"… +{len(lines) - MOST_LINES}"] if len(lines) > MOST_LINES else [])]

    @cached_property
    def _texts(self) -> dict[str, str]:
        """The texts of the game, by how its own language has them; their holes are left out."""
        return {
            HOLE.sub("", dict(each.texts).get("", "")): text_of(self.program, number, self.language)
            for number, each in enumerate(self.program.texts)
        }

    def _translated(self, line: str) -> str:
        """A line of the source with the texts in it in the language of who looks."""

        def told(quoted: re.Match[str]) -> str:
            text = self._texts.get(HOLE.sub("", quoted[2]))
            return (
                quoted[0] if text is None or quoted[1] in spoken else f'{quoted[1]} "{HOLE.sub("…", text)}"'
            )

        spoken = languages(self.program)
        return re.sub(r'(\S+) "([^"]*)"', told, line)

    def _row(self, clause: Clause) -> str:
        """A cited row by what players call it, rather than by its bars."""
        for section in self.sections:
            for row in section.rows:
                if clause.name in {row.name, f"{section.name} {row.name}"}:
                    return printable(self._title(section, row))
        return ""


def _listed(values: Iterable[Pair]) -> list[str]:
    return [f"{name} {value}".strip() for name, value in values]


def _zone_text(count: int, cards: Sequence[str]) -> str:
    return f"{count} ({', '.join(cards)})" if cards else str(count)
