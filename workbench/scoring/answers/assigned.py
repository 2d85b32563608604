"""Scores of assigned answers, as nuggetizer has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean

from workbench.core.errors import Problem
from workbench.formats.answers.assigned import PARTIAL, SUPPORT, VITAL, AssignedAnswer, read_assigned
from workbench.methods.answers.nuggets import NUGGET_MEASURES, packed
from workbench.scoring.answers.scored import Files, Run, ScoredAnswers, ScoredRun, by_run, missing_topics

HELD = {SUPPORT: 1.0, PARTIAL: 0.5}
"""What an assignment is worth; 0 where it is not named."""


def score_assigned(files: Files, complete: bool) -> ScoredAnswers:
    """Score files of assigned answers by all measures of nuggets; arguments as in `score_answers`.

    Raises InputError where something is wrong with a file, or two of them have answers of the same run.
    """
    runs = by_run(files["assigned"], read_assigned)
    scored = [_scored(tag, run.answers, len(run.missing) * complete) for tag, run in runs.items()]
    return ScoredAnswers(tuple(scored), (*missing_topics(runs, complete), *_warnings(runs)))


def _warnings(runs: Mapping[str, Run]) -> Iterator[Problem]:
    """Nuggets that differ from those of another run, or that there are none of."""
    banks = dict[str, tuple[str, AssignedAnswer]]()
    for run in runs.values():
        for answer in run.answers:
            file, first = banks.setdefault(answer.topic_id, (run.file, answer))
            if _bank(answer) != _bank(first):
                message = f"topic {answer.topic_id} has other nuggets than in {file}:{first.line}; do not compare both"
                yield Problem(run.file, answer.line, message)
            elif not answer.nuggets:
                message = f"topic {answer.topic_id} has no nuggets: every score is 0"
                yield Problem(run.file, answer.line, message)


def _bank(answer: AssignedAnswer) -> list[tuple[str, str]]:
    return sorted((nugget.text, nugget.importance) for nugget in answer.nuggets)


def _scored(tag: str, answers: Sequence[AssignedAnswer], zeros: int) -> ScoredRun:
    """The scores of a run; the means are over so many topics more, of 0 each."""
    assigned = packed(
        [(nugget.importance == VITAL, HELD.get(nugget.assignment, 0.0)) for nugget in answer.nuggets]
        for answer in answers
    )
    values = {name: tuple(each.function(assigned).tolist()) for name, each in NUGGET_MEASURES.items()}
    # The mean of Python's statistics, as nuggetizer takes it: exact, and rounded once.
    means = {name: mean([*scores, *[0.0] * zeros]) for name, scores in values.items()}
    ids = (int(each.topic_id) if each.is_number else each.topic_id for each in answers)
    return ScoredRun(tag, tuple(ids), values, means)
