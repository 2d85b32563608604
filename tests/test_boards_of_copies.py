"""A server on a read-only copy of a campaign shows the leaderboard to many readers while the campaign is judged on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.savers import PASSWORD, Client, make_campaign, savers_of
from tests.sentences import says
from tests.stories import PROGRAM, Program
from tests.test_faults_of_the_disk import SERVE, not_above_files
from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="root gives up its rights over files as Linux has them"
    ),
]

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def test_a_server_on_a_read_only_copy_has_the_board_of_that_moment_and_stores_nothing(tmp_path: Path) -> None:
    judging, reading = program(tmp_path / "judging"), program(tmp_path / "reading")
    original = make_campaign(judging.folder)
    with open_campaign(original) as campaign, campaign.write():
        members.put(campaign.by("olga", NOW), "rita", "observer")
    copy = reading.folder / "instance" / "rivers.db"
    copy.parent.mkdir(mode=0o700)
    accounts_of(original.parent, "rita")
    accounts_of(copy.parent, "rita", "ann")
    with judging.serving(*SERVE) as server, savers_of(original, server.port) as savers:
        with savers.at_work():
            savers.wait_for(20)
        put_copy(judging, copy)
        board, scores, content = board_at(server.port), judging.run("score", "rivers"), copy.read_bytes()
        with reading.serving(*SERVE, before=not_above_files(), complains=True) as readers:
            assert board_at(readers.port) == board
            assert reading.run("score", "rivers") == scores

            with savers.at_work():
                savers.wait_for(20)
            assert board_at(server.port)["rows"] != board["rows"]
            assert board_at(readers.port) == board
            assert reading.run("score", "rivers") == scores != judging.run("score", "rivers")

            with signed_in(readers.port, "ann") as ann:
                refused = ann.save(savers.savers[0].next_judgment()[1])
                health = [ann.ask("GET", address).status for address in ("/health", "/health/ready")]
            assert health == [200, 503]
            assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
            assert says(refused.body["message"])
            assert says(withdrawal_refused(reading.folder))
            assert copy.read_bytes() == content
            assert [path.name for path in copy.parent.glob("rivers*")] == ["rivers.db"]

            put_copy(judging, copy)
            assert board_at(readers.port) == board_at(server.port)
            assert reading.run("score", "rivers") == judging.run("score", "rivers")
    assert "Traceback" not in reading.complaints


def program(folder: Path) -> Program:
    folder.mkdir()
    return Program(folder)


def accounts_of(instance: Path, *names: str) -> None:
    with open_accounts(instance) as accounts:
        for name in names:
            add_account(accounts.at(NOW), name, PASSWORD)


def put_copy(judging: Program, place: Path) -> None:
    """Put a backup in a place in one step, read-only, whether or not an earlier one is served there."""
    new = place.with_name(".rivers.new")
    judging.run("backup", "rivers", new)
    new.chmod(0o400)
    new.replace(place)


@contextmanager
def signed_in(port: int, name: str) -> Iterator[Client]:
    client = Client(port, name)
    try:
        client.sign_in()
        yield client
    finally:
        client.hang_up()


def board_at(port: int) -> dict[str, Any]:
    """The leaderboard as an observer gets it."""
    with signed_in(port, "rita") as rita:
        answer = rita.ask("GET", "/c/rivers/api/board")
    assert answer.status == 200
    return answer.body


def withdrawal_refused(folder: Path) -> str:
    """What a command says that would change the copy."""
    command = [*not_above_files(), PROGRAM, "withdraw", "rivers", "alpha"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
    return done.stderr
