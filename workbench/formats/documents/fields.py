"""What the fields of documents are called in JSON, tables and parquet, and how they become a `Document`."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from workbench.core.records import NO_FIELDS, Document
from workbench.core.registry import Registry
from workbench.formats.documents.conversations import Message, conversation_html
from workbench.formats.text.column_names import spelled_together
from workbench.formats.text.encoding import well_formed

ID_NAMES = (
    "docno", "doc_id", "document_id", "documentid", "_id", "id", "pid", "passage_id", "docid", "doc_no", "paper_id",
    "cord_uid", "coreid", "core_id", "uid", "uuid", "id_str", "pmid", "url_id", "corpus_id",
)  # fmt: skip
TITLE_NAMES = ("title", "headline", "heading", "doc_title", "document_title", "subject")
TEXT_NAMES = (
    "text", "contents", "content", "default_text", "body", "passage", "segment", "full_text", "fulltext",
    "raw_text", "document", "article", "article_text", "body_text", "contexts", "paragraphs", "sections", "segments",
    "abstract", "html", "body_html", "raw_html", "content_html", "raw", "code", "source_code", "func_code_string",
)  # fmt: skip
ID_PLACES = {name: place for place, name in enumerate(ID_NAMES)}
KNOWN = {spelled_together(name): name for name in reversed(ID_NAMES + TITLE_NAMES + TEXT_NAMES)}
IDS = frozenset(map(spelled_together, ID_NAMES))
HTML_NAMES = frozenset(("html", "body_html", "raw_html", "content_html"))
CODE_NAMES = frozenset(("code", "source_code", "func_code_string"))
MEDIA_TYPE_NAMES = ("media_type", "mime_type", "mimetype", "mime", "content_type")
PART_NAMES = ("text", "content", "contents", "paragraph")
TURNS_NAMES = tuple("turns utterances messages dialogue dialog conversation conversations thread".split())
SPEAKER_NAMES = ("speaker", "role", "author", "from", "sender", "user", "participant")
SAID_NAMES = ("text", "content", "utterance", "value", "message", "body")
WHEN_NAMES = ("time", "timestamp", "date", "created_at")
NESTED = ("metadata", "meta")
HTML, PLAIN, MARKDOWN, CODE = "text/html", "text/plain", "text/markdown", "text/x-code"
MEDIA_TYPES = (HTML, PLAIN, MARKDOWN, CODE)
KINDS: Registry[Callable[..., Any]] = Registry("kind of document", "kinds of documents", gives=str)
renderer = KINDS.register
"""By media type: a function from the text to what is shown, with `latex` whether the signs of LaTeX mean formulas.

