"""Headers: what a game, its scenario and its mods say of themselves, and who plays."""

from __future__ import annotations

from itertools import groupby

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Meant
from dsl.ir.types import Id
from dsl.linker.layers import Gathered
from dsl.resolve import bounds
from dsl.resolve.gaps import header_that_fills
from dsl.resolve.reporter import Reporter
from dsl.resolve.symbol_table import World
from dsl.resolve.symbols import Domain
from dsl.resolve.translations import TAG
from dsl.source import join
from dsl.syntax import ast
from dsl.syntax.words import declarations

Item = ast.Name | ast.Text | ast.Number

KNOWN_FIELDS = (
    "title", "players", "sides", "rulebook", "rounds", "decisions", "language", "author", "map", "scenario", "index",
    "version", "note", "mode", "needs", "requires", "excludes",
)  # fmt: skip
_TEXTS = {"title": '"The Orchard"', "author": '"Ann Other"', "version": '"1.2"', "needs": '"1.2"'}
_TEXTS["note"] = '"for two evenings"'
_NUMBERS = {"decisions": "at most 500", "language": "1"}
_OTHER_NAMES = {"turns": "rounds", "turn": "rounds", "name": "title", "player": "players", "side": "sides"}
_LANGUAGES = frozenset({"en", "fr"})
MOST_PLAYERS = 30


def header_items(gathered: Gathered, key: str) -> list[tuple[ast.HeaderField, list[Item]]]:
    """The header fields of a key, from the game's header to the last layer's."""
    return [
        (field, list(field.items))
        for header in gathered.headers
        for field in header.fields
        if field.key.text == key
    ]


def titled(header: ast.Header) -> list[Item]:
    """What a header says behind `title`."""
    return [item for field in header.fields if field.key.text == "title" for item in field.items]


def title_label(world: World, items: list[Item]) -> ast.Label | None:
    """The title in its languages; none where none is given."""
    texts: list[tuple[str, str]] = []
    language = ""
    for item in items:
        if isinstance(item, ast.Name) and TAG.fullmatch(item.text):
            language = item.text
        elif isinstance(item, ast.Text):
            texts.append((language or world.language, item.text))
    return ast.Label(tuple(texts), span=items[0].span) if texts else None


def header_number(gathered: Gathered, key: str) -> int | None:
    """The last number that any header gives for a key."""
    found = None
    for _, items in header_items(gathered, key):
        numbers = [item.value for item in items if isinstance(item, ast.Number)]
        found = numbers[-1] if numbers else found
    return found if found is None else min(max(found, 1), bounds.MOST_DECISIONS)


def read_headers(world: World, gathered: Gathered) -> None:
    """Checks the fields of all headers; the rulebooks and the game's own language are known from here on."""
    for header in gathered.headers:
        for field in header.fields:
            if _is_declaration(field):
                _tell_of_declaration(world.reporter, header, field)
                break
            if _is_field(field):
                _tell_of_field(world.reporter, header, field)
                break
            _check(world, field)
            if field.key.text == "scenario" and header.kind != "game":
                _tell_of_scenario(world.reporter, field)
    for _, items in header_items(gathered, "rulebook"):
        world.rulebooks.update(item.text for item in items if isinstance(item, ast.Name))
    texts = [label for _, items in header_items(gathered, "title")[:1] for label in items]
    if texts and isinstance(texts[0], ast.Name):
        world.language = texts[0].text


def _is_declaration(field: ast.HeaderField) -> bool:
    """Does a line of a header begin a declaration that opens a block?"""
    begins = field.key.text in declarations() and field.key.text not in KNOWN_FIELDS
    return begins and bool(field.items) and is_sign(field.items[-1], ":")


def _tell_of_declaration(reporter: Reporter, header: ast.Header, field: ast.HeaderField) -> None:
    """A declaration in the column of a header: what stands under it was read as lines of the header."""
    after = header.fields[header.fields.index(field) :]
    reporter.lost.update(
        item.text for each in after for item in (each.key, *each.items) if isinstance(item, ast.Name)
    )
    message = tr("`{key}` begins a declaration, and stands among the lines of the header", key=field.key.text)
    hint = "declarations start at the top level: take the spaces before it away"
    reporter.error(Code.MISPLACED_LINE, field.key.span, message, hint=hint)


def _is_field(field: ast.HeaderField) -> bool:
    """Does a line of a header say what something holds, as a field of the game does?"""
    is_known = field.key.text in KNOWN_FIELDS or field.key.text in _OTHER_NAMES
    return not is_known and len(field.items) > 1 and is_sign(field.items[0], ":")


def _tell_of_field(reporter: Reporter, header: ast.Header, field: ast.HeaderField) -> None:
    """Fields in the column of a header: the line that they stand under is gone."""
    after = header.fields[header.fields.index(field) :]
    reporter.lost.update(each.key.text for each in after)
    message = tr("`{key}` is a field, and stands among the lines of the header", key=field.key.text)
    hint = "fields stand under `state:`, `state of NAME:` or `piece NAME:`: is that line missing above?"
    reporter.diagnostics.add(Diagnostic(Code.MISPLACED_LINE, message, field.key.span, hint=hint))


