"""The judgments of a campaign's answers, in the forms of the programs that score them.

A pair counts by its label. What a grade says follows from its number, as the campaign scores it: the highest of a
question is full support, those between it and 0 are partial, those below 0 contradict. A grade of 0 is no support, or
what the scale calls it if a track has a word for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from workbench.campaign.content_changes import runs_named
from workbench.core.about import CITATIONS, NUGGETS
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.records import Question
from workbench.core.registry import Registry
from workbench.core.wording import counted, listed
from workbench.formats.answers import assigned, support
from workbench.formats.answers.assigned import FAILED, UNSUPPORTED, AssignedNugget
from workbench.formats.answers.judged_reports import Cited, written_report
from workbench.formats.answers.reading import Answer
from workbench.formats.answers.support import LAYOUTS, PARTIAL, SUPPORTS, JudgedCitation
from workbench.formats.answers.support_written import WORDS, Texts, written_support
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, nuggets, runs, topic_withdrawals, topics, units
from workbench.storage.campaign.collection.question_topics import topic_of
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.collection.unit_records import Unit
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.organising import settings

HOLDS: Mapping[str | None, str] = {SUPPORTS: assigned.SUPPORT, PARTIAL: assigned.PARTIAL}
"""The words of nuggetizer for what earns something."""


class JudgedUnit(NamedTuple):
    """A unit of an answer, its place there and what `RunUnits.extra` says of it; `value` is one of
    `formats.answers.support.VALUES`, None where it has no label.
    """

    unit: Unit
    place: int
    extra: bool
    value: str | None


class JudgedAnswer(NamedTuple):
    """The answer of a run to a topic, and its units in their order."""

    run: StoredRun
    topic_id: str
    answer: Answer
    units: tuple[JudgedUnit, ...]

    def of_sentence(self, place: int) -> list[JudgedUnit]:
        """The units of one of its sentences."""
        return [each for each in self.units if each.place == place]


Judged = Mapping[str, Sequence[JudgedAnswer]]
"""The answers by what is judged of them, one of `core.about.ABOUT`."""


class Form(NamedTuple):
    """A form of file: what it has judgments of, the function that gives its lines, its words for a pair without a label
    (the usual one first, "" where it has none), and whether it says which run an answer is of.
    """

    about: tuple[str, ...]
    write: Callable[[Campaign, Judged, str], Iterator[str]]
    unjudged: tuple[str, ...] = ("",)
    several: bool = True


def judged_lines(
    campaign: Campaign, form: str, *, tags: Sequence[str] = (), names: Sequence[str] = (), unjudged: str = ""
) -> tuple[Iterator[str], str]:
    """The lines of a file of what answers were judged as of the campaign's row, and a sentence on how much there is.

    Args:
        form: one of FORMS.
        tags: these runs, withdrawn ones too; all that take part where it is empty.
        names: the questions whose labels count, where several are about the same.
        unjudged: the form's word for a pair without a label; "" for the usual one.

    Raises:
        UnknownName, NotThere: a form, a word, a question or a run that there is not.
        CampaignError: no question, or several, about what the form has; several runs in a form that names none.
    """
    found = FORMS.find(form)
    if unjudged and unjudged not in found.unjudged:
        message = f"files of {form} have no {unjudged!r} for what is not judged; leave out --unjudged"
        raise UnknownName(message)
    chosen = runs_named(campaign, tags) if tags else runs.in_force(campaign)
    chosen = [run for run in chosen if run.record.form]
    if len(chosen) > 1 and not found.several:
        message = f"files of {form} do not name runs, and there are {counted(len(chosen), 'run')} of answers"
        raise CampaignError(f"{message}; choose one with --run")
    asked = {about: _question(campaign, about, names) for about in found.about}
    judged = {about: judged_answers(campaign, question, chosen) for about, question in asked.items()}
    word = unjudged or found.unjudged[0]
    values = [each.value for answers in judged.values() for answer in answers for each in answer.units]
    said = f"{counted(max(map(len, judged.values())), 'answer')} written."
    if without := values.count(None):
        how = f"written as {word}" if word else "written without a judgment"
        said += f" {without:,} of {counted(len(values), 'pair')} are not judged, {how}."
    for question in asked.values():
        best = max(each.grade for each in question.grades)
        if odd := [each.name for each in question.grades if 0 < each.grade < best and 2 * each.grade != best]:
            said += f" Partial support, which counts half, stands for {listed(odd)}."
    return found.write(campaign, judged, word), said


def _question(campaign: Campaign, about: str, names: Sequence[str]) -> Question:
    """The question about this: the one that is named, or the only one that there is."""
    current = settings.read(campaign.asking(""))
    named = [each for each in map(current.question, names) if each.about == about]
    chosen = named or [each for each in current.questions if each.about == about]
    if len(chosen) != 1:
        there = f"{counted(len(chosen), 'question')} about {about}"
        asking = f"ask one: workbench campaign question --about {about}"
        way = "name one with --question" if chosen else asking
        raise CampaignError(f"{campaign.name} has {there}; {way}")
    return chosen[0]


def judged_answers(campaign: Campaign, question: Question, of: Iterable[StoredRun]) -> list[JudgedAnswer]:
    """The answers of these runs, run by run, with what their units were judged, on the topics that take part.

    Those of a question about nuggets are there for the topics that have a bank.
    """
    seen, says = campaign.asking(question.name), _says(question)
    keys = topic_withdrawals.taking_part(seen)
    grades = {key: labels.grades_of_topic(seen, key) for key in keys}
    found = list[JudgedAnswer]()
    for run, key in product(of, keys):
        topic = units.of_topic(campaign, key)
        if (own := topic.by_run.get(run.run)) is None:
            continue
        judged = list[JudgedUnit]()
        for number, place, extra in zip(own.number, own.place, own.extra, strict=True):
            unit = topic.units[number]
            judged.append(JudgedUnit(unit, int(place), bool(extra), says.get(grades[key].get(unit.unit_id))))
        answer = units.answer_of(campaign, key, run.run)
        found.append(JudgedAnswer(run, topic_of(campaign, key), answer, tuple(judged)))
    return found


def _says(question: Question) -> dict[int | None, str]:
    """What each grade of a question says."""
    best, says = max(each.grade for each in question.grades), dict[int | None, str]()
    for grade, name, _ in question.grades:
        nothing = word if (word := name.lower()) in (support.NEUTRAL, support.IRRELEVANT) else support.NONE
        positive = SUPPORTS if grade == best else PARTIAL
        says[grade] = support.CONTRADICTS if grade < 0 else positive if grade else nothing
    return says


def _assigned(campaign: Campaign, judged: Judged, unjudged: str) -> Iterator[str]:
    titles, holds = topics.titles(campaign.asking("")), {**HOLDS, None: unjudged}
    for run, topic_id, answer, held in judged[NUGGETS]:
        found = list[AssignedNugget]()
        for each in held:
            importance = assigned.VITAL if each.extra else assigned.OKAY
            found.append(AssignedNugget(each.unit.text, importance, holds.get(each.value, UNSUPPORTED)))
        texts = [sentence.text for sentence in answer.sentences]
        yield assigned.written_answer(run.record.tag, topic_id, titles.get(topic_id, ""), texts, found)


def _support(layout: str, campaign: Campaign, judged: Judged, _: str) -> Iterator[str]:
    titles = topics.titles(campaign.asking(""))
    for each in judged[CITATIONS]:
        rows = list[JudgedCitation]()
        for place, sentence in enumerate(each.answer.sentences):
            row = JudgedCitation(each.run.record.tag, each.topic_id, place, sentence.text, "", None)
            cited = each.of_sentence(place)
            rows += [
                row._replace(document_id=c.unit.cited, value=c.value, contradicting=c.extra) for c in cited
            ]
            rows += [] if cited else [row]
        yield from written_support(rows, layout, Texts(titles, _texts(campaign, each.answer)))


def _texts(campaign: Campaign, answer: Answer) -> dict[str, str]:
    """The texts of the documents that an answer cites, as far as they are stored, by their ids."""
    stored = (each.document for each in documents.some(campaign, answer.cited))
    return {each.document_id: "\n".join(filter(None, [each.title, each.text])) for each in stored}


def _reports(campaign: Campaign, judged: Judged, _: str) -> Iterator[str]:
    plain = campaign.asking("")
    relevant_from = settings.read(plain).relevant_from
    held = {each[:2]: each.units for each in judged[NUGGETS]}
    grades, banks = cache(partial(labels.grades_of_topic, plain)), cache(partial(nuggets.bank_of, plain))
    for each in judged[CITATIONS]:
        run, topic_id, answer = each[:3]
        texts, bank = _texts(campaign, answer), banks(topic_id)
        relevant = {name: grade >= relevant_from for name, grade in grades(topic_id).items()}
        sentences = [
            (sentence.text, [_cited(one, texts, relevant) for one in each.of_sentence(place)])
            for place, sentence in enumerate(answer.sentences)
        ]
        known = nuggets.judged(bank) if bank else ()
        answered = [known[one.place] for one in held.get(each[:2], ()) if one.value == SUPPORTS]
        yield written_report(run.record.tag, run.record.team, topic_id, sentences, answered)


def _cited(judged: JudgedUnit, texts: Mapping[str, str], relevant: Mapping[str, bool]) -> Cited:
    attested = None if judged.value is None else judged.value == SUPPORTS
    cited = judged.unit.cited
    return Cited(cited, texts.get(cited, ""), relevant.get(cited), attested)


FORMS: Registry[Form] = Registry("form of judged answers", "forms of judged answers")
FORMS["nuggetizer"] = Form((NUGGETS,), _assigned, (UNSUPPORTED, FAILED))
for _layout in WORDS:
    FORMS[_layout] = Form((CITATIONS,), partial(_support, _layout), several=not LAYOUTS[_layout].pairs)
FORMS["argue"] = Form((CITATIONS, NUGGETS), _reports)
