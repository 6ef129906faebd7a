"""A bound against work that never ends, for tests of what is capped.

How fast something is belongs to the benchmarks: a loaded machine takes several times what an idle one takes. What is
not capped takes minutes, and that is what these tests are to notice.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

RUNAWAY = 60  # seconds of the processor, ten times what the slowest of these tests takes


@contextmanager
def bounded() -> Iterator[None]:
    """Fails when what stands inside takes more processor time than anything capped could."""
    begun = time.process_time()
    yield
    taken = time.process_time() - begun
    assert taken < RUNAWAY, f"{taken:.0f} s of the processor"
