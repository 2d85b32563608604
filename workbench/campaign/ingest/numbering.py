"""From the lines of many runs to packed rankings: order, number and pack, all runs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import order_run
from workbench.storage.campaign.collection import ranking_blobs

if TYPE_CHECKING:
    import polars as pl

Keys = NDArray[np.uint64]


class PackedRun(NamedTuple):
    """A run's rankings (topic id, packed documents, packed scores) in byte order of the topic ids.

    `sha256` is the checksum of what they say, see `checksum_of_ids`; it does not depend on document numbers.
    """

    rankings: list[tuple[str, bytes, bytes]]
    sha256: str


class PackedRuns(NamedTuple):
    """Packed runs, and the documents that topics' vocabularies gain: topic id -> (first number, ids)."""

    runs: list[PackedRun]
    new_documents: dict[str, tuple[int, list[str]]]


def pack_runs(frames: Sequence[pl.DataFrame], vocabularies: Mapping[str, Sequence[str]]) -> PackedRuns:
    """Order and number the lines of runs.

    `frames`, one per run, have the columns topic_id, document_id (String) and score (Float64), in any order;
    `vocabularies` are the ids that topics have numbered already, in the order of their numbers. Documents new to a
    topic are numbered after the known ones, in byte order of their ids.
    """
    if not frames:
        return PackedRuns([], {})
    coded = _coded(frames)
    runs = [_ordered(order_run(frame)) for frame in coded.frames]
    # Each pair of a topic and a document once, as a number that sorts as they do: topic code, document code.
    pairs = np.unique(np.concatenate([(run.topic << np.uint64(32)) | run.document for run in runs]))
    numbers, new = _number(pairs, coded, vocabularies)
    rankings = _packed(runs, pairs, numbers, coded)
    checksums = (_checksum(run, coded, packed) for run, packed in zip(runs, rankings, strict=True))
    return PackedRuns([PackedRun(*run) for run in zip(rankings, checksums, strict=True)], new)


class _Coded(NamedTuple):
    """Runs whose ids are members of two enumerations in byte order, so that codes sort as the ids do."""

    frames: list[pl.DataFrame]
    topics: pl.Series
    documents: pl.Series


def _coded(frames: Sequence[pl.DataFrame]) -> _Coded:
    import polars as pl

    # One cast for all runs: each cast to an enumeration looks up all of its members.
    lines = pl.concat([frame.select("topic_id", "document_id", "score") for frame in frames])
    topics, documents = (lines[column].unique().sort() for column in ("topic_id", "document_id"))
    coded = lines.with_columns(
        pl.col("topic_id").cast(pl.Enum(topics)), pl.col("document_id").cast(pl.Enum(documents))
    )
    ends = np.cumsum([frame.height for frame in frames]).tolist()
    runs = [coded.slice(end - frame.height, frame.height) for end, frame in zip(ends, frames, strict=True)]
    return _Coded(runs, topics, documents)


class _Ordered(NamedTuple):
    """A run's lines in the one order, as codes; `starts` tells where each topic's stretch begins and ends."""

    topic: NDArray[np.uint64]
    document: NDArray[np.uint32]
    score: NDArray[np.float64]
    starts: dict[int, tuple[int, int]]


def _ordered(frame: pl.DataFrame) -> _Ordered:
    topic = frame["topic_id"].to_physical().to_numpy().astype(np.uint64)
    first = np.flatnonzero(np.r_[len(topic) > 0, topic[1:] != topic[:-1]]).tolist()
    stretches = zip(topic[first].tolist(), pairwise([*first, len(topic)]), strict=True)
    document = frame["document_id"].to_physical().to_numpy().astype(np.uint32, copy=False)
    return _Ordered(topic, document, frame["score"].to_numpy(), dict(stretches))


