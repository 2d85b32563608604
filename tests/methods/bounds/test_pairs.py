from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.methods.bounds.conftest import topic_of, topics
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.pairs import PairBounds, Pairs, pair_bounds, runs_within
from workbench.methods.bounds.registry import differences
from workbench.methods.measures import parse_measure

A, B, C = 0, 1, 2


def bounds_of(name: str, *several: TopicRuns) -> PairBounds:
    found = pair_bounds(differences(parse_measure(name), top_grade=1), len(several[0]), 20)
    for number, topic in enumerate(several):
        found.put(number, topic)
    return found


def test_a_lead_that_the_open_documents_cannot_make_up_is_certain_with_0_for_a_missing_topic() -> None:
    # On two topics A has two relevant documents on top; of B's three one is open on one of them.
    first = topic_of([[0, 1, 2], [3, 4, 5]], [1, 1, 0, POOLED, 0, 0])
    second = topic_of([[0, 1, 2], [3, 4, 5]], [1, 1, 0, 0, 0, 0])
    found = bounds_of("P@3", first, second).pairs(2)
    assert found.difference[A, B] == pytest.approx(2 / 3)
    assert (found.lower[A, B], found.upper[A, B]) == pytest.approx((1 / 2, 2 / 3))
    assert (found.state(A, B), found.state(B, A)) == ("certain", "certain")
    assert not found.open.any()
    both = topic_of([[0], [1]], [1, 1])
    one = topic_of([[0], []], [1])
    found = bounds_of("P@1", both, one).pairs(2)
    assert found.difference[A, B] == pytest.approx(1 / 2)
    assert found.state(A, B) == "certain"


@pytest.mark.parametrize(("labels", "lower"), [([1, 0, POOLED, POOLED], -1 / 2), ([1, 0, POOLED, 0], 0)])
def test_a_pair_that_more_judging_can_swap_or_make_level_is_open(labels: list[int], lower: float) -> None:
    found = bounds_of("P@2", topic_of([[0, 1], [2, 3]], labels)).pairs(1)
    assert (found.lower[A, B], found.upper[A, B]) == pytest.approx((lower, 1 / 2))
    assert found.state(A, B) == "open"


def test_runs_are_tied_for_certain_only_with_the_same_documents_at_the_same_ranks() -> None:
    found = bounds_of("RBP(p=0.8)", topic_of([[0, 1], [0, 1], [1, 0]], [POOLED, POOLED])).pairs(1)
    assert (found.state(A, B), found.state(A, C)) == ("tied for certain", "open")
    assert found.open.sum() == 4
    found = bounds_of("P@1", topic_of([[0]], [POOLED])).pairs(1)
    assert not found.open.any()


GRADED = "nDCG(gains={0:0.5,1:1,2:4})@3"


@pytest.mark.parametrize(
    "name", ["P@3", "RBP(p=0.8)", "DCG", "nDCG@3", GRADED, "R@3", "RR", "Success@2", "AP"]
)
@settings(max_examples=15)
@given(topic=topics(n_runs=3), other=topics(n_runs=3), data=st.data())
def test_following_judgments_gives_what_a_new_beginning_gives(
    name: str, topic: TopicRuns, other: TopicRuns, data: st.DataObject
) -> None:
    followed = bounds_of(name, topic, other)
    for document in range(len(topic.label)):
        before = int(topic.label[document])
        now = data.draw(st.sampled_from([-2, 0, 1, 2, POOLED, UNJUDGED]))
        topic = topic.completed(np.array([document]), np.array([now], np.int16))
        followed.relabel(0, topic, np.array([document]), np.array([before], np.int16))
    anew = bounds_of(name, topic, other).pairs(2)
    for one, same in zip(followed.pairs(2), anew, strict=True):
        assert one == pytest.approx(same, abs=1e-12)


