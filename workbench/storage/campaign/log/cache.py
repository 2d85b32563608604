"""Values of a campaign as of a row of its log, cached; and objects that follow a campaign's log.

A value that is computed from the log alone is the same for as long as the log's newest row is the same, so it is
cached by the campaign's file, that row with its hash, and what was asked: a `Cache`, one for each kind of value.

Some things are cheaper to bring up to date than to compute again: rankings stay when a judgment comes, and one label of
them changes. They are no cached values: there is one of them for each campaign, which follows the log whatever its head
is. A `Followers` holds them.

Both keep what they hold for as long as the process runs, unless `forget_unused` drops what a campaign has not needed,
or all of them together hold more than `bound_values` allows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from math import inf
from threading import Lock
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakSet

from workbench.core.recently_used import KeyedLocks
from workbench.core.sizes import size_of
from workbench.storage.campaign.file.connection import Campaign, CampaignFile
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.erasable import names_version

T = TypeVar("T")

OF_ONE, IN_ALL = 16, 64
"""How many values of one campaign, and of all campaigns, a cache holds unless it says otherwise."""

FOLLOWED = 64
"""How many campaigns have an object that follows their log."""

MEASURE_EVERY = 1.0
"""Seconds after which the size of an object that follows a log is measured again."""

_guard = Lock()
"""Over what all hold: nothing is computed or measured under it."""

_bound = inf


class _Key(NamedTuple):
    """What is held: a value as of a row, or an object that follows the log, which has no row and no key."""

    file: CampaignFile
    head: log.Head | None = None
    names: int = 0
    view: Hashable = None
    key: Hashable = None


def _seen(campaign: Campaign) -> Hashable:
    return campaign.view, campaign.coded


def _key(campaign: Campaign, head: log.Head, key: Hashable) -> _Key:
    return _Key(campaign.file, head, names_version(campaign), _seen(campaign), key)


@dataclass(slots=True, eq=False)
class _Held(Generic[T]):
    """A value or an object; its bytes, and when it was last asked for and measured, by `monotonic`."""

    key: _Key
    value: T
    used: float
    size: int = 0
    measured: float = -inf

    @property
    def seq(self) -> int:
        """The row that a value is as of, 0 for an object."""
        return self.key.head.seq if self.key.head else 0

    def is_due(self, now: float) -> bool:
        """Whether its size may have changed: that of an object does while it is used, which may take minutes."""
        if self.key.head:
            return self.measured == -inf
        return now - self.measured >= max(MEASURE_EVERY, self.measured - self.used)

    def measure(self) -> None:
        """Caches in it count by themselves."""
        self.measured, self.size = monotonic(), size_of(self.value, apart=(_Holder,))


class _Holder(Generic[T]):
    """What holds values or objects of campaigns."""

    def __init__(self) -> None:
        self._held: dict[_Key, _Held[T]] = {}
        with _guard:
            _holders.add(self)

    def __len__(self) -> int:
        """How many are held."""
        return len(self._held)

    def clear(self) -> None:
        """Forget everything."""
        with _guard:
            self._held.clear()

    def _found(self, key: _Key) -> _Held[T] | None:
        held = self._held.get(key)
        if held:
            held.used = monotonic()
        return held

    def _put(self, key: _Key, value: T) -> _Held[T]:
        """Hold it, and nothing of a file that it has replaced; under `_guard`."""
        replaced = [old for old in self._held if old.file.path == key.file.path and old.file != key.file]
        for old in replaced:
            del self._held[old]
        return self._held.setdefault(key, _Held(key, value, monotonic()))

    def _trim(self, most: int, file: CampaignFile | None = None) -> None:
        """Drop the least wanted beyond `most`, of one campaign or of all; under `_guard`."""
        those = [held for held in _least_wanted_first(self._held.values()) if file in (None, held.key.file)]
        for held in those[: max(len(those) - most, 0)]:
            del self._held[held.key]


_holders: WeakSet[_Holder[Any]] = WeakSet()


def forget_unused(file: CampaignFile, *, since: float) -> None:
    """Drop all values and objects of a campaign that were not asked for since then, a time of `monotonic`."""
    with _guard:
        for holder in _holders:
            for held in list(holder._held.values()):
                if held.key.file == file and held.used < since:
                    del holder._held[held.key]


def bound_values(most: float) -> None:
    """Hold at most so many bytes of values and objects together from now on; without a bound nothing is measured."""
    global _bound
    _bound = most
    keep_within_bound()


def bound_of_values() -> float:
    """How many bytes all values and objects together may take."""
    return _bound


def keep_within_bound() -> None:
    """Drop what is least wanted while all values and objects together take more bytes than they may.

    The one used last stays even if it alone takes more: without it, each question of one page would compute it again.
    """
    if _bound == inf:
        return
    now = monotonic()
    with _guard:
        due = [held for holder in _holders for held in holder._held.values() if held.is_due(now)]
    for held in due:
        held.measure()
    with _guard:
        excess = sum(held.size for holder in _holders for held in holder._held.values()) - _bound
        if excess > 0:
            holder_of = {held: holder for holder in _holders for held in holder._held.values()}
            latest = max(holder_of, key=lambda held: held.used)
            for held in _least_wanted_first(holder_of):
                if excess > 0 and held is not latest:
                    del holder_of[held]._held[held.key]
                    excess -= held.size


def _least_wanted_first(those: Iterable[_Held[T]]) -> list[_Held[T]]:
    """Values as of an older row than the newest of their campaign, then all others, by when they were last used."""
    found, newest = list(those), dict[CampaignFile, int]()
    for held in found:
        newest[held.key.file] = max(held.seq, newest.get(held.key.file, 0))
    return sorted(found, key=lambda held: (not 0 < held.seq < newest[held.key.file], held.used))


class Cache(_Holder[T]):
    """One kind of value, for several threads.

    A value is computed once: concurrent requests for it wait for it, and never for another value, of
    this campaign or another one. An error is not cached: the next of those who wait computes for itself.

    Beyond `of_one` values of a campaign, or `in_all` of all, a value as of an older row than the newest of its campaign
    goes first, then the one that was not used for longest. Values are shared: callers must not change them.
    """

    def __init__(self, *, of_one: int = OF_ONE, in_all: int = IN_ALL) -> None:
        super().__init__()
        self._of_one, self._in_all = of_one, in_all
        self._computing = KeyedLocks()

    def now(self, campaign: Campaign, question: Hashable, compute: Callable[[], T]) -> T:
        """The value as of the row that the campaign is read as of; `compute` reads it so."""
        with campaign.snapshot():
            return self.at(campaign, log.head(campaign), question, compute)

    def at(self, campaign: Campaign, head: log.Head, question: Hashable, compute: Callable[[], T]) -> T:
        """The value as of the row `head`, for what knows the row that it computes from."""
        key = _key(campaign, head, question)
        found = self._found(key)
        if found is None:
            with self._computing.of(key):
                found = self._found(key) or self._keep(key, compute())
        return found.value

    def known(self, campaign: Campaign, head: log.Head, question: Hashable) -> T | None:
        """The value as of the row `head` where it is there, else None."""
        found = self._found(_key(campaign, head, question))
        return None if found is None else found.value

    def newest(self, campaign: Campaign, question: Hashable) -> tuple[log.Head, T] | None:
        """The newest cached value for this key, and its log row."""
        with _guard:
            keys = [
                key
                for key in self._held
                if key[-2:] == (_seen(campaign), question) and key.file == campaign.file
            ]
            found = self._found(max(keys, key=lambda key: self._held[key].seq)) if keys else None
        return None if found is None or found.key.head is None else (found.key.head, found.value)

    def _keep(self, key: _Key, value: T) -> _Held[T]:
        with _guard:
            held = self._put(key, value)
            self._trim(self._of_one, key.file)
            self._trim(self._in_all)
        keep_within_bound()
        return held


class Followers(_Holder[T]):
    """One object for each campaign file, that follows its log by itself; those of the `most` files used last."""

    def __init__(self, make: Callable[[], T], *, most: int = FOLLOWED) -> None:
        super().__init__()
        self._make, self._most = make, most

    def of(self, campaign: Campaign) -> T:
        """The object of a campaign's file, shared by its connections; it can be used after it was dropped."""
        key = _Key(campaign.file, view=(campaign.question, campaign.coded))
        held = self._found(key)
        if held is None:
            keep_within_bound()
            made = self._make()
            with _guard:
                held = self._put(key, made)
                self._trim(self._most)
        return held.value
