"""A sum of gains is right on average over every sample that could have been drawn, whatever the model said."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.methods.corrected.conftest import DESIGNS, GRADES, MODELS, in_two_topics, labelled, ranked
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray
from workbench.methods.corrected.labels import TwoLabels, trust_by_topic
from workbench.methods.corrected.measures import Estimates, Estimator, estimator_of
from workbench.methods.measures import parse_measure

SUMS = ("P@3", "P(rel=2)@4", "RBP(p=0.5)", "DCG@4", "CG")
RATIOS = ("nDCG@4", "AP")
ALL = np.ones(6, np.bool_)

each_design = pytest.mark.parametrize("design", DESIGNS)
each_model = pytest.mark.parametrize("model", MODELS)


def by(name: str) -> Estimator:
    return estimator_of(parse_measure(name), ranks=5, top_grade=2)


def found_of(name: str, labels: TwoLabels, trust: FloatArray) -> Estimates:
    sampled = ranked(labels)
    return by(name).estimates(sampled, labels, trust, by(name).spread(sampled, labels))


def estimated(name: str, labels: TwoLabels, trust: float) -> FloatArray:
    return found_of(name, labels, np.full(len(labels.people), trust)).value


def whole(name: str) -> np.ndarray:
    """The values with everything judged."""
    return estimated(name, labelled(DESIGNS["even"], ALL, model=[0] * 6), 1.0)


def test_with_everything_judged_the_values_are_those_of_the_measures() -> None:
    # The first run has grades 1 0 2 0, the second 0 1 0 2 0; 1, 1 and 2 are the positive grades of the topic.
    assert whole("P@3").tolist() == pytest.approx([2 / 3, 1 / 3])
    assert whole("P(rel=2)@4").tolist() == [0.25, 0.25]
    assert whole("RBP(p=0.5)").tolist() == [0.5 + 0.125, 0.25 + 0.0625]
    assert whole("DCG@4").tolist() == pytest.approx([1 + 2 / 2, 1 / np.log2(3) + 2 / np.log2(5)])
    assert whole("CG").tolist() == [3, 3]
    best = 2 + 1 / np.log2(3) + 1 / 2
    assert whole("nDCG@4").tolist() == pytest.approx([2 / best, (1 / np.log2(3) + 2 / np.log2(5)) / best])
    assert whole("AP").tolist() == pytest.approx([(1 + 2 / 3) / 3, (1 / 2 + 2 / 4) / 3])


@each_design
@each_model
@pytest.mark.parametrize("trust", [0.0, 0.3, 1.0])
def test_the_mean_over_all_samples_is_the_truth(design: str, model: str, trust: float) -> None:
    samples = DESIGNS[design].samples  # each as likely as any other
    assert len(samples) > 3
    every = labelled(DESIGNS[design], *samples, model=MODELS[model])
    found = {name: estimated(name, every, trust).reshape(-1, 2) for name in SUMS}
    for name, values in found.items():
        assert values.mean(axis=0) == pytest.approx(whole(name)), name
    spread = np.ptp(found["DCG@4"], axis=0)
    assert spread == pytest.approx(0) if (model, trust) == ("right", 1.0) else spread.max() > 0.1


@pytest.mark.parametrize(
    ("design", "model"), [*product(sorted({*DESIGNS} - {"even"}), MODELS), ("even", "with gaps")]
)
def test_trust_that_other_topics_tell_leaves_a_topic_unbiased(design: str, model: str) -> None:
    found, trusts = [], set()
    for labels in in_two_topics(DESIGNS[design], MODELS[model]):
        trust = trust_by_topic(by("DCG@4").spread(ranked(labels), labels))
        trusts |= set(np.round(trust, 6).tolist())
        found.append(found_of("DCG@4", labels, trust).value)
    assert np.mean(found, axis=0) == pytest.approx(np.tile(whole("DCG@4"), 2))
    if model == "with gaps":  # of others it may be at the end of its range in every sample
        assert len(trusts) > 1
    assert min(trusts) >= 0
    assert max(trusts) <= 1


def test_a_topic_s_own_sample_has_no_part_in_its_trust() -> None:
    design = DESIGNS["even"]
    first, second, third = design.samples[:3]
    one = labelled(design, first, second, model=MODELS["with gaps"])
    other = labelled(design, third, second, model=MODELS["with gaps"])
    of = [trust_by_topic(by("DCG@4").spread(ranked(each), each)) for each in (one, other)]
    assert of[0][0] == of[1][0]
    assert of[0][1] != of[1][1]


def test_a_right_model_is_trusted_and_one_that_is_the_wrong_way_round_is_not() -> None:
    design = DESIGNS["even"]
    drawn = design.samples[:6]
    trusts = {}
    for name, model in MODELS.items():
        labels = labelled(design, *drawn, model=model)
        spread = by("CG").spread(ranked(labels), labels)
        trusts[name] = trust = trust_by_topic(spread)
        assert (spread.corrected(trust).sum() <= spread.people.sum() + 1e-9) or name == "with gaps"
        assert spread.corrected(np.zeros(6)) == pytest.approx(spread.people)
    assert trusts["right"] == pytest.approx(1)
    assert trusts["the wrong way round"] == pytest.approx(0)
    alone = labelled(design, drawn[0], model=MODELS["right"])
    assert trust_by_topic(by("CG").spread(ranked(alone), alone)).tolist() == [1]


def test_variances_by_the_design_are_those_of_the_measures_of_samples() -> None:
    labels = labelled(DESIGNS["even"], DESIGNS["even"].samples[4], model=MODELS["with gaps"])
    sampled = ranked(labels)
    spread = by("P@3").spread(sampled, labels)
    assert spread.people.ravel() == pytest.approx(parse_measure("statPVariance@3")(sampled))
    nothing = labels._replace(model=np.full(6, -1, np.int16))
    assert by("P@3").spread(sampled, nothing).model.tolist() == [[0, 0]]


def test_without_a_model_ap_is_statap_but_for_the_bias_that_is_taken_off() -> None:
    for design in DESIGNS.values():
        for drawn in design.samples:
            labels = labelled(design, drawn, model=[-1] * 6)
            sampled = ranked(labels)
            found = found_of("AP", labels, np.ones(1))
            assert found.value + found.taken_off == pytest.approx(parse_measure("statAP")(sampled))


@pytest.mark.parametrize("name", RATIOS)
def test_the_jackknife_brings_the_mean_of_a_ratio_nearer_to_the_truth(name: str) -> None:
    rng = np.random.default_rng(3)
    grades = (rng.random((400, 6)) < 0.5).astype(np.int16)
    everything = labelled(DESIGNS["even"], *[ALL] * 400, model=[0] * 6, grades=grades)
    truth = estimated(name, everything, 1.0)
    plain, less = [], []
    for drawn in DESIGNS["even"].samples:
        labels = labelled(DESIGNS["even"], *[drawn] * 400, model=[0] * 6, grades=grades)
        found = found_of(name, labels, np.zeros(400))
        less.append(found.value - truth)
        plain.append(found.value + found.taken_off - truth)
    bias = abs(np.mean(plain)), abs(np.mean(less))
    assert bias[1] < bias[0]


def test_the_only_judged_document_of_a_stratum_is_never_left_out() -> None:
    design = DESIGNS["two strata of a half"]
    labels = labelled(design, design.samples[0], model=MODELS["right"])
    found = found_of("nDCG@4", labels, np.ones(1))
    assert np.isfinite(found.value).all()
    one_each = labelled(design, np.array([1, 0, 0, 1, 0, 0], np.bool_), model=MODELS["with gaps"])
    assert found_of("nDCG@4", one_each, np.ones(1)).taken_off.tolist() == [0, 0]


def test_other_measures_are_refused_with_those_that_can_be_estimated() -> None:
    for name in ("RR", "P(judged_only=true)@3", "ERR(max_grade=4)@5"):
        with refused(UnknownName, name):
            by(name)


def test_what_no_model_said_counts_as_nothing_and_people_add_the_rest() -> None:
    labels = labelled(DESIGNS["even"], DESIGNS["even"].samples[0], model=[-1] * 6)
    assert estimated("DCG@4", labels, 1.0) == pytest.approx(parse_measure("statDCG@4")(ranked(labels)))
    assert GRADES[DESIGNS["even"].samples[0]].sum() > 0
