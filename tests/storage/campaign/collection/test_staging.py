"""Documents wait outside the campaign until all of them are known to be good."""

from __future__ import annotations

import pytest

from workbench.core.records import Document, Source
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import documents, staging
from workbench.storage.campaign.collection.staging import move_ids, move_texts, staged_documents
from workbench.storage.campaign.log import log

SOURCE = Source("/data/more.jsonl", 10, "ab" * 32)


def moved(campaign: Campaign, place: int) -> tuple[int, int]:
    """Record a source for what was staged for `place`; returns its number and how many texts were new."""
    with campaign.write():
        source = documents.put_source(campaign.by("Olga"), SOURCE, 1).source
        move_ids(campaign, place, source)
        return source, move_texts(campaign, place, source)


def test_staging_takes_no_lock_and_changes_nothing(small: Campaign) -> None:
    before = log.head(small)
    with staged_documents(small) as incoming:
        incoming.add(Document("d9", "Nine", "Text"), keep_text=True)
        incoming.flush()
        with open_campaign(small.path) as other, other.write():
            log.append_event(other.by("Olga"), "note", {})
    assert log.newest_seq(small) == before.seq + 1
    assert documents.find(small, "d9") is None


def test_ids_and_texts_move_over_in_one_transaction(small: Campaign) -> None:
    with staged_documents(small) as incoming:
        incoming.begin(0)
        incoming.add(Document("d8", "Eight"), keep_text=False)
        incoming.add(Document("d9", "Nine", "Text", "text/html", {"a": "雪"}), keep_text=True)
        assert incoming.documents == 2
        incoming.flush()
        source, texts = moved(small, 0)
    assert list(documents.source_ids(small, source)) == [["d8", "d9"]]
    assert texts == 1
    found = documents.find(small, "d9")
    assert found is not None
    assert found.document == Document("d9", "Nine", "Text", "text/html", {"a": "雪"})


def test_each_source_gets_its_own(small: Campaign) -> None:
    with staged_documents(small) as incoming:
        for place, document_id in enumerate(["d8", "d9"]):
            incoming.begin(place)
            incoming.add(Document(document_id, text=document_id), keep_text=True)
        incoming.flush()
        numbers = [moved(small, place) for place in range(2)]
    assert numbers == [(2, 1), (3, 1)]
    assert [[*documents.source_ids(small, source)] for source in (2, 3)] == [[["d8"]], [["d9"]]]


def test_a_text_once_stored_is_kept_and_a_missing_one_is_filled_in(small: Campaign) -> None:
    with staged_documents(small) as incoming:
        for document_id, text in (("d1", "Another text"), ("d6", "Another text"), ("d6", "One more")):
            incoming.add(Document(document_id, text=text), keep_text=True)
        incoming.flush()
        _, texts = moved(small, 0)
    assert texts == 1
    kept, filled = documents.find(small, "d1"), documents.find(small, "d6")
    assert kept is not None
    assert kept.document.text == "The text of document 1."
    assert filled is not None
    assert filled.document.text == "Another text"
    assert documents.without_text(small) == []


def staged(campaign: Campaign) -> tuple[int, int]:
    """How many parts of ids and how many texts stand in the temporary tables."""
    tables = ("staged_ids", "staged")
    parts, texts = (
        campaign.db.execute(f"SELECT count(*) FROM temp.{table}").fetchone()[0] for table in tables
    )
    return parts, texts


def test_no_more_than_one_part_and_one_batch_of_texts_is_held_in_memory(
    small: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "IDS_PER_PART", 3)
    monkeypatch.setattr(staging, "TEXTS_AT_ONCE", 2)
    found = []
    with staged_documents(small) as incoming:
        for number in range(10, 17):
            incoming.add(Document(f"d{number}", text="x"), keep_text=True)
            found.append(staged(small))
        incoming.begin(1)
        assert (staged(small), incoming.documents) == ((3, 7), 0)
        source, texts = moved(small, 0)
    assert [len(part) for part in documents.source_ids(small, source)] == [3, 3, 1]
    assert texts == 7
    assert found == [(0, 0), (0, 2), (1, 2), (1, 4), (1, 4), (2, 6), (2, 6)]


def test_after_an_error_the_next_staging_is_empty_and_the_campaign_as_it_was(small: Campaign) -> None:
    before = log.head(small)

    def fail() -> None:
        with staged_documents(small) as incoming:
            incoming.add(Document("d9", text="x"), keep_text=True)
            incoming.flush()
            with small.write():
                move_texts(small, 0, documents.put_source(small.by("Olga"), SOURCE, 1).source)
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert log.head(small) == before
    assert documents.find(small, "d9") is None
    with staged_documents(small) as incoming:
        incoming.flush()
        assert moved(small, 0)[1] == 0
