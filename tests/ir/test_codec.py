import json
from dataclasses import replace

import pytest

from dsl.diagnostics import Code, Diagnostics
from dsl.ir import nodes as ir
from dsl.ir.codec import FORMAT, decode, encode, ir_hash
from dsl.ir.limits import MAX_NESTING
from dsl.ir.program import Program, Text
from dsl.ir.types import TRUTH, Int
from tests.ir.builders import num, small, test_of, truth, with_procedure


def refused(data: bytes) -> str:
    diagnostics = Diagnostics()
    assert decode(data, diagnostics, "x.json") is None
    (found,) = diagnostics
    assert found.code is Code.IR_SCHEMA
    assert found.hint
    return found.message


def accepted(data: bytes) -> Program:
    diagnostics = Diagnostics()
    program = decode(data, diagnostics)
    assert program is not None, [each.message for each in diagnostics]
    return program


def changed(old: str, new: str) -> bytes:
    text = encode(small()).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def test_a_program_comes_back() -> None:
    assert accepted(encode(small())) == small()


def test_equal_programs_give_equal_bytes() -> None:
    data = encode(small())
    assert encode(accepted(data)) == data
    assert data.endswith(b"}\n")
    assert ir_hash(small()) == ir_hash(data)
    assert ir_hash(replace(small(), name="other")) != ir_hash(data)


def test_the_document_begins_with_what_it_is() -> None:
    document = json.loads(encode(small()))
    assert list(document)[:4] == ["format", "version", "types", "expressions"]
    assert (document["format"], document["version"]) == (FORMAT, 2)


def test_truths_written_as_numbers_are_the_same_program() -> None:
    one = with_procedure((ir.If(ir.Const(TRUTH, True), ()),))
    assert encode(one) == encode(with_procedure((ir.If(truth(), ()),)))
    assert accepted(encode(one)) == one


def test_an_expression_that_occurs_twice_is_written_once() -> None:
    seven = ir.Op(Int(7, 7), "add", (num(3), num(4)))
    document = json.loads(encode(with_procedure((ir.SetLocal(0, seven), ir.SetLocal(1, seven)))))
    first, second = document["procedures"][-1]["body"]
    assert first["value"] == second["value"]
    assert document["expressions"][first["value"]]["op"] == "add"


def test_texts_keep_every_letter() -> None:
    program = replace(small(), texts=(*small().texts, Text((("", 'é “x” \\ \n "'), ("en", "\u2028")))))
    assert accepted(encode(program)) == program


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]", "not a compiled program"),
        (b"{}", "not a compiled program"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"format":"scenarii-program"}', "version is missing"),
        (b'{"format":"scenarii-program","version":true}', "version is missing"),
        (b'{"format":"scenarii-program","version":99}', "has version 99, and only version 2"),
        (b'{"format":"scenarii-program","version":2}', "name of x.json: it is missing"),
        (b'{"format":"scenarii-program","version":2,"types":7}', "types of x.json: expected a list, found 7"),
        (b'{"format":"' + b"1" * 100 + b'"}', "not a compiled program"),
        (b'{"format":' + b"1" * 9000 + b"}", "too long"),
        (b'{"format":"scenarii-program","version":2,"name":"\\ud800"}', "not UTF-8"),
    ],
)
def test_what_is_no_program_is_refused(data: bytes, message: str) -> None:
    assert message in refused(data)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"decisions":1000', '"decisions":1000.0', "decisions of x.json: expected a whole number"),
        ('"decisions":1000', '"decisions":true', "decisions of x.json: expected a whole number, found true"),
        ('"decisions":1000', '"decisions":NaN', "expected a whole number"),
        ('"decisions":1000', '"decisions":1000,"colour":1', 'unknown key "colour"'),
        ('"language":"fr",', "", "language of x.json: it is missing"),
        (
            '{"k":"roll"',
            '{"k":"roil"',
            'procedures[0].body[1] of x.json: `k` is "roil", expected one of set_local',
        ),
        ('{"k":"roll"', '{"k":[]', "procedures[0].body[1] of x.json: its `k` is missing"),
        ('{"k":"roll"', '{"k":"roll","k2":1', 'procedures[0].body[1] of x.json: unknown key "k2"'),
        (
            '"sides":6',
            '"sides":"6"',
            'procedures[0].body[1].sides of x.json: expected a whole number, found "6"',
        ),
        ('{"k":"int"', '{"k":"integer"', 'types[0] of x.json: `k` is "integer"'),
        ('"members":["ana"', '"members":[0', "domains[0].members[0] of x.json: expected a text, found 0"),
        ('["","ana"]', '["ana"]', "texts[0].texts[0] of x.json: expected a list of 2"),
    ],
)
def test_a_fault_is_named_with_its_place(old: str, new: str, message: str) -> None:
    assert message in refused(changed(old, new))


def test_an_expression_cannot_name_a_later_one() -> None:
    document = json.loads(encode(small()))
    document["expressions"][0] = {"k": "op", "type": 0, "op": "neg", "args": [0]}
    assert "expressions[0].args[0] of x.json: there is no expression 0" in refused(
        json.dumps(document).encode()
    )


def nested(levels: int) -> bytes:
    deep: ir.Expr = truth()
    for _ in range(levels):
        deep = test_of("not", deep)
    return encode(with_procedure((ir.If(deep, ()),)))


def test_nesting_is_bounded() -> None:
    accepted(nested(MAX_NESTING - 2))
    assert "nested deeper than" in refused(nested(MAX_NESTING - 1))


def test_nesting_through_the_table_is_bounded() -> None:
    document = json.loads(encode(small()))
    table = document["expressions"]
    for _ in range(MAX_NESTING + 1):
        table.append({"k": "op", "type": 0, "op": "neg", "args": [len(table) - 1]})
    assert "nested deeper than" in refused(json.dumps(document).encode())


def test_sharing_cannot_swell() -> None:
    document = json.loads(encode(small()))
    table = document["expressions"]
    for _ in range(60):
        table.append({"k": "op", "type": 0, "op": "add", "args": [len(table) - 1] * 2})
    assert "larger than" in refused(json.dumps(document).encode())
