"""Nugget banks as nuggetizer, ARGUE (v3) and autojudge-base (v4) read them.

A bank that was read from the form that is written is the same JSON again. A change is written, what the file had
beside it stays. What was read from another form is kept whole in `metadata`, under the name of that form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from workbench.formats.answers.assigned import IMPORTANCES
from workbench.formats.answers.bank_forms import (
    argue_answer,
    argue_nugget,
    bank_of,
    nuggetizer_nugget,
    reference_of,
)
from workbench.formats.answers.banks import Bank, BankFile, Creator, GoldAnswer, Nugget, Reference
from workbench.formats.answers.nodes import Node
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import JsonValue, NumberText, json_of
from workbench.formats.text.lines import shown

Object = dict[str, JsonValue]
Fields = Mapping[str, tuple[str, Callable[[Any], JsonValue]]]
"""By field of an object, the attribute of the record and how its value is written."""


def banks_text(banks: BankFile | Sequence[Bank], form: str) -> str:
    """The text of a file of banks in a form of WRITTEN: JSON lines; of v4, or of a container of its form, one object.

    InputError names the first nugget with something that the form has no place for, or two banks of a topic in v4.
    """
    file = banks if isinstance(banks, BankFile) else BankFile("nuggets", tuple(banks))
    write, own = WRITTEN[form]
    around = (file.container if all(bank.form == own for bank in file.banks) else None) or {}
    if not around and form == "v4":
        around = {"format_version": "v4", "banks": {}}
    keys = {id(given): key for key, given in around.get("banks", {}).items()}
    objects = [(keys.get(id(bank.given), bank.topic_id), write(bank, file.file)) for bank in file.banks]
    if not around:
        return "".join(json_of(each) + "\n" for _, each in objects)
    if len(dict(objects)) < len(objects):
        raise refused(file.file, "two banks of one topic are not one object; merge them")
    return json_of({**around, "banks": dict(objects)}) + "\n"


def _object(record: Any, read: Callable[[Node], Any] | None, start: Object, fields: Fields) -> Object:
    """What was given, with each field whose value is another than what was `read` of it.

    Of a record that was given nothing, or in another form, which nothing reads, it begins with `start`.
    """
    before = read(Node(record.given)) if read and record.given else None
    written = dict(record.given if before else start)
    for name, (attribute, render) in fields.items():
        value = getattr(record, attribute)
        if before is None or value != getattr(before, attribute):
            if value:
                written[name] = render(value)  # where it stood
            else:
                written.pop(name, None)
    return written


def _metadata(record: Bank | Nugget | GoldAnswer, form: str) -> Object:
    """The object of another form that it was read from."""
    return {"metadata": {form: record.given}} if isinstance(record.given, dict) else {}


def _nuggetizer(bank: Bank, file: str) -> Object:
    own = bank.form == "nuggetizer"

    def nugget(each: Nugget) -> Object:
        wrong = "answers, parts or references" if each.answers or each.parts or each.references else ""
        if wrong or each.importance not in ("", *IMPORTANCES):
            wrong = wrong or f"importance {shown(each.importance)}"
            message = f"topic {bank.topic_id}: nugget {shown(each.text)} has {wrong}; write the form argue"
            raise refused(file, message, bank.line or None)
        fields: Fields = {"text": ("text", str), "importance": ("importance", str)}
        return _object(each, nuggetizer_nugget if own else None, _metadata(each, bank.form), fields)

    fields: Fields = {
        "query": ("query", str),
        "qid": ("topic_id", str),
        "nuggets": ("nuggets", lambda nuggets: list(map(nugget, nuggets))),
    }
    written = _object(bank, bank_of if own else None, _metadata(bank, bank.form), fields)
    needed: Object = {} if own and bank.given else {"query": ""}  # autojudge-base reads no bank without one
    return {**needed, **written, "nuggets": written.get("nuggets", [])}


def _argue(bank: Bank, _: str) -> Object:
    own = bank.form == "argue"
    before = bank_of(Node(bank.given)) if own and bank.given else None

    def nugget(each: Nugget) -> Object:
        kind = "question" if each.is_question else "claim"
        start = {"query_id": bank.topic_id, **_metadata(each, bank.form)}
        fields: Fields = {
            kind: ("text", str),
            f"{kind}_id": ("nugget_id", str),
            "answers": (
                "answers",
                lambda answers: _keyed((each.text or each.answer_id, answer(each)) for each in answers),
            ),
            "aggregator_type": ("aggregator", str),
            "importance": ("importance", lambda text: NumberText(text) if text.isdecimal() else text),
            "sub_nuggets": ("parts", lambda parts: list(map(nugget, parts))),
            "references": ("references", lambda references: list(map(_reference, references))),
            "creator": ("creators", _creators),
        }
        named = each._replace(text=each.text or each.nugget_id)
        return _object(named, argue_nugget if own else None, start, fields)

    def answer(each: GoldAnswer) -> Object:
        fields: Fields = {
            "answer": ("text", str),
            "references": ("references", lambda references: list(map(_reference, references))),
            "creator": ("creators", _creators),
        }
        named = each._replace(text=each.text or each.answer_id)
        return _object(named, argue_answer if own else None, _metadata(each, bank.form), fields)

    fields: Fields = {
        "query_id": ("topic_id", str),
        "title_query": ("query", str),
        "creator": ("creators", _creators),
    }
    written = _object(bank, bank_of if own else None, _metadata(bank, bank.form), fields)
    if before is None or before.nuggets != bank.nuggets:
        written.setdefault("format_version", "v3")
        for name, asked in (("nugget_bank", True), ("claim_bank", False)):
            written.pop(name, None)
            kept = [
                (each.text or each.nugget_id, nugget(each))
                for each in bank.nuggets
                if each.is_question == asked
            ]
            if kept or (asked and not bank.nuggets):
                written[name] = _keyed(kept)
    return written


def _keyed(pairs: Iterable[tuple[str, Object]]) -> JsonValue:
    """An object by text; a list where two texts are the same."""
    each = list(pairs)
    return dict(each) if len(dict(each)) == len(each) else [value for _, value in each]


def _reference(reference: Reference) -> JsonValue:
    given = reference.given
    again = reference_of(Node(given)) if isinstance(given, dict) else Reference(str(given), given=given)
    if reference == again:
        return given
    if isinstance(given, dict):  # its document has another id now
        return {**given, "doc_id": reference.document_id}
    written: Object = {"doc_id": reference.document_id}
    if reference.span is not None:
        start, end = (NumberText(str(place)) for place in reference.span)
        written["offsets"] = {"start_offset": start, "end_offset": end, "encoding": "utf-8"}
    return written


def _creators(creators: Iterable[Creator]) -> list[Object]:
    """autojudge-base wants to know of each whether it is a person."""
    return [
        {"is_human": bool(each.is_human), "assessor_id" if each.is_human else "llm_model": each.name}
        for each in creators
    ]


WRITTEN: Mapping[str, tuple[Callable[[Bank, str], Object], str]] = MappingProxyType(
    {"nuggetizer": (_nuggetizer, "nuggetizer"), "argue": (_argue, "argue"), "v4": (_nuggetizer, "nuggetizer")}
)
"""How a bank is written in each form, and the form of banks that are read back from it."""
