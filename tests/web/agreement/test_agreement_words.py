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


@pytest.mark.parametrize(
    ("line", "value", "pixels"),
    [
        (Line(0.0, 1.0), 0.0, 4.0),
        (Line(0.0, 1.0), 0.5, 80.0),
        (Line(0.0, 1.0), 1.0, 156.0),
        (Line(0.0, 1.0), 1.5, 156.0),
        (Line(2.0, 4.0), 1.0, 4.0),
        (Line(0.3, 0.3), 0.3, 4.0),
        (AGREEMENT_LINE, -0.2, 4.0),
        (AGREEMENT_LINE, 0.4, 80.0),
    ],
)
def test_a_value_stands_on_its_line_or_at_an_end(line: Line, value: float, pixels: float) -> None:
    assert line.place(value) == pixels


def test_the_line_of_ranges_holds_every_run() -> None:
    ranges = [
        SimpleNamespace(lowest=0.3, highest=0.5, score=0.4),
        SimpleNamespace(lowest=0.35, highest=0.45, score=0.6),
    ]
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


@pytest.mark.parametrize(
    ("share", "shade"),
    [(0.0, 0), (1e-9, 1), (0.08, 1), (0.09, 2), (0.2, 3), (0.25, words.SHADES), (1.0, words.SHADES)],
)
def test_a_quarter_has_the_darkest_shade(share: float, shade: int) -> None:
    assert words._shade(share) == shade


@pytest.mark.parametrize(
    ("by", "shared", "raw"),
    [
        ("campaign", 0, None),
        ("assessor", 0, None),
        ("topic", 2, None),
        ("pair", 1, None),
        ("assessor", 1, None),
        ("campaign", 7, Coefficient("raw agreement", None, None, 3)),
        ("campaign", 7, Coefficient("raw agreement", 0.75, Interval(0.5, 0.9), 3)),
    ],
)
def test_the_page_says_first_how_many_pairs_were_judged_twice(by: str, shared: int, raw: Any) -> None:
    found: Any = SimpleNamespace(by=by, shared=shared, weighted=False)
    scope: Any = None if raw is None else SimpleNamespace(pairs=3, binary=[raw])
    assert says(words.lead_of(found, scope))


@pytest.mark.parametrize(
    ("tau", "ranks", "said"),
    [
        (
            0.9,
            [(1, 1), (2, 2)],
            "With another choice of assessors the order of the runs would stay much the same: tau 0.900 on average "
            "over 1,000 choices; 0 runs of 2 would change rank.",
        ),
        (
            0.8999,
            [(1, 2), (2, 2), (1, 3)],
            "With another choice of assessors the order of the runs would change noticeably: tau 0.900 on average over "
            "1,000 choices; 2 runs of 3 would change rank.",
        ),
        (None, [(1, 1), (1, 1)], "By the campaign’s own grades, or by every choice of assessors, all runs"),
        (0.9, [(1, 1)], "There are too few runs to compare orders."),
    ],
)
def test_what_disagreement_does_is_one_sentence(
    tau: float | None, ranks: list[tuple[int, int]], said: str
) -> None:
    ranges = [SimpleNamespace(best_rank=best, worst_rank=worst) for best, worst in ranks]
    effect: Any = SimpleNamespace(shared_topics=1, ranges=ranges, tau_mean=tau, choices=1000)
    assert words.lead_of_effect(effect).startswith(said)
    effect.shared_topics = 0
    assert says(words.lead_of_effect(effect))
