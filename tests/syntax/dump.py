"""A tree as lines: each node with its fields, its children under it, and the text that its span covers."""

from collections.abc import Iterator
from dataclasses import fields

from dsl.syntax import ast


def dump(node: ast.Node) -> str:
    return "\n".join(_lines(node, "", 0)) + "\n"


def _lines(value: object, name: str, depth: int) -> Iterator[str]:
    indent = "  " * depth
    match value:
        case ast.Node():
            text = value.span.text.replace("\n", "⏎")
            shown = text if len(text) <= 60 else f"{text[:40]} … {text[-15:]}"
            names = [each.name for each in fields(value) if each.name != "span"]
            values = {each: getattr(value, each) for each in names}
            plain = [f"{each}={it!r}" for each, it in values.items() if _is_plain(it)]
            yield f"{indent}{name}{' '.join([type(value).__name__, *plain])}    ⟨{shown}⟩"
            for each, it in values.items():
                if it is not None and not _is_plain(it):
                    yield from _lines(it, f"{each}: ", depth + 1)
        case tuple():
            for item in value:
                yield from _lines(item, name, depth)
        case _:
            yield f"{indent}{name}{value!r}"


def _is_plain(value: object) -> bool:
    if value is None or value == ():
        return False
    return not isinstance(value, ast.Node) and not (isinstance(value, tuple) and _holds_nodes(value))


def _holds_nodes(values: tuple[object, ...]) -> bool:
    return any(isinstance(v, ast.Node) or (isinstance(v, tuple) and _holds_nodes(v)) for v in values)
