"""Scores of files of assigned answers, without a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted, listed
from workbench.formats.answers.assigned import PARTIAL, SUPPORT, VITAL, AssignedAnswer, read_assigned
from workbench.formats.text.addresses import without_secrets
from workbench.methods.answers.nuggets import NUGGET_MEASURES, packed

HELD = {SUPPORT: 1.0, PARTIAL: 0.5}
"""What an assignment is worth; 0 where it is not named."""

OVERALL = "all"
"""Stands for the topic in the record of a run's means."""


class ScoredRun(NamedTuple):
    """The scores of one run's answers.

    Attributes:
        run: its tag, or the name of its file where its records have none.
        topic_ids: the topics in the order of the file; a number where the file writes one.
        values: by measure, one score per topic.
        means: by measure, over the topics that count.
    """

    run: str
    topic_ids: tuple[str | int, ...]
    values: Mapping[str, tuple[float, ...]]
    means: Mapping[str, float]

    def records(self) -> Iterator[dict[str, object]]:
        """What nuggetizer's file of scores has: a record for each answer, then that of the means."""
        for place, topic_id in enumerate(self.topic_ids):
            yield {"qid": topic_id} | {name: values[place] for name, values in self.values.items()}
        yield {"qid": OVERALL, **self.means}


class ScoredAnswers(NamedTuple):
    """The runs of several files, and what deserves a look."""

    runs: tuple[ScoredRun, ...]
    warnings: tuple[Problem, ...]


class _Run(NamedTuple):
    """The answers of one run, and the file that they are in."""

    file: str
    answers: list[AssignedAnswer]

    @property
    def topics(self) -> set[str]:
        return {answer.topic_id for answer in self.answers}


def score_answers(paths: Sequence[str | Path], *, complete: bool = False) -> ScoredAnswers:
    """Score the assigned answers of files by all measures of nuggets.

    Args:
        paths: files as `read_assigned` takes them.
        complete: whether a topic that a run lacks counts as 0, of those that any of the runs has.

    Raises:
        InputError: something is wrong with a file, or two of them have answers of the same run.
    """
    runs = _runs_of(paths)
    topics = set[str]().union(*(run.topics for run in runs.values()))
    warnings = list(_warnings(runs, topics, complete))
    scored = [_scored(tag, run.answers, len(topics) if complete else 0) for tag, run in runs.items()]
    return ScoredAnswers(tuple(scored), tuple(warnings))


def _runs_of(paths: Sequence[str | Path]) -> dict[str, _Run]:
    runs, problems = dict[str, _Run](), list[Problem]()
    for path in paths:
        own = dict[str, _Run]()
        file = without_secrets(path)
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
