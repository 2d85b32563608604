"""What the leaderboard might be if judging stopped now, as a sheet, as JSON and as text."""

from __future__ import annotations

from typing import Any

from workbench.analysis.reuse.stopping import Range, Stopped
from workbench.core.wording import counted
from workbench.formats.tables.sheets import Column, Sheet

COLUMNS = (
    Column("Run", "run", "text"),
    Column("Score", "score", "score"),
    Column("Simulated from", "low", "score"),
    Column("Simulated to", "high", "score"),
    Column("Possible from", "lower", "score"),
    Column("Possible to", "upper", "score"),
    Column("Rank", "rank", "count"),
    Column("Best rank", "best_rank", "count"),
    Column("Worst rank", "worst_rank", "count"),
)


def sheet_of_stopped(found: Stopped) -> Sheet:
    """A row for each run, best first."""
    return Sheet(COLUMNS, found.ranges)


def stopped_content(found: Stopped) -> dict[str, Any]:
    """All of it, for programs."""
    return found._asdict() | {
        "measure": str(found.measure),
        "relevant": found.relevant._asdict(),
        "tau": None if found.tau is None else found.tau._asdict(),
        "tau_ap": None if found.tau_ap is None else found.tau_ap._asdict(),
        "ranges": [run._asdict() for run in found.ranges],
        "left_out": list(found.left_out),
    }


def stopped_sentences(found: Stopped) -> list[str]:
    """What people should know beside the sheet."""
    sentences = [
        f"Simulated: the middle 95 % of {counted(found.draws, 'draw')} of labels for "
        f"{counted(found.waiting, 'pooled pair')} without a judgment, seed {found.seed}, learned from "
        f"{counted(found.judged, 'judged pair')}; as of log row {found.seq:,}. These are no confidence intervals.",
        f"Relevant among them: {_range(found.relevant, 0)}.",
    ]
    for name, range_ in (("tau_b", found.tau), ("tau_AP", found.tau_ap)):
        if range_ is not None:
            sentences.append(f"{name} of the order now and then: {_range(range_, 3)}.")
    sentences.append(f"The best run of now is the best in {100 * found.same_best:.0f} % of the draws.")
    if found.left_out:
        sentences.append(left_out_words(found))
    return sentences


def left_out_words(found: Stopped) -> str:
    """How many runs nothing is said of, and why."""
    runs = counted(len(found.left_out), "run")
    return f"Left out, since drawing would take too long: {runs} of lower scores. Ranks are those among the others."


def _range(found: Range, digits: int) -> str:
    low, mean, high = (f"{each:,.{digits}f}" for each in found)
    return f"{mean} ({low} to {high})"
