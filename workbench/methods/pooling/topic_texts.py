"""What orders of pooling that use texts look at: vectors of a topic's candidates, its own text, and other texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class TopicTexts:
    """The texts of one topic as vectors of W words, in the order of its table of n candidates.

    Attributes:
        candidates: float64 (n, W); a candidate without a text has zeros alone.
        topic: float64 (1, W), the topic's own text.
        others: float64 (m, W), documents that are no candidates of the topic (see `other_documents`).
        there: bool (n), which candidates have a text.
        checksum: SHA-256 of all that these come from.
    """

    candidates: csr_array
    topic: csr_array
    others: csr_array
    there: NDArray[np.bool_]
    checksum: str
