"""Kinds of mutation: each takes a text and a generator, and gives another text."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.fuzz.corpus import TOKEN, names, programs, vocabulary

Mutation = Callable[[str, Random], str]

NUMBERS = (0, 1, 2, 3, 7, 31, 32, 64, 100, 255, 4096, 4097, 65536, 10**6, 2**31 - 1, 2**31, 2**63, 10**25)
OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "<",
    ">",
    "<=",
    ">=",
    "is",
    "is not",
    "in",
    "not in",
    "has",
    "and",
    "or",
    ",",
    ";",
)
OPERATOR = re.compile(r"(?<= )(?:[-+*/<>]|[<>]=|is not|is|not in|in|has no|has|and|or)(?= )|[,;]")
CITATION = re.compile(r"(?<=[ \t])\[[^\]\n]*\]")
CITATIONS = ("[S-1]", "[house]", "[P-1, water]", "[T-3, T-4]", "[]", "[X-1", "[house CA-H01]", "[?]")
CELLS = (
    "-",
    "",
    "0",
    "3-5",
    "10+",
    "a, b",
    "1/2",
    "2 MI",
    "-/1",
    "lose(1)",
    "hire(EP); -",
    "é",
    "9" * 20,
    "(",
    "x y",
)
DEEP = (5, 40, 90, 91, 400, 3000)


def _at(text: str, pattern: re.Pattern[str], r: Random) -> tuple[int, int] | None:
    found = [match.span() for match in pattern.finditer(text)]
    return r.choice(found) if found else None


def _replaced(text: str, pattern: re.Pattern[str], r: Random, fresh: Callable[[str], str]) -> str:
    span = _at(text, pattern, r)
    if span is None:
        return text
    start, end = span
    return text[:start] + fresh(text[start:end]) + text[end:]


def _lines(change: Callable[[list[str], Random], None]) -> Mutation:
    def mutation(text: str, r: Random) -> str:
        lines = text.split("\n")
        change(lines, r)
        return "\n".join(lines)

    return mutation


def _delete_lines(lines: list[str], r: Random) -> None:
    at = r.randrange(len(lines))
    del lines[at : at + r.choice((1, 1, 1, 2, 5))]


def _duplicate_line(lines: list[str], r: Random) -> None:
    lines.insert(r.randrange(len(lines)), r.choice(lines))


def _swap_lines(lines: list[str], r: Random) -> None:
    one, two = r.randrange(len(lines)), r.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _indentation(lines: list[str], r: Random) -> None:
    at = r.randrange(len(lines))
    bare = lines[at].lstrip(" ")
    lines[at] = " " * max(0, len(lines[at]) - len(bare) + r.choice((-4, -4, -1, 1, 4, 4, 8, 60))) + bare


def _splice(lines: list[str], r: Random) -> None:
    """Lines of another program, from a line without indentation on."""
    other = r.choice(programs()).text.split("\n")
    starts = [n for n, line in enumerate(other) if line and line[0] not in " #"]
    start = r.choice(starts)
    end = next((n for n in starts if n > start), len(other))
    lines[r.randrange(len(lines)) :] = other[start:end]


def _insert_declaration(lines: list[str], r: Random) -> None:
    other = r.choice(programs()).text.split("\n")
    starts = [n for n, line in enumerate(other) if line and line[0] not in " #"]
    start = r.choice(starts[1:] or starts)
    end = next((n for n in starts if n > start), len(other))
    own = [n for n, line in enumerate(lines) if line and line[0] not in " #"] or [0]
    at = r.choice(own)
    lines[at:at] = other[start:end]


def delete_token(text: str, r: Random) -> str:
    return _replaced(text, TOKEN, r, lambda _: "")


def duplicate_token(text: str, r: Random) -> str:
    return _replaced(text, TOKEN, r, lambda token: f"{token} {token}")


def swap_tokens(text: str, r: Random) -> str:
    spans = (
        sorted(r.sample([m.span() for m in TOKEN.finditer(text)], 2)) if len(TOKEN.findall(text)) > 1 else []
    )
    if not spans:
        return text
    (a, b), (c, d) = spans
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def replace_token(text: str, r: Random) -> str:
    return _replaced(text, TOKEN, r, lambda _: r.choice(vocabulary()))


def insert_token(text: str, r: Random) -> str:
    return _replaced(text, TOKEN, r, lambda token: f"{token} {r.choice(vocabulary())}")


def rename(text: str, r: Random) -> str:
    """A name becomes another of this program, or of any."""
    own = re.findall(r"[^\W\d]\w*", text)
    return _replaced(
        text, re.compile(r"[^\W\d]\w*"), r, lambda _: r.choice(own if r.random() < 0.8 else names())
    )


def number(text: str, r: Random) -> str:
    return _replaced(text, re.compile(r"\d+"), r, lambda _: str(r.choice(NUMBERS)))


def operator(text: str, r: Random) -> str:
    return _replaced(text, OPERATOR, r, lambda _: r.choice(OPERATORS))


def citation(text: str, r: Random) -> str:
    if r.random() < 0.3:
        return _replaced(text, re.compile(r"(?<=\S)\n"), r, lambda _: f"  {r.choice(CITATIONS)}\n")
    return _replaced(text, CITATION, r, lambda _: r.choice(("", *CITATIONS)))


def cell(text: str, r: Random) -> str:
    """A cell of a table becomes another, or goes, or comes."""
    row = _at(text, re.compile(r"^ *\|.*\|", re.MULTILINE), r)
    if row is None:
        return text
    start, end = row
    cells = text[start:end].split("|")
    at = r.randrange(1, len(cells) - 1) if len(cells) > 2 else 0
    match r.randrange(4):
        case 0:
            del cells[at]
        case 1:
            cells.insert(at, cells[at])
        case 2:
            cells[at] = f" {r.choice(CELLS)} "
        case _:
            other = r.randrange(len(cells))
            cells[at], cells[other] = cells[other], cells[at]
    return text[:start] + "|".join(cells) + text[end:]


def nesting(text: str, r: Random) -> str:
    """Something simple becomes something deep."""
    n = r.choice(DEEP)
    word = re.compile(r"(?<= )\w+(?=$|[ ,)])", re.MULTILINE)
    forms: tuple[Callable[[str], str], ...] = (
        lambda x: "(" * n + x + ")" * n,
        lambda x: "not " * n + x,
        lambda x: x + f" + {x}" * n,
        lambda x: x + f" * {x}" * n,
        lambda x: "-" * n + x,
        lambda x: x + f" and {x}" * n,
        lambda x: f"{x} if {x} is {x} else " * n + x,
        lambda x: "sum " * n + x,
        lambda x: "(any x in Cell where " * n + x + ")" * n,
        lambda x: "{" + ", ".join([x] * n) + "}",
        lambda x: x + "." + x * n,
    )
    return _replaced(text, word, r, r.choice(forms))


def deep_block(text: str, r: Random) -> str:
    """A statement inside many others."""
    lines = text.split("\n")
    inside = [
        n for n, line in enumerate(lines) if line.startswith("    ") and not line.rstrip().endswith(":")
    ]
    if not inside:
        return text
    at = r.choice(inside)
    bare = lines[at].strip()
    start = len(lines[at]) - len(lines[at].lstrip())
    head = r.choice(
        (
            "if true:",
            "for p in Player:",
            "repeat 30 times:",
            "repeat 1000000 times:",
            "together:",
            "until false:",
        )
    )
    depth = r.choice((1, 2, 4, 6, 12, 100))
    made = [" " * (start + n) + head for n in range(depth)]
    lines[at : at + 1] = [*made, " " * (start + depth) + bare]
    return "\n".join(lines)


def bits(text: str, r: Random) -> str:
    """Characters of any kind, anywhere."""
    for _ in range(r.randint(1, 4)):
        at = r.randrange(len(text) + 1)
        text = (
            text[:at]
            + r.choice('\0\t\r\n "|[](){}:;.,#é²٣\ud800'.replace("\ud800", "\u2029"))
            + text[at + r.randint(0, 3) :]
        )
    return text


KINDS: dict[str, Mutation] = {
    "delete lines": _lines(_delete_lines),
    "duplicate a line": _lines(_duplicate_line),
    "swap lines": _lines(_swap_lines),
    "indentation": _lines(_indentation),
    "splice programs": _lines(_splice),
    "foreign declaration": _lines(_insert_declaration),
    "delete a token": delete_token,
    "duplicate a token": duplicate_token,
    "swap tokens": swap_tokens,
    "replace a token": replace_token,
    "insert a token": insert_token,
    "another name": rename,
    "another number": number,
    "another operator": operator,
    "citations": citation,
    "cells": cell,
    "deep expressions": nesting,
    "deep blocks": deep_block,
    "characters": bits,
}
PLAIN = tuple(KINDS)


def mutate(text: str, r: Random) -> tuple[str, str]:
    """The name of what was done, and the text after it; one in four texts is changed several times."""
    if r.random() < 0.25:
        for _ in range(r.randint(2, 4)):
            text = KINDS[r.choice(PLAIN)](text, r) or text
        return "several", text
    kind = r.choice(PLAIN)
    return kind, KINDS[kind](text, r)
