"""What the scores of judged answers are, whatever form the files have, and how they are gathered by run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted, listed
from workbench.formats.tables.score_layouts import OVERALL, Score
from workbench.formats.text.content import Content, name_of

Source = str | Path | Content
Files = Mapping[str, Sequence[Source]]
"""Files by the name of their form."""


class ScoredRun(NamedTuple):
    """The scores of one run's answers.

    Attributes:
        run: its tag, or the name of its file where its records have none.
        topic_ids: the topics in the order of the file; a number where the file writes one.
        values: by measure, one score per topic.
        means: what is said of all topics together, by its name: the measure, or the measure with the kind of mean.
    """

    run: str
    topic_ids: tuple[str | int, ...]
    values: Mapping[str, Sequence[float]]
    means: Mapping[str, float]

    def records(self) -> Iterator[dict[str, object]]:
        """As nuggetizer's file of scores: a record for each answer, then that of all."""
        for place, topic_id in enumerate(self.topic_ids):
            yield {"qid": topic_id} | {name: values[place] for name, values in self.values.items()}
        yield {"qid": OVERALL, **self.means}

    def scores(self) -> Iterator[Score]:
        """The same, each score by itself."""
        for place, topic_id in enumerate(self.topic_ids):
            for name, values in self.values.items():
                yield Score(self.run, str(topic_id), name, values[place])
        for name, mean in self.means.items():
            yield Score(self.run, None, name, mean)


class ScoredAnswers(NamedTuple):
    """The runs of several files, and what deserves a look."""

    runs: tuple[ScoredRun, ...]
    warnings: tuple[Problem, ...]


class Run(NamedTuple):
    """The judged answers of one run, each with line, run and topic_id, and the file that they are in.

    `missing` are the topics that other runs answer and this one does not.
    """

    file: str
    answers: list[Any]
    missing: list[str]


def by_run(paths: Sequence[Source], read: Callable[[Source], Iterable[Any]]) -> dict[str, Run]:
    """The judged answers of files by run; InputError where two files have answers of the same run."""
    runs, problems = dict[str, Run](), list[Problem]()
    for path in paths:
        own, file = dict[str, Run](), name_of(path)
        for answer in read(path):
            own.setdefault(answer.run or Path(file).name, Run(file, [], [])).answers.append(answer)
        for tag in own.keys() & runs.keys():
            message = f"run {tag} was read from {runs[tag].file}; name one file with all its answers, once"
            problems.append(Problem(file, own[tag].answers[0].line, message))
        runs |= own
    if problems:
        raise InputError(problems)
    answered = {tag: {answer.topic_id for answer in run.answers} for tag, run in runs.items()}
    topics = set[str]().union(*answered.values())
    return {tag: run._replace(missing=sorted(topics - answered[tag])) for tag, run in runs.items()}


def missing_topics(runs: Mapping[str, Run], complete: bool) -> Iterator[Problem]:
    """A warning for each run that lacks topics of others."""
    for tag, run in runs.items():
        if run.missing:
            counts = "0 for each" if complete else f"the mean is over {counted(len(run.answers), 'topic')}"
            message = f"run {tag} has no answer to {listed(run.missing)}: {counts} (see --complete)"
            yield Problem(run.file, None, message)
