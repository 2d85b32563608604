"""Files that take too long or too much memory to read: refused with a sentence, and nothing else feels them."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_types import MakeApp, SignIn, TokenOf
from tests.sentences import says
from workbench.jobs.processes import Limits
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, runs
from workbench.storage.campaign.log import log
from workbench.web.requests import campaign_jobs
from workbench.web.requests.long_work import Queues
from workbench.web.requests.uploads import UploadLimits

pytestmark = pytest.mark.usefixtures("small")

Send = Callable[..., list[dict[str, Any]]]


def large_when_read() -> bytes:
    """60 kB, within all limits of size, which are 60 MB in one piece when they are read."""
    return gzip.compress(json.dumps({"id": "d9", "text": "a" * 60_000_000}).encode())


@pytest.fixture
def send(
    make_app: MakeApp, client_of: SignIn, token_of: TokenOf, queues: Queues, monkeypatch: pytest.MonkeyPatch
) -> Send:
    """Send files to `small` under limits of reading them; the reports."""
    monkeypatch.setattr(campaign_jobs, "SOON", 300.0)

    def post(kind: str, files: dict[str, bytes], reading: Limits, **more: Any) -> list[dict[str, Any]]:
        anna = client_of(make_app(queues=queues, upload_limits=UploadLimits(reading=reading)), "Anna")
        data = {
            "csrf_token": token_of(anna),
            "files": [(io.BytesIO(content), name) for name, content in files.items()],
        }
        answer = anna.post(f"/c/small/add/{kind}", data=data, headers={"Accept": "application/json"}, **more)
        return list(answer.get_json().get("reports", [answer.get_json()]))

    return post


def run_called(tag: str) -> bytes:
    return f"1 Q0 d1 1 2.5 {tag}\n1 Q0 d2 2 1.5 {tag}\n2 Q0 d1 1 1 {tag}\n".encode()


def test_a_file_that_takes_too_long_is_refused_with_those_behind_it_and_the_next_is_added(
    send: Send, small: Path
) -> None:
    files = {f"{tag}.run": run_called(tag) for tag in ("gamma", "delta")}
    with open_campaign(small) as campaign:
        before = log.newest_seq(campaign)
        ended, behind = send("runs", files, Limits(seconds=0))
        assert log.newest_seq(campaign) == before
        assert (ended["added"], behind["added"]) == (False, False)
        assert says(ended["problems"][0]["message"])
        assert says(behind["problems"][0]["message"])
        reports = send("runs", files, Limits(seconds=3600))
        assert [report["added"] for report in reports] == [True, True]
        assert [run.record.tag for run in runs.all_runs(campaign)] == ["alpha", "beta", "gamma", "delta"]


def test_a_small_file_that_needs_much_memory_is_refused_and_the_next_is_added(
    send: Send, small: Path
) -> None:
    small_one = {"first.jsonl.gz": gzip.compress(b'{"id": "d8", "text": "a"}\n')}
    (report,) = send("documents", small_one, Limits())  # by a process that then has loaded what it needs
    assert report["added"]
    (report,) = send("documents", {"large.jsonl.gz": large_when_read()}, Limits(megabytes=250))
    assert not report["added"]
    assert says(report["problems"][0]["message"])
    with open_campaign(small) as campaign:
        assert len(documents.sources(campaign)) == 1
    (report,) = send("documents", {"good.jsonl": b'{"id": "d9", "text": "a"}\n'}, Limits())
    assert report["added"]


@pytest.mark.slow
def test_a_leaderboard_by_a_file_is_read_in_another_process_too(
    make_app: MakeApp, client_of: SignIn, token_of: TokenOf, queues: Queues
) -> None:
    def compared(reading: Limits) -> str:
        anna = client_of(make_app(queues=queues, upload_limits=UploadLimits(reading=reading)), "Anna")
        data = {
            "csrf_token": token_of(anna),
            "files": (io.BytesIO(b"1 0 d1 1\n2 0 d1 1\n"), "theirs.qrels"),
            "m": "AP",
        }
        return anna.post("/c/small/compare/boards", data=data).get_data(as_text=True)

    assert "AP by theirs.qrels" in compared(Limits())
    assert says(compared(Limits(seconds=0)))
