"""A module at work: its memory, seen from Python, and calls into it.

The memory is reserved whole, so it never moves, and the vector can be read through one view. Calls take wasmtime's
unchecked path where this version of it has one: the types of these functions are ours.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import wasmtime

from dsl.catalogue import tr
from dsl.engine.failure import Unplayable
from dsl.ir.program import Program
from dsl.wasm.memory import MOST_BYTES, info_at
from dsl.wasm.store import brief

FUNCTIONS = {
    "initial": "",
    "keep_fresh": "",
    "begin": "",
    "look": "",
    "again": "",
    "extent": "",
    "resume": "",
    "choose": "i",
    "seed": "q",
    "seed_player": "q",
    "playout": "ii",
    "playouts": "qii",
}
"""What a module exports, and the parameters of each: 32 or 64 bits."""
LARGEST = MOST_BYTES + 64 * 1024 * 1024
_RAW = 16


class Instance:
    """A running module. `state` is the vector: a view to read and write."""

    def __init__(
        self,
        engine: wasmtime.Engine,
        module: wasmtime.Module,
        program: Program,
        functions: Mapping[str, str] = FUNCTIONS,
        budget: int | None = None,
    ) -> None:
        self._store = wasmtime.Store(engine)
        self._store.set_limits(memory_size=LARGEST, instances=1, tables=1, memories=1)
        try:
            instance = wasmtime.Instance(self._store, module, [])
        except (wasmtime.WasmtimeError, wasmtime.Trap, MemoryError) as error:
            raise Unplayable(tr("the compiled program does not start: {brief}", brief=brief(error))) from None
        exports = instance.exports(self._store)
        if budget is not None:
            steps = exports["budget"]
            assert isinstance(steps, wasmtime.Global)
            steps.set_value(self._store, budget)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        address = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value
        assert address is not None
        self._address = address
        self.size = program.size
        self._form = struct.Struct(f"<{program.size}i")
        self.state = (ctypes.c_int32 * program.size).from_address(address)
        self._info = (ctypes.c_int32 * 7).from_address(address + info_at(program))
        self.calls = {name: _caller(self._store, exports[name], form) for name, form in functions.items()}
        self._extent = self.calls["extent"]()

    def put(self, state: Sequence[int]) -> None:
        """Writes a whole vector."""
        self._form.pack_into(self.state, 0, *state)

    @property
    def count(self) -> int:
        """How many options the decision at hand has."""
        return self._info[0]

    @property
    def player(self) -> int:
        """Whose decision it is."""
        return self._info[1]

    @property
    def steps(self) -> int:
        """The steps that the last stretch of play took."""
        return self._info[4]

    @property
    def choices(self) -> int:
        """The choices of the game by chance that was played last."""
        return self._info[5]

    def kept(self) -> bytes:
        """All that says where the game stands at a decision, its options too: for `put_back`."""
        count, _, base, stride = self._info[:4]
        return ctypes.string_at(self._address, self._extent) + ctypes.string_at(
            self._address + base, count * stride
        )

    def put_back(self, kept: bytes) -> bool:
        """Stands where it stood when this was kept; false where it has no room for the options."""
        ctypes.memmove(self._address, kept, self._extent)
        base, size = self._info[2], len(kept) - self._extent
        if base + size > self._memory.data_len(self._store):
            return False
        ctypes.memmove(self._address + base, kept[self._extent :], size)
        self.calls["again"]()
        return True

    def option(self, number: int) -> tuple[int, ...]:
        """The words of an option: its offer, then the slots of its variables."""
        base, stride = self._info[2:4]
        return struct.unpack(f"<{stride // 4}i", self.bytes_at(base + number * stride, stride))

    def options(self) -> list[tuple[int, ...]]:
        """The words of all options."""
        count, _, base, stride = self._info[:4]
        return (
            list(struct.iter_unpack(f"<{stride // 4}i", self.bytes_at(base, count * stride))) if count else []
        )

    def write(self, address: int, words: Sequence[int]) -> None:
        """Puts words into the memory."""
        data = struct.pack(f"<{len(words)}i", *words)
        if not 0 <= address <= address + len(data) <= self._memory.data_len(self._store):
            raise IndexError("outside the memory")
        ctypes.memmove(self._address + address, data, len(data))

    def bytes_at(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        if not 0 <= address <= address + size <= self._memory.data_len(self._store):
            raise IndexError("outside the memory")
        return ctypes.string_at(self._address + address, size)


def _caller(store: wasmtime.Store, function: Any, params: str) -> Callable[..., int]:
    """A function of the module, to be called from Python with as little in between as this wasmtime allows.

    Where the code is stopped (its stack has no room, say) `Unplayable` is raised; the instance is then spoilt.
    """

    def checked(*args: int) -> int:
        try:
            return int(function(store, *args) or 0)
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            raise Unplayable(tr("the compiled program was stopped: {brief}", brief=brief(error))) from None

    try:
        from wasmtime import _ffi as ffi

        call, context, target = ffi.wasmtime_func_call_unchecked, store._context(), function._func
        trap_type = ctypes.POINTER(ffi.wasm_trap_t)
    except (ImportError, AttributeError):
        return checked
    slots = max(len(params), 1)
    raw = ctypes.create_string_buffer(_RAW * slots)
    pointer = ctypes.cast(raw, ctypes.POINTER(ffi.wasmtime_val_raw_t))
    put = [struct.Struct("<" + kind) for kind in params]
    taken, trap, reference = struct.Struct("<i"), trap_type(), ctypes.byref(target)

    def run(*args: int) -> int:
        for number, (form, value) in enumerate(zip(put, args, strict=True)):
            form.pack_into(raw, _RAW * number, value)
        error = call(context, reference, pointer, slots, ctypes.byref(trap))
        if bool(error) or bool(trap):
            return checked(*args)  # again by the checked path, which says what is wrong
        found: int = taken.unpack_from(raw)[0]
        return found

    return run
