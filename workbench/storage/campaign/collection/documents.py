"""Documents of a campaign: the texts of those that matter, and where all the others are to be found.

A row of `document` is a document that is pooled or judged (or all of a source with `--all`). A source is a
file of documents as it was read once: its path, size, hash, and the ids of everything in it, compressed.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from workbench.core.records import Document, Source
from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.collection.references import indexed
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.log.log import Event, append_event, events, newest_event
from workbench.storage.campaign.log.state import part

DOCUMENTS = kinds.DOCUMENTS
"""The kind of event that adds a source."""

CHANGED = kinds.CHANGED_TEXTS
"""The kind of event that puts texts of a source in the places of others: the old texts are gone, their hashes stay."""

DELETED = kinds.DELETED_DOCUMENTS
"""The kind of event that takes single documents out of all sources."""

SOURCES = frozenset({DOCUMENTS, DELETED})
"""The kinds of events that the sources and the numbers of their documents follow from."""


class StoredSource(NamedTuple):
    """A recorded source of documents, with how many it held when it was read, without those deleted since."""

    source: int
    file: Source
    documents: int


class ChangedText(NamedTuple):
    """A document whose text was replaced, and the hashes of both."""

    document_id: str
    before: str
    after: str


class TextChanges(NamedTuple):
    """An event that replaced texts: its `seq`, the source they came from, and which."""

    seq: int
    source: int
    texts: tuple[ChangedText, ...]


class StoredDocument(NamedTuple):
    """A document with the hash of what an assessor is shown of it."""

    document: Document
    text_hash: str


def text_hash(document: Document) -> str:
    """SHA-256 over what an assessor is shown: a JSON array of title, media type, fields and text."""
    fields = dict(sorted(document.fields.items()))
    return sha256(_as_json([document.title, document.media_type, fields, document.text]).encode()).hexdigest()


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def find(campaign: Campaign, document_id: str) -> StoredDocument | None:
    """The document with its text, None without one; DamagedCampaign when it is not the one that was stored."""
    return next(_compared(campaign, "document = ?", document_id), None)


def some(campaign: Campaign, document_ids: Collection[str]) -> Iterator[StoredDocument]:
    """Those of these documents that have a text, one after the other; raises as `find` does."""
    asked = json.dumps(list(document_ids))
    return _compared(campaign, "document IN (SELECT value FROM json_each(?))", asked)


def is_as_stored(stored: StoredDocument) -> bool:
    """Whether a document has the hash that was stored with it."""
    return text_hash(stored.document) == stored.text_hash


def _compared(campaign: Campaign, condition: str, value: str) -> Iterator[StoredDocument]:
    """The documents with a text that fit, each compared with its hash."""
    for row in campaign.execute(f"{_SELECT} WHERE {condition} AND text IS NOT NULL", [value]):
        stored = _stored(row)
        if not is_as_stored(stored):
            found = f"the text of document {stored.document.document_id!r} is not the one that was stored"
            raise campaign.damaged(found)
        yield stored


def text_hash_of(campaign: Campaign, document_id: str) -> str | None:
    """The hash of what an assessor is shown of a document, or None when there is no text of it."""
    return campaign.value("SELECT text_hash FROM document WHERE document = ?", [document_id])


def text_hashes(campaign: Campaign, document_ids: Collection[str]) -> dict[str, str]:
    """The hashes of those of these documents that have a text, by id."""
    asked = json.dumps(list(document_ids))
    return campaign.mapping(
        "SELECT document, text_hash FROM document WHERE text IS NOT NULL "
        "AND document IN (SELECT value FROM json_each(?))",
        [asked],
    )


def all_text_hashes(campaign: Campaign) -> dict[str, str]:
    """The hashes of all texts by document id, in byte order of the ids."""
    return campaign.mapping(
        "SELECT document, text_hash FROM document WHERE text IS NOT NULL ORDER BY document"
    )


def field_of(campaign: Campaign, document_ids: Collection[str], name: str) -> dict[str, str]:
    """A field of those of these documents that have it, by id; of those with a text alone."""
    asked = json.dumps(list(document_ids))
    rows = campaign.execute(
        "SELECT document, fields FROM document WHERE text IS NOT NULL AND fields <> '{}' "
        "AND document IN (SELECT value FROM json_each(?))",
        [asked],
    )
    found = ((document_id, json.loads(fields)) for document_id, fields in rows)
    return {document_id: fields[name] for document_id, fields in found if name in fields}


def some_fields(campaign: Campaign, most: int = 200) -> list[dict[str, str]]:
    """The fields of some documents that have a text and fields."""
    query = "SELECT fields FROM document WHERE text IS NOT NULL AND fields <> '{}' LIMIT ?"
    return [json.loads(fields) for (fields,) in campaign.execute(query, [most])]


def titles(campaign: Campaign, document_ids: Sequence[str]) -> dict[str, str]:
    """The titles of those of these documents that have one, by id; raises as `find` does."""
    found = some(campaign, document_ids)
    return {each.document.document_id: each.document.title for each in found if each.document.title}


def all_texts(campaign: Campaign) -> Iterator[StoredDocument]:
    """Every document that has a text, in byte order of the ids, one after the other."""
    for row in campaign.execute(f"{_SELECT} WHERE text IS NOT NULL ORDER BY document"):
        yield _stored(row)


def changed_texts(campaign: Campaign) -> Iterator[str]:
    """Ids of the documents whose text is not the one that was stored.

    SQLite writes what the hash covers where a document has no further fields; all others, and those that give another
    hash, are read and hashed as when they were stored.
    """
    for document_id, covered, text_hash in campaign.execute(_COVERED):
        if covered is None or sha256(covered).hexdigest() != text_hash:
            row = campaign.execute(f"{_SELECT} WHERE document = ?", [document_id]).fetchone()
            if not is_as_stored(_stored(row)):
                yield document_id


def all_without_text(campaign: Campaign) -> list[str]:
    """Ids of all documents with a row and no text, pooled or not, in byte order."""
    return campaign.column("SELECT document FROM document WHERE text IS NULL ORDER BY document")


def without_text(campaign: Campaign) -> list[str]:
    """Ids of documents that have no text and are pooled, or cited by units of answers that are, in byte order."""
    return campaign.column(
        f"""SELECT document FROM document WHERE text IS NULL
        AND (EXISTS (SELECT 1 FROM pooled WHERE pooled.document = document.document)
            OR document IN (SELECT cited FROM ({broken.CITED}))) ORDER BY document"""
    )


def held_back_for(campaign: Campaign, topic_id: str) -> set[str]:
    """Ids of a topic's pooled documents that have no text, or a broken one."""
    found = campaign.column(
        f"""SELECT document FROM pooled JOIN document USING (document)
        WHERE topic = :topic AND (text IS NULL OR document IN ({broken.BROKEN_NOW}))""",
        {"topic": topic_id, "broken": broken.now(campaign)},
    )
    return set(found)


