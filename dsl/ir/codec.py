"""A program as a JSON document, and back.

Equal programs give equal bytes: fields stand in their declared order, tables in the order in which their
entries are first needed, one entry on a line. Types, and expressions that occur more than once, are written
once and referred to by number (see `shapes`), which keeps a large game small and quick to read.

The bytes may be a stranger's. Everything is checked as it is read: size, nesting, version, every key and
every type of value; what is wrong becomes a diagnostic with its place in the document, never an exception.
Whether the numbers mean something is the verifier's to say.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import Any

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.garbage import uncollected
from dsl.ir.distances import bits
from dsl.ir.limits import MAX_BRACKETS, MAX_BYTES
from dsl.ir.program import VERSION, Data, Program
from dsl.ir.reader import Fault, Reader, shown
from dsl.ir.shapes import fields_of
from dsl.ir.types import SetOf
from dsl.ir.writer import Writer
from dsl.source import Source

FORMAT = "scenarii-program"
HEAD = ("format", "version", "types", "expressions")
"""What the document holds besides the fields of the program, and before them."""

SPARSE = 16
"""How many bits of a number take as much room as an element of a list."""

_HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


def encode(program: Program) -> bytes:
    """The document of a program: UTF-8 with a newline at the end."""
    with uncollected():
        return _encoded(program)


def decode(data: bytes, diagnostics: Diagnostics, name: str = "<program>") -> Program | None:
    """The program of a document, or none and a diagnostic under the document's name."""
    try:
        with uncollected():
            return _program(_document(data))
    except Fault as fault:
        diagnostics.add(_diagnostic(fault, name))
        return None


def ir_hash(program: Program | bytes) -> str:
    """What names a compiled program: the SHA-256 of its document, in hexadecimal."""
    data = program if isinstance(program, bytes) else encode(program)
    return hashlib.sha256(data).hexdigest()


def parse(data: bytes, most: int = MAX_BYTES) -> Any:
    """The bytes as plain JSON; raises `Fault` where they are none, or more than `most`."""
    if len(data) > most:
        raise Fault(f"it is larger than {most // 1024 // 1024} MiB")
    if data.count(b"{") + data.count(b"[") > MAX_BRACKETS:
        raise Fault(f"it has more than {MAX_BRACKETS} objects and lists")
    try:
        text = data.decode()
        document = json.loads(text)
        if _HALF_CHARACTER.search(text):
            json.dumps(document, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Fault(f"line {error.lineno}, column {error.colno} is not JSON: {error.msg}") from None
    except UnicodeError:
        raise Fault("it is not UTF-8 text") from None
    except ValueError:
        raise Fault("a number in it is too long") from None
    except RecursionError:
        raise Fault("it is nested too deep") from None
    return document


def _encoded(program: Program) -> bytes:
    writer = Writer()
    program = replace(program, data=tuple(map(_brief, program.data)))
    left_out = {"version", *(name for name in ("promises", "mods") if not getattr(program, name))}
    if program.scenario_title is None:
        left_out.add("scenario_title")
    kept = [field for field in fields_of(Program) if field.name not in left_out]
    body = {field.name: writer.field(field, program) for field in kept}
    head = {"format": FORMAT, "version": program.version, "types": writer.types}
    document = {**head, "expressions": writer.expressions(), **body}
    lines = ",\n".join(f'"{name}":{_written(writer, value)}' for name, value in document.items())
    return f"{{{lines}}}\n".encode()


def _brief(data: Data) -> Data:
    """A table as it is written: without values that follow from the board, and with small sets as lists."""
    if data.follows:
        return replace(data, values=())
    if isinstance(data.type, SetOf):
        sets = [each for each in data.values if isinstance(each, int)]
        if sum(each.bit_count() for each in sets) * SPARSE < sum(each.bit_length() for each in sets):
            return replace(data, values=tuple(tuple(bits(each)) for each in sets), sparse=True)
    return data


def _written(writer: Writer, value: Any) -> str:
    if not isinstance(value, list) or not value:
        return writer.text(value)
    return "[\n" + ",\n".join(map(writer.text, value)) + "]"


def _document(data: bytes) -> dict[str, Any]:
    document = parse(data)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Fault("this is not a compiled program")
    version = document.get("version")
    if type(version) is not int:
        raise Fault("its version is missing")
    if version != VERSION:
        hint = "compile the source again, or use the release of scenarii that wrote it"
        raise Fault(f"it has version {shown(version)}, and only version {VERSION} is understood", hint)
    return document


def _program(document: dict[str, Any]) -> Program:
    reader = Reader()
    try:
        reader.read_types(document.get("types", []))
        reader.read_expressions(document.get("expressions", []))
        fields = {key: value for key, value in document.items() if key not in HEAD}
        return reader.program(fields)
    except RecursionError:  # where the caller has left too little of the stack
        raise Fault("it is nested too deep") from None


def _diagnostic(fault: Fault, name: str) -> Diagnostic:
    where = f"{fault.place} of {name}" if fault.path else name
    hint = fault.hint or "compile the source again; a compiled program is not meant to be mended by hand"
    return Diagnostic(
        Code.IR_SCHEMA,
        tr("{where}: {message}", where=where, message=fault.message),
        Source(name, "").end,
        hint=hint,
    )
