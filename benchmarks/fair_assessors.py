"""How often the workbench says something of an assessor who deserves it, and of one who does not.

    .venv/bin/python benchmarks/fair_assessors.py together|twice [CAMPAIGNS]

Simulated campaigns. An assessor sees the relevance of a document with a shift (strict or lenient), a shift on each
topic (how the topic is read) and noise, and gives the grade of the step that it falls on. At most one fair assessor in
a hundred should be named, by each statement.

together: all assessors judge the same pairs, each in an order of their own. Fair is an assessor who does not change:
all are alike, or one is always strict, or always careless. Counted is the share of campaigns in which the first
assessor is said to lean or to drift. Who is always strict, or so careless that more documents get a relevant grade,
does lean, and is fair in drift alone.

twice: two equal assessors, so both are fair. The first judges all pairs of their topics, the second those that the
design has judged twice. Printed are the shares of campaigns in which the first is said to lean, at the end and at any
look after a topic; then the same for pace and for repeats.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from data import machine
from numpy.typing import NDArray

from workbench.analysis.assessors.against_peers import NAMED, against_peers, as_likely_swapped
from workbench.analysis.assessors.drift import drift_of
from workbench.analysis.assessors.profile import OFTEN, is_low
from workbench.analysis.assessors.speed import is_unusual, pace_of
from workbench.analysis.between_assessors.gathering import GradedPairs
from workbench.campaign.assigning.drawing import draw
from workbench.methods.statistics.betting import against_symmetry
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


STEPS = (0.0, 0.7, 1.4)
RELEVANT, READING, NOISE = -0.8, 0.2, 0.5

LENGTHS = {"10 x 100": [100] * 10, "25 x 40": [40] * 25, "3 x 200, 22 x 5": [200] * 3 + [5] * 22}


class Design(NamedTuple):
    """How pairs are selected for the second assessor.

    Attributes:
        stratify, allocate: as of `assign double`; "all" for whole topics.
        each_topic: drawn after every topic, not once at the end.
        both_first: every other topic is judged first by the other assessor.
    """

    stratify: str
    allocate: str = "proportional"
    share: float = 0.1
    each_topic: bool = False
    both_first: bool = False


DESIGNS = {
    "whole topics": Design("all"),
    "a tenth": Design("none"),
    "by topic": Design("topic"),
    "by topic, equal": Design("topic", "equal"),
    "by grade": Design("grade"),
    "by grade, equal": Design("grade", "equal"),
    "by grade, equal, a third": Design("grade", "equal", 0.33),
    "by grade, equal, first by turns": Design("grade", "equal", both_first=True),
    "by grade, equal, after every topic": Design("grade", "equal", each_topic=True),
}

Grades = NDArray[np.int64]


class JudgedTwice(NamedTuple):
    """Pairs judged twice: their topics, the grades of the first assessor and of the second, and which are compared."""

    topic: Grades
    own: Grades
    other: Grades
    counts: NDArray[np.bool_]


def judged_twice(
    design: Design, lengths: list[int], rng: np.random.Generator, shift: float = 0.0
) -> JudgedTwice:
    """One campaign."""
    topic = np.repeat(np.arange(len(lengths)), lengths)
    relevance = RELEVANT + rng.normal(0, 1, len(topic))
    seen = (
        relevance[:, None]
        + rng.normal(0, READING, (len(lengths), 2))[topic]
        + rng.normal(0, NOISE, (len(topic), 2))
    )
    seen[:, 0] += shift
    grades = np.digitize(seen, STEPS)
    if design.stratify == "all":
        return JudgedTwice(topic, *grades.T, np.ones(len(topic), np.bool_))
    is_first = np.where(design.both_first & (topic % 2 == 1), 1, 0)
    seed = int(rng.integers(1 << 30))
    names = [(str(each), f"{seed} {number}") for number, each in enumerate(topic.tolist())]
    first = grades[np.arange(len(topic)), is_first].tolist()
    chosen, counts = [], []
    for some in range(len(lengths)) if design.each_topic else [None]:
        here = np.flatnonzero(topic == some) if some is not None else np.arange(len(topic))
        strata = {
            "none": lambda _: "all",
            "topic": lambda at: names[at][0],
            "grade": lambda at: str(first[at]),
        }
        frame = {names[at]: strata[design.stratify](at) for at in here.tolist()}
        drawn = draw(frame, design.share, seed, design.allocate)
        chances = {each.stratum: each.inclusion_probability for each in drawn if design.stratify == "grade"}
        for each in drawn:
            at = int(each.document_id.split()[1])
            other = int(grades[at, 1 - is_first[at]])
            chosen.append(at)
            counts.append(not chances or as_likely_swapped(each[:2], first[at], other, chances))
    rows = np.array(chosen)
    return JudgedTwice(topic[rows], *grades[rows].T, np.array(counts))


class Named(NamedTuple):
    """Shares of campaigns in which the first assessor is named: at the end, and at any look after a topic."""

    at_the_end: float
    ever: float


def leaning(
    design: Design, lengths: list[int], campaigns: int, seed: int = SEED, shift: float = 0.0
) -> Named:
    """How often the first assessor is said to be strict or lenient."""
    rng = np.random.default_rng(seed)
    found = np.zeros(2)
    for _ in range(campaigns):
        one = judged_twice(design, lengths, rng, shift)
        above = one.own - one.other
        looks = np.unique(one.topic)
        sums = np.array([above[one.counts & (one.topic == look)].sum() for look in looks])
        named = [against_symmetry(sums[: end + 1]) >= -math.log(NAMED) for end in range(len(looks))]
        found += named[-1], any(named)
    return Named(*(found / campaigns).tolist())


def pace(topics: int, judgments: int, campaigns: int, seed: int = SEED, faster: float = 1.0) -> Named:
    """How often the first of five assessors is called far faster or slower, each with topics of their own.

    Seconds are lognormal; a topic makes all its documents take longer or shorter, with a spread of .7; the first topic
    of each assessor has five times as many judgments as the others.
    """
    rng = np.random.default_rng(seed)
    found = np.zeros(2)
    sizes = [5 * judgments] + [judgments] * (topics - 1)
    for _ in range(campaigns):
        people = [
            {str(at): np.exp(rng.normal(2 + rng.normal(0, 0.7), 0.8, size)) for at, size in enumerate(sizes)}
            for _ in range(5)
        ]
        people[0] = {at: seconds / faster for at, seconds in people[0].items()}
        named = []
        for look in range(1, topics + 1):
            known = [{str(at): person[str(at)] for at in range(look)} for person in people]
            mine, *others = map(pace_of, known)
            named.append(bool(is_unusual(mine, others)))
        found += named[-1], any(named)
    return Named(*(found / campaigns).tolist())


def repeats(
    topics: int, each: int, campaigns: int, seed: int = SEED, share: float = OFTEN, spread: float = 0.15
) -> Named:
    """How often one is said to judge repeats differently, who gives the same answer so often; topics differ."""
    rng = np.random.default_rng(seed)
    weight = share * (1 - share) / spread**2 - 1
    found = np.zeros(2)
    for _ in range(campaigns):
        same = rng.random((topics, each)) < rng.beta(share * weight, (1 - share) * weight, (topics, 1))
        named = [is_low([row.tolist() for row in same[:end]]) for end in range(1, topics + 1)]
        found += named[-1], any(named)
    return Named(*(found / campaigns).tolist())


TABLE = """| {} | at the end | after every topic |
|---|---|---|"""


def line(name: str, found: Named) -> str:
    """A line of a table in Markdown."""
    return f"| {name} | " + " | ".join(f"{share:.3f}".removeprefix("0") for share in found) + " |"


def rows(campaigns: int, seed: int) -> dict[str, dict[str, Callable[[], Named]]]:
    """The tables: what each line is of."""
    return {
        "leaning: design; topics x pairs": {
            f"{name}; {lengths}": lambda design=design, sizes=sizes: leaning(design, sizes, campaigns, seed)
            for name, design in DESIGNS.items()
            for lengths, sizes in LENGTHS.items()
        }
        | {
            f"strict by half a step: {name}; 25 x 40": lambda design=design: leaning(
                design, [40] * 25, campaigns, seed, -0.5
            )
            for name, design in DESIGNS.items()
            if name in ("whole topics", "a tenth", "by grade, equal, a third")
        },
        "pace: topics of each assessor": {
            f"{topics}": lambda topics=topics: pace(topics, 40, campaigns, seed)
            for topics in (1, 2, 5, 10, 25)
        }
        | {
            f"{topics}, five times as fast": lambda topics=topics: pace(topics, 40, campaigns, seed, 5)
            for topics in (10, 25)
        },
        "repeats: topics x repeats": {
            f"{topics} x {each}": lambda topics=topics, each=each: repeats(topics, each, campaigns, seed)
            for topics, each in ((2, 25), (10, 5), (40, 2))
        }
        | {
            f"{topics} x {each}, the same answer with .5": lambda topics=topics, each=each: repeats(
                topics, each, campaigns, seed, 0.5
            )
            for topics, each in ((10, 5), (40, 2))
        },
    }


def together(campaigns: int) -> None:
    """Print what is said of assessors who judge the same pairs."""
    print(
        "| campaign | leans | between topics | within topics | largest change, scales |\n|---|---|---|---|---|"
    )
    for name, kind in (FAIR | UNFAIR).items():
        found = said_of(kind, campaigns)
        print(f"| {name} | " + " | ".join(f"{share:.3f}" for share in found) + " |", flush=True)


def twice(campaigns: int) -> None:
    """Print what is said of equal assessors under every design of double judging."""
    for table, lines in rows(campaigns, SEED).items():
        print("\n" + TABLE.format(table))
        for name, found in lines.items():
            print(line(name, found()), flush=True)


if __name__ == "__main__":
    print(machine())
    {"together": together, "twice": twice}[sys.argv[1]](int((sys.argv[2:] or ["1000"])[0]))
