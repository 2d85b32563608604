"""Values of a campaign as of a row of its log, cached; and objects that follow a campaign's log.

A value that is computed from the log alone is the same for as long as the log's newest row is the same, so it is
cached by the campaign's file, that row with its hash, and what was asked: a `Cache`, one for each kind of value.

Some things are cheaper to bring up to date than to compute again: rankings stay when a judgment comes, and one label of
them changes. They are no cached values: there is one of them for each campaign, which follows the log whatever its head
is. A `Followers` holds them.

Both keep what they hold for as long as the process runs, unless `forget_unused` drops what a campaign has not needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, TypeVar
from weakref import WeakSet

from workbench.core.keyed_locks import KeyedLocks
from workbench.core.recently_used import RecentlyUsed
from workbench.storage.campaign.file.connection import Campaign, CampaignFile
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.persons import names_version

T = TypeVar("T")

OF_ONE, IN_ALL = 16, 64
"""How many values of one campaign, and of all campaigns, a cache holds unless it says otherwise."""

FOLLOWED = 64
"""How many campaigns have an object that follows their log."""


class _Key(NamedTuple):
    file: CampaignFile
    head: log.Head
    names: int
    question: Hashable


def _key(campaign: Campaign, head: log.Head, question: Hashable) -> _Key:
    return _Key(campaign.file, head, names_version(campaign), question)


class _Holder(ABC):
    """What holds objects of campaigns, and when those of each campaign were last asked for, by `monotonic`."""

    def __init__(self) -> None:
        self.used: dict[CampaignFile, float] = {}
        with _registering:
            _holders.add(self)

    @abstractmethod
    def forget(self, file: CampaignFile) -> None:
        """Drop what is held of a campaign: who asks next makes it again."""


_registering = Lock()
_holders: WeakSet[_Holder] = WeakSet()


def forget_unused(file: CampaignFile, *, since: float) -> None:
    """Drop all values and objects of a campaign that were not asked for since then, a time of `monotonic`."""
    with _registering:
        holders = list(_holders)
    for holder in holders:
        if holder.used.get(file, since) < since:
            holder.forget(file)


class Cache(_Holder, Generic[T]):
    """One kind of value, for several threads.

    A value is computed once: concurrent requests for it wait for it, and never for another value, of
    this campaign or another one. An error is not cached: the next of those who wait computes for itself.

    Beyond `of_one` values of a campaign, or `in_all` of all, a value as of an older row than the newest of its campaign
    goes first, then the one that was not used for longest. Values are shared: callers must not change them.
    """

    def __init__(self, *, of_one: int = OF_ONE, in_all: int = IN_ALL) -> None:
        super().__init__()
        self._of_one, self._in_all = of_one, in_all
        self._guard = Lock()
        self._computing = KeyedLocks()
        self._values: OrderedDict[_Key, T] = OrderedDict()

    def __len__(self) -> int:
        """How many values are held."""
        return len(self._values)

    def now(
        self, campaign: Campaign, question: Hashable, compute: Callable[[], T], *, as_of: int | None = None
    ) -> T:
        """The value as of now, or as of a row of the log; `compute` reads the campaign as of one row.

        Where `as_of` names a row, `compute` has to keep to it by itself.
        """
        with campaign.snapshot():
            return self.at(campaign, log.head_at(campaign, as_of), question, compute)

    def at(self, campaign: Campaign, head: log.Head, question: Hashable, compute: Callable[[], T]) -> T:
        """The value as of the row `head`, for what knows the row that it computes from."""
        key = _key(campaign, head, question)
        found = self._found(key)
        if found is None:
            with self._computing.of(key):
                found = self._found(key) or self._keep(key, compute())
        return found[0]

    def known(self, campaign: Campaign, head: log.Head, question: Hashable) -> T | None:
        """The value as of the row `head` where it is there, else None."""
        found = self._found(_key(campaign, head, question))
        return None if found is None else found[0]

    def newest(self, campaign: Campaign, question: Hashable) -> tuple[log.Head, T] | None:
        """The newest cached value for this key, and its log row."""
        self.used[campaign.file] = monotonic()
        with self._guard:
            own = [key for key in self._values if (key.file, key.question) == (campaign.file, question)]
            if not own:
                return None
            key = max(own, key=lambda key: key.head.seq)
            self._values.move_to_end(key)
            return key.head, self._values[key]

    def clear(self) -> None:
        """Forget everything."""
        with self._guard:
            self._values.clear()

    def forget(self, file: CampaignFile) -> None:
        """Drop the values of a campaign."""
        with self._guard:
            for key in [key for key in self._values if key.file == file]:
                del self._values[key]

    def _found(self, key: _Key) -> tuple[T] | None:
        self.used[key.file] = monotonic()
        with self._guard:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return (self._values[key],)

    def _keep(self, key: _Key, value: T) -> tuple[T]:
        self.used[key.file] = monotonic()  # computing it may have taken longer than what is unused is kept
        with self._guard:
            for other in [other for other in self._values if other.file.is_replaced_by(key.file)]:
                del self._values[other]
            self._values[key] = value
            own = [other for other in self._values if other.file == key.file]
            if len(own) > self._of_one:
                del self._values[self._least_wanted(own)]
            if len(self._values) > self._in_all:
                del self._values[self._least_wanted(self._values)]
        return (value,)

    def _least_wanted(self, keys: Iterable[_Key]) -> _Key:
        """The first of some keys, in order of use, that is out of date; the first of all where none is."""
        newest: dict[CampaignFile, int] = {}
        for key in self._values:
            newest[key.file] = max(key.head.seq, newest.get(key.file, 0))
        in_order = list(keys)
        return next((key for key in in_order if key.head.seq < newest[key.file]), in_order[0])


class Followers(_Holder, Generic[T]):
    """One object for each campaign file, that follows its log by itself; those of the `most` files used last."""

    def __init__(self, make: Callable[[], T], *, most: int = FOLLOWED) -> None:
        super().__init__()
        self._make = make
        self._guard = Lock()
        self._objects: RecentlyUsed[CampaignFile, T] = RecentlyUsed(most)

    def __len__(self) -> int:
        """How many objects are held."""
        return len(self._objects)

    def of(self, campaign: Campaign) -> T:
        """The object of a campaign's file, the same for every connection to it; another file gets a new one."""
        self.used[campaign.file] = monotonic()
        with self._guard:
            for other in [other for other in self._objects if other.is_replaced_by(campaign.file)]:
                del self._objects[other]
            return self._objects.use(campaign.file, self._make)

    def forget(self, file: CampaignFile) -> None:
        """Drop the object of a campaign; who has it may go on with it."""
        with self._guard:
            self._objects.pop(file, None)
