"""Whether others can reuse the judgments, for the organisers: teams and runs left out, with a verdict."""

from __future__ import annotations

from workbench.analysis.reuse.declared import LEVELS, REUSE, sheet_for_people, sheet_of_pairs, summary
from workbench.analysis.reuse.report import Reuse
from workbench.analysis.reuse.rows import TEST
from workbench.analysis.reuse.verdict import level_of
from workbench.formats.tables.sheets import printed_rows
from workbench.scoring.board import DEFAULT_MEASURES
from workbench.web.access.rules import Pages
from workbench.web.analysis.result_pages import ResultRequest, result_page

blueprint = Pages("reuse", __name__)

SHOWN_TOPICS = 10
"""This many topics are listed, those of which least is judged."""

WAYS = {"team": "Teams", "run": "Runs"}


@result_page(blueprint, REUSE, "/reuse")
def page(found: Reuse, asked: ResultRequest) -> str:
    """What leaving out each team does, or each run (`?by=run`), by `?measure=`, with pools to `?depth=`."""
    sheet = sheet_for_people(found)
    lowest = found.measure.best == "lowest"
    levels = [level_of(row, lowest_is_best=lowest) for row in found.rows for _ in row.runs]
    return asked.page(
        "analysis/reuse/page.html",
        found,
        lead=LEVELS[found.verdict.level],
        sentences=summary(found)[1 + len(found.verdict.reasons) :],
        sheet=sheet,
        rows=list(zip(levels, printed_rows(sheet), strict=True)),
        kept=sheet_of_pairs(found),
        least=sorted(found.coverage.topics.items(), key=lambda one: one[1])[:SHOWN_TOPICS],
        by_run=sorted(found.coverage.runs.items(), key=lambda one: one[1])[:SHOWN_TOPICS],
        ways=WAYS,
        measures=DEFAULT_MEASURES,
        test=TEST,
    )
