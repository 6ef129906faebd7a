"""Words of a column that make a type of their own, and those that are nearly the name of something else."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label, Subject
from dsl.ir.types import Id, Int
from dsl.near import half, nearest
from dsl.resolve.kinds import AnyType
from dsl.resolve.symbol_table import World
from dsl.source import Span
from dsl.syntax import ast


def may_be_new_type(world: World, name: str, raw: list[ast.Cell | None]) -> bool:
    """May the words of a column make a new type? Not if most of them are the names of one type: then the others are
    told, as names that it does not have.
    """
    words = [
        (part.strip(), cell.span)
        for cell in raw
        if cell and cell.text not in {"-", ""}
        for part in cell.text.split(",")
    ]
    homes = Counter(at for word, _ in words for at in {at for at, _ in world.members.get(word, [])})
    home, count = homes.most_common(1)[0] if homes else (0, 0)
    domain = world.domains[home]
    if 2 * count <= len(words) or len(words) - count > count // 2:
        with half():
            _warn_of_words(world, name, words, domain.members if 2 * count > len(words) else [])
        return True
    for word, span in words:
        if word not in domain.index:
            near = world.nearest(word, domain.members)
            hint = f"{near} where other words are meant, declare the column's type: `{name}: ...`".lstrip()
            message = tr(
                "`{word}` is no {domain}, as the other words of the column `{name}` are",
                word=word,
                domain=domain.name,
                name=name,
            )
            world.unknown("member", span, message, name=word, of=domain.name, hint=hint)
    return False


def _warn_of_words(world: World, column: str, words: list[tuple[str, Span]], likely: list[str]) -> None:
    """A column whose words make a type of their own: one that is nearly the name of something, or nearly another of
    its words that stands there more often. `likely` are names that most of the words are of.
    """
    counts = Counter(word for word, _ in words)
    known = dict.fromkeys(world.members)
    usual = [each for each in counts if counts[each] > 1]
    for word, span in dict(reversed(words)).items():
        if word in known or len(word) < 3:
            continue
        near = nearest(word, chain(known, usual if counts[word] == 1 else ()), 0.8) or nearest(word, likely)
        if near:
            world.error(
                Code.LIKELY_MISSPELT,
                span,
                tr("`{word}` is a new word of the column `{column}`", word=word, column=column),
                label=tr("nearly `{near}`", near=near),
                subject=Subject("member", word, column),
                hint=tr(
                    "did you mean `{near}`? where it is meant as a word of its own, declare the column's "
                    "type: `{column}: ...`",
                    near=near,
                    column=column,
                ),
            )


def own_words(world: World, types: tuple[AnyType, AnyType]) -> tuple[tuple[Label, ...], str]:
    """Where a column is one of two types that do not go together, as its words made a type of their own; what to do."""
    for type_, other in (types, types[::-1]):
        domain = world.domains[type_.domain] if isinstance(type_, Id) else None
        if domain is None or domain.inferred is None:
            continue
        column = domain.inferred.column
        table = world.domains[domain.inferred.table].table
        if table is None or column not in table.columns:
            continue
        words = ", ".join(f"`{each}`" for each in domain.members[:3])
        more = tr(" and others") if len(domain.members) > 3 else ""
        labels = [
            Label(
                table.columns[column].span,
                tr("its words {words}{more} make a type of their own", words=words, more=more),
            )
        ]
        labels += (
            [Label(world.type_spans[domain.name], "the first of them")]
            if domain.name in world.type_spans
            else []
        )
        shown = "0..99" if isinstance(other, Int) else world.show(other).removesuffix("?")
        said = tr("numbers") if isinstance(other, Int) else f"a {shown}"
        hint = tr(
            "where the column holds {said}, write `{column}: {shown}` in its head, and mend its cells",
            said=said,
            column=column,
            shown=shown,
        )
        return tuple(labels), hint
    return (), ""
