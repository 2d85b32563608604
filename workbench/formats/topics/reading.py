"""Topic files of every kind met in the field, read as `Topic` records with their ids as text.

The kind is seen from the content, not from the name: TREC's `<top>` elements (closed or not), XML, tab- or
comma-separated lines, JSON, JSON lines, and two older layouts. A file is read as a whole or refused as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.records import Source, Topic
from workbench.core.wording import listed
from workbench.formats.text.addresses import without_secrets
from workbench.formats.text.content import PARQUET_START, binary_kind
from workbench.formats.text.encoding import declared_encoding, decode
from workbench.formats.text.files import refused
from workbench.formats.text.lines import identifier_problem, shown
from workbench.formats.text.markup import has_references, starts_smart
from workbench.formats.text.sources import read_with_source
from workbench.formats.topics.fields import (
    USUAL,
    FieldChoice,
    RawTopic,
    shown_names,
    topic_from,
    unknown_fields,
)
from workbench.formats.topics.in_json import parquet_as_json_lines, read_json, turn_ids
from workbench.formats.topics.in_sgml import holds_documents, holds_tops, read_docs, read_smart, read_tops
from workbench.formats.topics.in_tables import OnNote, read_table
from workbench.formats.topics.in_xml import read_xml

SEEN = 64 * 1024
PER_CONVERSATION = "each conversation is a topic; runs may have a topic per turn"


class TopicsFile(NamedTuple):
    """What a file of topics held: its name as given, the file as stored, the topics in file order, the warnings."""

    file: str
    source: Source
    topics: list[Topic]
    warnings: tuple[Problem, ...]


def read_topics(path: str | Path, choice: FieldChoice = USUAL) -> TopicsFile:
    """Read a file of topics, plain or compressed; `choice` names the fields that are title, description, narrative.

    Line breaks within titles become blanks; descriptions and narratives keep theirs. What else the file says of a
    topic is in `Topic.fields`. Raises `InputError` for a file that holds no topics (with what it seems to be), a
    topic without an id, an id with blanks in it, an id that occurs twice, and a chosen field that no topic has.
    """
    file = without_secrets(path)
    data, source = read_with_source(path, topics=True)
    if not data.strip():
        raise refused(path, "the file is empty; name a file of topics")
    if data.startswith(PARQUET_START):
        data = parquet_as_json_lines(data, file)
    if kind := binary_kind(data[:SEEN]):
        raise refused(path, f"this is {kind}")
    text, encoding_warning = decode(data, declared_encoding(data), choice.encoding or None)
    notes: list[Problem] = []
    raws = list(_raw_topics(text, file, choice, lambda line, said: notes.append(Problem(file, line, said))))
    if unknown := unknown_fields(choice, (name for raw in raws for name, _ in raw.pairs)):
        raise refused(file, f"no topic has a field {shown(unknown[0])}; the fields are {_field_names(raws)}")
    topics = [topic_from(raw.pairs, choice) for raw in raws]
    _check(raws, topics, file)
    warnings = [Problem(file, None, encoding_warning)] if encoding_warning else []
    return TopicsFile(file, source, topics, (*warnings, *notes, *_warnings(raws, topics, file)))


def _raw_topics(text: str, file: str, choice: FieldChoice, note: OnNote) -> Iterable[RawTopic]:
    start = text.lstrip()
    if start.startswith(("{", "[")):
        if not choice.per_turn and (turns := turn_ids(text, file)):
            note(1, f"{PER_CONVERSATION}: {listed(turns)} with --topic-per-turn")
        return read_json(text, file, per_turn=choice.per_turn)
    if start.startswith("<"):
        return _marked_up(text, start, file)
    if starts_smart(start.split("\n", 1)[0]):
        return read_smart(text)
    return read_table(text, file, note)


def _marked_up(text: str, start: str, file: str) -> Iterable[RawTopic]:
    if holds_tops(text):
        return read_tops(text)
    if start[:4].lower() == "<doc" and "<docno>" in text.lower():
        if holds_documents(text):
            message = "these are documents, not topics: add them with: workbench add documents CAMPAIGN FILE"
            raise refused(file, message)
        return read_docs(text)
    if start[:9].lower().startswith(("<!doctype html"[:9], "<html")) and "<html" in text.lower():
        raise refused(file, "this is a web page, not topics")
    return read_xml(text, file)


def _check(raws: list[RawTopic], topics: list[Topic], file: str) -> None:
    problems = list(_problems(raws, topics, file))
    if not topics:
        problems.append(Problem(file, None, "no topics were found in the file"))
    elif not any(topic.title or topic.description or topic.narrative or topic.fields for topic in topics):
        message = f"no topic has any text: the fields are {_field_names(raws[:1])}"
        problems.append(Problem(file, raws[0].line, message))
    if problems:
        raise InputError(problems)


def _problems(raws: list[RawTopic], topics: list[Topic], file: str) -> Iterator[Problem]:
    seen: dict[str, int | None] = {}
    for raw, topic in zip(raws, topics, strict=True):
        if not topic.topic_id:
            yield Problem(file, raw.line, "a topic without an id; give it one or take it out")
        elif problem := identifier_problem("topic", topic.topic_id):
            yield Problem(file, raw.line, problem)
        elif topic.topic_id in seen:
            first = seen[topic.topic_id]
            place = f" (first on line {first})" if first else ""
            yield Problem(
                file, raw.line, f"topic {shown(topic.topic_id)} occurs twice{place}; keep one of them"
            )
        else:
            seen[topic.topic_id] = raw.line


def _warnings(raws: list[RawTopic], topics: list[Topic], file: str) -> Iterator[Problem]:
    """What deserves a look: topics without a title, texts that were escaped once too often."""
    pairs = list(zip(raws, topics, strict=True))
    if _starts_with_a_header(topics):
        message = (
            f"{shown(topics[0].topic_id)} is taken as the id of a topic; is this a line of column names?"
        )
        way_out = (
            "Then name the columns qid, title, description, narrative; a topic that is none is deleted with "
            "workbench task withdraw CAMPAIGN --topics ID --delete"
        )
        yield Problem(file, raws[0].line, f"{message} {way_out}")
    untitled = [(raw, topic) for raw, topic in pairs if not topic.title]
    if untitled:
        raw, topic = untitled[0]
        message = f"{_counted(untitled, topics)} no title, first {shown(topic.topic_id)}"
        hint = f"; if a field is the title, name it (title field, --title-field): {shown_names(topic.fields)}"
        yield Problem(file, raw.line, message + (hint if topic.fields else ""))
    escaped = [(raw, topic) for raw, topic in pairs if has_references(topic.title + topic.description)]
    if escaped:
        raw = escaped[0][0]
        message = f"{_counted(escaped, topics)} references such as &amp; in the text, kept as they are"
        yield Problem(file, raw.line, message)


def _starts_with_a_header(topics: list[Topic]) -> bool:
    """Whether all ids but the first have digits."""
    has_digit = [any(map(str.isdigit, topic.topic_id)) for topic in topics]
    return len(topics) > 1 and not has_digit[0] and all(has_digit[1:])


def _field_names(raws: list[RawTopic]) -> str:
    return shown_names(dict.fromkeys(name for raw in raws for name, _ in raw.pairs))


def _counted(some: list[tuple[RawTopic, Topic]], topics: list[Topic]) -> str:
    return f"{len(some):,} of {len(topics):,} topics {'has' if len(some) == 1 else 'have'}"
