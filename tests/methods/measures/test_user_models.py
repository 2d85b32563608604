from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.measures.conftest import Row, judged_rows, value_of
from tests.sentences import refused
from workbench.core.errors import GradesDoNotFit, UnknownName
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure, parse_named
from workbench.methods.measures.user_models import trigamma

# Ten retrieved documents and two more; two were pooled and not judged, two never pooled.
RANKED = [1, 0, POOLED, 1, UNJUDGED, 0, 1, POOLED, UNJUDGED, 0]
OTHERS = [1, 0]

labels = st.sampled_from([UNJUDGED, POOLED, -2, 0, 0, 1, 2, 3])
rankings = st.lists(labels, max_size=20)
# RBP


@pytest.mark.parametrize(
    ("p", "value", "residual"),
    [(0.5, "0.5703", "0.1631"), (0.8, "0.3548", "0.3928"), (0.95, "0.1296", "0.7527")],
)
def test_rank_biased_precision_and_what_it_could_still_gain(p: float, value: str, residual: str) -> None:
    unjudged = p**2 + p**4 + p**7 + p**8
    assert value_of(f"RBP(p={p})", RANKED, OTHERS) == pytest.approx((1 - p) * (1 + p**3 + p**6))
    assert value_of(f"RBPResidual(p={p})", RANKED, OTHERS) == pytest.approx(p**10 + (1 - p) * unjudged)
    assert f"{value_of(f'RBP(p={p})', RANKED, OTHERS):.4f}" == value
    assert f"{value_of(f'RBPResidual(p={p})', RANKED, OTHERS):.4f}" == residual


def test_grades_have_the_worth_that_a_table_gives_them() -> None:
    name = "RBP(p=0.5,gains={0:0.125,1:0.25,2:1})"
    assert value_of(name, [1, UNJUDGED, 2, 0]) == 0.5 * (0.25 + 0.25 + 0.125 / 8)
    assert value_of(f"{name}@3", [1, UNJUDGED, 2, 0]) == 0.5 * (0.25 + 0.25)


@pytest.mark.parametrize("gains", ["{1:1.5}", "{1:-0.5}", "linear", "exp"])
@pytest.mark.parametrize("measure", ["RBP", "INSQ", "INST"])
def test_a_worth_that_is_not_between_zero_and_one_is_refused(measure: str, gains: str) -> None:
    with refused(UnknownName):
        parse_measure(f"{measure}(gains={gains})")


@pytest.mark.parametrize("measure", ["RBP", "INSQ", "INST"])
def test_a_grade_that_a_table_lacks_and_that_is_above_one_is_an_error(measure: str) -> None:
    with refused(GradesDoNotFit):
        value_of(f"{measure}(gains={{1:0.5}})", [1], [2])


@given(ranked=st.lists(st.sampled_from([UNJUDGED, POOLED, 0, 1]), max_size=5), after=st.sampled_from([0, 1]))
def test_the_residual_is_what_all_unjudged_documents_could_add(ranked: list[int], after: int) -> None:
    least, residual = value_of("RBP(p=0.7)", ranked), value_of("RBPResidual(p=0.7)", ranked)
    choices = [[label] if label >= 0 else [0, 1] for label in ranked]
    values = [value_of("RBP(p=0.7)", [*way, *[after] * 200]) for way in product(*choices)]
    assert min(values) >= least - 1e-12
    assert max(values) <= least + residual + 1e-12
    if after == 1:
        assert max(values) == pytest.approx(least + residual)


def test_a_residual_follows_after_the_end_row_by_row() -> None:
    assert value_of("RBPResidual(p=0.5)@2", [UNJUDGED, 1, 1, 1]) == 0.5**2 + 0.5
    assert value_of("RBPResidual(p=0.5)@9", [UNJUDGED, 1]) == 0.5**2 + 0.5
    rows: list[Row] = [([UNJUDGED] * (number % 7) + [0] * (number % 5), []) for number in range(200)]
    together = parse_measure("RBPResidual")(judged_rows(*rows)).tolist()
    assert together == [value_of("RBPResidual", ranked) for ranked, _ in rows]


