"""The label of a pair that several judged, by every rule, told once more in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from statistics import fmean, median_low
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from tests.log_rows import rolled_back, row
from tests.sentences import refused
from workbench.core.errors import CampaignError
from workbench.core.records import Qrel, Topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.counts import publication
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

PAIRS = [("1", "d1"), ("1", "d2"), ("2", "d1")]
LOCAL = [rule for rule in LABEL_RULES if rule != "Dawid-Skene"]

Pair = tuple[str, str]


def append(campaign: Campaign, *told: tuple[str, str, str, str, int | None]) -> None:
    """Rows by assessor, topic, document, kind and grade."""
    rows = [
        row(who, topic_id, document_id, grade, kind=kind) for who, topic_id, document_id, kind, grade in told
    ]
    with campaign.write():
        log.append_judgments(campaign, rows)


def grades(campaign: Campaign, *given: int, pair: Pair = ("1", "d1")) -> None:
    """A grade of each of Ann, Ben, Carla and so on, in this order."""
    names = ("Ann", "Ben", "Carla", "Dan", "Eva")
    append(campaign, *((name, *pair, "grade", grade) for name, grade in zip(names, given, strict=False)))


def choose(campaign: Campaign, rule: str) -> None:
    with campaign.write():
        settings.change(campaign.by("Olga"), {"label_rule": rule})


def label(campaign: Campaign, rule: str, pair: Pair = ("1", "d1")) -> int | None:
    found = {one.pair: one.grade for one in labels.qrels(campaign, rule=rule)}
    return found.get(pair)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("newest", 0),
        ("majority", 0),
        ("median", 1),
        ("strictest", 0),
        ("most lenient", 2),
        ("owner", 0),
        ("adjudicated first", 0),
    ],
)
def test_each_rule_makes_one_grade_of_several(small: Campaign, rule: str, expected: int) -> None:
    grades(small, 1, 2, 1, 0, 0)
    assert label(small, rule) == expected


def test_an_adjudication_taken_back_leaves_what_its_author_said_before(small: Campaign) -> None:
    grades(small, 2)
    append(small, ("Ann", "1", "d1", "adjudication", 1), ("Olga", "1", "d1", "adjudication", None))
    assert {label(small, rule) for rule in LABEL_RULES} == {2}
    assert labels.label_of(small, "1", "d1") == labels.grades_of_topic(small, "1")["d1"] == 2


def test_a_topics_owner_counts_and_else_who_is_not_its_second_assessor(small: Campaign) -> None:
    with small.write():
        assignments.put(small.by("Olga"), [], [("1", "whole", "Ann"), ("1", "second", "Ben")])
    grades(small, 2, 0)
    append(small, ("Carla", "1", "d2", "grade", 1), ("Ben", "1", "d2", "grade", 0))
    assert [label(small, "owner", pair) for pair in PAIRS[:2]] == [2, 1]
    choose(small, "owner")
    with small.write():
        assignments.put(small.by("Olga"), [("1", "whole")], [("1", "whole", "Dan")])
    append(small, ("Dan", "1", "d2", "grade", 2), ("Carla", "1", "d2", "grade", 0))
    assert [labels.label_of(small, *pair) for pair in PAIRS[:2]] == [2, 2]
    assert list(judgments.each_of_view_of_qrels(small)) == [Qrel("1", "d1", 2), Qrel("1", "d2", 2)]


def test_the_rule_of_a_moment_is_the_one_that_was_in_force_then(small: Campaign) -> None:
    grades(small, 2, 0)
    then = log.newest_seq(small)
    choose(small, "most lenient")
    grades(small, 1, 1, pair=("1", "d2"))
    assert [one.grade for one in labels.qrels(small)] == [2, 1]
    assert [one.grade for one in labels.qrels(small.at(then))] == [0]
    assert labels.rule_at(small.at(then)) == "newest"


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Ben", "Zoë"]),
        st.sampled_from(PAIRS),
        st.sampled_from(
            ["grade", "grade", "import", "model", "can't tell", "cleared", "adjudication", "repeat"]
        ),
        st.integers(-1, 2),
    ),
    max_size=18,
)


Told = list[tuple[int, str, int]]
"""Grades with their places in the log and those who gave them; "" is the adjudication."""


def in_force(told: list[Any], imported: str, models: str) -> dict[Pair, Told]:
    """Each pair's grades in force that count: given here, else imported ones, else models', as two settings say."""
    newest: dict[tuple[Pair, str, bool], tuple[int, str, int | None]] = {}
    for place, (who, pair, kind, grade) in enumerate(told):
        if kind != "repeat":
            name = "" if kind == "adjudication" else who
            without = kind in {"can't tell", "cleared"}
            newest[pair, name, kind == "model"] = (place, kind, None if without else grade)
    here: dict[Pair, Told] = {}
    out_of_files: dict[Pair, Told] = {}
    by_models: dict[Pair, Told] = {}
    for (pair, who, _), (place, kind, grade) in newest.items():
        if grade is not None:
            behind = (
                {"import": out_of_files, "model": by_models} if imported == "gaps" else {"model": by_models}
            )
            behind.get(kind, here).setdefault(pair, []).append((place, who, grade))
    return (by_models if models == "gaps" else {}) | out_of_files | here


def lowest_mode(given: list[int]) -> int:
    most = max(Counter(given).values())
    return min(grade for grade, number in Counter(given).items() if number == most)


def told_by(rule: str, said: list[tuple[int, str, int]]) -> int:
    """The grade by a rule; the topic belongs to Ben, and Ann is its second assessor."""
    own = [grade for _, who, grade in said if who] or [grade for _, _, grade in said]
    by_grades: dict[str, Callable[[list[int]], int]] = {
        "majority": lowest_mode,
        "Dawid-Skene": lowest_mode,
        "median": median_low,
        "strictest": min,
        "most lenient": max,
    }
    if rule in by_grades:
        return by_grades[rule](own)
    preferred = {"owner": {"Ben"}, "adjudicated first": {""}, "newest": set()}[rule]
    last = {"Ann"} if rule == "owner" else set()
    ordered = sorted(said, key=lambda one: (one[1] in preferred, one[1] not in last, one[0]))
    return ordered[-1][2]


@given(told=ROWS, imported=st.sampled_from(list(IMPORTED_LABELS)), models=st.sampled_from(list(MODEL_LABELS)))
@trying(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_labels_follow_from_the_log_by_every_rule_in_every_way_to_ask(
    small: Campaign, told: list[Any], imported: str, models: str
) -> None:
    with rolled_back(small):
        assignments.put(small.by("Olga"), [], [(topic, "whole", "Ben") for topic in "12"])
        assignments.put(small.by("Olga"), [], [(topic, "second", "Ann") for topic in "12"])
        sent = [
            row(who, *pair, None if kind in {"can't tell", "cleared"} else grade, kind=kind)
            for who, pair, kind, grade in told
        ]
        log.append_judgments(small, sent)
        settings.change(small.by("Olga"), {"imported_labels": imported, "model_labels": models})
        counting = sorted(in_force(told, imported, models).items())
        for rule in LOCAL:
            settings.change(small.by("Olga"), {"label_rule": rule})
            expected = {pair: told_by(rule, said) for pair, said in counting}
            found = labels.qrels(small)
            assert {one.pair: one.grade for one in found} == expected
            assert labels.qrels(small.at(log.newest_seq(small))) == found
            assert list(judgments.each_of_view_of_qrels(small)) == [Qrel(*one[1:]) for one in found]
            assert seqs_in_the_view(small) == [one.seq for one in found]
            assert labels.labels_after(small, PAIRS) == {pair: expected.get(pair) for pair in PAIRS}
            of_topic = {document: grade for (topic, document), grade in expected.items() if topic == "1"}
            assert labels.grades_of_topic(small, "1") == of_topic
            assert labels.grades_by_topic(small)("1") == of_topic
            counted = Counter((one.topic_id, one.grade) for one in found)
            assert {one[:2]: one.pairs for one in publication.labelled(small)} == counted


def seqs_in_the_view(campaign: Campaign) -> list[int]:
    rows = campaign.db.execute("SELECT seq FROM qrel ORDER BY topic, document").fetchall()
    return [seq for (seq,) in rows]


def test_of_two_grades_owner_and_newest_are_as_strict_as_one_and_majority_is_not(small: Campaign) -> None:
    """Ann and Ben give each of three grades equally often, whatever the other gives; a single grade has the mean 1."""
    with small.write():
        topics.put(small.by("Olga"), [Topic("9", "Twice")], files=[])
        documents.put_ids(small, [f"{one}{other}" for one, other in product(range(3), repeat=2)])
        assignments.put(small.by("Olga"), [], [("9", "whole", "Ann"), ("9", "second", "Ben")])
    for one, other in product(range(3), repeat=2):
        grades(small, one, other, pair=("9", f"{one}{other}"))
    means = {
        rule: fmean(found.grade for found in labels.qrels(small, rule=rule))
        for rule in LABEL_RULES
        if rule != "Dawid-Skene"
    }
    assert {rule for rule, mean in means.items() if mean == 1} == {"newest", "owner", "adjudicated first"}
    assert {means[rule] for rule in ("majority", "median", "strictest")} == {5 / 9}
    assert means["most lenient"] == 13 / 9


@pytest.mark.parametrize("unknown", ["oldest", ["newest"], None])
def test_a_rule_of_a_later_workbench_is_refused_with_a_reason(small: Campaign, unknown: Any) -> None:
    with small.write():
        settings.change(small.by("Olga"), {"label_rule": unknown})
    for as_of in (None, log.newest_seq(small)):
        with refused(CampaignError):
            labels.qrels(small.at(as_of))


def test_by_the_model_the_labels_of_one_topic_follow_from_those_of_all(small: Campaign) -> None:
    """Ann and Ben differ from Carla once; alone that is a majority of two, among all pairs Ann is the one to trust."""
    for pair in (("1", "d1"), ("1", "d2"), ("1", "d4")):
        grades(small, 1, 1, 1, pair=pair)
    grades(small, 1, 2, 2, pair=("2", "d1"))
    seq = log.newest_seq(small)
    grades(small, 2, 1, pair=("2", "d2"))
    assert label(small, "majority", ("2", "d1")) == label(small, "newest", ("2", "d1")) == 2
    choose(small, "Dawid-Skene")
    assert label(small, "Dawid-Skene", ("2", "d1")) == labels.label_of(small, "2", "d1") == 1
    for topic_id, expected in (("2", {"d1": 1, "d2": 1}), ("1", {"d1": 1, "d2": 1, "d4": 1})):
        assert labels.grades_of_topic(small, topic_id) == labels.grades_by_topic(small)(topic_id) == expected
    assert labels.grades_of_topic(small.at(seq), "2") == {"d1": 2}, "the rule was another one then"
