"""One action with a loop, a nested call and two decisions, by hand in WebAssembly and in Python.

Both engines run the same blocks over the same vector of 32-bit integers. The tests hold them equal at each
decision, and show that a vector saved there as bytes is all that a fresh instance needs to run on. Run as a
program, the module prints what a call costs.
"""

import random
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from wasmtime import Config, Engine, Instance, Module, Store

SIZE: Final = 31
SP, RESULT, GENERATOR, PLACE, STRENGTH, STRAIN, STACK = 0, 1, 2, 6, 10, 14, 18
ACTIVATE, ENTER = 0, 1
FRAME: Final = (7, 6)
ENDED, ASKS, FAULT, REFUSED = range(4)
NEIGHBOUR: Final = [
    tuple(
        (y + dy) * 4 + x + dx if 0 <= x + dx < 4 and 0 <= y + dy < 3 else -1
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
    )
    for y in range(3)
    for x in range(4)
]
MULTIPLIER, MASK = 6364136223846793005, 2**64 - 1
LAYOUT: Final = struct.Struct(f"<{SIZE}i")
WORDS: Final = struct.Struct("<QQ")


class Broken(Exception):
    """A range check failed at the site in `args[0]`."""


def checked(value: int, low: int, high: int, site: int) -> int:
    if not low <= value <= high:
        raise Broken(site)
    return value


def first_vector(seed: int, strain: int = 0, sequence: int = 54) -> list[int]:
    """Four units of two sides around the middle of the board, and the generator as PCG32 seeds it."""
    increment = (sequence << 1 | 1) & MASK
    state = ((increment + seed) * MULTIPLIER + increment) & MASK
    words = struct.unpack("<4i", WORDS.pack(state, increment))
    vector = [STACK, 0, *words, 1, 5, 10, 7, *[3] * 4, *[strain] * 4]
    return vector + [0] * (SIZE - len(vector))


class Reference:
    """What a compiler to Python closures would make of the action: one closure for each block."""

    def __init__(self, vector: list[int]) -> None:
        self.vector, self.site, self.ceiling = list(vector), 0, 1000
        self.routines = (activate(self.vector), enter(self.vector))

    def start(self, unit: int) -> int:
        before = list(self.vector)
        self.vector[RESULT] = 0
        push(self.vector, ACTIVATE, unit)
        return self._run(before)

    def choose(self, code: int) -> int:
        if self.vector[SP] == STACK or code not in self.options():
            return REFUSED
        before = list(self.vector)
        take_option(self.vector, code)
        return self._run(before)

    def options(self) -> list[int]:
        state = self.vector
        if state[state[SP] - 2] == ENTER:
            fp = state[SP] - FRAME[ENTER]
            return [by for by in range(4) if may_fire(state, fp, by)] + [4]
        fp = state[SP] - FRAME[ACTIVATE]
        steps = [2 * way + quiet for way in range(4) for quiet in range(2) if may_step(state, fp, way, quiet)]
        return [*steps, 8]

    def player(self) -> int:
        routine = self.vector[self.vector[SP] - 2]
        side = self.vector[self.vector[SP] - FRAME[routine]] // 2
        return 1 - side if routine == ENTER else side

    def random(self) -> int:
        return pcg32(self.vector)

    def save(self) -> bytes:
        return LAYOUT.pack(*self.vector)

    def _run(self, before: list[int]) -> int:
        state, steps = self.vector, 0
        try:
            while state[SP] != STACK:
                steps = checked(steps + 1, 0, self.ceiling, 0)
                top = state[SP]
                if self.routines[state[top - 2]][state[top - 1]](top - FRAME[state[top - 2]]):
                    return ASKS
        except Broken as fault:
            state[:] = before
            self.site = fault.args[0]
            return FAULT
        return ENDED


Block = Callable[[int], bool]
"""Runs from the frame's address, leaves the next block in the frame; true where the block asks."""


