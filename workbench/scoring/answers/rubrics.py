"""Scores of labelled reports and questions by the rubrics of TREC DRAGUN."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import mean
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.answers.bank_forms import banks_by_topic
from workbench.formats.answers.banks import weight_of
from workbench.formats.answers.rubric_labels import COMPOUND, QUESTIONS, REPORTS, read_labels
from workbench.formats.text.content import name_of
from workbench.formats.text.lines import shown
from workbench.methods.answers.rubrics import CONTRADICTORY, QUESTION, RUBRIC_MEASURES, SUPPORTIVE, packed
from workbench.scoring.answers.scored import Files, ScoredAnswers, ScoredRun, Source, by_run, missing_topics

MEASURES = {REPORTS: (SUPPORTIVE, CONTRADICTORY), QUESTIONS: (QUESTION,)}


class _Labelled(NamedTuple):
    """The labels of one answer: by rubric question what each of its labels is worth."""

    line: int
    run: str
    topic_id: str
    worth: dict[str, list[float]]


def score_labels(files: Files, complete: bool) -> ScoredAnswers:
    """Score labels of DRAGUN by the rubrics; arguments as in `score_answers`.

    Raises InputError where something is wrong with a file, or what a label is of is in no rubric, or in no file of
    compound questions.
    """
    form = REPORTS if REPORTS in files else QUESTIONS
    rubrics = {}
    for topic_id, (file, bank) in banks_by_topic(files.get("banks", ())).items():
        if bank.form != "rubric":
            message = f"topic {topic_id} has nuggets of the form {bank.form}; labels are scored by rubrics of DRAGUN"
            raise InputError([Problem(file.file, bank.line, message)])
        rubrics[topic_id] = bank.nuggets
    compound = {
        (label.topic_id, label.run, label.item[0]): bool(label.worth)
        for path in files.get(COMPOUND, ())
        for label in read_labels(path, COMPOUND)
    }
    places = dict[tuple[str, str], str]()
    for topic_id, each in ((topic_id, each) for topic_id, rubric in rubrics.items() for each in rubric):
        # By the short answer, or the rank that the id of the question ends in.
        rank, of_answers = each.nugget_id.split("-")[-1:], [answer.answer_id for answer in each.answers]
        for item in of_answers if form == REPORTS else rank:
            places[topic_id, item] = each.nugget_id
    runs = by_run(files[form], lambda path: _labelled(path, form, places, compound))
    used = {
        (each.topic_id, question) for run in runs.values() for each in run.answers for question in each.worth
    }
    scored = []
    for tag, run in runs.items():
        rubric = [
            [
                (weight_of(each.importance), answer.worth.get(each.nugget_id, []))
                for each in rubrics[answer.topic_id]
                # As the program has it: a question counts that has short answers, or labels of any run.
                if (each.answers if form == REPORTS else (answer.topic_id, each.nugget_id) in used)
            ]
            for answer in run.answers
        ]
        values = {name: RUBRIC_MEASURES[name].function(packed(rubric)).tolist() for name in MEASURES[form]}
        means = {name: mean([*each, *[0.0] * len(run.missing) * complete]) for name, each in values.items()}
        scored.append(ScoredRun(tag, tuple(answer.topic_id for answer in run.answers), values, means))
    return ScoredAnswers(tuple(scored), tuple(missing_topics(runs, complete)))


def _labelled(
    path: Source,
    form: str,
    places: Mapping[tuple[str, str], str],
    compound: Mapping[tuple[str, str, str], bool],
) -> Iterable[_Labelled]:
    """The labels of a file by answer."""
    found, problems = dict[tuple[str, str], _Labelled](), list[Problem]()
    for label in read_labels(path, form):
        named = (label.topic_id, label.run, label.item[-1])
        question = places.get((label.topic_id, label.item[0]))
        if question is None or (form == QUESTIONS and named not in compound):
            lacks, item = ("compound_question", label.item[-1]) if question else ("rubric", label.item[0])
            message = f"no {lacks} for {shown(item)} of topic {label.topic_id}; name its file as well"
            problems.append(Problem(name_of(path), label.line, message))
            continue
        new = _Labelled(label.line, label.run, label.topic_id, {})
        worth = 0.0 if compound.get(named) else label.worth
        labels = found.setdefault(named[:2], new).worth.setdefault(question, [])
        labels.append(worth)
        if form == QUESTIONS:  # the best match counts
            labels[:] = [max(labels)]
    if problems:
        raise InputError(problems)
    return found.values()
