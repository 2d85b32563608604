"""Scores of judged reports by ARGUE's measures, with the nugget banks of their topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted, listed
from workbench.formats.answers.assigned import OKAY, VITAL
from workbench.formats.answers.bank_forms import banks_by_topic
from workbench.formats.answers.banks import ALL, ANY, Bank, weight_of
from workbench.formats.answers.judged_reports import JudgedReport, read_judged_reports
from workbench.formats.text.lines import shown
from workbench.methods.answers.reports import REPORT_MEASURES, ReportCounts, of_all_reports
from workbench.scoring.answers.scored import Files, Run, ScoredAnswers, ScoredRun, by_run, missing_topics


class _Question(NamedTuple):
    text: str
    answers: frozenset[str]
    needs_all: bool
    weight: float

    def is_answered(self, given: set[str]) -> bool:
        return self.answers <= given if self.needs_all else bool(self.answers & given)


Banks = Mapping[str, Sequence[_Question]]


def score_reports(files: Files, complete: bool) -> ScoredAnswers:
    """Score judged reports by all measures of reports; arguments as in `score_answers`.

    Raises InputError where something is wrong with a file, a topic has no bank, or a bank combines answers in a way
    whose score is not published.
    """
    found = banks_by_topic(files.get("banks", ()))
    banks = {topic_id: list(_questions(file.file, bank)) for topic_id, (file, bank) in found.items()}
    runs = by_run(files["reports"], read_judged_reports)
    warnings = [*missing_topics(runs, complete)]
    warnings += (problem for run in runs.values() for problem in _warnings(run, banks))
    scored = (_scored(tag, run, banks, run.missing if complete else ()) for tag, run in runs.items())
    return ScoredAnswers(tuple(scored), tuple(warnings))


def _warnings(run: Run, banks: Banks) -> Iterator[Problem]:
    """Sentences that cannot be counted, and questions that a bank lacks; InputError where there is no bank."""
    if lacking := sorted({report.topic_id for report in run.answers} - banks.keys()):
        message = f"no nuggets of topic {listed(lacking)}; name the files of their banks as well"
        raise InputError([Problem(run.file, None, message)])
    if bare := sum(not sentence.citations for report in run.answers for sentence in report.sentences):
        message = f"{counted(bare, 'sentence')} without citations left out: no judgment says which need one"
        yield Problem(run.file, None, message)
    for report in run.answers:
        if strange := sorted(report.answered.keys() - {each.text for each in banks[report.topic_id]}):
            lacked = listed([*map(shown, strange)])
            message = f"the nuggets of topic {report.topic_id} lack {lacked}; not counted"
            yield Problem(run.file, report.line, message)


def _questions(file: str, bank: Bank) -> Iterator[_Question]:
    """What is counted of a bank: questions with an answer that has a document."""
    for nugget in bank.nuggets:
        for what, known, published in (
            (nugget.aggregator, (ALL, ANY, ""), "answers combined by {}: only AND and OR are"),
            (nugget.importance, (VITAL, OKAY, ""), "importance {}: only vital and okay are"),
        ):
            if what not in known:
                way = published.format(shown(what))
                message = f"topic {bank.topic_id}: {shown(nugget.text)} has {way} scored by ARGUE"
                raise InputError([Problem(file, bank.line, message)])
        answers = frozenset(answer.text for answer in nugget.answers if answer.references)
        if answers:
            yield _Question(nugget.text, answers, nugget.aggregator == ALL, weight_of(nugget.importance))


def _scored(tag: str, run: Run, banks: Banks, missing: Sequence[str]) -> ScoredRun:
    counts = [_counts(report, banks[report.topic_id]) for report in run.answers]
    values = {name: [each.function(of) for of in counts] for name, each in REPORT_MEASURES.items()}
    counts += [_counts(JudgedReport(0, tag, topic_id, 0, (), {}), banks[topic_id]) for topic_id in missing]
    means = {
        f"{name}_{way}": value
        for name in REPORT_MEASURES
        for way, value in of_all_reports(name, counts).items()
    }
    return ScoredRun(tag, tuple(report.topic_id for report in run.answers), values, means)


def _counts(report: JudgedReport, questions: Sequence[_Question]) -> ReportCounts:
    citing = [sentence for sentence in report.sentences if sentence.citations]
    answered = [each for each in questions if each.is_answered(report.answered.get(each.text, set()))]
    return ReportCounts(
        len(citing),
        sum(sentence.supporting == sentence.citations for sentence in citing),
        sum(sentence.citations for sentence in citing),
        sum(sentence.relevant for sentence in citing),
        sum(sentence.supporting for sentence in citing),
        len(questions),
        len(answered),
        sum(each.weight for each in questions),
        sum(each.weight for each in answered),
        report.characters,
    )
