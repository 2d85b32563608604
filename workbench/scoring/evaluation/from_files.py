"""From names of files and measures to scores, with all that is worth a warning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.core.errors import InputError, Problem, UnknownName
from workbench.core.ranking import IntArray
from workbench.core.wording import counted
from workbench.scoring.evaluation.at_once import File
from workbench.scoring.evaluation.evaluate import Evaluation, Options, evaluate, side_by_side
from workbench.scoring.evaluation.joining import BoolArray
from workbench.scoring.evaluation.labelling import NamedRun, labelled_files, names_of
from workbench.scoring.evaluation.selection import RequestedOutput, judgments_for


class Evaluated(NamedTuple):
    """Scores of run files, and what is odd about the files or about how they fit together."""

    evaluation: Evaluation
    warnings: tuple[Problem, ...]


def evaluate_files(
    qrels: str | Path,
    runs: Sequence[str | Path],
    requested: Sequence[RequestedOutput],
    options: Options = Options(),  # noqa: B008  (immutable)
) -> Evaluated:
    """Read qrels and runs, join and score them.

    Args:
        qrels: the file of judgments, or its address; for a measure of subtopics that of judgments of subtopics, and
            the other measures take the highest grade that a document has for any of them; where a measure of a sample
            is asked for, sampling qrels or prels.
        runs: the run files, or addresses of them.
        requested: what to score, see `workbench.scoring.evaluation.selection.choose`.

    Raises:
        InputError: something is wrong with a file, or a run has no topic that has judgments.
    """
    refuse_two_kinds(requested)
    return combined([scored_part(qrels, runs, requested, options)], requested, options)


class Part(NamedTuple):
    """Some of the runs of an evaluation: their scores, None where one has no judged topic, and their warnings.

    `unknown_topics` and `present` are those of `Joined`, `warnings` of `LabelledFiles`.
    """

    qrels: str
    highest: int
    runs: tuple[NamedRun, ...]
    topic_ids: tuple[str, ...]
    present: BoolArray
    unknown_topics: IntArray
    warnings: tuple[Problem, ...]
    evaluation: Evaluation | None


def scored_part(
    qrels: File, runs: Sequence[File], requested: Sequence[RequestedOutput], options: Options
) -> Part:
    """Read, join and score some runs; arguments and errors as in `evaluate_files`."""
    judgments = judgments_for(requested)
    if judgments != "plain":
        from workbench.scoring.evaluation.tabulated import tabulated_files

        files = tabulated_files(qrels, runs, options, judgments)
    else:
        single = options.profile.single_precision
        files = labelled_files(qrels, runs, options.parse_mode, single_precision=single)
    joined = files.joined
    shared = joined.present.any(axis=0).all()
    return Part(
        files.qrels,
        files.highest,
        files.runs,
        joined.topic_ids,
        joined.present,
        joined.unknown_topics,
        files.warnings,
        evaluate(joined, requested, options) if shared else None,
    )


def combined(parts: Sequence[Part], requested: Sequence[RequestedOutput], options: Options) -> Evaluated:
    """All runs of an evaluation, from its parts in their order; as if they had been one."""
    first, *others = parts
    part = first if not others else _one_part(first, others)
    if unknown := list(_unknown_names(part)):
        raise InputError(unknown)
    evaluations = [each.evaluation for each in parts if each.evaluation is not None]
    evaluation = side_by_side(evaluations, tuple(names_of(part.runs)))
    warnings = list(part.warnings)
    relevant_from = min((each.measure.rel for each in requested if each.measure is not None), default=1)
    if part.highest < relevant_from:
        message = (
            f"nothing is relevant: the highest grade is {part.highest}, but grades count from {relevant_from}"
        )
        warnings.append(Problem(part.qrels, None, message))
    return Evaluated(evaluation, (*warnings, *_misfits(part, complete=options.complete)))


def _one_part(first: Part, others: Sequence[Part]) -> Part:
    """All of it but the scores; what is odd about the qrels, which every part has read, is reported once."""
    parts = (first, *others)
    later = [problem for part in others for problem in part.warnings if problem.file != first.qrels]
    return first._replace(
        runs=tuple(run for part in parts for run in part.runs),
        present=np.hstack([part.present for part in parts]),
        unknown_topics=np.concatenate([part.unknown_topics for part in parts]),
        warnings=(*first.warnings, *later),
        evaluation=None,
    )


def refuse_two_kinds(requested: Sequence[RequestedOutput]) -> None:
    """UnknownName where a measure of a sample is asked for beside one of subtopics, or beside one that takes what is
    judged for a uniform sample.
    """
    sampled = next((each.name for each in requested if each.of_sample), None)
    if sampled is None:
        return
    if by_subtopic := next((each.name for each in requested if each.by_subtopic), None):
        message = f"{sampled} needs a sample and {by_subtopic} judgments of subtopics; ask for one of the two"
        raise UnknownName(message)
    measures = [each.measure for each in requested if each.measure is not None]
    if taking := next((each.name for each in measures if each.measure.takes_as_sample), None):
        raise UnknownName(
            f"{taking} assumes that the judged documents are one uniform sample of each topic's pool, but this file "
            "has another design; ask for xinfAP, which is the same estimate where a topic's pool is one stratum"
        )


def _unknown_names(part: Part) -> Iterator[Problem]:
    for number, run in enumerate(part.runs):
        if not part.present[:, number].any():
            message = (
                f"none of its topics has judgments in {part.qrels}: "
                f"the run has topics like {run.first_topic!r}, the judgments like {part.topic_ids[0]!r}; "
                "are these files of the same task?"
            )
            yield Problem(run.file, None, message)


def _misfits(part: Part, *, complete: bool) -> Iterator[Problem]:
    for number, run in enumerate(part.runs):
        lacking = [
            topic_id for topic_id, has in zip(part.topic_ids, part.present[:, number], strict=True) if not has
        ]
        if lacking and not complete:
            message = (
                f"{counted(len(lacking), 'topic')} with judgments left out, since the run has no such topic"
            )
            some = ", ".join(lacking[:3]) + (" ..." if len(lacking) > 3 else "")
            yield Problem(run.file, None, f"{message} ({some}); -c counts them too")
        if unknown := int(part.unknown_topics[number]):
            yield Problem(run.file, None, f"{counted(unknown, 'topic')} without judgments left out")