def _tell_of_scenario(reporter: Reporter, field: ast.HeaderField) -> None:
    """Which scenario is played when none is named, where it is not the game that says it."""
    message = "only the header of a game says which scenario is played when none is named"
    hint = "leave the line out; `requires NAME` says that a scenario has to be loaded with this one"
    reporter.error(Code.MISPLACED_LINE, field.span, message, hint=hint)


def _check(world: World, field: ast.HeaderField) -> None:
    """A field has to be known, and to hold what it is for."""
    key = field.key.text
    check_commas(world.reporter, field)
    if key not in KNOWN_FIELDS:
        other = _OTHER_NAMES.get(key)
        hint = Meant(key, other, is_clear=True) if other else world.nearest(key, list(KNOWN_FIELDS))
        known = f"known are: {', '.join(KNOWN_FIELDS)}"
        world.unknown(
            "field", field.key.span, tr("a header has no field `{key}`", key=key), hint=hint or known
        )
    for wanted, kind, what in (
        (_TEXTS, ast.Text, "a text between quotes"),
        (_NUMBERS, ast.Number, "a number"),
    ):
        if key in wanted and not any(isinstance(item, kind) for item in field.items):
            hint = tr("write for instance `{key} {wanted}`", key=key, wanted=wanted[key])
            fix = _quoted(field) if wanted is _TEXTS else None
            message = tr("`{key}` takes {what}", key=key, what=what)
            world.reporter.diagnostics.add(
                Diagnostic(Code.UNEXPECTED_TOKEN, message, field.span, hint=hint, fix=fix)
            )
    if key in {"requires", "excludes"} and not any(isinstance(item, ast.Name) for item in field.items):
        hint = tr("write the name of a scenario or mod: `{key} night_watch`", key=key)
        world.error(Code.UNEXPECTED_TOKEN, field.span, tr("`{key}` takes names", key=key), hint=hint)
    is_counted = any(isinstance(item, ast.Number | ast.Name) for item in field.items)
    if key in {"rounds", "decisions"} and not is_counted:
        hint = tr("write for instance `{key} {get}`", key=key, get=_NUMBERS.get(key, 20))
        world.error(Code.UNEXPECTED_TOKEN, field.span, tr("`{key}` takes a number", key=key), hint=hint)
    most = {"rounds": bounds.MOST_ROUNDS, "decisions": bounds.MOST_DECISIONS}.get(key)
    for item in field.items if most else ():
        if isinstance(item, ast.Number) and most:
            bounds.within(world.reporter, item.span, key, item.value, 1, most)


def check_commas(reporter: Reporter, field: ast.HeaderField) -> None:
    """A comma stands between two names of players or sides, and nowhere else in a header."""
    items = field.items
    if field.key.text not in KNOWN_FIELDS:
        return  # what it was to be is not known
    is_list = field.key.text in {"players", "sides", "requires", "excludes"}
    for before, item, behind in zip((None, *items), items, (*items[1:], None), strict=False):
        if not is_sign(item, ","):
            continue
        is_first = before is None or is_sign(before, ",") or is_sign(before, ":")
        if is_list and not is_first and behind is not None:
            continue
        message = (
            "a comma stands between two names" if is_list else tr("`{key}` is no list", key=field.key.text)
        )
        fix = Fix(item.span, "", "leave the comma out", is_safe=True)
        hint = "leave the comma out"
        reporter.diagnostics.add(Diagnostic(Code.UNEXPECTED_TOKEN, message, item.span, hint=hint, fix=fix))


def _names_in(gathered: Gathered) -> set[str]:
    """The names in fields that no header has: what they were to be is not known."""
    fields = [field for header in gathered.headers for field in header.fields]
    strange = [field for field in fields if field.key.text not in KNOWN_FIELDS]
    return {
        item.text for field in strange for item in (field.key, *field.items) if isinstance(item, ast.Name)
    }


def _quoted(field: ast.HeaderField) -> Fix | None:
    """Quotes around the words of a field."""
    if not field.items:
        return None
    words = join(field.items[0].span, field.items[-1].span)
    is_safe = all(isinstance(item, ast.Name) and item.text not in _LANGUAGES for item in field.items)
    return Fix.write(words, f'"{words.text}"', is_safe=is_safe)


# ---------------------------------------------------------------- who plays


