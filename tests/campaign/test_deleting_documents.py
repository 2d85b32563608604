"""A document that nothing refers to is deleted from all sources, with the reason in the log; every other one stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.found_wrong import wrong
from tests.sentences import refused
from workbench.campaign.content_changes import delete_documents, withdraw_runs
from workbench.campaign.ingest import add_documents
from workbench.core.errors import CampaignError, NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents
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
    delete_documents(small.by("Otto"), ["nr"])
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
        delete_documents(small.by("Otto"), document_ids)
    assert (log.head(small), ids_of(small)) == (head, ids)
    assert documents.find(small, "nr") is not None


def test_what_is_not_there_is_said(small: Campaign, file: str) -> None:
    head = log.head(small)
    with pytest.raises(NotThere, match="no source of small has the document 'm3'"):
        delete_documents(small.by("Otto"), ["nr", "m3"])
    assert log.head(small) == head
