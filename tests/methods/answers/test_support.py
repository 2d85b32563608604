"""Measures of support, by hand and with their properties."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.answers.support import SUPPORT_MEASURES, CitedSentence, packed

FULL, HALF, NONE = 1.0, 0.5, 0.0

sentences = st.lists(
    st.builds(
        lambda words, cited: CitedSentence(words, tuple(w for w, _ in cited), tuple(c for _, c in cited)),
        st.integers(0, 40),
        st.lists(st.tuples(st.sampled_from([FULL, HALF, NONE]), st.booleans()), max_size=4),
    ),
    max_size=6,
)


def scores(*answer: CitedSentence) -> dict[str, float]:
    return {name: measure.of(packed([answer])).item() for name, measure in SUPPORT_MEASURES.items()}


def test_the_scores_of_an_answer_by_hand() -> None:
    # Four sentences: one with a half and a full citation, one with none, one with no support and a contradiction,
    # one with half support alone. Five citations.
    answer = (
        CitedSentence(10, (HALF, FULL), (False, False)),
        CitedSentence(5),
        CitedSentence(7, (NONE, NONE), (False, True)),
        CitedSentence(8, (HALF,), (False,)),
    )
    assert scores(*answer) == {
        "weighted_precision": 2 / 5,  # (½ + 1 + 0 + 0 + ½) / 5
        "weighted_recall_first": 1 / 4,  # (½ + 0 + 0 + ½) / 4
        "weighted_recall_maximum": 1.5 / 4,  # (1 + 0 + 0 + ½) / 4
        "weighted_recall_mean": 1.25 / 4,  # (¾ + 0 + 0 + ½) / 4
        "strict_precision": 1 / 5,
        "relaxed_precision": 3 / 5,
        "strict_recall": 1 / 4,
        "relaxed_recall": 2 / 4,
        "strict_sentence_precision": 0.5 / 4,  # (½ + 0 + 0 + 0) / 4
        "relaxed_sentence_precision": 2 / 4,  # (1 + 0 + 0 + 1) / 4
        "contradicted_share": 1 / 5,
        "cited_share": 3 / 4,
        "words": 30,
    }


def test_no_sentences_and_no_citations_have_zero() -> None:
    assert set(scores().values()) == {0}
    assert {name for name, value in scores(CitedSentence(3)).items() if value} == {"words"}


@given(sentences)
def test_with_one_citation_a_sentence_the_rules_agree_as_do_precision_and_recall(
    answer: list[CitedSentence],
) -> None:
    one = [
        each._replace(worth=each.worth[:1], contradicts=each.contradicts[:1]) for each in answer if each.worth
    ]
    found = scores(*one)
    rules = {found[f"weighted_recall_{rule}"] for rule in ("first", "maximum", "mean")}
    assert rules == {found["weighted_precision"]}
    assert found["strict_precision"] == found["strict_recall"] == found["strict_sentence_precision"]


@given(sentences)
def test_strict_is_at_most_weighted_and_weighted_at_most_relaxed(answer: list[CitedSentence]) -> None:
    found = scores(*answer)
    assert found["strict_precision"] <= found["weighted_precision"] <= found["relaxed_precision"]
    assert found["strict_recall"] <= found["weighted_recall_maximum"] <= found["relaxed_recall"]
    for rule in ("first", "mean"):
        assert found[f"weighted_recall_{rule}"] <= found["weighted_recall_maximum"]
    assert found["relaxed_recall"] <= found["cited_share"]
    assert all(0 <= value <= 1 for name, value in found.items() if name != "words")


@pytest.mark.parametrize("name", [name for name, measure in SUPPORT_MEASURES.items() if measure.judged])
@given(sentences)
def test_more_support_never_lowers_a_score_and_the_order_of_sentences_changes_none(
    name: str, answer: list[CitedSentence]
) -> None:
    measure = SUPPORT_MEASURES[name]
    full = [
        each._replace(worth=(FULL,) * len(each.worth), contradicts=(True,) * len(each.worth))
        for each in answer
    ]
    value, better, reversed_ = measure.of(packed([answer, full, answer[::-1]])).tolist()
    assert better >= value
    assert reversed_ == value


@given(sentences, st.integers(2, 5))
def test_an_answer_said_several_times_has_the_same_shares(answer: list[CitedSentence], times: int) -> None:
    once, often = scores(*answer), scores(*answer * times)
    assert all(math.isclose(once[name] * (times if name == "words" else 1), often[name]) for name in once)


@pytest.mark.parametrize("name", SUPPORT_MEASURES)
def test_each_measure_says_its_formula_and_source(name: str) -> None:
    assert all(f"\n\n{word}:" in SUPPORT_MEASURES[name].prose for word in ("Formula", "Source"))
