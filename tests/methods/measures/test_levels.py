from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.methods.measures.conftest import value_of as value
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure, parse_named
from workbench.methods.measures.parameters import ELEVEN_POINTS, Levels, documents_at, read_levels

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 1, 2])
lists_of_labels = st.lists(labels, max_size=12)


def precisions(ranked: Sequence[int]) -> list[float]:
    """Precision at each rank."""
    return [sum(label > 0 for label in ranked[:rank]) / rank for rank in range(1, len(ranked) + 1)]


# Interpolated precision. Of 4 relevant documents those at ranks 1, 4, 5 and 8 have precision 1, 1/2, 3/5, 1/2.
EXAMPLE = [1, 0, 0, 1, 1, 0, 0, 1, 0, 0]


def test_worked_example_of_the_area_under_the_interpolated_curve_at_relevant_ranks() -> None:
    assert value("IAP", EXAMPLE) == pytest.approx((1 + 3 / 5 + 3 / 5 + 1 / 2) / 4, rel=1e-15)
    assert round(value("IAP", EXAMPLE), 10) == 0.675
    assert value("AP", EXAMPLE) == pytest.approx((1 + 1 / 2 + 3 / 5 + 1 / 2) / 4, rel=1e-15)


@given(
    ranked=lists_of_labels,
    others=lists_of_labels,
    level=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    number=st.integers(0, 2),
)
def test_interpolated_precision_is_what_its_definition_says(
    ranked: list[int], others: list[int], level: float, number: int
) -> None:
    # A multiple of 4 relevant documents, so that there is nothing to round.
    relevant = sum(label > 0 for label in (*ranked, *others))
    others = [*others, *[1] * (-relevant % 4 + 4 * number)]
    relevant = sum(label > 0 for label in (*ranked, *others))
    reached = [
        precision
        for rank, precision in enumerate(precisions(ranked), start=1)
        if relevant and sum(label > 0 for label in ranked[:rank]) / relevant >= level
    ]
    assert value(f"IPrec@{level}", ranked, others) == max(reached, default=0.0)


@given(ranked=lists_of_labels, others=lists_of_labels)
def test_interpolated_ap_looks_for_the_best_precision_from_each_relevant_rank_on(
    ranked: list[int], others: list[int]
) -> None:
    at_rank = precisions(ranked)
    best = [max(at_rank[place:]) for place, label in enumerate(ranked) if label > 0]
    relevant = sum(label > 0 for label in (*ranked, *others))
    # Left to right: from Python 3.12 on, sum() makes up for rounding.
    added = functools.reduce(operator.add, best, 0.0)
    assert value("IAP", ranked, others) == (added / relevant if relevant else 0.0)


def test_an_average_over_levels_depends_on_how_they_are_rounded_and_not_on_their_order() -> None:
    # lround(4 x) for 0, .1 ... 1: 0 0 1 1 2 2 2 3 3 4 4; rounded up: 0 1 1 2 2 2 3 3 4 4 4.
    assert value("IPrec11", EXAMPLE) == pytest.approx((4 * 1 + 5 * 3 / 5 + 2 * 1 / 2) / 11, rel=1e-15)
    assert value("11pt_avg", EXAMPLE, rounding="up") == pytest.approx(
        (3 * 1 + 5 * 3 / 5 + 3 * 1 / 2) / 11, rel=1e-15
    )
    # Precision 1, 2/3, 3/5 at 3 of 4 relevant: version 10 prints 0.6545, version 9 0.5636.
    assert f"{value('11pt_avg', [1, 0, 1, 0, 1], [1]):.4f}" == "0.6545"
    assert f"{value('11pt_avg', [1, 0, 1, 0, 1], [1], rounding='up'):.4f}" == "0.5636"
    (named,) = parse_named("11pt_avg..8,.2")
    assert (named.name, str(named.measure)) == ("11pt_avg_.8,.2", "IPrec11(levels={0.2,0.8})")
    assert value("IPrec11(levels={0.2,0.8})", EXAMPLE) == value("11pt_avg..8,.2", EXAMPLE) == (1 + 3 / 5) / 2
    names = [named.name for named in parse_named("iprec_at_recall..1,0.125,1")]
    assert names == ["iprec_at_recall_0.10", "iprec_at_recall_0.12", "iprec_at_recall_1.00"]
    assert len(parse_named("iprec_at_recall")) == 11


@pytest.mark.parametrize("name", ["IPrec", "IPrec@1.5", "IPrec@-0.1", "IPrec@nan", "11pt_avg.2"])
def test_a_recall_is_a_number_from_0_to_1(name: str) -> None:
    with pytest.raises(UnknownName, match=r"needs a recall|at most 1|at least 0|from 0 to 1"):
        parse_measure(name)


@given(ranked=lists_of_labels, others=lists_of_labels, more=st.integers(0, 9))
def test_auc_is_the_share_of_pairs_in_right_order(ranked: list[int], others: list[int], more: int) -> None:
    size = len(ranked) + len(others) + more
    assume(size)
    relevant = [label > 0 for label in (*ranked, *others)] + [False] * more
    place = [*range(len(ranked)), *[len(ranked)] * (len(others) + more)]
    pairs = [
        1.0 if place[up] < place[down] else 0.5 if place[up] == place[down] else 0.0
        for up in range(size)
        for down in range(size)
        if relevant[up] and not relevant[down]
    ]
    expected = sum(pairs) / len(pairs) if pairs else 0.0
    assert value(f"AUC(collection={size})", ranked, others) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("{0.2,0.5,0.8}", (0.2, 0.5, 0.8)),
        (".25,.5,.75", (0.25, 0.5, 0.75)),
        ("0.8, 0.2", (0.2, 0.8)),
        ("1", (1.0,)),
    ],
)
def test_levels_are_read_in_both_notations_and_put_in_order(text: str, shares: tuple[float, ...]) -> None:
    assert read_levels(text) == Levels(shares)


@pytest.mark.parametrize("text", ["", "{}", "x", "0.5,", "1.1", "-0.1", "nan", "0.5;0.6"])
def test_what_is_no_recall_is_refused(text: str) -> None:
    with refused(ValueError):
        read_levels(text)


def test_levels_are_written_as_they_are_read() -> None:
    assert read_levels(str(ELEVEN_POINTS)) == ELEVEN_POINTS
    assert str(Levels((0.2, 0.5))) == "{0.2,0.5}"


@pytest.mark.parametrize("level", [*ELEVEN_POINTS.shares, 0.05, 0.35, 0.65])
def test_rounding_is_that_of_the_exact_product(level: float) -> None:
    num_rel = np.arange(600)
    products = [level * number for number in range(600)]
    exact = [int(Decimal(each).to_integral_value(ROUND_HALF_UP)) for each in products]
    assert documents_at(level, num_rel, "lround").tolist() == exact
    assert documents_at(level, num_rel, "up").tolist() == [int(each + 0.9) for each in products]
