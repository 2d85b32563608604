"""Measures of sampled judgments: worked examples, the reference program's loops, and what holds on average."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.measures.sample_rows import Drawn, Strata, of_probabilities, of_strata, ranked
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import UNJUDGED, Labels, Rankings
from workbench.methods.measures import MEASURES, JudgedRankings, parse_measure
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels

RUN = [f"d{number}" for number in range(1, 11)]

TWO_STRATA: Strata = {
    "d1": (0, 1), "d2": (0, 0), "d3": (0, 0), "d4": (0, 2), "d5": (1, -1), "d6": (1, 0), "d7": (1, 1),
    "d8": (1, -1), "d10": (1, 0), "d11": (1, 1), "d12": (1, -1), "d13": (1, -1),
}  # fmt: skip
"""The first stratum is judged whole, of the second 4 of 8, among them d11, which the run lacks."""

DRAWN = {
    "d1": Drawn(1, 1.0), "d3": Drawn(1, 0.5), "d6": Drawn(1, 0.25), "d11": Drawn(1, 0.5), "d2": Drawn(0, 1.0),
    "d9": Drawn(0, 0.25),
}  # fmt: skip

EXAMPLES = {
    # R = 2 + 8 * 2 / 4; the precision is 1 at d1, 0.5 at d4, 0.42857 at d7: (1 + .5) / 6 + (4 / 6) * .42857 / 2.
    "xinfAP": 0.39285786, "infNDCG": 0.56146249, "infP@10": 0.36666617, "infNumRel": 6.0,
    "infNumRelRet": 3.66666167,
}  # fmt: skip
EXAMPLES_OF_PROBABILITIES = {
    # R = 1 + 2 + 4 + 2; (1 + 2 * (1 + 1) / 3 + 4 * (1 + 3) / 6) / 9.
    "statAP": 5 / 9,
    "statP@5": 0.6,
    "statP@10": 0.7,
    "statNumRel": 9.0,
    "statRBP(p=0.8)": 0.2 * (1 + 2 * 0.8**2 + 4 * 0.8**5),
    "statDCG@5": 1 + 2 / math.log2(4),
    # Open are d3 (π .5), d6 and d9 (.25) and d11 (.5, not retrieved): n = 4, Σ(1 - π) = 2.5.
    "statPVariance@10": 4 / 3 * (0.5 * 0.2**2 + 0.75 * 0.4**2 - (0.5 * 0.2 + 0.75 * 0.4) ** 2 / 2.5),
    "statRBPVariance(p=0.5)": 4
    / 3
    * (0.5 * 0.25**2 + 0.75 * 0.0625**2 - (0.5 * 0.25 + 0.75 * 0.0625) ** 2 / 2.5),
    "statDCGVariance@5": 4 / 3 * (0.5 - 0.5**2 / 2.5),
}


def value(name: str, sampled: SampledRankings) -> float:
    return float(parse_measure(name)(sampled)[0])


def test_every_measure_of_a_sample_has_an_example() -> None:
    named = {parse_measure(name).name for name in (*EXAMPLES, *EXAMPLES_OF_PROBABILITIES)}
    assert named == {name for name, one in MEASURES.items() if one.of_sample and not one.of_answers}


@pytest.mark.parametrize(("name", "expected"), (EXAMPLES | EXAMPLES_OF_PROBABILITIES).items())
def test_the_example_has_its_value(name: str, expected: float) -> None:
    sampled = of_strata(RUN, TWO_STRATA) if name in EXAMPLES else of_probabilities(RUN, DRAWN)
    assert value(name, sampled) == pytest.approx(expected, abs=1e-8)


def as_the_program_does(run: list[str], candidates: Strata, dialect: str, longest: int) -> dict[str, float]:
    """sample_eval.pl, loop by loop."""
    strata = sorted({stratum for stratum, _ in candidates.values()})
    number, sampled, relevant = (dict.fromkeys(strata, 0) for _ in range(3))
    per_grade: dict[int, float] = {}
    for stratum, grade in candidates.values():
        number[stratum] += 1
        sampled[stratum] += grade >= 0
        relevant[stratum] += grade > 0
    for stratum, grade in candidates.values():
        if grade > 0:
            per_grade[grade] = per_grade.get(grade, 0.0) + number[stratum] / sampled[stratum]
    all_relevant = sum(relevant[c] * number[c] / sampled[c] for c in strata if sampled[c])
    best, start = 0.0, 0.0
    for grade in sorted(per_grade, reverse=True):
        count = int(per_grade[grade] + 0.5) if dialect == "trec2011" else per_grade[grade]
        rank = start + 1
        while rank <= start + count:
            best += grade / (math.log(rank + 1) / math.log(2))
            if rank >= longest:
                break
            rank += 1
        start += count
    here, seen, found, gains, precisions = (dict.fromkeys(strata, 0.0) for _ in range(5))
    pooled, retrieved, at_five = 0, 0.0, 0.0
    for rank, document in enumerate(run[:longest], start=1):
        stratum, grade = candidates.get(document, (-1, -1))
        if grade > 0:
            above = sum(
                here[c] / pooled * (found[c] + 0.00001) / (seen[c] + 0.00003) for c in strata if here[c]
            )
            precisions[stratum] += 1 / rank + pooled / rank * above
            found[stratum] += 1
            gains[stratum] += grade / (math.log(rank + 1) / math.log(2))
        if document in candidates:
            pooled += 1
            here[stratum] += 1
            seen[stratum] += grade >= 0
        retrieved = sum(here[c] * (found[c] + 0.00001) / (seen[c] + 0.00003) for c in strata)
        if rank <= 5:
            at_five = retrieved / 5
    average = sum(
        relevant[c] * number[c] / sampled[c] / all_relevant * precisions[c] / relevant[c]
        for c in strata
        if relevant[c]
    )
    if dialect == "trecvid2012" and all_relevant > longest:
        average *= all_relevant / longest
    dcg = sum(here[c] / pooled * gains[c] / seen[c] for c in strata if seen[c])
    return {
        f"xinfAP(dialect={dialect},longest={longest})": average,
        f"infNDCG(dialect={dialect},longest={longest})": pooled * dcg / best if best else 0.0,
        "infP@5": at_five,
        "infNumRel": all_relevant,
        f"infNumRelRet(longest={longest})": retrieved,
    }


documents = st.sampled_from([f"d{number}" for number in range(10, 30)])
samples = st.dictionaries(documents, st.tuples(st.integers(0, 2), st.sampled_from([-1, -1, 0, 1, 2, 3])))


@given(
    st.lists(documents, unique=True, max_size=15),
    samples,
    st.sampled_from(["trec2011", "trecvid2012"]),
    st.sampled_from([2, 4, 1000]),
)
def test_strata_are_inferred_as_the_reference_program_does(
    run: list[str], candidates: Strata, dialect: str, longest: int
) -> None:
    expected = as_the_program_does(run, candidates, dialect, longest)
    if longest < 5:
        del expected["infP@5"]
    sampled = of_strata(run, candidates)
    assert {name: value(name, sampled) for name in expected} == pytest.approx(expected, abs=1e-9)


def test_the_two_dialects_differ_where_a_grade_is_estimated_to_have_half_a_document() -> None:
    candidates: Strata = {"a": (0, 2), "b": (0, 0), "c": (0, -1), "d": (1, 1)}  # 1.5 documents of grade 2
    sampled = of_strata(["a", "d"], candidates)
    best = {"trec2011": 2 + 2 / math.log2(3) + 1 / math.log2(4), "trecvid2012": 2 + 1 / math.log2(3.5)}
    for dialect, ideal in best.items():
        expected = (2 + 1 / math.log2(3)) / ideal
        assert value(f"infNDCG(dialect={dialect})", sampled) == pytest.approx(expected, abs=1e-12)


def test_a_whole_sample_gives_the_measures_themselves() -> None:
    whole: Strata = {
        document: (0, grade) for document, grade in zip(RUN, [1, 0, 2, 0, 0, 1, 0, 0, 0, 1], strict=True)
    }
    sampled = of_strata(RUN, {**whole, "d11": (0, 1)})
    labels = np.array([*(grade for _, grade in whole.values()), 1], np.int16)
    one = np.zeros(1, np.int32)
    rankings = Rankings(np.array([0, 10], np.int64), np.arange(10, dtype=np.uint32), one, one)
    judged = JudgedRankings.join(rankings, Labels(np.array([0, 11], np.int64), labels))
    for estimate, measure in {
        "statAP": "AP",
        "statP@5": "P@5",
        "statRBP(p=0.8)": "RBP(p=0.8)",
        "statDCG@7": "DCG@7",
        "infNDCG": "nDCG",
    }.items():
        assert value(estimate, sampled) == pytest.approx(float(parse_measure(measure)(judged)[0]), abs=1e-12)
    assert [value(name, sampled) for name in VARIANCES] == pytest.approx([0.0] * 3)
    # The program smoothes each share, so that these are near and not equal.
    assert value("xinfAP", sampled) == pytest.approx(float(parse_measure("AP")(judged)[0]), abs=1e-4)


TRUTH = {"d1": 1, "d2": 0, "d3": 2, "d4": 1, "d5": 0, "d6": 1, "d7": 0}
LINEAR = ["statP@5", "statRBP(p=0.8)", "statDCG", "statNumRel"]
VARIANCES = ["statPVariance@5", "statRBPVariance(p=0.8)", "statDCGVariance"]


def every_sample(number: int) -> list[Strata]:
    """d1 and d2 are judged whole, of the five others every set of so many."""
    others = sorted(TRUTH)[2:]
    return [
        {"d1": (0, 1), "d2": (0, 0), **{each: (1, TRUTH[each] if each in drawn else -1) for each in others}}
        for drawn in combinations(others, number)
    ]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("name", LINEAR)
def test_the_mean_over_all_samples_is_what_judging_everything_gives(name: str, number: int) -> None:
    run = ["d3", "d9", "d1", "d6", "d2", "d5"]
    truth = value(name, of_strata(run, {each: (0, grade) for each, grade in TRUTH.items()}))
    values = [value(name, of_strata(run, sample)) for sample in every_sample(number)]
    assert np.mean(values) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("number", [1, 2, 4])
@pytest.mark.parametrize("name", LINEAR)
def test_what_an_earlier_pool_took_of_a_stratum_biases_nothing_over_all_samples(
    name: str, number: int
) -> None:
    """Of seven candidates an earlier pool has all but d3 and d4, so that many samples draw nothing that is new."""
    run, ids, earlier = ["d3", "d9", "d1", "d6", "d4", "d5"], sorted(TRUTH), {"d1", "d2", "d5", "d6", "d7"}
    first = np.array([each in earlier for each in ids])
    values = []
    for drawn in combinations(ids, number):
        labels = SampleLabels(
            np.array([0, 8]),
            np.r_[~first, -1],
            np.array([*TRUTH.values(), -1], np.int16),
            np.r_[np.where(first, 1.0, number / 7), 0.0],
            np.r_[first | np.array([each in drawn for each in ids]), False],
            has_strata=True,
            met=np.where(np.r_[first, False], 1.0, 1 - math.comb(5, number) / math.comb(7, number)),
        )
        values.append(value(name, SampledRankings.join(ranked(run, [*ids, "d9"]), labels)))
    truth = value(name, of_strata(run, {each: (0, grade) for each, grade in TRUTH.items()}))
    assert np.mean(values) == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("number", [2, 3, 4])
@pytest.mark.parametrize("name", LINEAR[:3])
def test_the_mean_of_the_estimated_variance_is_the_variance_over_all_samples(name: str, number: int) -> None:
    run = ["d3", "d9", "d1", "d6", "d2", "d5"]
    sampled = [of_strata(run, sample) for sample in every_sample(number)]
    found = [value(VARIANCES[LINEAR.index(name)], each) for each in sampled]
    assert np.mean(found) == pytest.approx(np.var([value(name, each) for each in sampled]), abs=1e-12)


@pytest.mark.parametrize("name", LINEAR)
def test_unequal_probabilities_give_the_truth_on_average(name: str) -> None:
    """Poisson sampling: each document is drawn on its own, so that all samples and their probabilities are known."""
    run, chance = (
        ["d3", "d9", "d1", "d6", "d2", "d5"],
        dict(zip(sorted(TRUTH), (1, 0.5, 0.25, 0.75, 0.5, 0.2, 0.9), strict=True)),
    )
    truth = value(name, of_strata(run, {each: (0, grade) for each, grade in TRUTH.items()}))
    mean = 0.0
    for drawn in product([False, True], repeat=len(TRUTH)):
        taken = [each for each, is_drawn in zip(sorted(TRUTH), drawn, strict=True) if is_drawn]
        weight = math.prod(chance[each] if each in taken else 1 - chance[each] for each in sorted(TRUTH))
        sample = {each: Drawn(TRUTH[each], chance[each]) for each in taken}
        mean += weight * value(name, of_probabilities(run, sample)) if weight else 0.0
    assert mean == pytest.approx(truth, abs=1e-12)


def test_what_is_judged_of_a_stratum_stands_for_what_was_drawn_of_it() -> None:
    """Of 8 candidates 4 were drawn, and 2 of these are judged: each counts for 4, as if 2 had been drawn."""
    grades = np.array([1, 0, UNJUDGED, UNJUDGED, *[UNJUDGED] * 4], np.int16)
    drawn = np.array([True] * 4 + [False] * 4)
    labels = SampleLabels(
        np.array([0, 8], np.int64), np.zeros(8, np.int64), grades, np.full(8, 0.5), drawn, has_strata=True
    )
    one = np.zeros(1, np.int32)
    run = Rankings(np.array([0, 4], np.int64), np.arange(4, dtype=np.uint32), one, one)
    sampled = SampledRankings.join(run, labels)
    assert value("statNumRel", sampled) == 4.0
    assert value("statP@4", sampled) == 1.0
    assert value("infNumRel", sampled) == 4.0


def test_rankings_cut_at_a_depth_lose_what_is_below() -> None:
    sampled = of_strata(RUN, TWO_STRATA)
    short = of_strata(RUN[:4], TWO_STRATA)
    for name in EXAMPLES:
        assert value(name, sampled.to_depth(4)) == pytest.approx(value(name, short), abs=1e-12)


def with_one_grade() -> JudgedRankings:
    one = np.zeros(1, np.int32)
    run = Rankings(np.array([0, 1], np.int64), np.zeros(1, np.uint32), one, one)
    return JudgedRankings.join(run, Labels(np.array([0, 1], np.int64), np.ones(1, np.int16)))


@pytest.mark.parametrize(
    ("name", "judgments"),
    [
        ("xinfAP", with_one_grade),
        ("statP@5", with_one_grade),
        ("xinfAP", lambda: of_probabilities(RUN, DRAWN)),
        ("infNDCG", lambda: of_probabilities(RUN, DRAWN)),
        ("AP", lambda: of_strata(RUN, TWO_STRATA)),
        ("alpha_nDCG@5", lambda: of_strata(RUN, TWO_STRATA)),
    ],
)
def test_what_the_way_of_choosing_does_not_allow_is_refused_with_the_reason(
    name: str, judgments: Callable[[], JudgedRankings | SampledRankings]
) -> None:
    with refused(UnknownName):
        parse_measure(name)(judgments())


@pytest.mark.parametrize("name", ["xinfAP(judged_only=true)", "statP(mean=micro)@5"])
def test_modifiers_that_make_no_sense_of_a_sample_are_refused(name: str) -> None:
    with refused(UnknownName):
        parse_measure(name)
