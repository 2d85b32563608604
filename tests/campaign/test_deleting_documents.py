"""A document that nothing refers to is deleted from all sources, with the reason in the log; every other one stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.campaign import deleting
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.deleting import Unused, delete_unused
from workbench.campaign.ingest import add_documents
from workbench.core.errors import CampaignError, NotThere
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.log import log


@pytest.fixture
def file(small: Campaign, tmp_path: Path) -> str:
    """A file with a header line that became a document of `small`, which has its text."""
    path = tmp_path / "more.tsv"
    path.write_text("nr\tTekst\nm1\tIce.\nm2\tSnow.\n", encoding="utf-8")
    add_documents(small.by("Olga"), [str(path)], keep_all=True)
    return str(path)


def ids_of(campaign: Campaign) -> list[list[str]]:
    return [
        [one for part in documents.source_ids(campaign, source.source) for one in part]
        for source in documents.sources(campaign)
    ]


def test_adding_the_file_again_brings_it_back_once(small: Campaign, file: str, tmp_path: Path) -> None:
    shutil.copyfile(file, tmp_path / "copy.tsv")
    add_documents(small.by("Olga"), [str(tmp_path / "copy.tsv")])
    delete_unused(small.by("Otto"), Unused("document", ("nr",)))
    assert ids_of(small)[1:] == [["m1", "m2"], ["m1", "m2"]]
    for _ in range(2):
        add_documents(small.by("Olga"), [file], keep_all=True)
        assert ids_of(small)[1:] == [["m1", "m2"], ["m1", "m2"], ["nr", "m1", "m2"]]
    assert documents.number_in_sources(small) == 8
    assert documents.find(small, "nr") is not None
    assert wrong(small) == []


@pytest.mark.parametrize("document_ids", [["d1"], ["nr", "d4", "d1"], ["m1"]])
def test_what_something_refers_to_stays_with_all_that_are_named(
    small: Campaign, file: str, document_ids: list[str]
) -> None:
    withdraw_runs(small.by("Olga"), ["alpha"])
    with small.write():
        small.db.conn.execute("INSERT INTO later VALUES ('Ann', '1', 'm1')")
    head, ids = log.head(small), ids_of(small)
    with refused(CampaignError):
        delete_unused(small.by("Otto"), Unused("document", tuple(document_ids), all_or_none=True))
    assert (log.head(small), ids_of(small)) == (head, ids)
    assert documents.find(small, "nr") is not None


def test_what_is_not_there_is_said(small: Campaign, file: str) -> None:
    head = log.head(small)
    with refused(NotThere, "'m3'"):
        delete_unused(small.by("Otto"), Unused("document", ("nr", "m3")))
    assert log.head(small) == head


def test_of_all_topics_and_documents_the_unused_go_and_the_others_stay_with_the_reason(
    small: Campaign, file: str
) -> None:
    judge_as(small, "Ann", "1", "d1", 1)
    with small.write():
        topics.put(small.by("Olga"), [Topic("nr", "Thema"), Topic("77", "Ice")], files=[])
        small.db.conn.execute("INSERT INTO later VALUES ('Ann', '1', 'm1')")
    head = log.head(small)
    expected = {
        "topic": (2, ("77", "nr"), {"pooled": 2, "judged": 1}),
        "document": (2, ("m2", "nr"), {"pooled": 3, "judged": 1, "in a run": 1, "postponed or marked": 1}),
    }
    for kind, found in expected.items():
        shown = delete_unused(small, Unused(kind, dry_run=True))
        assert shown[1:4] == found
        assert says(str(shown), *found[2].values())
        assert log.head(small) == head
        with refused(CampaignError):
            delete_unused(small.by("Otto"), Unused(kind, found[1][:1], seen=shown.mark))
        assert log.head(small) == head
        deleted = delete_unused(small.by("Otto"), Unused(kind, seen=shown.mark))
        assert (deleted[:5], deleted.seq) == (shown[:5], log.newest_seq(small))
        head = log.head(small)
        assert delete_unused(small.by("Otto"), Unused(kind)).number == 0
        assert log.head(small) == head
    assert ids_of(small)[1:] == [["m1"]]
    assert topics.topic_ids(small) == ["1", "10", "2"]
    assert wrong(small) == []


def test_the_documents_of_a_file_that_no_other_has_are_chosen_with_it(
    small: Campaign, file: str, tmp_path: Path
) -> None:
    (tmp_path / "other.tsv").write_text("id\ttext\nm2\tSnow.\nm3\tHail.\n", encoding="utf-8")
    add_documents(small.by("Olga"), [str(tmp_path / "other.tsv")], keep_all=True)
    assert delete_unused(small, Unused("document", (), (2,), dry_run=True)).some == ("m1", "nr")
    assert delete_unused(small, Unused("document", ("m2",), (3,), dry_run=True)).some == ("m2", "m3")


def test_more_than_a_row_of_the_log_holds_is_refused(
    small: Campaign, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deleting, "MOST", 2)
    with refused(CampaignError, "2"):
        delete_unused(small.by("Otto"), Unused("document"))
    assert ids_of(small)[1:] == [["nr", "m1", "m2"]]


def test_deleting_many_documents_reads_no_table_once_for_each(small: Campaign, tmp_path: Path) -> None:
    number, steps = 1_000, list[int]()
    (tmp_path / "many.tsv").write_text("".join(f"x{one}\tText.\n" for one in range(number)))
    add_documents(small.by("Olga"), [str(tmp_path / "many.tsv")], keep_all=True)
    with small.write():
        rows = ((f"A{one}",) for one in range(number))
        small.db.conn.executemany("INSERT INTO later VALUES (?, '1', 'd1')", rows)
    small.db.conn.set_progress_handler(lambda: steps.append(1) or 0, 1_000)
    assert delete_unused(small.by("Otto"), Unused("document")).number == number
    assert 1_000 * len(steps) < number * number
