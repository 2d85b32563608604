"""Measures over subtopics: by hand, against slow definitions, and what holds for all that are registered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.measures.conftest import judged_rows
from tests.methods.measures.diversity_definitions import DEFINITIONS, greedy, subtopics_of
from tests.methods.measures.subtopic_rows import Judgments, one_row, rows
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.methods.measures import MEASURES, BoundMeasure, parse_measure
from workbench.methods.measures.parameters import MODIFIERS
from workbench.methods.measures.registry import Measure, bind

# Subtopics a, b, c. By rank: d1 covers a and b, d2 nothing, d3 a, x is not judged, d4 covers b and c.
# Their gains with alpha = 1/2: 2, 0, 1/2, 0, 1/2 + 1. The best ranking is d4, d1, d5, d3: 2, 3/2, 1/2, 1/2.
RANKED = ["d1", "d2", "d3", "x", "d4"]
JUDGED: Judgments = {
    "d1": {"a": 1, "b": 1}, "d2": {"a": 0}, "d3": {"a": 1}, "d4": {"b": 1, "c": 1}, "d5": {"c": 1},
}  # fmt: skip
DCG = 2 + 0.5 / 2 + 1.5 / math.log2(6)
ALL_THREE_DCG = 3 * (1 + 0.5 / math.log2(3) + 0.25 / 2 + 0.125 / math.log2(5) + 0.0625 / math.log2(6))
BEST_DCG = 2 + 1.5 / math.log2(3) + 0.5 / 2 + 0.5 / math.log2(5)
ERR = 2 + 0.5 / 3 + 1.5 / 5
NRBP = 2 + 0.5 / 4 + 1.5 / 16

EXAMPLES: dict[str, tuple[str, float]] = {
    "alpha_DCG": ("alpha_DCG@5", DCG / ALL_THREE_DCG),
    "alpha_nDCG": ("alpha_nDCG@5", DCG / BEST_DCG),
    "ERR_IA": ("ERR_IA@5", ERR / (3 * (1 + 0.5 / 2 + 0.25 / 3 + 0.125 / 4 + 0.0625 / 5))),
    "nERR_IA": ("nERR_IA@5", ERR / (2 + 1.5 / 2 + 0.5 / 3 + 0.5 / 4)),
    "NRBP": ("NRBP", NRBP * (1 - 0.5 * 0.5) / 3),
    "nNRBP": ("nNRBP", NRBP / (2 + 1.5 / 2 + 0.5 / 4 + 0.5 / 8)),
    "P_IA": ("P_IA@5", (2 / 5 + 2 / 5 + 1 / 5) / 3),
    "AP_IA": ("AP_IA", ((1 + 2 / 3) / 2 + (1 + 2 / 5) / 2 + (1 / 5) / 2) / 3),
    "StRecall": ("StRecall@3", 2 / 3),
}

# What pyndeval 0.0.8 (ndeval.c 4.5) gives for the same ranking and judgments:
#   qrels = [("1", name, document, grade) for document, grades in JUDGED.items() for name, grade in grades.items()]
#   run = [("1", document, -rank) for rank, document in enumerate(RANKED)]
#   pyndeval.ndeval(qrels, run, ["alpha-DCG@5", ...]), for the last four with alpha=0.25, beta=0.875
PYNDEVAL = {
    "alpha_DCG@5": 0.6212974839328325, "alpha_nDCG@5": 0.8295723276165339, "ERR_IA@5": 0.5970751386787695,
    "nERR_IA@5": 0.810958904109589, "NRBP": 0.5546875, "nNRBP": 0.7553191489361702,
    "P_IA@5": 0.3333333333333333, "AP_IA": 0.5444444444444444, "StRecall@3": 0.6666666666666666,
    "alpha_nDCG@20": 0.829572327616534, "ERR_IA@20": 0.5931079984837988,
    "alpha_nDCG(alpha=0.25)@10": 0.8027050128949178, "alpha_DCG(alpha=0.25)@10": 0.44302113307122926,
    "NRBP(alpha=0.25,beta=0.875)": 0.4125041961669922, "nNRBP(alpha=0.25,beta=0.875)": 0.7812731800360285,
}  # fmt: skip

OF_SUBTOPICS = {name: entry for name, entry in MEASURES.items() if entry.of == "subtopics"}
# Sums of these powers are exact, so that gains which are equal on paper are equal here.
OTHERS: dict[str, list[Any]] = {
    "cutoff": [1, 2, 25], "rel": [2], "alpha": [0.0, 0.25, 1.0], "beta": [0.0, 0.875],
}  # fmt: skip


def variants() -> list[BoundMeasure]:
    """Every example, and every measure with each of its parameters changed, one at a time."""
    found = [parse_measure(name) for name, _ in EXAMPLES.values()]
    for example in list(found):
        for name in dict(example.values):
            found += [bind(example.measure, {**dict(example.values), name: other}) for other in OTHERS[name]]
    return list(dict.fromkeys(found))


VARIANTS = variants()
bound_measures = st.sampled_from(VARIANTS)
documents = st.sampled_from(["a", "B", "é", "𐀀", "d1", "d10", "d2", "d3"])
rankings = st.lists(documents, unique=True)
judgments = st.dictionaries(documents, st.dictionaries(st.sampled_from("uvw"), st.integers(-1, 2)))


def value_of(bound: BoundMeasure, ranked: Sequence[str], judged: Judgments) -> float:
    (value,) = bound(one_row(ranked, judged)).tolist()
    return float(value)


def test_every_measure_of_subtopics_has_an_example() -> None:
    assert EXAMPLES.keys() == OF_SUBTOPICS.keys()


@pytest.mark.parametrize(("name", "value"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_example_has_its_value(name: str, value: float) -> None:
    assert value_of(parse_measure(name), RANKED, JUDGED) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(("name", "value"), PYNDEVAL.items(), ids=PYNDEVAL.keys())
def test_values_are_those_of_ndeval(name: str, value: float) -> None:
    assert value_of(parse_measure(name), RANKED, JUDGED) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("alpha_nDCG@20", "α_nDCG@20"),
        ("alpha_DCG@20", "α_DCG@20"),
        ("AP_IA", "MAP_IA"),
        ("StRecall", "strec"),
    ],
)
def test_other_names_are_known(name: str, alias: str) -> None:
    assert parse_measure(alias) == parse_measure(name)


@settings(max_examples=at_length(1200, 100))
@given(bound=bound_measures, topics=st.lists(judgments, min_size=1, max_size=3), data=st.data())
def test_values_are_those_of_the_definition_for_every_row(
    bound: BoundMeasure, topics: list[Judgments], data: st.DataObject
) -> None:
    ranked = data.draw(st.lists(st.tuples(st.integers(0, len(topics) - 1), rankings), max_size=4))
    given_values = {name: value for name, value in bound.values if name not in MODIFIERS}
    expected = [DEFINITIONS[bound.name](ids, topics[topic], **given_values) for topic, ids in ranked]
    assert bound(rows(topics, ranked)).tolist() == pytest.approx(expected, rel=1e-12, abs=1e-15)


@given(bound=bound_measures, ranked=rankings, judged=judgments)
def test_what_the_registry_says_of_a_measure_of_subtopics_holds(
    bound: BoundMeasure, ranked: list[str], judged: Judgments
) -> None:
    entry, value = bound.measure, value_of(bound, ranked, judged)
    assert (entry.end_counts, entry.nonrelevant_counts, entry.rises) == (False, False, True)
    assert entry.lowest is not None
    assert entry.highest is not None
    assert entry.lowest <= value <= entry.highest + 1e-12
    assert value_of(bound, [*ranked, "x", "y"], judged) == value
    all_judged = {document: judged.get(document) or {"u": 0, "new": 0} for document in {*ranked, *judged}}
    assert value_of(bound, ranked, all_judged) == value
    last = {**judged, "x": {"u": 2, "v": 2}}
    higher, lower = (value_of(bound, [first, *ranked, end], last) for first, end in ("xy", "yx"))
    assert higher >= lower - 1e-12
    renamed = {f"中{document}": grades for document, grades in judged.items()}
    assert value_of(bound, [f"中{each}" for each in ranked], renamed) == value


def test_no_rows_have_no_values() -> None:
    assert [bound(rows([JUDGED], [])).shape for bound in VARIANTS] == [(0,)] * len(VARIANTS)


@given(
    name=st.sampled_from(["alpha_nDCG@3", "alpha_nDCG@100", "nERR_IA@3", "nNRBP", "nNRBP(beta=0.9)"]),
    judged=judgments,
)
def test_the_greedy_ranking_is_worth_exactly_1(name: str, judged: Judgments) -> None:
    expected = 1.0 if subtopics_of(judged, 1) else 0.0
    assert value_of(parse_measure(name), greedy(judged, 1, 0.5), judged) == expected


def test_unjudged_documents_can_be_taken_out_and_what_changes_no_sum_is_left_out() -> None:
    many = {f"d{number:04}": {"a": 1, "b": number % 2} for number in range(300)}
    best = sorted(many, key=lambda document: (many[document]["b"], document), reverse=True)
    assert value_of(parse_measure("nNRBP(alpha=0,beta=0.5)"), best, many) == 1.0
    bound = parse_measure("alpha_DCG(judged_only=true)@5")
    assert value_of(bound, RANKED, JUDGED) == value_of(
        parse_measure("alpha_DCG@5"), ["d1", "d2", "d3", "d4"], JUDGED
    )


@pytest.mark.parametrize("entry", OF_SUBTOPICS.values(), ids=OF_SUBTOPICS.keys())
def test_a_micro_mean_is_refused(entry: Measure) -> None:
    at = "@10" if entry.after_at else ""
    with refused(UnknownName):
        parse_measure(f"{entry.name}(mean=micro){at}")


@pytest.mark.parametrize(
    ("name", "judgments"), [("alpha_nDCG@10", judged_rows(([1, 0], []))), ("AP", one_row(RANKED, JUDGED))]
)
def test_judgments_of_another_kind_are_refused(name: str, judgments: Any) -> None:
    with refused(UnknownName):
        parse_measure(name)(judgments)


JUDGED = {"d1": {"a": 1, "b": 2}, "d2": {"a": 0}, "d3": {"a": 1}, "d4": {"b": 1, "c": 1}, "d5": {"c": 3}}
OTHER = {"d1": {"x": 1}, "d9": {"x": -1, "y": 1}}


def test_covers_are_listed_by_row_rank_and_subtopic_from_the_smallest_relevant_grade_on() -> None:
    judged = rows([JUDGED, OTHER], [(0, ["d1", "new", "d4"]), (1, []), (1, ["d9", "d1"]), (0, ["d4", "d3"])])
    covers = judged.covers(1)
    assert covers.row.tolist() == [0, 0, 0, 0, 2, 2, 3, 3, 3]
    assert covers.rank.tolist() == [1, 1, 3, 3, 1, 2, 1, 1, 2]
    assert covers.subtopic.tolist() == [0, 1, 1, 2, 4, 3, 1, 2, 0]
    assert covers.nth.tolist() == [1, 1, 2, 1, 1, 1, 1, 1, 1]
    judged = one_row(["d1", "d4", "d5"], JUDGED)
    assert judged.covers(2).subtopic.tolist() == [1, 2]
    assert judged.num_subtopics(1).tolist() == [3]
    assert judged.num_subtopics(2).tolist() == [2]
    assert judged.labels.num_rel(1).tolist() == [2, 2, 2]


def test_each_topic_has_its_own_best_ranking_which_takes_what_adds_most_and_of_equals_the_last_id() -> None:
    # d1 and d4 add 2 each; after d4 d1 adds 1.5; then d3 and d5 add 0.5 each, and 0.5 is left for d3.
    best = one_row([], JUDGED).labels.best(1, 0.5, 10)
    assert best.gain.tolist() == [2.0, 1.5, 0.5, 0.5]
    assert best.rank.tolist() == [1, 2, 3, 4]
    best = rows([OTHER, {}, {"d1": {"a": 0}}, JUDGED], []).labels.best(1, 0.5, 10)
    assert best.row.tolist() == [0, 0, 3, 3, 3, 3]
    assert best.gain.tolist() == [1.0, 1.0, 2.0, 1.5, 0.5, 0.5]
    many = {f"d{number:03}": {"a": 1} for number in range(200)}
    labels = one_row([], many).labels
    assert len(labels.best(1, 0.0, 20).rank) >= 20
    assert len(labels.best(1, 0.0, 150).rank) >= 150
    assert labels.best(1, 0.0, 500).gain.tolist() == [1.0] * 200


def test_rankings_are_condensed_and_cut() -> None:
    judged = rows([OTHER, JUDGED], [(1, ["new", "d2", "d5", "d1"]), (0, ["d9", "d2"])])
    condensed = judged.condensed
    assert np.diff(condensed.row_start).tolist() == [3, 1]
    assert condensed.covers(1).rank.tolist() == [2, 3, 3, 1]
    judged = rows([JUDGED], [(0, ["d3", "new", "d4"]), (0, []), (0, ["new", "new2", "d5"])]).to_depth(2)
    assert judged.row_start.tolist() == [0, 2, 2, 4]
    assert judged.covers(1).row.tolist() == [0]
    assert judged.covers(1).rank.tolist() == [1]
