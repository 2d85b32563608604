"""Units of answers that are pooled: what each says, and which of them no answer has any more.

A pooled unit is a document whose text is its sentence or nugget. Of citations it names the document that is cited and
the hash of that one's text, so that a judgment proves which text the assessor was shown, and another text of the cited
document makes another text of the unit. So do the documents of a pair of things.

A unit that no answer of a run in force has, after its nugget changed or its runs were withdrawn, is in no pool: its
pair stands in `retired_pair`, until an answer has it again. Judgments stay.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from workbench.core.about import DOCUMENTS
from workbench.core.battles import FIRST, SECOND
from workbench.core.errors import NotThere
from workbench.core.records import Document
from workbench.formats.tables.json_text import json_line
from workbench.formats.text.json_values import loads
from workbench.storage.campaign.collection import documents, topic_withdrawals, units
from workbench.storage.campaign.collection.documents import ChangedText, document_row
from workbench.storage.campaign.collection.pairs import is_of_pairs
from workbench.storage.campaign.collection.question_topics import about, keys_of, questions
from workbench.storage.campaign.collection.unit_records import BETWEEN, PREFIX, TopicUnits, Unit, hashed
from workbench.storage.campaign.file.connection import Campaign

LONGEST_TITLE = 100
CITED, CITED_TEXT = "document", "document_text"
"""Fields of a unit of citations: the document that is cited, and the hash of its text where it has one."""
LISTED = "documents"
"""The field of a pair of things that has its documents as JSON; CITED_TEXT is then a hash over those of their texts."""

_UNITS = f"document >= '{PREFIX}' AND document < '{PREFIX[:-1]};'"
_LISTED = "SELECT value FROM json_each(?)"

Pairs = Iterable[tuple[Any, ...]]
"""Rows that begin with topic and document."""


def put_texts(campaign: Campaign, pairs: Pairs) -> None:
    """Store what those of these pairs that are units say, inside the open write transaction.

    The documents that they cite get rows, by which their texts are fetched. NotThere for a pair that is no unit, unless
    the topic has no answer at all, as after the import of a bundle without runs: nothing is known of its units.
    """
    chosen: list[Unit] = []
    for topic_id, found, ids in _by_topic(campaign, pairs):
        lost = next((each for each in ids if each not in found.numbers), None)
        if lost is not None and found.units:
            raise NotThere(f"{lost!r} is no unit of an answer to topic {topic_id}; pool units alone")
        chosen += _known(found, ids)
    _store(campaign, chosen)


def put_late_texts(campaign: Campaign) -> None:
    """Store what pooled units say that have no text, as from a bundle without their runs, once a run has them."""
    unknown = campaign.execute(
        f"SELECT topic, document FROM document JOIN pooled USING (document) WHERE {_UNITS} AND text IS NULL"
    ).fetchall()
    _store(campaign, [unit for _, found, ids in _by_topic(campaign, unknown) for unit in _known(found, ids)])


def _by_topic(campaign: Campaign, pairs: Pairs) -> Iterator[tuple[str, TopicUnits, list[str]]]:
    """The ids of these pairs by topic with the topic's units, where units are judged: a topic is looked up once."""
    ids: dict[str, list[str]] = {}
    for topic_id, document_id, *_ in pairs:
        ids.setdefault(topic_id, []).append(document_id)
    for topic_id, of_topic in ids.items():
        if about(campaign, topic_id) != DOCUMENTS:
            yield topic_id, units.of_topic(campaign, topic_id), of_topic


def _known(found: TopicUnits, ids: Iterable[str]) -> list[Unit]:
    return [found.units[found.numbers[each]] for each in ids if each in found.numbers]


def _store(campaign: Campaign, chosen: Sequence[Unit]) -> None:
    chosen = [unit for unit in chosen if unit.text or not unit.sides]
    if not chosen:
        return
    cited = sorted({document_id for unit in chosen for document_id in unit.documents})
    documents.put_ids(campaign, cited)
    hashes = documents.text_hashes(campaign, cited)
    campaign.db.conn.executemany(
        "INSERT INTO document (document, title, text, media_type, fields, text_hash) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (document) DO UPDATE SET title = excluded.title, text = excluded.text, "
        "media_type = excluded.media_type, fields = excluded.fields, text_hash = excluded.text_hash "
        "WHERE text IS NULL",
        [document_row(document_of(unit, hashes)) for unit in chosen],
    )


def lost(campaign: Campaign, pairs: Pairs) -> set[tuple[str, str]]:
    """Those of these pairs that are no units of their topic, though answers are judged there and some are known."""
    return {
        (topic_id, each)
        for topic_id, found, ids in _by_topic(campaign, pairs)
        for each in (ids if found.units and not is_of_pairs(campaign, topic_id) else ())
        if each not in found.numbers
    }


def document_of(unit: Unit, hashes: Mapping[str, str]) -> Document:
    """A unit as the document that an assessor judges; `hashes` are those of the texts of cited documents."""
    fields = (
        {"answer": unit.answer_id} if not unit.sides else dict(zip((FIRST, SECOND), unit.sides, strict=True))
    )
    if unit.listed:
        fields |= {LISTED: json_line(unit.listed), CITED_TEXT: _hash_of(unit.listed, hashes)}
    if unit.cited:
        fields |= {CITED: unit.cited, CITED_TEXT: hashes.get(unit.cited, "")}
    text = unit.text.encode(errors="replace").decode()  # half a character is none that is stored
    line = text.strip().partition("\n")[0]
    title = line if len(line) <= LONGEST_TITLE else f"{line[: LONGEST_TITLE - 1]}…"
    return Document(unit.unit_id, title, text, "text/plain", fields)


