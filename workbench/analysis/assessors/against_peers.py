"""An assessor's grades against those that others gave the same pairs.

Assessors have different topics, so their grades as such cannot be compared: only pairs that another assessor judged too
tell whether one is strict or lenient, where no grade selected them. An assessor's grade of a pair is partly chance:
where a high grade brings the pair to a second assessor, the second grade is lower on average, and the first assessor
looks lenient without being so. Every pair counts once, however many others judged it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.between_assessors.gathering import GradedPairs, Pair
from workbench.core.results import FLAT, HIDDEN, Column, shown
from workbench.methods.statistics.arrays import FloatArray, signs_of
from workbench.methods.statistics.betting import against_symmetry
from workbench.methods.statistics.intervals import Interval, t_interval, why_none
from workbench.methods.statistics.ratings import MISSING
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws, norming
from workbench.storage.campaign.grades import judging_again
from workbench.storage.campaign.grades.current_judgments import first_given, partial_imports

LEVEL = 0.99
"""Of the interval that is shown."""

NAMED = 0.01
"""A fair assessor is called strict or lenient with at most this probability, however often one looks."""


class SharedPair(NamedTuple):
    """A pair that others judged too: one's own grade and its place on the scale from 0, the others' grades by name, and
    by how many steps of the scale one's own is above their mean; and whether it is compared, see `comparable`.
    """

    topic_id: str
    document_id: str
    grade: int
    category: int
    others: tuple[tuple[str, int], ...]
    above: float
    counts: bool = True


class AgainstPeers(NamedTuple):
    """An assessor's grades of the pairs that others judged too and no grade selected; all 0 where there are none.

    Attributes:
        peers: who the others are, in byte order.
        grades: the scale.
        compared: how many pairs these are.
        own: the share of each grade among one's own, of these pairs.
        others: the same among the others'; each pair counts once.
        higher, same, lower: on how many pairs one's own grade is above, at and below the others' mean.
        above: by how many steps of the scale one's own grade is above the others' mean: the mean over topics.
        interval: the 99 % interval of `above`, Student's t over topics: how a topic is read is one choice, which all of
            its pairs share. None with too few topics, and where all have the same mean.
        why_none: why there is no interval; "" where there is one.
        stake: what a bet against "as likely above the others' grades as below, by topic" would have grown to, as a
            logarithm (`against_symmetry`).
        relevant_own, relevant_others: the share of relevant ones.
        pairs: all pairs that others judged too, in byte order; those that were left out do not count.
    """

    peers: Annotated[tuple[str, ...], HIDDEN]
    grades: Annotated[tuple[int, ...], HIDDEN]
    compared: Annotated[int, Column("In common", "in_common")]
    own: Annotated[tuple[float, ...], HIDDEN]
    others: Annotated[tuple[float, ...], HIDDEN]
    higher: int
    same: Annotated[int, HIDDEN]
    lower: int
    above: Annotated[float, HIDDEN]
    interval: Annotated[Interval | None, FLAT, Column("99%", "above", "signed")]
    why_none: Annotated[str, HIDDEN]
    stake: Annotated[float, HIDDEN]
    relevant_own: Annotated[float, HIDDEN]
    relevant_others: Annotated[float, HIDDEN]
    pairs: Annotated[tuple[SharedPair, ...], HIDDEN]

    @property
    @shown(Column("Above", "above", "signed"))
    def known_above(self) -> float | None:
        """By how many steps of the scale one's own grade is above the others' mean; None without a pair."""
        return self.above if self.compared else None

    @property
    @shown(Column())
    def left_out(self) -> int:
        """How many pairs that others judged too were left out, since a grade may have selected them."""
        return len(self.pairs) - self.compared

    @property
    def leaning(self) -> str:
        """`lenient` or `strict` against the others where chance hardly explains it; "" else."""
        if self.stake < -math.log(NAMED):
            return ""
        return "lenient" if sum(pair.above for pair in self.pairs if pair.counts) > 0 else "strict"


def against_peers(found: GradedPairs, assessor: str, usable: NDArray[np.bool_]) -> AgainstPeers | None:
    """An assessor against the others on the pairs in common; None where there are none.

    `usable` says which grades are compared, bool (pairs, assessors); see `comparable`.
    """
    if assessor not in found.assessors:
        return None
    column = found.assessors.index(assessor)
    rows = np.flatnonzero(found.labels[:, column] != MISSING)
    names = [name for name in found.assessors if name != assessor]
    own, others = found.labels[rows, column], np.delete(found.labels[rows], column, axis=1)
    counted = np.where(np.delete(usable[rows], column, axis=1), others, MISSING)
    counts = usable[rows, column] & (counted != MISSING).any(axis=1)
    others = np.where(counts[:, None], counted, others)
    size, compared = len(found.grades), int(counts.sum())
    given = np.stack([(others == category).sum(axis=1) for category in range(size)], axis=1)
    shares = given / given.sum(axis=1, keepdims=True)
    above = own - shares @ np.arange(size)
    pairs = tuple(
        SharedPair(*found.pairs[row], found.grades[category], category, tuple(grades), steps, is_compared)
        for row, category, grades, steps, is_compared in zip(
            rows.tolist(),
            own.tolist(),
            _given(names, found.grades, others),
            above.tolist(),
            counts.tolist(),
            strict=True,
        )
    )
    signs = signs_of(above[counts])
    higher, lower = int((signs > 0).sum()), int((signs < 0).sum())
    mine = np.bincount(own[counts], minlength=size) / max(compared, 1)
    theirs = shares[counts].sum(axis=0) / max(compared, 1)
    sums, means = _by_topic([pair.topic_id for pair in pairs if pair.counts], above[counts])
    return AgainstPeers(
        peers=tuple(name for place, name in enumerate(names) if (others[:, place] != MISSING).any()),
        grades=found.grades,
        compared=compared,
        own=tuple(mine.tolist()),
        others=tuple(theirs.tolist()),
        higher=higher,
        same=compared - higher - lower,
        lower=lower,
        above=float(means.mean()) if compared else 0.0,
        interval=t_interval(means, level=LEVEL, lowest=1 - size, highest=size - 1),
        why_none=why_none(means[:, None])[0],
        stake=against_symmetry(sums),
        relevant_own=float(mine[found.relevant :].sum()),
        relevant_others=float(theirs[found.relevant :].sum()),
        pairs=pairs,
    )


def _by_topic(topics: Sequence[str], above: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The sum and the mean of each topic's pairs, float64 (topics,)."""
    _, topic = np.unique(np.asarray(topics, object), return_inverse=True)
    sums = np.bincount(topic, weights=above)
    return np.asarray(sums, np.float64), np.asarray(sums / np.bincount(topic), np.float64)


def _given(
    names: Sequence[str], grades: Sequence[int], others: NDArray[np.int64]
) -> list[list[tuple[str, int]]]:
    """Who gave each pair which grade: of sixty assessors two or three, so those who did not are not looked at."""
    found: list[list[tuple[str, int]]] = [[] for _ in range(len(others))]
    places, columns = np.nonzero(others != MISSING)
    labels = others[places, columns]
    for place, column, label in zip(places.tolist(), columns.tolist(), labels.tolist(), strict=True):
        found[place].append((names[column], grades[label]))
    return found


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
