"""How often the workbench says something of an assessor who deserves it, and of one who does not.

    .venv/bin/python benchmarks/fair_assessors.py [CAMPAIGNS]

Simulated campaigns: assessors judge the same pairs, each in an order of their own. A document has a relevance on a
line, normal around what its topic and its depth in the pool have; an assessor sees it with a shift (strict or lenient),
a shift on each topic (how the topic is read) and noise, and gives the grade of the step it falls on. Fair is who does
not change: all are alike, or one is always strict, or always careless. Counted is the share of campaigns in which the
first assessor is said to lean or to drift: of a fair one at most one in a hundred should be, for each statement. Who is
always strict, or so careless that more documents get a relevant grade, does lean, and is fair in drift alone.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from data import machine
from numpy.typing import NDArray

from workbench.analysis.assessors.against_peers import against_peers
from workbench.analysis.assessors.drift import drift_of
from workbench.analysis.between_assessors.gathering import GradedPairs
from workbench.storage.campaign.counts.assessor_activity import GradingEvent

FloatArray = NDArray[np.float64]
SEED = 3
AT = "2026-03-01T12:00:00.000+00:00"
FIRST = "first"


class Campaign(NamedTuple):
    """How a campaign is, and what its first assessor does.

    Attributes:
        topics: how many, judged one after another.
        pairs: how many of each topic everybody judges.
        others: how many assessors besides the first.
        steps: the thresholds between grades, one for relevant or not.
        relevant: mean relevance of the first topic and of the last, in standard deviations from the first threshold.
        depth: by how much relevance falls from the first document of a topic to the last, judged in this order; 0 for
            documents in random order.
        reading: standard deviation of how differently a topic is read.
        shift: of the first assessor, always.
        noise: of the first assessor; the others have .5.
        drift: of the first assessor, from the beginning to the end.
        tiring: of the first assessor, from the beginning of each topic to its end.
    """

    topics: int = 10
    pairs: int = 20
    others: int = 1
    steps: tuple[float, ...] = (0.0, 0.7, 1.4)
    relevant: tuple[float, float] = (-0.8, -0.8)
    depth: float = 0.0
    reading: float = 0.2
    shift: float = 0.0
    noise: float = 0.5
    drift: float = 0.0
    tiring: float = 0.0


FAIR = {
    "2 alike": Campaign(),
    "4 alike, relevant or not": Campaign(others=3, steps=(0.0,)),
    "4 alike, 4 grades": Campaign(others=3),
    "topics read differently": Campaign(reading=0.6),
    "ever fewer relevant by topic": Campaign(relevant=(0.3, -1.8)),
    "the same, always strict": Campaign(relevant=(0.3, -1.8), shift=-0.5),
    "the same, always careless": Campaign(relevant=(0.3, -1.8), noise=1.2),
    "by depth": Campaign(depth=2.5),
    "by depth, always strict": Campaign(depth=2.5, shift=-0.5),
    "by depth, always careless": Campaign(depth=2.5, noise=1.2),
    "by depth, careless, relevant or not": Campaign(depth=2.5, noise=1.2, steps=(0.0,)),
    "by depth, nearly guesses": Campaign(depth=2.5, noise=3.0),
    "20 pairs in all": Campaign(pairs=2),
    "2 topics": Campaign(topics=2, pairs=50),
    "nearly all not relevant": Campaign(relevant=(-2.5, -2.5)),
    "40 topics": Campaign(topics=40, pairs=10),
}

UNFAIR = {
    "strict by half a step": Campaign(shift=-0.5),
    "strict by half a step, 40 topics": Campaign(topics=40, pairs=10, shift=-0.5),
    "drifts by a standard deviation, 10 topics": Campaign(drift=-1.0),
    "drifts by a standard deviation, 40 topics": Campaign(topics=40, pairs=10, drift=-1.0),
    "drifts by two standard deviations, 10 topics": Campaign(drift=-2.0),
    "drifts by two standard deviations, 40 topics": Campaign(topics=40, pairs=10, drift=-2.0),
    "becomes lenient by two, 10 topics": Campaign(drift=2.0),
    "becomes lenient by two, 40 topics": Campaign(topics=40, pairs=10, drift=2.0),
    "tires by a standard deviation in each topic": Campaign(tiring=-1.0),
    "the same, by depth": Campaign(tiring=-1.0, depth=2.5),
}


def judged(kind: Campaign, rng: np.random.Generator) -> tuple[GradedPairs, list[GradingEvent]]:
    """The opinions of all assessors, and the first one's judgments in their order."""
    topics, pairs = kind.topics, kind.pairs
    course = np.linspace(0, 1, topics * pairs).reshape(topics, pairs)
    place = np.linspace(-0.5, 0.5, pairs)
    mean = np.linspace(*kind.relevant, topics)[:, None] - kind.depth * place
    relevance = (mean + rng.normal(0, 1, (topics, pairs)))[..., None]
    people = 1 + kind.others
    seen = relevance + rng.normal(0, kind.reading, (topics, 1, people))
    noise = np.array([kind.noise] + [0.5] * kind.others)
    seen = seen + rng.normal(0, 1, (topics, pairs, people)) * noise
    seen[..., 0] += kind.shift + kind.drift * course + kind.tiring * place
    labels = np.digitize(seen, kind.steps).reshape(-1, people).astype(np.int64)
    names = [(f"{topic:02d}", f"d{number:03d}") for topic in range(topics) for number in range(pairs)]
    made = [GradingEvent(seq, AT, *name, int(labels[seq, 0]), 4.0, False) for seq, name in enumerate(names)]
    opinions = GradedPairs(
        grades=tuple(range(len(kind.steps) + 1)),
        relevant=1,
        assessors=(FIRST, *(f"other{number}" for number in range(kind.others))),
        pairs=tuple(names),
        labels=labels,
        weights=np.ones(len(labels)),
        strata=np.zeros(len(labels), np.int64),
        judged=len(labels),
    )
    return opinions, made


class Said(NamedTuple):
    """The shares of campaigns in which the first assessor is said to lean, to change between and within topics; and the
    largest size of a change that was shown, in lengths of the scale.
    """

    leaning: float
    between: float
    within: float
    largest: float


def said_of(kind: Campaign, campaigns: int, seed: int = SEED) -> Said:
    """What is said of the first assessor of so many campaigns."""
    rng = np.random.default_rng(seed)
    found, sizes = np.zeros(3), [0.0]
    for _ in range(campaigns):
        opinions, made = judged(kind, rng)
        peers = against_peers(opinions, FIRST, opinions.labels >= 0)
        if peers is None:
            continue
        drift = drift_of(made, peers.pairs, grades=len(opinions.grades))
        found += bool(peers.leaning), drift.between.is_certain, drift.within.is_certain
        sizes += [abs(each.change) for each in drift if each.change is not None]
    return Said(*(found / campaigns).tolist(), max(sizes) / len(kind.steps))


def main(campaigns: int) -> None:
    print(machine())
    print(
        "| campaign | leans | between topics | within topics | largest change, scales |\n|---|---|---|---|---|"
    )
    for name, kind in (FAIR | UNFAIR).items():
        found = said_of(kind, campaigns)
        print(f"| {name} | " + " | ".join(f"{share:.3f}" for share in found) + " |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
