"""Leaving out teams or runs, as pages, files, the API and figures ask for it: in sheets and in sentences."""

from __future__ import annotations

from typing import Annotated

from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.analysis.reuse.origin import By
from workbench.analysis.reuse.report import Reuse, reuse
from workbench.analysis.reuse.rows import KeptPairs, LostScore
from workbench.core.parameters import Limits
from workbench.core.wording import counted, listed
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.jobs.processes import OnStep, counting
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs

LINES = 2_000_000
"""Runs times ranked documents, from which on it may take seconds."""

Depth = Annotated[
    int, Limits("Pools to this depth in the place of the campaign's", least=1, most=runs.LARGEST_DEPTH)
]


def _is_large(campaign: Campaign, values: Values) -> bool:
    stored = runs.in_force(campaign)
    return len(stored) * sum(run.record.lines for run in stored) > LINES


SCORES = ("run", "score", "score_without")
RANKS = ("rank", "rank_without")
LAST = "unique_relevant"
"""The last column: it is of all that is left out, so the same for the runs of a team."""


def sheet_for_programs(found: Reuse) -> Sheet:
    """A row for each run that is left out, alone or with its team."""
    return sheet_of(LostScore, _rows(found), ("left_out", *SCORES, "change", *RANKS, LAST))


def sheet_for_people(found: Reuse) -> Sheet:
    """The same with the change in percent; runs alone have no second name."""
    first = ("left_out",) if found.by == "team" else ()
    names = (*first, *SCORES, "change_percent", *RANKS, LAST)
    return sheet_of(LostScore, _rows(found), names, {"score": str(found.measure)})


def _rows(found: Reuse) -> list[LostScore]:
    return [LostScore(row, run) for row in found.rows for run in row.runs]


PAIRS = ("left_out", "before", "agree", "lost", "gained", "reversed")


def sheet_of_pairs(found: Reuse) -> Sheet | None:
    """What becomes of the pairs of runs that differ significantly; None where they were not tested."""
    rows = [KeptPairs(row.name, row.preserved) for row in found.rows if row.preserved is not None]
    return sheet_of(KeptPairs, rows, PAIRS) if rows else None


LEVELS = {
    "red": "Red: scores of runs that did not take part are not to be trusted",
    "amber": "Amber: scores of runs that did not take part may be too low",
    "fine": "Fine: no sign that runs that did not take part would be scored unfairly",
    "unknown": "Nothing can be said yet",
}
"""What each level of the verdict means."""


def summary(found: Reuse) -> list[str]:
    """The verdict, its reasons, and what the numbers mean."""
    sentences = [f"{LEVELS[found.verdict.level]}.", *(reason.words for reason in found.verdict.reasons)]
    if found.rows:
        share = 100 * found.unique_relevant / found.relevant
        sentences.append(
            f"{found.unique_relevant:,} of {counted(found.relevant, 'relevant document')} ({share:.1f} %) were put "
            f"into the pools by one {found.by} alone."
        )
    if found.outside:
        sentences.append(
            f"{counted(found.outside, 'judged pair')} that no run put into a pool, such as imported ones, stay "
            "whatever is left out."
        )
    if found.rows and found.not_left_out:
        sentences.append(
            f"{counted(len(found.not_left_out), 'run')} put nothing into the pools and cannot be left out: "
            f"{listed(found.not_left_out)}."
        )
    if found.rows and found.by == "team" and all(row.runs[0].run == row.name for row in found.rows):
        sentences.append("No run names a team, so each counts as a team of its own.")
    return [*sentences, *found.notes]


@analysis(
    "reuse", called="Leaving out", sheet=sheet_for_programs, people=sheet_for_people, is_large=_is_large
)
def leaving_out(
    campaign: Campaign,
    on_step: OnStep,
    *,
    measure: MeasureName = "AP",
    by: Annotated[By, Limits("What is left out")] = "team",
    depth: Depth | None = None,
) -> Reuse:
    """What leaving out each team does, or each run, with a verdict on whether others can reuse the judgments."""
    steps = counting(on_step, "Scoring again", noun=by)
    return reuse(campaign, measure, by=by, depth=depth, progress=steps)


REUSE = ANALYSES["reuse"]
