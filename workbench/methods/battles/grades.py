"""Grades of a topic's documents by preferences between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from graphlib import TopologicalSorter

import numpy as np

from workbench.core.battles import BOTH_BAD, FIRST, SECOND, TIE
from workbench.core.ranking import HIGHEST_GRADE

Edges = list[tuple[int, int]]


def graded(
    answers: Iterable[tuple[str, str, str, str]], most: int = HIGHEST_GRADE
) -> tuple[dict[str, int], int]:
    """Each document's grade, the longest chain of preferences down from it; and how many pairs are graded otherwise.

    An answer is two documents, one of PREFERENCES and who gave it; each two documents stand in one order. Of each pair
    counts what was said most often, nothing where two things were. Documents on a cycle of preferences
    share a grade; so do tied ones, but where ties and preferences together make a cycle, its ties do not count. So of
    two documents the preferred one has the higher grade, unless preferences lead back.

    A document that is preferred to none has 0 if it, or one above it, is of a pair of which both are bad, else 1. Where
    the highest grade is above `most`, all are lowered alike, but none from above 0 to 0.

    The rule is ours; grades as levels of preference: C. L. A. Clarke, A. Vtyurina, M. D. Smucker, Assessing top-k
    preferences, ACM TOIS 39 (3), 2021.
    """
    votes: dict[tuple[str, str], Counter[str]] = {}
    for first, second, preference, _ in answers:
        votes.setdefault((first, second), Counter())[preference] += 1
    documents = sorted({document for pair in votes for document in pair})
    number = {document: place for place, document in enumerate(documents)}
    said: dict[str, Edges] = {preferred: [] for preferred in (FIRST, SECOND, TIE, BOTH_BAD)}
    for (first, second), counted in votes.items():
        (preferred, times), *others = counted.most_common(2)
        if [times] != [number_of for _, number_of in others]:
            said[preferred].append((number[first], number[second]))
    over = said[FIRST] + [(b, a) for a, b in said[SECOND]]
    level = _levels(_sharing(len(documents), over, said[TIE]), over, said[BOTH_BAD])
    lowered = max(max(level, default=0) - most, 0)
    grades = [max(each - lowered, min(each, 1)) for each in level]
    unlike = sum(grades[a] <= grades[b] for a, b in over)
    unlike += sum(grades[a] != grades[b] for a, b in said[TIE] + said[BOTH_BAD])
    return dict(zip(documents, grades, strict=True)), unlike


def _sharing(documents: int, over: Edges, ties: Edges) -> list[int]:
    """The number of the group with one grade, of each document."""
    alone, tied = _cycles(documents, over, []), _cycles(documents, over, ties)
    unlike = {tied[a] for a, b in over if tied[a] == tied[b] and alone[a] != alone[b]}
    return _cycles(documents, over, [(a, b) for a, b in ties if tied[a] not in unlike])


def _cycles(documents: int, over: Edges, ties: Edges) -> list[int]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = np.array([*over, *ties, *((b, a) for a, b in ties)], np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(ends.shape[1]), (ends[0], ends[1])), shape=(documents, documents))
    return [int(each) for each in connected_components(graph.tocsr(), connection="strong")[1]]


def _levels(group: list[int], over: Edges, bad: Edges) -> list[int]:
    below: dict[int, set[int]] = {each: set() for each in group}
    for a, b in over:
        below[group[a]] |= {group[b]} - {group[a]}
    upwards = list(TopologicalSorter(below).static_order())
    lowest = {group[document] for pair in bad for document in pair}
    for each in reversed(upwards):
        lowest |= below[each] if each in lowest else set()
    level: dict[int, int] = {}
    for each in upwards:
        level[each] = max((level[other] + 1 for other in below[each]), default=int(each not in lowest))
    return [level[each] for each in group]
