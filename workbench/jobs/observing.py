"""Loops whose progress is shown by the command or page that requested the work, if it has an observer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Observer = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Called with what is done and the number of steps; gives a function to call with how many more steps are done."""

_observer: ContextVar[Observer | None] = ContextVar("observer", default=None)


@contextmanager
def observed_by(observer: Observer | None) -> Iterator[None]:
    """Loops over `observed` report to this observer in the block; None for no observer."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


def observed(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items, one after the other; the observer is called for each that is done. Loops inside are not observed."""
    return observed_rows(items, len(items), what)


def observed_rows(rows: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The same for `total` rows that are not all in memory."""
    with observed_steps(what, total) as advance:
        for item in rows:
            yield item
            advance(1)


@contextmanager
def observed_steps(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function to call with how many more of `total` steps are done, for work that is no loop over a sequence."""
    observer = _observer.get()
    if observer is None:
        yield lambda steps: None
        return
    with observer(what, total) as advance:
        yield advance
