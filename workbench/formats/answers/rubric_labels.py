"""Labels of answers by the rubrics of TREC DRAGUN, one a row: reports by short answer, questions by rubric question.

    topic_id,run_tag,answer_id,annotation          topic_id,run_tag,rubric_question_rank,run_question_rank,annotation
    t1,best,na-1,supports                          t1,best,1,3,very-similar

`annotation` is `assessment` or `auto_assessment` in the program's own files. Which questions of runs are compound is
in a file of its own: `topic_id`, `run_tag`, `rank`, `compound_question`.
Source: trec-dragun/resources, utils/score.py; trec-dragun/testbed, autojudge/score.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from workbench.formats.answers.fields import Fields
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.text.content import Content

REPORTS, QUESTIONS, COMPOUND = "report-labels", "question-labels", "compound-questions"
LABEL_NAMES = ("annotation", "assessment", "auto_assessment")


class LabelForm(NamedTuple):
    """The columns that say what was labelled, those that may have the label, and what each label is worth."""

    item: tuple[str, ...]
    label: tuple[str, ...]
    worth: Mapping[str, float]


LABELS: Mapping[str, LabelForm] = MappingProxyType(
    {
        REPORTS: LabelForm(
            ("answer_id",), LABEL_NAMES, {"supports": 1.0, "partial": 0.5, "contradicts": -1.0, "none": 0.0}
        ),
        QUESTIONS: LabelForm(
            ("rubric_question_rank", "run_question_rank"),
            LABEL_NAMES,
            {"very-similar": 1.0, "similar": 0.5, "different": 0.0, "very-different": 0.0},
        ),
        COMPOUND: LabelForm(("rank",), ("compound_question",), {"true": 1.0, "false": 0.0}),
    }
)


class Label(NamedTuple):
    """One row: what was labelled, and what its label is worth."""

    line: int
    run: str
    topic_id: str
    item: tuple[str, ...]
    worth: float


def has_labels(form: str, fields: Fields) -> bool:
    """Whether a table has the columns of a form of LABELS."""
    columns = LABELS[form]
    labelled = fields.names.intersection(columns.label)
    return fields.is_table and fields.has("topic_id", "run_tag", *columns.item) and bool(labelled)


def read_labels(path: str | Path | Content, form: str) -> list[Label]:
    """The labels of a table in a form of LABELS.

    Raises InputError: a row with other cells than the head, an unknown label, two labels for the same.
    """
    columns = LABELS[form]

    def read(line: int, node: Node) -> Iterator[Label]:
        names = ("topic_id", "run_tag", *columns.item)
        topic_id, run, *item = (node.text(name, needed="write it") for name in names)
        label = next((name for name in columns.label if name in node.value), columns.label[0])
        node.check_ids(topic_id, run)
        worth = columns.worth.get(node.word(label, columns.worth), 0.0)
        yield Label(line, run, topic_id, tuple(item), worth)

    return read_each(path, "labels", read, lambda each: " ".join((each.topic_id, each.run, *each.item)))
