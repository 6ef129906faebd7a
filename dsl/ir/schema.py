"""The JSON Schema of a program's document (draft 2020-12), derived from the program's classes.

`schema.json` beside this file is its published form; `python -m dsl.ir.schema --write` writes it again.
What the schema refuses, codec and verifier refuse too, in better words and a hundred times faster; the
schema is for other tools, and `schema_faults` for whoever wants to hold a document against it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_never

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic
from dsl.files import write_atomically
from dsl.ir.codec import FORMAT, parse
from dsl.ir.ops import WORDS
from dsl.ir.program import VERSION, Program
from dsl.ir.reader import Fault, shown
from dsl.ir.shapes import (
    REQUIRED,
    TAG,
    UNIONS,
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
from dsl.source import Source

SCHEMA_FILE = Path(__file__).with_name("schema.json")
MOST_FAULTS = 20

_PLAIN = {int: "integer", bool: "boolean", str: "string"}
_TYPE_NUMBER = {"type": "integer", "minimum": 0, "description": "number in the table `types`"}


def schema() -> dict[str, Any]:
    """The schema of the document."""
    parts = [cls for cls in classes() if cls is not Program]
    unions = {name: _union(name) for name in UNIONS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Compiled scenarii program, version {VERSION}",
        **_document(),
        "$defs": unions | {cls.__name__: _class(cls) for cls in parts},
    }


def schema_text() -> str:
    """The schema as it is published."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


def schema_faults(data: bytes, name: str = "<program>") -> list[Diagnostic]:
    """Where a document departs from the schema."""
    from jsonschema import Draft202012Validator

    try:
        document = parse(data)
        errors = Draft202012Validator(schema()).iter_errors(document)
        return [_fault(error, name) for error, _ in zip(errors, range(MOST_FAULTS), strict=False)]
    except (Fault, RecursionError) as fault:
        message = fault.message if isinstance(fault, Fault) else "it is nested too deep"
        return [
            Diagnostic(
                Code.IR_SCHEMA, tr("{name}: {message}", name=name, message=message), Source(name, "").end
            )
        ]


def _fault(error: Any, name: str) -> Diagnostic:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    message = tr(
        "{path} of {name} is {shown}",
        path=path.removeprefix(".") or "the document",
        name=name,
        shown=shown(error.instance),
    )
    hint = tr(
        "the schema wants `{validator}`: {validator_value}",
        validator=error.validator,
        validator_value=str(error.validator_value)[:80],
    )
    return Diagnostic(Code.IR_SCHEMA, message, Source(name, "").end, hint=hint)


def _document() -> dict[str, Any]:
    head = {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "types": {"type": "array", "items": _ref("type")},
        "expressions": {"type": "array", "items": _ref("expression")},
    }
    own = _class(Program)
    fields = {name: shape for name, shape in own["properties"].items() if name not in head}
    required = ["format", "version", *own["required"]]
    return own | {"properties": head | fields, "required": required}


def _class(cls: type) -> dict[str, Any]:
    tagged = union_of(cls) is not None
    head: dict[str, Any] = {TAG: {"const": tag_of(cls)}} if tagged else {}
    needed = [field.name for field in fields_of(cls) if field.default is REQUIRED]
    text = (cls.__doc__ or "").strip().split("\n")[0]
    described = {"description": text} if text else {}
    return {
        **described,
        "type": "object",
        "properties": head | {field.name: _worded(cls, field.name, field.shape) for field in fields_of(cls)},
        "required": [*head, *needed],
        "additionalProperties": False,
    }


def _worded(cls: type, name: str, shape: Shape) -> dict[str, Any]:
    words = WORDS.get((cls, name))
    if words is None:
        return _shape(shape)
    if isinstance(shape, Many):
        return {"type": "array", "items": {"enum": list(words)}}
    return {"enum": [*words, None] if isinstance(shape, Maybe) else list(words)}


def _union(name: str) -> dict[str, Any]:
    members: list[dict[str, Any]] = [{"$ref": f"#/$defs/{cls.__name__}"} for cls in UNIONS[name]]
    if name == "expression":
        number = {"type": "integer", "minimum": 0, "description": "number in the table `expressions`"}
        members.insert(0, number)
    return {"anyOf": members}


def _shape(shape: Shape) -> dict[str, Any]:
    match shape:
        case Plain(type):
            return {"type": _PLAIN[type]}
        case Number():
            return {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}
        case TypeNumber():
            return _TYPE_NUMBER
        case Node(union):
            return _ref(union)
        case Part(cls):
            return _ref(cls.__name__)
        case Many(item):
            return {"type": "array", "items": _shape(item)}
        case Fixed(items):
            return {
                "type": "array",
                "prefixItems": list(map(_shape, items)),
                "minItems": len(items),
                "items": False,
            }
        case Maybe(item):
            return {"anyOf": [_shape(item), {"type": "null"}]}
        case _:
            assert_never(shape)


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _main(arguments: list[str]) -> Iterator[str]:
    if arguments == ["--write"]:
        write_atomically(SCHEMA_FILE, schema_text())
        yield f"wrote {SCHEMA_FILE.name}\n"
    else:
        yield schema_text()


if __name__ == "__main__":
    sys.stdout.writelines(_main(sys.argv[1:]))
