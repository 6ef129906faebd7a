"""The reference of the Python interface, from its docstrings: `python -m tests.docs.interface --write` puts it into
`docs/reference/python.md`.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import dsl
from tests.docs.snippets import DOCS

PAGE = DOCS / "reference/python.md"
BEGIN = "<!-- from the docstrings: python -m tests.docs.interface --write -->"
END = "<!-- as far as here -->"
GROUPS = {
    "Functions": ("load", "compile", "games", "playout", "perft", "perft_divide", "think"),
    "Programs": ("Program", "Setting", "Field", "Compilation"),
    "Games": (
        "Game",
        "Decision",
        "Option",
        "Outcome",
        "View",
        "HIDDEN",
        "WhyNot",
        "Playouts",
        "Advice",
        "Weighed",
    ),
    "What was found": ("Diagnostic",),
}
ERRORS = ("LoadError", "StartError", "IllegalChoice", "RuleFailure", "SaveError", "Unplayable")
"""They stand in a table of the page."""


def written() -> str:
    """The generated part of the page."""
    parts = [BEGIN, ""]
    for title, names in GROUPS.items():
        parts += [f"## {title}", ""]
        for name in names:
            parts += [f"### {name}", "", *_entry(name, getattr(dsl, name)), ""]
    return "\n".join([*parts, END])


def with_written(text: str) -> str:
    """The page with what the docstrings say now."""
    return text[: text.index(BEGIN)] + written() + text[text.index(END) + len(END) :]


def _entry(name: str, thing: Any) -> Iterator[str]:
    if inspect.isclass(thing):
        yield from sentences(doc_of(thing))
        yield from _members(thing)
    elif callable(thing):
        yield f"`dsl.{name}{_signature(thing)}`"
        yield ""
        yield from sentences(doc_of(thing))
    else:
        yield from sentences(doc_of(type(thing)))


def doc_of(thing: Any) -> str:
    """A docstring without the margin of its function or class: what stands further right stays so."""
    doc = thing.__doc__ or ""
    first, _, rest = doc.partition("\n")
    lines, _ = inspect.getsourcelines(thing)
    margin = " " * (len(lines[0]) - len(lines[0].lstrip()) + 4)
    return "\n".join([first, *(line.removeprefix(margin) for line in rest.split("\n"))]).strip()


def _signature(thing: Any) -> str:
    """The parameters of a function, and what it gives."""
    parts, found = [], inspect.signature(thing)
    by_name = False
    for each in found.parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not by_name:
            parts.append("*")
            by_name = True
        star = "*" if each.kind is each.VAR_POSITIONAL else ""
        default = "" if each.default is each.empty else f" = {each.default!r}"
        parts.append(f"{star}{each.name}: {each.annotation}{default}")
    return f"({', '.join(parts)}) -> {found.return_annotation}"


def sentences(doc: str) -> Iterator[str]:
    """A docstring as Markdown: what stands further right is an example."""
    for part in re.split(r"\n[ \t]*\n", doc):
        if part.startswith("    "):
            yield "```python hint"
            yield textwrap.dedent(part).rstrip()
            yield "```"
        else:
            yield part
        yield ""


def examples(doc: str) -> Iterator[str]:
    """The examples of a docstring."""
    for part in re.split(r"\n[ \t]*\n", doc):
        if part.startswith("    "):
            yield textwrap.dedent(part)


def _members(thing: type) -> Iterator[str]:
    """The values of a class in a table, then its methods."""
    rows = [*_attributes(thing), *_properties(thing)]
    if rows:
        yield "| value | |"
        yield "|---|---|"
        yield from (f"| `{name}` | {words} |" for name, words in rows)
        yield ""
    for name, member in vars(thing).items():
        inner = getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(inner) or not inspect.getdoc(inner):
            continue
        yield f"#### {thing.__name__}.{name}"
        yield ""
        yield f"`{name}{_signature(inner)}`"
        yield ""
        yield from sentences(doc_of(inner))


def _properties(thing: type) -> Iterator[tuple[str, str]]:
    for name, member in vars(thing).items():
        inner = getattr(member, "fget", None) or getattr(member, "func", None)
        if not name.startswith("_") and inner is not None:
            yield name, _on_one_line(doc_of(inner))


def _on_one_line(doc: str) -> str:
    """What stands in a table."""
    assert not any(examples(doc)), f"an example has no place in a table: {doc}"
    return " ".join(doc.split()).replace("|", "\\|")


def _attributes(thing: type) -> Iterator[tuple[str, str]]:
    """The fields of a dataclass, with the texts that stand under them."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    body = tree.body[0].body  # type: ignore[attr-defined]
    for one, other in zip(body, [*body[1:], None], strict=True):
        if not isinstance(one, ast.AnnAssign) or not isinstance(one.target, ast.Name):
            continue
        name = one.target.id
        if name.startswith("_"):
            continue
        is_told = isinstance(other, ast.Expr) and isinstance(other.value, ast.Constant)
        words = inspect.cleandoc(str(other.value.value)) if is_told else ""  # type: ignore[union-attr]
        yield name, _on_one_line(words)


def main(arguments: list[str]) -> int:
    text = PAGE.read_text(encoding="utf-8")
    found = with_written(text)
    if "--write" in arguments:
        PAGE.write_text(found, encoding="utf-8")
        return 0
    print(written())
    return int(found != text)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