@pytest.mark.parametrize(
    ("ranked", "others", "value"),
    [
        ([1, 0, 1], [], 0.5 * (1 + 0.25)), ([1, 0, 2], [], 0.5 * (1 / 2 + 2 / 2 * 0.25)),
        ([1, 0, 2], [4], 0.5 * (1 / 4 + 2 / 4 * 0.25)), ([-1, UNJUDGED, POOLED], [3], 0.0), ([1], [-3], 0.5),
        ([-1], [-2], 0.0),
    ],
)  # fmt: skip
def test_the_reference_divides_by_the_highest_grade_of_the_topic_if_it_is_above_one(
    ranked: list[int], others: list[int], value: float
) -> None:
    assert value_of("rbp.p=0.5", ranked, others) == value


@pytest.mark.parametrize(
    ("gains", "ranked", "others", "value"),
    [
        # Whatever a table lists counts, also where no document has that grade.
        ("1=3,2=9", [1], [], 0.5 * 3 / 9),
        ("1=0.25", [1, 1], [], 0.5 * 0.25 * 1.5),
        # Grade 2 has the gain 2, though no document has it.
        ("1=0.25,3=1", [3, 1], [], 0.5 * (1 / 2 + 0.25 / 2 * 0.5)),
        # From -1 to 3: grade 0 is a quarter of the way up, and what is not judged is worth nothing.
        ("1=3,2=-1", [1, 2, 0, UNJUDGED], [], 0.5 * (1 + 0 + 0.25 * 0.25)),
    ],
)
def test_gains_of_the_reference_are_scaled_by_all_that_it_knows(
    gains: str, ranked: list[int], others: list[int], value: float
) -> None:
    assert value_of(f"rbp.p=.5,{gains}", ranked, others) == pytest.approx(value)
    assert value_of(f"rbp.{gains},p=.5", ranked, others) == pytest.approx(value)


@pytest.mark.parametrize("p", [0.01, 0.5, 0.9, 0.99, 0.9999])
def test_a_residual_of_long_rankings_is_added_rank_by_rank(p: float) -> None:
    # The first unjudged document stands at the top, in the middle, or at the very end.
    rng = np.random.default_rng(5)
    labels = [[0] * judged + rng.choice([0, UNJUDGED], 1500).tolist() for judged in (0, 120, 300, 1100)]
    expected = []
    for ranked in labels:
        weight, total = 1.0, 0.0
        for label in ranked:
            total += weight if label < 0 else 0.0
            weight *= p
        expected.append(weight + (1 - p) * total if total > 0 else 0.0)
    measure = parse_measure(f"rbp_resid.p={p}")
    assert measure(judged_rows(*((ranked, ()) for ranked in labels))).tolist() == expected


def test_the_reference_has_no_residual_where_all_is_judged_and_counts_negative_grades_as_unjudged() -> None:
    assert value_of("rbp_resid.p=0.5", [1, 0]) == 0.0
    assert value_of("RBPResidual(p=0.5)", [1, 0]) == 0.25
    assert value_of("rbp_resid.p=0.5", [1, -1, POOLED, UNJUDGED]) == 0.5**4 + 0.5 * (0.5 + 0.25 + 0.125)
    assert value_of("RBPResidual(p=0.5)", [-1, -5]) == 0.5**2
    assert value_of("RBPResidual(p=0.5)", [POOLED, UNJUDGED]) == 0.5**2 + 0.5 * (1 + 0.5)


@pytest.mark.parametrize("name", ["rbp", "rbp.p=.5", "rbp_resid.p=.5", "rbp.p=.5,1=3,2=9"])
def test_names_of_the_reference_are_printed_as_written(name: str) -> None:
    (named,) = parse_named(name)
    assert named.name == name.replace(".", "_", 1)


@pytest.mark.parametrize("name", ["rbp.p=2", "rbp.p=x", "rbp.q=.5", "rbp.5", "rbp_resid.p=0"])
def test_what_is_no_persistence_is_refused(name: str) -> None:
    with pytest.raises(UnknownName):
        parse_measure(name)


