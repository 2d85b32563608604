"""A sample that was drawn elsewhere: its candidates by name, with their strata and inclusion probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import KINDS, Kind, Limits
from workbench.core.ranking import Rankings
from workbench.core.records import Pooled
from workbench.methods.pooling.registry import PoolPairs, strategy
from workbench.methods.pooling.strategies.listed import pairs_of_runs, write_pair

WHOLE_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class Candidate(NamedTuple):
    """A candidate of a sample: its stratum, from 1 within the topic, its inclusion probability, and if it was drawn."""

    topic_id: str
    document_id: str
    stratum: int
    probability: float
    drawn: bool


class CandidateText(str):
    """A candidate as text: topic, document, stratum, inclusion probability, and 1 if it was drawn, else 0."""

    __slots__ = ()


def read_candidate(text: str) -> Candidate:
    """The candidate that a text denotes; ValueError with a reason where it denotes none."""
    words = text.split(" ")
    if len(words) != 5 or not all(words):
        message = (
            f"{text!r} is not a candidate of a sample; write topic, document, stratum, probability and 1 if it was "
            "drawn or 0, with one blank between them"
        )
        raise ValueError(message)
    topic_id, document_id, stratum, chance, drawn = words
    if not WHOLE_NUMBER.fullmatch(stratum):
        message = f"{text!r} has the stratum {stratum}; strata are numbered from 1"
        raise ValueError(message)
    probability = _number(chance)
    if not 0 < probability <= 1:
        message = f"{text!r} has the probability {chance}; it must be above 0 and at most 1"
        raise ValueError(message)
    if drawn not in ("0", "1"):
        message = f"{text!r} ends in {drawn}; write 1 if it was drawn, else 0"
        raise ValueError(message)
    return Candidate(topic_id, document_id, int(stratum), probability, drawn == "1")


def write_candidate(candidate: Candidate) -> str:
    """The same candidate as text, the probability exactly."""
    pair = write_pair(*candidate[:2])
    return f"{pair} {candidate.stratum} {candidate.probability!r} {int(candidate.drawn)}"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


KINDS[CandidateText] = Kind(
    "topic, document, stratum, probability, and 1 if it was drawn or 0, with a blank between them",
    lambda text: write_candidate(read_candidate(text)),
    str,
    by_line=True,
)

Candidates = Annotated[
    list[CandidateText],
    Limits("the candidates with their design, as add sample reads them", example="1 d1 1 0.5 1"),
]
Strata = Annotated[
    bool,
    Limits(
        "whether the list holds all candidates of each stratum, and those of a stratum had the same chance"
    ),
]


def imported_design(*, candidates: Sequence[str], strata: bool = True) -> list[Candidate]:
    """All candidates of the sample, in the order of the list.

    Raises:
        UnknownName: a text is no candidate, a pair is listed twice, nothing was drawn, or the candidates of a stratum
            have several probabilities though `strata` says that they have one.
    """
    try:
        found = list(map(read_candidate, candidates))
    except ValueError as reason:
        raise UnknownName(str(reason)) from None
    seen: set[tuple[str, str]] = set()
    for each in found:
        if each[:2] in seen:
            message = f"topic {each.topic_id}, document {each.document_id} is twice in the sample; keep one of the two"
            raise UnknownName(message)
        seen.add(each[:2])
    if not any(each.drawn for each in found):
        message = "nothing of the sample was drawn; give at least one candidate that ends in 1"
        raise UnknownName(message)
    if strata and (other := first_unequal(found)):
        message = (
            f"the candidates of stratum {other.stratum} of topic {other.topic_id} have several probabilities, one of "
            f"them {other.probability!r}; set strata=no if each had a chance of its own"
        )
        raise UnknownName(message)
    return found


def first_unequal(candidates: Iterable[Candidate]) -> Candidate | None:
    """The first candidate with another probability than one before it of its stratum and topic; None without one."""
    chance: dict[tuple[str, int], float] = {}
    for each in candidates:
        if chance.setdefault((each.topic_id, each.stratum), each.probability) != each.probability:
            return each
    return None


def drawn_pairs(*, candidates: Sequence[str], strata: bool = True) -> list[Pooled]:
    """What was drawn, to be judged whether or not a run has it; errors as in `imported_design`."""
    return [
        Pooled(each.topic_id, each.document_id, 0, 0, each.stratum, each.probability)
        for each in imported_design(candidates=candidates, strata=strata)
        if each.drawn
    ]


@strategy("imported", kind="sampled", uses_names=True, listed=drawn_pairs, design=imported_design)
def pool_imported(rankings: Rankings, *, candidates: Candidates, strata: Strata = True) -> PoolPairs:
    """A sample that was drawn elsewhere, with the stratum and inclusion probability of every candidate.

    What was drawn is to be judged; those that no run has are pooled with best rank 0 and 0 runs. `workbench add sample`
    makes such a pool of a file, with its judgments.

    Source: Yilmaz, Kanoulas and Aslam, SIGIR 2008: qrels with strata (sample_eval); Aslam and Pavlu, 2007: prels.
    """
    drawn = drawn_pairs(candidates=candidates, strata=strata)
    pool = pairs_of_runs(rankings, drawn)
    names = rankings.names
    if names is None or not len(pool.topic):
        return pool
    pair_of = {pair[:2]: pair for pair in drawn}
    topic_ids = [names.topic_ids[topic] for topic in pool.topic.tolist()]
    found = [
        pair_of[topic_id, names.document_ids[topic_id][number]]
        for topic_id, number in zip(topic_ids, pool.document.tolist(), strict=True)
    ]
    return pool._replace(
        stratum=np.array([pair.stratum for pair in found], np.int32),
        inclusion_probability=np.array([pair.inclusion_probability for pair in found]),
    )
