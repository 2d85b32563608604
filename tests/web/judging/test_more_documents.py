"""What a judging page learns of documents that came into its topic after it was loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from tests.conftest import judge_as
from tests.fixture_types import SignIn
from tests.sentences import says
from workbench.campaign.pools.choosing import choose_next
from workbench.campaign.pools.making import add_pool
from workbench.cli import main
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.web.judging import more_documents


def ask(app: Flask, client_of: SignIn, topic_id: str = "1", who: str = "Ben") -> Any:
    return client_of(app, who).get("/c/small/api/queue", query_string={"topic": topic_id})


def test_it_is_the_queue_of_the_page_with_what_was_chosen_since(
    ben: FlaskClient, app: Flask, growing: Path, client_of: SignIn
) -> None:
    assert '"grows": true' in ben.get("/c/small/judge?topic=1").text
    assert ask(app, client_of, "77").status_code == 404
    before = {item["document_id"] for item in ask(app, client_of).get_json()["queue"]}
    with open_campaign(growing) as campaign:
        for document_id in sorted(before):
            judge_as(campaign, "Ben", "1", document_id, 1)
        (choice,) = choose_next(campaign)
    after = ask(app, client_of).get_json()["queue"]
    assert {item["document_id"] for item in after} == before | {choice.pairs[0][0]}
    assert [item["state"] for item in after].count("open") == 1


def test_more_is_awaited_until_the_server_has_chosen_by_all_that_is_judged(
    app: Flask, growing: Path, client_of: SignIn
) -> None:
    so_far = more_documents.init_app(app)
    assert ask(app, client_of).get_json()["awaited"] is True
    with open_campaign(growing) as campaign:
        so_far.note(campaign, log.head(campaign))
        assert ask(app, client_of).get_json()["awaited"] is False
        judge_as(campaign, "Ben", "1", ask(app, client_of).get_json()["queue"][0]["document_id"], 1)
    assert ask(app, client_of).get_json()["awaited"] is True


def test_nothing_is_awaited_where_no_pool_chooses_or_no_process_does(
    app: Flask, small: Path, client_of: SignIn
) -> None:
    assert ask(app, client_of).get_json()["awaited"] is False
    more_documents.init_app(app)
    assert ask(app, client_of).get_json()["awaited"] is False


def test_the_leaderboard_says_that_bounds_are_of_the_pool_as_it_is(anna: FlaskClient, small: Path) -> None:
    said = "as the pool grows"
    assert said not in anna.get("/c/small/board").text
    with open_campaign(small) as campaign:
        add_pool(campaign.by("Anna"), strategy="hedge", depth=10)
    assert said in anna.get("/c/small/board").text
    command = CliRunner().invoke(main, ["score", str(small), "-m", "AP(bound=upper)"])
    assert says(command.output)
    assert "bounds are" not in CliRunner().invoke(main, ["score", str(small), "-m", "AP"]).output