def declare_players(world: World, gathered: Gathered) -> None:
    """The players and the sides, with their labels."""
    players = world.domain("Player", "player")
    from dsl.resolve.seats import everybody

    fields = header_items(gathered, "players")
    seats = everybody(world.reporter, gathered)
    if not seats and any(world.reporter.is_spoilt(header.span) for header in gathered.headers):
        world.reporter.lost.update(_names_in(gathered))
        world.reporter.lacks_rows.add("Player")
        seats = [(ast.Name("nobody", span=gathered.headers[0].name.span), None)]
    if not seats:
        span = header_that_fills(gathered) or gathered.headers[0].name.span
        span = fields[-1][0].span if fields else span
        seats = _spoken_of(world.reporter, gathered)
        names = ", ".join(name.text for name, _ in seats) or "red, blue"
        hint = tr("write a line `players {names}` in its header", names=names)
        world.error(Code.NO_PLAYERS, span, "the game has no players", hint=hint)
        world.reporter.lacks_rows.add("Player")
        seats = seats or [(ast.Name("nobody", span=span), None)]
    if len(seats) > MOST_PLAYERS:
        world.error(
            Code.LIMIT,
            seats[MOST_PLAYERS][0].span,
            tr("a game has at most {most_players} players", most_players=MOST_PLAYERS),
        )
    _enter(world, players, seats[:MOST_PLAYERS])
    world.types["Player"] = Id(players.id)
    others = [seat for _, items in header_items(gathered, "sides") for seat in named(world.reporter, items)]
    others = [(name, label) for name, label in others if name.text not in players.index]
    if not others:
        world.types["Side"] = Id(players.id)
        return
    neutral = world.domain("Neutral", "enum")
    _enter(world, neutral, others)
    world.types["Side"] = declare_union(world, "Side", [players, neutral])


def _spoken_of(reporter: Reporter, gathered: Gathered) -> list[tuple[ast.Name, ast.Label | None]]:
    """Who seems to play in a game whose header does not say it: those who set up, and those who win or lose."""
    names = [entry.declaration.side for entry in gathered.of(ast.Setup) if entry.declaration.side is not None]
    names += [entry.declaration.side for entry in gathered.of(ast.Objective)]
    for who in (entry.declaration.who for entry in gathered.of(ast.Ending)):
        if isinstance(who, ast.NameExpr) and len(who.name) > 1:
            names.append(ast.Name(who.name, span=who.span))
    sides = [name.text for _, items in header_items(gathered, "sides") for name, _ in named(reporter, items)]
    found: dict[str, ast.Name] = {}
    for name in names:
        if name.text not in sides:
            found.setdefault(name.text, name)
    return [(name, None) for name in found.values()]


def _enter(world: World, domain: Domain, seats: list[tuple[ast.Name, ast.Label | None]]) -> None:
    earlier: dict[str, ast.Name] = {}
    for name, label in seats:
        if name.text in earlier:
            world.duplicate(name, earlier[name.text].span)
            continue
        earlier[name.text] = name
        world.enter_member(domain, name.text, world.text(label or name.text))


def declare_union(world: World, name: str, parts: list[Domain]) -> Id:
    """A domain of the members of several; of a union among them the parts are its own."""
    union = world.domain(name, "union")
    union.parts = tuple(dict.fromkeys(each for part in parts for each in part.parts or (part.id,)))
    for each in union.parts:
        part = world.domains[each]
        for member, label in zip(part.members, part.labels, strict=True):
            union.add(member, label)
    return Id(union.id)


def named(reporter: Reporter, items: list[Item]) -> list[tuple[ast.Name, ast.Label | None]]:
    """Names, each perhaps with a label, with commas between them; `2..4:` may stand before all."""
    colons = [number for number, item in enumerate(items) if is_sign(item, ":")]
    listed = items[colons[-1] + 1 :] if colons else items
    found = []
    for between, part in groupby(listed, lambda item: is_sign(item, ",")):
        name, *rest = part
        if between:
            continue
        if not isinstance(name, ast.Name):
            message, hint = "a name belongs here", 'a label stands behind the name: `ann "Ann"`'
            reporter.error(Code.UNEXPECTED_TOKEN, name.span, message, hint=hint)
            continue
        found.append((name, _label(reporter, name, rest)))
        found += [(each, None) for each in _left_over(reporter, name, rest)]
    return found


def is_sign(item: Item, sign: str) -> bool:
    """Is it a sign of the header, such as a comma?"""
    return isinstance(item, ast.Name) and item.text == sign


def _label(reporter: Reporter, name: ast.Name, items: list[Item]) -> ast.Label | None:
    """The label behind a name: a text, or one for each of several languages."""
    texts = []
    for before, item in zip([name, *items], items, strict=False):
        if isinstance(item, ast.Text):
            spoken = before is not name and isinstance(before, ast.Name)
            texts.append((before.text if spoken and isinstance(before, ast.Name) else "", item.text))
    return ast.Label(tuple(texts), span=name.span) if texts else None


def _left_over(reporter: Reporter, name: ast.Name, items: list[Item]) -> list[ast.Name]:
    """Names without a comma before them: told once, and taken for what they were meant to be."""
    following = [*items[1:], None]
    others = [
        item
        for item, behind in zip(items, following, strict=False)
        if isinstance(item, ast.Name) and not isinstance(behind, ast.Text)
    ]
    if others:
        hint = tr("write a comma between them: `{name}, {others}`", name=name.text, others=others[0].text)
        message = tr("`{others}` cannot stand after `{name}`", others=others[0].text, name=name.text)
        reporter.error(Code.UNEXPECTED_TOKEN, others[0].span, message, hint=hint)
    return others
