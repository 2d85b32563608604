"""What the events up to a row of the log say: a `State`, whose parts are folded when they are first asked for.

A part is declared once, by the module that owns its subject: the kinds of events that it follows from, and a function
that changes its value by one event. Values are kept in the process by the newest event of these kinds, so neither
judgments nor other events make one be folded again, and a newer value is made from the newest one before it. They name
people by their ids, as the events do; `State.names` has the names.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from threading import RLock
from typing import Any, Generic, TypeVar

from workbench.core.recently_used import RecentlyUsed
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.cache import Followers
from workbench.storage.campaign.log.erasable import ShownNames
from workbench.storage.campaign.log.log import Event, Head, know_head, logged_at

T = TypeVar("T")
Value = TypeVar("Value", covariant=True)

KEPT = 8
"""How many values of one part of one campaign are kept: as of now, and as of rows that were asked for."""


@dataclass(frozen=True, eq=False)
class Part(Generic[Value]):
    """What events of some kinds say together; called, it gives the value now, or as of a row of the log.

    `start` makes the value before the first of them, `step` changes it by one event. What a call gives is shared by all
    who ask: they do not change it.
    """

    kinds: tuple[str, ...]
    start: Callable[[], Value]
    step: Callable[[Any, Event], None]

    def __call__(self, campaign: Campaign) -> Value:
        """The value as of the row of the log that the campaign is read as of."""
        return State.of(campaign)[self]


def part(*kinds: str, start: Callable[[], Any]) -> Callable[[Callable[[T, Event], None]], Part[T]]:
    """Declare a part of the state: the function below is its `step`, its docstring says what the value is."""
    return lambda step: Part(kinds, start, step)


class State:
    """What the events up to one row of the log say; `last` is the newest of these events."""

    def __init__(self, campaign: Campaign, history: _History, last: int, newest: int) -> None:
        self._campaign, self._history, self._newest = campaign, history, newest
        self.last = last

    @classmethod
    def of(cls, campaign: Campaign) -> State:
        """The state of a campaign; asked for again in a transaction it costs no statement."""

        def followed() -> tuple[_History, int]:
            history = _histories.of(campaign.asking(""))
            return history, history.follow(campaign)

        # A transaction keeps the history that it has read on: another one, after it was dropped, would be empty.
        history, newest = campaign.now.once("history", followed, of_log=True)
        return cls(campaign, history, min(newest, campaign.up_to), newest)

    def __getitem__(self, part: Part[T]) -> T:
        """The value of a part."""
        return self._history.value(self._campaign, part, self.last)

    @property
    def names(self) -> ShownNames:
        """The name that is shown for each id, as names are now."""
        return ShownNames(self._campaign, self._history.names(self._newest))


class _History:
    """The events of a campaign's log as far as they were read: the places of each kind, and values of parts.

    A transaction may see events that are rolled back later, and a snapshot fewer events than another. So an event is
    known by its place and the beginning of its hash; where a log goes on otherwise, what is beyond is forgotten.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._seqs, self._hashes = array("q", [0]), array("Q", [0])
        self._of_kind: dict[str, array[int]] = {}
        self._values: dict[Part[Any], RecentlyUsed[int, Any]] = {}
        self._names: RecentlyUsed[int, dict[str, str]] = RecentlyUsed(KEPT)

    def follow(self, campaign: Campaign) -> int:
        """Read on, and return the place of the newest event."""
        with self._lock:
            rows = _events_from(campaign, self._seqs[-1])
            if self._seqs[-1] and not (rows and self._has(*rows[0][:2])):
                newest, common = self._in_common(campaign)
                if newest == common:
                    return newest
                self._forget_after(common)
                rows = _events_from(campaign, common)
            for seq, hash_, kind in rows:
                if seq > self._seqs[-1]:
                    self._seqs.append(seq)
                    self._hashes.append(_beginning(hash_))
                    self._of_kind.setdefault(kind, array("q")).append(seq)
            return self._seqs[-1]

    def value(self, campaign: Campaign, part: Part[T], last: int) -> T:
        """The value of a part as of an event."""
        with self._lock:
            at = self._newest(part.kinds, last)
            if not at:
                return part.start()
            values = self._values.setdefault(part, RecentlyUsed(KEPT))
            if at not in values:
                since = max((seq for seq in values if seq < at), default=0)
                logged = logged_at(campaign, self._places(part.kinds, since, at))
                value = copy(values[since]) if since else part.start()
                for event in logged:
                    part.step(value, event)
                values[at] = value
            found: T = values.put(at, values[at])
            return found

    def names(self, last: int) -> dict[str, str]:
        """The names that are known already, as of an event."""
        with self._lock:
            return self._names.use(self._newest((kinds.PERSON,), last), dict)

    def _newest(self, of: Iterable[str], last: int) -> int:
        found = (self._of_kind.get(kind, ()) for kind in of)
        return max(
            (places[place - 1] for places in found if (place := bisect_right(places, last))), default=0
        )

    def _places(self, of: Iterable[str], after: int, last: int) -> list[int]:
        """Where events of these kinds are."""
        found = [self._of_kind[kind] for kind in of if kind in self._of_kind]
        return sorted(
            seq for each in found for seq in each[bisect_right(each, after) : bisect_right(each, last)]
        )

    def _in_common(self, campaign: Campaign) -> tuple[int, int]:
        """The newest event of a campaign's log, and the newest of it that is known."""
        newest = 0
        for seq, hash_ in campaign.execute("SELECT seq, hash FROM event ORDER BY seq DESC"):
            newest = newest or seq
            if self._has(seq, hash_):
                return newest, seq
        return newest, 0

    def _has(self, seq: int, hash_: bytes) -> bool:
        place = bisect_right(self._seqs, seq) - 1
        return self._seqs[place] == seq and self._hashes[place] == _beginning(hash_)

    def _forget_after(self, seq: int) -> None:
        place = bisect_right(self._seqs, seq)
        del self._seqs[place:], self._hashes[place:]
        for places in self._of_kind.values():
            del places[bisect_right(places, seq) :]
        for values in (*self._values.values(), self._names):
            for later in [each for each in values if each > seq]:
                del values[later]


_histories: Followers[_History] = Followers(_History)


def _beginning(hash_: bytes) -> int:
    return int.from_bytes(hash_[:8])


def _events_from(campaign: Campaign, seq: int) -> list[tuple[int, bytes, str]]:
    """The events from a row of the log on; if there are any, the log's head is known after that."""
    rows = campaign.execute(
        """SELECT seq, hash, kind FROM event WHERE seq >= ?
        UNION ALL SELECT seq, hash, NULL FROM (SELECT seq, hash FROM judgment ORDER BY seq DESC LIMIT 1)
        ORDER BY seq""",
        [seq],
    ).fetchall()
    found = [row for row in rows if row[2] is not None]
    if found:
        know_head(campaign, Head(*rows[-1][:2]))
    return found
