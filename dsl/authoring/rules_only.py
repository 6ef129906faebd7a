"""A scenario for rules that wait for one: the tables that they leave open with a row each, a map, players, rounds.

Such a game does not compile by itself, so that only its trees are known. Each row is an example of what its columns
ask for; what else is missing the compiler says, and the rows that its messages would write are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dsl.authoring.drafts import Draft, compiled, title_of
from dsl.authoring.scenarios import draft_of
from dsl.compiler import read_game
from dsl.linker.layers import head_default
from dsl.syntax import ast
from dsl.syntax.trees import walk

ROUNDS = 8
PLAYERS = ("red", "blue")
WIDTH, HEIGHT = 6, 4
TRIES = 4

_NAMED = (
    ast.Header | ast.Mode | ast.TypeDecl | ast.Table | ast.Area | ast.Shape | ast.Piece | ast.Pile | ast.Map
    | ast.Legend | ast.Ruling | ast.Value | ast.Action | ast.Menu | ast.Window
)  # fmt: skip
"""The declarations that have a name of their own."""
_WORDS = {
    "en": {
        "scenario": "A scenario of your own for {game}, whose rules wait for one: each row below is an example.",
        "map": "The map: a sign for each cell.",
        "rows": "Columns: {columns}",
    },
    "fr": {
        "scenario": "Un scénario à vous pour {game}, dont les règles en attendent un : chaque ligne est un exemple.",
        "map": "La carte : un signe par case.",
        "rows": "Colonnes : {columns}",
    },
}


def rules_only_scenario(name: str, target: str, language: str) -> Draft | None:
    """A scenario that fills what a game leaves open and checks; None where none was found."""
    trees = [tree for layer in read_game(target).layers for file in layer.files for tree in file.declarations]
    header = next((each for each in trees if isinstance(each, ast.Header) and each.kind == "game"), None)
    if header is None:
        return None
    rules = _Rules(header, trees, language)
    for with_map in dict.fromkeys((rules.wants_map, not rules.wants_map)):
        text = rules.text(name, with_map=with_map)
        for _ in range(TRIES):
            draft = draft_of(name, text, "", language)
            rows = _asked_for(draft, name, target)
            if rows is None:
                break
            if not rows:
                return draft
            text += "".join(rows)
    return None


def _asked_for(draft: Draft, name: str, target: str) -> list[str] | None:
    """The rows that the messages about a draft would write: none if all is well, None where that is not all."""
    faults = [each for each in compiled(draft, name, target).diagnostics if each.is_error]
    fixes = [each.fix for each in faults if each.fix is not None and "extend " in each.fix.replacement]
    if len(fixes) < len(faults):
        return None
    return [each.replacement for each in fixes]


class _Rules:
    """What the trees of a game say about what it leaves open."""

    def __init__(self, header: ast.Header, trees: Sequence[ast.Node], language: str) -> None:
        self.header, self.trees, self.words, self.language = header, trees, _WORDS[language], language
        found = [each for each in trees if isinstance(each, ast.Table) and not each.params]
        self.tables = {each.name.text: each for each in found}
        self.filled = {each.name.text for each in found if len(each.rows) > 1}
        self.filled |= {each.table.text for each in trees if isinstance(each, ast.ExtendRows)}
        self.areas = [each for each in trees if isinstance(each, ast.Area)]
        names = {each.name for tree in trees for each in walk(tree) if isinstance(each, ast.NamedType)}
        names |= {each.of.text for each in trees if isinstance(each, ast.State) and each.of is not None}
        has_map = any(isinstance(each, ast.Map) for each in trees)
        self.wants_map = not has_map and bool(self.areas or names & {"Cell", "Direction"})

    def text(self, name: str, *, with_map: bool) -> str:
        game = self.header.name.text
        lines = [f"# {self.words['scenario'].format(game=game)}", f"scenario {name} for {game}:"]
        lines.append(f'    title {self.language} "{title_of(name)}"')
        keys = {each.key.text for each in self.header.fields}
        if "players" not in keys:
            lines.append(f"    players {', '.join(PLAYERS)}")
        if not keys & {"rounds", "decisions"}:
            lines.append(f"    rounds {ROUNDS}")
        if with_map:
            lines += ["", f"# {self.words['map']}", *self._map()]
        for table in self.tables.values():
            if table.name.text not in self.filled and table.rows:
                lines += ["", *self._rows(table)]
        return "\n".join(lines) + "\n"

    def _map(self) -> Iterator[str]:
        """A board of squares, with a cell for each area, and for each player of an area that players have."""
        yield "map board on squares:"
        signs = {".": ""}
        for area in self.areas:
            owners: tuple[str, ...] = (
                self._players() if area.of is not None and area.of.text == "Player" else ("",)
            )
            for owner in owners:
                sign = next(each for each in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if each not in signs)
                signs[sign] = f"{area.name.text} of {owner}" if owner else area.name.text
        rows = [["."] * WIDTH for _ in range(HEIGHT)]
        for number, sign in enumerate(each for each in signs if each != "."):
            rows[number % HEIGHT][(number // HEIGHT + (WIDTH - 1) * (number % 2)) % WIDTH] = sign
        if len(signs) > 1:
            yield "    legend:"
            yield from (f'        "{sign}" = {what}' for sign, what in signs.items() if what)
        yield '    """'
        yield from (f"    {' '.join(row)}" for row in rows)
        yield '    """'

    def _players(self) -> tuple[str, ...]:
        fields = [each for each in self.header.fields if each.key.text == "players"]
        names = [item.text for each in fields for item in each.items if isinstance(item, ast.Name)]
        words = [each for each in names if re.fullmatch(r"[^\W\d]\w*", each) and each not in {"en", "fr"}]
        return tuple(words) or PLAYERS

    def _rows(self, table: ast.Table) -> Iterator[str]:
        """The head of a table as the rules have it, and one row of examples under it."""
        heads = [each.text for each in table.rows[0].cells if head_default(each) is None]
        columns = "; ".join(each for each in heads if ":" in each)
        if columns:
            yield f"# {self.words['rows'].format(columns=columns)}"
        cells = [self._example(table, number, head) for number, head in enumerate(heads)]
        yield f"extend {table.name.text}:"
        yield f"    | {' | '.join(each.split(':')[0].strip() for each in heads)} |"
        yield f"    | {' | '.join(cells)} |"

    def _example(self, table: ast.Table, number: int, head: str) -> str:
        """A cell for a column: what its type says, else a guess by its name."""
        column, _, kind = (each.strip() for each in head.partition(":"))
        if number == 0:
            return self._row_of(table.name.text)
        if re.fullmatch(r"name(?:\s+\w+)?", column):
            return title_of(self._row_of(table.name.text))
        if span := re.fullmatch(r"(-?\d+)\s*\.\.\s*(-?\d+)\??", kind):
            return str(min(max(int(span[1]), 2), int(span[2])))
        if kind == "bool":
            return "no"
        if kind == "fraction":
            return "1/2"
        if kind in self.tables:
            return self._row_of(kind)
        return self._member(kind) or ("-" if kind or column.startswith(("effect", "look")) else "1")

    def _row_of(self, name: str) -> str:
        """A row of a table: the first that the rules have, else an example called after the table."""
        table = self.tables[name]
        if len(table.rows) > 1 and table.rows[1].cells:
            return table.rows[1].cells[0].text
        word = name.lower()
        return word if word not in {*self._taken(), name} else f"{word}_1"

    def _taken(self) -> Iterator[str]:
        """The names of what the rules declare, and the words of their enumerations."""
        for each in self.trees:
            if isinstance(each, _NAMED):
                yield each.name.text
            if isinstance(each, ast.TypeDecl):
                yield from (part.name for part in each.alternatives if isinstance(part, ast.NamedType))

    def _member(self, kind: str) -> str:
        """The first player, or the first name of an enumeration."""
        if kind in {"Player", "Side"}:
            return self._players()[0]
        for each in self.trees:
            if isinstance(each, ast.TypeDecl) and each.name.text == kind:
                first = each.alternatives[0]
                return first.name if isinstance(first, ast.NamedType) and len(each.alternatives) > 1 else ""
        return ""
