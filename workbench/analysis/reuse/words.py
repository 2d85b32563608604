"""What leaving out shows, in sentences."""

from __future__ import annotations

from workbench.analysis.reuse.report import Reuse
from workbench.core.wording import counted, listed

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
    if any(row.pairs_at_cost is not None for row in found.rows):
        sentences.append(
            "At the same cost: by the pool that the other runs would have made for as many pairs. Its pairs without a "
            "judgment count as not relevant."
        )
    return [*sentences, *found.notes]
