"""Whether others can reuse the judgments: red, amber or fine, each with its reasons in sentences.

The limits are rules of thumb, not tests: what a run that took part loses without its own documents is what a run that
did not take part may miss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf, isinf
from typing import Literal, NamedTuple

from workbench.analysis.reuse.coverage import Coverage, DenseTopic, LateTopic
from workbench.analysis.reuse.rows import LeftOut, RunWithout
from workbench.core.wording import counted, listed

Level = Literal["red", "amber", "fine", "unknown"]

RED_LOSS, AMBER_LOSS = 0.10, 0.05
"""More than such a share of a run's score lost."""
RED_RANKS = 3
"""More than this many ranks lost."""
RED_JUDGED, AMBER_JUDGED = 0.90, 0.95
"""Less than such a share of a run's first k documents judged."""

NAMED = 5
"""How many topics a reason names."""


class Reason(NamedTuple):
    """A reason, and what it makes of the verdict."""

    level: Level
    words: str


class Verdict(NamedTuple):
    """The worst level of all reasons, and the reasons, the worst first."""

    level: Level
    reasons: tuple[Reason, ...]


def verdict(
    measure: str,
    rows: Sequence[LeftOut],
    coverage: Coverage,
    dense: Sequence[DenseTopic],
    late: Sequence[LateTopic],
    *,
    lowest_is_best: bool,
) -> Verdict:
    """The verdict on what was left out; `rows` is not empty."""
    found = [
        *_losses(measure, rows, lowest_is_best),
        *_ranks(rows),
        *_judged(coverage),
        *_topics(dense, late),
    ]
    reasons = sorted(found, key=lambda reason: reason.level != "red")
    if not reasons:
        fine = Reason("fine", _fine(measure, rows, coverage, lowest_is_best))
        return Verdict("fine", (fine,))
    return Verdict(reasons[0].level, tuple(reasons))


def level_of(row: LeftOut, *, lowest_is_best: bool) -> Level:
    """The level of one group by its own runs."""
    most = max((share for share, *_ in _shares([row], lowest_is_best)), default=0.0)
    if most > RED_LOSS or any(run.ranks_lost > RED_RANKS for run in row.runs):
        return "red"
    return "amber" if most > AMBER_LOSS else "fine"


def _shares(rows: Iterable[LeftOut], lowest_is_best: bool) -> list[tuple[float, LeftOut, RunWithout]]:
    """What share of its score each run loses, negative where it gains; without those that have none to lose."""
    return [
        # What differs by rounding alone is on the same side of a limit.
        (round((run.change if lowest_is_best else -run.change) / abs(run.score), 9), row, run)
        for row in rows
        for run in row.runs
        if run.score
    ]


def _losses(measure: str, rows: Sequence[LeftOut], lowest_is_best: bool) -> Iterator[Reason]:
    found = _shares(rows, lowest_is_best)
    limits: tuple[tuple[Level, float, float], ...] = (("red", RED_LOSS, inf), ("amber", AMBER_LOSS, RED_LOSS))
    for level, above, up_to in limits:
        here = [one for one in found if above < one[0] <= up_to]
        if here:
            share, row, run = max(here, key=lambda one: one[0])
            yield Reason(
                level,
                f"{_without(row, run)} {run.run} loses {100 * share:.1f} % of its {measure} ({run.score:.4f} to "
                f"{run.score_without:.4f}). {_over(len(here), above, up_to)}",
            )


def _ranks(rows: Sequence[LeftOut]) -> Iterator[Reason]:
    found = [(run.ranks_lost, row, run) for row in rows for run in row.runs if run.ranks_lost > RED_RANKS]
    if found:
        _, row, run = max(found, key=lambda one: one[0])
        yield Reason(
            "red",
            f"{_without(row, run)} {run.run} falls from rank {run.rank} to rank {run.rank_without}. "
            f"{counted(len(found), 'run')} {_lose(len(found))} more than {RED_RANKS} ranks.",
        )


def _judged(coverage: Coverage) -> Iterator[Reason]:
    """By the run of which least is judged."""
    least = min(coverage.runs.items(), key=lambda one: one[1], default=None)
    if least is None or least[1] >= AMBER_JUDGED:
        return
    level: Level = "red" if least[1] < RED_JUDGED else "amber"
    limit = RED_JUDGED if level == "red" else AMBER_JUDGED
    below = sum(share < limit for share in coverage.runs.values())
    yield Reason(
        level,
        f"Of the first {coverage.cutoff} documents of {least[0]} {100 * least[1]:.1f} % are judged; less than "
        f"{100 * limit:g} % in {counted(below, 'run')} of {len(coverage.runs):,}.",
    )


def _topics(dense: Sequence[DenseTopic], late: Sequence[LateTopic]) -> Iterator[Reason]:
    if dense:
        first = _named(f"{one.topic_id} ({one.relevant:,} of {one.judged:,})" for one in dense)
        yield Reason(
            "amber",
            f"In {counted(len(dense), 'topic')} more than a third of what was judged is relevant, so more may be "
            f"left: {first}.",
        )
    if late:
        first = _named(f"{one.topic_id} ({one.relevant:,} of {one.last:,})" for one in late)
        yield Reason(
            "amber",
            f"In {counted(len(late), 'topic')} more than a tenth of the last judgments still found relevant "
            f"documents: {first}.",
        )


def _fine(measure: str, rows: Sequence[LeftOut], coverage: Coverage, lowest_is_best: bool) -> str:
    ranks = max((run.ranks_lost for row in rows for run in row.runs), default=0)
    most = max([0.0, *(share for share, *_ in _shares(rows, lowest_is_best))])
    return (
        f"Without its own documents no run loses more than {100 * most:.1f} % of its {measure} or more than "
        f"{counted(max(ranks, 0), 'rank')}, and at least {100 * AMBER_JUDGED:g} % of the first {coverage.cutoff} "
        "documents of every run are judged."
    )


def _without(row: LeftOut, run: RunWithout) -> str:
    who = "it alone" if row.runs == (run,) else f"{row.name} alone"
    return f"Without what {who} put into the pools,"


def _over(number: int, above: float, up_to: float) -> str:
    most = "" if isinf(up_to) else f" and at most {100 * up_to:g} %"
    return f"{counted(number, 'run')} {_lose(number)} more than {100 * above:g} %{most}."


def _lose(number: int) -> str:
    return "loses" if number == 1 else "lose"


def _named(all_of_them: Iterable[str]) -> str:
    return listed(list(all_of_them), NAMED)
