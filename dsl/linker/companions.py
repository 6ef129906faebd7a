"""What a scenario or mod says of others: which it `requires`, and which it `excludes`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Label
from dsl.linker.layers import Layer
from dsl.linker.modules import header_names
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
    message = tr("`{header}` requires `{name}`, which is not loaded", header=header.name.text, name=name.text)
    hint = tr("load it too: `--with {name}.scn`, with the path of its file", name=name.text)
    return Diagnostic(Code.UNFIT_COMPANY, message, name.span, hint=hint)


def _beside(header: ast.Header, name: ast.Name, other: ast.Header) -> Diagnostic:
    message = tr("`{header}` cannot stand beside `{other}`", header=header.name.text, other=other.name.text)
    labels = (Label(other.name.span, tr("`{other}` is loaded too", other=other.name.text)),)
    return Diagnostic(Code.UNFIT_COMPANY, message, name.span, labels=labels, hint="load only one of the two")
