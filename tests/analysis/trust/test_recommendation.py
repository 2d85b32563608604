"""Whether judging can stop: each answer, and that none claims more than every way to judge the rest bears out."""

from __future__ import annotations

from itertools import product

import pytest

from tests.analysis.trust.conftest import FAR_APART, ORDER, GiveGrades, Made, pooled
from tests.at_length import at_length
from tests.fixture_types import JudgeAs
from tests.sentences import refused, says
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.analysis.trust.decisions import decide
from workbench.analysis.trust.evidence import STOP
from workbench.analysis.trust.recommendation import Decided, Recommendation, recommendation
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import UnknownName
from workbench.methods.bounds.registry import DIFFERENCES
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

TWO = {"one": {"1": "a b c"}, "two": {"1": "c d b"}}


def answer_of(
    campaign: Campaign, measure: str = "P@2", *, as_of: int | None = None, **asked: float
) -> Recommendation:
    found: Recommendation = STOP.answer(campaign.at(as_of), {"measure": measure, **asked}).recommendation
    return found


def test_without_a_pair_of_runs_or_a_pool_it_cannot_be_said(made: Made) -> None:
    campaign = made(TWO)
    for withdrawn in ([], ["one"], ["two"]):
        if withdrawn:
            withdraw_runs(campaign.by("Olga"), withdrawn)
        said = answer_of(campaign)
        assert (said.answer, says(said.text), says(said.next)) == ("cannot be said", True, True)


def test_before_the_first_judgment_nothing_is_certain_and_what_is_left_out_is_said(
    made: Made, give_grades: GiveGrades
) -> None:
    campaign = made(TWO)
    add_pool(campaign.by("Olga"), depth=2)
    said = answer_of(campaign)
    assert (said.answer, says(said.text), says(said.next)) == ("not yet", True, True)
    give_grades(campaign, {("1", "a"): 1})
    assert all(says(limit) for limit in answer_of(campaign).limits)


def test_runs_that_are_alike_are_certain_without_a_judgment(made: Made) -> None:
    campaign = made({"one": {"1": "a b"}, "two": {"1": "b a"}})
    add_pool(campaign.by("Olga"), depth=2)
    said = answer_of(campaign)
    assert (said.answer, says(said.text)) == ("yes", True)


def test_documents_without_a_grade_may_still_change_pairs_when_nothing_is_left_to_judge(
    made: Made, give_grades: GiveGrades, judging_as: JudgeAs
) -> None:
    campaign = made(TWO)
    add_pool(campaign.by("Olga"), depth=2)
    give_grades(campaign, {("1", "a"): 1, ("1", "b"): 0, ("1", "d"): 0})
    judging_as(campaign, "Ann", "1", "c", None)
    said = answer_of(campaign)
    assert (said.answer, said.next) == ("yes", "")
    assert says(said.text)


@pytest.mark.parametrize("grades", [*product((0, 1), repeat=4)])
def test_without_an_order_yes_means_that_no_way_to_judge_the_rest_changes_the_order_of_a_pair(
    made: Made, give_grades: GiveGrades, grades: tuple[int, ...]
) -> None:
    campaign = made({"one": {"1": "a b"}, "two": {"1": "c a"}, "three": {"1": "d b"}})
    add_pool(campaign.by("Olga"), depth=2)
    documents = dict(zip("abcd", grades, strict=True))
    for number, (document, grade) in enumerate(documents.items(), start=1):
        give_grades(campaign, {("1", document): grade})
        rest = "abcd"[number:]
        known = "".join(str(documents[each]) for each in "abcd"[:number])
        orders = {_order_by_hand(known + "".join(way)) for way in product("01", repeat=len(rest))}
        said = answer_of(campaign, as_of=log.newest_seq(campaign))
        assert (said.answer == "yes") == (len(orders) == 1 or not rest)
        assert (said.answer == "not yet") == bool(len(orders) > 1 and rest)


