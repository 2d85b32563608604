"""A server that is killed while somebody judges: what they meant is in the log, once each, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.at_length import at_length
from tests.stories import Program, expect_saved, loaded_ahead, on_screen, own_port, pairs, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PASSWORD = "the river is deep"
NAMES = [f"n{number:03}" for number in range(1, 1 + at_length(100, 40))]
GRADES = [int(name[1:]) % 3 % 2 for name in NAMES]
KILLED_AT = [len(NAMES) * part // 100 for part in (17, 50, 83)]
"""The server is killed at once after so many judgments; two more are made before it is started again."""


def test_a_server_killed_three_times_in_the_middle_of_many_judgments_has_exactly_those(
    browser: Browser, tmp_path: Path
) -> None:
    program = Program(tmp_path)
    make_campaign(program)
    done = 0
    with own_port() as port, person(browser) as context:
        page = context.new_page()
        for kill_at in (*KILLED_AT, None):
            with program.serving(*start(port)) as server:
                if done == 0:
                    sign_in(page, server.address, "anna", PASSWORD)
                    page.goto(f"{server.address}c/rivers/judge?topic=1")
                if kill_at is None:
                    judge_on(page, done, len(NAMES))
                    expect_saved(page)
                else:
                    judge_on(page, done, kill_at - 1)
                    loaded_ahead(page)
                    judge_on(page, kill_at - 1, kill_at)
                    server.kill()
                    judge_on(page, kill_at, kill_at + 2)
                    done = kill_at + 2
    rows = program.judgments("rivers")
    assert pairs(rows) == list(zip(NAMES, GRADES, strict=True))
    assert len({row["uuid"] for row in rows}) == len(NAMES)
    assert "FAILED" not in program.run("audit", "rivers")


def judge_on(page: Page, start: int, end: int) -> None:
    """Judge from the document at `start`, counted from 0, to the one before `end`."""
    for name, grade in zip(NAMES[start:end], GRADES[start:end], strict=True):
        assert on_screen(page).document_id == name
        page.keyboard.press(str(grade))


def start(port: int) -> list[str]:
    return ["serve", "--host", "127.0.0.1", "--port", str(port), "--no-open"]


def make_campaign(program: Program) -> None:
    """One topic, whose documents are shown in the order of their names."""
    files = {
        "topics.jsonl": [json.dumps({"topic_id": "1", "title": "deep rivers"})],
        "documents.jsonl": [
            json.dumps({"document_id": name, "title": f"About {name}", "text": f"It says {name}."})
            for name in NAMES
        ],
        "alpha.run": [f"1 Q0 {name} {rank} {1000 - rank} alpha" for rank, name in enumerate(NAMES, start=1)],
    }
    for name, lines in files.items():
        (program.folder / name).write_text("\n".join(lines) + "\n")
    program.run("new", "rivers")
    for kind, file in (("topics", "topics.jsonl"), ("documents", "documents.jsonl"), ("runs", "alpha.run")):
        program.run("add", kind, "rivers", file)
    program.run("pool", "rivers", "--depth", str(len(NAMES)), "--order", "document id")
    program.run("user", "add", "anna", "--password", PASSWORD)
    program.run("member", "add", "rivers", "anna", "--role", "assessor")
