"""What assessors together say of a pair."""

from __future__ import annotations

from collections import Counter

from workbench.core.battles import FIRST, SECOND
from workbench.methods.pairing.registry import TopicThings


def majority(topic: TopicThings) -> dict[tuple[str, str], int]:
    """1 for each pair of which more assessors prefer the first thing, -1 the second, 0 as many; else it is not there.

    Those who call both equal, or both bad, prefer neither.
    """
    found = Counter[tuple[str, str]]()
    for each in topic.answered:
        found[each.first, each.second] += {FIRST: 1, SECOND: -1}.get(each.preference, 0)
    return {pair: (votes > 0) - (votes < 0) for pair, votes in found.items()}
