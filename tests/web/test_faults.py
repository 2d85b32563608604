"""A campaign file in trouble while it is served: said in words, nothing lost, and all goes on once it is put right."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.conftest import NOW, MakeApp, SignIn, TokenOf
from workbench.campaign import assessing
from workbench.release.audit.checks import audit
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.file import schema
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.log import log
from workbench.web.access.rules import all_campaigns

ORGANISERS_PAGES = ("dashboard", "topics", "runs", "board", "pool", "publish", "judge?topic=1", "compare")


def damage_truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_newer(path: Path) -> None:
    with open_campaign(path) as campaign:
        campaign.db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID + 1}")


def damage_text(path: Path) -> None:
    path.write_text("Dear organiser, this is no campaign at all.\n" * 100)


def damage_empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGES = {"truncated": damage_truncated, "newer": damage_newer, "text": damage_text, "empty": damage_empty}


class Ben:
    """The assessor Ben at the campaign `small`: each judgment under a uuid of its own."""

    def __init__(self, client: FlaskClient, token: str, path: Path) -> None:
        self.client, self.headers = client, {"X-CSRFToken": token, "X-Account": "Ben"}
        with open_campaign(path) as campaign:
            shown, mark = assessing.show(campaign, "1", "d1", "Ben"), log.mark(campaign)
        self.pair = {
            "log": mark,
            "topic_id": "1",
            "pool": shown.pool,
            "topic_version": shown.topic_version,
            "guideline_version": shown.guideline_version,
            "kind": "grade",
            "grade": 1,
            "replaces": None,
            "client_at": "2026-03-01T12:00:00.000Z",
            "active_seconds": 2.0,
            "comment": "",
        }
        with open_campaign(path) as campaign:
            self.hashes = {
                f"d{n}": assessing.show(campaign, "1", f"d{n}", "Ben").text_hash for n in range(1, 7)
            }

    def save(self, number: int) -> tuple[int, Any]:
        name = f"d{number}"
        sent = self.pair | {
            "document_id": name,
            "text_hash": self.hashes[name],
            "uuid": str(UUID(int=number)),
        }
        answer = self.client.post("/c/small/api/judgments", json=sent, headers=self.headers)
        return answer.status_code, answer.get_json()


@pytest.fixture
def ben(app: Flask, client_of: SignIn, token_of: TokenOf, small: Path) -> Ben:
    client = client_of(app, "Ben")
    return Ben(client, token_of(client), small)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_file_that_another_one_replaces_is_unavailable_until_it_is_put_right(
    ben: Ben, small: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    assert ben.save(1)[0] == 201
    aside, other = small.with_name("small.aside"), small.with_name("other.aside")
    with open_campaign(small) as campaign:
        campaign.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(small, other)
    damage(other)
    small.rename(aside)
    other.rename(small)
    status, said = ben.save(2)
    assert (status, said["reason"]) == (503, "unavailable")
    assert [ben.client.get(f"/c/small/{page}").status_code for page in ("judge?topic=1", "api/document")] == [
        503,
        503,
    ]
    assert ben.client.get("/", follow_redirects=True).status_code == 200
    assert_only_words(caplog, "small.db")
    aside.replace(small)
    assert ben.save(2)[0] == 201
    with open_campaign(small) as campaign:
        assert [row.document_id for row in judgments.log(campaign)] == ["d1", "d2"]
        assert not any(finding.wrong for finding in audit(campaign))


def test_a_file_that_is_gone_is_unavailable_and_judged_again_once_it_is_back(
    ben: Ben, small: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert ben.save(1)[0] == 201
    small.rename(small.with_name("small.aside"))
    status, said = ben.save(2)
    assert (status, said["reason"]) == (503, "unavailable")
    pages = ("judge?topic=1", "api/document", "api/receipts", "document-frame")
    assert {ben.client.get(f"/c/small/{page}").status_code for page in pages} == {503, 405}
    assert ben.client.get("/", follow_redirects=True).status_code == 200
    assert_only_words(caplog, "small.db")
    small.with_name("small.aside").rename(small)
    assert ben.save(2)[0] == 201


def test_while_a_file_is_gone_strangers_do_not_learn_which_campaigns_there_are(
    app: Flask, ben: Ben, client_of: SignIn, token_of: TokenOf, small: Path
) -> None:
    names, ask = ("small", "robust", "never-made"), ben.client.get
    carla, anna = client_of(app, "Carla"), client_of(app, "Anna")
    other = small.with_name("other.aside")
    assert [carla.get(f"/c/{name}/judge").status_code for name in names[1:]] == [404, 404]
    assert ask("/c/small/judge?topic=1").status_code == 200
    small.rename(other)
    assert [carla.get(f"/c/{name}/judge").status_code for name in names] == [503, 503, 503]
    assert [ask(f"/c/{name}/judge").status_code for name in names] == [503, 302, 503]
    scale = {"grade-number": ["0", "1"], "grade-name": ["No", "Yes"], "grade-guideline": ["", ""]}
    form = {"csrf_token": token_of(anna), "title": "A", "name": "small", "relevant-from": "1", **scale}
    assert "campaign named small already" in anna.post("/new", data=form).text
    other.rename(small)
    assert [carla.get(f"/c/{name}/judge").status_code for name in names[1:]] == [404, 404]


def test_while_a_file_is_gone_no_link_for_a_new_password_is_made(app: Flask, ben: Ben, small: Path) -> None:
    with app.test_request_context():
        assert all_campaigns() is not None
    assert ben.save(1)[0] == 201
    small.unlink()
    with app.test_request_context():
        assert all_campaigns() is None


@pytest.mark.parametrize("damage", [damage_truncated, damage_text], ids=["truncated", "text"])
def test_a_file_damaged_in_its_place_is_answered_with_a_reason(
    ben: Ben, small: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    assert ben.save(1)[0] == 201
    damage(small)
    answers = [ben.save(2)[0], ben.client.get("/c/small/judge?topic=1").status_code, ben.save(3)[0]]
    assert set(answers) <= {201, 200, 503}
    assert ben.client.get("/", follow_redirects=True).status_code == 200
    assert_only_words(caplog, "")


def test_what_another_process_holds_for_too_long_is_unavailable_and_stored_later(
    ben: Ben, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.web.requests.connections.PATIENCE", 0.01)
    with open_campaign(small) as other:
        other.db.conn.execute("BEGIN IMMEDIATE")
        assert ben.save(1)[0] == 503
        assert ben.client.get("/c/small/judge?topic=1").status_code == 200
        other.db.conn.execute("ROLLBACK")
    assert ben.save(1)[0] == 201


def test_a_clock_that_goes_backwards_changes_no_order_and_breaks_no_page(
    make_app: MakeApp, client_of: SignIn, small: Path
) -> None:
    with open_campaign(small) as campaign:
        for number in range(1, 7):
            judge(campaign, f"d{number}", grade=number % 2, now=NOW - timedelta(hours=number))
        judge(campaign, "d1", grade=0, now=NOW - timedelta(days=40))
        rows = list(judgments.log(campaign))
        assert [row.seq for row in rows] == list(range(rows[0].seq, rows[0].seq + 7))
        assert rows[0].received_at > rows[-1].received_at
        grades = {label.document_id: label.grade for label in labels.qrels(campaign)}
        assert grades["d1"] == 0  # the newest, by its place in the log
        assert not any(finding.wrong for finding in audit(campaign))
    anna = client_of(make_app(), "Anna")
    assert {page: anna.get(f"/c/small/{page}").status_code for page in ORGANISERS_PAGES} == dict.fromkeys(
        ORGANISERS_PAGES, 200
    )


def judge(campaign: Any, document_id: str, *, grade: int, now: datetime) -> None:
    shown = assessing.show(campaign, "1", document_id, "Ben")
    submission = shown.judged(
        document_id,
        uuid=str(UUID(int=1000 + log.newest_seq(campaign))),
        grade=grade,
        replaces=shown.mine.seq if shown.mine else None,
        active_seconds=3.0,
    )
    assessing.judge(campaign, submission, assessor="Ben", now=now)


def assert_only_words(caplog: pytest.LogCaptureFixture, word: str) -> None:
    """What went wrong stands in the log in words, without a traceback."""
    said = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert all(record.exc_info is None and word in record.getMessage() for record in said)
