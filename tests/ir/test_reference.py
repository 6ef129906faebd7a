from dsl.ir import limits
from dsl.ir.ops import WORDS
from dsl.ir.reference import MARKER, PAGE, page
from dsl.ir.shapes import TYPES, classes, fields_of, tag_of, union_of

TEXT = PAGE.read_text(encoding="utf-8")
BY_HAND = TEXT.partition(MARKER)[0]


def test_the_generated_half_is_in_step() -> None:
    assert page() == TEXT, "run `python -m dsl.ir.reference --write`"


def test_every_class_field_and_word_is_there() -> None:
    for cls in classes():
        tag = f" (`{tag_of(cls)}`)" if union_of(cls) else ""
        assert f"### {cls.__name__}{tag}\n" in TEXT
        assert all(f"| `{field.name}` |" in TEXT for field in fields_of(cls))
    assert all(f"`{word}`" in TEXT for words in WORDS.values() for word in words)


def test_types_are_explained_by_hand() -> None:
    assert all(f"`{tag_of(cls)}`" in BY_HAND for cls in TYPES)


def test_the_figures_are_those_of_the_limits() -> None:
    assert f"{limits.MAX_COST:,} nodes" in BY_HAND
    assert f"at most {limits.MAX_NESTING} deep" in BY_HAND
    assert f"{limits.MAX_CALL_NESTING} through calls, and loops {limits.MAX_LOOPS}" in BY_HAND
    assert f"{limits.REACH_COST:,} of its goal" in BY_HAND
    assert f"{limits.MAX_BYTES // 2**20} MiB" in BY_HAND
