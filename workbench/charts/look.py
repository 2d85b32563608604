"""How charts look: the letters, lines and colours of the pages around them.

The colours of series are those of Okabe and Ito (jfly.uni-koeln.de/color, 2008), which people with any common form of
colour blindness can tell apart; what is ordered has one hue that gets darker; what is unjudged is grey.
"""

from __future__ import annotations

from typing import Any

SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK, INK_2, LINE, ACCENT = "#1b1c1f", "#55585f", "#e3e2de", "#0b5cad"
UNJUDGED = "#b4b5b8"
NOT_RELEVANT = "#e3e2de"
RELEVANT = ("#9cc3e8", "#6099d3", "#3c82c6", "#1c66ae", "#0a4585")
"""From the smallest relevant grade to the highest."""

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
