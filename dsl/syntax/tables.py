"""The parser's tables as data, so that they need not be computed: that takes longer than reading most games.

Lark computes them from the grammar. `grammar/scenarii.tables.json` beside it is what it computed, and is read instead
as long as the grammar is the one that it was computed from. After an edit of the grammar `python -m dsl.syntax.tables
--write` writes it again; until then the tables are computed, and kept in the user's own cache. They decide how sources
are understood: nowhere else.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dsl.files import MAX_SOURCE_BYTES, read_regular, write_atomically
from dsl.resources import grammar_folder
from dsl.syntax.lalr import Rule, Tables, Terminal
from dsl.syntax.spellings import spellings_of

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule as LarkRule

FORMAT = 3
STARTS = ("declaration", "cell_effect", "cell_expr")
"""What the grammar can read."""
GRAMMAR, WRITTEN = "scenarii.lark", "scenarii.tables.json"


class Keeper(Protocol):
    """A place for things that can be made again, by name."""

    def read(self, name: str) -> bytes | None: ...

    def write(self, name: str, data: bytes) -> None: ...


class Beside:
    """The tables that come with a grammar, in its folder: read, and never written in passing."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / WRITTEN

    def read(self, name: str) -> bytes | None:
        """Whatever there is, under any name: it says itself of what grammar it is."""
        try:
            return read_regular(self.path, MAX_SOURCE_BYTES).replace(b"\r\n", b"\n")
        except OSError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Nothing: `--write` does it."""


def tables_of(text: str, starts: Sequence[str], *keepers: Keeper) -> Tables:
    """A grammar's tables: the first that are kept, or computed, and then kept by the first that can."""
    of = _digest(text, starts)
    name = f"grammar-{of[:32]}.json"
    for each in keepers:
        known = each.read(name)
        tables = _restored(known, of) if known is not None else None
        if tables is not None:
            return tables
    tables = computed(text, starts)
    data = _written(tables, of)
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


def shipped() -> bytes:
    """What is to stand beside the grammar."""
    text = (grammar_folder() / GRAMMAR).read_text(encoding="utf-8")
    return _written(computed(text, STARTS), _digest(text, STARTS))


def _digest(text: str, starts: Sequence[str]) -> str:
    whole = "\0".join((str(FORMAT), *starts, text))
    return hashlib.sha256(whole.encode()).hexdigest()


# ---------------------------------------------------------------- from Lark


def _tables(parser: Lark, starts: Sequence[str]) -> Tables:
    from lark.lexer import Pattern, PatternStr
    from lark.parsers.lalr_analysis import Shift

    def terminal(name: str, pattern: Pattern, priority: int) -> Terminal:
        literal = pattern.value if isinstance(pattern, PatternStr) else None
        spelt = spellings_of(pattern.to_regexp()) if literal is None else (literal,)
        return Terminal(name, pattern.to_regexp(), literal, priority, spelt)

    terminals = tuple(terminal(each.name, each.pattern, each.priority) for each in parser.terminals)
    configurations = [
        parser.parse_interactive("", start=each).parser_state.parse_conf  # the tables are all of them
        for each in starts
    ]
    states = configurations[0].states
    numbers: dict[Any, int] = {}
    for state in _reached(states, [each.start_state for each in configurations], Shift):
        numbers[state] = len(numbers)
    rules: dict[LarkRule, int] = {}
    table = []
    for state in numbers:
        row = {}
        for symbol, (kind, argument) in sorted(states[state].items()):
            row[symbol] = numbers[argument] if kind is Shift else -1 - rules.setdefault(argument, len(rules))
        table.append(row)
    ends = {
        start: (numbers[each.start_state], numbers[each.end_state])
        for start, each in zip(starts, configurations, strict=True)
    }
    return Tables(terminals, tuple(map(_rule, rules)), tuple(table), ends)


def _reached(states: Mapping[Any, Mapping[str, Any]], first: Sequence[Any], shift: object) -> Iterator[Any]:
    """All states, in an order that the grammar alone decides."""
    known, waiting = set(first), list(first)
    for state in waiting:
        yield state
        for _, (kind, argument) in sorted(states[state].items()):
            if kind is shift and argument not in known:
                known.add(argument)
                waiting.append(argument)


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


def _written(tables: Tables, of: str) -> bytes:
    """Tables as JSON, a line for each state: its symbols by their numbers, each before what it leads to."""
    symbols = sorted({symbol for row in tables.states for symbol in row})
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    document: dict[str, Any] = {
        "starts": tables.starts,
        "symbols": symbols,
        "terminals": [
            [each.name, each.pattern, each.literal, each.priority, each.spellings]
            for each in tables.terminals
        ],
        "rules": [
            [each.size, each.origin, each.name, each.single, each.taken, each.absent] for each in tables.rules
        ],
        "states": [
            [part for symbol in row for part in (numbers[symbol], row[symbol])] for row in tables.states
        ],
    }
    parts = []
    for name, value in document.items():
        told = (
            ",\n".join(map(_json, value)) if name in {"terminals", "rules", "states"} else _json(value)[1:-1]
        )
        opening, closing = "{}" if name == "starts" else "[]"
        parts.append(f"{_json(name)}:{opening}{told}{closing}")
    body = ("{" + ",\n".join(parts) + "}").encode()
    return _head(of, body) + body + b"]\n"


def _head(of: str, body: bytes) -> bytes:
    """What tells whose tables these are, and that they are whole: the beginning of a list that ends behind them."""
    return f'["{of}","{hashlib.sha256(body).hexdigest()}",\n'.encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _restored(kept: bytes, of: str) -> Tables | None:
    """The tables of an entry; none where it is damaged, in whatever way, or of another grammar."""
    body = kept[kept.find(b"\n") + 1 : -2]
    if kept != _head(of, body) + body + b"]\n":
        return None
    try:
        document: dict[str, Any] = json.loads(body)
        symbols = document["symbols"]
        return Tables(
            tuple(
                Terminal(name, pattern, literal, priority, tuple(spelt))
                for name, pattern, literal, priority, spelt in document["terminals"]
            ),
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
            tuple(
                dict(zip([symbols[each] for each in row[::2]], row[1::2], strict=True))
                for row in document["states"]
            ),
            {start: (first, last) for start, (first, last) in document["starts"].items()},
        )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return None


def main() -> int:
    """Writes the tables beside the grammar (`--write`), or says whether those that stand there are its own."""
    path, data = grammar_folder() / WRITTEN, shipped()
    if "--write" in sys.argv[1:]:
        write_atomically(path, data)
    same = Beside(path.parent).read("") == data
    print(f"{path.name} {'is of this grammar' if same else 'is of another grammar: --write writes it again'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
