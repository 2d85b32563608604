"""What the scores of judged answers are, whatever form the files have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import Problem
from workbench.formats.text.content import Content

OVERALL = "all"
"""Stands for the topic in the record of a run's means."""

Files = Mapping[str, Sequence[str | Path | Content]]
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


class ScoredAnswers(NamedTuple):
    """The runs of several files, and what deserves a look."""

    runs: tuple[ScoredRun, ...]
    warnings: tuple[Problem, ...]
