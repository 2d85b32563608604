"""What people said of documents, as other tools for judging read it; `formats.judged_records` reads it again.

Labels of models are predictions of Label Studio and suggestions of Argilla; Quepid has no place for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from workbench.core.records import Document, Judgment, Topic
from workbench.core.registry import Registry
from workbench.formats.judged_records import NO_ADDRESS
from workbench.formats.tables.json_text import json_line, json_text
from workbench.release.names import pseudonyms
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.counts.publication import assessors
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.sources import MODEL
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings


class Said(NamedTuple):
    """A pair with the judgments in force of people and of models."""

    topic: Topic
    document: Document
    people: list[Judgment]
    models: list[Judgment]


Pairs = Iterable[Said]
BY_DOCUMENT = attrgetter("document_id")
FORMS: Registry[Callable[[Settings, Pairs], Iterator[str]]] = Registry("form", "forms of judgments")


def judged_lines(campaign: Campaign, form: str, *, names: bool = False) -> Iterator[str]:
    """The lines of a form, with people as assessor-1 and so on, or by their `names`. UnknownName for no form."""
    return FORMS.find(form)(settings.read(campaign), _pairs(campaign, names=names))


def _pairs(campaign: Campaign, *, names: bool) -> Iterator[Said]:
    called = {} if names else pseudonyms(assessors(campaign))
    for topic, _ in topics.all_topics(campaign):
        given = judgments.current_of_topic(campaign, topic.topic_id, models=True)
        given = sorted((each for each in given if each.kind != "cleared"), key=BY_DOCUMENT)
        stored = documents.some(campaign, {each.document_id for each in given})
        texts = {each.document.document_id: each.document for each in stored}
        for document_id, rows in groupby(given, key=BY_DOCUMENT):
            said = Said(topic, texts.get(document_id, Document(document_id)), [], [])
            for each in rows:
                if each.kind == MODEL:
                    said.models.append(each)
                else:
                    said.people.append(each._replace(assessor=called.get(each.assessor, each.assessor)))
            yield said


@FORMS.register("quepid")
def as_book(now: Settings, pairs: Pairs) -> Iterator[str]:
    """A book of Quepid, to import: queries are titles, or ids of topics where several have the same title."""
    listed = list(pairs)
    titles = {said.topic.topic_id: said.topic.title for said in listed}
    taken = Counter([*titles, *titles.values()])

    def judgement(each: Judgment) -> dict[str, Any]:
        address = each.assessor if "@" in each.assessor else f"{'_'.join(each.assessor.split())}{NO_ADDRESS}"
        said = {"rating": each.grade, "unrateable": each.grade is None, "explanation": each.comment}
        return {**said, "user_email": address}

    def pair(said: Said) -> dict[str, Any]:
        query = said.topic.title if taken[said.topic.title] == 1 else said.topic.topic_id
        fields = json_line({"title": said.document.title, "text": said.document.text}).rstrip()
        ids = {"query_text": query, "doc_id": said.document.document_id, "document_fields": fields}
        return {**ids, "judgements": [judgement(each) for each in said.people]}

    scale = {grade.grade: grade.name for grade in now.grades}
    about = {"name": now.title, "show_rank": False, "scale": [*scale], "scale_with_labels": scale}
    yield json_text({**about, "query_doc_pairs": [pair(said) for said in listed]})


@FORMS.register("label-studio")
def as_tasks(now: Settings, pairs: Pairs) -> Iterator[str]:
    """Tasks of Label Studio: choices called grade, and a textarea called comment, both of the text."""

    def result(each: Judgment) -> list[dict[str, Any]]:
        kinds = {"grade": ("choices", "choices"), "comment": ("textarea", "text")}
        said = ((name, *kinds[name], value) for name, value in _answers(now, each))
        return [
            {"from_name": name, "to_name": "text", "type": kind, "value": {key: [value]}}
            for name, kind, key, value in said
        ]

    def annotation(each: Judgment) -> dict[str, Any]:
        # Its import refuses people without an account there, and does not look at a field of another name.
        has_address = "@" in each.assessor
        by = {"completed_by": {"email": each.assessor}} if has_address else {"assessor": each.assessor}
        return {**by, "result": result(each), "was_cancelled": each.grade is None}

    return _list(
        {
            "id": number,
            "data": {**_texts(said), **_ids(said)},
            "annotations": [annotation(each) for each in said.people],
            "predictions": [{"model_version": each.assessor, "result": result(each)} for each in said.models],
        }
        for number, said in enumerate(pairs, start=1)
    )


@FORMS.register("argilla")
def as_records(now: Settings, pairs: Pairs) -> Iterator[str]:
    """Records of Argilla 2 with questions called grade and comment; people are UUIDs, as it wants them."""

    def record(said: Said) -> dict[str, Any]:
        responses: dict[str, list[dict[str, str]]] = {"grade": [], "comment": []}
        for each in said.people:
            for name, value in _answers(now, each):
                responses[name].append({"value": value, "user_id": str(uuid5(NAMESPACE_URL, each.assessor))})
        models = [(each.assessor, *answer) for each in said.models for answer in _answers(now, each)]
        suggestions = {name: {"value": value, "agent": agent} for agent, name, value in models}
        about = {"id": " ".join(_ids(said).values()), "fields": _texts(said), "metadata": _ids(said)}
        return {**about, "suggestions": suggestions, "responses": responses}

    return _list(map(record, pairs))


def _answers(now: Settings, each: Judgment) -> list[tuple[str, str]]:
    """The name of the grade, and the comment, as far as they are given."""
    names = {grade.grade: grade.name for grade in now.grades}
    grade = "" if each.grade is None else names.get(each.grade, str(each.grade))
    return [(name, value) for name, value in (("grade", grade), ("comment", each.comment)) if value]


def _ids(said: Said) -> dict[str, str]:
    return {"topic_id": said.topic.topic_id, "document_id": said.document.document_id}


def _texts(said: Said) -> dict[str, str]:
    text = "\n\n".join(filter(None, [said.document.title, said.document.text]))
    return {"query": said.topic.title or said.topic.topic_id, "text": text or said.document.document_id}


def _list(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A JSON list, a record a line."""
    before = "["
    for record in records:
        yield f"{before}\n{json_line(record).rstrip()}"
        before = ","
    yield "\n]\n" if before == "," else "[]\n"
