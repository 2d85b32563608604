"""What people said of documents, as other tools for judging read it; `formats.judged_records` reads it again.

Labels of models are predictions of Label Studio and suggestions of Argilla; Quepid has no place for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from workbench.core.records import Document
from workbench.core.registry import Registry
from workbench.formats.judged_records import NO_ADDRESS, RESULTS
from workbench.formats.tables.json_text import Section, json_line, json_pieces
from workbench.release.names import pseudonyms
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.counts.publication import assessors
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.sources import MODEL
from workbench.storage.campaign.organising import settings

Fields = dict[str, Any]


class Answer(NamedTuple):
    """The judgment of a person or model in force; `texts` are its grade's name and its comment, as far as given."""

    by: str
    grade: int | None
    texts: dict[str, str]


class Said(NamedTuple):
    """A pair, its place from 1, and what is said of it; `query` is a title, or an id where several have the title."""

    place: int
    query: str
    ids: Fields
    document: Document
    texts: Fields
    people: list[Answer]
    models: list[Answer]


FORMS: Registry[Callable[[Said], Fields]] = Registry("form", "forms of judgments")


def judged_lines(campaign: Campaign, form: str, *, names: bool = False) -> Iterator[str]:
    """JSON in a form, a pair a line; people are assessor-1 and so on without their `names`. UnknownName for no form."""
    record, now = FORMS.find(form), settings.read(campaign)
    scale = {grade.grade: grade.name for grade in now.grades}
    records = map(record, _pairs(campaign, scale, None if names else pseudonyms(assessors(campaign))))
    about = {"name": now.title, "show_rank": False, "scale": [*scale], "scale_with_labels": scale}
    return json_pieces(Section(**about, query_doc_pairs=records) if record is as_pair else records)


def _pairs(campaign: Campaign, scale: dict[int, str], codes: dict[str, str] | None) -> Iterator[Said]:
    titles, of_document, places = topics.titles(campaign), attrgetter("document_id"), count(1)
    taken = Counter(" ".join(title.split()) for title in [*titles, *titles.values()])
    for topic_id, title in titles.items():
        query = title if title.strip() and taken[" ".join(title.split())] == 1 else topic_id
        given = judgments.current_of_topic(campaign, topic_id, models=True)
        given = sorted((each for each in given if each.kind != "cleared"), key=of_document)
        stored = documents.some(campaign, {each.document_id for each in given})
        texts = {each.document.document_id: each.document for each in stored}
        for document_id, rows in groupby(given, key=of_document):
            document = texts.get(document_id, Document(document_id))
            ids = {"topic_id": topic_id, "document_id": document_id}
            text = "\n\n".join(filter(None, [document.title, document.text])) or document_id
            said = Said(
                next(places), query, ids, document, {"query": title or topic_id, "text": text}, [], []
            )
            for each in rows:
                grade = "" if each.grade is None else scale.get(each.grade, str(each.grade))
                is_model, words = each.kind == MODEL, {"grade": grade, "comment": each.comment}
                by = each.assessor if is_model or codes is None else codes[each.assessor]
                answer = Answer(by, each.grade, {name: word for name, word in words.items() if word})
                (said.models if is_model else said.people).append(answer)
            yield said


@FORMS.register("quepid")
def as_pair(said: Said) -> Fields:
    """A pair of a book of Quepid, to import."""

    def judgement(each: Answer) -> Fields:
        address = each.by if "@" in each.by else f"{'_'.join(each.by.split())}{NO_ADDRESS}"
        given = {"rating": each.grade, "unrateable": each.grade is None, "user_email": address}
        return {**given, "explanation": each.texts.get("comment", "")}

    fields = json_line({"title": said.document.title, "text": said.document.text}).rstrip()
    about = {"query_text": said.query, "doc_id": said.ids["document_id"], "document_fields": fields}
    return {**about, "judgements": list(map(judgement, said.people))}


@FORMS.register("label-studio")
def as_task(said: Said) -> Fields:
    """A task of Label Studio: choices called grade, and a textarea called comment, both of the text."""

    def results(each: Answer) -> list[Fields]:
        return [
            {"from_name": name, "to_name": "text", "type": kind, "value": {RESULTS[kind]: [each.texts[name]]}}
            for name, kind in (("grade", "choices"), ("comment", "textarea"))
            if name in each.texts
        ]

    def annotation(each: Answer) -> Fields:
        # Its import refuses people without an account there, and does not look at a field of another name.
        by = {"completed_by": {"email": each.by}} if "@" in each.by else {"assessor": each.by}
        return {**by, "result": results(each), "was_cancelled": each.grade is None}

    predictions = [{"model_version": each.by, "result": results(each)} for each in said.models]
    given = {"annotations": list(map(annotation, said.people)), "predictions": predictions}
    return {"id": said.place, "data": {**said.texts, **said.ids}, **given}


@FORMS.register("argilla")
def as_record(said: Said) -> Fields:
    """A record of Argilla 2 with questions called grade and comment; people are UUIDs, as it wants them."""
    responses: dict[str, list[Fields]] = {"grade": [], "comment": []}
    for each in said.people:
        for name, text in each.texts.items():
            responses[name].append({"value": text, "user_id": str(uuid5(NAMESPACE_URL, each.by))})
    models = [(each.by, *answer) for each in said.models for answer in each.texts.items()]
    suggestions = {name: {"value": text, "agent": agent} for agent, name, text in models}
    about = {"id": " ".join(said.ids.values()), "fields": said.texts, "metadata": said.ids}
    return {**about, "suggestions": suggestions, "responses": responses}
