from __future__ import annotations

from collections.abc import Sequence
from math import log, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixture_types import MakeJudged
from tests.methods.measures.conftest import judged_rows
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure, parse_named

# Ten retrieved documents and two more; -1 is "pooled, not judged". R = 4, N = 4.
RANKED = [1, 0, -1, 1, UNJUDGED, 0, 1, -1, UNJUDGED, 0]
OTHERS = [1, 0]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("P@5", 2 / 5), ("P@20", 3 / 20), ("R@5", 2 / 4), ("R@20", 3 / 4),
        ("AP", (1 / 1 + 2 / 4 + 3 / 7) / 4), ("AP@5", (1 / 1 + 2 / 4) / 4), ("AP@6", (1 / 1 + 2 / 4) / 4),
        ("RR", 1.0), ("Rprec", 2 / 4), ("RelP@3", 1 / 3), ("RelP@20", 3 / 4), ("Success@1", 1.0),
        ("RprecMult(multiple=0.5)", 1 / 2), ("RprecMult(multiple=2)", 3 / 8),
        ("RprecMult(multiple=5)", 3 / 20), ("BEP", 2 / 4),
        ("binG", (1 / log2(2) + 1 / log2(4) + 1 / log2(6)) / 4),
        ("yaap", log((1 + (1 / 1 + 2 / 4 + 3 / 7)) / (1 + 4 - (1 / 1 + 2 / 4 + 3 / 7)))),
        ("PRES@10", 1 - ((1 + 4 + 7 + 14) / 4 - 5 / 2) / 10),
        ("PRES@5", 1 - ((1 + 4 + 8 + 9) / 4 - 5 / 2) / 5), ("Bpref", (1 + (1 - 1 / 4) + (1 - 2 / 4)) / 4),
        ("RBP(p=0.5)", 0.5 * (1 + 0.5**3 + 0.5**6)),
    ],
)  # fmt: skip
def test_values_worked_out_by_hand(judge: MakeJudged, measure: str, value: float) -> None:
    assert parse_measure(measure)(judge(RANKED, OTHERS)).tolist() == [value]


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


def test_worked_example_of_average_precision_divided_by_all_six_relevant_documents() -> None:
    # A textbook divides by 5 here and prints .78 all the same; 4.65 / 5 would be .93.
    (found,) = parse_measure("AP")(judged_rows(at_ranks([1, 3, 4, 5, 6, 10], 6))).tolist()
    assert found == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 5 + 5 / 6 + 6 / 10) / 6, rel=1e-15)
    assert round(found, 10) == 0.775


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


labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 1, 2])
lists_of_labels = st.lists(labels, max_size=12)


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


# Bpref
