"""The pairs drawn for a second judgment as a sample of all: what agreement of the whole is estimated from."""

from __future__ import annotations

from workbench.agreeing.gathering import Drawn, Sample
from workbench.campaign import Campaign, draws


def sample_of(campaign: Campaign, as_of: int | None = None) -> Sample | None:
    """The drawn pairs, each standing for the inverse of its probability to be drawn; None where none was drawn.

    Strata are those of the draws, each draw's its own.
    """
    found = draws.replay(campaign, as_of)
    strata = {
        key: number for number, key in enumerate(sorted({(seq, name) for name, _, seq in found.values()}))
    }
    sample = {
        pair: Drawn(1 / probability, strata[seq, stratum])
        for pair, (stratum, probability, seq) in found.items()
    }
    return sample or None
