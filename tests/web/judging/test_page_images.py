"""The pages of a PDF as images: where they stand, who may have them, and what a document may load for them."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import MakeCampaign, SignIn
from tests.formats.collections_of_documents import write
from tests.images import png
from tests.pdfs import pdf
from tests.sentences import says
from tests.web.judging.test_document_view import POLICY, told
from workbench.campaign.ingest import add_documents
from workbench.core.records import Document, PageImage, Topic
from workbench.formats.documents import in_pdf
from workbench.formats.documents.page_images import Drawn
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents

IMAGE = "http://localhost/c/papers/page-image"
FOLD = '<details class="fold pages ours">'


@pytest.fixture
def campaign(make_campaign: MakeCampaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The campaign `papers`: of `ice&snow` two pages of three have an image, of `scan` its only one."""
    images = (PageImage(1, 20, 30, png(20, 30)), PageImage(2, 20, 30, png(20, 29)))
    monkeypatch.setattr(in_pdf, "drawn_pages", lambda data, pages: Drawn(images[:pages]))
    files = {"ice&snow.pdf": pdf("Ice.", "Snow.", "Hail."), "scan.pdf": pdf("")}
    run = {"alpha": {"1": ["ice&snow", "plain", "scan"]}}
    path = make_campaign("papers", [Topic("1", "ice")], [Document("plain", "", "Ice.")], run)
    with open_campaign(path) as campaign:
        for name, data in files.items():
            add_documents(campaign.by("Anna"), [str(write(tmp_path / name, {name: data}) / name)])
    return path


pytestmark = pytest.mark.usefixtures("campaign")


def frame(client: FlaskClient, document_id: str, **more: str) -> tuple[str, str]:
    """The page of a document, and what it may load."""
    query = {"topic": "1", "document": document_id, **more}
    answer = client.get("/c/papers/document-frame", query_string=query)
    assert answer.status_code == 200
    return answer.text, answer.headers["Content-Security-Policy"]


def test_pages_are_in_a_fold_above_the_text_and_asked_for_when_it_is_opened_or_where_no_script_is_around(
    ben: FlaskClient,
) -> None:
    html, policy = frame(ben, "ice&snow")
    assert html.index(FOLD) < html.index("Page 1 of 3")
    assert "<i>Pages as images</i> the first 2 of 3</summary>" in html
    for page in (1, 2):
        image = f'<img data-src="/c/papers/page-image?document=ice%26snow&page={page}" width="20" height="30" alt='
        assert f'{image}"Page {page} as an image">' in unescape(html)
    assert ("<img src=" in html, "<img src=" in frame(ben, "ice&snow", whole="1")[0]) == (False, True)
    assert policy == POLICY.replace("img-src data:", f"img-src data: {IMAGE}")
    assert f"img-src data: {IMAGE};" in html
    html, policy = frame(ben, "plain")
    assert (policy, "page-image" in html, FOLD in html) == (POLICY, False, False)


def test_what_is_judged_is_the_text_with_the_hash_that_it_has_alone(ben: FlaskClient) -> None:
    text = "Page 1 of 3\n\nIce.\n\nPage 2 of 3\n\nSnow.\n\nPage 3 of 3\n\nHail."
    alone = Document("ice&snow", "", text, "text/plain", {"pages": "3"})
    answer = ben.get("/c/papers/document-frame", query_string={"topic": "1", "document": "ice&snow"})
    assert told(answer)["text_hash"] == documents.text_hash(alone)


def test_a_scan_without_a_text_shows_its_pages_at_once(ben: FlaskClient) -> None:
    html, _ = frame(ben, "scan")
    assert '<details class="fold pages ours" open>' in html
    assert "<i>Pages as images</i> 1</summary>" in html
    assert says(html)


def test_a_page_is_a_png_that_can_do_nothing(ben: FlaskClient) -> None:
    answer = ben.get("/c/papers/page-image", query_string={"document": "ice&snow", "page": 2})
    assert (answer.status_code, answer.data) == (200, png(20, 29))
    assert answer.headers["Content-Type"] == "image/png"
    assert says(answer.headers["Content-Security-Policy"], "none")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "query",
    [
        *("page=1", "document=scan", "document=plain&page=1"),
        *(f"document=scan&page={page}" for page in ("2", "x", "-1", 10**30, "1.0")),
    ],
)
def test_what_is_no_page_is_not_found(query: str, ben: FlaskClient) -> None:
    assert ben.get(f"/c/papers/page-image?{query}").status_code == 404


def test_pages_are_for_those_who_judge_here(
    anna: FlaskClient, app: Flask, campaign: Path, client_of: SignIn
) -> None:
    address = "/c/papers/page-image?document=scan&page=1"
    assert client_of(app, None).get(address).status_code == 302
    assert anna.get(address).status_code == 200
