"""On which side the things of a pair stand."""

from __future__ import annotations

from hashlib import blake2b

from workbench.core.battles import FIRST, SECOND
from workbench.core.seed import SEED


def left_of(seed: int, assessor: str, topic_id: str, pair: str) -> str:
    """Which thing of a pair stands on the left for an assessor, `first` or `second`: each for half of all.

    It is drawn by a hash, so that it stays where it is when the page is loaded again.
    """
    words = "\0".join(("side", str(seed), assessor, topic_id, pair))
    return (FIRST, SECOND)[blake2b(words.encode(), digest_size=8).digest()[0] & 1]


def left_in_prompt(topic_id: str, pair: str, sample: int) -> str:
    """Which thing of a pair stands on the left where a model is asked for the n-th time, from 0, `first` or `second`.

    It is drawn for the first time, by SEED and no assessor, and then the other one in turns: an even number of repeats
    has each thing as often on either side.
    """
    drawn = left_of(SEED, "", topic_id, pair)
    return drawn if sample % 2 == 0 else {FIRST: SECOND, SECOND: FIRST}[drawn]
