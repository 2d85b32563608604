"""How an assessor's work changes over time: the judgments in parts of equal size, and grades against those of others.

Pairs that others judged too show whether grades drift. Topics come one after another, are read differently and
are shared with others, so the change over the campaign is looked at topic by topic, and the change in the course of a
topic within topics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.assessors.against_peers import SharedPair
from workbench.core.results import Column, shown
from workbench.methods.statistics.trend import Change, change_between, change_within
from workbench.storage.campaign.counts.assessor_activity import GradingEvent

PARTS = 8
SMALLEST_PART = 25
"""A part has at least this many judgments: shares of fewer jump about by chance."""


class Part(NamedTuple):
    """Some judgments in a row: which ones (counted from 1), when, the median of active seconds, the share of relevant
    grades, and, of the pairs among them that others judged too, how many there are and by how many steps of the scale
    one's own grades are above theirs on average; None where nothing is known.
    """

    first: int
    last: int
    begins: Annotated[str, Column("From")]
    ends: Annotated[str, Column("To")]
    seconds: Annotated[float | None, Column("Seconds", "median_seconds", "size")]
    relevant: Annotated[float | None, Column(kind="size")]
    shared: Annotated[int, Column("In common", "in_common")]
    above: Annotated[float | None, Column("Above others", kind="signed")]


def parts_of(
    made: Sequence[GradingEvent], relevant_from: int, above: Mapping[tuple[str, str], float]
) -> list[Part]:
    """The judgments in at most PARTS parts of at least SMALLEST_PART; one part while there are too few for two.

    Args:
        made: judgments in the order of the log.
        relevant_from: the smallest relevant grade.
        above: by how many steps one's grade in force is above that of the others, of the pairs in common.
    """
    if not made:
        return []
    number = max(1, min(PARTS, len(made) // SMALLEST_PART))
    edges = [round(len(made) * place / number) for place in range(number + 1)]
    newest = {(each.topic_id, each.document_id): each.seq for each in made}
    return [_part(made[begin:end], begin, relevant_from, above, newest) for begin, end in pairwise(edges)]


def _part(
    some: Sequence[GradingEvent],
    begin: int,
    relevant_from: int,
    above: Mapping[tuple[str, str], float],
    newest: Mapping[tuple[str, str], int],
) -> Part:
    seconds = [each.seconds for each in some if each.seconds is not None]
    grades = [each.grade for each in some if each.grade is not None]
    in_force = [(each.topic_id, each.document_id) for each in some if newest[each[2:4]] == each.seq]
    steps = [above[pair] for pair in in_force if pair in above]
    return Part(
        first=begin + 1,
        last=begin + len(some),
        begins=some[0].at[:10],
        ends=some[-1].at[:10],
        seconds=float(np.median(seconds)) if seconds else None,
        relevant=float(np.mean([grade >= relevant_from for grade in grades])) if grades else None,
        shared=len(steps),
        above=float(np.mean(steps)) if steps else None,
    )


class Drift(NamedTuple):
    """By how many steps of the scale the grades rise against those of others.

    Attributes:
        between: from the first third of the topics to the last.
        within: from the first third of each topic to its last.
    """

    between: Annotated[Change, Column(name="between_topics")]
    within: Annotated[Change, Column(name="within_topics")]

    @property
    @shown(Column())
    def in_words(self) -> list[str]:
        """What changes and how sure that is, in sentences."""
        return [
            _sentence(self.between, "From the first third of the topics to the last"),
            _sentence(self.within, "From the first third of a topic’s pairs to the last"),
        ]


def drift_of(made: Sequence[GradingEvent], pairs: Sequence[SharedPair], *, grades: int) -> Drift:
    """The drift of one assessor.

    Args:
        made: the judgments on the screen in the order of the log; a pair stands where it was judged last.
        pairs: those that others judged too. A pair does not count if a grade may have selected it, or if its grade in
            force is not the one of the screen.
        grades: how many grades the scale has.
    """
    last = {(each.topic_id, each.document_id): each for each in made}
    ordered = [
        (last[place].seq, pair)
        for pair in pairs
        if pair.counts
        and (place := (pair.topic_id, pair.document_id)) in last
        and last[place].grade == pair.grade
    ]
    ordered.sort(key=lambda each: each[0])
    topics = [pair.topic_id for _, pair in ordered]
    own, others = [pair.category for _, pair in ordered], [pair.category - pair.above for _, pair in ordered]
    largest = float(max(grades - 1, 0))
    return Drift(
        change_between(own, others, topics, largest=largest),
        change_within(own, others, topics, largest=largest),
    )


def _sentence(found: Change, when: str) -> str:
    if found.change is None or found.low is None or found.high is None:
        return f"{when}: {found.note}."
    size = (
        f"{when} the grades move by {signed_steps(found.change)} steps of the scale against those of others "
        f"(99 % interval {signed_steps(found.low)} to {signed_steps(found.high)}; {found.n:,} pairs in "
        f"{found.groups:,} topics)."
    )
    return f"{size} {_meaning(found)}"


def _meaning(found: Change) -> str:
    if not found.is_certain:
        leaves_out_0 = (found.low or 0) > 0 or (found.high or 0) < 0
        often = " where one looks after every topic" if leaves_out_0 else ""
        return f"That can be chance{often}, or come from the documents."
    return f"The grades become {'more lenient' if (found.low or 0) > 0 else 'stricter'} than the others’."


def signed_steps(value: float) -> str:
    """A number of steps with its sign."""
    return f"{value:+.2f}".replace("-", "−")
