"""Figures of a campaign by name: what pages show, `workbench plot` writes, and anybody can ask for as a file.

A figure is one function from a campaign to a chart, with one decorator line:

    @figure("topic-scores")
    def topic_scores(campaign: Campaign, *, run: str, measure: str = "AP", as_of: int | None = None) -> Chart: ...

A figure that needs rankings and judgments alone may be drawn from files too: `@figure("topic-roc", files=True)`.
Its keyword-only parameters are what the address of a figure and the command line may say.
"""

from __future__ import annotations

from workbench.figures.registry import FIGURES, Figure, draw, figure, load_figures

__all__ = ["FIGURES", "Figure", "draw", "figure", "load_figures"]