def activate(state: list[int]) -> list[Block]:
    def go(fp: int, block: int) -> bool:
        state[fp + 6] = block
        return False

    def block_0(fp: int) -> bool:
        state[fp + 1] = 3
        return go(fp, 1)

    def block_1(fp: int) -> bool:
        return go(fp, 2 if state[fp + 1] > 0 else 5)

    def block_2(_fp: int) -> bool:
        return True

    def block_3(fp: int) -> bool:
        unit = state[fp]
        state[fp + 1] = checked(state[fp + 1] - (1 + state[fp + 3]), 0, 3, 1)
        state[PLACE + unit] = checked(NEIGHBOUR[state[PLACE + unit]][state[fp + 2]], 0, 11, 2)
        state[fp + 4] = checked(state[fp + 4] + 1, 0, 3, 3)
        go(fp, 4)
        push(state, ENTER, unit, state[fp + 3])
        return False

    def block_4(fp: int) -> bool:
        stopped, state[RESULT] = state[RESULT], 0
        return go(fp, 5 if stopped else 1)

    def block_5(fp: int) -> bool:
        return pop(state, fp, state[fp + 4])

    return [block_0, block_1, block_2, block_3, block_4, block_5]


def enter(state: list[int]) -> list[Block]:
    def block_0(fp: int) -> bool:
        state[fp + 5] = 1 if any(may_fire(state, fp, by) for by in range(4)) else 3
        return False

    def block_1(_fp: int) -> bool:
        return True

    def block_2(fp: int) -> bool:
        unit, quiet, by = state[fp : fp + 3]
        state[fp + 3] = int(1 + draw(state, 6) >= 4 + 2 * quiet)
        state[STRENGTH + unit] = checked(state[STRENGTH + unit] - state[fp + 3], 0, 3, 4)
        state[STRAIN + by] = checked(state[STRAIN + by] + 1, 0, 2, 5)
        state[fp + 5] = 3
        return False

    def block_3(fp: int) -> bool:
        return pop(state, fp, state[fp + 3])

    return [block_0, block_1, block_2, block_3]


def push(state: list[int], routine: int, *arguments: int) -> None:
    fp = state[SP]
    state[SP] = fp + FRAME[routine]
    state[fp : fp + len(arguments)] = arguments
    state[state[SP] - 2] = routine


def pop(state: list[int], fp: int, result: int) -> bool:
    state[fp : state[SP]] = [0] * (state[SP] - fp)
    state[SP], state[RESULT] = fp, result
    return False


def take_option(state: list[int], code: int) -> None:
    top = state[SP]
    if state[top - 2] == ENTER:
        state[top - 1] = 3 if code == 4 else 2
        if code != 4:
            state[top - FRAME[ENTER] + 2] = code
    else:
        state[top - 1] = 5 if code == 8 else 3
        if code != 8:
            fp = top - FRAME[ACTIVATE]
            state[fp + 2], state[fp + 3] = divmod(code, 2)


def may_step(state: list[int], fp: int, way: int, quiet: int) -> bool:
    to = NEIGHBOUR[state[PLACE + state[fp]]][way]
    taken = any(state[STRENGTH + unit] > 0 and state[PLACE + unit] == to for unit in range(4))
    return to >= 0 and not taken and quiet < state[fp + 1]


def may_fire(state: list[int], fp: int, by: int) -> bool:
    unit = state[fp]
    near = state[PLACE + unit] in NEIGHBOUR[state[PLACE + by]]
    return by // 2 != unit // 2 and state[STRENGTH + by] > 0 and near


def pcg32(state: list[int]) -> int:
    old: int
    old, increment = WORDS.unpack(struct.pack("<4i", *state[GENERATOR : GENERATOR + 4]))
    after = (old * MULTIPLIER + increment) & MASK
    state[GENERATOR : GENERATOR + 4] = struct.unpack("<4i", WORDS.pack(after, increment))
    mixed, turn = ((old >> 18 ^ old) >> 27) & 0xFFFFFFFF, old >> 59
    return (mixed >> turn | mixed << (-turn & 31)) & 0xFFFFFFFF


def draw(state: list[int], bound: int) -> int:
    while (word := pcg32(state)) < -bound % 2**32 % bound:
        pass
    return word % bound


