"""Pairs drawn for a second judgment: seeded, each with the probability it had, each with one chance in all."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.judged_pairs import judge_as
from tests.sentences import refused
from workbench.analysis.between_assessors.gathering import drawn_sample, gather
from workbench.campaign import assigning
from workbench.campaign.assigning.drawing import allocated, choose_seconds, draw
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.assigning.assignments import Assignment
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def assigned(small: Campaign) -> Campaign:
    """`small` with its topics given to Ann; Ben is an assessor too."""
    with small.write():
        for name in ("Ann", "Ben"):
            members.put(small.by("Olga", NOW), name, "assessor")
    assigning.choose_who_judges(small.by("Olga", NOW), "assigned")
    assigning.assign(small.by("Olga", NOW), ["1", "2", "10"], ["Ann"])
    return small


def test_the_same_seed_draws_the_same_pairs_and_others_others() -> None:
    frame = {("1", f"d{number}"): "all" for number in range(100)}
    first = draw(frame, 0.1, 7, "proportional")
    assert len(first) == 10
    assert {pair.inclusion_probability for pair in first} == {0.1}
    assert draw(dict(reversed(frame.items())), 0.1, 7, "proportional") == first
    assert draw(frame, 0.1, 8, "proportional") != first


def test_every_pair_is_drawn_about_as_often_as_its_probability_says() -> None:
    frame = {("1", f"d{number}"): "all" for number in range(10)}
    seen = [pair.document_id for seed in range(500) for pair in draw(frame, 0.3, seed, "proportional")]
    # 500 draws of 3 in 10: 150 times each; four standard deviations are 41.
    assert all(abs(seen.count(f"d{number}") - 150) < 41 for number in range(10))


@pytest.mark.parametrize(
    ("sizes", "share", "proportional", "equal"),
    [
        ({"0": 90, "1": 10}, 0.1, {"0": 9, "1": 1}, {"0": 5, "1": 5}),
        ({"0": 94, "1": 4, "2": 2}, 0.15, {"0": 14, "1": 1, "2": 1}, {"0": 9, "1": 4, "2": 2}),
        ({"0": 5}, 0.5, {"0": 3}, {"0": 3}),
        ({"0": 9, "1": 9, "2": 9}, 0.1, {"0": 1, "1": 1, "2": 1}, {"0": 1, "1": 1, "2": 1}),
        ({"0": 3, "1": 1}, 1.0, {"0": 3, "1": 1}, {"0": 3, "1": 1}),
    ],
)
def test_strata_give_their_share_or_equally_many(
    sizes: dict[str, int], share: float, proportional: dict[str, int], equal: dict[str, int]
) -> None:
    assert allocated(sizes, share, "proportional") == proportional
    assert allocated(sizes, share, "equal") == equal


@given(
    st.dictionaries(st.text(max_size=2), st.integers(1, 50), min_size=1, max_size=6),
    st.floats(0.001, 1),
    st.sampled_from(["proportional", "equal"]),
)
def test_every_stratum_gives_at_least_one_pair_and_no_more_than_it_has(
    sizes: dict[str, int], share: float, allocate: str
) -> None:
    wanted = allocated(sizes, share, allocate)
    assert wanted.keys() == sizes.keys()
    assert all(1 <= wanted[name] <= size for name, size in sizes.items())
    assert Fraction(sum(wanted.values())) <= sum(sizes.values())


def test_second_assessors_get_about_as_many_pairs_and_never_their_own_topics() -> None:
    there = [Assignment("1", "Ann", "whole", 1), Assignment("4", "Cid", "second", 1)]
    found = choose_seconds({"1": 5, "2": 3, "3": 3, "4": 6}, there, ["Ann", "Ben", "Cid"], seed=1)
    assert found == {"1": "Ben", "2": "Ann", "3": "Ann"}
    with refused(CampaignError):
        choose_seconds({"1": 5}, there, ["Ann"], seed=1)


def test_who_took_a_topic_or_judged_in_it_is_not_its_second_assessor(assigned: Campaign) -> None:
    judge_as(assigned, "Ann", "1", "d1", 1)
    assigning.unassign(assigned.by("Olga", NOW), ["Ann", "Ben", "Cid"], parts=["whole"])
    assigning.choose_who_judges(assigned.by("Olga", NOW), "claimed")
    for topic_id, name in (("2", "Ben"), ("10", "Ann")):
        assigning.claim(assigned, topic_id, name, now=NOW)
    drawn = assigning.draw_double(assigned.by("Olga", NOW), 1.0, 1)
    assert drawn.seconds == {"1": "Ben", "2": "Ann", "10": "Ben"}


def test_a_later_draw_takes_what_no_earlier_one_could(assigned: Campaign) -> None:
    judge_as(assigned, "Ann", "1", "d1", 1)
    judge_as(assigned, "Ann", "1", "d2", 0)
    first = assigning.draw_double(assigned.by("Olga", NOW), 0.1, 7, stratify="grade")
    assert first.strata == {"0": (1, 1), "1": (1, 1)}
    with refused(CampaignError):
        assigning.draw_double(assigned.by("Olga", NOW), 0.1, 7, stratify="grade")
    judge_as(assigned, "Ann", "2", "d1", 1)
    later = assigning.draw_double(assigned.by("Olga", NOW), 0.1, 8, stratify="grade")
    assert later.strata == {"1": (1, 1)}
    assert draws.drawn(assigned) == {"1": {"d1", "d2"}, "2": {"d1"}}


def test_a_pair_that_is_graded_right_after_a_draw_is_in_the_next(assigned: Campaign) -> None:
    for number, document_id in enumerate(("d1", "d2", "d4")):
        judge_as(assigned, "Ann", "1", document_id, 1)
        drawn = assigning.draw_double(assigned.by("Olga", NOW), 1.0, 7, stratify="grade")
        assert drawn.strata == {"1": (1, 1)}, number


def test_agreement_takes_each_drawn_pair_for_those_it_stands_for(assigned: Campaign) -> None:
    for document_id, grade in {"d1": 1, "d2": 0, "d4": 0}.items():
        judge_as(assigned, "Ann", "1", document_id, grade)
    assigning.draw_double(assigned.by("Olga", NOW), 0.5, 7, stratify="grade")
    sample = drawn_sample(assigned)
    # One of one pair with grade 1, one of two with grade 0.
    assert sorted((drawn.weight, drawn.stratum) for drawn in sample.values()) == [(1.0, 0), (2.0, 1)]
    for topic_id, document_id in sample:
        judge_as(assigned, "Ben", topic_id, document_id, 1)
    found = gather(assigned, sample=sample)
    assert sorted(found.weights.tolist()) == [1.0, 2.0]


def test_where_everybody_judges_everything_nobody_is_second(small: Campaign) -> None:
    with pytest.raises(CampaignError, match=r"workbench assign who \S+/small.db assigned"):
        assigning.draw_double(small.by("Olga"), 0.1, 1)


@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan")])
def test_a_share_that_is_none_is_refused(assigned: Campaign, share: float) -> None:
    with refused(CampaignError):
        assigning.draw_double(assigned.by("Olga"), share, 1)
