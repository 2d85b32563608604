"""Work that goes on in a thread of its own beside a block, and ends with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def in_background(run: Callable[[threading.Event], object], *, patience: float) -> Iterator[None]:
    """Have `run` work for as long as the block does.

    Args:
        run: called in its thread with an event, and returns soon after that is set.
        patience: seconds that the end of the block waits for it. A process does not wait for it at all.
    """
    stop = threading.Event()
    thread = threading.Thread(target=run, args=(stop,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(patience)
