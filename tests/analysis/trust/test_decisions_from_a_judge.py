"""Decisions along a random order that start from a model's labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.trust.conftest import FAR_APART, ORDER, GiveGrades, Made, pooled
from tests.sentences import refused, says
from workbench.analysis.trust.decisions import Decisions, decide
from workbench.analysis.trust.evidence import STOP
from workbench.analysis.trust.sentences import notes_on_decided
from workbench.campaign.model_labels import LabelFiles, add_model_labels, judge_with
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import UnknownName
from workbench.storage.campaign import Campaign

EVERY = [(topic, f"{kind}{number}") for topic in "12" for kind in ("good", "poor") for number in range(150)]
Pair = tuple[str, str]


def is_good(pair: Pair) -> int:
    return int(pair[1].startswith("good"))


def by_model(campaign: Campaign, path: Path, grades: dict[Pair, int]) -> None:
    """Labels of a model, imported."""
    path.write_text("".join(f"{one} 0 {other} {grade}\n" for (one, other), grade in grades.items()))
    add_model_labels(campaign.by("Olga"), LabelFiles([str(path)], "qrels"), judge_with(campaign, "robot"))


def decided(campaign: Campaign, judge: str = "") -> Decisions:
    found = decide(campaign, judge=judge)
    assert found is not None
    return found


@pytest.fixture
def drawn(made: Made) -> Campaign:
    """Twenty pairs of two topics, drawn in an order; nothing is judged."""
    campaign = made(FAR_APART)
    add_pool(campaign.by("Olga"), budget=20, **ORDER)  # type: ignore[arg-type]
    return campaign


def test_labels_that_are_right_decide_earlier(
    drawn: Campaign, give_grades: GiveGrades, tmp_path: Path
) -> None:
    by_model(drawn, tmp_path / "model.txt", {pair: is_good(pair) for pair in EVERY})
    order = decided(drawn).order.pairs
    give_grades(drawn, {pair: is_good(pair) for pair in order[:9]})
    (alone,), (helped,) = decided(drawn).pairs, decided(drawn, "robot").pairs
    assert (alone.state, helped.state, helped.better) == ("open", "decided", "far")
    assert helped.risk < alone.risk
    assert helped.difference == pytest.approx(
        1
    )  # what the model says is added up, and no draw differs from it
    assert STOP.answer(drawn, {"judge": "robot"}).decisions.pairs == (helped,)
    assert any("robot" in each for each in STOP.answer(drawn, {"judge": "robot"}).recommendation.limits)


def test_labels_the_wrong_way_round_take_longer_and_decide_nothing_wrongly(
    drawn: Campaign, give_grades: GiveGrades, tmp_path: Path
) -> None:
    by_model(drawn, tmp_path / "model.txt", {pair: 1 - is_good(pair) for pair in EVERY})
    order = decided(drawn).order.pairs
    give_grades(drawn, {pair: is_good(pair) for pair in order[:20]})
    (pair,) = decided(drawn, "robot").pairs
    assert pair.better != "off"
    assert pair.difference == pytest.approx(1)


def test_labels_that_came_after_people_began_are_left_out_and_said(
    drawn: Campaign, give_grades: GiveGrades, tmp_path: Path
) -> None:
    order = decided(drawn).order.pairs
    by_model(drawn, tmp_path / "early.txt", dict.fromkeys(order[:30], 0))
    give_grades(drawn, {pair: is_good(pair) for pair in order[:10]})
    by_model(drawn, tmp_path / "late.txt", {pair: is_good(pair) for pair in order[:50]})
    found = decided(drawn, "robot")
    assert found.order.left_out == tuple(sorted(order[30:50]))
    # What changed later counts as it was: it says nothing of any of them, so nothing is different from no labels.
    assert found.pairs == decided(drawn).pairs
    assert says("\n".join(notes_on_decided(found, "made")), "20 labels", "robot")
    assert len(pooled(drawn)) == 20


def test_a_judge_without_labels_is_refused_with_those_that_have_some(drawn: Campaign, tmp_path: Path) -> None:
    with refused(UnknownName, "robot"):
        decide(drawn, judge="robot")
    by_model(drawn, tmp_path / "model.txt", {("1", "good1"): 1})
    with refused(UnknownName, "robots", "robot"):
        decide(drawn, judge="robots")
