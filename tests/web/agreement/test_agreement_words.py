"""What the pages of agreement say, and where values stand on their lines."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.sentences import says
from workbench.methods.statistics.agreement import Coefficient
from workbench.methods.statistics.intervals import Interval
from workbench.web.agreement import agreement_words as words
from workbench.web.agreement.agreement_words import AGREEMENT_LINE, Line


def test_a_value_stands_on_its_line_or_at_an_end() -> None:
    assert [Line(0.0, 1.0).place(value) for value in (0.0, 0.5, 1.0, 1.5)] == [4.0, 80.0, 156.0, 156.0]
    assert [AGREEMENT_LINE.place(value) for value in (-0.2, 0.4)] == [4.0, 80.0]
    assert (Line(2.0, 4.0).place(1.0), Line(0.3, 0.3).place(0.3)) == (4.0, 4.0)


def test_the_line_of_ranges_holds_every_run() -> None:
    places = ((0.3, 0.5, 0.4), (0.35, 0.45, 0.6))
    ranges = [SimpleNamespace(lowest=low, highest=high, score=score) for low, high, score in places]
    effect: Any = SimpleNamespace(ranges=ranges)
    assert Line.of_ranges(effect) == Line(0.3, 0.6)
    effect.ranges = []
    assert Line.of_ranges(effect) == Line(0.0, 1.0)


def test_numbers_have_a_minus_and_what_is_not_defined_has_none() -> None:
    assert words.number(-0.1234) == "−0.123"
    assert words.number(None) == "not defined"
    assert words.interval(Interval(-0.5, 0.25)) == "−0.50 to 0.25"
    assert words.percent(0.666) == "67 %"


def test_of_two_assessors_all_cells_are_shown_and_of_more_each_pair_of_grades_once() -> None:
    table = np.array([[6.0, 2.0], [0.0, 1000.5]])
    two: Any = SimpleNamespace(table=table, met=None, assessors=("Ben", "Carla"))
    assert words.matrix_of(two) == [[("6", 1), ("2", 1)], [("0", 0), ("1,000.5", words.SHADES)]]
    more: Any = SimpleNamespace(table=None, met=np.array([[3.0, 1.0], [1.0, 1.0]]), assessors=("a", "b", "c"))
    first, second = words.matrix_of(more)
    assert second[0] == ("", 0)
    assert [text for text, _ in first] == ["3", "1"]
    nobody: Any = SimpleNamespace(table=np.zeros((2, 2)), met=None, assessors=("Ben", "Carla"))
    assert words.matrix_of(nobody) == [[("0", 0), ("0", 0)]] * 2


def test_a_quarter_has_the_darkest_shade() -> None:
    assert [words._shade(share) for share in (0.0, 1e-9, 0.08, 0.09, 0.2)] == [0, 1, 1, 2, 3]
    assert [words._shade(share) for share in (0.25, 1.0)] == [words.SHADES] * 2


@pytest.mark.parametrize(
    ("by", "shared", "raw"),
    [("campaign", 0, None), ("assessor", 0, None), ("topic", 2, None), ("pair", 1, None),
     ("assessor", 1, None), ("campaign", 7, Coefficient("raw agreement", None, None, 3)),
     ("campaign", 7, Coefficient("raw agreement", 0.75, Interval(0.5, 0.9), 3))],
)  # fmt: skip
def test_the_page_says_first_how_many_pairs_were_judged_twice(by: str, shared: int, raw: Any) -> None:
    found: Any = SimpleNamespace(by=by, shared=shared, weighted=False)
    scope: Any = None if raw is None else SimpleNamespace(pairs=3, binary=[raw])
    assert says(words.lead_of(found, scope))


@pytest.mark.parametrize(
    ("tau", "ranks"),
    [(0.9, "1-1 2-2"), (0.8999, "1-2 2-2 1-3"), (None, "1-1 1-1"), (0.9, "1-1")],
    ids=["the same order", "another order", "all runs equal", "one run"],
)
def test_what_disagreement_does_is_one_sentence(tau: float | None, ranks: str) -> None:
    ranges = [
        SimpleNamespace(best_rank=int(best), worst_rank=int(worst))
        for best, worst in (pair.split("-") for pair in ranks.split())
    ]
    effect: Any = SimpleNamespace(shared_topics=1, ranges=ranges, tau_mean=tau, choices=1000)
    assert says(words.lead_of_effect(effect))
    effect.shared_topics = 0
    assert says(words.lead_of_effect(effect))
