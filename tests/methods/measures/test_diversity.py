"""Measures over subtopics: by hand, against slow definitions, and what holds for all that are registered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.measures.conftest import judged_rows
from tests.methods.measures.diversity_definitions import DEFINITIONS, greedy, share, subtopics_of
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
    "d1": {"a": 1, "b": 1},
    "d2": {"a": 0},
    "d3": {"a": 1},
    "d4": {"b": 1, "c": 1},
    "d5": {"c": 1},
}
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
    "alpha_DCG@5": 0.6212974839328325,
    "alpha_nDCG@5": 0.8295723276165339,
    "ERR_IA@5": 0.5970751386787695,
    "nERR_IA@5": 0.810958904109589,
    "NRBP": 0.5546875,
    "nNRBP": 0.7553191489361702,
    "P_IA@5": 0.3333333333333333,
    "AP_IA": 0.5444444444444444,
    "StRecall@3": 0.6666666666666666,
    "alpha_nDCG@20": 0.829572327616534,
    "ERR_IA@20": 0.5931079984837988,
    "alpha_nDCG(alpha=0.25)@10": 0.8027050128949178,
    "alpha_DCG(alpha=0.25)@10": 0.44302113307122926,
    "NRBP(alpha=0.25,beta=0.875)": 0.4125041961669922,
    "nNRBP(alpha=0.25,beta=0.875)": 0.7812731800360285,
}

OF_SUBTOPICS = {name: entry for name, entry in MEASURES.items() if entry.of == "subtopics"}
# Sums of these powers are exact, so that gains which are equal on paper are equal here.
OTHERS: dict[str, list[Any]] = {
    "cutoff": [1, 2, 25],
    "rel": [2],
    "alpha": [0.0, 0.25, 1.0],
    "beta": [0.0, 0.875],
}


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


# What holds for every measure of subtopics.


@given(bound=bound_measures, ranked=rankings, judged=judgments)
def test_values_are_in_range(bound: BoundMeasure, ranked: list[str], judged: Judgments) -> None:
    lowest, highest = bound.measure.lowest, bound.measure.highest
    assert lowest is not None
    assert highest is not None
    assert lowest <= value_of(bound, ranked, judged) <= highest + 1e-12


@given(bound=bound_measures, judged=judgments)
def test_an_empty_ranking_is_worth_nothing(bound: BoundMeasure, judged: Judgments) -> None:
    assert value_of(bound, [], judged) == 0.0


@given(bound=bound_measures, ranked=rankings)
def test_where_nothing_is_relevant_every_ranking_is_worth_nothing(
    bound: BoundMeasure, ranked: list[str]
) -> None:
    assert value_of(bound, ranked, {"d1": {"u": 0}, "d2": {"u": -1}}) == 0.0


def test_no_rows_have_no_values() -> None:
    assert [bound(rows([JUDGED], [])).shape for bound in VARIANTS] == [(0,)] * len(VARIANTS)


@given(bound=bound_measures, ranked=rankings, judged=judgments)
def test_unjudged_documents_at_the_end_change_nothing(
    bound: BoundMeasure, ranked: list[str], judged: Judgments
) -> None:
    assert not bound.measure.end_counts
    assert value_of(bound, [*ranked, "x", "y"], judged) == value_of(bound, ranked, judged)


@given(bound=bound_measures, ranked=rankings, judged=judgments)
def test_judging_a_document_as_non_relevant_changes_nothing(
    bound: BoundMeasure, ranked: list[str], judged: Judgments
) -> None:
    assert not bound.measure.nonrelevant_counts
    all_judged = {document: judged.get(document) or {"u": 0, "new": 0} for document in {*ranked, *judged}}
    assert value_of(bound, ranked, all_judged) == value_of(bound, ranked, judged)


@given(
    bound=bound_measures, ranked=rankings.filter(lambda ids: len(ids) > 1), judged=judgments, data=st.data()
)
def test_a_relevant_document_that_moves_up_lowers_nothing(
    bound: BoundMeasure, ranked: list[str], judged: dict[str, dict[str, int]], data: st.DataObject
) -> None:
    assert bound.measure.rises
    places = st.lists(st.integers(0, len(ranked) - 1), min_size=2, max_size=2, unique=True)
    upper, lower = sorted(data.draw(places))
    judged = {**judged, ranked[upper]: {"u": 0}}
    swapped = ranked.copy()
    swapped[upper], swapped[lower] = ranked[lower], ranked[upper]
    assert value_of(bound, swapped, judged) >= value_of(bound, ranked, judged) - 1e-12


@given(bound=bound_measures, ranked=rankings, judged=judgments)
def test_new_names_in_the_same_order_change_nothing(
    bound: BoundMeasure, ranked: list[str], judged: Judgments
) -> None:
    renamed = {f"中{document}": grades for document, grades in judged.items()}
    assert value_of(bound, [f"中{each}" for each in ranked], renamed) == value_of(bound, ranked, judged)


@given(bound=bound_measures, ranked=rankings, judged=judgments)
def test_the_order_of_subtopics_changes_nothing_but_rounding(
    bound: BoundMeasure, ranked: list[str], judged: Judgments
) -> None:
    turned = dict(zip("uvw", "wvu", strict=True))
    renamed = {
        document: {turned[name]: grade for name, grade in grades.items()}
        for document, grades in judged.items()
    }
    assert value_of(bound, ranked, renamed) == pytest.approx(value_of(bound, ranked, judged), rel=1e-12)


@given(
    name=st.sampled_from(["alpha_nDCG@3", "alpha_nDCG@100", "nERR_IA@3", "nNRBP", "nNRBP(beta=0.9)"]),
    judged=judgments,
)
def test_the_greedy_ranking_is_worth_exactly_1(name: str, judged: Judgments) -> None:
    expected = 1.0 if subtopics_of(judged, 1) else 0.0
    assert value_of(parse_measure(name), greedy(judged, 1, 0.5), judged) == expected


def test_another_ranking_may_be_better_than_the_greedy_one() -> None:
    # All add 2 at first, and the last id is taken: after z, which covers b and c, x and y add 1.5 each. But y after
    # x adds 2.
    judged = {"x": {"a": 1, "b": 1}, "y": {"c": 1, "d": 1}, "z": {"b": 1, "c": 1}}
    expected = (2 + 2 / math.log2(3)) / (2 + 1.5 / math.log2(3))
    assert value_of(parse_measure("alpha_nDCG@2"), ["x", "y"], judged) == pytest.approx(expected, rel=1e-14)


def test_what_cannot_change_the_sum_any_more_is_left_out_of_the_best_ranking() -> None:
    many = {f"d{number:04}": {"a": 1, "b": number % 2} for number in range(300)}
    best = sorted(many, key=lambda document: (many[document]["b"], document), reverse=True)
    assert value_of(parse_measure("nNRBP(alpha=0,beta=0.5)"), best, many) == 1.0


def test_a_document_that_covers_all_subtopics_at_every_rank_has_1() -> None:
    judged = {f"d{number:02}": {"a": 1, "b": 1} for number in range(60)}
    for name in (
        "alpha_DCG@1",
        "alpha_DCG@60",
        "ERR_IA@1",
        "ERR_IA@60",
        "NRBP",
        "P_IA@60",
        "AP_IA",
        "StRecall",
    ):
        assert value_of(parse_measure(name), list(judged), judged) == pytest.approx(1.0, rel=1e-12)


def test_cutoffs_beyond_20_are_looked_at() -> None:
    judged = {"d1": {"a": 1}, "d2": {"b": 1}}
    ranked = ["d1", *(f"x{number}" for number in range(28)), "d2"]
    expected = (1 + 1 / math.log2(31)) / (1 + 1 / math.log2(3))
    assert value_of(parse_measure("alpha_nDCG@30"), ranked, judged) == pytest.approx(expected, rel=1e-14)
    assert value_of(parse_measure("StRecall@29"), ranked, judged) == 0.5


def test_unjudged_documents_can_be_taken_out_of_the_ranking() -> None:
    bound = parse_measure("alpha_DCG(judged_only=true)@5")
    assert value_of(bound, RANKED, JUDGED) == value_of(
        parse_measure("alpha_DCG@5"), ["d1", "d2", "d3", "d4"], JUDGED
    )


@pytest.mark.parametrize("entry", OF_SUBTOPICS.values(), ids=OF_SUBTOPICS.keys())
def test_a_micro_mean_is_refused(entry: Measure) -> None:
    at = "@10" if entry.after_at else ""
    with refused(UnknownName):
        parse_measure(f"{entry.name}(mean=micro){at}")


def test_a_measure_of_subtopics_refuses_judgments_without_them() -> None:
    with refused(UnknownName):
        parse_measure("alpha_nDCG@10")(judged_rows(([1, 0], [])))


def test_a_measure_of_grades_refuses_judgments_of_subtopics() -> None:
    with refused(UnknownName):
        parse_measure("AP")(one_row(RANKED, JUDGED))


# Against the reference, over rankings whose order does not depend on how ties are broken.

NAMES_OF_NDEVAL = {
    "ERR-IA": "ERR_IA(alpha={alpha},rel={rel})@{cutoff}",
    "nERR-IA": "nERR_IA(alpha={alpha},rel={rel})@{cutoff}",
    "alpha-DCG": "alpha_DCG(alpha={alpha},rel={rel})@{cutoff}",
    "alpha-nDCG": "alpha_nDCG(alpha={alpha},rel={rel})@{cutoff}",
    "P-IA": "P_IA(rel={rel})@{cutoff}",
    "strec": "StRecall(rel={rel})@{cutoff}",
    "NRBP": "NRBP(alpha={alpha},beta={beta},rel={rel})",
    "nNRBP": "nNRBP(alpha={alpha},beta={beta},rel={rel})",
    "MAP-IA": "AP_IA(rel={rel})",
}
WITHOUT_A_CUTOFF = {"NRBP", "nNRBP", "MAP-IA"}


def of_ndeval(
    name: str, ranked: Sequence[str], judged: Judgments, rel: int, alpha: float, beta: float
) -> float:
    """What pyndeval gives, but for what is documented as different."""
    import pyndeval

    qrels = [
        ("1", subtopic, document, grade)
        for document, grades in judged.items()
        for subtopic, grade in sorted(grades.items())
    ]
    run = [("1", document, -float(rank)) for rank, document in enumerate(ranked)]
    evaluator = pyndeval.RelevanceEvaluator(qrels, [name], relevance_level=rel, alpha=alpha, beta=beta)
    value = float(evaluator.evaluate(run)["1"][name])
    if name in {"alpha-DCG@1", "ERR-IA@1"}:
        return share(value, len(subtopics_of(judged, rel)))
    return 0.0 if math.isnan(value) and name == "nNRBP" else value


@pytest.mark.slow
@settings(max_examples=at_length(4000, 300))
@given(
    family=st.sampled_from(sorted(NAMES_OF_NDEVAL)),
    ranked=rankings.filter(bool),
    judged=judgments.filter(lambda judged: any(judged.values())),
    values=st.fixed_dictionaries(
        {
            "cutoff": st.integers(1, 20),
            "rel": st.integers(1, 2),
            "alpha": st.sampled_from([0.0, 0.25, 0.5, 1.0]),
            "beta": st.sampled_from([0.25, 0.5, 0.875]),
        }
    ),
)
def test_pyndeval_agrees_on_every_measure_at_cutoffs_up_to_20(
    family: str, ranked: list[str], judged: Judgments, values: dict[str, Any]
) -> None:
    bound = parse_measure(NAMES_OF_NDEVAL[family].format(**values))
    cutoff = values.pop("cutoff")
    name = family if family in WITHOUT_A_CUTOFF else f"{family}@{cutoff}"
    expected = of_ndeval(name, ranked, judged, **values)
    assert value_of(bound, ranked, judged) == pytest.approx(expected, rel=1e-12)
