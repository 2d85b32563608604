from __future__ import annotations

from collections.abc import Sequence
from math import log, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixture_types import MakeJudged
from tests.methods.measures.conftest import judged_rows
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import over_topics, parse_measure, parse_named

# Ten retrieved documents and two more; -1 is "pooled, not judged". R = 4, N = 4.
RANKED = [1, 0, -1, 1, UNJUDGED, 0, 1, -1, UNJUDGED, 0]
OTHERS = [1, 0]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("P@5", 2 / 5),
        ("P@20", 3 / 20),
        ("R@5", 2 / 4),
        ("R@20", 3 / 4),
        ("AP", (1 / 1 + 2 / 4 + 3 / 7) / 4),
        ("AP@5", (1 / 1 + 2 / 4) / 4),
        ("AP@6", (1 / 1 + 2 / 4) / 4),
        ("RR", 1.0),
        ("Rprec", 2 / 4),
        ("RelP@3", 1 / 3),
        ("RelP@20", 3 / 4),
        ("Success@1", 1.0),
        ("RprecMult(multiple=0.5)", 1 / 2),
        ("RprecMult(multiple=2)", 3 / 8),
        ("RprecMult(multiple=5)", 3 / 20),
        ("BEP", 2 / 4),
        ("binG", (1 / log2(2) + 1 / log2(4) + 1 / log2(6)) / 4),
        ("yaap", log((1 + (1 / 1 + 2 / 4 + 3 / 7)) / (1 + 4 - (1 / 1 + 2 / 4 + 3 / 7)))),
        ("PRES@10", 1 - ((1 + 4 + 7 + 14) / 4 - 5 / 2) / 10),
        ("PRES@5", 1 - ((1 + 4 + 8 + 9) / 4 - 5 / 2) / 5),
        ("Bpref", (1 + (1 - 1 / 4) + (1 - 2 / 4)) / 4),
        ("RBP(p=0.5)", 0.5 * (1 + 0.5**3 + 0.5**6)),
    ],
)
def test_values_worked_out_by_hand(judge: MakeJudged, measure: str, value: float) -> None:
    assert parse_measure(measure)(judge(RANKED, OTHERS)).tolist() == [value]


@pytest.mark.parametrize(("p", "printed"), [(0.5, "0.5703"), (0.8, "0.3548"), (0.95, "0.1296")])
def test_rank_biased_precision_by_persistence(judge: MakeJudged, p: float, printed: str) -> None:
    (value,) = parse_measure(f"RBP(p={p})")(judge(RANKED, OTHERS))
    assert f"{value:.4f}" == printed


def test_rank_biased_precision_can_be_cut(judge: MakeJudged) -> None:
    (value,) = parse_measure("RBP(p=0.5)@4")(judge(RANKED, OTHERS))
    assert value == 0.5 * (1 + 0.5**3)


@pytest.mark.parametrize(
    ("ranked", "measure", "value"),
    [
        ([0, 0, 1], "RR", 1 / 3),
        ([0, 0, 1, 1], "RR@3", 1 / 3),
        ([0, 0, 1], "RR@2", 0.0),
        ([0, 0, 0], "RR", 0.0),
    ],
)
def test_reciprocal_rank_looks_at_the_first_relevant_document(
    judge: MakeJudged, ranked: Sequence[int], measure: str, value: float
) -> None:
    assert parse_measure(measure)(judge(ranked)).tolist() == [value]


@pytest.mark.parametrize("measure", ["P(rel=2)@4", "AP(rel=2)", "RR(rel=2)", "R(rel=2)@2", "Rprec(rel=2)"])
def test_grades_below_rel_are_not_relevant(judge: MakeJudged, measure: str) -> None:
    bound = parse_measure(measure)
    assert bound(judge([1, 2, 1, 3], [2])).tolist() == bound(judge([0, 2, 0, 2], [2])).tolist()


@pytest.mark.parametrize("measure", ["P@3", "R@3", "AP", "RR", "Rprec", "Bpref", "RBP"])
@pytest.mark.parametrize("label", [UNJUDGED, POOLED, -1, -2])
def test_labels_that_are_no_relevance_count_as_not_relevant(
    judge: MakeJudged, measure: str, label: int
) -> None:
    bound = parse_measure(measure)
    assert bound(judge([label, label])).tolist() == [0.0]
    assert bound(judge([label, 1, label, 1])) == bound(judge([UNJUDGED, 1, UNJUDGED, 1]))


def test_short_rankings_are_divided_by_the_cutoff(judge: MakeJudged) -> None:
    assert parse_measure("P@10")(judge([1, 1])).tolist() == [0.2]


def test_r_precision_divides_by_r_where_fewer_were_retrieved(judge: MakeJudged) -> None:
    assert parse_measure("Rprec")(judge([1, 1], [1, 1])).tolist() == [0.5]


# Worked examples. AP divides by the number of relevant documents of the topic, retrieved or not.