Those of MEDIA_TYPES are in `web.judging.document.kinds`; those of plugins give HTML, which is cleaned."""

TITLE = re.compile(r"<title(?:\s[^<>]*)?>(.*?)(?:</title|\Z)", re.IGNORECASE | re.DOTALL)
TITLE_WITHIN = 256 * 1024
LONGEST_TITLE = 1000


BETRAYING = frozenset(
    "score scores rank ranking relevance relevant rel label grade judgment judgement qrel retrieval_score bm25".split()
)
"""Names of fields that may say how a run ranked a document, or how it was judged."""


class FieldNames(NamedTuple):
    """The names of fields that are the title and the text of a document: the first one that has a value is taken.

    `chosen` are those that an organiser named for one part, and that come first; `ids` those for ids, of which the
    first that is there is taken. Of each in `asked` a file must have one name. The `address` stays a field, whatever
    else it is. `hidden` are shown to no assessor. `encoding` is that of files which do not say it, '' for the one that
    they are recognised by.
    """

    title: tuple[str, ...] = TITLE_NAMES
    text: tuple[str, ...] = TEXT_NAMES
    ids: tuple[str, ...] = ID_NAMES
    chosen: tuple[tuple[str, ...], ...] = ()
    asked: tuple[tuple[str, ...], ...] = ()
    address: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    encoding: str = ""


USUAL = FieldNames()


def chosen_fields(
    title: Iterable[str], text: Iterable[str], ids: Iterable[str] = (), asked: Iterable[Iterable[str]] = ()
) -> FieldNames:
    """The usual names after those that an organiser chose; `asked` are the names for each part that is chosen now."""
    chosen = titles, texts, keys = [tuple(map(plain_name, names)) for names in (title, text, ids)]
    return FieldNames(
        titles + TITLE_NAMES,
        texts + TEXT_NAMES,
        keys + ID_NAMES,
        tuple(filter(None, chosen)),
        tuple(tuple(map(plain_name, names)) for names in asked),
    )


class FoundDocument(NamedTuple):
    """A document as a reader found it: its line (from 1) or None, and the names of its fields if it is a record.

    `document_id` is '' if there is none; `has_text` is False if no field has a name that texts or titles have.
    """

    line: int | None
    document: Document
    has_text: bool = True
    names: tuple[str, ...] = ()


def document_id_in(record: Mapping[str, Any], ids: tuple[str, ...] = ID_NAMES) -> str:
    """The id of a record, by the first of these names that it has; '' if it has none."""
    places = ID_PLACES if ids is ID_NAMES else _places(ids)
    first, found = len(ids), None
    for name in record:
        place = places.get(plain_name(name), len(ids))
        if place < len(ids) and place <= first:
            first, found = place, name
    if found is None:
        return ""
    value = record[found]
    return value.strip() if type(value) is str and value.isascii() else _text_of(value).strip()


@lru_cache(16)
def _places(ids: tuple[str, ...]) -> dict[str, int]:
    return {name: place for place, name in reversed(tuple(enumerate(ids)))}


def names_documents(names: Iterable[str], choice: FieldNames = USUAL) -> bool:
    """Whether these are the column names of a table of documents: an id, and a title or a text."""
    plain = set(map(plain_name, names))
    return not plain.isdisjoint(choice.ids) and not plain.isdisjoint(choice.title + choice.text)


def not_there(parts: Iterable[tuple[str, ...]], names: Iterable[str]) -> tuple[str, ...]:
    """The chosen names of the parts for which records with fields of these names have none."""
    plain = set(map(plain_name, names))
    return tuple(name for part in parts if plain.isdisjoint(part) for name in part)


def lacking(choice: FieldNames, names: Iterable[str]) -> tuple[str, ...]:
    """What no record has a field for that has these names: the chosen ones, else the text if there are other fields."""
    plain = set(map(plain_name, names))
    if chosen := not_there(choice.chosen, plain):
        return chosen
    others = plain.difference(choice.ids, choice.title, TURNS_NAMES)
    return ("text",) if others and plain.isdisjoint((*choice.text, *TURNS_NAMES)) else ()


@lru_cache(4096)
def plain_name(name: str) -> str:
    """The name as it is known here, however its words are parted; another one in small letters."""
    lowered = name.strip().lower()
    return lowered if lowered in ID_PLACES else KNOWN.get(spelled_together(name), lowered)


def document_from(
    record: Mapping[str, Any], line: int | None, wants: Callable[[str], bool], choice: FieldNames = USUAL
) -> FoundDocument:
    """A record as a document; without text and title where its id is not one that is wanted."""
    document_id = document_id_in(record, choice.ids)
    if not wants(document_id):
        return FoundDocument(line, Document(document_id), True, tuple(record))
    lowered = {plain_name(name): value for name, value in record.items()}
    text_name = _first_filled(choice.text, lowered)
    title_name = _first_filled(choice.title, lowered)
    title = _text_of(lowered[title_name]) if title_name else _nested_title(lowered)
    text, media_type = _text_and_type(lowered, text_name)
    if media_type == HTML and not title.strip():
        title = html_title(text)
    taken = {
        text_name,
        title_name,
        *(name for name in choice.ids if _text_of(lowered.get(name)) == document_id),
    }
    fields = dict(_fields(lowered, taken.difference(choice.address)))
    document = Document(
        document_id,
        " ".join(title.split()),
        text.strip("\r\n") if media_type == CODE else text.strip(),
        media_type,
        MappingProxyType(fields) if fields else NO_FIELDS,
    )
    has_text = bool(text) or any(name in lowered for name in (*choice.text, *choice.title))
    return FoundDocument(line, document, has_text, tuple(record))


def _first_filled(names: Iterable[str], values: Mapping[str, Any]) -> str | None:
    """The first of the names that has a value; else the first that is there at all."""
    there = [name for name in names if name in values]
    return next((name for name in there if values[name]), there[0] if there else None)


def _nested_title(values: Mapping[str, Any]) -> str:
    for name in NESTED:
        inner = values.get(name)
        if isinstance(inner, Mapping):
            return next((_text_of(inner[title]) for title in TITLE_NAMES if title in inner), "")
    return ""


def _text_and_type(values: Mapping[str, Any], name: str | None) -> tuple[str, str]:
    """The text under a name, and what kind of text it is."""
    if turns := _turns_in(values, name):
        return conversation_html(turns), HTML
    if name is None:
        return "", PLAIN
    value = values[name]
    if isinstance(value, list) and any(
        isinstance(part, Mapping) and part.get("mime") == HTML for part in value
    ):
        return "\n".join(_html_parts(value)), HTML
    declared = next((values[key] for key in MEDIA_TYPE_NAMES if isinstance(values.get(key), str)), "")
    declared = declared.split(";")[0].strip().lower()
    is_known = declared in MEDIA_TYPES or declared in KINDS
    media_type = declared if is_known else CODE if name in CODE_NAMES else PLAIN
    media_type = HTML if name in HTML_NAMES else media_type
    return _text_of(value), media_type


def _turns_in(values: Mapping[str, Any], text_name: str | None) -> list[Message]:
    """The turns of a chat, if there is no other text: objects that each say who speaks, and what."""
    if text_name is not None and values[text_name]:
        return []
    for name in TURNS_NAMES:
        turns = values.get(name)
        if isinstance(turns, list) and turns and all(isinstance(turn, Mapping) for turn in turns):
            messages = [
                Message(
                    who=_first_text(turn, SPEAKER_NAMES),
                    when=_first_text(turn, WHEN_NAMES),
                    text=_first_text(turn, SAID_NAMES),
                )
                for turn in turns
            ]
            return messages if all(message.who for message in messages) else []
    return []


def _first_text(record: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((_text_of(record[name]).strip() for name in names if record.get(name) is not None), "")


def _html_parts(parts: list[Any]) -> Iterator[str]:
    """Parts of a page, some in HTML, some plain, all as HTML."""
    for part in parts:
        text = _text_of(part)
        if isinstance(part, Mapping) and part.get("mime") == HTML:
            yield f"<div>{text}</div>"
        elif text:
            yield f"<p>{html.escape(text, quote=False)}</p>"


def _text_of(value: Any) -> str:
    """A value as text: lists by paragraphs, objects by the text in them, nothing for lists of numbers."""
    if isinstance(value, str):
        return well_formed(str(value))
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        parts = [value[name] for name in PART_NAMES if name in value][:1]
        return _text_of(parts or [text for text in value.values() if type(text) is str])
    if isinstance(value, list):
        return "\n\n".join(filter(None, map(_part_of, value))) if any(map(_is_prose, value)) else ""
    return str(value)


def _is_prose(value: Any) -> bool:
    """Whether a value has words; numbers in a list with words are a part of it, others are a vector."""
    return (
        type(value) is str
        or isinstance(value, Mapping)
        or (isinstance(value, list) and any(map(_is_prose, value)))
    )


def _part_of(value: Any) -> str:
    """A text in a list of texts; an object in it that names none is another view of them."""
    return "" if isinstance(value, Mapping) and not value.keys() & set(PART_NAMES) else _text_of(value)


def _fields(values: Mapping[str, Any], taken: Iterable[str | None]) -> Iterator[tuple[str, str]]:
    """What else is known of a document: texts, numbers, dates; lists of texts joined by semicolons."""
    leave_out = set(taken)
    for name, value in values.items():
        if name in leave_out or isinstance(value, Mapping):
            continue
        if not isinstance(value, list):
            text = _text_of(value)
        elif all(type(item) is str for item in value):
            text = "; ".join(value)
        else:
            # Lists of objects are other views of the text, except for a paper's abstract.
            text = _text_of(value) if name == "abstract" else ""
        if text.strip():
            yield name, well_formed(text.strip())


def html_title(page: str) -> str:
    """The page's title on one line, '' if it has none."""
    found = TITLE.search(page, 0, TITLE_WITHIN)
    return " ".join(html.unescape(found[1]).split())[:LONGEST_TITLE] if found else ""
