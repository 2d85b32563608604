"""Rankings as a campaign file has them: packed into blobs, and compared with the checksum recorded with their run.

`ranking.documents` holds one little-endian unsigned 32-bit number per document in rank order (`<u4`), an
index into the topic's vocabulary; `ranking.scores` one little-endian 64-bit float per document (`<f8`).
`vocabulary.documents` is a JSON array of document ids, the first of which has the number `vocabulary.first`.

The checksum covers document ids and not their numbers: so it also proves the document of each number, and the
same run has the same checksum in every campaign.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.recently_used import KeyedLocks
from workbench.jobs.observing import observed
from workbench.storage.campaign.file.connection import Campaign, CampaignFile

if TYPE_CHECKING:
    from hashlib import _Hash as HASH


PADDING = 4
"""A table of ids as long as the longest is made unless it takes more than this many times the ids themselves."""


def checksum_of_ids(rankings: Iterable[tuple[str, str, bytes]]) -> str:
    """SHA-256 of rankings (topic id, document ids in rank order, packed scores) in byte order of the topic ids.

    The ids are joined by line feeds. Each part goes in with its length before it (8 bytes, little-endian), so that no
    two runs look alike.
    """
    digest = sha256()
    for topic_id, ids, scores in rankings:
        _add(digest, topic_id, ids.encode(), scores)
    return digest.hexdigest()


def _add(digest: HASH, topic_id: str, ids: bytes, scores: bytes) -> None:
    for part in (topic_id.encode(), ids, scores):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)


class Vocabulary:
    """A topic's document ids as an array of bytes, from which those of a ranking are joined at once.

    `lines` are the ids in the order of their numbers, each with a line feed at its end.
    """

    def __init__(self, lines: bytes) -> None:
        data = np.frombuffer(lines, np.uint8)
        ends = np.flatnonzero(data == ord("\n")) + 1
        lengths = np.diff(ends, prepend=0)
        widest = int(lengths.max(initial=1))
        if b"\0" in lines or widest * len(lengths) > PADDING * len(lines):
            self._lines: NDArray[np.bytes_] | NDArray[np.object_] = np.array(
                [line + b"\n" for line in lines.split(b"\n")[:-1]], object
            )
            return
        # Numpy's fixed width is filled up with NUL bytes, which are taken out again after joining.
        padded = np.zeros((len(lengths), widest), np.uint8)
        padded[np.arange(widest) < lengths[:, np.newaxis]] = data
        self._lines = padded.reshape(-1).view(f"S{widest}")

    def joined(self, documents: bytes) -> bytes | None:
        """The ids of packed documents, joined by line feeds; None if a number has no document."""
        numbers = unpack_documents(documents[: len(documents) // 4 * 4])
        if len(numbers) and numbers.max() >= len(self._lines):
            return None
        lines = self._lines[numbers]
        whole = b"".join(lines) if lines.dtype == object else lines.tobytes().replace(b"\0", b"")
        return whole[:-1]


class Run(NamedTuple):
    """A run of which the rankings are compared: its number, its tag, and the checksum that was recorded with it."""

    number: int
    tag: str
    sha256: str


_compared: set[tuple[CampaignFile, Run]] = set()
"""The rankings that this process has compared and found right."""
_comparing = KeyedLocks()


def require(campaign: Campaign, runs: Iterable[Run]) -> None:
    """Compare rankings of runs with their checksums, once per process; DamagedCampaign where one differs."""
    with _comparing.of(campaign.file):
        unknown = [each for each in runs if (campaign.file, each) not in _compared]
        for sentence in _wrong(campaign, unknown) if unknown else ():
            raise campaign.damaged(sentence)
        _compared.update((campaign.file, each) for each in unknown)


def wrong_rankings(campaign: Campaign, runs: Sequence[Run]) -> Iterator[str]:
    """A sentence for each of these runs whose rankings are not those that were added."""
    yield from _wrong_vocabularies(campaign)
    yield from _wrong(campaign, runs)


def _wrong_vocabularies(campaign: Campaign) -> Iterator[str]:
    """A sentence for each topic of which a part of the vocabulary does not begin where the part before it ends."""
    rows = campaign.execute(
        "SELECT topic, first, json_array_length(documents) FROM vocabulary ORDER BY topic, first"
    )
    for topic_id, parts in groupby(rows, key=itemgetter(0)):
        number = 0
        for _, first, size in parts:
            if first != number:
                yield f"topic {topic_id!r}: the numbers of its documents are not those that were stored"
                break
            number += size


def _wrong(campaign: Campaign, wanted: Sequence[Run]) -> Iterator[str]:
    """Topic by topic, so that one vocabulary is in memory at a time."""
    digests = {run.number: sha256() for run in wanted}
    tags = {run.number: run.tag for run in wanted}
    for topic_id, numbers in observed(_runs_by_topic(campaign, digests), "Checking rankings"):
        vocabulary = Vocabulary(_lines(campaign, topic_id))
        rows = campaign.execute(
            "SELECT run, documents, scores FROM ranking "
            "WHERE topic = ? AND run IN (SELECT value FROM json_each(?)) ORDER BY run",
            [topic_id, json.dumps(numbers)],
        )
        for number, documents, scores in rows:
            ids = vocabulary.joined(documents)
            if ids is None:
                yield f"run {tags[number]!r}: topic {topic_id!r} names documents that do not exist"
            _add(digests[number], topic_id, ids or b"", scores)
    for run in wanted:
        if digests[run.number].hexdigest() != run.sha256:
            yield f"run {run.tag!r}: its rankings are not those that were added"


def _runs_by_topic(campaign: Campaign, wanted: Collection[int]) -> list[tuple[str, list[int]]]:
    if not wanted:
        return []
    rows = campaign.execute("SELECT topic, run FROM ranking ORDER BY topic, run").fetchall()
    grouped = ((topic_id, [run for _, run in found]) for topic_id, found in groupby(rows, lambda row: row[0]))
    return [(topic_id, [run for run in found if run in wanted]) for topic_id, found in grouped]


def _lines(campaign: Campaign, topic_id: str) -> bytes:
    rows = campaign.execute("SELECT documents FROM vocabulary WHERE topic = ? ORDER BY first", [topic_id])
    return b"".join(_as_lines(documents) for (documents,) in rows)


def _as_lines(array: str) -> bytes:
    """The strings of a JSON array as it is stored, without blanks; one without escapes need not be parsed."""
    if "\\" in array or not (array.startswith('["') and array.endswith('"]')):
        return b"".join(document_id.encode() + b"\n" for document_id in json.loads(array))
    return array[2:-2].replace('","', "\n").encode() + b"\n"


DOCUMENT, SCORE = np.dtype("<u4"), np.dtype("<f8")
"""How a document's number and a score are packed."""


def pack_documents(numbers: NDArray[np.uint32]) -> bytes:
    """Document numbers in rank order as a blob."""
    return np.asarray(numbers, DOCUMENT).tobytes()


def unpack_documents(blob: bytes) -> NDArray[np.uint32]:
    """Document numbers in rank order, shape (length of the ranking,)."""
    return np.frombuffer(blob, dtype=DOCUMENT)


def pack_scores(scores: NDArray[np.float64]) -> bytes:
    """Scores in rank order as a blob."""
    return np.asarray(scores, SCORE).tobytes()


def unpack_scores(blob: bytes) -> NDArray[np.float64]:
    """Scores in rank order, shape (length of the ranking,)."""
    return np.frombuffer(blob, dtype=SCORE)
