"""The measures of subtopics by definition: one ranking at a time, with nothing but loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tests.methods.measures.subtopic_rows import Judgments


def covered(document: str, judged: Judgments, rel: int) -> list[str]:
    return [name for name, grade in judged.get(document, {}).items() if grade >= rel]


def subtopics_of(judged: Judgments, rel: int) -> set[str]:
    return {name for document in judged for name in covered(document, judged, rel)}


def gains(ranked: Sequence[str], judged: Judgments, rel: int, alpha: float) -> list[float]:
    above = dict.fromkeys(subtopics_of(judged, rel), 0)
    found = []
    for document in ranked:
        found.append(sum((1 - alpha) ** above[name] for name in covered(document, judged, rel)))
        for name in covered(document, judged, rel):
            above[name] += 1
    return found


def greedy(judged: Judgments, rel: int, alpha: float) -> list[str]:
    best: list[str] = []
    left = {document for document in judged if covered(document, judged, rel)}
    while left:
        worth = {document: gains([*best, document], judged, rel, alpha)[-1] for document in left}
        best.append(max(left, key=lambda document: (worth[document], document)))
        left.remove(best[-1])
    return best


Weights = Callable[[int], float]


def weighed(values: Sequence[float], weight: Weights, cutoff: int | None = None) -> float:
    return sum(value * weight(rank) for rank, value in enumerate(values[:cutoff], start=1))


def by_log2(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def by_rank(rank: int) -> float:
    return 1 / rank


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def of_all_at_once(weight: Weights) -> Callable[..., float]:
    def value(ranked: Sequence[str], judged: Judgments, alpha: float, rel: int, cutoff: int) -> float:
        at_once = [len(subtopics_of(judged, rel)) * (1 - alpha) ** above for above in range(cutoff)]
        found = gains(ranked, judged, rel, alpha)
        return share(weighed(found, weight, cutoff), weighed(at_once, weight))

    return value


def of_the_best(weight: Weights) -> Callable[..., float]:
    def value(ranked: Sequence[str], judged: Judgments, alpha: float, rel: int, cutoff: int) -> float:
        best = gains(greedy(judged, rel, alpha), judged, rel, alpha)
        return share(
            weighed(gains(ranked, judged, rel, alpha), weight, cutoff), weighed(best, weight, cutoff)
        )

    return value


def nrbp(ranked: Sequence[str], judged: Judgments, alpha: float, beta: float, rel: int) -> float:
    found = weighed(gains(ranked, judged, rel, alpha), lambda rank: beta ** (rank - 1))
    return share(found * (1 - (1 - alpha) * beta), len(subtopics_of(judged, rel)))


def nnrbp(ranked: Sequence[str], judged: Judgments, alpha: float, beta: float, rel: int) -> float:
    best = greedy(judged, rel, alpha)
    return share(nrbp(ranked, judged, alpha, beta, rel), nrbp(best, judged, alpha, beta, rel))


def over_subtopics(one: Callable[[list[int], int], float]) -> Callable[..., float]:
    """The mean over subtopics of a function of the ranks that cover it and the number of documents that do."""

    def value(ranked: Sequence[str], judged: Judgments, rel: int, cutoff: int | None) -> float:
        values = []
        for name in subtopics_of(judged, rel):
            covering = [document for document in judged if name in covered(document, judged, rel)]
            near = list(ranked)[:cutoff]
            ranks = [rank for rank, document in enumerate(near, start=1) if document in covering]
            values.append(one(ranks, len(covering)) / (cutoff if one is number_of and cutoff else 1))
        return share(sum(values), len(values))

    return value


def number_of(ranks: list[int], num_rel: int) -> float:
    return len(ranks)


def average_precision(ranks: list[int], num_rel: int) -> float:
    return sum(nth / rank for nth, rank in enumerate(ranks, start=1)) / num_rel


def is_covered(ranks: list[int], num_rel: int) -> float:
    return float(bool(ranks))


DEFINITIONS: dict[str, Callable[..., float]] = {
    "alpha_DCG": of_all_at_once(by_log2), "alpha_nDCG": of_the_best(by_log2),
    "ERR_IA": of_all_at_once(by_rank), "nERR_IA": of_the_best(by_rank), "NRBP": nrbp, "nNRBP": nnrbp,
    "P_IA": over_subtopics(number_of), "AP_IA": over_subtopics(average_precision),
    "StRecall": over_subtopics(is_covered),
}  # fmt: skip
