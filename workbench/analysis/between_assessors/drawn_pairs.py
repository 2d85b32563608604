"""The pairs that were drawn for a second judgment, with the weights that undo unequal probabilities."""

from __future__ import annotations

from collections import Counter

from workbench.analysis.between_assessors.gathering import Drawn, Sample
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.grades.independent_grades import independent_grades


def drawn_sample(campaign: Campaign, as_of: int | None = None) -> Sample:
    """Every drawn pair with its weight, the inverse of its sampling rate; empty if nothing was drawn.

    Each stratum of each draw is a stratum of its own. Of several draws each represents the pairs it was drawn from.
    """
    found: dict[tuple[str, str], Drawn] = {}
    numbers: dict[tuple[int, str], int] = {}
    for draw in draws.all_draws(campaign, as_of):
        for pair in draw.drawn:
            stratum = numbers.setdefault((draw.seq, pair.stratum), len(numbers))
            found[pair.topic_id, pair.document_id] = Drawn(1 / pair.inclusion_probability, stratum)
    return found


def sample_to_show(campaign: Campaign, as_of: int | None = None) -> Sample | None:
    """The drawn pairs, if at least one of them has the grades of two assessors: what is shown where none is chosen."""
    drawn = drawn_sample(campaign, as_of)
    if not drawn:
        return None
    given = Counter((each.topic_id, each.document_id) for each in independent_grades(campaign, as_of))
    return drawn if any(given[pair] > 1 for pair in drawn) else None
