"""The page of battles, for the organisers: strengths of runs beside the leaderboard of a measure."""

from __future__ import annotations

from flask import g

from workbench.analysis.battles.board import BATTLES, BattleBoard, measures_of, questions_of
from workbench.analysis.battles.report import sentences, sheets_of
from workbench.core.battles import CLASSES
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import ResultRequest, result_page

blueprint = Pages("battles", __name__)


@result_page(blueprint, BATTLES, "/battles")
def page(found: BattleBoard, asked: ResultRequest) -> str:
    """The runs by the battles of `?pairs=`, and by `?measure=`."""
    report = found.battles
    _, corrected, agreement = (None, None, None) if report is None else sheets_of(report)
    return asked.page(
        "analysis/battles/page.html",
        found,
        lead=lead_of(found),
        sentences=[] if report is None else list(sentences(report)),
        runs=asked.table(BATTLES.sheet(found), "run"),
        corrected=corrected,
        agreement=agreement,
        about_pairs=questions_of(g.campaign),
        classes=("all", *CLASSES),
        measures=dict.fromkeys([*measures_of(g.campaign), asked.values["measure"]]),
    )


def lead_of(found: BattleBoard) -> str:
    """What the page says first."""
    if (both := found.agreement) is None:
        return f"There is no leaderboard by battles: {found.reason}."
    runs, reach = f"By battles and by {both.one} the {both.runs:,} runs", ""
    if both.runs < 2:
        return f"Battles and {both.one} have too few runs in common to compare their leaderboards."
    if both.tau_b is None or both.tau_ap_b is None:
        return f"{runs} cannot be compared: one of the leaderboards has all of them tied."
    if draws := both.tau_b_draws:
        reach = f" (in 95 % of draws of topics {draws.low:.3f} to {draws.high:.3f}, no confidence interval)"
    return f"{runs} have tau {both.tau_b:.3f}{reach}, and tau_AP {both.tau_ap_b:.3f}."