def rest_of_inverse_squares(start: float) -> float:
    """The sum of 1 / n^2 over n from `start` in steps of 1, by the midpoint rule: good for a large start."""
    return 1 / (start - 0.5) - 1 / (12 * (start - 0.5) ** 3)


def slow_inst(gains: Sequence[float], target: float, adapts: bool) -> float:
    """Rank by rank down to 3000, and then what is left: nothing more is gained there."""
    weight, found, value, looked_at = 1.0, 0.0, 0.0, 0.0
    for rank in range(1, 3001):
        gain = gains[rank - 1] if rank <= len(gains) else 0.0
        value, looked_at, found = value + weight * gain, looked_at + weight, found + gain
        wanted = 2 * target - (found if adapts else 0.0)
        weight *= ((rank + wanted - 1) / (rank + wanted)) ** 2
    end = 3001 + wanted - 1
    return value / (looked_at + weight * end**2 * rest_of_inverse_squares(end))


@pytest.mark.parametrize("target", [0.75, 1.0, 3.0, 12.5])
@given(ranked=rankings)
def test_inst_and_insq_as_their_definitions_say(ranked: list[int], target: float) -> None:
    worth = {1: 0.25, 2: 0.5, 3: 1.0}
    gains = [worth.get(label, 0.0) for label in ranked]
    table = "gains={1:0.25,2:0.5,3:1}"
    inst, insq = f"INST(T={target},{table})", f"INSQ(T={target},{table})"
    assert value_of(inst, ranked) == pytest.approx(slow_inst(gains, target, adapts=True), rel=1e-10)
    assert value_of(insq, ranked) == pytest.approx(slow_inst(gains, target, adapts=False), rel=1e-10)


def test_the_target_is_always_named() -> None:
    assert (str(parse_measure("INST")), str(parse_measure("INSQ(T=3)"))) == ("INST(T=1.0)", "INSQ(T=3.0)")


@pytest.mark.parametrize("x", [1, 2, 3, 11, 12, 13, 1000])
def test_trigamma_of_whole_numbers_is_what_is_left_of_the_sum_of_inverse_squares(x: int) -> None:
    left = pi**2 / 6 - sum(1 / n**2 for n in range(1, x))
    assert trigamma(np.array([float(x)]))[0] == pytest.approx(left, rel=1e-14 * x)


# Compat


def test_compatibility_by_hand() -> None:
    first, second = (
        2 * np.log(2),
        2 * np.log(2) - 1,
    )  # what one shared item weighs from ranks 1 and 2 on, p = .5
    assert value_of("Compat(p=0.5)", [1, 0], [1]) == pytest.approx(first / (first + second))
    assert value_of("Compat(p=0.5)", [1, 2]) == pytest.approx(2 * second / (first + second))
    assert value_of("Compat(p=0.5)", [2, 1, 0]) == value_of("Compat", [3, 3, 2, 1]) == pytest.approx(1)
    assert value_of("Compat", [0, UNJUDGED], [1]) == value_of("Compatibility", [0, -1]) == 0


@given(
    ranked=st.lists(st.sampled_from([UNJUDGED, 0, -1, 1, 2, 3]), min_size=1, max_size=6),
    missed=st.lists(st.sampled_from([0, 1, 2]), max_size=2),
    p=st.sampled_from([0.3, 0.8]),
)
def test_compatibility_is_the_largest_overlap_with_any_ideal_ranking(
    ranked: list[int], missed: list[int], p: float
) -> None:
    grades = dict(enumerate([*ranked, *missed]))
    wanted = [each for each in grades if grades[each] > 0]
    ideals = [i for i in permutations(wanted) if sorted(i, key=lambda d: -grades[d]) == list(i)]

    def overlap(one: Sequence[int], other: Sequence[int]) -> float:
        return sum(p**d * len({*one[: d + 1]} & {*other[: d + 1]}) / (d + 1) for d in range(200))

    most = max(
        overlap(range(len(ranked)), ideal) / overlap(ideal, ideal) if wanted else 0 for ideal in ideals
    )
    assert value_of(f"Compat(p={p})", ranked, missed) == pytest.approx(most)
