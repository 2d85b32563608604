"""An organiser sees the judging page of any topic and document before there is a pool, and can store nothing there."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import SignIn
from tests.sentences import says
from workbench.campaign.ingest import add_documents
from workbench.campaign.new_campaign import new_campaign
from workbench.core.records import Grade, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def anna(app: Flask, instance: Path, client_of: SignIn, tmp_path: Path) -> FlaskClient:
    """Anna, organiser of `early`: a topic, two texts, no run and no pool."""
    (tmp_path / "texts.jsonl").write_text(
        f'{{"id": "d1", "title": "First", "text": "The ice."}}\n{{"id": "d2/é", "text": "{SCRIPT}"}}\n',
        "utf-8",
    )
    with new_campaign(
        instance / "early.db", title="Early", guidelines="Read **all**.", actor="Anna"
    ) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Anna", "organiser", team="")
            topics.put(campaign.by("Anna"), [Topic("1", f"ice {SCRIPT}", "Which rivers?")], files=[])
        add_documents(campaign.by("Anna"), [str(tmp_path / "texts.jsonl")], keep_all=True)
    return client_of(app, "Anna")


def test_the_page_shows_topic_grades_guidelines_and_the_first_document_and_nothing_on_it_runs_or_stores(
    anna: FlaskClient, instance: Path
) -> None:
    page = anna.get("/c/early/preview").text
    assert says(page, "nothing can be")
    for part in ("Which rivers?", "Not relevant", "<strong>all</strong>", "document=d"):
        assert part in page
    assert ("<script" in page, 'method="post"' in page) == (False, False)
    with open_campaign(instance / "early.db") as campaign:
        head = log.newest_seq(campaign)
        anna.get("/c/early/preview/document?topic=1&document=d1")
        assert log.newest_seq(campaign) == head
        with campaign.write():
            scale = [list(grade) for grade in (Grade(0, "Off topic"), Grade(1, "On topic"))]
            settings.change(campaign.by("Anna"), {"grades": scale})
    assert "On topic" in anna.get("/c/early/preview").text


def test_the_document_is_shown_as_to_an_assessor_in_a_frame_that_allows_nothing(anna: FlaskClient) -> None:
    frame = anna.get("/c/early/preview/document", query_string={"topic": "1", "document": "d1"})
    assert "<mark" in frame.text
    assert says(frame.headers["Content-Security-Policy"], "none")
    hostile = anna.get("/c/early/preview/document", query_string={"topic": "1", "document": "d2/é"})
    assert SCRIPT not in hostile.text


def test_unknown_topics_and_documents_without_text_are_said(anna: FlaskClient) -> None:
    unknown = anna.get("/c/early/preview?topic=9")
    assert unknown.status_code == 404
    assert says(unknown.text)
    assert anna.get("/c/early/preview/document?topic=9&document=d1").status_code == 404
    assert says(anna.get("/c/early/preview/document?topic=1&document=d9").text)
