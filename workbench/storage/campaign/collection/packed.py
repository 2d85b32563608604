"""Numbers packed into blobs: the rankings of a campaign file, readable by anyone who knows two formats.

`ranking.documents` holds one little-endian unsigned 32-bit number per document in rank order (`<u4`), an
index into the topic's vocabulary; `ranking.scores` one little-endian 64-bit float per document (`<f8`).
`vocabulary.documents` is a JSON array of document ids, the first of which has the number `vocabulary.first`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