def at_ranks(ranks: Sequence[int], relevant: int) -> tuple[list[int], list[int]]:
    """Ten documents with relevant ones at these ranks; those that are missing were not retrieved."""
    return [int(rank in ranks) for rank in range(1, 11)], [1] * (relevant - len(ranks))


@pytest.mark.parametrize(
    ("ranks", "relevant", "value", "printed"),
    [
        ([1, 2, 4, 7], 4, (1 + 1 + 3 / 4 + 4 / 7) / 4, "0.83"),
        ([1, 3, 5], 5, (1 + 2 / 3 + 3 / 5) / 5, "0.45"),
        ([1, 2, 5, 8], 10, (1 + 1 + 3 / 5 + 4 / 8) / 10, "0.31"),
    ],
)
def test_worked_example_of_average_precision(
    ranks: list[int], relevant: int, value: float, printed: str
) -> None:
    (found,) = parse_measure("AP")(judged_rows(at_ranks(ranks, relevant))).tolist()
    assert found == pytest.approx(value, rel=1e-15)
    assert f"{found:.2f}" == printed


def test_worked_example_of_the_mean_over_two_topics() -> None:
    judged = judged_rows(at_ranks([1, 2, 4, 7], 4), at_ranks([1, 3, 5], 5))
    measure = parse_measure("AP")
    (mean,) = over_topics(measure, measure(judged)[:, None], judged.labels).tolist()
    assert f"{mean:.2f}" == "0.64"


def test_worked_example_of_average_precision_divided_by_all_six_relevant_documents() -> None:
    # A textbook divides by 5 here and prints .78 all the same; 4.65 / 5 would be .93.
    (found,) = parse_measure("AP")(judged_rows(at_ranks([1, 3, 4, 5, 6, 10], 6))).tolist()
    assert found == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 5 + 5 / 6 + 6 / 10) / 6, rel=1e-15)
    assert round(found, 10) == 0.775


# Relative precision, success, multiples of R


def test_relative_precision_is_precision_down_to_r_and_recall_from_there_on(judge: MakeJudged) -> None:
    judged = judge([1, 0, 1, 1, 0, 1], [1])
    for cutoff in range(1, 9):
        (value,) = parse_measure(f"RelP@{cutoff}")(judged).tolist()
        same = parse_measure(f"P@{cutoff}" if cutoff <= 5 else f"R@{cutoff}")
        assert [value] == same(judged).tolist()


@pytest.mark.parametrize(
    ("ranked", "cutoff", "value"), [([0, 0, 1], 3, 1.0), ([0, 0, 1], 2, 0.0), ([], 5, 0.0), ([0, 2], 9, 1.0)]
)
def test_success_is_whether_there_is_one(
    judge: MakeJudged, ranked: list[int], cutoff: int, value: float
) -> None:
    assert parse_measure(f"Success@{cutoff}")(judge(ranked, [1])).tolist() == [value]


@pytest.mark.parametrize(
    ("multiple", "value"),
    [
        (0.01, 0.0),  # 0.05 + 0.9: rank 0
        (0.02, 1.0),  # 0.1 + 0.9: rank 1
        (0.2, 1.0),  # 1 + 0.9: rank 1
        (0.3, 1 / 2),  # 1.5 + 0.9: rank 2
        (1.0, 2 / 5),
        (2.0, 2 / 10),
    ],
)
def test_a_multiple_of_r_is_a_rank_rounded_up(judge: MakeJudged, multiple: float, value: float) -> None:
    assert parse_measure(f"RprecMult(multiple={multiple})")(judge([1, 0, 1], [1, 1, 1])).tolist() == [value]


def test_the_reference_programs_names_of_multiples_have_two_digits() -> None:
    assert [named.name for named in parse_named("Rprec_mult.5.0,.35")] == [
        "Rprec_mult_5.00",
        "Rprec_mult_0.35",
    ]
    assert [named.name for named in parse_named("Rprec_mult")] == [
        f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11)
    ]
    assert [named.name for named in parse_named("success")] == ["success_1", "success_5", "success_10"]


def test_the_geometric_mean_of_ap_has_the_reference_programs_name() -> None:
    (named,) = parse_named("gm_map")
    assert (named.name, str(named.measure)) == ("gm_map", "AP(mean=geometric)")
    assert named.measure.trec_eval == "gm_map"
    assert parse_measure("AP").trec_eval == "map"


# Break-even point

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 1, 2])
lists_of_labels = st.lists(labels, max_size=12)


def test_the_break_even_point_is_where_the_interpolated_curve_is_as_high_as_recall(judge: MakeJudged) -> None:
    # Precision is 1/4 at rank 4 = R, and 4/7 at the last: from recall 1/4 to 1 the curve is 4/7 high.
    judged = judge([1, 0, 0, 0, 1, 1, 1])
    assert parse_measure("Rprec")(judged).tolist() == [1 / 4]
    assert parse_measure("BEP")(judged).tolist() == [4 / 7]


