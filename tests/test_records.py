import copy
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from inspect import signature
from typing import Any

import pytest

from dsl.records import record


class Written:
    """The same classes, as records and as plain dataclasses."""

    def __init__(self, made: Any) -> None:
        @made(frozen=True, slots=True)
        class Node:
            place: int = field(kw_only=True, compare=False, repr=False)

        @made(frozen=True, slots=True)
        class Pair(Node):
            one: int
            other: tuple[int, ...] = ()
            more: list[int] = field(default_factory=list, hash=False, compare=False)
            _: KW_ONLY
            last: str = "z"

        @made(frozen=True, slots=True)
        class Length:
            text: str
            length: int = field(init=False)
            twice: int = field(init=False, default=2)

            def __post_init__(self) -> None:
                object.__setattr__(self, "length", len(self.text))

            def __repr__(self) -> str:
                return f"<{self.text}>"

        @made(slots=True)
        class Tally:
            count: int = 0
            names: list[str] = field(default_factory=list)

        self.pair, self.length, self.tally = Pair, Length, Tally

    def objects(self) -> list[Any]:
        pair, length, tally = self.pair, self.length, self.tally
        return [
            *(
                pair(1, place=3),
                pair(1, (2,), place=4, last="y"),
                pair(1, place=9),
                pair(1, (), [5], place=0),
            ),
            *(length("abc"), length("abc"), length("b"), tally(), tally(2), tally(names=["x"])),
        ]


RECORDS, PLAIN = Written(record), Written(dataclass)


def test_they_are_shown_compared_and_hashed_as_dataclasses_are() -> None:
    ours, theirs = RECORDS.objects(), PLAIN.objects()
    assert list(map(repr, ours)) == list(map(repr, theirs))
    assert [[a == b for b in ours] for a in ours] == [[a == b for b in theirs] for a in theirs]
    assert list(map(hash, ours[:7])) == list(map(hash, theirs[:7]))
    assert ours[0] != theirs[0]
    with pytest.raises(TypeError, match="unhashable"):
        hash(ours[-1])


@pytest.mark.parametrize("name", ["pair", "length", "tally"])
def test_they_are_made_as_dataclasses_are(name: str) -> None:
    ours, theirs = getattr(RECORDS, name), getattr(PLAIN, name)
    ours.__init__(next(each for each in RECORDS.objects() if type(each) is ours), *["q"][: name == "length"],
                  **({"one": 1, "place": 2} if name == "pair" else {}))  # fmt: skip
    names = [(each.name, each.kind) for each in signature(theirs.__init__).parameters.values()]
    assert [(each.name, each.kind) for each in signature(ours.__init__).parameters.values()] == names
    assert [each.name for each in fields(ours)] == [each.name for each in fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__
    assert is_dataclass(ours)


def test_what_is_wrong_with_arguments_is_told_by_name() -> None:
    with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument: 'one'"):
        RECORDS.pair(place=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'four'"):
        RECORDS.pair(1, place=1, four=2)


def test_what_is_frozen_stays_as_it_is() -> None:
    pair, tally = RECORDS.pair(1, place=2), RECORDS.tally()
    with pytest.raises(FrozenInstanceError):
        pair.one = 2
    with pytest.raises(FrozenInstanceError):
        del pair.one
    assert replace(pair, one=5) == RECORDS.pair(5, place=2)
    tally.count += 1
    assert tally.count == 1 and RECORDS.tally().names is not tally.names
    match pair:
        case RECORDS.pair(one, ()):
            assert one == 1
    assert not hasattr(pair, "__dict__")


@record(frozen=True, slots=True)
class Kept:
    one: int
    other: str = field(default="x", compare=False)


def test_they_are_copied_and_pickled() -> None:
    kept = Kept(3, "y")
    for again in (copy.copy(kept), copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))):
        assert again == kept and again.other == "y"
