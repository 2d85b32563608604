"""What battles say of runs: strengths, infinite ones, ranks, plans, agreement, and models corrected by people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, product
from typing import Any

import pytest

from tests.sentences import refused, says
from workbench.analysis.battles.agreement import agreements
from workbench.analysis.battles.coded import coded
from workbench.analysis.battles.corrected import corrections
from workbench.analysis.battles.report import report, sentences
from workbench.analysis.battles.strengths import Strengths, chosen, strengths
from workbench.core.battles import Battle
from workbench.core.errors import CampaignError, UnknownName

NUMBER = count()


def strengths_of(battles: Sequence[Battle], **more: Any) -> Strengths:
    return strengths(coded(battles), **more)


def fought(results: str, topics: int = 1, by: str = "ann", of: str = "person") -> list[Battle]:
    """Battles on each topic: "xy" x on the left won, "x<y" the right one won, "x=y" a tie, "x!y" both bad."""
    ends = {"<": "right", "=": "tie", "!": "both bad"}
    return [
        Battle(f"b{next(NUMBER)}", f"t{topic}", each[0], each[-1], ends.get(each[1:-1], "left"), by, of)
        for topic, each in product(range(topics), results.split())
    ]


def of_runs(found: Strengths) -> dict[str, tuple[float | None, str]]:
    return {
        run.run: (None if run.strength is None else round(run.strength, 4), run.limit) for run in found.runs
    }


def test_thirty_wins_to_ten_are_half_the_log_odds() -> None:
    found = strengths_of(fought("xy " * 15 + "y<x " * 15 + "yx " * 5 + "x<y " * 5))
    assert of_runs(found) == {"x": (0.5493, ""), "y": (-0.5493, "")}
    assert found.position[:2] == (pytest.approx(0.0), None)
    assert [run.battles for run in found.runs] == [40, 40]


def test_a_run_that_never_lost_has_no_finite_strength_and_the_others_are_compared_without_it() -> None:
    battles = fought("ax ay xy yx yx zx x!y")
    found = strengths_of(battles, position=False)
    assert list(of_runs(found)) == ["a", "z", "y", "x"]
    assert of_runs(found)["a"] == of_runs(found)["z"] == (None, "inf")
    alone = strengths_of(
        [each for each in battles if {each.left_run, each.right_run} == {"x", "y"}], position=False
    )
    assert of_runs(alone) == {name: value for name, value in of_runs(found).items() if name in "xy"}
    said = "\n".join(sentences(report(battles, position=False)))
    assert says(said, "a, z: ")
    assert says(said, "z: ")


def test_a_run_of_which_nothing_is_known_stands_last_and_too_many_runs_are_refused() -> None:
    assert list(of_runs(strengths_of(fought("xy yz")))) == ["x", "z", "y"]
    with refused(CampaignError, "1,001"):
        strengths_of(fought(" ".join(f"{chr(n)}x" for n in range(1000, 2000))))


def test_two_bad_sides_are_a_tie_that_is_counted_apart() -> None:
    one, other = (strengths_of(fought(f"xy yx xy x{end}y")) for end in "=!")
    assert of_runs(one) == of_runs(other)
    assert [(run.tied, run.both_bad) for found in (one, other) for run in found.runs] == [(1, 0)] * 2 + [
        (1, 1)
    ] * 2
    assert (one.tied, one.both_bad, other.tied, other.both_bad) == (0.25, 0, 0.25, 0.25)


@pytest.mark.parametrize("results", ["xy yx ab ba bc cb", "x=y x=y"])
def test_strengths_that_do_not_compare_or_that_ties_leave_open_are_refused(results: str) -> None:
    with refused(CampaignError):
        strengths_of(fought(results))


def test_classes_and_criteria_choose_battles() -> None:
    people, model = fought("xy yx"), fought("xy", by="gpt", of="model")
    judged = [each._replace(criteria={"accuracy": "right"}) for each in people]
    assert chosen([*people, *model], ["model"]) == model
    assert [each.winner for each in chosen([*judged, *model], (), "accuracy")] == ["right", "right"]
    with refused(UnknownName, "acuracy"):
        chosen(judged, (), "acuracy")
    with refused(CampaignError, "agent"):
        chosen(people, ["agent"])


def test_intervals_ranks_and_a_plan_need_five_topics() -> None:
    few, enough = (
        strengths_of([*fought("xy y<x xy yx", topics), *fought("x<y yx y=x", 2)], precision=0.1)
        for topics in (4, 9)
    )
    assert {(run.low, run.best_rank) for run in few.runs} == {(None, None)}
    assert few.plan is not None
    assert few.plan[1:] == (None, None, None)
    best, other = enough.runs
    assert best.low is not None
    assert best.high is not None
    assert best.low < (best.strength or 0) < best.high
    assert (best.low, best.high) == pytest.approx((-(other.high or 0), -(other.low or 0)))
    assert (best.best_rank, other.worst_rank) == (1, 2)
    assert enough.plan is not None
    half = (best.high - best.low) / 2
    assert enough.plan.now == pytest.approx(half)
    assert (enough.plan.battles or 0) > enough.battles
    again = strengths_of(fought("xy yx x=y", 9), precision=1)
    assert [run.note != "" for run in again.runs] == [True, True]  # all topics are alike


def test_assessors_agree_by_hand_whatever_the_runs_are_called() -> None:
    """Ann and Ben on four units: the same twice; the model on the first of them against both."""
    ann, ben = fought("xy yz xz x=y"), fought("y<x z<y zx xy", by="ben")
    ann[3], ben[3] = (each._replace(topic_id="t9") for each in (ann[3], ben[3]))
    model = fought("xy", by="gpt", of="model")
    people, mixed = agreements(coded([*ann, *ben, *model]))
    assert (people.one, people.other, people.pairs, people.same) == ("person", "person", 4, 0.5)
    # Either way and in both orders: 4 x the same winner, 2 x the other, 1 x win and tie each; shares 7/16, 7/16, 2/16.
    expected = 2 * (7 / 16) ** 2 + (2 / 16) ** 2
    assert people.kappa == pytest.approx((0.5 - expected) / (1 - expected))
    assert (mixed.one, mixed.other, mixed.pairs, mixed.same) == ("person", "model", 2, 1.0)
    other = {"x": "q", "y": "y", "z": "a"}
    renamed = [
        each._replace(left_run=other[each.left_run], right_run=other[each.right_run]) for each in [*ann, *ben]
    ]
    assert agreements(coded(renamed)) == [people]
    assert agreements(coded(ann)) == []


@pytest.mark.parametrize("of", ["model", "agent"])
def test_models_and_agents_that_people_judged_everywhere_are_corrected_to_people(of: str) -> None:
    people = fought("xy yx xz x=y zx yz zy xy", 6)
    theirs = [
        each._replace(battle_id=f"m{n}", winner="left", assessor_class=of) for n, each in enumerate(people)
    ]
    (found,) = corrections(coded([*people, *theirs]))
    units = {(each.topic_id, *sorted((each.left_run, each.right_run))) for each in people}
    assert (found.by, found.units, found.of_people) == (of, len(units), len(units))
    assert [(run.by, run.run) for run in found.runs] == [(of, "x"), (of, "z"), (of, "y")]
    only_one_topic = [each for each in people if each.topic_id == "t0"]
    (partly,) = corrections(coded([*only_one_topic, *theirs]))
    assert [run.strength for run in partly.runs] == pytest.approx([run.strength for run in found.runs])
    (alone,) = corrections(coded(theirs))
    assert (alone.runs, alone.of_people) == ((), 0)
    assert says(alone.reason, "0 of the 18")
    (endless,) = corrections(coded([*fought("xy", 6), *fought("xy", 6, by="gpt", of=of)]))
    assert endless.runs == ()
    assert says(endless.reason, "6 of the 6", "finite")


def test_sentences_say_what_the_numbers_rest_on() -> None:
    people = fought("xy yx xz zy y!z x=z", 6)
    model = [each._replace(battle_id=f"m{each.battle_id}", assessor_class="model") for each in people]
    agents = [each._replace(battle_id=f"a{each.battle_id}", assessor_class="agent") for each in people]
    found = report([*people, *model, *agents, *fought("zy zx", 1)], precision=0.2)
    assert [each.by for each in found.corrected] == ["model", "agent"]
    assert says("\n".join(sentences(found)), "110 battles")
    alone = report(model, classes=("model",))
    assert [each.runs for each in alone.corrected] == [()]
    assert says("\n".join(sentences(alone)), "36 battles")
