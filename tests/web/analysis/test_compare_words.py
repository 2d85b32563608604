"""Numbers and lists of comparisons as people read them, and sentences for cases that real campaigns seldom have."""

from __future__ import annotations

import numpy as np
import pytest
from werkzeug.datastructures import MultiDict

from tests.sentences import says
from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.leaderboards import Leaderboard, two_leaderboards
from workbench.analysis.comparing.runs import Comparison, compare
from workbench.analysis.comparing.scores import Scored
from workbench.methods.measures import parse_measure
from workbench.web.analysis import compare_words as words
from workbench.web.analysis.compare_words import PairRow, pair_rows, pairs_list, topics_list

TOPICS = ("1", "2", "3", "4")


def scored(measure: str, **values: list[float]) -> Scored:
    table = np.array(list(values.values()), np.float64).T
    return Scored(9, parse_measure(measure), TOPICS, tuple(values), table, table.mean(axis=0))


def sentence(measure: str, **values: list[float]) -> str:
    found: Comparison = compare(scored(measure, **values), permutations=100)
    return words.difference_sentence(found, found.differences[0])


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (None, "–"),
        (0.00001, "< 0.0001"),
        (0.0001, "0.0001"),
        (0.00999, "0.0100"),
        (0.01, "0.010"),
        (1.0, "1.000"),
    ],
)
def test_a_p_value_has_the_digits_it_deserves(p: float | None, text: str) -> None:
    assert words.p_text(p) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.1, "+0.1000"),
        (-0.25, "−0.2500"),
        (0.00001, "0.0000"),
        (-0.00001, "0.0000"),
        (0.0, "0.0000"),
    ],
)
def test_a_difference_has_a_sign_unless_it_rounds_to_nothing(value: float | None, text: str) -> None:
    assert words.signed(value) == text


def test_only_what_is_certain_has_a_chance_of_100_percent() -> None:
    assert [words.chance_text(chance) for chance in (0.8, 0.994, 0.999, 1.0)] == [
        "80 %",
        "99 %",
        "over 99 %",
        "100 %",
    ]


def test_less_is_ahead_where_less_is_better() -> None:
    # SetE is an error: the baseline's is higher.
    told = sentence("SetE", base=[0.9, 0.8, 0.9, 0.7], run=[0.5, 0.4, 0.6, 0.3])
    assert told.startswith(
        "run is ahead of base by 0.3750 SetE (0.4500 against 0.8250); 4 topics better, 0 worse."
    )


@pytest.mark.parametrize(("measure", "topics"), [("AP", "3412"), ("SetE", "2143")])
def test_topics_begin_with_the_largest_lead_which_is_the_most_negative_where_less_is_better(
    measure: str, topics: str
) -> None:
    table = scored(measure, base=[0.5, 0.5, 0.5, 0.5], run=[0.4, 0.3, 0.9, 0.6])
    rows = words.topic_rows(compare(table, permutations=100))
    assert "".join(topic_id for topic_id, _, _ in rows) == topics


def test_where_nothing_is_better_a_run_is_above_or_below() -> None:
    told = sentence("Judged@10", base=[0.5, 0.5, 0.5, 0.5], run=[1.0, 0.5, 0.7, 0.4])
    assert told.startswith("run is above base by 0.1500 Judged@10")
    assert "2 topics higher, 1 worse" not in told
    assert "2 topics higher, 1 lower, 1 equal" in told
    assert "is not significant" in told


def test_runs_that_never_differ_are_said_to_be_the_same() -> None:
    assert says(sentence("AP", base=[0.5] * 4, run=[0.5] * 4))


def boards(one: dict[str, float], other: dict[str, float]) -> str:
    sides = [
        Leaderboard(name, scored("AP", **{tag: [value] * 4 for tag, value in side.items()}))
        for name, side in (("one", one), ("two", other))
    ]
    return words.boards_sentence(two_leaderboards(*sides, resamples=0))