class Machine:
    """The WebAssembly module: one fresh instance that holds the given vector."""

    def __init__(self, engine: Engine, module: Module, saved: bytes) -> None:
        self.store = Store(engine)
        exports: Any = Instance(self.store, module, []).exports(self.store)
        self.exports, self.memory = exports, exports["memory"]
        self.memory.write(self.store, saved, 0)

    def call(self, name: str, *arguments: int) -> Any:
        return self.exports[name](self.store, *arguments)

    def start(self, unit: int) -> int:
        return int(self.call("start", unit))

    def choose(self, code: int) -> int:
        return int(self.call("choose", code))

    def options(self) -> list[int]:
        count = self.call("options")
        return list(struct.unpack(f"<{count}i", self.memory.read(self.store, 2048, 2048 + 4 * count)))

    def player(self) -> int:
        return int(self.call("player"))

    def random(self) -> int:
        return int(self.call("random")) & 0xFFFFFFFF

    def save(self) -> bytes:
        return bytes(self.memory.read(self.store, 0, LAYOUT.size))

    @property
    def site(self) -> int:
        return int(self.exports["site"].value(self.store))


Load = Callable[[bytes], Machine]


def loader() -> Load:
    """Compile the module once; the result makes fresh instances of it."""
    config = Config()
    config.wasm_exceptions = True
    engine = Engine(config)
    module = Module(engine, Path(__file__).with_name("resumable_action.wat").read_text(encoding="utf-8"))
    return lambda saved: Machine(engine, module, saved)


@pytest.fixture(scope="module", name="load")
def _load() -> Load:
    return loader()


def same_place(*engines: Machine | Reference) -> list[int]:
    """The options of the pending decision, after checking that every engine stands at the same one."""
    first, *others = [(each.save(), each.player(), each.options()) for each in engines]
    assert all(other == first for other in others)
    return first[2]


def test_the_generator_gives_the_published_numbers(load: Load) -> None:
    vector = first_vector(seed=42)
    published = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
    machine, reference = load(LAYOUT.pack(*vector)), Reference(vector)
    assert [machine.random() for _ in published] == published
    assert [reference.random() for _ in published] == published


def test_straight_resumed_and_reference_agree_at_each_decision(load: Load) -> None:
    seen = set()
    for seed in range(120):
        vector, chooser, unit = first_vector(seed), random.Random(seed), seed % 4
        saved, reference = LAYOUT.pack(*vector), Reference(vector)
        straight, resumed = load(saved), load(saved)
        status = {straight.start(unit), resumed.start(unit), reference.start(unit)}
        while status == {ASKS}:
            code = chooser.choice(same_place(straight, resumed, reference))
            seen.add((reference.vector[reference.vector[SP] - 2], code))
            resumed = load(resumed.save())
            reference = Reference(list(LAYOUT.unpack(reference.save())))
            status = {straight.choose(code), resumed.choose(code), reference.choose(code)}
        assert status == {ENDED}
        assert straight.save() == resumed.save() == reference.save()
        assert reference.vector[STACK:] == [0] * (SIZE - STACK)
    assert seen == {(ACTIVATE, code) for code in range(9)} | {(ENTER, code) for code in range(5)}


def test_every_path_from_one_vector_agrees(load: Load) -> None:
    vector = first_vector(seed=7)
    machine, reference = load(LAYOUT.pack(*vector)), Reference(vector)
    assert machine.start(1) == reference.start(1) == ASKS
    pending, decisions = [machine.save()], 0
    while pending:
        saved = pending.pop()
        decisions += 1
        machine.memory.write(machine.store, saved, 0)
        reference = Reference(list(LAYOUT.unpack(saved)))
        for code in same_place(machine, reference):
            machine.memory.write(machine.store, saved, 0)
            reference = Reference(list(LAYOUT.unpack(saved)))
            status = machine.choose(code)
            assert status == reference.choose(code)
            assert machine.save() == reference.save()
            if status == ASKS:
                pending.append(machine.save())
    assert decisions > 50


def test_a_broken_range_leaves_the_last_decision(load: Load) -> None:
    """The reaction's guard bounds no strain: the store fails after a move, a call and a roll."""
    vector = first_vector(seed=1, strain=2)
    machine, reference = load(LAYOUT.pack(*vector)), Reference(vector)
    assert machine.start(1) == reference.start(1) == ASKS
    assert machine.choose(2) == reference.choose(2) == ASKS
    code = same_place(machine, reference)[0]
    before = machine.save()
    assert machine.choose(code) == reference.choose(code) == FAULT
    assert machine.site == reference.site == 5
    assert machine.save() == reference.save() == before
    assert machine.choose(4) == reference.choose(4) == ASKS
    same_place(machine, reference)


