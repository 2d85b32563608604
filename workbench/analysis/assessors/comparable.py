"""The grades that tell whether one assessor is stricter than another: those of pairs that no grade selected.

An assessor's grade of a pair is partly chance. Where a high grade brings the pair to a second assessor, the second
grade is lower on average, and the first assessor looks lenient without being so.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.between_assessors.gathering import GradedPairs, Pair
from workbench.methods.statistics.ratings import MISSING
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws, norming
from workbench.storage.campaign.grades import judging_again
from workbench.storage.campaign.grades.independent_grades import first_given, partial_imports

Mask = NDArray[np.bool_]


def comparable(campaign: Campaign, found: GradedPairs) -> Mask:
    """Which grades are compared, bool (pairs, assessors); the others may have been selected by a grade.

    Left out are the grades of assessors who were asked to judge a single pair again; those first given after a norming
    session revealed the others'; imports that lack pairs of their topic that others had judged before; and of pairs
    drawn by grade those whose first grade has changed since, and the surplus of `as_likely_swapped`.
    """
    usable: Mask = found.labels != MISSING
    place = {pair: row for row, pair in enumerate(found.pairs)}
    column = {name: number for number, name in enumerate(found.assessors)}
    for request in judging_again.holding(campaign):
        row = place.get((request.topic_id, request.document_id))
        if row is not None and request.assessor in column:
            usable[row, column[request.assessor]] = False
    for session in norming.all_sessions(campaign):
        for document_id in session.documents:
            pair = session.topic_id, document_id
            if pair in place:
                usable[place[pair]] &= _before(campaign, found, pair, session.opened)
    partial = partial_imports(campaign)
    if partial:
        for pair, row in place.items():
            usable[row] &= [(pair[0], name) not in partial for name in found.assessors]
    _leave_out_drawn(campaign, found, usable, place)
    return usable


def _before(campaign: Campaign, found: GradedPairs, pair: Pair, seq: int) -> Mask:
    """Who had judged a pair before a row of the log, bool (assessors,)."""
    first = first_given(campaign, *pair)
    return np.array([first.get(name, seq) < seq for name in found.assessors], np.bool_)


def _leave_out_drawn(campaign: Campaign, found: GradedPairs, usable: Mask, place: Mapping[Pair, int]) -> None:
    for draw in draws.all_draws(campaign):
        if draw.record.stratify != "grade":
            continue
        chances = {pair.stratum: pair.inclusion_probability for pair in draw.drawn}
        for pair in draw.drawn:
            row = place.get((pair.topic_id, pair.document_id))
            if row is None:
                continue
            first = usable[row] & _before(campaign, found, pair[:2], draw.seq)
            later = usable[row] & ~first
            if first.sum() > 1:  # they met without the draw
                usable[row] = first
            elif (first.sum(), later.sum()) != (1, 1):
                usable[row] = False
            else:
                own, other = (found.grades[found.labels[row, who.argmax()]] for who in (first, later))
                usable[row] &= str(own) == pair.stratum and as_likely_swapped(pair[:2], own, other, chances)


def as_likely_swapped(pair: Pair, own: int, other: int, chances: Mapping[str, float]) -> bool:
    """Whether to keep a drawn pair, so that two grades are as likely to be kept one way round as the other.

    A pair that the first grade had drawn with probability p is kept with the probability min(1, q / p), where q is that
    of the second grade, by a hash of topic and document: always the same.
    """
    name = "\0".join(("compared", *pair)).encode("utf-8", "surrogatepass")
    place = int.from_bytes(blake2b(name, digest_size=8).digest()) / 2**64
    return place * chances[str(own)] < chances.get(str(other), 0)
