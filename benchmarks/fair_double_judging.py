"""How often a fair assessor is named, by design of double judging, lengths of topics, and looks.

    .venv/bin/python benchmarks/fair_double_judging.py [CAMPAIGNS [SEED]]

Two assessors see each document with a shift on each topic and noise, drawn from the same distributions, so both are
fair. The first judges all pairs of their topics; the second those that the design has judged twice. Printed, as in
RESULTS.md, are the shares of campaigns in which the first assessor is said to lean, at the end and at any look after a
topic; then the same for pace and for repeats. At most one in a hundred should be named, by each.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from data import machine
from numpy.typing import NDArray

from workbench.analysis.assessors.against_peers import NAMED, as_likely_swapped
from workbench.analysis.assessors.profile import OFTEN, is_low
from workbench.analysis.assessors.speed import is_unusual, pace_of
from workbench.campaign.assigning.drawing import draw
from workbench.methods.statistics.betting import against_symmetry

SEED = 3
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


class Judged(NamedTuple):
    """Pairs judged twice: their topics, the grades of the first assessor and of the second, and which are compared."""

    topic: Grades
    own: Grades
    other: Grades
    counts: NDArray[np.bool_]


def judged(design: Design, lengths: list[int], rng: np.random.Generator, shift: float = 0.0) -> Judged:
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
        return Judged(topic, *grades.T, np.ones(len(topic), np.bool_))
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
    return Judged(topic[rows], *grades[rows].T, np.array(counts))


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
        one = judged(design, lengths, rng, shift)
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


HEAD = """| {} | at the end | after every topic |
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


def main(campaigns: int, seed: int) -> None:
    print(machine())
    for table, lines in rows(campaigns, seed).items():
        print("\n" + HEAD.format(table))
        for name, found in lines.items():
            print(line(name, found()), flush=True)


if __name__ == "__main__":
    main(*map(int, (sys.argv[1:] + ["1000", str(SEED)][len(sys.argv) - 1 :])))
