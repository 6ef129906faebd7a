"""What the names of a game stand for: the symbol tables that every later pass reads.

The *world* grows pass by pass: domains and types first, then state, then the heads of rules. It is the one mutable
thing of the compiler; when the last pass is done it is frozen into a `Program`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Unpack, assert_never

from dsl.catalogue import languages, told, tr
from dsl.diagnostics import Code, Thing
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.types import TRUTH, BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.linker.modes import Modes, Standing, Strained
from dsl.linker.provenance import quoted
from dsl.lower.ir_builder import conjunction
from dsl.records import record
from dsl.resolve.clause_texts import UNSAID, Said, offered
from dsl.resolve.kinds import AnyType, Unknown, as_fraction
from dsl.resolve.reporter import Missing, Reporter, Wording
from dsl.resolve.symbols import Action, Callable, Column, Domain, Shape, Value, Var
from dsl.resolve.translations import Translations
from dsl.resources import PRELUDE
from dsl.source import Span
from dsl.syntax import ast

if TYPE_CHECKING:
    from dsl.ir.verify.graph import Graph
    from dsl.resolve.comparison_notes import Decided, Joined
    from dsl.resolve.removal_notes import Use
    from dsl.resolve.symbols import Holding, Read

MOST_WORK = 120_000
"""Expressions and statements that are elaborated for one game; a large rulebook has some ten thousand."""


class Exhausted(Exception):
    """The work for one game is used up."""


@record(slots=True)
class World:
    """All that is known of a game while it is compiled."""

    reporter: Reporter
    """Tells authors what is wrong."""
    file_names: dict[str, str] = field(default_factory=dict)
    """What each source is called inside its game, wherever that lies; the same on every machine."""
    texts: list[pr.Text] = field(default_factory=list)
    text_index: dict[pr.Text, int] = field(default_factory=dict)
    clauses: list[pr.Clause] = field(default_factory=list)
    clause_spans: list[Span] = field(default_factory=list)
    sites: list[pr.Site] = field(default_factory=list)
    site_spans: list[Span] = field(default_factory=list)
    site_index: dict[tuple[str, int, int, int | None], int] = field(default_factory=dict)
    offer_index: dict[tuple[str, int], int] = field(default_factory=dict)
    domains: list[Domain] = field(default_factory=list)
    types: dict[str, AnyType] = field(default_factory=dict)
    type_spans: dict[str, Span] = field(default_factory=dict)
    members: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    member_spans: dict[tuple[int, int], Span] = field(default_factory=dict)
    """Where the members of a `type` stand, by its domain and their number."""
    vars: list[Var] = field(default_factory=list)
    globals: dict[str, int] = field(default_factory=dict)
    data: list[pr.Data] = field(default_factory=list)
    callables: dict[str, Callable] = field(default_factory=dict)
    values: list[Value] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    written: dict[str, Any] = field(default_factory=dict)
    """By the name of an action, menu or window: what its own code writes, and what it orders (`bodies.writes`)."""
    procedures: list[pr.Procedure | None] = field(default_factory=list)
    routines: list[pr.Routine | None] = field(default_factory=list)
    options: list[pr.Option] = field(default_factory=list)
    board: pr.Board | None = None
    borders: str = ""
    """On a map of regions the column with the neighbours of each."""
    legend: tuple[ast.LegendLine, ...] = ()
    """The legend of the map, with the lines of declared ones that it is like."""
    drawn: ast.Map | None = None
    """The map on regions that is played on, whose drawing is compared with the table when that has been read."""
    placing: Action | None = None
    """What clauses about `place` are about, where a game has any."""
    shapes: dict[int, Shape] = field(default_factory=dict)
    """The domains of places that take several cells."""
    any_place: int | None = None
    """The domain of `Place`, in a game that mixes shapes."""
    conditions: dict[ir.Expr, list[Span]] = field(default_factory=dict)
    """Where the conditions of `if` stand."""
    read_at: dict[int, tuple[ir.Expr, Span]] = field(default_factory=dict)
    """By the identity of an expression that may read the state, the expression and where it stands."""
    told_at: dict[int, list[Span]] = field(default_factory=dict)
    """Where lines of the log stand, by their label."""
    proofs: set[Span] = field(default_factory=set)
    """Comparisons with `is` one side of which is always there: where they hold, the other side is there too."""
    decided: dict[Span, Decided | None] = field(default_factory=dict)
    """Comparisons of numbers; none for those that the ranges of their sides do not decide."""
    joined: dict[Span, Joined] = field(default_factory=dict)
    """Conditions of several parts, two of which speak of one thing."""
    uses: list[Use] = field(default_factory=list)
    """Pieces that are used behind what may have removed them; told when it is known what does."""
    printed_words: Domain | None = None
    """The type of the texts in columns of texts, where there are any."""
    instant: int | None = None
    """The count of `together` blocks under way, where the game has any."""
    language: str = "en"
    translations: Translations = field(default_factory=Translations)
    modes: Modes = field(default_factory=Modes)
    mode: int | None = None
    """The variable that holds the mode; none where there are no modes."""
    strain: int | None = None
    """The variable that holds the strain; none where the game is not spoiled."""
    seats: int | None = None
    """The variable that holds who takes part; none where all players always do."""
    filling: Span | None = None
    """The name of the scenario or mod that fills what the game leaves open."""
    unfolding: set[str] = field(default_factory=set)
    """Menus and piles whose lines are being put in place: one in itself is a circle, which is told elsewhere."""
    unfolded: set[str] = field(default_factory=set)
    """Menus whose lines have been put in place somewhere."""
    work: int = 0
    at: Span | None = None
    """What is being elaborated."""
    begun: tuple[int, int, int] = (0, 0, 0)
    """When the first test is elaborated, the work until then, and how many procedures and routines there are."""
    tested: tuple[range, range] = range(0), range(0)
    """The procedures and the routines that tests have of their own."""
    beginning_later: dict[int, tuple[ir.Expr, bool]] = field(default_factory=dict)
    """For each field of pieces what it begins with, and whether that follows from what has happened in play."""
    body_reads: int = 0
    """How often a body was elaborated by more than the heads of what it names (`depends_on_bodies`)."""
    tangled: set[int] = field(default_factory=set)
    """The identities of the entries of tests that were elaborated so."""
    graph: Graph | None = None
    """What leads to what in the program."""
    nodes: int = 0
    """How many expressions and statements the program has."""
    defeats: bool = False
    """Can a player be out before the game ends?"""
    rulebooks: set[str] = field(default_factory=set)
    orders: dict[Span, Action] = field(default_factory=dict)
    """Where an action is ordered that only prohibitions may refuse, and nothing is said for that case."""
    books_cited: dict[str, Span] = field(default_factory=dict)
    """For each short name of a rulebook where it is cited first."""
    reads_of_columns: list[Read] = field(default_factory=list)
    """Where cells of modified columns go into what has a range."""
    retirements: dict[tuple[int, bool, bool], int] = field(default_factory=dict)
    """Procedures that take a piece of a domain away, to the supply or for ever; or one that holds nothing."""
    suppliers: dict[tuple[int, Type, Type | None], int] = field(default_factory=dict)
    """Procedures by which tests look for a piece in the supply: of a domain, for a type of kinds and of owners."""
    holdings: list[Holding] = field(default_factory=list)
    """Which pieces may be in others."""
    leaf: int | None = None
    """The pieces of whose holder's leaving is being told: they hold nothing themselves."""
    taken: set[str] = field(default_factory=set)
    """Names of things that rules read as something else: told where they are declared."""
    searches: dict[str, int] = field(default_factory=dict)
    """Routines that `reachable` searches, by the menu they ask."""
    history: tuple[int, int] | None = None
    """The variables with the positions that have stood, and with who has chosen last; none where no rule asks."""
    trials: dict[int, tuple[int, list[Span]]] = field(default_factory=dict)
    """Procedures that trials run, by the number of the action, with the places that try it."""
    setting_up: int | None = None
    """The truth that a position is being set up."""
    private: dict[tuple[int, int], tuple[ir.Expr, int] | None] = field(default_factory=dict)
    """Decisions (routine, block) whose options follow from secrets; what all see of them, as `openings` says."""
    clause_of_citation: dict[int, int] = field(default_factory=dict)

    def pool_number(self, domain: Domain) -> int:
        """Which of the program's pools the pieces of a domain are."""
        return [each.id for each in self.domains if each.pool].index(domain.id)

    def depends_on_bodies(self) -> None:
        """Notes that what is being elaborated depends on how the body of something else is written, or leaves something
        behind for a check of the whole game: whoever keeps what was found in it elaborates it again after each edit.
        """
        self.body_reads += 1

    def search(self, menu: str) -> int:
        """The routine that asks a menu over and over, for `reachable` to search; written when all is known."""
        self.depends_on_bodies()
        if menu not in self.searches:
            self.routines.append(None)
            self.searches[menu] = len(self.routines) - 1
        return self.searches[menu]

    def tried(self, action: Action, span: Span) -> int:
        """The procedure that does an action on a scratch copy; written when all is known."""
        self.depends_on_bodies()
        if action.id not in self.trials:
            self.procedures.append(None)
            self.trials[action.id] = len(self.procedures) - 1, []
        index, places = self.trials[action.id]
        places.append(span)
        return index

    def layer(self, span: Span) -> int:
        """The layer in whose files something stands: 0 is the game."""
        return self.reporter.layer(span)

    def is_prelude(self, span: Span) -> bool:
        """Does it stand in the prelude?"""
        return self.file_names.get(span.source.name, "").startswith(f"{PRELUDE}/")

    def layer_of_member(self, domain: int, member: int) -> int:
        """The layer that declares a row or a word of a type; 0 for all else."""
        found = self.domains[domain]
        if found.table is not None:
            clause = found.table.row_clauses[member] if member < len(found.table.row_clauses) else None
            return 0 if clause is None else self.layer(self.clause_spans[clause])
        span = self.member_spans.get((domain, member))
        span = span or (self.type_spans.get(found.name) if found.kind == "enum" else None)
        return 0 if span is None else self.layer(span)

    def span_of_row(self, domain: int, member: int) -> Span | None:
        """Where a row of a table of kinds stands, or a member of a `type`; none for members of other types."""
        if (domain, member) in self.member_spans:
            return self.member_spans[domain, member]
        table = self.domains[domain].table
        clause = table.row_clauses[member] if table and member < len(table.row_clauses) else None
        return None if clause is None else self.clause_spans[clause]

    def column_of(self, data: int) -> Column | None:
        """The column of a table of kinds that is kept as these data."""
        tables = (domain.table for domain in self.domains if domain.table is not None)
        return next((each for table in tables for each in table.columns.values() if each.data == data), None)

    # ------------------------------------------------------------ faults

    def error(self, code: Code, span: Span, message: str, **more: Unpack[Wording]) -> None:
        """Tells of a fault (`Reporter.error`)."""
        self.reporter.error(code, span, message, **more)

    def unknown(self, thing: Thing, span: Span, message: str = "", **more: Unpack[Missing]) -> None:
        """Tells of a name that nothing has (`Reporter.unknown`)."""
        self.reporter.unknown(thing, span, message, **more)

    def no_type(self, name: str, span: Span, hint: str = "") -> None:
        """Tells of a type that there is not."""
        self.reporter.unknown("type", span, name=name, hint=hint or self.nearest(name, list(self.types)))

    def duplicate(self, name: ast.Name, earlier: Span | None) -> None:
        """Tells of a name that something else has."""
        self.reporter.duplicate(name, earlier)

    def nearest(self, name: str, names: Sequence[str]) -> str:
        """A hint with the nearest of some names, or nothing."""
        return self.reporter.nearest(name, names)

    def spend(self, span: Span) -> None:
        """Counts what is elaborated: a few lines that include each other could stand for millions."""
        self.at = span
        self.work += 1
        if self.work > MOST_WORK:
            raise Exhausted

    # ------------------------------------------------------------ interning

    def text(self, label: ast.Label | str | None, default: str = "") -> int:
        """The number of a text; a plain string is a name, which reads the same in each language that does not
        translate it.
        """
        if isinstance(label, ast.Label):
            return self.intern(self.translated(self.spoken(label)))
        name = label if label is not None else default
        return self.intern(pr.Text((("", name), *self.translations.of(name, None).items())))

    def given(self, text: str) -> int:
        """The number of a text of Scenarii's own, in all languages that it speaks or the game translates it into."""
        texts = {language: told(text, language) for language in languages()}
        texts |= self.translations.of(texts.get(self.language, text), None)
        own = texts.pop(self.language, text)
        others = {language: words for language, words in texts.items() if words != own}
        return self.intern(pr.Text((("", own), *others.items())))

    def spoken(self, label: ast.Label) -> ast.Label:
        """A label in all languages: those in which it stands, and those into which it is translated."""
        texts = {lang or self.language: words for lang, words in label.texts}
        own = texts.get(self.language, label.texts[0][1])
        texts |= self.translations.of(own, label.span)
        if not self.is_prelude(label.span):
            self.translations.note(own, label.span, self.layer(label.span), texts)
        return ast.Label(tuple(texts.items()), span=label.span)

    def intern(self, entry: pr.Text) -> int:
        """The number of a text in all its languages."""
        if entry not in self.text_index:
            self.text_index[entry] = len(self.texts)
            self.texts.append(entry)
        return self.text_index[entry]

    def prefixed(self, text: int | None, hole: int) -> int:
        """A text behind one more hole, which names whom it is about; that name alone where there is no text."""
        name = f"{{{hole}}}"
        if text is None:
            return self.text(name)
        said = self.texts[text].texts
        colons = {lang: " :" if (lang or self.language) == "fr" else ":" for lang, _ in said}
        return self.intern(pr.Text(tuple((lang, f"{name}{colons[lang]} {words}") for lang, words in said)))

    def counted(self, text: int | None, hole: int) -> int:
        """A text with two more holes behind it: which choice this is, counted from 1, and how many there are."""
        count = f"({{{hole}}}/{{{hole + 1}}})"
        if text is None:
            return self.text(count)
        return self.intern(
            pr.Text(tuple((lang, f"{words} {count}") for lang, words in self.texts[text].texts))
        )

    def translated(self, label: ast.Label) -> pr.Text:
        """A label with the game's own language first, as ""; the first text stands in where it is missing."""
        texts = dict(label.texts)
        own = texts.pop("", None) or texts.pop(self.language, None) or label.texts[0][1]
        return pr.Text((("", own), *texts.items()))

    def place(self, span: Span) -> pr.Place:
        name = self.file_names.get(span.source.name, span.source.name)
        source = span.source
        return pr.Place(name, *source.position_of(span.start), *source.position_of(span.end))

    def clause(
        self,
        kind: str,
        name: str,
        citation: ast.Citation | None,
        span: Span,
        said: Said = UNSAID,
        *,
        beside: ast.Citation | None = None,
    ) -> int:
        """Enters a clause; without a citation it is still one that "why" can show. `beside` stands in its line and is
        the citation of another clause.
        """
        cited = citation or ast.Citation(span=span)
        self.check_citation(cited)
        line = quoted(span, citation or beside)
        number = len(self.clauses)
        self.clauses.append(
            pr.Clause(kind, name, cited.ids, cited.house, cited.families, self.place(span), line, *said)
        )
        self.clause_spans.append(span)
        return number

    def offer_clause(self, line: ast.MenuLine) -> int:
        """The clause of a menu's line, one for each line however often its menu is read."""
        key = (line.span.source.name, line.span.start)
        if key not in self.offer_index:
            self.offer_index[key] = self.clause(
                "offer", "", None, line.span, offered(line), beside=line.citation
            )
        return self.offer_index[key]

    def check_citation(self, citation: ast.Citation) -> None:
        """An id belongs to a rulebook that a header names; where none is named, that is a warning."""
        for handle in (*citation.ids, *citation.pins):
            prefix = handle.split("-")[0]
            self.books_cited.setdefault(prefix, citation.span)
            if self.rulebooks and prefix not in {*self.rulebooks, *self.reporter.lost}:
                self.reporter.lost.add(prefix)
                known = ", ".join(sorted(self.rulebooks))
                self.error(
                    Code.UNKNOWN_CITATION,
                    citation.span,
                    tr("no rulebook is called {prefix}", prefix=prefix),
                    hint=tr("the game's header names: {known}", known=known),
                )

    def site(self, span: Span, clause: int | None = None) -> int:
        key = (span.source.name, span.start, span.end, clause)
        if key not in self.site_index:
            self.site_index[key] = len(self.sites)
            self.sites.append(pr.Site(self.place(span), clause))
            self.site_spans.append(span)
        return self.site_index[key]

    # ------------------------------------------------------------ modes

    def in_modes(self, where: Standing) -> ir.Expr | None:
        """The condition that the game is played in one of some modes, and in one of some strains; none where it is so
        in any case.
        """
        if isinstance(where, Strained):
            strained = self._is_one_of(self.strain, where.strains)
            played = self.in_modes(where.modes)
            both = [each for each in (played, strained) if each is not None]
            return conjunction(both) if both else None
        if where is None or self.mode is None:
            return None
        type_ = self.vars[self.mode].type
        assert isinstance(type_, Id)
        index = self.domains[type_.domain].index
        return self._is_one_of(self.mode, frozenset(index[each] for each in where))

    def _is_one_of(self, var: int | None, members: frozenset[int]) -> ir.Expr | None:
        """The condition that a variable without an owner holds one of some members of its type."""
        if var is None:
            return None
        type_ = self.vars[var].type
        assert isinstance(type_, Id)
        chosen = ir.Load(type_, var)
        if len(members) == 1:
            return ir.Op(TRUTH, "eq", (chosen, ir.Const(type_, min(members))))
        several = ir.Const(SetOf(type_), sum(1 << each for each in members))
        return ir.Op(TRUTH, "has", (several, chosen))

    def mode_now(self) -> ir.Expr:
        """The mode that is played, to read what is printed by mode."""
        assert self.mode is not None
        return ir.Load(self.vars[self.mode].type, self.mode)

    # ------------------------------------------------------------ names

    def domain(self, name: str, kind: str, label: int | None = None) -> Domain:
        domain = Domain(len(self.domains), name, kind, label=label)
        self.domains.append(domain)
        return domain

    def words(self) -> Domain:
        """The type of the texts in columns of texts, whose first member is the empty one."""
        if self.printed_words is None:
            self.printed_words = self.domain("text", "text")
            self.printed_words.add("", self.text(""))
        return self.printed_words

    def is_words(self, type_: AnyType) -> bool:
        """Is it the type of such texts?"""
        return isinstance(type_, Id) and self.domains[type_.domain].kind == "text"

    def enter_member(self, domain: Domain, name: str, label: int, look: str = "") -> int:
        number = domain.add(name, label, look)
        self.members.setdefault(name, []).append((domain.id, number))
        return number

    def declare_type(self, name: ast.Name, type_: AnyType) -> None:
        if name.text in self.types:
            self.duplicate(name, self.type_spans.get(name.text))
            return
        self.types[name.text] = type_
        self.type_spans[name.text] = name.span

    def offset(self, source: int, target: int) -> int | None:
        """Where the members of one domain stand within a union; none where they do not stand there together. The
        parts of a union are no unions themselves.
        """
        if source == target:
            return 0
        wanted, parts = self.domains[source].parts or (source,), self.domains[target].parts
        if wanted[0] not in parts:
            return None
        start = parts.index(wanted[0])
        if parts[start : start + len(wanted)] != wanted:
            return None
        return sum(len(self.domains[part].members) for part in parts[:start])

    def unions(self, domain: Domain) -> list[Domain]:
        """The unions that a domain is a part of."""
        others = (each for each in self.domains if each.parts and each is not domain)
        return [each for each in others if self.is_within(domain.id, each.id)]

    def parts(self, domain: Domain) -> list[Domain]:
        """The domains that a union is made of, and the unions of some of them."""
        own = frozenset(domain.parts or (domain.id,))
        return [
            each
            for each in self.domains
            if each is not domain and (own.issuperset(each.parts) if each.parts else each.id in own)
        ]

    def parts_of(self, type_: AnyType) -> tuple[int, ...]:
        """The parts of a union, or the one type that it is; nothing for what has no members."""
        return (self.domains[type_.domain].parts or (type_.domain,)) if isinstance(type_, Id) else ()

    def is_within(self, source: int, target: int) -> bool:
        """Are all members of a domain also members of another?"""
        parts = self.domains[target].parts or (target,)
        return all(each in parts for each in self.domains[source].parts or (source,))

    def union_with(self, domain: Domain, field: str) -> Domain | None:
        """The union whose field the members of a domain have as parts of it."""
        return next((each for each in self.unions(domain) if field in each.fields), None)

    def var(self, name: str, of: int | None, type_: Type, role: str) -> Var:
        var = Var(len(self.vars), name, of, type_, role)
        self.vars.append(var)
        return var

    def add_data(self, data: pr.Data) -> int:
        self.data.append(data)
        return len(self.data) - 1

    def known_names(self) -> list[str]:
        return [*self.globals, *self.callables, *self.members, *self.types]

    def knows(self, name: str) -> bool:
        """Is something of the game called so?"""
        return any(name in names for names in (self.globals, self.callables, self.members, self.types))

    # ------------------------------------------------------------ types

    def show(self, type_: AnyType) -> str:
        """A type as an author would write it."""
        if as_fraction(type_):
            return tr("a fraction")
        match type_:
            case Unknown():
                return tr("something unknown")
            case Int(truth=True):
                return "bool?" if type_.optional else "bool"
            case Int():
                return f"{type_.low}..{type_.high}{'?' if type_.optional else ''}"
            case Id():
                return f"{self.domains[type_.domain].name}{'?' if type_.optional else ''}"
            case SetOf():
                return f"set of {self.show(type_.of)}"
            case BagOf():
                return f"bag of {self.domains[type_.domain].name}"
            case ListOf():
                return f"list of {self.show(type_.of)} up to {type_.limit}"
            case Record():
                pairs = zip(type_.names, type_.types, strict=True)
                return "(" + ", ".join(f"{name}: {self.show(each)}" for name, each in pairs) + ")"
            case _:
                assert_never(type_)

    def size(self, type_: Int | Id) -> int:
        return (
            len(self.domains[type_.domain].members) if isinstance(type_, Id) else type_.high - type_.low + 1
        )

    def low(self, type_: Int | Id) -> int:
        return type_.low if isinstance(type_, Int) else 0
