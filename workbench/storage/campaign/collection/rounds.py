"""Rounds of a campaign: an event of the log opens one, and what follows it belongs to it until the next is opened.

Before the first such event a campaign is in its first round, which is called FIRST. Nothing else is stored: the place
in the log of a run, a topic, a pool or a judgment tells the round that it came in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, up_to
from workbench.storage.campaign.log.state import State, part

ROUND, CANCELLED = kinds.ROUND, kinds.ROUND_CANCELLED
"""The kinds of events that open a round, and that cancel the open one: what follows belongs to the one before again.
The `content` of both has the round's name; a campaign that came out of a release has its runs before all rounds, so
`runs` has the numbers of those that belong to the round that is opened."""

FIRST = "1"


class Round(NamedTuple):
    """A round: its number from 1, its name, and its rows of the log, `opened` + 1 to `last`.

    `opened` is the `seq` of the event that opened it, 0 for the first round; `last` the row before the next round's
    event, None while the round is open. `at` and `actor` say when it was opened and by whom, "" for the first.
    `moved_in` and `moved_out` are runs that belong to this round, or to another, whatever their rows say.
    """

    number: int
    name: str
    opened: int
    last: int | None = None
    at: str = ""
    actor: str = ""
    moved_in: frozenset[int] = frozenset()
    moved_out: frozenset[int] = frozenset()

    def holds(self, seq: int) -> bool:
        """Whether a row of the log belongs to the round."""
        return self.opened < seq <= up_to(self.last)

    def has(self, run: StoredRun) -> bool:
        """Whether a run belongs to the round."""
        return run.run in self.moved_in or (self.holds(run.seq) and run.run not in self.moved_out)


@part(ROUND, CANCELLED, start=lambda: [Round(1, FIRST, 0)])
def _rounds(found: list[Round], event: Event) -> None:
    """The rounds in their order; which runs were moved out of them is not said."""
    if event.kind == CANCELLED:
        found.pop()
        found[-1] = found[-1]._replace(last=None)
        return
    found[-1] = found[-1]._replace(last=event.seq - 1)
    named = frozenset(event.content.get("runs", ()))
    found.append(Round(len(found) + 1, event.content["name"], event.seq, None, event.at, event.actor, named))


def all_rounds(campaign: Campaign) -> list[Round]:
    """The rounds up to now, or to a row of the log, in their order; at least the first."""
    state = State.of(campaign)
    moved = frozenset[int]().union(*(each.moved_in for each in state[_rounds]))
    names = state.names
    return [
        each._replace(actor=names[each.actor], moved_out=moved - each.moved_in) for each in state[_rounds]
    ]


def find(campaign: Campaign, name: str) -> Round | None:
    """The round of this name, or None."""
    return next((each for each in all_rounds(campaign) if each.name == name), None)


def put_round(campaign: Campaign, name: str, *, runs: Sequence[int] = ()) -> Round:
    """Open a round inside the open write transaction; `runs` are those added before that belong to it."""
    content = {"name": name, "runs": list(runs)} if runs else {"name": name}
    append_event(campaign, ROUND, content)
    return all_rounds(campaign)[-1]


def cancel(campaign: Campaign, name: str) -> int:
    """Cancel the open round, which is not the first, inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, CANCELLED, {"name": name})
