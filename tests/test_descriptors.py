"""A real server that may open few files: idle strangers take no descriptor that the campaigns need."""

from __future__ import annotations

import json
import socket
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conftest import judge_as
from tests.stories import Program
from tests.waiting import wait_until
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import choices, pools

pytestmark = pytest.mark.slow

LIMIT, STRANGERS, CAMPAIGNS = 256, 300, 24
ALLOWED = ("sh", "-c", f'ulimit -n {LIMIT}; exec "$@"', "sh")


def n_chosen(path: Path) -> int:
    with open_campaign(path) as campaign:
        return sum(len(choice.pairs) for choice in choices.all_choices(campaign))


def judge_next(path: Path) -> None:
    """Judge the newest document of topic 1."""
    with open_campaign(path) as campaign:
        judge_as(campaign, "Ben", "1", list(pools.pooled_of_topic(campaign, "1"))[-1], 1)


def test_with_few_descriptors_adaptive_pools_choose_while_strangers_hold_idle_connections(
    tmp_path: Path,
) -> None:
    program = Program(tmp_path)
    (tmp_path / "topics.tsv").write_text("1\trivers\n")
    (tmp_path / "run.txt").write_text("".join(f"1 Q0 d{n} {n} {99 - n} alpha\n" for n in range(1, 40)))
    lines = [json.dumps({"id": f"d{n}", "text": f"river {n}"}) + "\n" for n in range(1, 40)]
    (tmp_path / "documents.jsonl").write_text("".join(lines))
    program.run("user", "add", "ben", "--password", "the river is deep and cold")
    for number in range(CAMPAIGNS):
        program.run("new", f"c{number}")
    program.run("add", "topics", "c7", "topics.tsv")
    program.run("add", "runs", "c7", "run.txt")
    program.run("add", "documents", "c7", "documents.jsonl", "--complete")
    program.run("pool", "c7", "--strategy", "hedge", "--depth", "10", "--set", "batch=1")
    path = tmp_path / "instance" / "c7.db"
    serving = program.serving("serve", "--port", "0", "--no-open", before=ALLOWED, complains=True)
    with serving as server, ExitStack() as stack:
        for _ in range(STRANGERS):
            stranger = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            stranger.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        for _ in range(5):
            before = n_chosen(path)
            judge_next(path)
            wait_until(lambda before=before: n_chosen(path) > before)
        n_open = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        stack.close()  # as long as they fill all connections, the server accepts no other
        with urllib.request.urlopen(f"{server.address}health/ready", timeout=60) as answer:
            assert answer.status == 200
    assert n_open < LIMIT
    assert "Too many open files" not in program.complaints
