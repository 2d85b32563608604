"""A pool made of a campaign's file, from its path alone: what a worker process does for the server."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from workbench.core.errors import CampaignError
from workbench.core.jobs import OnStep
from workbench.setup.ingest import fetch_missing_texts
from workbench.setup.pools.making import add_pool
from workbench.setup.pools.plan import plan_pool
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, pools

CHANGED = (
    "The campaign has changed since these numbers were shown. Check the new numbers; no pool was created."
)


def make_pool_of(
    path: Path, planned: Mapping[str, Any], rest: Mapping[str, Any], expected: int, *, on_step: OnStep
) -> pools.StoredPool:
    """Make a pool of the campaign at `path`, and read the texts that it lacks from the recorded sources.

    The pool is there, whole, before the first text is read. `planned` are the arguments that `plan_pool` shares with
    `add_pool`, and `rest` its others; `expected` is how many new pairs it has to have, else nothing is made
    (CampaignError).
    """
    with open_campaign(path) as campaign:
        on_step(0, None, "Pooling")
        if plan_pool(campaign, **planned).at_depth.new != expected:
            raise CampaignError(CHANGED)
        compare = partial(_comparing, on_step)
        made = add_pool(campaign, **planned, **rest, on_topic=compare)
        total, read = sum(source.file.size for source in documents.sources(campaign)), 0

        def reading(size: int) -> None:
            nonlocal read
            read += size
            on_step(min(read, total), total, "Reading texts of pooled documents")

        reading(0)
        fetch_missing_texts(campaign, on_bytes=reading, on_topic=compare)
    return made.pool


def _comparing(on_step: OnStep, done: int, total: int, now: str) -> None:
    on_step(done, total, f"Looking for near duplicates: {now}")
