"""Whether systems that took no part can be scored by a release, for its datasheet: what those that did would lose."""

from __future__ import annotations

from workbench.analysis.reuse import LeftOut, Reuse
from workbench.analysis.reuse.declared import summary
from workbench.analysis.reuse.report import BRIEF, reuse
from workbench.release.bundle.how_judged import Answers
from workbench.release.markdown import plain, table
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.cache import Cache

QUESTION = "Would systems that took no part be scored fairly?"
_found: Cache[Reuse] = Cache()
SHOWN = 5
"""How many teams are named, those that lose most."""


def reusable(campaign: Campaign) -> Answers:
    """The answer by AP, every team left out, as of a row of the log.

    A release waits for it, so of very large campaigns it leaves out what would take long, and says so.
    """
    found = _found.now(campaign, BRIEF, lambda: reuse(campaign, effort=BRIEF))
    sentences = " ".join(plain(sentence) for sentence in summary(found))
    lines = [f"By {found.measure}, leaving out each team’s own documents. {sentences}"]
    losing = sorted((row for row in found.rows if row.runs), key=_change)[:SHOWN]
    if losing:
        heads = ("team", "largest change", "most ranks lost", "unique relevant")
        lines += ["", "".join(table(heads, map(_cells, losing)))]
    if kept := _significance(found):
        lines += ["", kept] if not losing else [kept]
    if found.skipped:
        lines += ["", "The command `workbench reuse` leaves out more of them, for as long as that takes."]
    return ((QUESTION, "\n".join(lines).rstrip()),)


def _cells(row: LeftOut) -> tuple[str, ...]:
    lost = max(run.ranks_lost for run in row.runs)
    return plain(row.name), f"{_change(row):+z.1f} %", f"{lost}", f"{row.unique_relevant:,}"


def _change(row: LeftOut) -> float:
    """The largest loss of the team's runs in percent, negative."""
    return min((run.change_percent or 0.0 for run in row.runs), default=0.0)


def _significance(found: Reuse) -> str:
    tested = [row.preserved for row in found.rows if row.preserved is not None]
    if not tested or not tested[0].before:
        return ""
    most = max(each.lost + each.reversed for each in tested)
    return (
        f"Of {tested[0].before:,} significant differences between runs, at most {most:,} are no longer so, or turn "
        "round, without one team."
    )