def test_a_ranking_that_ends_before_r_breaks_even_at_its_recall(judge: MakeJudged) -> None:
    assert parse_measure("BEP")(judge([1, 1], [1, 1, 1])).tolist() == [2 / 5]


@given(ranked=lists_of_labels, others=lists_of_labels)
def test_the_break_even_point_is_the_best_smaller_one_of_precision_and_recall(
    ranked: list[int], others: list[int]
) -> None:
    relevant = sum(label > 0 for label in (*ranked, *others))
    found = [sum(label > 0 for label in ranked[:rank]) for rank in range(1, len(ranked) + 1)]
    both = [min(n / rank, n / relevant) for rank, n in enumerate(found, start=1) if relevant]
    judged = judged_rows((ranked, others))
    assert parse_measure("BEP")(judged).tolist() == [max(both, default=0.0)]
    assert parse_measure("BEP")(judged) >= parse_measure("Rprec")(judged)


# yaap, binG, PRES


def test_yaap_of_an_empty_ranking_is_negative(judge: MakeJudged) -> None:
    assert parse_measure("yaap")(judge([], [1, 1, 1])).tolist() == [log(1 / 4)]
    assert parse_measure("yaap")(judge([0, 0])).tolist() == [0.0]


def test_bing_counts_unjudged_documents_above_as_not_relevant(judge: MakeJudged) -> None:
    assert parse_measure("binG")(judge([UNJUDGED, -1, 1])).tolist() == [1 / log2(4)]
    assert parse_measure("binG")(judge([1, 1, 1])).tolist() == [1.0]


@pytest.mark.parametrize(
    ("ranks", "value"),
    [
        ([1], 0.25),
        ([50, 51, 53, 54], 1 - (208 / 4 - 2.5) / 100),
        ([1, 2, 3, 4], 1.0),
        ([1, 98, 99, 100], 1 - (298 / 4 - 2.5) / 100),
        ([97, 98, 99, 100], 4 / 100),
        ([101, 102, 103, 104], 0.0),
        ([], 0.0),
    ],
)
def test_pres_lies_between_the_best_ranking_and_the_worst(
    judge: MakeJudged, ranks: list[int], value: float
) -> None:
    # The systems that Magdy and Jones compare: 4 relevant documents, the user looks at 100.
    ranked = [int(rank in ranks) for rank in range(1, 201)]
    judged = judge(ranked, [1] * (4 - len(ranks)))
    assert parse_measure("PRES@100")(judged) == pytest.approx([value], abs=1e-15)


@given(ranked=lists_of_labels, others=lists_of_labels, n_max=st.integers(1, 15))
def test_pres_puts_missed_documents_just_after_what_the_user_looks_at(
    ranked: list[int], others: list[int], n_max: int
) -> None:
    relevant = sum(label > 0 for label in (*ranked, *others))
    ranks = [rank for rank, label in enumerate(ranked[:n_max], start=1) if label > 0]
    ranks += [n_max + nth for nth in range(len(ranks) + 1, relevant + 1)]
    expected = 1 - (sum(ranks) / relevant - (relevant + 1) / 2) / n_max if relevant else 0.0
    assert parse_measure(f"PRES@{n_max}")(judged_rows((ranked, others))) == pytest.approx(
        [expected], abs=1e-12
    )


@pytest.mark.parametrize(
    "measure", ["RelP@3", "Success@3", "RprecMult(multiple=1)", "BEP", "yaap", "binG", "PRES@9", "IAP"]
)
def test_without_relevant_documents_the_value_is_0(judge: MakeJudged, measure: str) -> None:
    assert parse_measure(measure)(judge([0, UNJUDGED, POOLED, -1], [0])).tolist() == [0.0]


# Bpref


@pytest.mark.parametrize(
    ("ranked", "others", "value"),
    [
        ([1, 1], [0, 0], 1.0),
        ([1, 1], [], 1.0),
        ([0, 1], [], 0.0),
        ([0, 1], [0, 0, 0], 0.0),
        ([0, 1], [1, 0], (1 - 1 / 2) / 2),
        ([0, 0, 0, 1], [1, 1], (1 - 3 / 3) / 3),
        ([UNJUDGED, POOLED, -1, 1], [0], 1.0),
        ([0, 0], [0], 0.0),
    ],
)
def test_bpref_counts_judged_non_relevant_documents_above(
    judge: MakeJudged, ranked: Sequence[int], others: Sequence[int], value: float
) -> None:
    assert parse_measure("Bpref")(judge(ranked, others)).tolist() == [value]


def test_bpref_takes_grades_below_rel_as_judged_non_relevant(judge: MakeJudged) -> None:
    assert parse_measure("Bpref(rel=2)")(judge([1, 0, 2], [2, 1])).tolist() == [(1 - 2 / 2) / 2]
    assert parse_measure("Bpref(rel=2)")(judge([1, 2], [2, 1])).tolist() == [(1 - 1 / 2) / 2]