def topics_without_text(campaign: Campaign, limit: int) -> list[tuple[str, list[str]]]:
    """The first documents of `without_text`, each with the topics that pooled it, or a unit that cites it."""
    named = without_text(campaign)[:limit]
    rows = campaign.execute(
        f"""WITH named AS (SELECT value FROM json_each(?))
        SELECT document, topic FROM pooled WHERE document IN named
        UNION SELECT cited, topic FROM ({broken.CITED}) WHERE cited IN named ORDER BY topic""",
        [json.dumps(named)],
    )
    found: dict[str, list[str]] = {document_id: [] for document_id in named}
    for document_id, topic_id in rows:
        found[document_id].append(topic_id)
    return list(found.items())


def put_ids(campaign: Campaign, document_ids: Iterable[str]) -> None:
    """Make sure that these documents have a row, inside the open write transaction."""
    campaign.db.conn.executemany(
        "INSERT INTO document (document) VALUES (?) ON CONFLICT (document) DO NOTHING",
        ((document_id,) for document_id in document_ids),
    )


def put_source(campaign: Campaign, source: Source, count: int) -> StoredSource:
    """Record a source of `count` documents inside the open write transaction; its ids come from the staging table."""
    number = 1 + len(sources(campaign))
    content = {"source": number, **source._asdict(), "documents": count}
    append_event(campaign, DOCUMENTS, content)
    return StoredSource(number, source, count)


def put_changes(campaign: Campaign, source: int, texts: Sequence[ChangedText]) -> int:
    """Record that a source replaced these texts inside the open write transaction; returns the event's `seq`."""
    content = {"source": source, "texts": [list(each) for each in texts]}
    return append_event(campaign, CHANGED, content)


@part(CHANGED, start=list)
def changes(found: list[TextChanges], event: Event) -> None:
    """All events that replaced texts, in the order of the log."""
    texts = tuple(ChangedText(*each) for each in event.content["texts"])
    found.append(TextChanges(event.seq, event.content["source"], texts))


def changes_of(campaign: Campaign, document_id: str) -> list[Event]:
    """The events that replaced the text of one document, in the order of the log."""
    return [
        event
        for event in events(campaign, CHANGED)
        if any(changed[0] == document_id for changed in event.content["texts"])
    ]


def with_text(campaign: Campaign) -> list[str]:
    """Ids of the documents that have a text."""
    return campaign.column("SELECT document FROM document WHERE text IS NOT NULL")


