"""The generated half of `docs/reference/ir.md`: every class of a program with its fields,
and every operator, from the classes and declarations.

`python -m dsl.ir.reference --write` puts it into the page, behind the marker.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import assert_never

from dsl.files import write_atomically
from dsl.ir.operators import GROUPS
from dsl.ir.ops import WORDS
from dsl.ir.program import Program
from dsl.ir.shapes import (
    REQUIRED,
    UNIONS,
    Field,
    Fixed,
    Many,
    Maybe,
    Node,
    Number,
    Part,
    Plain,
    Shape,
    TypeNumber,
    classes,
    fields_of,
    tag_of,
    union_of,
)

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/ir.md"
MARKER = "<!-- From here on written by `python -m dsl.ir.reference --write`. -->\n"
_TITLES = {
    "type": "Types",
    "expression": "Expressions",
    "statement": "Statements",
    "terminator": "Ends of blocks",
}


def chapters() -> str:
    """The generated chapters, in Markdown."""
    parts = [cls for cls in classes() if union_of(cls) is None and cls is not Program]
    groups: list[tuple[str, list[type]]] = [("The program", [Program]), ("Its parts", parts)]
    groups += [(_TITLES[name], list(members)) for name, members in UNIONS.items()]
    written = [f"## {title}\n\n" + "\n".join(_class(each) for each in group) for title, group in groups]
    return "\n".join((*written, _operators()))


def page() -> str:
    """The page as it should be: what is written by hand, and the generated chapters."""
    hand, marker, _ = PAGE.read_text(encoding="utf-8").partition(MARKER)
    return f"{hand}{marker}\n{chapters()}"


def _class(cls: type) -> str:
    tag = f" (`{tag_of(cls)}`)" if union_of(cls) else ""
    text = f"{inspect.cleandoc(cls.__doc__)}\n\n" if cls.__doc__ else ""
    rows = "".join(_row(cls, field) for field in fields_of(cls))
    return f"### {cls.__name__}{tag}\n\n{text}| field | holds | left out |\n|---|---|---|\n{rows}"


def _operators() -> str:
    """The chapter on operators, from their declarations."""
    rows = "".join(
        f"| {title} | `{each.name}` | {each.takes} | {each.says} | {each.fails or 'never'} |\n"
        for title, group in GROUPS.items()
        for each in group
    )
    head = "| of | operator | operands | yields | fails |\n|---|---|---|---|---|\n"
    return f"## Operators\n\n{head}{rows}"


def _row(cls: type, field: Field) -> str:
    words = WORDS.get((cls, field.name))
    holds = "one of " + ", ".join(f"`{word}`" for word in words) if words else _holds(field.shape)
    if words and isinstance(field.shape, Many):
        holds = f"list of {holds}"
    return f"| `{field.name}` | {holds} | {_left_out(field)} |\n"


def _left_out(field: Field) -> str:
    match field.default:
        case None:
            return "none"
        case False:
            return "false"
        case ():
            return "empty"
        case default if default is REQUIRED:
            return "never"
        case default:
            return f"`{default}`"


def _holds(shape: Shape) -> str:
    match shape:
        case Plain(type):
            return {int: "number", bool: "truth", str: "text"}[type]
        case Number():
            return "number or list of numbers"
        case TypeNumber():
            return "type"
        case Node(union):
            return union
        case Part(cls):
            return f"[{cls.__name__}](#{cls.__name__.lower()})"
        case Many(item):
            return f"list of {_holds(item)}"
        case Fixed(items):
            return f"list ({', '.join(map(_holds, items))})"
        case Maybe(item):
            return f"{_holds(item)}, or none"
        case _:
            assert_never(shape)


def _main(arguments: list[str]) -> Iterator[str]:
    if arguments == ["--write"]:
        write_atomically(PAGE, page())
        yield f"wrote {PAGE.name}\n"
    else:
        yield chapters()


if __name__ == "__main__":
    sys.stdout.writelines(_main(sys.argv[1:]))
