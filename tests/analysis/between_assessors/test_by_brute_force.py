"""Agreement and its effect from logs drawn by chance, against a slow reading of the same rows."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tests.conftest import SMALL_POOL, SMALL_RUNS
from tests.log_rows import row
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.effect import effect_of_disagreement
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

Pair = tuple[str, str]
Said = tuple[str, Pair, str, int | None]
"""Who, of which pair, by which kind, which grade."""

OWN = ("grade", "import", "can't tell", "cleared")
KINDS = ("grade",) * 5 + ("import", "can't tell", "cleared", "adjudication", "repeat", "norming")


def log_by_chance(campaign: Campaign, seed: int) -> list[Said]:
    rng = random.Random(seed)
    pairs = [(topic_id, document_id) for topic_id, told in SMALL_POOL.items() for document_id in told]
    said: list[Said] = []
    for _ in range(rng.randrange(1, 45)):
        kind = rng.choice(KINDS)
        grade = None if kind in ("can't tell", "cleared") else rng.choice([-2, 0, 0, 1, 1, 2])
        said.append((rng.choice(["Ann", "Ben", "Cy"]), rng.choice(pairs), kind, grade))
    with campaign.write():
        log.append_judgments(campaign, [row(who, *pair, grade, kind=kind) for who, pair, kind, grade in said])
    return said


def own_grades(said: list[Said]) -> dict[Pair, dict[str, int]]:
    """Each assessor's own grade in force of each pair."""
    last = {(pair, who): grade for who, pair, kind, grade in said if kind in OWN}
    found: dict[Pair, dict[str, int]] = {}
    for (pair, who), grade in last.items():
        if grade is not None:
            found.setdefault(pair, {})[who] = grade
    return found


def labels(said: list[Said]) -> dict[Pair, int]:
    """Each pair's newest grade in force, adjudications too; an imported one only where there is no other."""
    last: dict[tuple[Pair, str], tuple[tuple[bool, int], int | None]] = {}
    for number, (who, pair, kind, grade) in enumerate(said):
        if kind in OWN or kind == "adjudication":
            last[pair, who if kind in OWN else ""] = (kind != "import", number), grade
    known: dict[Pair, list[tuple[tuple[bool, int], int]]] = {}
    for (pair, _), (place, grade) in last.items():
        if grade is not None:
            known.setdefault(pair, []).append((place, grade))
    return {pair: max(given)[1] for pair, given in known.items()}


def average_precision(tag: str, topic_id: str, known: dict[Pair, int]) -> float:
    relevant = {pair[1] for pair, grade in known.items() if pair[0] == topic_id and grade >= 1}
    hits, total = 0, 0.0
    for rank, document_id in enumerate(SMALL_RUNS[tag].get(topic_id, "").split(), start=1):
        if document_id in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def mean(tag: str, known: dict[Pair, int], topics: set[str]) -> float:
    return sum(average_precision(tag, topic, known) for topic in topics) / max(len(topics), 1)


@pytest.mark.parametrize("seed", range(12))
def test_what_counts_is_each_ones_own_grade_in_force(small: Campaign, seed: int) -> None:
    said = log_by_chance(small, seed)
    cut = log.newest_seq(small) - len(said) // 2
    for as_of, some in ((None, said), (cut, said[: len(said) - len(said) // 2])):
        own = own_grades(some)
        shared = [given for given in own.values() if len(given) > 1]
        found = agreement(small.at(as_of), resamples=20)
        assert (found.judged, found.shared) == (len(own), len(shared))
        (scope,) = found.scopes
        for each in (*scope.binary, *scope.graded):
            assert each.note or (each.value is not None and each.interval is not None)
            assert each.interval is None or each.interval.low < each.interval.high
        raw = [
            sum((a >= 1) == (b >= 1) for a, b in pairs) / len(pairs)
            for given in shared
            if (pairs := list(combinations(given.values(), 2)))
        ]
        assert scope.binary[0].value == (pytest.approx(sum(raw) / len(raw)) if raw else None)
        again = {(who, pair) for who, pair, kind, _ in some if kind == "repeat"}
        assert agreement(small.at(as_of), "assessor", resamples=0).judged == len(again)


@pytest.mark.parametrize("seed", range(12))
def test_scores_under_other_grades_are_those_of_the_labels_with_these_in_their_place(
    small: Campaign, seed: int
) -> None:
    said = log_by_chance(small, seed)
    own, known = own_grades(said), labels(said)
    counted = {topic_id for topic_id, _ in known}
    views = {each.name: each for each in effect_of_disagreement(small, choices=20).views}
    assert {place.run for view in views.values() for place in view.boards.positions}
    for name in sorted({who for given in own.values() for who in given}):
        mine = {pair: given[name] for pair, given in own.items() if name in given}
        topics = {topic_id for topic_id, _ in mine}
        assert views[name].changed == sum(known[pair] != grade for pair, grade in mine.items())
        for place in views[name].boards.positions:
            assert place.other_score == pytest.approx(mean(place.run, known | mine, topics))
    for name, rule in (("union", max), ("intersection", min)):
        chosen = {pair: rule(given.values()) for pair, given in own.items()}
        for place in views[name].boards.positions:
            assert place.score == pytest.approx(mean(place.run, known, counted))
            assert place.other_score == pytest.approx(mean(place.run, known | chosen, counted))
