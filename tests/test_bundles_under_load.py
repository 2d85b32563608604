"""An organiser who asks for large files again and again, and leaves, holds up nobody who judges."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

import pytest

from tests.savers import NOW, PASSWORD, Client, make_campaign, savers_of
from tests.stories import Program
from tests.waiting import wait_until
from workbench.campaign.ingest import add_runs
from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

pytestmark = pytest.mark.slow

REQUESTS = 8
RUNS, DEPTH = 20, 20_000
"""Enough for a bundle to take seconds."""


def make_large_campaign(folder: Path) -> Path:
    """The campaign `rivers` with many long runs, and its organiser olga."""
    path = make_campaign(folder)
    files = []
    for number in range(RUNS):
        ranked = "".join(
            f"{topic} Q0 n{(place * 7 + number) % 90_001:05} 0 {-place} long{number}\n"
            for topic in "12"
            for place in range(DEPTH)
        )
        files.append(folder / f"long{number}.run")
        files[-1].write_text(ranked)
    with open_campaign(path) as campaign:
        add_runs(campaign.by("olga", NOW), list(map(str, files)))
        with campaign.write():
            members.put(campaign.by("olga", NOW), "olga", "organiser")
    with open_accounts(path.parent) as accounts:
        add_account(accounts.at(NOW), "olga", PASSWORD)
    return path


def ask_for_bundle(olga: Client) -> http.client.HTTPConnection:
    """A request for the bundle with runs over a connection of its own, not waited for."""
    line = http.client.HTTPConnection("127.0.0.1", olga.port)
    line.request("GET", "/c/rivers/publish/bundle?runs", headers=olga.headers)
    return line


def workers_of(pid: int) -> list[str]:
    """The worker processes of a server, by their command lines."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text(encoding="ascii").split():
            try:
                found.append(Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode())
            except FileNotFoundError:
                continue
    return [command for command in found if "spawn_main" in command]


def test_eight_requests_for_a_bundle_are_one_job_that_holds_up_no_save_and_is_cancelled(
    tmp_path: Path,
) -> None:
    program, path = Program(tmp_path), make_large_campaign(tmp_path)
    with (
        program.serving("serve", "--host", "127.0.0.1", "--port", "0", "--no-open") as server,
        savers_of(path, server.port) as savers,
    ):
        olga = Client(server.port, "olga")
        olga.sign_in()
        with savers.at_work():
            asked = [ask_for_bundle(olga) for _ in range(REQUESTS)]
            wait_until(lambda: workers_of(server.process.pid) != [])
            savers.wait_for(20)
            assert olga.ask("GET", "/health").status == 200
            answers = [line.getresponse() for line in asked]
            # Those that found no seat are asked to come back.
            assert {answer.status for answer in answers} <= {202, 503}
            jobs = {json.loads(answer.read())["address"] for answer in answers if answer.status == 202}
            (job,) = jobs
            for line in asked:
                line.close()
            savers.wait_for(20)
            assert workers_of(server.process.pid) != [], "a job goes on without the page that began it"
            cancelled = olga.ask("POST", f"{job.replace('/api/', '/')}/cancel")
            assert cancelled.status == 303
            wait_until(lambda: workers_of(server.process.pid) == [])
            savers.wait_for(20)
        olga.hang_up()
    assert savers.check(path) >= len(savers.acknowledged()) >= 40
    program.run("audit", "rivers")
