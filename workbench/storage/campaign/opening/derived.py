"""Tables that follow from the log, compared with what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workbench.storage.campaign.collection import (
    documents,
    pools,
    runs,
    settings,
    topic_withdrawals,
    topics,
    withdrawals,
)
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades import norming
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import assignments, draws, members


def differences(campaign: Campaign) -> Iterator[str]:
    """A sentence for each kind of thing of which a table says something else than the log; judgments are left out."""
    yield from differences_of_labels(campaign)
    yield from _different(campaign, _OTHERS)
    logged_pools = pools.replay(campaign)
    for pool, count in pools.pairs_by_pool(campaign, chosen=False).items():
        if logged_pools.get(pool, {}).get("pairs") != count:
            yield f"pool {pool}: it holds {count} pairs, which is not what the log says"


def differences_of_labels(campaign: Campaign) -> Iterator[str]:
    """The same of what decides which judgments give the labels."""
    yield from _different(campaign, _OF_LABELS)


Reading = Callable[[Campaign], Any]
_Kinds = Mapping[str, tuple[Reading, Reading]]


def _different(campaign: Campaign, kinds: _Kinds) -> Iterator[str]:
    for what, (logged, found) in kinds.items():
        if logged(campaign) != found(campaign):
            yield f"{what}: not what the log says"


def _logged_sources(campaign: Campaign) -> list[dict[str, Any]]:
    return [event.content for event in log.events(campaign, "documents")]


def _source_event(source: documents.StoredSource) -> dict[str, Any]:
    return {"source": source.source, **source.file._asdict(), "documents": source.documents}


def _run_event(run: runs.StoredRun) -> dict[str, Any]:
    return {"run": run.run, **run.record._asdict()}


def _pool_event(pool: pools.StoredPool) -> dict[str, Any]:
    return {
        "pool": pool.pool,
        **pool.record.as_content(),
        "runs": list(pool.record.runs),
        "pairs": pool.pairs,
    }


def _logged_retired(campaign: Campaign) -> dict[int, int]:
    return {step.pool: step.seq for step in pools.retirements(campaign)}


def _topics(campaign: Campaign) -> dict[str, topics.StoredTopic]:
    return {row.topic.topic_id: row for row in topics.all_topics(campaign)}


def _source_events(campaign: Campaign) -> list[dict[str, Any]]:
    return [_source_event(row) for row in documents.sources(campaign)]


def _run_events(campaign: Campaign) -> dict[int, dict[str, Any]]:
    return {run.run: _run_event(run) for run in runs.all_runs(campaign)}


def _pool_events(campaign: Campaign) -> dict[int, dict[str, Any]]:
    return {row.pool: _pool_event(row) for row in pools.all_pools(campaign)}


_OF_LABELS: _Kinds = {
    "withdrawn topics": (topic_withdrawals.replay, topic_withdrawals.absences),
    "settings": (settings.replay, settings.stored),
    "assignments": (assignments.replay, assignments.stored),
}
_OTHERS: _Kinds = {
    "topics": (topics.replay, _topics),
    "members": (members.replay, members.all_members),
    "drawn pairs": (draws.replay, draws.stored),
    "closed topics": (assignments.replay_closed, assignments.closed),
    "teams of participants": (members.replay_teams, members.teams),
    "sources": (_logged_sources, _source_events),
    "runs": (runs.replay, _run_events),
    "withdrawn runs": (withdrawals.replay, withdrawals.stored),
    "norming sessions": (norming.replay, norming.all_sessions),
    "pools": (pools.replay, _pool_events),
    "retired pools": (_logged_retired, pools.retired),
}
"""What the log says of each kind of thing, and what its tables say."""
