"""What differs between two versions of a game, in an author's words: printed values, clauses, members, options.

Everything is compared by name, since numbers shift with each line that is added.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import product
from typing import Any

from dsl.engine.display import member_name
from dsl.ir.program import Clause, Data, Place, Program
from dsl.testing.failure_text import named

MOST_TEXT = 90
"""How much of a line is told."""
NONE_OF_THEM: frozenset[int] = frozenset()
PLACES = frozenset({"site", "clause", "label", "prompt", "log", "label_args", "prompt_args"})
"""Fields of nodes that say where something stands or how it is told, not what it does."""
UNTOLD = frozenset({"test", "text"})
"""Kinds of clauses that do not decide how a game goes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise: in words, with its citation, and what it is about."""

    text: str
    cited: tuple[str, ...] = ()
    subjects: frozenset[str] = frozenset()
    """Names of the members, actions and values that it bears on."""
    before: frozenset[int] = field(default=NONE_OF_THEM)
    """The clauses of the old program that say it, and those of the new one."""
    after: frozenset[int] = field(default=NONE_OF_THEM)
    place: Place | None = None

    def __str__(self) -> str:
        cited = f" [{', '.join(self.cited)}]" if self.cited else ""
        at = f" ({self.place.file}:{self.place.line})" if self.place is not None else ""
        return f"{self.text}{cited}{at}"


def differences(old: Program, new: Program) -> list[Difference]:
    """What is otherwise in the new program: printed values, members, clauses and options; or, where those are the
    same, which actions and values are written otherwise.
    """
    found = [*_data(old, new), *_members(old, new), *_clauses(old, new), *_options(old, new)]
    return found or list(_bodies(old, new))


# ---------------------------------------------------------------- printed values


def _data(old: Program, new: Program) -> Iterator[Difference]:
    known = {each.name: each for each in old.data}
    for data in new.data:
        mine = known.get(data.name)
        if mine is None:
            continue
        owner = data.name.partition(".")[0]
        domains = _domain(old, owner), _domain(new, owner)
        if "." in data.name and None not in domains and len(mine.dims) == len(data.dims) == 1:
            yield from _column(old, new, mine, data)


def _column(old: Program, new: Program, mine: Data, data: Data) -> Iterator[Difference]:
    """A printed column, row by row."""
    owner, _, column = data.name.partition(".")
    first, second = _domain(old, owner), _domain(new, owner)
    assert first is not None and second is not None
    rows = {name: number for number, name in enumerate(old.domains[first].members)}
    for number, name in enumerate(new.domains[second].members):
        at, to = rows.get(name, -1) - mine.dims[0][0], number - data.dims[0][0]
        if name not in rows or not 0 <= at < len(mine.values) or not 0 <= to < len(data.values):
            continue
        was, now = named(old, mine.type, mine.values[at]), named(new, data.type, data.values[to])
        if was == now:
            continue
        clauses = _entry(mine, at), _entry(data, to)
        clause = new.clauses[min(clauses[1])] if clauses[1] else None
        label = member_name(new, second, number)
        yield Difference(
            f"{label} {column} {now}, was {was}",
            clause.ids if clause is not None else (),
            frozenset({name, owner}),
            *clauses,
            place=clause.place if clause is not None else None,
        )


def _entry(data: Data, index: int) -> frozenset[int]:
    clause = data.clauses[index] if index < len(data.clauses) else None
    return NONE_OF_THEM if clause is None else frozenset({clause})


def _domain(program: Program, name: str) -> int | None:
    return next((n for n, each in enumerate(program.domains) if each.name == name), None)


# ---------------------------------------------------------------- members


def _members(old: Program, new: Program) -> Iterator[Difference]:
    for mine, domain in product(old.domains, new.domains):
        if mine.name != domain.name or mine.kind != domain.kind or domain.kind in {"union", "line"}:
            continue
        gone = [each for each in mine.members if each not in domain.members]
        come = [each for each in domain.members if each not in mine.members]
        if gone:
            yield Difference(f"{domain.name} no longer has {', '.join(gone[:6])}", subjects=frozenset(gone))
        if come:
            yield Difference(f"{domain.name} has also {', '.join(come[:6])}", subjects=frozenset(come))


# ---------------------------------------------------------------- clauses

_Key = tuple[str, str, tuple[str, ...]]


def _clauses(old: Program, new: Program) -> Iterator[Difference]:
    mine, other = _by_key(old), _by_key(new)
    for key in dict.fromkeys((*other, *mine)):
        was, now = mine.get(key, []), other.get(key, [])
        texts = Counter(_text(old.clauses[each]) for each in was)
        gone = [each for each in was if _unmatched(old, each, Counter(_text(new.clauses[n]) for n in now))]
        come = [each for each in now if _unmatched(new, each, texts)]
        yield from _changed(old, new, gone, come)


def _unmatched(program: Program, clause: int, others: Counter[str]) -> bool:
    return not others[_text(program.clauses[clause])]


def _changed(old: Program, new: Program, gone: list[int], come: list[int]) -> Iterator[Difference]:
    for was, now in zip(gone, come, strict=False):
        text = f"`{_brief(_text(new.clauses[now]))}`, was `{_brief(_text(old.clauses[was]))}`"
        yield _difference(new.clauses[now], text, frozenset({was}), frozenset({now}))
    for clause in gone[len(come) :]:
        text = f"no longer there: `{_brief(_text(old.clauses[clause]))}`"
        yield _difference(old.clauses[clause], text, frozenset({clause}), NONE_OF_THEM)
    for clause in come[len(gone) :]:
        text = f"new: `{_brief(_text(new.clauses[clause]))}`"
        yield _difference(new.clauses[clause], text, NONE_OF_THEM, frozenset({clause}))


def _difference(clause: Clause, text: str, before: frozenset[int], after: frozenset[int]) -> Difference:
    return Difference(text, clause.ids, frozenset({clause.name} - {""}), before, after, clause.place)


def _by_key(program: Program) -> dict[_Key, list[int]]:
    """The clauses that decide something, by what and whose they are; rows of printed columns are told as data."""
    printed = {data.name.partition(".")[0] for data in program.data if "." in data.name}
    found: dict[_Key, list[int]] = defaultdict(list)
    for number, clause in enumerate(program.clauses):
        if clause.kind in UNTOLD or (clause.kind == "row" and clause.name.partition(" ")[0] in printed):
            continue
        found[clause.kind, clause.name, clause.ids].append(number)
    return found


def _text(clause: Clause) -> str:
    """The line without its citation, which stands beside it."""
    text = " ".join(clause.text.split())
    head, bracket, _ = text.rpartition(" [")
    return head if bracket and text.endswith("]") and clause.ids else text


def _brief(text: str) -> str:
    """A line, cut where it is long."""
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…"


# ---------------------------------------------------------------- options


def _options(old: Program, new: Program) -> Iterator[Difference]:
    mine, other = ({each.name: each for each in program.options} for program in (old, new))
    for name in dict.fromkeys((*mine, *other)):
        if name not in other:
            yield Difference(f"there is no option `{name}` any more", subjects=frozenset({name}))
        elif name not in mine:
            yield Difference(f"there is a new option `{name}`", subjects=frozenset({name}))


# ---------------------------------------------------------------- what is done


def _bodies(old: Program, new: Program) -> Iterator[Difference]:
    """Actions and values that do something else; where all is numbered alike, so that numbers mean the same."""
    if _numbering(old) != _numbering(new):
        return
    pairs = [
        *((each.name, mine, each) for mine, each in zip(old.procedures, new.procedures, strict=True)),
        *((each.name, mine, each) for mine, each in zip(old.routines, new.routines, strict=True)),
    ]
    for name, mine, other in pairs:
        if _done(mine) != _done(other):
            yield Difference(f"what `{name}` does has changed", subjects=frozenset({name}))
    for value, now in zip(old.values, new.values, strict=True):
        if _done(value.base) != _done(now.base):
            yield Difference(f"what `{now.name}` is has changed", subjects=frozenset({now.name}))


def _numbering(program: Program) -> list[tuple[str, ...]]:
    return [
        tuple(each.name for each in program.domains),
        tuple(each.name for each in program.vars),
        tuple(each.name for each in program.data),
        tuple(each.name for each in program.values),
        tuple(each.name for each in program.actions),
        tuple(each.name for each in program.procedures),
        tuple(each.name for each in program.routines),
    ]


def _done(node: Any) -> Any:
    """A node as what it does: without its places and words."""
    if isinstance(node, tuple):
        return tuple(_done(each) for each in node)
    if not is_dataclass(node):
        return node
    kept = [_done(getattr(node, each.name)) for each in fields(node) if each.name not in PLACES]
    return (type(node).__name__, *kept)
