"""The process beside the server that lets adaptive pools choose."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from tests.conftest import judge_as
from tests.sentences import says
from tests.waiting import wait_until
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.jobs import background
from workbench.jobs.background import running
from workbench.jobs.processes import WorkerDied, Workers
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import choices, pools
from workbench.web.judging import more_documents
from workbench.web.requests.connections import Connections
from workbench.web.server import choosing


def chosen(campaign: Campaign) -> list[str]:
    """What was chosen for topic 1, in the order of the log."""
    return [
        pair[0] for choice in choices.all_choices(campaign) if choice.topic_id == "1" for pair in choice.pairs
    ]


def test_a_server_chooses_what_was_due_before_it_started_and_then_by_each_judgment(
    app: Flask, growing: Path
) -> None:
    held: Connections = app.extensions["workbench_connections"]
    with open_campaign(growing) as campaign:
        for document_id in pools.pooled_of_topic(campaign, "1"):
            judge_as(campaign, "Ben", "1", document_id, 1)
        with choosing.choosing(app, held):
            wait_until(lambda: len(chosen(campaign)) == 2)
            judge_as(campaign, "Ben", "1", chosen(campaign)[-1], 0)
            wait_until(lambda: len(chosen(campaign)) == 3)
            wait_until(lambda: app.extensions[more_documents.NAME].covers(campaign))


def test_a_pool_that_goes_by_texts_grows_too(app: Flask, small: Path) -> None:
    with open_campaign(small) as campaign:
        retire_pool(campaign.by("Anna"), 1)
        add_pool(campaign.by("Anna"), strategy="cal", depth=10, batch=1)
        with choosing.choosing(app, app.extensions["workbench_connections"]):
            judge_as(campaign, "Ben", "1", chosen(campaign)[0], 1)
            wait_until(lambda: len(chosen(campaign)) == 3)


def test_a_process_that_dies_is_reported_and_tried_again(
    app: Flask, growing: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    held: Connections = app.extensions["workbench_connections"]
    died: list[int] = []
    before = Workers.run

    def run(workers: Workers, *words: object, **options: object) -> object:
        if not died:
            died.append(1)
            raise WorkerDied(-9)
        return before(workers, *words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Workers, "run", run)
    monkeypatch.setattr(background, "AFTER_FAILURE", 0.1)
    with open_campaign(growing) as campaign:
        for document_id in pools.pooled_of_topic(campaign, "1"):
            judge_as(campaign, "Ben", "1", document_id, 1)
        with caplog.at_level(logging.WARNING), choosing.choosing(app, held):
            wait_until(lambda: len(chosen(campaign)) == 2)
    assert says(caplog.text)


def test_a_failure_names_each_campaign_and_the_others_choose(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def choose(_: Any, name: str, *__: Any) -> None:
        looked.append(name)
        if name != "rivers":
            raise OSError("no room")

    monkeypatch.setattr(choosing, "_choose", choose)
    held: Any = SimpleNamespace(paths=lambda: dict.fromkeys(("small", "rivers", "lakes")))
    with choosing.choosing(app, held):
        wait_until(lambda: [thread.failure for thread in running()] == ["lakes: no room; small: no room"])
    assert looked[:3] == ["lakes", "rivers", "small"]


def test_a_campaign_that_is_gone_and_one_without_adaptive_pools_need_no_process(small: Path) -> None:
    so_far, no_process = more_documents.ChosenSoFar(), SimpleNamespace()
    with open_campaign(small) as campaign:
        for there, covered in ((None, False), (campaign, True)):
            held: Any = SimpleNamespace(visiting=lambda _, there=there: nullcontext(there))
            choosing._choose(held, "small", so_far, no_process)  # type: ignore[arg-type]
            assert so_far.covers(campaign) is covered


def test_a_judgment_that_is_stored_while_a_process_finds_nothing_to_choose_is_seen_next(small: Path) -> None:
    so_far, asked = more_documents.ChosenSoFar(), [0]
    with open_campaign(small) as campaign:
        retire_pool(campaign.by("Anna"), 1)
        add_pool(campaign.by("Anna"), strategy="hedge", depth=10, batch=1)

        def finds_nothing(*_: object) -> bool:
            asked[0] += 1
            if asked[0] == 1:
                judge_as(campaign, "Ben", "1", chosen(campaign)[0], 1)
            return False

        held: Any = SimpleNamespace(visiting=lambda _: nullcontext(campaign))
        workers: Any = SimpleNamespace(run=finds_nothing)
        choosing._choose(held, "small", so_far, workers)
        assert so_far.covers(campaign)
    assert asked == [2]
