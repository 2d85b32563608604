"""From the lines of many runs to packed rankings: order, number and pack, all runs at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.campaign.packed import pack_documents, pack_scores
from workbench.campaign.runs import rankings_checksum
from workbench.ranking import order_run

if TYPE_CHECKING:
    import polars as pl

Keys = NDArray[np.uint64]


class PackedRun(NamedTuple):
    """A run's rankings (topic id, packed documents, packed scores) in byte order of the topic ids."""

    rankings: list[tuple[str, bytes, bytes]]
    sha256: str


class PackedRuns(NamedTuple):
    """Packed runs, and the documents that topics' vocabularies gain: topic id -> (first number, ids)."""

    runs: list[PackedRun]
    new_documents: dict[str, tuple[int, list[str]]]


def pack_runs(frames: Sequence[pl.DataFrame], vocabularies: Mapping[str, Sequence[str]]) -> PackedRuns:
    """Order and number the lines of runs.

    Args:
        frames: one per run, with columns topic_id, document_id (String) and score (Float64), in any order.
        vocabularies: the ids that topics have numbered already, in the order of their numbers.

    Documents new to a topic are numbered after the known ones, in byte order of their ids.
    """
    coded = _coded(frames)
    topic_ids = coded.topics.to_list()
    pairs = _sorted_pairs(coded.frames)
    numbers, new = _number(pairs, coded, vocabularies)
    packed = []
    for frame in coded.frames:
        ordered = order_run(frame)
        document = numbers[np.searchsorted(pairs, _keys(ordered))]
        rankings = list(_rankings(ordered, document, topic_ids))
        packed.append(PackedRun(rankings, rankings_checksum(rankings)))
    return PackedRuns(packed, new)


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


def _sorted_pairs(frames: Sequence[pl.DataFrame]) -> Keys:
    """Each pair of a topic and a document once, as keys in ascending order."""
    import polars as pl

    return pl.concat([pl.Series(_keys(frame)) for frame in frames]).unique().sort().to_numpy()


def _keys(frame: pl.DataFrame) -> Keys:
    """One number per line that stands for its topic and document, and sorts as they do."""
    topic = frame["topic_id"].to_physical().to_numpy().astype(np.uint64)
    return (topic << np.uint64(32)) | frame["document_id"].to_physical().to_numpy()


def _number(
    pairs: Keys, coded: _Coded, vocabularies: Mapping[str, Sequence[str]]
) -> tuple[NDArray[np.uint32], dict[str, tuple[int, list[str]]]]:
    """The document number of each pair (sorted keys), and the pairs that are new to their topic."""
    numbers = np.full(len(pairs), np.iinfo(np.uint32).max, np.uint32)
    new: dict[str, tuple[int, list[str]]] = {}
    starts = np.searchsorted(pairs, np.arange(len(coded.topics) + 1, dtype=np.uint64) << np.uint64(32))
    for code, topic_id in enumerate(coded.topics):
        start, end = starts[code : code + 2]
        known = vocabularies.get(topic_id, ())
        here = numbers[start:end]
        documents = (pairs[start:end] & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        _fill_known(here, documents, known, coded.documents)
        fresh = here == np.iinfo(np.uint32).max
        here[fresh] = len(known) + np.arange(np.count_nonzero(fresh), dtype=np.uint32)
        new[topic_id] = (len(known), coded.documents.gather(documents[fresh]).to_list())
    return numbers, new


def _fill_known(
    numbers: NDArray[np.uint32], documents: NDArray[np.uint32], known: Sequence[str], all_documents: pl.Series
) -> None:
    """Set the numbers of documents (sorted codes) that the topic's vocabulary has already."""
    import polars as pl

    if not known:
        return
    codes = pl.Series(known, dtype=pl.String).cast(pl.Enum(all_documents), strict=False).to_physical()
    is_here = codes.is_not_null().to_numpy()
    code = codes.filter(codes.is_not_null()).to_numpy()
    place = np.searchsorted(documents, code)
    place[place == len(documents)] = 0
    found = documents[place] == code
    numbers[place[found]] = np.flatnonzero(is_here)[found]


def _rankings(
    ordered: pl.DataFrame, document: NDArray[np.uint32], topic_ids: Sequence[str]
) -> Iterator[tuple[str, bytes, bytes]]:
    topic = ordered["topic_id"].to_physical().to_numpy()
    score = ordered["score"].to_numpy()
    starts = np.flatnonzero(np.r_[True, topic[1:] != topic[:-1]])
    for start, end in zip(starts, [*starts[1:], len(topic)], strict=True):
        yield topic_ids[topic[start]], pack_documents(document[start:end]), pack_scores(score[start:end])
