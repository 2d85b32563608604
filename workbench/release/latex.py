"""Tables for papers, in LaTeX with the rules of booktabs, with marks of significance.

Each begins with comments that say what the marks mean, so that a caption can.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from workbench.analysis.comparing.runs import Comparison, RunDifference
from workbench.analysis.trust.intervals import p_to_the_best
from workbench.core.seed import SEED
from workbench.formats.tables import latex
from workbench.jobs.observing import observed
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.all_pairs import rounds_for
from workbench.release.tables import Scores
from workbench.scoring.board.table import printed, sheet_of

ALPHA = 0.05
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
WORSE = r"$^{\dagger}$"


def board_latex(scores: Scores) -> Iterator[str]:
    """The leaderboard: the best value of each measure in bold, a dagger on those significantly worse than it.

    The test is that of the leaderboard, max-T over all pairs of runs, on each measure by itself. Means other than the
    arithmetic one are not tested: differences by topic say nothing of them.
    """
    board, best = scores.board, sheet_of(scores.board).best
    number = rounds_for(len(board.rows))
    marked = [
        _worse_than_best(measure, table.values, number)
        for measure, table in observed(
            list(zip(board.measures, scores.by_topic, strict=True)), "Testing differences"
        )
    ]
    yield from _comments(
        f"As of log row {board.seq} (hash {board.head.hash.hex()[:16]}): scores over {board.over}, "
        f"{board.judgments} judged pairs.",
        "Bold: the best value. Dagger: significantly worse than the best by max-T over all pairs of runs, paired by "
        f"topic (alpha = {ALPHA:g}, B = {number}, seed {SEED}).",
        "Needs \\usepackage{booktabs}.",
    )
    rows = [
        [
            escaped(row.tag),
            *(
                _cell(measure, value, (run, place + 1) in best, run in marked[place])
                for place, (measure, value) in enumerate(zip(board.measures, row.values, strict=True))
            ),
        ]
        for run, row in enumerate(board.rows)
    ]
    heads = ["Run", *(escaped(str(measure)) for measure in board.measures)]
    yield from latex.tabular(f"l{'r' * len(board.measures)}", heads, rows)


def comparison_latex(comparison: Comparison) -> Iterator[str]:
    """Runs against a baseline: means, differences with stars, intervals, topics won and lost, effect sizes."""
    yield from _comments(
        f"{comparison.measure} on {len(comparison.topic_ids)} topics, as of log row {comparison.seq}; differences are "
        f"to the first run.",
        "Stars: p of the paired t-test after Holm's correction below .05 (*), .01 (**), .001 (***).",
        "Interval: 95 % t interval of the mean difference over topics.",
        "Needs \\usepackage{booktabs}.",
    )
    measure = escaped(str(comparison.measure))
    heads = ["Run", measure, "Difference", "95\\,\\% interval", "Wins", "Ties", "Losses", "$d_z$"]
    baseline = [escaped(comparison.baseline), f"{comparison.means[0]:.4f}", *[""] * 6]
    yield from latex.tabular("lrrlrrrr", heads, [baseline, *map(_difference, comparison.differences)])


def stars(p: float | None) -> str:
    """What a p-value is marked with; nothing where it is not defined."""
    return next((mark for limit, mark in STARS if p is not None and p < limit), "")


def escaped(text: str) -> str:
    """Text with LaTeX's own characters made harmless, on one line."""
    return latex.escaped(" ".join(text.split()))


def _worse_than_best(measure: BoundMeasure, values: FloatArray, permutations: int) -> frozenset[int]:
    """The runs that are significantly worse than the best one; none where nothing is a merit, or not averaged so."""
    is_averaged = measure.modifier("mean") in {None, "arithmetic"}
    if measure.best not in {"highest", "lowest"} or not is_averaged or min(values.shape) < 2:
        return frozenset()
    p = p_to_the_best(measure, values, permutations=permutations, seed=SEED)
    return frozenset(np.flatnonzero(p <= ALPHA).tolist())


def _cell(measure: BoundMeasure, value: float, is_best: bool, is_worse: bool) -> str:
    number = printed(measure, value)
    if is_best:
        return latex.bold(number)
    return number + (WORSE if is_worse else "")


def _difference(found: RunDifference) -> list[str]:
    interval = (
        "" if found.interval is None else f"[${found.interval.low:+.4f}$, ${found.interval.high:+.4f}$]"
    )
    mark = stars(found.holm)
    return [
        escaped(found.run),
        f"{found.mean:.4f}",
        f"${found.difference:+.4f}$" + (f"\\rlap{{$^{{{mark}}}$}}" if mark else ""),
        interval,
        *(f"{count:d}" for count in (found.wins, found.ties, found.losses)),
        "" if found.effect_size is None else f"${found.effect_size:.2f}$",
    ]


def _comments(*sentences: str) -> Iterator[str]:
    for sentence in sentences:
        yield f"% {' '.join(sentence.split())}\n"
