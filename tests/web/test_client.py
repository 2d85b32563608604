"""A program elsewhere: `wb.connect` over a real server, from runs to qrels, and what is refused."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import workbench as wb
from tests.sentences import refused
from tests.web.conftest import serving
from workbench.client import ServerRefused
from workbench.core.errors import WorkbenchError
from workbench.people.accounts import open_accounts
from workbench.people.accounts.tokens import make_token, revoke, tokens
from workbench.people.members.programs import scope
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.log import events

API = Path(__file__).resolve().parents[2] / "docs" / "build" / "api.md"


def token_of(instance: Path, name: str, role: str) -> str:
    with open_accounts(instance) as accounts, open_campaign(instance / "robust.db") as campaign:
        return make_token(accounts, name, scope(campaign, name, role), "test")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "topics.tsv": "1\trivers\n2\tlakes\n",
        "docs.jsonl": "".join(f'{{"id": "d{number}", "text": "text {number}"}}\n' for number in range(1, 5)),
        "alpha.run": "1 Q0 d1 1 9 alpha\n1 Q0 d2 2 8 alpha\n2 Q0 d3 1 9 alpha\n",
        "beta.run": "1 Q0 d2 1 9 beta\n2 Q0 d4 1 9 beta\n",
        "wrong.run": "1 Q0 d1 1 9\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts}


def test_twenty_lines_take_a_campaign_from_runs_to_qrels(
    app: Flask, instance: Path, files: dict[str, Path]
) -> None:
    grades = {"d1": 1, "d2": 0, "d3": 1, "d4": 0}
    with serving(app) as address:
        robust = wb.connect(address, token_of(instance, "Anna", "organiser"))
        assert (robust.name, robust.account, robust.role) == ("robust", "Anna", "organiser")
        robust.add("topics", files["topics.tsv"])
        robust.add("documents", files["docs.jsonl"])
        reports = robust.add("runs", files["alpha.run"], files["beta.run"], team="Alpha")
        assert [(each["file"], each["added"]) for each in reports] == [
            ("alpha.run", True),
            ("beta.run", True),
        ]
        assert robust.pool(depth=2) == {"pool": 1, "brought": 4}
        for topic in robust.topics():
            for document_id in robust.queue(topic["topic"]):
                receipt = robust.judge(topic["topic"], document_id, grades[document_id])
                assert receipt["stored"]["grade"] == grades[document_id]
        assert robust.export("qrels").split()[2::4] == list(grades)
        assert robust.export("qrels").split()[3::4] == [str(grade) for grade in grades.values()]
        board = robust.board("P@1")
        assert {row["run"]: row["cells"][0]["value"] for row in board["rows"]} == {"alpha": 1.0, "beta": 0.0}
    with open_campaign(instance / "robust.db") as campaign:
        assert {each.through for each in events(campaign, "run", "pool", "topics")} == {"token"}


def test_forms_of_pages_are_answered_with_what_was_done_and_pages_and_files_are_read(
    app: Flask, instance: Path, files: dict[str, Path]
) -> None:
    with serving(app) as address:
        robust = wb.connect(address, token_of(instance, "Anna", "organiser"))
        robust.add("topics", files["topics.tsv"])
        done = robust.post("topic/withdraw", {"topic": "1"})
        assert done == {"message": "Topic 1 withdrawn.", "address": "/c/robust/topic?topic=1", "text": ""}
        with refused(ServerRefused, "topic") as told:
            robust.post("topic/withdraw")
        assert (told.value.status, told.value.answer["field"]) == (422, "topic")
        assert robust.get("topic", topic="1").startswith("<!doctype html>")
        assert robust.get("download/pool").startswith("topic")


def test_the_program_in_the_documents_runs(
    app: Flask, instance: Path, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, _ = re.findall(r"```py\n(.*?)^```", API.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    files["docs.jsonl"].rename(tmp_path / "documents.jsonl")
    for name, ours in (("bm25", "alpha"), ("dense", "beta")):
        (tmp_path / f"{name}.run.gz").write_bytes(gzip.compress(files[f"{ours}.run"].read_bytes()))
    (tmp_path / "token.txt").write_text(token_of(instance, "Anna", "organiser") + "\n")
    monkeypatch.chdir(tmp_path)
    with serving(app) as address:
        exec(program.replace("http://localhost:5000", address), {})
    assert (tmp_path / "robust.qrels").read_text().split()[3::4] == ["1"] * 4


def test_what_is_refused_says_why_with_line_and_value(
    app: Flask, instance: Path, files: dict[str, Path]
) -> None:
    with serving(app) as address:
        robust = wb.connect(address, token_of(instance, "Anna", "organiser"))
        with refused(ServerRefused, "wrong.run") as told:
            robust.add("runs", files["wrong.run"])
        assert told.value.answer["reports"][0]["problems"][0]["line"] == 1
        with refused(ServerRefused, "runs"):
            robust.pool(depth=5)
        with refused(ServerRefused, "dephts"):
            robust.pool(strategy="dephts")
        with refused(ServerRefused):
            robust.get("api/nothing")
        with refused(ServerRefused, "topics"):
            robust.add("topics", files["topics.tsv"], check=True)
        assert "wbt_" not in repr(robust)
        observer = wb.connect(address, token_of(instance, "Olga", "observer"))
        with pytest.raises(ServerRefused) as denied:
            observer.pool(depth=1)
        assert denied.value.status == 403
        with open_accounts(instance) as accounts:
            revoke(accounts, tokens(accounts), 1)
        with pytest.raises(ServerRefused) as gone:
            robust.topics()
        assert (gone.value.status, gone.value.reason) == (401, "token")


def test_a_judgment_that_found_the_server_busy_is_sent_again_and_stored_once(
    app: Flask, instance: Path, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered, busy = app.wsgi_app, [True]

    def at_first_busy(environ: dict[str, Any], start: Any) -> Any:
        if environ["PATH_INFO"].endswith("api/judgments") and busy:
            busy.pop()
            start("503 Service Unavailable", [("Retry-After", "0"), ("Content-Length", "0")])
            return [b""]
        return answered(environ, start)

    monkeypatch.setattr(app, "wsgi_app", at_first_busy)
    with serving(app) as address:
        robust = wb.connect(address, token_of(instance, "Anna", "organiser"))
        for kind, file in (("topics", "topics.tsv"), ("documents", "docs.jsonl"), ("runs", "alpha.run")):
            robust.add(kind, files[file])
        robust.pool(depth=1)
        assert robust.judge("1", "d1", 1)["repeated"] is False
        assert (busy, robust.queue("1")) == ([], [])


def test_a_server_that_is_not_there_is_an_error_with_its_address() -> None:
    with pytest.raises(WorkbenchError, match=r"127\.0\.0\.1:9"):
        wb.connect("http://127.0.0.1:9", "wbt_x")
