"""What the leaderboard might be if judging stopped now, as a sheet, as JSON and as text."""

from __future__ import annotations

from typing import Any

from workbench.analysis.reuse.held_out import Check, Predicted
from workbench.analysis.reuse.ranges import Range
from workbench.analysis.reuse.stopping import Probed, Stopped
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
        "relevant": None if found.relevant is None else found.relevant._asdict(),
        "tau": None if found.tau is None else found.tau._asdict(),
        "tau_ap": None if found.tau_ap is None else found.tau_ap._asdict(),
        "check": None if found.check is None else _check_content(found.check),
        "ranges": [run._asdict() for run in found.ranges],
        "way_out": None if found.way_out is None else found.way_out._asdict(),
        "probe": None if found.probe is None else found.probe._asdict(),
        "left_out": list(found.left_out),
    }


def stopped_sentences(found: Stopped) -> list[str]:
    """What people should know beside the sheet."""
    way_out = [] if found.way_out is None else [f"Or draw a probe by chance: {found.way_out}. {STAYS}"]
    sentences = _drawn_sentences(found) or [not_drawn_words(found), *way_out, POSSIBLE]
    return [*sentences, left_out_words(found)] if found.left_out else sentences


def _drawn_sentences(found: Stopped) -> list[str]:
    """What the draws say; nothing where there are none."""
    if found.relevant is None or found.check is None or found.same_best is None:
        return []
    waiting = counted(found.waiting, "pooled pair" if found.probe is None else "candidate")
    sentences = [
        f"Simulated: the middle 95 % of {counted(found.draws, 'draw')} of labels for {waiting} without a judgment, "
        f"seed {found.seed}, learned from {counted(found.judged, 'judged pair')}; as of log row {found.seq:,}. "
        f"{held_words(found)}",
        *([] if found.probe is None else [probe_words(found.probe)]),
        f"Relevant among them: {_range(found.relevant, 0)}.",
    ]
    for name, range_ in (("tau_b", found.tau), ("tau_AP", found.tau_ap)):
        if range_ is not None:
            sentences.append(f"{name} of the order now and then: {_range(range_, 3)}.")
    sentences.append(f"The best run of now is the best in {100 * found.same_best:.0f} % of the draws.")
    return sentences + check_sentences(found.check)


def not_drawn_words(found: Stopped) -> str:
    """Why no labels were drawn, and what would let them be drawn."""
    pairs = counted(found.waiting, "pair")
    return f"No labels are drawn for the {pairs} without a judgment: {found.why_none}. {WAY_OUT}"


POSSIBLE = "What is possible at all is shown: it holds whatever the unjudged pairs are."

STAYS = "What is judged stays."

WAY_OUT = (
    "Draws are right only where chance decides what is judged: topic by topic, or in the viewing order “shuffle”, in "
    "pools that no strategy extends."
)


def probe_words(probe: Probed) -> str:
    """What labels were learned from."""
    verb = "is" if probe.relevant == 1 else "are"
    return (
        f"How many are relevant is learned from a probe, pool {probe.pool}: of its {counted(probe.pairs, 'pair')} that "
        f"were not judged before, {probe.relevant:,} {verb} relevant. What waits are all candidates that it was drawn "
        "from."
    )


def held_words(found: Stopped | None) -> str:
    """How often such ranges held what full judging gives."""
    return HELD if found is None or found.probe is None or found.why_none else HELD_BY_PROBE


HELD_BY_PROBE = (
    "The ranges are no confidence intervals: where a strategy or a depth had taken a part and a probe of 2.5, 5 or "
    "10 % of the pool was drawn, they held the true tau in 139 of 144 trials on Robust 2003 and 137 on Cranfield, "
    "tau_AP in 133 and 136, and 97 and 98 % of the runs’ own scores."
)
"""The same where labels were learned from a probe."""

HELD = (
    "The ranges are no confidence intervals: where chance decided what was judged, they held the true tau in 115 of "
    "120 trials on Robust 2003 and 111 on Cranfield, tau_AP in 113 and 105, and 85 and 89 % of the runs’ own scores."
)
"""How often the middle 95 % held what full judging gives: the figures are those of docs/reuse.md."""


def check_sentences(found: Check) -> list[str]:
    """How well the priors predict, and what they know nothing of."""
    if found.whole is None:
        sentences = [f"How well this predicts topics left out is not known: {found.why_none}."]
    else:
        sentences = [
            f"Of {counted(found.whole.pairs, 'judged pair')} {found.whole.relevant:,} are relevant; learned from other "
            f"topics, {_range(found.whole.expected, 0)} would be expected."
        ]
        if (losses := found.losses) is not None:
            sentences.append(
                f"Logarithmic loss {losses.log:.3f} and Brier score {losses.brier:.3f}; of what best ranks alone "
                f"tell {losses.log_by_rank:.3f} and {losses.brier_by_rank:.3f} (the lower, the better)."
            )
    if found.beyond:
        sentences.append(
            f"{counted(found.beyond, 'pair')} without a judgment rank lower than nearly all that is judged: what is "
            "drawn for them is a guess from above, and often too high."
        )
    return sentences


def _check_content(found: Check) -> dict[str, Any]:
    return {
        "bands": [_predicted_content(band) for band in found.bands],
        "agreement": [_predicted_content(band) for band in found.agreement],
        "pools": [_predicted_content(band) for band in found.pools],
        "losses": None if found.losses is None else found.losses._asdict(),
        "whole": None if found.whole is None else _predicted_content(found.whole),
        "why_none": found.why_none,
        "beyond": found.beyond,
    }


def _predicted_content(found: Predicted) -> dict[str, Any]:
    return found._asdict() | {"expected": found.expected._asdict()}


def left_out_words(found: Stopped) -> str:
    """How many runs nothing is said of, and why."""
    runs = counted(len(found.left_out), "run")
    return f"Left out, since drawing would take too long: {runs} of lower scores. Ranks are those among the others."


def _range(found: Range, digits: int) -> str:
    low, mean, high = (f"{each:,.{digits}f}" for each in found)
    return f"{mean} ({low} to {high})"
