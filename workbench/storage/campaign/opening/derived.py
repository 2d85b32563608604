"""Tables that follow from the log, compared with what it says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import (
    documents,
    pools,
    run_details,
    runs,
    topics,
)
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.log import Event, events
from workbench.storage.campaign.people import members


def differences(campaign: Campaign) -> Iterator[str]:
    """A sentence for each kind of thing of which a table says something else than the log; judgments are left out."""
    logged = _logged(campaign, {**_OF_LABELS, **_OTHERS})
    yield from _different(campaign, {**_OF_LABELS, **_OTHERS}, logged)
    pairs = {event.content["pool"]: event.content["pairs"] for event in logged if event.kind == pools.POOL}
    for pool, count in pools.pairs_by_pool(campaign, chosen=False).items():
        if pairs.get(pool) != count:
            yield f"pool {pool}: it holds {count} pairs, which is not what the log says"


def differences_of_labels(campaign: Campaign) -> Iterator[str]:
    """The same of what decides which judgments give the labels."""
    yield from _different(campaign, _OF_LABELS, _logged(campaign, _OF_LABELS))


class _Compared(NamedTuple):
    """A kind of thing that is compared: the events that it follows from, what follows from them, and what is stored."""

    events: Collection[str]
    logged: Callable[[Sequence[Event]], Any]
    stored: Callable[[Campaign], Any]


_Kinds = Mapping[str, _Compared]


def _logged(campaign: Campaign, kinds: _Kinds) -> list[Event]:
    """The events of all these kinds of things, read once."""
    return events(campaign, *{name for kind in kinds.values() for name in kind.events})


def _different(campaign: Campaign, kinds: _Kinds, logged: Sequence[Event]) -> Iterator[str]:
    for what, kind in kinds.items():
        if kind.logged([event for event in logged if event.kind in kind.events]) != kind.stored(campaign):
            yield f"{what}: not what the log says"


def _run_event(run: runs.StoredRun) -> dict[str, Any]:
    return {"run": run.run, **run.record._asdict()}


def _pool_event(pool: pools.StoredPool) -> dict[str, Any]:
    return {
        "pool": pool.pool,
        **pool.record.as_content(),
        "runs": list(pool.record.runs),
        "pairs": pool.pairs,
    }


def _topics(campaign: Campaign) -> dict[str, topics.StoredTopic]:
    return {row.topic.topic_id: row for row in topics.all_topics(campaign)}


def _run_events(campaign: Campaign) -> dict[int, dict[str, Any]]:
    return {run.run: _run_event(run) for run in runs.all_runs(campaign)}


def _pool_events(campaign: Campaign) -> dict[int, dict[str, Any]]:
    return {row.pool: _pool_event(row) for row in pools.all_pools(campaign)}


_OF_LABELS: _Kinds = {
    "assignments": _Compared({assignments.ASSIGNMENT}, assignments.replay, assignments.stored),
}
_OTHERS: _Kinds = {
    "topics": _Compared({topics.TOPICS}, topics.replay, _topics),
    "members": _Compared({members.MEMBER}, members.replay, members.all_members),
    "teams of participants": _Compared({members.MEMBER}, members.replay_teams, members.teams),
    "sources": _Compared(documents.SOURCES, documents.replay, documents.sources),
    "runs": _Compared({runs.RUN, run_details.DETAILS}, runs.replay, _run_events),
    "pools": _Compared({pools.POOL}, pools.replay, _pool_events),
}
"""What the log says of each kind of thing, and what its tables say."""