def test_the_run_that_moves_most_is_named() -> None:
    told = boards({"a": 0.3, "b": 0.2, "c": 0.1}, {"a": 0.1, "b": 0.2, "c": 0.05})
    assert says(told)


def test_boards_that_tie_all_runs_cannot_be_compared() -> None:
    assert says(boards({"a": 0.3, "b": 0.3}, {"a": 0.1, "b": 0.2}))


def test_the_line_of_differences_reaches_as_far_as_the_widest_interval() -> None:
    found = compare(scored("AP", base=[0.5] * 5, run=[0.9, 0.4, 0.6, 0.5, 0.5]), permutations=200)
    (one,) = found.differences
    assert one.interval is not None
    assert words.reach(found) == max(abs(one.interval.low), abs(one.interval.high))
    assert [words.place(value, 0.5) for value in (-0.5, 0.0, 0.25, 0.5)] == [6.0, 60.0, 87.0, 114.0]
    same = compare(scored("AP", base=[0.5] * 4, run=[0.5] * 4), permutations=200)
    assert words.reach(same) == 1.0


P_VALUES = np.array([[1.0, 0.05, 0.01], [0.05, 1.0, 0.3], [0.01, 0.3, 1.0]])
PAIRS = AllPairs(
    seq=9,
    measure=parse_measure("AP"),
    topics=1,
    tags=("run10", "run9", "base"),
    values=np.array([[0.75, 0.5, 0.125]]),
    means=np.array([0.75, 0.5, 0.125]),
    randomised_tukey=P_VALUES,
    baseline=None,
    max_t=None,
    alpha=0.05,
    seed=1,
    permutations=100,
)
ROWS = [
    PairRow("run10", "run9", 0.25, 0.05),
    PairRow("run10", "base", 0.625, 0.01),
    PairRow("run9", "base", 0.375, 0.3),
]


def test_every_pair_stands_there_once_with_the_better_run_first() -> None:
    assert pair_rows(PAIRS, P_VALUES) == ROWS


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ({}, [0, 1, 2]),
        ({"pair-state": "differ"}, [0, 1]),
        ({"pair-state": "level"}, [2]),
        ({"pair-q": "RUN9 base"}, [2]),
        ({"pair-sort": "ahead"}, [2, 0, 1]),
        ({"pair-sort": "-behind"}, [0, 1, 2]),
        ({"pair-sort": "-difference"}, [1, 2, 0]),
        ({"pair-sort": "p"}, [1, 0, 2]),
    ],
)
def test_pairs_are_filtered_searched_and_sorted(address: dict[str, str], found: list[int]) -> None:
    assert pairs_list(PAIRS).matching(ROWS, MultiDict(address)) == [ROWS[place] for place in found]


def test_a_pair_is_named_by_both_of_its_runs() -> None:
    assert pairs_list(PAIRS).ident(ROWS[0]) == "run10\nrun9"


def test_topics_have_a_column_for_each_run_and_for_each_difference_from_the_first() -> None:
    listing = topics_list(
        compare(scored("AP", base=[0.5, 0.2, 0, 0], run=[0.25, 0.5, 0, 0]), permutations=10)
    )
    rows = [("10", (0.5, 0.25), (-0.25,)), ("9", (0.2, 0.5), (0.3,))]
    assert [(each.word, each.title) for each in listing.columns] == [
        ("id", "Topic"),
        ("score0", "base"),
        ("score1", "run"),
        ("difference0", "Difference of run"),
    ]
    assert [[each.key(row) for each in listing.columns[1:]] for row in rows] == [
        [0.5, 0.25, -0.25],
        [0.2, 0.5, 0.3],
    ]
    assert listing.matching(rows, MultiDict({"topic-sort": "id"})) == rows[::-1]
    assert listing.matching(rows, MultiDict({"topic-q": "10"})) == rows[:1]
    assert listing.ident(rows[1]) == "9"