def _order_by_hand(grades: str) -> tuple[int, ...]:
    """The signs of the differences of P@2 of the three runs when a, b, c and d have these grades."""
    a, b, c, d = map(int, grades)
    one, two, three = a + b, c + a, d + b
    pairs = ((one, two), (one, three), (two, three))
    return tuple((x > y) - (x < y) for x, y in pairs)


@pytest.mark.parametrize("measure", sorted(DIFFERENCES))
def test_with_a_grade_for_each_pooled_document_no_pair_is_open(
    made: Made, give_grades: GiveGrades, measure: str
) -> None:
    campaign = made({"one": {"1": "a b c", "2": "a"}, "two": {"1": "c d b"}, "three": {"2": "b a", "1": "d"}})
    add_pool(campaign.by("Olga"), depth=3)
    give_grades(campaign, {pair: place % 3 for place, pair in enumerate(pooled(campaign))})
    name = measure if measure in ("AP", "RR", "RBP") else f"{measure}@2"
    assert certain_pairs(campaign, name).number("open") == 0
    assert answer_of(campaign, name).answer == "yes"


@pytest.mark.parametrize("budget", at_length([1, 2, 3, 4, 5, 6, 7], [1, 2, 4, 6]))
def test_in_an_order_yes_allows_for_the_documents_that_are_not_drawn_yet(
    made: Made, give_grades: GiveGrades, budget: int
) -> None:
    campaign = made({"one": {"1": "a b c d"}, "two": {"1": "e b f g"}})
    add_pool(campaign.by("Olga"), strategy="sequential-pps", depth=4, measure="CG@4", budget=budget, seed=5)
    drawn = [document for _, document in pooled(campaign)]
    for grades in product((0, 1), repeat=len(drawn)):
        give_grades(campaign, {("1", each): grade for each, grade in zip(drawn, grades, strict=True)})
        lead = sum(
            grade * ((each in "acd") - (each in "efg")) for each, grade in zip(drawn, grades, strict=True)
        )
        behind = "efg" if lead > 0 else "acd"
        may_change = abs(lead) <= sum(each not in drawn for each in behind) and len(drawn) < 6
        said = answer_of(campaign, "CG@4")
        assert said.answer != "yes" or not may_change
        # All that is pooled is judged, so bounds alone would call the pair certain.
        assert certain_pairs(campaign, "CG@4").number("open") == 0


def test_a_pair_is_decided_at_a_risk_for_all_together_or_for_each(far_apart: Campaign) -> None:
    said = answer_of(far_apart, "P@150")
    assert says(f"{said.answer}: {said.text}")
    said = answer_of(far_apart, "P@150", alpha=1e-12)
    assert (said.answer, says(said.text), says(said.next)) == ("not yet", True, True)
    found = decide(far_apart)
    assert found is not None
    (pair,) = found.pairs
    of_each = found._replace(pairs=(pair, pair, pair._replace(together=False)))
    said = recommendation(certain_pairs(far_apart, "P@150"), Decided(of_each, "", None), 0.05, "far-apart")
    assert says(f"{said.answer}: {said.text}")


def test_runs_that_are_not_of_the_order_are_not_in_the_answer(made: Made, give_grades: GiveGrades) -> None:
    campaign = made({**FAR_APART, "late": {"1": "other", "2": "other"}})
    add_pool(campaign.by("Olga"), budget=50, tags=["far", "off"], **ORDER)  # type: ignore[arg-type]
    give_grades(campaign, {pair: int(pair[1].startswith("good")) for pair in pooled(campaign)})
    assert says(answer_of(campaign, "P@150").text)


def test_what_the_order_says_nothing_of_cannot_be_said(far_apart: Campaign) -> None:
    said = answer_of(far_apart, "AP")
    assert (said.answer, says(said.text)) == ("cannot be said", True)
    with refused(UnknownName):
        answer_of(far_apart, "Bpref")
