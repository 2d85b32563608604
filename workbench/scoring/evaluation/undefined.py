"""Where the reference program divides 0 by 0: means that it prints as nan and that are printed as 0 here.

Interpolated precision at a recall that takes no relevant document is, for a ranking without documents, 0 / 0
there (m_iprec_at_recall.c, m_11pt_avg.c). One such topic makes the mean over all topics nan.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import Problem
from workbench.core.wording import counted
from workbench.methods.measures.recall_levels import Levels, documents_at
from workbench.scoring.evaluation.evaluate import Evaluation
from workbench.scoring.evaluation.selection import RequestedOutput


def undefined(evaluation: Evaluation, requested: RequestedOutput) -> NDArray[np.bool_]:
    """Whether the mean of each run is nan in the reference program, bool (R,)."""
    levels = _levels(requested) if evaluation.emptied.any() else ()
    if requested.measure is None or not levels:
        return np.zeros(len(evaluation.tags), np.bool_)
    num_rel = evaluation.judged.labels.num_rel(requested.measure.rel)
    rounding = str(dict(requested.measure.values)["rounding"])
    takes_none = np.any([documents_at(level, num_rel, rounding) == 0 for level in levels], axis=0)
    found: NDArray[np.bool_] = (evaluation.emptied & takes_none[:, None]).any(axis=0)
    return found


def undefined_means(evaluation: Evaluation) -> Iterator[Problem]:
    """For each run whose means are printed as 0 though they are not, a warning that names them."""
    flags = {requested: undefined(evaluation, requested) for requested in evaluation.scores}
    for run, tag in enumerate(evaluation.tags):
        names = [requested.name for requested, found in flags.items() if found[run]]
        if names:
            number = int(evaluation.emptied[:, run].sum())
            message = (
                f"{counted(number, 'ranking')} left empty by -J or -M: {', '.join(names)} "
                "would be nan in trec_eval and are printed as 0; --format csv has means with 0 for these topics"
            )
            yield Problem(tag, None, message)


def _levels(requested: RequestedOutput) -> tuple[float, ...]:
    """The levels of recall that a measure of the reference program looks at."""
    if requested.measure is None or requested.family not in {"iprec_at_recall", "11pt_avg"}:
        return ()
    values = dict(requested.measure.values)
    levels, recall = values.get("levels"), values.get("recall")
    if isinstance(levels, Levels):
        return levels.shares
    return (float(recall),) if isinstance(recall, int | float) else ()
