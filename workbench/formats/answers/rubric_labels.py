"""Labels of answers by the rubrics of TREC DRAGUN, one a row: reports by short answer, questions by rubric question.

    topic_id,run_tag,answer_id,annotation          topic_id,run_tag,rubric_question_rank,run_question_rank,annotation
    t1,best,na-1,supports                          t1,best,1,3,very-similar

`annotation` is `assessment` or `auto_assessment` in the program's own files. Which questions of runs are compound is
in a file of its own: `topic_id`, `run_tag`, `rank`, `compound_question`.
Source: trec-dragun/resources, utils/score.py; trec-dragun/testbed, autojudge/score.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.answers.fields import Fields
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.content import Content, load
from workbench.formats.text.lines import identifier_problem, shown

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
    content, columns = load(path), LABELS[form]
    (_, head), *rows = table_rows(content)
    wanted = ["topic_id", "run_tag", *columns.item, next(name for name in columns.label if name in head)]
    places = [head.index(name) for name in wanted]
    found, problems = dict[tuple[str, ...], Label](), list[Problem]()
    for line, cells in rows:
        topic_id, run, *item, label = (cells[at] if at < len(cells) else "" for at in places)
        named = (topic_id, run, *item)
        wrong = identifier_problem("topic", topic_id) or identifier_problem("run", run)
        if len(cells) != len(head):
            wrong = f"{len(cells)} cells, and the first line has {len(head)}; repair the line"
        elif label.lower() not in columns.worth:
            wrong = f"{wanted[-1]} is {shown(label)}; write one of {', '.join(columns.worth)}"
        elif named in found:
            wrong = f"{' '.join(named)} has a label in line {found[named].line} already; keep one of both"
        if wrong:
            problems.append(Problem(content.file, line, wrong))
        else:
            found[named] = Label(line, run, topic_id, tuple(item), columns.worth[label.lower()])
    if not rows:
        problems = [Problem(content.file, None, "the table has no labels; name one that has")]
    if problems:
        raise InputError(problems)
    return list(found.values())
