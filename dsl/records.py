"""Classes that hold fields, made in a third of the time that `dataclasses` takes.

    @record(frozen=True, slots=True)
    class Pair:
        one: int
        other: int = 0

They are dataclasses: `fields`, `replace`, `is_dataclass` and patterns know them, and a type checker takes `record` for
`dataclass`. But no code is written for them before it is needed. A dataclass has five or six methods compiled as its
module is imported, and the compiler has hundreds of such classes; here, methods that compare, hash and show are shared,
and `__init__` is written when the first object is made. It stores fields by their slots, which is quicker too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import TYPE_CHECKING, Any

from dsl.fields import values_of

__all__ = ["record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:

    def record(*, frozen: bool = False, slots: bool) -> Callable[[type], type]:
        """A class as a dataclass with slots."""
        assert slots, "a record has slots"

        def made(cls: type) -> type:
            said = cls.__doc__
            cls.__doc__ = said or "a record"  # else one is made of the signature, which takes longest of all
            whole = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
            whole.__doc__ = said
            _give(whole, _methods(whole, frozen=frozen))
            return whole

        return made


def _give(cls: type, methods: dict[str, Any]) -> None:
    """Gives a class the methods that it has not itself."""
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)


def _methods(cls: type, *, frozen: bool) -> dict[str, Any]:
    compared = values_of([each.name for each in fields(cls) if each.compare])

    def equal(self: Any, other: Any) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(compared(self))

    methods = {"__init__": _first_init(cls), "__repr__": _shown, "__eq__": equal}
    if frozen:
        kept = {"__getstate__": _state, "__setstate__": _restore}
        return {
            **methods,
            "__hash__": hashed,
            "__setattr__": _refuse_change,
            "__delattr__": _refuse_loss,
            **kept,
        }
    return {**methods, "__hash__": None}


def _shown(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_change(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_loss(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


# ---------------------------------------------------------------- __init__


def _first_init(cls: type) -> Callable[..., None]:
    """An `__init__` that writes the real one, in its own place."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        init = _written(cls)
        cls.__init__ = init  # type: ignore[misc]
        init(self, *args, **kwargs)

    return __init__


def _written(cls: type) -> Callable[..., None]:
    """The `__init__` of a class: what `dataclass` would write, which stores by the slots themselves."""
    names: dict[str, Any] = {"_missing": dataclasses.MISSING}
    plain: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for each in fields(cls):
        value = each.name
        names[f"_set_{each.name}"] = getattr(cls, each.name).__set__
        has_default = each.default is not dataclasses.MISSING
        has_factory = each.default_factory is not dataclasses.MISSING
        if has_default:
            names[f"_default_{each.name}"] = each.default
        if has_factory:
            names[f"_make_{each.name}"] = each.default_factory
        if each.init:
            default = f"=_default_{each.name}" if has_default else "=_missing" if has_factory else ""
            (by_name if each.kw_only else plain).append(f"{each.name}{default}")
            if has_factory:
                value = f"_make_{each.name}() if {each.name} is _missing else {each.name}"
        elif has_factory:
            value = f"_make_{each.name}()"
        elif has_default:
            value = f"_default_{each.name}"
        else:
            continue
        body.append(f"_set_{each.name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    params = ", ".join(["self", *plain, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({params}):\n " + "\n ".join(body or ["pass"]), names)
    init: Callable[..., None] = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init