def remove(campaign: Campaign, document_ids: Sequence[str], *, reason: str = "") -> int:
    """Delete unused documents from all sources inside the open write transaction; returns the event's `seq`."""
    connection, gone = campaign.db.conn, set(document_ids)
    counts, kept = Counter[int](), list[tuple[bytes, int, int]]()
    for source, place, blob in connection.execute("SELECT source, part, ids FROM source_documents"):
        ids = _ids_of(blob)
        if not gone.isdisjoint(ids):
            left = [document_id for document_id in ids if document_id not in gone]
            counts[source] += len(ids) - len(left)
            kept.append((packed_ids(left), source, place))
    sizes = [
        [each.source, each.documents - counts[each.source]]
        for each in sources(campaign)
        if each.source in counts
    ]
    content = {"documents": list(document_ids), "sources": sizes, "reason": reason}
    seq = append_event(campaign, DELETED, content)
    connection.executemany("UPDATE source_documents SET ids = ? WHERE source = ? AND part = ?", kept)
    with indexed(campaign, "document"):
        for table in ("page_image", "document"):
            rows = ((each,) for each in document_ids)
            connection.executemany(f"DELETE FROM {table} WHERE document = ?", rows)
    return seq


def same_source(campaign: Campaign, source: Source, count: int) -> StoredSource | None:
    """The recorded source with the same path, content and number of documents: another one after deletions."""
    known = (each for each in sources(campaign) if each.file == source and each.documents == count)
    return next(known, None)


def sources(campaign: Campaign) -> list[StoredSource]:
    """The recorded sources in the order they were added."""
    return list(_sources(campaign).values())


@part(DOCUMENTS, DELETED, start=dict)
def _sources(found: dict[int, StoredSource], event: Event) -> None:
    """The sources by their numbers."""
    content = event.content
    if event.kind == DELETED:
        for source, left in content["sources"]:
            found[source] = found[source]._replace(documents=left)
    else:
        file = Source(*(content[name] for name in Source._fields))
        found[content["source"]] = StoredSource(content["source"], file, content["documents"])


_distinct: Cache[int] = Cache(of_one=1)


def number_in_sources(campaign: Campaign) -> int:
    """How many documents the sources have, one that several have counted once; cached until they change."""
    with campaign.snapshot():
        return _distinct.at(campaign, newest_event(campaign, SOURCES), None, lambda: _in_sources(campaign))


def _in_sources(campaign: Campaign) -> int:
    # A file that was added again, as most collections are, has the same documents.
    once = list({source.file.sha256: source for source in sources(campaign)}.values())
    if len(once) < 2:
        return sum(source.documents for source in once)
    ids = [part for source in once for part in source_ids(campaign, source.source)]
    # 64 bits each: two of ten million documents share one once in 400,000 campaigns.
    return len(np.unique(np.concatenate([np.fromiter(map(hash, part), np.int64) for part in ids])))


def source_ids(campaign: Campaign, source: int) -> Iterator[list[str]]:
    """The ids of a source's documents in the order of the file, in parts of at most 100,000."""
    rows = campaign.execute("SELECT ids FROM source_documents WHERE source = ? ORDER BY part", [source])
    for (blob,) in rows:
        yield _ids_of(blob)


def ids_by_source(campaign: Campaign) -> Iterator[tuple[int, list[str]]]:
    """The number of each source and the ids of its documents, in parts of at most 100,000."""
    rows = campaign.execute("SELECT source, ids FROM source_documents")
    return ((source, _ids_of(blob)) for source, blob in rows)


def packed_ids(document_ids: Iterable[str]) -> bytes:
    """Ids of documents as `source_documents` has them."""
    return zlib.compress("\n".join(document_ids).encode(), 6)


def _ids_of(blob: bytes) -> list[str]:
    text = zlib.decompress(blob).decode()
    return text.split("\n") if text else []


_SELECT = "SELECT document, title, text, media_type, fields, text_hash FROM document"
_COVERED = """SELECT document,
    CASE fields WHEN '{}' THEN CAST(json_array(title, media_type, json('{}'), text) AS BLOB) END, text_hash
    FROM document WHERE text IS NOT NULL"""


def _stored(row: tuple[Any, ...]) -> StoredDocument:
    document_id, title, text, media_type, fields, text_hash = row
    return StoredDocument(Document(document_id, title, text, media_type, json.loads(fields)), text_hash)


def document_row(document: Document) -> tuple[str, str, str, str, str, str]:
    """A document as its row is stored: id, title, text, media type, fields as JSON, hash of the text."""
    fields = json.dumps(dict(document.fields), ensure_ascii=False)
    document_id, title, text, media_type, _ = document
    return (document_id, title, text, media_type, fields, text_hash(document))


def some_with_text(campaign: Campaign, topic_id: str, most: int) -> list[str]:
    """A few documents that have a text: pooled ones of a topic first, then any others, each in byte order."""
    rows = campaign.execute(
        """SELECT document FROM (
            SELECT document, 0 AS place FROM pooled JOIN document USING (document)
            WHERE topic = :topic AND text_hash IS NOT NULL ORDER BY document LIMIT :most)
        UNION ALL SELECT document FROM (
            SELECT document FROM document WHERE text_hash IS NOT NULL ORDER BY document LIMIT :most)""",
        {"topic": topic_id, "most": most},
    )
    return list(dict.fromkeys(document_id for (document_id,) in rows))[:most]
