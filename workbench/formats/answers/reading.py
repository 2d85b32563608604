"""Runs of answers: one JSON record per topic, its sentences with the documents that each cites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.core.findings import TOLERATED, Findings
from workbench.core.wording import counted, listed, none_such
from workbench.formats.answers.forms import (
    CONTRADICTED,
    FORMS,
    IDS,
    NUMBERS,
    PLACES,
    SUPPORTED,
    WEIGHTS,
    AnswerForm,
)
from workbench.formats.text.content import Content, name_of, stream_of
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import JsonValue, NumberText, Placed, json_texts, loads
from workbench.formats.text.lines import identifier_problem, shown

Add = Callable[[str, str], None]
"""`add(kind, message)` notes a finding in the record that is checked."""


class Citation(NamedTuple):
    """A document that a sentence cites.

    The weight is what the run says of it, None where it says nothing; it is cited as one that contradicts the sentence,
    or as one that supports it.
    """

    document_id: str
    weight: float | None = None
    contradicts: bool = False


class Sentence(NamedTuple):
    """A sentence with what it cites, the most important document first, each once."""

    text: str
    citations: tuple[Citation, ...]


class Answer(NamedTuple):
    """The answer of a run to a topic: the line of its record, the documents that it lists, and its text."""

    line: int
    topic_id: str
    sentences: tuple[Sentence, ...]
    references: tuple[str, ...]
    record: str = ""

    @property
    def cited(self) -> list[str]:
        """The documents that it cites, in the order of `references`, then in that of their first citations."""
        found = dict.fromkeys(each.document_id for sentence in self.sentences for each in sentence.citations)
        listed_first = dict.fromkeys(each for each in self.references if each in found)
        return list(listed_first | found)


class AnswersFile(NamedTuple):
    """A run of answers.

    Attributes:
        file: its name as given.
        form: one of FORMS.
        run, team: the tag and the team of its records; '' where they do not say it.
        answers: those that could be read, in the order of the file.
        findings: all that is wrong or odd.
    """

    file: str
    form: str
    run: str
    team: str
    answers: tuple[Answer, ...]
    findings: Findings


def read_answers(
    path: str | Path | Content,
    form: str | None = None,
    *,
    topics: Collection[str] = (),
    any_fitting: bool = False,
) -> AnswersFile:
    """Read a run of answers and check it, plain or compressed; `-` is standard input.

    Args:
        path: the file.
        form: one of FORMS; without it the fields, ids and citations decide.
        topics: the topics of the task, where they are known.
        any_fitting: of several forms that fit the last is taken, which says the same of sentences and citations.

    Raises:
        InputError: it is no JSON, it has no form that is known, or several fit.
    """
    file = name_of(path)
    with stream_of(path) as stream:
        sent = list(json_texts(stream, file))
    if not sent:
        raise refused(file, "the file is empty; name a run of answers")
    name = form or _told(file, [(line, record) for line, record, _ in sent], any_fitting)
    if name not in FORMS:
        raise refused(file, none_such("form of answers", name, list(FORMS)))
    checking = _Checking(FORMS[name], Findings(file))
    read = ((checking.answer((line, record)), text) for line, record, text in sent)
    answers = tuple(answer._replace(record=text) for answer, text in read if answer is not None)
    checking.check_topics(answers, topics)
    said = checking.said
    return AnswersFile(file, name, said["run_id"], said["team_id"], answers, checking.found)


def read_record(record: str, form: str) -> Answer | None:
    """The answer in the text of a record that was checked before; ValueError where it is no JSON, or of no form."""
    if form not in FORMS:
        raise ValueError(none_such("form of answers", form, list(FORMS)))
    return _Checking(FORMS[form], Findings("")).answer((1, loads(record)))


def _told(file: str, records: Sequence[Placed], any_fitting: bool) -> str:
    """The one form that the fields of the first record and the first citation fit."""
    line, first = records[0]
    lacking = {name: list(_lacking(form, first)) for name, form in FORMS.items()}
    fitting = [name for name, lacks in lacking.items() if not lacks and _cites_so(FORMS[name], records)]
    if len(fitting) == 1 or (fitting and any_fitting):
        return fitting[-1]
    if fitting:
        titles = " and ".join(f"{FORMS[name].title} ({name})" for name in fitting)
        raise refused(file, f"the fields are those of {titles}; say which it is: --form {fitting[-1]}", line)
    nearest = min(lacking, key=lambda name: (not _cites_so(FORMS[name], records), len(lacking[name])))
    missing = listed(lacking[nearest]) or "other citations than in this file"
    known = f"no form of answers that is known; the nearest is {FORMS[nearest].title}, which has {missing}"
    raise refused(file, f"{known}; name the form to see all that is wrong: --form {nearest}", line)


def _lacking(form: AnswerForm, record: JsonValue) -> Iterator[str]:
    """The fields of a form that a record lacks."""
    if not isinstance(record, dict):
        yield "JSON objects"
        return
    if form.sentences_of(record) not in record:
        yield form.sentences
    fields = record.get(form.inside) if form.inside else record
    there = fields if isinstance(fields, dict) else {}
    where = f"{form.inside}." if form.inside else ""
    yield from (f"{where}{name}" for name in (form.topic, *form.required) if name not in there)


def _cites_so(form: AnswerForm, records: Sequence[Placed]) -> bool:
    """Whether the first citation of a file is as this form has it; true where nothing is cited."""
    for _, record in records:
        if not isinstance(record, dict):
            continue
        references = _list(record, "references")
        for sentence in _list(record, form.sentences_of(record)):
            for field in form.cites if isinstance(sentence, dict) else ():
                citations = sentence.get(field)
                if citations and isinstance(citations, list | dict):
                    first = next(iter(citations))
                    number = NUMBERS if NUMBERS in form.citations else PLACES
                    is_number = isinstance(first, NumberText)
                    kind = WEIGHTS if isinstance(citations, dict) else number if is_number else IDS
                    document = at_place(references, first) if kind == PLACES else first
                    return kind in form.citations and (document is None or form.is_document(str(document)))
    return True


def at_place(references: Sequence[JsonValue], place: str) -> JsonValue:
    """What is at a place of the references, from 0; None where there is none."""
    there = len(place) < 10 and place.isdecimal() and int(place) < len(references)
    return references[int(place)] if there else None


def _list(record: JsonValue, name: str) -> list[JsonValue]:
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, list) else []


class _Checking:
    """Reads the records of a file in one form, and notes what is wrong with each."""

    def __init__(self, form: AnswerForm, found: Findings) -> None:
        self.form, self.found = form, found
        self.said = {"run_id": "", "team_id": ""}
        """What the first record says of its run: the others say the same."""

    def answer(self, placed: Placed) -> Answer | None:
        """The answer in a record; None where it cannot be told."""
        line, record = placed

        def add(kind: str, message: str) -> None:
            self.found.add(line, TOLERATED if kind in self.form.tolerated else kind, message)

        if not isinstance(record, dict):
            add("fields", f"an answer is a JSON object, not {shown(str(record))}")
            return None
        topic_id = self._fields(record, add)
        sentences, references = tuple(self._sentences(record, add)), _list(record, "references")
        answer = Answer(line, topic_id, sentences, tuple(map(str, references)))
        self._check_references(record, answer, add)
        length = self.form.count([sentence.text for sentence in sentences])
        if self.form.longest is not None and length > self.form.longest:
            unit = self.form.count.__name__
            add("length", f"the answer has {length:,} {unit}; at most {self.form.longest:,}, split at blanks")
        return answer if topic_id else None

    def _fields(self, record: Mapping[str, JsonValue], add: Add) -> str:
        """The topic's id, '' where there is none; notes fields that are missing or differ from the first record's."""
        form = self.form
        fields = record.get(form.inside, {}) if form.inside else record
        fields = fields if isinstance(fields, dict) else {}
        where = f"{form.inside}." if form.inside else ""
        for name in (form.topic, *form.required):
            value = fields.get(name)
            if value is None or not str(value).strip():
                add("fields", f"{where}{name} is missing; {form.title} wants it")
        for name, before in self.said.items():
            value = str(fields.get(name) or "")
            self.said[name] = before or value
            if value and before and value != before:
                add("fields", f"{where}{name} is {shown(value)}, and {shown(before)} in the first record")
        length = len(str(fields.get("run_id") or ""))
        if form.longest_tag is not None and length > form.longest_tag:
            add("fields", f"{where}run_id has {length} characters; at most {form.longest_tag}")
        ids = {"topic": fields.get(form.topic), "run": fields.get("run_id"), "team": fields.get("team_id")}
        for what, value in ids.items():
            if isinstance(value, str) and (problem := identifier_problem(what, value)):
                add("fields", problem)
        return ids["topic"] if isinstance(ids["topic"], str) else ""

    def _sentences(self, record: Mapping[str, JsonValue], add: Add) -> Iterator[Sentence]:
        form, name = self.form, self.form.sentences_of(record)
        texts = _list(record, name)
        if not texts:
            add("empty-answer", f"{name} has no sentence")
        elif not any(isinstance(each, dict) and str(each.get("text", "")).strip() for each in texts):
            add("empty-answer", f"{name} has no sentence with a text")
            return
        for place, sentence in enumerate(texts):
            where = f"{name}[{place}]"
            text = sentence.get("text") if isinstance(sentence, dict) else None
            if not isinstance(text, str) or isinstance(text, NumberText):
                add("fields", f"{where}.text is missing; each sentence is an object with text and citations")
                continue
            if not text.strip():
                add("empty-sentence", f"{where}.text is empty")
            cited = [
                citation
                for field in form.cites
                for citation in self._citations(record, sentence, field, _in(add, f"{where}.{field}"))
            ]
            once = {(each.document_id, each.contradicts): each for each in reversed(cited)}
            yield Sentence(text, tuple(once.values())[::-1])

    def _citations(
        self, record: Mapping[str, JsonValue], sentence: Mapping[str, JsonValue], field: str, add: Add
    ) -> Iterator[Citation]:
        """What one field of a sentence cites, the most important first."""
        form = self.form
        if field not in sentence and len(form.cites) > 1:
            add("fields", f"is missing; {form.title} wants it")
        cited = list(_cited(sentence.get(field) or [], _list(record, "references"), form, add))
        if form.most_citations is not None and len(cited) > form.most_citations:
            add("most-citations", f"has {len(cited)} documents; at most {form.most_citations} are judged")
        if field == SUPPORTED:
            before = [*_list(record.get(form.inside), form.given), *_list(sentence, form.given)]
            given = set(map(str, before))
            if again := [each.document_id for each in cited if each.document_id in given]:
                add("cited-before", f"has {_ids(again)}, which {form.given} has")
        yield from (each._replace(contradicts=True) for each in cited) if field == CONTRADICTED else cited

    def _check_references(self, record: Mapping[str, JsonValue], answer: Answer, add: Add) -> None:
        form, references = self.form, answer.references
        if not form.references:
            return
        if "references" not in record:
            add("references", "references is missing: the list of documents that the answer may cite")
            return
        cited = dict.fromkeys(answer.cited)
        if wrong := [each for each in references if not form.is_document(each)]:
            add("document", f"references has {_ids(wrong)}; an id looks like {form.documents}")
        times = Counter(references)
        if twice := [each for each, count in times.items() if count > 1]:
            add("reference-twice", f"references has {_ids(twice)} twice")
        if missing := [each for each in cited if each not in times]:
            add("references", f"references lacks {_ids(missing)}, cited in the answer")
        if uncited := [each for each in references if each not in cited]:
            add("uncited", f"no sentence cites {_ids(uncited)}")
        if form.most_references is not None and len(references) > form.most_references:
            add("references", f"references has {len(references)} documents; at most {form.most_references}")

    def check_topics(self, answers: Sequence[Answer], topics: Collection[str]) -> None:
        """Note topics that are there twice, that are missing, and that the task does not have."""
        first = dict[str, int]()
        for answer in answers:
            before = first.setdefault(answer.topic_id, answer.line)
            if before != answer.line:
                kind = TOLERATED if "topic-twice" in self.form.tolerated else "topic-twice"
                message = f"topic {shown(answer.topic_id)} is in line {before} already"
                self.found.add(answer.line, kind, message)
            if topics and answer.topic_id not in topics:
                self.found.add(answer.line, "unknown-topic", f"topic {shown(answer.topic_id)} is unknown")
        if missing := [each for each in topics if each not in first]:
            message = f"no answer to {counted(len(missing), 'topic')}: {listed(missing)}"
            self.found.add(None, "missing-topics", message)


def _in(add: Add, where: str) -> Add:
    """Note findings with the field that they are about in front."""
    return lambda kind, message: add(kind, f"{where} {message}")


def _cited(
    citations: JsonValue, references: Sequence[JsonValue], form: AnswerForm, add: Add
) -> Iterator[Citation]:
    """What a sentence cites, the most important first."""
    if isinstance(citations, dict):
        if WEIGHTS in form.citations:
            yield from _weighted(citations, form, add)
        else:
            add("citations", f"is an object; {form.title} has a list")
        return
    for value in citations if isinstance(citations, list) else [citations]:
        if isinstance(value, NumberText) and NUMBERS not in form.citations:
            document = _referenced(value, references, form, add)
        elif isinstance(value, str) and IDS in form.citations:
            document = str(value)
        else:
            add("citations", f"has {shown(str(value))}; {form.title} has {' or '.join(form.citations)}")
            continue
        if document is None:
            continue
        if not form.is_document(document):
            add("document", f"has {shown(document)}; an id looks like {form.documents}")
        yield Citation(document)


def _weighted(citations: Mapping[str, JsonValue], form: AnswerForm, add: Add) -> Iterator[Citation]:
    found = []
    for document, value in citations.items():
        weight = float(value) if isinstance(value, NumberText) else float("nan")
        if not 0 <= weight <= 100:
            add("citations", f"has {shown(str(value))} for {shown(document)}; write a number from 0 to 100")
            continue
        if not form.is_document(document):
            add("document", f"has {shown(document)}; an id looks like {form.documents}")
        found.append(Citation(document, weight))
    yield from sorted(found, key=lambda each: -(each.weight or 0))


def _referenced(place: str, references: Sequence[JsonValue], form: AnswerForm, add: Add) -> str | None:
    """The document at a place in the references, from 0; None where there is none."""
    if PLACES not in form.citations:
        add("citations", f"has the number {place}; {form.title} has {' or '.join(form.citations)}")
    elif (document := at_place(references, place)) is not None:
        return str(document)
    else:
        there = f"the places 0 to {len(references) - 1}" if references else "no document"
        add("citations", f"has {place}, and references has {there}")
    return None


def _ids(documents: Sequence[str]) -> str:
    return listed([shown(each) for each in documents])