@pytest.mark.parametrize(
    "name", ["nDCG@5", "nDCG@20", "nDCG(gains={1:1,2:10,3:11})@5", GRADED, "R@9", "RR", "Success@4"]
)
@pytest.mark.parametrize(("seed", "at_a_time"), [(1, 120_000), (2, 120_000), (2, 50)])
def test_each_judgment_of_a_larger_topic_is_followed(
    name: str, seed: int, at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.methods.bounds.normalised.CELLS", at_a_time)
    rng = np.random.default_rng(seed)
    label = np.full(30, POOLED, np.int16)
    label[rng.random(30) < 0.1] = UNJUDGED
    topic = topic_of([rng.permutation(30)[: 10 + 2 * run].tolist() for run in range(6)], label.tolist())
    kind = differences(parse_measure(name), top_grade=3)
    followed = pair_bounds(kind, 6, 20)
    followed.put(1, topic)
    for document in rng.permutation(topic.waiting).tolist():
        grade = np.array([rng.choice([-1, 0, 0, 1, 2, 3])], np.int16)
        topic = topic.completed(np.array([document]), grade)
        followed.relabel(1, topic, np.array([document]), np.array([POOLED], np.int16))
        assert followed.values() == pytest.approx(kind.measure(topic.judged), abs=1e-12)
        assert followed.pairs(1).upper == pytest.approx(kind.highest(topic), abs=1e-12)


@pytest.mark.parametrize("name", ["P@3", "nDCG@3"])
def test_without_room_for_topics_and_from_stored_numbers_the_same_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = topic_of([[0, 1, 2], [2, 3, 1], [4, 0, 3]], [POOLED, 1, POOLED, 0, POOLED])
    other = topic_of([[0, 1], [1], []], [POOLED, POOLED])
    judged = topic.completed(np.array([2]), np.array([1], np.int16))
    monkeypatch.setattr("workbench.methods.bounds.pairs.KEPT_CELLS", 9)  # one topic of three runs
    followed = pair_bounds(differences(parse_measure(name), top_grade=1), 3, 20)
    followed.restore(pickle.loads(pickle.dumps(bounds_of(name, other, topic).numbers())))
    followed.relabel(1, judged, np.array([2]), np.array([POOLED], np.int16))
    for one, same in zip(followed.pairs(2), bounds_of(name, other, judged).pairs(2), strict=True):
        assert one == pytest.approx(same, abs=1e-12)


@given(topic=topics(n_runs=3), data=st.data())
def test_many_judgments_at_once_are_followed_as_one_by_one(topic: TopicRuns, data: st.DataObject) -> None:
    followed = bounds_of("DCG", topic)
    documents, before = np.arange(len(topic.label)), topic.label
    grades = data.draw(st.lists(st.integers(-1, 3), min_size=len(before), max_size=len(before)))
    judged = topic.completed(documents, np.array(grades, np.int16))
    followed.relabel(0, judged, documents, before)
    for one, same in zip(followed.pairs(1), bounds_of("DCG", judged).pairs(1), strict=True):
        assert one == pytest.approx(same, abs=1e-12)


@settings(max_examples=30)
@given(topic=topics(n_runs=3), data=st.data())
def test_a_certain_pair_stays_certain_while_the_pool_is_the_same(
    topic: TopicRuns, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["P@3", "RBP(p=0.8)", "nDCG@3", "R@3", "RR", "AP"]))
    before = bounds_of(name, topic).pairs(1)
    for document in data.draw(st.permutations(topic.waiting.tolist())):
        topic = topic.completed(np.array([document]), np.array([data.draw(st.integers(0, 1))], np.int16))
        found = bounds_of(name, topic).pairs(1)
        assert (found.certain | ~before.certain).all()
        assert (found.tied | ~before.tied).all()
        before = found


def test_a_pool_that_grows_can_open_what_was_certain_between_two_runs_and_no_others() -> None:
    runs = [[0, 1, 2], [3, 4, 5]]
    assert (
        bounds_of("P@3", topic_of(runs, [1, 0, 0, 0, UNJUDGED, UNJUDGED])).pairs(1).state(A, B) == "certain"
    )
    assert bounds_of("P@3", topic_of(runs, [1, 0, 0, 0, POOLED, POOLED])).pairs(1).state(A, B) == "open"
    topic = topic_of([[0, 1, 2], [2, 3, 1], [4, 0, 3]], [POOLED, 1, POOLED, 0, POOLED])
    whole = bounds_of("nDCG@3", topic).pairs(1).of_runs([2, 0])
    alone = bounds_of("nDCG@3", topic.of_runs([2, 0])).pairs(1)
    for one, same in zip(whole, alone, strict=True):
        assert one == pytest.approx(same, abs=1e-12)
    assert isinstance(whole, Pairs)
    assert runs_within(100.0, 10, 100.0) == 10
    assert runs_within(400.0, 10, 100.0) == 5
    assert runs_within(1e12, 10, 100.0) == 2