def read_of(campaign: Campaign, topic_id: str, unit: Unit) -> Document | None:
    """What is read to judge a unit, and rationales are pieces of: the document that is cited, None without its text; or
    the answer, with an empty line between its sentences. Pairs have no rationales, and None.
    """
    if unit.sides:
        return None
    if not unit.cited:
        said = units.answer_of(campaign, topic_id, unit.run).sentences
        return Document(unit.unit_id, "", BETWEEN.join(sentence.text for sentence in said))
    stored = documents.find(campaign, unit.cited)
    return stored.document if stored else None


def renew(campaign: Campaign) -> list[ChangedText]:
    """Let units name the texts that the documents they cite have now, inside the open write transaction.

    Those that were judged by another text are to be recorded (`documents.put_changes`), in byte order.
    """
    stale = campaign.mapping(
        f"""SELECT unit.document, cited.text_hash FROM document AS unit
        JOIN document AS cited ON cited.document = unit.fields ->> '{CITED}'
        WHERE unit.{_UNITS.replace("AND ", "AND unit.")}
            AND cited.text_hash IS NOT nullif(unit.fields ->> '{CITED_TEXT}', '') ORDER BY unit.document"""
    )
    stale |= _stale_pairs(campaign)
    rows, changed = [], []
    for stored in documents.some(campaign, stale) if stale else ():
        unit = stored.document
        new = unit._replace(fields={**unit.fields, CITED_TEXT: stale[unit.document_id]})
        _, _, _, _, fields, text_hash = document_row(new)
        rows.append([fields, text_hash, unit.document_id])
        changed.append(ChangedText(unit.document_id, stored.text_hash, text_hash))
    campaign.db.conn.executemany("UPDATE document SET fields = ?, text_hash = ? WHERE document = ?", rows)
    judged = set(campaign.column(f"SELECT DISTINCT document FROM judgment WHERE {_UNITS}") if changed else ())
    return sorted(change for change in changed if change.document_id in judged)


def _stale_pairs(campaign: Campaign) -> dict[str, str]:
    """The pairs of which a document has another text than they name, with the hash of those there are now."""
    rows = campaign.execute(
        f"SELECT document, fields ->> '{LISTED}', fields ->> '{CITED_TEXT}' FROM document "
        f"WHERE {_UNITS} AND fields ->> '{LISTED}' IS NOT NULL"
    ).fetchall()
    listed = {unit_id: loads(named) for unit_id, named, _ in rows}
    hashes = documents.text_hashes(campaign, sorted({each for ids in listed.values() for each in ids}))
    now = {unit_id: _hash_of(ids, hashes) for unit_id, ids in listed.items()}
    return {unit_id: now[unit_id] for unit_id, _, before in rows if now[unit_id] != before}


def _hash_of(listed: Iterable[str], hashes: Mapping[str, str]) -> str:
    return hashed([hashes.get(each, "") for each in listed])


def settle(campaign: Campaign, topic_ids: Sequence[str] | None = None, *, only_back: bool = False) -> None:
    """Take units that no answer has any more out of the pools, and put those back that one has again.

    Inside the open write transaction, after what changes the answers or nuggets of these topics, or of any; `only_back`
    after what only adds answers.
    """
    tables = ("retired_pair",) if only_back else ("retired_pair", "pooled")
    out = topic_withdrawals.withdrawn(campaign)
    for topic_id in questions(campaign) if topic_ids is None else keys_of(campaign, topic_ids):
        is_of_units = topic_id not in out and about(campaign, topic_id) != DOCUMENTS
        if not (is_of_units and _is_in(campaign, tables, topic_id)):
            continue
        gone = [topic_id, json.dumps([document_id for _, document_id in units.gone(campaign, [topic_id])])]
        for into, of, chosen in (
            ("retired_pair", "pooled", f"topic = ? AND document IN ({_LISTED})"),
            ("pooled", "retired_pair", f"{topic_withdrawals.IN_FORCE} AND document NOT IN ({_LISTED})"),
        ):
            campaign.execute(f"INSERT INTO {into} SELECT * FROM {of} WHERE {chosen}", gone)
            campaign.execute(f"DELETE FROM {of} WHERE {chosen}", gone)


def wrong_pooled(campaign: Campaign) -> Iterator[str]:
    """A sentence for each pooled unit that no answer of a run in force has."""
    asked = sorted(questions(campaign).keys() - topic_withdrawals.withdrawn(campaign).keys())
    for topic_id, unit_id in units.gone(campaign, asked):
        if campaign.value("SELECT 1 FROM pooled WHERE topic = ? AND document = ?", [topic_id, unit_id]):
            yield f"topic {topic_id}: {unit_id} is pooled, and no answer of a run in force has it"


def _is_in(campaign: Campaign, tables: Iterable[str], topic_id: str) -> bool:
    chosen = "WHERE topic = ? LIMIT 1"
    return any(campaign.value(f"SELECT 1 FROM {table} {chosen}", [topic_id]) for table in tables)
