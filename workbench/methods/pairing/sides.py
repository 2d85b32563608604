"""On which side the things of a pair stand."""

from __future__ import annotations

from hashlib import blake2b

from workbench.core.battles import FIRST, SECOND


def left_of(seed: int, assessor: str, topic_id: str, pair: str) -> str:
    """Which thing of a pair stands on the left for an assessor, `first` or `second`: each for half of all.

    It is drawn by a hash, so that it stays where it is when the page is loaded again.
    """
    words = "\0".join(("side", str(seed), assessor, topic_id, pair))
    return (FIRST, SECOND)[blake2b(words.encode(), digest_size=8).digest()[0] & 1]
