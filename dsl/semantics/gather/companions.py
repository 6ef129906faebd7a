"""What a scenario or mod says of others: which it `requires`, and which it `excludes`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.diagnostics import Code, Diagnostic, Label
from dsl.semantics.gather.layers import Layer
from dsl.semantics.gather.modules import header_names
from dsl.syntax import ast


def check_companions(layers: Sequence[Layer]) -> Iterator[Diagnostic]:
    """What is missing beside a scenario or mod, and what cannot stand beside it."""
    there = {layer.header.name.text: layer.header for layer in layers}
    told: set[frozenset[str]] = set()
    for layer in layers:
        header = layer.header
        for name in header_names(header, "requires"):
            if name.text not in there:
                yield _missing(header, name)
        for name in header_names(header, "excludes"):
            other = there.get(name.text)
            pair = frozenset({header.name.text, name.text})
            if other is not None and other is not header and pair not in told:
                told.add(pair)
                yield _beside(header, name, other)


def _missing(header: ast.Header, name: ast.Name) -> Diagnostic:
    message = f"`{header.name.text}` requires `{name.text}`, which is not loaded"
    hint = f"load it too: `--with {name.text}.scn`, with the path of its file"
    return Diagnostic(Code.UNFIT_COMPANY, message, name.span, hint=hint)


def _beside(header: ast.Header, name: ast.Name, other: ast.Header) -> Diagnostic:
    message = f"`{header.name.text}` cannot stand beside `{other.name.text}`"
    labels = (Label(other.name.span, f"`{other.name.text}` is loaded too"),)
    return Diagnostic(Code.UNFIT_COMPANY, message, name.span, labels=labels, hint="load only one of the two")
