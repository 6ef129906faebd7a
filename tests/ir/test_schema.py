import json
import random

from jsonschema import Draft202012Validator, ValidationError

from dsl.diagnostics import Code, Diagnostics
from dsl.ir.codec import decode, encode
from dsl.ir.schema import SCHEMA_FILE, schema, schema_faults, schema_text
from tests.ir.builders import small
from tests.ir.samples import everything
from tests.ir.test_fuzz import edit
from tests.soak import fewer


def test_the_file_is_in_step() -> None:
    message = "run `python -m dsl.ir.schema --write`"
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), message


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


def test_programs_follow_it() -> None:
    assert schema_faults(encode(small())) == []
    assert schema_faults(encode(everything())) == []


def test_a_fault_has_its_place() -> None:
    data = encode(small()).replace(b'"decisions":1000', b'"decisions":"many"')
    (found,) = schema_faults(data, "x.json")
    assert found.code is Code.IR_SCHEMA
    assert found.message == 'decisions of x.json is "many"'
    assert schema_faults(b"[" * 100_000)[0].code is Code.IR_SCHEMA


def test_what_the_codec_accepts_the_schema_accepts_too() -> None:
    """The other way, the codec also refuses what only numbers tell, and words are the verifier's."""
    chance = random.Random(5)
    data, valid = encode(small()), Draft202012Validator(schema())
    words = 0
    for _ in range(fewer(30, 200)):
        document = json.loads(data)
        edit(document, chance)
        if decode(json.dumps(document).encode(), Diagnostics()) is not None and not valid.is_valid(document):
            words += 1
            assert all(is_about_words(each) for each in valid.iter_errors(document))
    assert words < 20


def is_about_words(error: ValidationError) -> bool:
    """Is it a word that the schema does not know, here or in one of the nodes that could stand here?"""
    return "enum" in str(error.schema) or any(map(is_about_words, error.context))
