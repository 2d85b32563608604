"""Pairs that were found elsewhere: named one by one, whether or not a run has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import KINDS, Kind, Limits
from workbench.core.ranking import Rankings
from workbench.core.records import Pooled
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy

WHOLE_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


class ListedPair(str):
    """A topic id and a document id with a blank between them; neither has a blank in it."""

    __slots__ = ()


def read_pair(text: str) -> tuple[str, str]:
    """Topic id and document id of a listed pair; ValueError where it is none."""
    topic_id, _, document_id = text.strip(" ").partition(" ")
    document_id = document_id.lstrip(" ")
    if not topic_id or not document_id or " " in document_id:
        raise ValueError(f"{text!r} is not a pair; write a topic and a document with a blank between them")
    return topic_id, document_id


def write_pair(topic_id: str, document_id: str) -> str:
    """The same pair as text."""
    return f"{topic_id} {document_id}"


KINDS[ListedPair] = Kind(
    "a topic and a document with a blank between them",
    lambda text: write_pair(*read_pair(text)),
    str,
    by_line=True,
)

Pairs = Annotated[list[ListedPair], Limits("the topic-document pairs to judge", example="1 d1")]
OF_A_QUESTION = "question"
"""How the pairs of a pool were found that are asked about as they become relevant: it begins without any."""

FoundBy = Annotated[
    Literal["list", "search", "question"],
    Limits("how the pairs were found: in a file, by search, or by a question"),
]


def listed_pairs(*, pairs: Sequence[str], found_by: str = "list") -> list[Pooled]:
    """The pairs of a list, each once, in its order; UnknownName where one is no pair, or there is none."""
    try:
        found = list(dict.fromkeys(map(read_pair, pairs)))
    except ValueError as reason:
        raise UnknownName(str(reason)) from None
    if not found and found_by != OF_A_QUESTION:
        raise UnknownName("the list has no pairs; give at least one topic with a document")
    return [Pooled(*pair, best_rank=0, runs=0) for pair in found]


@strategy("list", wish="list", uses_names=True, listed=listed_pairs)
def pool_of_list(rankings: Rankings, *, pairs: Pairs, found_by: FoundBy = "list") -> PoolPairs:
    """The topic-document pairs of a list, such as those that people found by searching.

    All pairs are to be judged. Those that no run has are pooled with best rank 0 and 0 runs.

    Source: Cormack, Palmer and Clarke, SIGIR 1998: interactive searching and judging.
    """
    return pairs_of_runs(rankings, listed_pairs(pairs=pairs, found_by=found_by))


def pairs_of_runs(rankings: Rankings, pairs: Iterable[Pooled]) -> PoolPairs:
    """Those of the pairs that runs have, with best rank and number of runs; ValueError for rankings without ids."""
    wanted: dict[str, set[str]] = {}
    for pair in pairs:
        wanted.setdefault(pair.topic_id, set()).add(pair.document_id)
    pool = candidates(rankings)
    if not len(pool.topic):
        return pool
    if rankings.names is None:
        raise ValueError("a list names documents by their ids; give rankings with their names")
    names = rankings.names
    chosen = np.zeros(len(pool.topic), np.bool_)
    for topic, topic_id in enumerate(names.topic_ids):
        if topic_id in wanted:
            vocabulary = enumerate(names.document_ids.get(topic_id, ()))
            numbers = [number for number, id_ in vocabulary if id_ in wanted[topic_id]]
            chosen |= (pool.topic == topic) & np.isin(pool.document, np.array(numbers, np.uint32))
    return pool.take(chosen)


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
        raise ValueError(
            f"{text!r} is not a candidate of a sample; write topic, document, stratum, probability and 1 if it was "
            "drawn or 0, with one blank between them"
        )
    topic_id, document_id, stratum, chance, drawn = words
    if not WHOLE_NUMBER.fullmatch(stratum):
        raise ValueError(f"{text!r} has the stratum {stratum}; strata are numbered from 1")
    try:
        probability = float(chance)
    except ValueError:
        probability = 0.0
    if not 0 < probability <= 1:
        raise ValueError(f"{text!r} has the probability {chance}; it must be above 0 and at most 1")
    if drawn not in ("0", "1"):
        raise ValueError(f"{text!r} ends in {drawn}; write 1 if it was drawn, else 0")
    return Candidate(topic_id, document_id, int(stratum), probability, drawn == "1")


def write_candidate(candidate: Candidate) -> str:
    """The same candidate as text, the probability exactly."""
    pair = write_pair(*candidate[:2])
    return f"{pair} {candidate.stratum} {candidate.probability!r} {int(candidate.drawn)}"


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

    UnknownName where a text is no candidate, a pair is listed twice, nothing was drawn, or the candidates of a stratum
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
        raise UnknownName("nothing of the sample was drawn; give at least one candidate that ends in 1")
    if strata and (other := first_unequal(found)):
        raise UnknownName(
            f"the candidates of stratum {other.stratum} of topic {other.topic_id} have several probabilities, one of "
            f"them {other.probability!r}; set strata=no if each had a chance of its own"
        )
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


@strategy(
    "imported", kind="sampled", wish="list", uses_names=True, listed=drawn_pairs, design=imported_design
)
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
