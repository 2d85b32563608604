"""How many judgments a model is worth, and when that can be told."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.methods.corrected.conftest import DESIGNS, labelled, ranked
from workbench.methods.corrected.effort import Effort, effort_of
from workbench.methods.corrected.labels import Spread, trust_by_topic
from workbench.methods.corrected.measures import estimator_of
from workbench.methods.measures import parse_measure

HALF = DESIGNS["even"]


def spread(people: float, model: float, both: float, topics: int = 8) -> Spread:
    return Spread(*(np.full((topics, 1), each) for each in (people, model, both)))


def test_by_hand_a_variance_of_four_that_becomes_three_saves_a_third_of_the_judgments() -> None:
    found = effort_of(spread(4, 1, 1), np.ones(8), 30)
    assert found.ratio == pytest.approx(4 / 3)
    assert (found.effective, found.saved) == (pytest.approx(40), pytest.approx(10))
    assert found.error == pytest.approx(0)
    assert found.pays is True


def test_a_model_that_has_nothing_to_do_with_people_costs_and_does_not_pay() -> None:
    found = effort_of(spread(4, 1, 0), np.ones(8), 30)
    assert (found.saved, found.pays) == (pytest.approx(-6), False)
    level = effort_of(spread(4, 1, 0), np.zeros(8), 30)
    assert (level.saved, level.pays) == (0, False)


def test_four_topics_or_nothing_that_varies_do_not_tell() -> None:
    few = effort_of(spread(4, 1, 1, topics=4), np.ones(4), 30)
    assert (few.ratio, few.error, few.pays) == (pytest.approx(4 / 3), math.inf, None)
    assert effort_of(spread(0, 1, 0), np.ones(8), 30).pays is None
    assert Effort(30, 1.3, 0.5).pays is None
    assert Effort(30, 1.3, 0.1).pays is True
    assert Effort(1, 1.3, 0.1).pays is None  # it would save less than one judgment


@pytest.mark.parametrize(
    ("agreement", "least", "most"), [(0.95, 0.75, 1.0), (0.5, 0.0, 0.06)], ids=["good", "useless"]
)
def test_a_good_model_is_found_to_pay_and_a_useless_one_hardly_ever(
    agreement: float, least: float, most: float
) -> None:
    """200 campaigns of 25 topics with six candidates, three of them judged. A run ranks all of them: else a model that
    says anything at all helps a little, since it is known of every run how much of that is in it.
    """
    rng = np.random.default_rng(8)
    by = estimator_of(parse_measure("CG"), ranks=6, top_grade=1)
    paid = 0
    for _ in range(200):
        grades = (rng.random((25, 6)) < 0.5).astype(np.int16)
        says = np.where(rng.random((25, 6)) < agreement, grades, 1 - grades)
        drawn = [HALF.samples[at] for at in rng.integers(len(HALF.samples), size=25)]
        labels = labelled(HALF, *drawn, model=[0] * 6, grades=grades)._replace(
            model=says.astype(np.int16).ravel()
        )
        found = by.spread(ranked(labels, [list(range(6))]), labels)
        paid += effort_of(found, trust_by_topic(found), 75).pays is True
    assert least <= paid / 200 <= most