@pytest.mark.parametrize("ceiling", range(9))
def test_every_engine_stops_at_the_same_step(load: Load, ceiling: int) -> None:
    """A hit ends the action in four blocks: the shot, its return, the loop's branch, the return."""
    vector = first_vector(seed=3)
    machine, reference = load(LAYOUT.pack(*vector)), Reference(vector)
    assert machine.start(1) == reference.start(1) == ASKS
    assert machine.choose(2) == reference.choose(2) == ASKS
    machine.exports["ceiling"].set_value(machine.store, ceiling)
    reference.ceiling = ceiling
    code = same_place(machine, reference)[0]
    assert code < 4
    status = machine.choose(code)
    assert status == reference.choose(code) == (ENDED if ceiling >= 4 else FAULT)
    assert machine.site == reference.site == 0
    assert machine.save() == reference.save()


def test_an_option_that_is_not_offered_changes_nothing(load: Load) -> None:
    vector = first_vector(seed=1)
    machine, reference = load(LAYOUT.pack(*vector)), Reference(vector)
    assert machine.choose(8) == reference.choose(8) == REFUSED, "no decision is pending"
    assert machine.start(0) == reference.start(0) == ASKS
    before, offered = machine.save(), same_place(machine, reference)
    refused = {-1, *range(10), 2**31 - 1, -(2**31)} - set(offered)
    assert len(refused) > 5
    for code in refused:
        assert machine.choose(code) == reference.choose(code) == REFUSED
        assert machine.save() == reference.save() == before


def test_whole_playouts_stay_inside(load: Load) -> None:
    saved = LAYOUT.pack(*first_vector(seed=3))
    one, two = load(saved), load(saved)
    for machine in (one, two):
        machine.memory.write(machine.store, saved, 1280)
    assert one.call("playouts", 2000) == two.call("playouts", 2000) > 2000
    assert one.save() == two.save()


def measure() -> None:
    """Print the time of each kind of call, in microseconds."""
    load, vector = loader(), first_vector(seed=3)
    saved = LAYOUT.pack(*vector)
    machine, reference = load(saved), Reference(vector)
    machine.memory.write(machine.store, saved, 1280)
    machine.start(1)
    reference.start(1)
    asked = machine.save()

    wrong = load(LAYOUT.pack(*first_vector(seed=1, strain=2)))
    wrong.start(1)
    wrong.choose(2)
    shot = wrong.options()[0]
    nothing, chooser = machine.exports["nothing"], random.Random(3)

    def replay() -> None:
        machine.memory.write(machine.store, asked, 0)
        machine.choose(2)

    def replay_reference() -> None:
        reference.vector[:] = LAYOUT.unpack(asked)
        reference.choose(2)

    def playouts() -> int:
        return int(machine.call("playouts", 20_000))

    def playout_reference() -> int:
        reference.vector[PLACE:] = vector[PLACE:]
        reference.vector[SP], made = STACK, 0
        status = reference.start(chooser.randrange(4))
        while status == ASKS:
            status, made = reference.choose(chooser.choice(reference.options())), made + 1
        return made

    rows: list[tuple[str, Callable[[], object]]] = [
        ("compile the module", loader),
        ("a fresh store and instance", lambda: load(saved)),
        ("call in and out, an empty function", lambda: nothing(machine.store)),
        ("save 124 bytes", machine.save),
        ("restore 124 bytes", lambda: machine.memory.write(machine.store, asked, 0)),
        ("options, with their codes read out", machine.options),
        ("restore, then choose up to the next ask", replay),
        ("choose into a fault, undone inside", lambda: wrong.choose(shot)),
        ("options, in Python", reference.options),
        ("restore, then choose, in Python", replay_reference),
        ("for each decision, in random playouts", playouts),
        ("for each decision, in random playouts in Python", playout_reference),
    ]
    for name, action in rows:
        count, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < 0.5:
            done = action()
            count += done if isinstance(done, int) and "decision" in name else 1
        print(f"{spent / count * 1e6:10.3f} us  {name}")


if __name__ == "__main__":
    measure()
