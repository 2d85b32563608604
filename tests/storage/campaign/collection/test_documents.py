"""Documents have a text or none; sources say where texts are to be found."""

from __future__ import annotations

import hashlib

import pytest

from workbench.core.records import Document, Source
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.log import log


def test_the_hash_covers_what_an_assessor_is_shown_and_can_be_recomputed() -> None:
    document = Document("d1", "T\u00eftle", "The text.", "text/plain", {"b": "2", "a": "1"})
    shown = '["Tïtle","text/plain",{"a":"1","b":"2"},"The text."]'
    assert documents.text_hash(document) == hashlib.sha256(shown.encode()).hexdigest()


@pytest.mark.parametrize(
    "changed", [{"title": "Other"}, {"text": "Other"}, {"media_type": "text/html"}, {"fields": {"a": "2"}}]
)
def test_any_change_of_what_is_shown_changes_the_hash(changed: dict[str, object]) -> None:
    document = Document("d1", "Title", "Text", "text/plain", {"a": "1"})
    assert documents.text_hash(document._replace(**changed)) != documents.text_hash(document)


def test_the_id_and_the_order_of_fields_do_not_change_the_hash() -> None:
    document = Document("d1", fields={"a": "1", "b": "2"})
    same = Document("d2", fields={"b": "2", "a": "1"})
    assert documents.text_hash(document) == documents.text_hash(same)


def test_a_document_is_found_with_its_text_and_hash_and_one_without_is_listed(small: Campaign) -> None:
    found = documents.find(small, "d1")
    assert found is not None
    assert (found.document.title, found.document.text) == ("Document d1", "The text of document 1.")
    assert found.text_hash == documents.text_hash(found.document)
    assert documents.find(small, "d6") is None
    assert documents.find(small, "nothing") is None
    assert documents.without_text(small) == ["d6"]
    assert documents.topics_without_text(small, 10) == [("d6", ["10"])]
    assert documents.topics_without_text(small, 0) == []
    texts = [stored.document.document_id for stored in documents.all_texts(small)]
    assert texts == "d1 d2 d3 d4 d5".split()


def test_ids_put_again_keep_their_texts(small: Campaign) -> None:
    strange = ["007", "7", "%", "it's", "雪"]
    with small.write():
        documents.put_ids(small, ["d1", *strange, *strange])
    assert documents.find(small, "d1") is not None
    rows = small.db.execute("SELECT document FROM document WHERE text IS NULL ORDER BY document").fetchall()
    assert [document for (document,) in rows] == sorted([*strange, "d6"], key=str.encode)


def test_a_source_is_recorded_with_its_ids_and_in_the_log(small: Campaign) -> None:
    (known,) = documents.sources(small)
    assert known.documents == 5
    assert [*documents.source_ids(small, known.source)] == [["d1", "d2", "d3", "d4", "d5"]]
    (event,) = log.events(small, "documents")
    assert event.content == {"source": 1, **known.file._asdict(), "documents": 5}


def test_sources_are_numbered_and_known_by_path_and_content(small: Campaign) -> None:
    file = Source("/data/more.jsonl", 10, "ab" * 32)
    with small.write():
        stored = documents.put_source(small.by("Olga"), file, 7)
    assert stored == (2, file, 7)
    assert documents.same_source(small, file, 7) == stored
    assert documents.same_source(small, file, 8) is None
    assert documents.same_source(small, file._replace(sha256="cd" * 32), 7) is None
    assert documents.same_source(small, file._replace(path="/data/other.jsonl"), 7) is None
    assert list(documents.source_ids(small, 2)) == []


ODD = '"quoted" \\ \0 \x01 \x1f \x7f \n\t 雪 😀 \u2028'


@pytest.mark.parametrize("fields", [{}, {"url": ODD, "author": "Ω"}], ids=["no fields", "fields"])
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("title = title", []),
        ("title = 'T'", ["odd"]),
        ("text = text || ' '", ["odd"]),
        ("media_type = 'text/html'", ["odd"]),
        ('fields = \'{"url":"other"}\'', ["odd"]),
        ("text_hash = upper(text_hash)", ["odd"]),
    ],
)
def test_texts_that_are_not_those_stored_are_found(
    small: Campaign, fields: dict[str, str], change: str, found: list[str]
) -> None:
    row = documents.document_row(Document("odd", ODD, ODD, "text/plain", fields))
    with small.write():
        small.db.conn.execute(
            "INSERT INTO document (document, title, text, media_type, fields, text_hash) VALUES (?, ?, ?, ?, ?, ?)",
            row,
        )
        small.db.conn.execute(f"UPDATE document SET {change} WHERE document = 'odd'")
    assert list(documents.changed_texts(small)) == found
