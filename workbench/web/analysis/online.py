"""The page of leaderboards against what users did."""

from __future__ import annotations

from workbench.analysis.online.agreement import DRAWS, ONLINE, OnlineAgreement, RunOnline
from workbench.core.wording import listed
from workbench.formats.tables.sheets import sheet_of
from workbench.methods.online.metrics import CUTOFF, USUAL
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import ResultRequest, result_page

blueprint = Pages("online", __name__)


@result_page(blueprint, ONLINE, "/online")
def page(found: OnlineAgreement, asked: ResultRequest) -> str:
    """How far each measure agrees with users by `?metric=`, and the metric of each run."""
    top = found.measures[0].tau_b if found.measures else None
    return asked.page(
        "analysis/online/page.html",
        found,
        measures=asked.table(ONLINE.sheet(found), "measure"),
        runs=sheet_of(RunOnline, found.runs),
        metrics={name: metric.words.replace(" k ", f" {CUTOFF} ") for name, metric in USUAL.items()},
        best=[each.measure for each in found.measures if top is not None and each.tau_b == top],
        listed=listed,
        draws=DRAWS,
        drawn=found.measures[0].measure if found.measures and len(found.runs) > 1 else "",
    )
