"""The pairs that were drawn for a second judgment, with the weights that undo unequal probabilities."""

from __future__ import annotations

from workbench.agreement.between_assessors.gathering import Drawn, Sample
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import draws


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
