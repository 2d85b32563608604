"""The lines of the reference program, trec_eval, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import Problem
from workbench.core.ranking import UNJUDGED
from workbench.core.wording import counted
from workbench.methods.measures.parameters import Levels, documents_at
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
    if requested.measure is None or requested.family not in {"iprec_at_recall", "11pt_avg"}:
        return ()
    values = dict(requested.measure.values)
    levels, recall = values.get("levels"), values.get("recall")
    if isinstance(levels, Levels):
        return levels.shares
    return (float(recall),) if isinstance(recall, int | float) else ()


OVERALL = "all"
LARGEST_DIGIT = 9


def lines_of_run(
    evaluation: Evaluation, run: int, *, per_topic: bool = False, summary: bool = True
) -> Iterator[str]:
    """All lines of one run: topic after topic, then the summary; a line is name, topic and value.

    Topics have lines by `per_topic` (-q), and there is a `summary` unless -n.
    Source: meas_print_single.c, meas_print_final.c and m_relstring.c of trec_eval.
    """
    if per_topic:
        yield from _topics(evaluation, run)
    if summary:
        yield from _summary(evaluation, run)


def _topics(evaluation: Evaluation, run: int) -> Iterator[str]:
    columns = [
        _column(evaluation, requested, run) for requested in evaluation.requested if requested.has_topics
    ]
    for topic in np.flatnonzero(evaluation.listed[:, run]).tolist():
        topic_id = evaluation.topic_ids[topic]
        for name, texts in columns:
            yield f"{name}\t{topic_id}\t{texts(topic)}\n"


def _column(evaluation: Evaluation, requested: RequestedOutput, run: int) -> tuple[str, Callable[[int], str]]:
    if requested.measure is None:
        return f"{requested.name:<22}", lambda topic: relstring(evaluation, topic, run, requested.length)
    values = evaluation.scores[requested].by_topic[:, run].tolist()
    write = _writer(evaluation, requested)
    return _padded(evaluation, requested), lambda topic: write(values[topic])


def _summary(evaluation: Evaluation, run: int) -> Iterator[str]:
    for requested in evaluation.requested:
        if requested.measure is not None:
            overall = (
                0.0
                if undefined(evaluation, requested)[run]
                else float(evaluation.scores[requested].overall[run])
            )
            text = _writer(evaluation, requested)(overall)
            yield f"{_padded(evaluation, requested)}\t{OVERALL}\t{text}\n"
        elif not requested.has_topics:
            yield f"{requested.name:<22}\t{OVERALL}\t{evaluation.tags[run]}\n"


def _padded(evaluation: Evaluation, requested: RequestedOutput) -> str:
    return f"{'Z' if evaluation.has_zscores else ''}{requested.name:<22}"


def _writer(evaluation: Evaluation, requested: RequestedOutput) -> Callable[[float], str]:
    """How a value is written: a count whole, unless it is a distance; anything else with four digits."""
    is_whole = requested.measure is not None and requested.measure.is_count and not evaluation.has_zscores
    return "{:.0f}".format if is_whole else "{:6.4f}".format


def relstring(evaluation: Evaluation, topic: int, run: int, length: int) -> str:
    """The labels of the first documents, one character each, in quotes.

    A digit for a grade up to 9, `>` for a higher one, `-` for a document that the judgments do not name, `.`
    for one that they name without a grade.
    """
    row = topic * len(evaluation.tags) + run
    start, end = evaluation.judged.row_start[row : row + 2].tolist()
    labels = evaluation.judged.label[start : min(end, start + length)].tolist()
    return f"'{''.join(map(_letter, labels))}'"


def _letter(label: int) -> str:
    if label > LARGEST_DIGIT:
        return ">"
    if label >= 0:
        return str(label)
    return "-" if label == UNJUDGED else "."
