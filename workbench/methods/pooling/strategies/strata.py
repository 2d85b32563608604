"""Sampling by strata of the best rank."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import Rankings
from workbench.methods.pooling.frames import Frame, Seed, in_drawing_order, sampling_design, stratified

EXAMPLE = "1-10:100%,11-40:20%,41-100:10%"

Strata = Annotated[
    str,
    Limits(
        f"best ranks and the share of each that is judged, from rank 1 on without gaps: {EXAMPLE}",
        example=EXAMPLE,
    ),
]

_ONE = re.compile(r"(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?:(?P<rate>[0-9.]+)(?P<percent>%?)")


class Stratum(NamedTuple):
    """The candidates with a best rank from `first` to `last`, of which the share `rate` is judged."""

    first: int
    last: int
    rate: float

    def number(self, size: int) -> int:
        """How many of `size` candidates are drawn: to the nearest, halves up, and at least one."""
        return max(1, int(np.floor(self.rate * size + 0.5)))


def read_strata(text: str) -> list[Stratum]:
    """The strata in a text such as `1-10:100%,11-40:20%`, by rank.

    UnknownName where one cannot be read, two overlap, there is a gap, or a rate is not above 0 and at most 1.
    """
    strata = sorted(_stratum(part.strip()) for part in text.split(",") if part.strip())
    if not strata:
        message = f"strata is empty; write ranks and rates such as {EXAMPLE}"
        raise UnknownName(message)
    before = 0
    for one in strata:
        if one.first <= before:
            message = f"the strata overlap at rank {one.first}; let each begin after the one before it"
            raise UnknownName(message)
        if one.first > before + 1:
            gap = f"{before + 1}" if one.first == before + 2 else f"{before + 1} to {one.first - 1}"
            message = f"the strata leave out rank {gap}; what is never drawn cannot be estimated, so add it"
            raise UnknownName(message)
        before = one.last
    return strata


def _stratum(text: str) -> Stratum:
    found = _ONE.fullmatch(text.replace(" ", ""))
    try:
        rate = float(found["rate"]) / (100 if found["percent"] else 1) if found else None
    except ValueError:
        rate = None
    if found is None or rate is None:
        message = f"{text!r} is not a stratum; write ranks and a rate, such as 11-40:20%"
        raise UnknownName(message)
    first, last = int(found["first"]), int(found["last"] or found["first"])
    if not 1 <= first <= last:
        message = f"{text!r}: ranks count from 1, and the first is not after the last"
        raise UnknownName(message)
    if not 0 < rate <= 1:
        message = (
            f"{text!r}: a rate is above 0 and at most 1 (100%); leave out the last stratum to pool less deep"
        )
        raise UnknownName(message)
    return Stratum(first, last, rate)


@sampling_design("strata", purpose="estimate the scores of the whole pool")
def by_strata(rankings: Rankings, *, strata: Strata, seed: Seed = 0) -> Frame:
    """A random sample of each stratum of best ranks, at a rate of its own.

    Each topic's candidates are put into strata by the best rank that any run gives them. From each stratum its share
    is drawn at random without replacement, at least one document. What is not drawn is not judged, and counts in
    xinfAP and infNDCG by what was judged of its stratum.

    Source: Yilmaz, Kanoulas and Aslam, SIGIR 2008.
    """
    bands = read_strata(strata)
    pool = in_drawing_order(rankings.to_depth(bands[-1].last))
    number = 1 + np.searchsorted([band.last for band in bands], pool.best_rank)
    rng = np.random.default_rng(seed)
    return stratified(pool, number, lambda stratum, size: bands[stratum - 1].number(size), rng)
