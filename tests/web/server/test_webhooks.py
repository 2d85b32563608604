"""Webhooks of a real server: sent beside it, again after it was killed, and never a matter for those who judge."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from flask import Flask

from tests.conftest import judge_as
from tests.receivers import Sent, receiver, statuses
from tests.savers import make_campaign, savers_of
from tests.stories import Program, own_port
from tests.waiting import wait_until
from workbench.jobs.processes import Work, WorkerDied, Workers
from workbench.people.accounts import open_accounts
from workbench.people.accounts.webhooks import messages
from workbench.release.webhooks.events import add_webhook
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.log import mark
from workbench.web.server.webhooks import webhooks_sent

API = Path(__file__).resolve().parents[3] / "docs" / "build" / "api.md"
SERVE = ("serve", "rivers", "--port", "0", "--no-open", "--webhook-network", "127.0.0.1")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The campaign `rivers` with two topics of two pooled documents each."""
    make_campaign(tmp_path, 2)
    return Program(tmp_path)


def add(program: Program, url: str, *events: str) -> str:
    """The secret of a new webhook."""
    words = [word for each in events for word in ("--event", each)]
    return program.run("campaign", "webhooks", "rivers", "--add", url, *words).strip()


def numbers(program: Program) -> list[str]:
    lines = program.run("campaign", "webhooks", "rivers", "--format", "csv").splitlines()[1:]
    return [line.partition(",")[0] for line in lines]


def finish(program: Program, topic_id: str) -> None:
    with open_campaign(program.folder / "instance" / "rivers.db") as campaign:
        for document_id in ("n0000", "n0001"):
            judge_as(campaign, "anna", topic_id, document_id, 1)


def topics(came: list[Sent]) -> list[str]:
    return [each.event[1]["topic"] for each in came]


def test_what_happened_while_no_server_ran_is_sent_and_what_was_on_its_way_when_one_was_killed_again(
    program: Program,
) -> None:
    held = Event()
    with receiver(lambda handler, turn: held.wait(60) if turn == 0 else handler.say(204)) as (url, came):
        add(program, url, "topic.finished")
        finish(program, "1")
        with program.serving(*SERVE) as server:
            wait_until(lambda: came)
            server.kill()
        finish(program, "2")
        with program.serving(*SERVE):
            wait_until(lambda: len(came) >= 3)
        held.set()
    assert sorted(topics(came)) == ["1", "1", "2"]
    assert len({each.id for each in came}) == 2
    assert len({each.body for each in came}) == 2


@pytest.mark.slow
def test_a_receiver_that_hangs_stops_neither_other_receivers_nor_those_who_judge(tmp_path: Path) -> None:
    program, path = Program(tmp_path), make_campaign(tmp_path)
    held = Event()
    with (
        receiver(lambda handler, _: held.wait(60)) as (dead, tried),
        receiver(statuses(500, 200)) as (url, came),
        own_port() as port,
    ):
        add(program, dead, "run.submitted")
        add(program, url, "run.submitted")
        (tmp_path / "beta.run").write_text("1 Q0 n0001 1 1 beta\n")
        program.run("add", "runs", "rivers", tmp_path / "beta.run")
        words = ("serve", "rivers", "--port", str(port), "--no-open", "--webhook-network", "127.0.0.1")
        with program.serving(*words), savers_of(path, port) as savers, savers.at_work():
            wait_until(lambda: tried)
            savers.wait_for(50)
            wait_until(lambda: len(came) == 2)
        held.set()
    assert came[0].id == came[1].id
    assert {each.id for each in tried}.isdisjoint({each.id for each in came})
    assert savers.check(path) >= 50


def test_nothing_is_sent_to_a_webhook_that_was_removed_not_even_what_waited(program: Program) -> None:
    with receiver(statuses(500)) as (url, came), receiver() as (other, stayed):
        add(program, url, "topic.finished")
        add(program, other, "topic.finished")
        finish(program, "1")
        with program.serving(*SERVE):
            wait_until(lambda: came and stayed)
            program.run("campaign", "webhooks", "rivers", "--remove", numbers(program)[0])
            before = len(came)
            finish(program, "2")
            wait_until(lambda: len(stayed) == 2)
    assert len(came) == before


def test_without_the_operators_option_this_machine_is_not_sent_to(program: Program) -> None:
    with receiver() as (url, came):
        add(program, url, "topic.finished")
        finish(program, "1")
        with program.serving("serve", "rivers", "--port", "0", "--no-open"):
            wait_until(lambda: "127.0.0.1, where" in program.run("campaign", "webhooks", "rivers", "--sent"))
    assert came == []


def test_a_campaign_that_cannot_be_looked_at_stops_no_other(
    app: Flask, instance: Path, small: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def run(_: Workers, work: Work, *limits: object) -> object:
        if instance / "robust.db" in work.arguments:
            raise WorkerDied(-9)
        return work.do(lambda *step: None)

    monkeypatch.setattr(Workers, "run", run)
    with open_accounts(instance) as accounts:
        for path in (instance / "robust.db", small):
            with open_campaign(path) as campaign:
                add_webhook(campaign.by("Anna"), accounts, "https://hook.invalid/", ["topic.finished"])
                marked = mark(campaign)
        with open_campaign(small) as campaign:
            for document_id in ("d1", "d2"):
                judge_as(campaign, "Ben", "2", document_id, 1)
        with caplog.at_level(logging.WARNING), webhooks_sent(app, app.extensions["workbench_connections"]):
            wait_until(lambda: messages(accounts, marked, 9))
    assert "robust" in caplog.text


@pytest.fixture
def documented(program: Program) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of the receiver of docs/build/api.md as a process, to which the campaign's events are sent."""
    _, text = re.findall(r"```py\n(.*?)^```", API.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    with own_port() as port:
        url = f"http://127.0.0.1:{port}/"
        (program.folder / "secret.txt").write_text(add(program, url, "topic.finished") + "\n")
        source = program.folder / "receiver.py"
        source.write_text(text.replace("8080", str(port)))
        words = [sys.executable, "-W", "error", str(source)]
        with subprocess.Popen(
            words, cwd=program.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            yield url, process
            process.kill()


def test_the_receiver_in_the_documents_knows_what_is_ours(
    program: Program, documented: tuple[str, subprocess.Popen[str]]
) -> None:
    _, process = documented
    assert process.stdout is not None
    finish(program, "1")
    with program.serving(*SERVE):
        assert "'topic': '1'" in process.stdout.readline()
    (program.folder / "instance" / "secret_key").write_bytes(b"x" * 32)  # as another server has it
    network = ("--webhook-network", "127.0.0.1")
    assert "401" in program.refused("campaign", "webhooks", "rivers", "--try", numbers(program)[0], *network)
