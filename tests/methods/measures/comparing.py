"""Rankings and judgments at random, and our values for them, for comparison with other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
import polars as pl
from hypothesis import strategies as st

from workbench.core.ranking import order_run, pack_rankings
from workbench.methods.measures import JudgedRankings, parse_measure

RunLine = tuple[str, str, float]
QrelsLine = tuple[str, str, int]
Value = TypeVar("Value", int, float)
ByTopic = dict[str, float]

RUN = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
QRELS = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}


class Case(NamedTuple):
    """The lines of a run and of qrels; a topic may stand in only one of them."""

    run: list[RunLine]
    qrels: list[QrelsLine]

    @property
    def sound(self) -> Case:
        """Without topics whose grades are all negative: the reference program reads beyond an array there."""
        judged = {topic for topic, _, grade in self.qrels if grade >= 0}
        return Case(self.run, [line for line in self.qrels if line[0] in judged])

    @property
    def untied(self) -> Case:
        """The same rankings, with scores that fall from one document to the next."""
        ordered = order_run(pl.DataFrame(self.run, RUN, orient="row")).rows()
        return Case([(*line[:2], float(-rank)) for rank, line in enumerate(ordered)], self.qrels)

    def of(self, topic: str) -> Case:
        """One topic alone."""
        qrels = [line for line in self.qrels if line[0] == topic]
        return Case([line for line in self.run if line[0] == topic], qrels)

    @property
    def common(self) -> Case:
        """Only the topics that stand in the run and in the qrels."""
        both = {line[0] for line in self.run} & {line[0] for line in self.qrels}
        run = [line for line in self.run if line[0] in both]
        return Case(run, [line for line in self.qrels if line[0] in both])


# Any script: letters, digits, marks and symbols; no blanks, which end a column.
words = st.text(st.characters(codec="utf-8", categories=["L", "N", "M", "P", "S"]), min_size=1, max_size=4)

all_grades = st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 3])


@st.composite
def cases(
    draw: Callable[..., object],
    ids: st.SearchStrategy[str] = words,
    grades: st.SearchStrategy[int] = all_grades,
) -> Case:
    """Up to four topics and 25 documents, with many equal scores and documents that only one side has."""
    topics = draw(st.lists(ids, min_size=1, max_size=4, unique=True))
    documents = draw(st.lists(ids, min_size=1, max_size=25, unique=True))
    pairs = [st.sampled_from(topics), st.sampled_from(documents)]
    lines = {"min_size": 1, "max_size": 50, "unique_by": lambda line: line[:2]}
    # Whole numbers are exact in the 32 bits that pytrec_eval keeps of a score.
    run = draw(st.lists(st.tuples(*pairs, st.integers(-1, 3).map(float)), **lines))
    return Case(run, draw(st.lists(st.tuples(*pairs, grades), **lines)))


class Ours:
    """Our values for a case, which is joined once: `Ours(case)("AP")`."""

    def __init__(self, case: Case) -> None:
        joined = pack_rankings(
            [order_run(pl.DataFrame(case.run, RUN, orient="row"))],
            pl.DataFrame(case.qrels, QRELS, orient="row"),
        )
        self.judged = JudgedRankings.join(joined.rankings, joined.labels)
        self.topics = [joined.topic_ids[topic] for topic in joined.rankings.topic]

    def __call__(self, name: str, rel: int = 1, **defaults: str) -> ByTopic:
        """The measure's value for each topic of the run."""
        measure = parse_measure(name, defaults={"rel": rel, **defaults})
        with np.errstate(all="raise"):
            return dict(zip(self.topics, measure(self.judged).tolist(), strict=True))


def ours(case: Case, name: str, rel: int = 1, **defaults: str) -> ByTopic:
    """Our value of one measure for each topic of the run."""
    return Ours(case)(name, rel, **defaults)


def nested(lines: list[tuple[str, str, Value]]) -> dict[str, dict[str, Value]]:
    """Values by topic, then by document."""
    found: dict[str, dict[str, Value]] = {}
    for topic, document, value in lines:
        found.setdefault(topic, {})[document] = value
    return found
