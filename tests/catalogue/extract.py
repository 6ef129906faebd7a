"""The texts that the sources say to users, found in their trees: what can be looked up in a catalogue, and what cannot.

A text is said where `tr` or `N_` is called; where a diagnostic is made, which is a call whose first argument is a code,
or `Label` and `Fix`; and where a variable or keyword is called so that it can only be handed to one (`message`).
A constant is looked up as it stands. An f-string there is put together before anybody could look it up: it stays
English.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "dsl"
MARKS = frozenset({"tr", "N_"})
REFUSALS = frozenset({"UsageError", "ClickException", "BadParameter"})
"""Errors of commands, whose first argument is what they say."""
FAILURES = {
    "RuleFailure": 1,
    "StartError": 0,
    "Unplayable": 0,
    "ScriptError": 0,
    "IllegalChoice": 0,
    "say": 0,
}
"""Failures of play, and which of their arguments says why."""
HELD = frozenset({"message", "hint", "hints", "note", "notes", "label", "labels", "advice", "remedy"})
"""Variables and keywords that hold texts of diagnostics."""
CODES = "Code"


@dataclass(frozen=True)
class Said:
    """A text that is said: where, and under which code, if that is known; `text` is none where it is put together."""

    path: Path
    line: int
    text: str | None
    code: str = ""

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT).as_posix()}:{self.line}"


@cache
def said(folder: Path = PACKAGE) -> list[Said]:
    """All texts of a package, by file and line."""
    found: dict[tuple[Path, int, int], Said] = {}
    for path in sorted(folder.rglob("*.py")):
        for node, code in _texts(ast.parse(path.read_text(encoding="utf-8"))):
            for each in _leaves(node):
                key = (path, each.lineno, each.col_offset)
                text = each.value if isinstance(each, ast.Constant) else None
                if text is None or any(sign.isalpha() for sign in text):
                    found.setdefault(key, Said(path, each.lineno, text, code))
    return [found[key] for key in sorted(found)]


def _texts(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """The expressions that are said, and the codes under which they are."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if (
                name in MARKS
            ):
                yield first, ""
            case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in REFUSALS:
                yield first, ""
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in FAILURES:
                yield from ((each, "") for each in args[FAILURES[name] : FAILURES[name] + 1])
            case (
                ast.Call(func=ast.Name(id="Label"), args=[_, text])
                | ast.Call(func=ast.Name(id="Fix"), args=[_, _, text])
            ):
                yield text, ""
            case ast.Call(
                args=[ast.Attribute(value=ast.Name(id="Code"), attr=code), *others], keywords=keywords
            ):
                yield from ((each, code) for each in others)
                yield from ((each.value, code) for each in keywords if each.arg in HELD)
            case ast.Call(func=ast.Attribute(attr="unknown"), args=[_, _, *others], keywords=keywords):
                yield from ((each, "UNKNOWN_NAME") for each in others)
                yield from ((each.value, "UNKNOWN_NAME") for each in keywords if each.arg in HELD)
            case ast.Call(keywords=keywords):
                yield from ((each.value, "") for each in keywords if each.arg in HELD)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in HELD:
                yield value, ""
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for target, value in zip(names, values, strict=False):
                    if isinstance(target, ast.Name) and target.id in HELD:
                        yield value, ""
            case _:
                pass


def _leaves(node: ast.expr) -> Iterator[ast.Constant | ast.JoinedStr | ast.BinOp]:
    """The strings that an expression may come to: both sides of a choice, the members of a tuple."""
    match node:
        case ast.Constant(value=str()):
            yield node
        case ast.JoinedStr():
            yield node
        case ast.IfExp(body=body, orelse=other):
            yield from _leaves(body)
            yield from _leaves(other)
        case ast.BoolOp(values=values) | ast.Tuple(elts=values):
            for each in values:
                yield from _leaves(each)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in MARKS:
            yield from _leaves(first)
        case _:
            pass


def codes() -> list[str]:
    """The titles of all codes."""
    from dsl.diagnostics import Code

    return [each.title for each in Code]


def words_of_commands() -> list[str]:
    """The lines of the commands in the help, what they say of themselves, and of their options."""
    from dsl.cli.commands import COMMANDS
    from dsl.cli.helping import paragraphs

    found = [each.words for each in COMMANDS.values()]
    for each in COMMANDS.values():
        command = each.load()
        found += paragraphs(command.help or "")
        found += (text for param in command.params if (text := getattr(param, "help", None)))
    return [*dict.fromkeys(found), "Print the version."]


def hints_of_words() -> list[str]:
    """What is said of words that other languages have, and this one has not."""
    from dsl.syntax import words

    tables = (words.FOREIGN_WORDS, words.FOREIGN_DECLARATIONS, {"": words.FOLLOWERS["otherwise"]})
    return list(dict.fromkeys(text for table in tables for text in table.values()))


def whole() -> dict[str, list[str]]:
    """All texts that catalogues hold, each with the files that say it."""
    found: dict[str, list[str]] = {}
    for each in said():
        if each.text is not None:
            found.setdefault(each.text, []).append(each.path.relative_to(ROOT).as_posix())
    for text in codes():
        found.setdefault(text, []).append("dsl/diagnostics/codes.py")
    for text in words_of_commands():
        found.setdefault(text, []).append("dsl/cli/commands.py")
    for text in hints_of_words():
        found.setdefault(text, []).append("dsl/syntax/words.py")
    return {text: sorted(set(places)) for text, places in found.items()}
