"""A real server whose campaign is taken away: monitors learn it, the log says it once, and it is well again after."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sentences import says
from tests.stories import Program, Server

pytestmark = pytest.mark.slow

PASSWORD = "the river is deep and cold"
LONGEST = 120.0


def asked(server: Server, path: str, token: str = "") -> tuple[int, str]:
    request = urllib.request.Request(f"{server.address}{path}")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=LONGEST) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + LONGEST
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.2)


def test_a_campaign_that_is_taken_away_under_a_server_is_alarmed_and_well_again_once_it_is_back(
    tmp_path: Path,
) -> None:
    program = Program(tmp_path)
    program.run("new", "rivers")
    program.run("new", "lakes")
    program.run("user", "add", "anna", "--password", PASSWORD)
    file = tmp_path / "instance" / "rivers.db"
    with program.serving("serve", "--port", "0", "--no-open", "--backups", "kept", complains=True) as server:
        token = (tmp_path / "instance" / "monitor_token").read_text()

        def states() -> dict[str, str]:
            said = json.loads(asked(server, "health/ready", token)[1])
            return {one["name"]: one["state"] for one in said["campaigns"]}

        wait_for(lambda: asked(server, "health/ready") == (200, '{"status":"ready"}\n'))
        assert states() == {"lakes": "ready", "rivers": "ready"}
        aside = file.with_suffix(".aside")
        file.rename(aside)
        wait_for(lambda: asked(server, "health/ready")[0] == 503)
        assert states() == {"lakes": "ready", "rivers": "gone"}
        assert asked(server, "health") == (200, '{"status":"ok"}\n')
        status, metrics = asked(server, "metrics", token)
        assert (status, 'workbench_campaigns{state="gone"} 1.0' in metrics) == (200, True)
        assert "workbench_ready 0.0" in metrics
        assert asked(server, "metrics")[0] == 401
        aside.rename(file)
        wait_for(lambda: asked(server, "health/ready")[0] == 200)
        wait_for(lambda: "workbench_newest_backup_seconds" in asked(server, "metrics", token)[1])
        assert server.stop() == 0
    lines = [line for line in program.complaints.splitlines() if "campaign rivers" in line]
    assert says("\n".join([line.split(" ", 1)[1] for line in lines]))
