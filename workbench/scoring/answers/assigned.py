"""Scores of assigned answers, as nuggetizer has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted, listed
from workbench.formats.answers.assigned import PARTIAL, SUPPORT, VITAL, AssignedAnswer, read_assigned
from workbench.formats.text.content import Content, name_of
from workbench.methods.answers.nuggets import NUGGET_MEASURES, packed
from workbench.scoring.answers.scored import Files, ScoredAnswers, ScoredRun

HELD = {SUPPORT: 1.0, PARTIAL: 0.5}
"""What an assignment is worth; 0 where it is not named."""


class _Run(NamedTuple):
    """The answers of one run, and the file that they are in."""

    file: str
    answers: list[AssignedAnswer]

    @property
    def topics(self) -> set[str]:
        return {answer.topic_id for answer in self.answers}


def score_assigned(files: Files, complete: bool) -> ScoredAnswers:
    """Score files of assigned answers by all measures of nuggets; arguments as in `score_answers`.

    Raises InputError where something is wrong with a file, or two of them have answers of the same run.
    """
    runs = _runs_of(files["assigned"])
    topics = set[str]().union(*(run.topics for run in runs.values()))
    warnings = list(_warnings(runs, topics, complete))
    scored = [_scored(tag, run.answers, len(topics) if complete else 0) for tag, run in runs.items()]
    return ScoredAnswers(tuple(scored), tuple(warnings))


def _runs_of(paths: Sequence[str | Path | Content]) -> dict[str, _Run]:
    runs, problems = dict[str, _Run](), list[Problem]()
    for path in paths:
        own = dict[str, _Run]()
        file = name_of(path)
        for answer in read_assigned(path):
            own.setdefault(answer.run or Path(file).name, _Run(file, [])).answers.append(answer)
        for tag in own.keys() & runs.keys():
            message = f"run {tag} was read from {runs[tag].file}; name one file with all its answers, once"
            problems.append(Problem(file, own[tag].answers[0].line, message))
        runs |= own
    if problems:
        raise InputError(problems)
    return runs


def _warnings(runs: Mapping[str, _Run], topics: set[str], complete: bool) -> Iterator[Problem]:
    """Runs that lack topics, and nuggets that differ from those of another run or that there are none of."""
    banks = dict[str, tuple[str, AssignedAnswer]]()
    for tag, run in runs.items():
        if missing := sorted(topics - run.topics):
            counts = "0 for each" if complete else f"the mean is over {counted(len(run.topics), 'topic')}"
            yield Problem(
                run.file, None, f"run {tag} has no answer to {listed(missing)}: {counts} (see --complete)"
            )
        for answer in run.answers:
            file, first = banks.setdefault(answer.topic_id, (run.file, answer))
            if _bank(answer) != _bank(first):
                message = f"topic {answer.topic_id} has other nuggets than in {file}:{first.line}; do not compare both"
                yield Problem(run.file, answer.line, message)
            elif not answer.nuggets:
                yield Problem(
                    run.file, answer.line, f"topic {answer.topic_id} has no nuggets: every score is 0"
                )


def _bank(answer: AssignedAnswer) -> list[tuple[str, str]]:
    return sorted((nugget.text, nugget.importance) for nugget in answer.nuggets)


def _scored(tag: str, answers: Sequence[AssignedAnswer], topics: int) -> ScoredRun:
    """The scores of a run; the means are over at least this many topics."""
    assigned = packed(
        [(nugget.importance == VITAL, HELD.get(nugget.assignment, 0.0)) for nugget in answer.nuggets]
        for answer in answers
    )
    values = {name: tuple(each.function(assigned).tolist()) for name, each in NUGGET_MEASURES.items()}
    missing = [0.0] * (topics - len(answers))
    # The mean of Python's statistics, as nuggetizer takes it: exact, and rounded once.
    means = {name: mean([*scores, *missing]) for name, scores in values.items()}
    ids = (int(each.topic_id) if each.is_number else each.topic_id for each in answers)
    return ScoredRun(tag, tuple(ids), values, means)