def _number(
    pairs: Keys, coded: _Coded, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[NDArray[np.uint32], dict[str, tuple[int, list[str]]]]:
    """The document number of each pair (sorted keys), and the pairs that are new to their topic."""
    numbers = np.full(len(pairs), np.iinfo(np.uint32).max, np.uint32)
    new: dict[str, tuple[int, list[str]]] = {}
    known_codes = _known_codes(coded, vocabularies)
    for topic_id, stretch in zip(coded.topics, _stretches(pairs, coded), strict=True):
        known = known_codes.get(topic_id, np.empty(0, np.int64))
        here, documents = numbers[stretch], _documents(pairs[stretch])
        _fill_known(here, documents, known)
        fresh = here == np.iinfo(np.uint32).max
        here[fresh] = len(known) + np.arange(np.count_nonzero(fresh), dtype=np.uint32)
        new[topic_id] = (len(known), coded.documents.gather(documents[fresh]).to_list())
    return numbers, new


def _known_codes(coded: _Coded, vocabularies: Mapping[str, Sequence[str]]) -> dict[str, NDArray[np.int64]]:
    """For each topic that has a vocabulary the codes of its documents, -1 for those that no run has now."""
    known = {topic_id: vocabularies[topic_id] for topic_id in coded.topics if vocabularies.get(topic_id)}
    if not known:
        return {}
    import polars as pl

    # One cast for all topics: each cast to an enumeration looks up all of its members.
    all_ids = pl.Series([document_id for ids in known.values() for document_id in ids], dtype=pl.String)
    codes = all_ids.cast(pl.Enum(coded.documents), strict=False).to_physical()
    numbers = codes.cast(pl.Int64).fill_null(-1).to_numpy()
    ends = np.cumsum([len(ids) for ids in known.values()])
    return dict(zip(known, np.split(numbers, ends[:-1]), strict=True))


def _fill_known(numbers: NDArray[np.uint32], documents: NDArray[np.uint32], known: NDArray[np.int64]) -> None:
    """Set the numbers of documents (sorted codes) that the topic's vocabulary has already."""
    here = np.flatnonzero(known >= 0)
    code = known[here]
    place = np.searchsorted(documents, code)
    place[place == len(documents)] = 0
    found = documents[place] == code
    numbers[place[found]] = here[found]


def _packed(
    runs: Sequence[_Ordered], pairs: Keys, numbers: NDArray[np.uint32], coded: _Coded
) -> list[list[tuple[str, bytes, bytes]]]:
    """Each run's rankings, packed; topic by topic, so that one small table turns codes into numbers."""
    number_of = np.zeros(len(coded.documents), np.uint32)
    numbered = [np.empty(len(run.document), np.uint32) for run in runs]
    for code, stretch in enumerate(_stretches(pairs, coded)):
        number_of[_documents(pairs[stretch])] = numbers[stretch]
        for run, own in zip(runs, numbered, strict=True):
            if code in run.starts:
                here = slice(*run.starts[code])
                own[here] = number_of[run.document[here]]
    topics = coded.topics.to_list()
    return [_rankings(run, own, topics) for run, own in zip(runs, numbered, strict=True)]


def _rankings(
    run: _Ordered, numbers: NDArray[np.uint32], topics: Sequence[str]
) -> list[tuple[str, bytes, bytes]]:
    documents, scores = ranking_blobs.pack_documents(numbers), ranking_blobs.pack_scores(run.score)
    return [
        (topics[code], _cut(documents, ends, ranking_blobs.DOCUMENT), _cut(scores, ends, ranking_blobs.SCORE))
        for code, ends in run.starts.items()
    ]


def _cut(packed: bytes, ends: tuple[int, int], of: np.dtype[Any]) -> bytes:
    first, last = ends
    return packed[first * of.itemsize : last * of.itemsize]


def _checksum(run: _Ordered, coded: _Coded, packed: Sequence[tuple[str, bytes, bytes]]) -> str:
    ids = coded.documents.gather(run.document)
    stretches = (ids.slice(start, end - start).str.join("\n").item() for start, end in run.starts.values())
    return ranking_blobs.checksum_of_ids(
        (topic_id, here, scores) for (topic_id, _, scores), here in zip(packed, stretches, strict=True)
    )


def _stretches(pairs: Keys, coded: _Coded) -> list[slice]:
    topics = np.arange(len(coded.topics) + 1, dtype=np.uint64) << np.uint64(32)
    starts = np.searchsorted(pairs, topics).tolist()
    return [slice(*ends) for ends in pairwise(starts)]


def _documents(pairs: Keys) -> NDArray[np.uint32]:
    return (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)
