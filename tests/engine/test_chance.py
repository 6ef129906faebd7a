from collections import Counter

import pytest

from dsl.engine import chance
from dsl.engine.failure import ScriptError
from dsl.engine.script import Script, a_kind


def generator(seed: int = 42) -> list[int]:
    state = [0, 0, 0, 0]
    chance.seed(state, seed)
    return state


def test_the_generator_is_that_of_the_published_demonstration() -> None:
    """The output of `pcg32-demo` with seed 42 and sequence 54, as its author publishes it."""
    state = generator()
    words = [chance.draw(state) for _ in range(6)]
    assert words == [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
    coins = "".join("TH"[chance.below(state, 2)] for _ in range(65))
    assert coins == "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT"
    rolls = [chance.below(state, 6) + 1 for _ in range(33)]
    assert rolls[:12] == [3, 4, 1, 1, 2, 2, 3, 2, 4, 3, 2, 4]


def test_slots_stay_signed_words() -> None:
    state = generator(-1)
    for _ in range(1000):
        chance.draw(state)
        assert all(-(2**31) <= slot < 2**31 for slot in state)


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_only_the_lowest_64_bits_of_a_seed_count(seed: int) -> None:
    assert generator(seed) == generator(seed + 2**64)


def test_no_number_is_favoured() -> None:
    state = generator()
    counts = Counter(chance.below(state, 3) for _ in range(6000))
    assert set(counts) == {0, 1, 2}
    assert all(1850 < count < 2150 for count in counts.values())


def test_a_shuffle_keeps_what_it_shuffles() -> None:
    state, cards = generator(), list(range(20))
    chance.shuffle(state, cards)
    assert cards != list(range(20))
    assert sorted(cards) == list(range(20))


def test_a_script_gives_its_values_in_order_and_says_what_is_left() -> None:
    script = Script(rolls=[3, 5], picks=[2], shuffles=[[4]])
    assert script.roll(1, 6) == 3
    assert script.pick([1, 2]) == 2
    assert script.shuffle([1, 4, 5]) == [4, 1, 5]
    assert script.left() == {"rolls": 1}


def test_a_script_does_not_give_what_chance_cannot_give() -> None:
    with pytest.raises(ScriptError, match="not from 2 to 12"):
        Script(rolls=[13]).roll(2, 12)
    with pytest.raises(ScriptError, match="missing"):
        Script().pick([1, 2])
    with pytest.raises(ScriptError, match="not of cards"):
        Script(shuffles=[[9]]).shuffle([1, 2])


def test_a_scripted_shuffle_takes_the_first_card_of_a_kind_that_is_left() -> None:
    kinds, names = (0, 0, 1, 1, 0), ("ace", "two")
    aces, two = [a_kind(0)] * 2, a_kind(1)
    script = Script(shuffles=[[two, *aces], [4, aces[0]], [two, two, two], [two]])
    assert script.shuffle([4, 3, 0, 2, 1], kinds, names) == [3, 4, 0, 2, 1]
    assert script.shuffle([4, 3, 0, 2, 1], kinds, names) == [4, 0, 3, 2, 1]
    with pytest.raises(ScriptError, match="there is no other `two` in the pile"):
        script.shuffle([4, 3, 0, 2, 1], kinds, names)
    with pytest.raises(ScriptError, match="there is no `two` in the pile"):
        script.shuffle([4, 0], kinds, names)
