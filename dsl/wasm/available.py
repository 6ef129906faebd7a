"""Can modules be run on this machine at all?"""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.engine.failure import Unplayable


def need_wasmtime() -> None:
    """Raises `Unplayable` where wasmtime, or its library for this machine, cannot be loaded."""
    try:
        import wasmtime  # noqa: F401 - it is only tried
    except (ImportError, OSError, RuntimeError) as error:
        raise Unplayable(tr("wasmtime cannot be loaded: {error}", error=error)) from None
