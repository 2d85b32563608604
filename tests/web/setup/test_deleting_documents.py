"""The page where documents are added deletes one that nothing refers to, and says why another one stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import TokenOf
from workbench.campaign.ingest import add_documents
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.log import log

ADDRESS = "/c/small/add/documents"


def ids_of(path: Path) -> list[list[str]]:
    with open_campaign(path) as campaign:
        return [
            part
            for source in documents.sources(campaign)
            for part in documents.source_ids(campaign, source[0])
        ]


def test_a_document_that_nothing_refers_to_is_deleted_with_the_reason(
    small: Path, anna: FlaskClient, token_of: TokenOf, tmp_path: Path
) -> None:
    header = tmp_path / "d.tsv"
    header.write_text("nr\tTekst\nm1\tice\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        add_documents(campaign.by("Olga"), [str(header)], keep_all=True)
    sent = {"csrf_token": token_of(anna), "document": " nr ", "reason": "a\nheader"}
    deleted = anna.post(f"{ADDRESS}/delete", data=sent)
    assert "Document deleted." in anna.get(deleted.location).text
    assert ids_of(small) == [["m1"]]
    with open_campaign(small) as campaign:
        (event,) = log.events(campaign, documents.DELETED)
    assert (event.actor, event.content["documents"], event.content["reason"]) == ("Anna", ["nr"], "a header")


@pytest.mark.parametrize(
    ("document_id", "message"),
    [
        ("d1", "Runs rank d1; only documents that nothing refers to are deleted."),
        ("<9>", "the document &#39;&lt;9&gt;"),
    ],
)
def test_the_page_says_why_a_document_stays(
    small: Path, anna: FlaskClient, token_of: TokenOf, document_id: str, message: str
) -> None:
    before = ids_of(small)
    refused = anna.post(f"{ADDRESS}/delete", data={"csrf_token": token_of(anna), "document": document_id})
    assert (refused.status_code, message in refused.text) == (422, True)
    assert ids_of(small) == before


def test_without_a_token_nothing_is_deleted(small: Path, anna: FlaskClient) -> None:
    assert anna.post(f"{ADDRESS}/delete", data={"document": "d1"}).status_code == 400
