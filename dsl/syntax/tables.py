"""The parser's tables as JSON, so that they need not be computed each time: that takes longer than reading most games.

What is kept is what Lark itself would pickle. Tables are only to be kept where nobody but the user can write: they
decide how sources are understood.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Protocol

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef


class Keeper(Protocol):
    """A place for things that can be made again, by name."""

    def read(self, name: str) -> bytes | None: ...

    def write(self, name: str, data: bytes) -> None: ...


def lark_of(text: str, starts: Sequence[str], keeper: Keeper | None = None) -> Lark:
    """A grammar's parser: from kept tables, or computed, and then kept."""
    name = _name(text, starts)
    known = keeper.read(name) if keeper is not None else None
    parser = _restored(known) if known is not None else None
    if parser is None:
        parser = Lark(text, parser="lalr", lexer="basic", start=list(starts), propagate_positions=True)
        if keeper is not None:
            keeper.write(name, _written(parser))
    return parser


def _name(text: str, starts: Sequence[str]) -> str:
    whole = "\0".join((lark.__version__, *starts, text))
    return f"grammar-{hashlib.sha256(whole.encode()).hexdigest()[:32]}.json"


def _written(parser: Lark) -> bytes:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return json.dumps({"data": data, "memo": memo}, separators=(",", ":")).encode()


def _restored(kept: bytes) -> Lark | None:
    """The parser of some tables; none where they are damaged, in whatever way."""
    try:
        document = json.loads(kept)
        data, memo = document["data"], _by_number(document["memo"])
        table = data["parser"]["parser"]
        table["tokens"] = _by_number(table["tokens"])
        table["states"] = {int(state): _by_number(actions) for state, actions in table["states"].items()}
        parser: Lark = Lark._load_from_dict(data, memo)  # type: ignore[no-untyped-call]
    except Exception:
        return None
    return parser


def _by_number(document: dict[str, Any]) -> dict[int, Any]:
    """JSON's names are texts; the tables' are numbers."""
    return {int(name): value for name, value in document.items()}
