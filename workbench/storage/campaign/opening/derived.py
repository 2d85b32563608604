"""Tables that follow from the log, compared with what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.storage.campaign.collection import documents, pools, runs, settings, topics, withdrawals
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades import norming
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import assignments, draws, members


def differences(campaign: Campaign) -> Iterator[str]:
    """A sentence for each kind of thing of which a table says something else than the log; judgments are left out."""
    tables: list[tuple[str, Any, Any]] = [
        ("settings", settings.replay(campaign), settings.stored(campaign)),
        ("topics", topics.replay(campaign), {row.topic.topic_id: row for row in topics.all_topics(campaign)}),
        ("members", members.replay(campaign), members.all_members(campaign)),
        ("assignments", assignments.replay(campaign), assignments.stored(campaign)),
        ("drawn pairs", draws.replay(campaign), draws.stored(campaign)),
        ("closed topics", assignments.replay_closed(campaign), assignments.closed(campaign)),
        ("teams of participants", members.replay_teams(campaign), members.teams(campaign)),
        ("sources", _logged_sources(campaign), [_source_event(row) for row in documents.sources(campaign)]),
        ("runs", runs.replay(campaign), {run.run: _run_event(run) for run in runs.all_runs(campaign)}),
        ("withdrawn runs", withdrawals.replay(campaign), withdrawals.stored(campaign)),
        ("norming sessions", norming.replay(campaign), norming.all_sessions(campaign)),
        ("pools", pools.replay(campaign), {row.pool: _pool_event(row) for row in pools.all_pools(campaign)}),
    ]
    yield from (f"{what}: not what the log says" for what, logged, found in tables if logged != found)
    logged_pools = pools.replay(campaign)
    for pool, count in pools.pairs_by_pool(campaign).items():
        if logged_pools.get(pool, {}).get("pairs") != count:
            yield f"pool {pool}: it holds {count} pairs, which is not what the log says"


def _logged_sources(campaign: Campaign) -> list[dict[str, Any]]:
    return [event.content for event in log.events(campaign, "documents")]


def _source_event(source: documents.StoredSource) -> dict[str, Any]:
    return {"source": source.source, **source.file._asdict(), "documents": source.documents}


def _run_event(run: runs.StoredRun) -> dict[str, Any]:
    return {"run": run.run, **run.record._asdict()}


def _pool_event(pool: pools.StoredPool) -> dict[str, Any]:
    return {"pool": pool.pool, **pool.record._asdict(), "runs": list(pool.record.runs), "pairs": pool.pairs}
