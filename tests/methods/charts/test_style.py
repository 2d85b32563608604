"""Colours: readable on paper and in the dark, and told apart by everybody."""

from __future__ import annotations

import pytest

from workbench.methods.charts.style import (
    ACCENT,
    DARK,
    INK,
    INK_2,
    NOT_RELEVANT,
    RELEVANT,
    SERIES,
    UNJUDGED,
    relevant_colours,
)

PAPER, NIGHT = "#fdfdfc", "#17181b"


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [INK, INK_2])
def test_words_are_readable_on_paper_and_in_the_dark(colour: str) -> None:
    assert contrast(colour, PAPER) >= 4.5
    assert contrast(DARK[colour], NIGHT) >= 4.5


def test_lines_stand_out_from_the_page_and_a_higher_grade_does_more() -> None:
    assert contrast(ACCENT, PAPER) >= 3
    assert contrast(DARK[ACCENT], NIGHT) >= 3
    assert all(contrast(DARK.get(colour, colour), NIGHT) >= 3 for colour in SERIES)
    on_paper = [luminance(colour) for colour in RELEVANT]
    in_the_dark = [luminance(DARK[colour]) for colour in RELEVANT]
    assert on_paper == sorted(on_paper, reverse=True)
    assert in_the_dark == sorted(in_the_dark)
    assert len({INK, INK_2, ACCENT, UNJUDGED, NOT_RELEVANT, *RELEVANT}) == 5 + len(RELEVANT)


@pytest.mark.parametrize("steps", range(6))
def test_every_relevant_grade_has_a_colour_of_its_own(steps: int) -> None:
    colours = relevant_colours(steps)
    assert len(set(colours)) == len(colours) == steps
    assert UNJUDGED not in colours
    assert NOT_RELEVANT not in colours
