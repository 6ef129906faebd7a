"""What every part of the tree has in it: places, names, labels and citations."""

import re
from collections.abc import Sequence
from typing import NoReturn, TypeAlias

from dsl.diagnostics import Diagnostics
from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax import ast, faults
from dsl.syntax.grammar import MEANINGS, is_reserved
from dsl.syntax.lalr import Child, Token, Tree

Branch: TypeAlias = Tree

MAX_DIGITS = 18

_RULE_ID = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z]?[0-9]+[a-z]?)+")
_FAMILY = re.compile(r"[^\W\d_A-Z][^\WA-Z]*")


@record(frozen=True, slots=True)
class Origin:
    """Where a parse tree comes from, and where its faults are told."""

    source: Source
    diagnostics: Diagnostics

    def span(self, child: Child) -> Span:
        assert child is not None, "no place"
        return Span(self.source, child.start_pos, child.end_pos)


def parts(child: Child) -> tuple[str, list[Child]]:
    """The rule of a parse tree and its children, absent ones as none."""
    tree = branch(child)
    return tree.data, tree.children


def branch(child: Child) -> Branch:
    """A child that is a tree."""
    assert isinstance(child, Tree), child
    return child


def token(child: Child) -> Token:
    """A child that is a token."""
    assert isinstance(child, Token), child
    return child


def present(children: Sequence[Child]) -> list[Child]:
    """The children that are there."""
    return [child for child in children if child is not None]


def of_rule(children: Sequence[Child], *rules: str) -> list[Child]:
    """The children that are trees of some rules."""
    return [child for child in children if isinstance(child, Tree) and child.data in rules]


def unknown(child: Child) -> NoReturn:
    """Fail on a rule of the grammar that has no node: a fault of ours."""
    raise AssertionError(f"a parse tree without a node: {child!r}")


def name(origin: Origin, child: Child) -> ast.Name:
    """A name that stands where no other word may."""
    return ast.Name(str(token(child)), span=origin.span(child))


def maybe_name(origin: Origin, child: Child) -> ast.Name | None:
    """A name that need not be there."""
    return None if child is None else name(origin, child)


def new_name(origin: Origin, child: Child) -> ast.Name:
    """A name that rules will read by itself, so that it must not be a word of the language."""
    found = field_name(origin, child)
    if found.text in MEANINGS:
        origin.diagnostics.add(faults.hidden_name(found.span, MEANINGS[found.text]))
    return found


def field_name(origin: Origin, child: Child) -> ast.Name:
    """The same of a field; that a word stands for something is told with the rows and players that are called so."""
    found = name(origin, child)
    if is_reserved(found.text) and found.text not in MEANINGS:
        origin.diagnostics.add(faults.reserved_name(found.span))
    return found


def number(origin: Origin, child: Child) -> int:
    """A whole number; a huge one is told and counts as zero."""
    digits = str(token(child))
    if len(digits.lstrip("0")) <= MAX_DIGITS:
        return int(digits)
    origin.diagnostics.add(faults.huge_number(origin.span(child), MAX_DIGITS))
    return 0


def text(origin: Origin, child: Child) -> ast.Text:
    """A string without its quotes; its span has them."""
    return ast.Text(str(token(child))[1:-1], span=origin.span(child))


def label(origin: Origin, child: Child) -> ast.Label:
    """Words for people, in one language or in several."""
    match parts(child):
        case "label", [words]:
            texts: tuple[tuple[str, str], ...] = (("", str(token(words))[1:-1]),)
        case "labels", words:
            pairs = zip(words[::2], words[1::2], strict=True)
            texts = tuple((str(token(language)), str(token(each))[1:-1]) for language, each in pairs)
        case _:
            unknown(child)
    return ast.Label(texts, span=origin.span(child))


def maybe_label(origin: Origin, child: Child) -> ast.Label | None:
    """Words that need not be there."""
    return None if child is None else label(origin, child)


def words_of(child: Child) -> list[str]:
    """The words of a terminal that may be spelt with several, such as `may choose`."""
    return str(token(child)).split()


def citation(origin: Origin, child: Child) -> ast.Citation | None:
    """The handles between the brackets of a citation."""
    if child is None:
        return None
    before, colon, after = str(token(child))[1:-1].partition(":")
    offset = origin.span(child).start + 1
    ids, families, house = _handles(origin, before, offset)
    pins, pin_families, pin_house = (
        _handles(origin, after, offset + len(before) + 1) if colon else ((), (), False)
    )
    if pin_house or pin_families:
        origin.diagnostics.add(faults.pins_are_ids(origin.span(child)))
    return ast.Citation(ids, house, families, pins, span=origin.span(child))


def _handles(origin: Origin, items: str, offset: int) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The rule numbers, the families and whether `house` is among the items of a citation."""
    ids: list[str] = []
    families: list[str] = []
    house = False
    for item in items.split(","):
        start = offset + len(item) - len(item.lstrip())
        words = item.split()
        is_house = words[:1] == ["house"]
        house |= is_house
        rest = words[1:] if is_house else words
        if len(rest) == 1 and _RULE_ID.fullmatch(rest[0]):
            ids.append(rest[0])
        elif len(rest) == 1 and _FAMILY.fullmatch(rest[0]):
            families.append(rest[0])
        elif rest or not is_house:
            place = origin.source.span(start, start + len(item.strip()))
            origin.diagnostics.add(faults.bad_citation(place))
        offset += len(item) + 1
    return tuple(ids), tuple(families), house
