"""Labels of judges against those of one or more truths, for the pairs of topic and document that both have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from workbench.core.model_answers import Effort, Judge, Labelled, ModelAnswer, Pair, add_answer, effort_of
from workbench.core.results import FLAT, Column
from workbench.formats.model_labels.exported import read_exported
from workbench.methods.statistics.agreement import ratio
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.intervals import t_interval
from workbench.methods.statistics.over_topics import BINARY, GRADED, as_two_classes

if TYPE_CHECKING:
    import polars as pl


class Labels(NamedTuple):
    """What a judge or a truth is called, its grades (columns topic_id, document_id, grade), and what one took."""

    name: str
    grades: pl.DataFrame
    effort: Effort = Effort()


class Agreed(NamedTuple):
    """A coefficient of labels.

    Attributes:
        all: over all pairs together; None where it is not defined.
        mean: the mean of the topics for which it is defined.
        low, high: Student's t interval of this mean over topics, at the level .95; None with fewer than five topics.
            Simulated, it holds the mean of all topics in 92 to 96 % of samples of topics for kappa and alpha, and in
            80 to 96 % for precision, recall and F1 (`benchmarks/judging_judges.py`).
    """

    all: float | None
    mean: float | None
    low: float | None
    high: float | None


class JudgedLabels(NamedTuple):
    """How much a judge's labels agree with a truth's.

    Negative grades say that there is no grade, as a pair that is not there does. Such pairs take no part.

    Attributes:
        truth, judge: what they are called.
        pairs: how many pairs both have a grade of.
        pairs_missing: how many only the truth has a grade of.
        pairs_added: how many only the judge has a grade of.
        topics, topics_missing: the topics of these pairs, and those of the truth that the judge has no pair of.
        kappa: Cohen's kappa of relevant or not.
        kappa_of_grades: Cohen's kappa of the grades.
        kappa_linear: the same with linear weights.
        alpha: Krippendorff's alpha of the grades, ordinal.
        precision, recall: of what the judge calls relevant, by the truth.
        f1: the harmonic mean of both.
        jaccard: what both call relevant, by what either does.
        tokens: sent and received for a label of the judge, in the mean; None where its answers do not say it.
        cost: of a label of the judge, as tokens.
    """

    truth: str
    judge: str
    pairs: int
    pairs_missing: int
    pairs_added: int
    topics: int
    topics_missing: int
    kappa: Annotated[Agreed, FLAT, Column("κ", "kappa")]
    kappa_of_grades: Annotated[Agreed, FLAT, Column("κ of grades", "kappa_of_grades")]
    kappa_linear: Annotated[Agreed, FLAT, Column("κ linear", "kappa_linear")]
    alpha: Annotated[Agreed, FLAT, Column("α", "alpha")]
    precision: Annotated[Agreed, FLAT, Column("Precision", "precision")]
    recall: Annotated[Agreed, FLAT, Column("Recall", "recall")]
    f1: Annotated[Agreed, FLAT, Column("F1", "f1")]
    jaccard: Annotated[Agreed, FLAT, Column("Jaccard", "jaccard")]
    tokens: Annotated[float | None, Column("Tokens per label", kind="size")]
    cost: Annotated[float | None, Column("Cost per label", kind="score")]


def labels_in(path: str | Path) -> list[Labels]:
    """The judges of a file that the workbench exported, with what a label took; InputError as of `read_exported`."""
    answered, by = dict[str, tuple[dict[Pair, Labelled], list[ModelAnswer]]](), Judge("")
    for step in read_exported(path):
        by = step.judge or by
        found, answers = answered.setdefault(by.name, ({}, []))
        answers += step.answers
        for each in (answer for answer in step.answers if answer.is_label):
            add_answer(found, by.version, each)
    return [
        Labels(name, frame_of({pair: each.label() for pair, each in found.items()}), effort_of(answers))
        for name, (found, answers) in answered.items()
    ]


def frame_of(grades: Mapping[tuple[str, str], int]) -> pl.DataFrame:
    """The grades of pairs of topic and document as `Labels` has them."""
    import polars as pl

    rows = [(*pair, grade) for pair, grade in grades.items()]
    schema = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


LOWEST = (-1, -1, -1, -1, 0, 0, 0, 0)
"""The least value of each coefficient."""


def compared_labels(truth: Labels, judge: Labels, relevant_from: int = 1) -> JudgedLabels:
    """The labels of a judge against those of a truth."""
    import polars as pl

    one, other = (each.grades.filter(pl.col("grade") >= 0) for each in (truth, judge))
    both = one.join(other, on=["topic_id", "document_id"], suffix="_of_judge")
    topics, topic = np.unique(both["topic_id"].to_numpy(), return_inverse=True)
    # The distance of grades is that on the scale of all that are used, also in a topic that uses some.
    known, place = np.unique(both.select("grade", "grade_of_judge").to_numpy(), return_inverse=True)
    tables = np.zeros((len(topics), max(1, len(known)), max(1, len(known))))
    np.add.at(tables, (topic, *place.reshape(-1, 2).T), 1)
    by_topic, (whole,) = (
        coefficients(each, int((known < relevant_from).sum())) for each in (tables, tables.sum(axis=0)[None])
    )
    return JudgedLabels(  # type: ignore[call-arg]
        truth.name,
        judge.name,
        len(both),
        len(one) - len(both),
        len(other) - len(both),
        len(topics),
        one["topic_id"].n_unique() - len(topics),
        *(agreed(*each) for each in zip(whole.tolist(), by_topic.T, LOWEST, strict=True)),  # type: ignore[arg-type]
        *judge.effort,
    )


def agreed(whole: float, by_topic: FloatArray, lowest: float = 0) -> Agreed:
    """Of the values of all pairs, and of each topic; none can be less than `lowest`."""
    defined = by_topic[np.isfinite(by_topic)]
    return Agreed(
        whole if np.isfinite(whole) else None,
        float(defined.mean()) if len(defined) else None,
        *(t_interval(defined, lowest=lowest, highest=1) or (None, None)),
    )


def coefficients(tables: FloatArray, first: int) -> FloatArray:
    """In the order of JudgedLabels, float64 (n, 8), nan where one is not defined.

    Tables are float64 (n, k, k), rows the truth's grades; those from the place `first` on are relevant.
    """
    two = as_two_classes(tables, first)
    hits, judge, truth = two[:, 1, 1], two[:, :, 1].sum(axis=1), two[:, 1].sum(axis=1)
    graded = ("Cohen's kappa", "Cohen's kappa, linear", "Krippendorff's alpha, ordinal")
    shares = [(hits, judge), (hits, truth), (2 * hits, judge + truth), (hits, judge + truth - hits)]
    return np.column_stack(
        [
            BINARY["Cohen's kappa"](two),
            *(GRADED[name](tables) for name in graded),
            *(ratio(part, whole) for part, whole in shares),
        ]
    )
