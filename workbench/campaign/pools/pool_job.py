"""Making a pool with the texts it lacks: what a worker process does for the server, and the terminal itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.campaign.ingest import fetch_missing_texts
from workbench.campaign.ingest.documents import MissingTexts
from workbench.campaign.near_duplicates import near_duplicate_steps
from workbench.campaign.pools.making import add_pool, ask_for_texts
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.retiring import retire_pool
from workbench.core.errors import CampaignError
from workbench.core.parameters import listed_values
from workbench.jobs.processes import OnStep, counting
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import documents, pools

CHANGED = (
    "The campaign has changed since these numbers were shown. Check the new numbers; no pool was created."
)


def make_pool_of(
    path: Path,
    planned: Mapping[str, Any],
    rest: Mapping[str, Any],
    expected: int,
    actor: str,
    *,
    on_step: OnStep,
) -> pools.StoredPool:
    """Make a pool of the campaign at `path`, and read the texts that it lacks from the recorded sources.

    The pool is there, whole, before the first text is read, unless its strategy uses texts. `planned` are the
    arguments that `plan_pool` shares with `add_pool`, and `rest` its others; `expected` is how many new pairs it has to
    have, else nothing is made (CampaignError).
    """
    with open_campaign(path).by(actor) as campaign:
        on_step(0, None, "Pooling")
        if plan_pool(campaign, **planned).at_depth.new != expected:
            raise CampaignError(CHANGED)
        fetch_texts_first(campaign, planned, on_step=on_step)
        made = add_pool(campaign, **planned, **rest, on_topic=near_duplicate_steps(on_step))
        fetch_texts(campaign, on_step=on_step)
    return made.pool


def retire_pool_of(path: Path, number: int, reason: str, actor: str, *, on_step: OnStep) -> pools.StoredPool:
    """Retire a pool of the campaign at `path`; errors as in `retire_pool`.

    The pool is retired before near duplicates are looked for among what is left.
    """
    with open_campaign(path) as campaign:
        on_step(0, None, "Retiring")
        steps = near_duplicate_steps(on_step)
        return retire_pool(campaign.by(actor), number, reason=reason, on_topic=steps).pool


def fetch_texts_first(
    campaign: Campaign, planned: Mapping[str, Any], *, on_step: OnStep
) -> MissingTexts | None:
    """Read the texts of a pool's candidates from the recorded sources where its strategy goes by them, else None."""
    if not STRATEGIES.find(planned["strategy"]).uses_texts:
        return None
    ask_for_texts(campaign, **planned)
    return fetch_texts(campaign, on_step=on_step, every=True)


def fetch_texts(campaign: Campaign, *, on_step: OnStep, every: bool = False) -> MissingTexts:
    """Read texts that are lacking, as `setup.ingest.fetch_missing_texts` does, and report how far it is."""
    total = sum(source.file.size for source in documents.sources(campaign))
    reading = counting(on_step, "Reading texts of pooled documents", total)
    return fetch_missing_texts(
        campaign, every=every, on_bytes=reading, on_topic=near_duplicate_steps(on_step)
    )


def pool_name(strategy: str, parameters: Mapping[str, Any]) -> str:
    """What making a pool is called in the browser and on the terminal: `Pool: depth 20`."""
    values = listed_values(parameters)
    return f"Pool: {values if values.startswith(strategy) else f'{strategy}, {values}'}"
