"""The parser's tables as JSON, so that they need not be computed each time: that takes longer than reading most games.

Lark computes them from the grammar. They are kept beside it, as Python keeps compiled modules beside their sources,
where whoever can write could as well change this program; where nothing can be written there, or Python is told to
write no compiled modules, in the user's own cache. They decide how sources are understood: nowhere else.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dsl.files import MAX_SOURCE_BYTES, read_regular, write_atomically
from dsl.syntax.lalr import Rule, Tables, Terminal

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule as LarkRule

FORMAT = 1


class Keeper(Protocol):
    """A place for things that can be made again, by name."""

    def read(self, name: str) -> bytes | None: ...

    def write(self, name: str, data: bytes) -> None: ...


class Beside:
    """A folder of compiled things beside their sources, as Python has them: one that need not be there."""

    def __init__(self, sources: Path) -> None:
        self.folder = Path(cache_from_source(os.fspath(sources / "tables.py"))).parent

    def read(self, name: str) -> bytes | None:
        """An entry; none where there is none."""
        try:
            return read_regular(self.folder / name, MAX_SOURCE_BYTES)
        except OSError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Puts an entry in place of all others, where it can."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            for other in self.folder.glob("grammar-*.json"):
                other.unlink(missing_ok=True)
            write_atomically(self.folder / name, data)


def tables_of(text: str, starts: Sequence[str], *keepers: Keeper) -> Tables:
    """A grammar's tables: the first that are kept, or computed, and then kept by the first that can."""
    name = _name(text, starts)
    for each in keepers:
        known = each.read(name)
        tables = _restored(known) if known is not None else None
        if tables is not None:
            return tables
    tables = computed(text, starts)
    data = _written(tables)
    for each in keepers:
        each.write(name, data)
        if each.read(name) == data:
            break
    return tables


def computed(text: str, starts: Sequence[str]) -> Tables:
    """The tables of a grammar."""
    from lark import Lark

    return _tables(
        Lark(text, parser="lalr", lexer="basic", start=list(starts), propagate_positions=True), starts
    )


def _name(text: str, starts: Sequence[str]) -> str:
    whole = "\0".join((str(FORMAT), *starts, text))
    return f"grammar-{hashlib.sha256(whole.encode()).hexdigest()[:32]}.json"


# ---------------------------------------------------------------- from Lark


def _tables(parser: Lark, starts: Sequence[str]) -> Tables:
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    terminals = tuple(
        Terminal(
            each.name,
            each.pattern.to_regexp(),
            each.pattern.value if isinstance(each.pattern, PatternStr) else None,
            each.priority,
        )
        for each in parser.terminals
    )
    states = parser.parse_interactive("", start=starts[0]).parser_state.parse_conf.states
    numbers = {state: number for number, state in enumerate(states)}
    rules: dict[LarkRule, int] = {}
    table = []
    for actions in states.values():
        row = {}
        for symbol, (kind, argument) in actions.items():
            row[symbol] = numbers[argument] if kind is Shift else -1 - rules.setdefault(argument, len(rules))
        table.append(row)
    ends = {}
    for start in starts:
        configuration = parser.parse_interactive("", start=start).parser_state.parse_conf
        ends[start] = numbers[configuration.start_state], numbers[configuration.end_state]
    return Tables(terminals, tuple(map(_rule, rules)), tuple(table), ends)


def _rule(rule: LarkRule) -> Rule:
    """A production as Lark would shape its trees: without signs, absent parts as none, `_rules` by their children."""
    expansion, options = rule.expansion, rule.options
    empty = "".join("1" if each else "0" for each in options.empty_indices)
    absent = [len(each) for each in empty.split("0")] if empty else [0] * (len(expansion) + 1)
    taken, waiting = [], 0
    for at, symbol in enumerate(expansion):
        waiting += absent[at]
        if options.keep_all_tokens or not (symbol.is_term and getattr(symbol, "filter_out", False)):
            expands = not symbol.is_term and symbol.name.startswith("_")
            taken.append((at, expands, waiting))
            waiting = 0
    waiting += absent[len(expansion)]
    plain = [(at, False, 0) for at in range(len(expansion))]
    single = bool(options.expand1 and not rule.alias)
    name = str(rule.alias or options.template_source or rule.origin.name)
    return Rule(
        len(expansion), str(rule.origin.name), name, single, None if taken == plain else tuple(taken), waiting
    )


# ---------------------------------------------------------------- there and back


def _written(tables: Tables) -> bytes:
    document = {
        "terminals": [[each.name, each.pattern, each.literal, each.priority] for each in tables.terminals],
        "rules": [
            [each.size, each.origin, each.name, each.single, each.taken, each.absent] for each in tables.rules
        ],
        "states": tables.states,
        "starts": tables.starts,
    }
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return json.dumps([hashlib.sha256(body.encode()).hexdigest(), body], ensure_ascii=False).encode()


def _restored(kept: bytes) -> Tables | None:
    """The tables of an entry; none where it is damaged, in whatever way."""
    try:
        digest, body = json.loads(kept)
        if hashlib.sha256(body.encode()).hexdigest() != digest:
            return None
        document: dict[str, Any] = json.loads(body)
        return Tables(
            tuple(Terminal(*each) for each in document["terminals"]),
            tuple(
                Rule(
                    size,
                    origin,
                    name,
                    single,
                    None if taken is None else tuple((at, expands, absent) for at, expands, absent in taken),
                    behind,
                )
                for size, origin, name, single, taken, behind in document["rules"]
            ),
            tuple(document["states"]),
            {start: (first, last) for start, (first, last) in document["starts"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
