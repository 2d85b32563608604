"""How much judges answered, why they did not, and what that cost."""

from __future__ import annotations

from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.models.answers import batches


class Tally(NamedTuple):
    """What a judge answered in all its versions: answers with a grade, those without by reason, and what they cost."""

    labelled: int
    failed: dict[str, int]
    cost: float


def tallies(campaign: Campaign) -> dict[str, Tally]:
    """The tally of each judge that answered, by its name."""
    judge_of = {batch.seq: batch.judge for batch in batches(campaign)}
    rows = campaign.execute(
        """SELECT batch, failure, count(*), total(cost) FROM model_answer
        WHERE batch <= ? GROUP BY batch, failure ORDER BY batch, failure""",
        [campaign.up_to],
    )
    found: dict[str, Tally] = {}
    for batch, failure, number, cost in rows:
        labelled, failed, before = found.setdefault(judge_of[batch], Tally(0, {}, 0.0))
        if failure:
            failed[failure] = failed.get(failure, 0) + number
        found[judge_of[batch]] = Tally(labelled + (0 if failure else number), failed, before + cost)
    return found
