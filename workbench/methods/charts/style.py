"""How charts look: the letters, lines and colours of the pages around them.

The colours of series are those of Okabe and Ito (jfly.uni-koeln.de/color, 2008), which people with any common form of
colour blindness can tell apart; what is ordered has one hue that gets darker; what is unjudged is grey.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK, INK_2, LINE, ACCENT = "#1b1c1f", "#55585f", "#e3e2de", "#0b5cad"
UNJUDGED = "#b4b5b8"
"""What has this colour is hatched wherever a chart is shown, as unjudged documents are on every page."""
NOT_RELEVANT = "#ded9cc"
SPECIAL = "#b45309"
"""Grades below 0."""
RELEVANT = ("#9cc3e8", "#6099d3", "#3c82c6", "#1c66ae", "#0a4585")
"""From the smallest relevant grade to the highest."""

DARK: Mapping[str, str] = MappingProxyType(
    {
        INK: "#e4e4e1",
        INK_2: "#a8abb2",
        LINE: "#2d2f34",
        ACCENT: "#7cb5ee",
        UNJUDGED: "#63666d",
        NOT_RELEVANT: "#47443d",
        SPECIAL: "#e9a05a",
        **dict(zip(RELEVANT, ("#35689c", "#4a86c5", "#7cb5ee", "#a6cef5", "#d6e9fc"), strict=True)),
        "#0072B2": "#3a94d6",
        "#000000": "#f4f4f1",
    }
)
"""What a page in the dark shows instead of each colour of paper; other colours are read on both."""


def relevant_colours(steps: int) -> tuple[str, ...]:
    """A colour for each of `steps` relevant grades, spread over the ramp, whose lightest is for a fifth grade only.

    More than five grades share some.
    """
    ramp = RELEVANT if steps >= len(RELEVANT) else RELEVANT[1:]
    if steps == 1:
        return (RELEVANT[3],)
    last = len(ramp) - 1
    return tuple(ramp[(2 * last * step + steps - 1) // (2 * steps - 2)] for step in range(steps))


SANS = "system-ui, Segoe UI, Roboto, Noto Sans, Helvetica Neue, Arial, DejaVu Sans, sans-serif"

CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": SANS,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK_2,
        "titleColor": INK,
        "titleFontWeight": 500,
        "titlePadding": 8,
        "labelFontSize": 12,
        "titleFontSize": 13,
        "gridColor": LINE,
        "domainColor": LINE,
        "tickColor": LINE,
        "labelLimit": 240,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": INK_2,
        "titleFontWeight": 500,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 240,
        "orient": "top",
    },
    "header": {"labelColor": INK, "titleColor": INK_2, "labelFontSize": 12, "titleFontSize": 12},
    "text": {"color": INK},
    "rule": {"color": INK_2},
    "range": {"category": list(SERIES)},
    "point": {"filled": True, "size": 40},
    "line": {"strokeWidth": 2},
}


WIDE = 960
"""Pixels across of a chart that a page draws as wide as itself, in a file."""

TOPIC_STEP = 14.0
"""Pixels for each topic where they have room: enough for a name."""

MOST_ACROSS, WIDEST_BAR = 30, 32
"""Up to so many topics stand side by side, with bars of at most so many pixels; more of them stand below each other."""

MOST_DOWN = 100
"""So many topics have `TOPIC_STEP`; more stand closer, and every n-th has its name."""


def topic_step(topics: int) -> float:
    """Pixels for each of so many topics that stand below each other."""
    return TOPIC_STEP * min(1.0, MOST_DOWN / max(1, topics))


def every(step: float, room: float) -> int:
    """Every how many of the marks that stand `step` pixels apart a name of `room` pixels fits: 1, 2, 5, 10, 20 ..."""
    return next(n for ten in (1, 10, 100, 1_000) for n in (ten, 2 * ten, 5 * ten) if n * step >= room)


def mark_size(usual: float, step: float) -> float:
    """The area of a mark, smaller where marks stand closer than `TOPIC_STEP`, so that each can be seen."""
    return max(6.0, usual * min(1.0, 2 * step / TOPIC_STEP) ** 2)
