"""Figures of a campaign by name: shown on pages, written by `workbench analyse plot`, and available as files.

A figure is one function from a campaign to a chart, with one decorator line:

    @figure("topic-scores")
    def topic_scores(campaign: Campaign, *, run: str, measure: str = "AP") -> Chart: ...

A figure that needs rankings and judgments alone may be drawn from files too: `@figure("topic-roc", files=True)`.
Its keyword-only parameters are what the address of a figure and the command line may say.
"""

from __future__ import annotations

from workbench.analysis.figures.registry import (
    FIGURES,
    Figure,
    draw,
    drawing_takes_long,
    figure,
    load_figures,
)

__all__ = ["FIGURES", "Figure", "draw", "drawing_takes_long", "figure", "load_figures"]
