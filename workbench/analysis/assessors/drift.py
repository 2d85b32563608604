"""How an assessor's work changes over time: the judgments in their order, in parts of equal size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.results import Column
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
