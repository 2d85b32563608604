"""What takes long leaves threads for those who save: jobs in processes of their own, and few requests that work."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import MakeApp, SignIn
from tests.sentences import says
from workbench.jobs.processes import TooManyJobs
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.web.requests import campaign_jobs
from workbench.web.requests.long_work import LongWork, Queues

pytestmark = pytest.mark.usefixtures("small")

BUNDLE = "/c/small/publish/bundle?runs"


def ask(client: FlaskClient, address: str, **more: Any) -> TestResponse:
    """The whole answer; the file that it is read from is closed."""
    with client.get(address, **more) as answer:
        answer.get_data()
        return answer


@pytest.fixture
def app(make_app: MakeApp, queues: Queues) -> Flask:
    return make_app(queues=queues)


def test_a_bundle_is_made_once_for_each_row_of_the_log_and_what_cannot_be_made_is_said_in_a_sentence(
    anna: FlaskClient, make_app: MakeApp, client_of: SignIn, small: Path
) -> None:
    queues = Queues.new()
    anna = client_of(make_app(queues=queues), "Anna")
    first = ask(anna, BUNDLE)
    assert "small-" in zipfile.ZipFile(io.BytesIO(first.data)).namelist()[0]
    queues.close()
    assert ask(anna, BUNDLE).data == first.data
    assert ask(anna, f"{BUNDLE}&comments").status_code == 503
    with open_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"title": "Another"})
    answer = ask(anna, BUNDLE)
    assert answer.status_code == 503
    assert says(answer.get_data(as_text=True))


def test_beyond_the_jobs_that_may_wait_one_is_asked_to_come_back_and_other_pages_are_answered(
    anna: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise TooManyJobs

    monkeypatch.setattr(campaign_jobs, "begin", refuse)
    refused = ask(anna, BUNDLE)
    assert refused.status_code == 503
    assert refused.headers["Retry-After"] == "60"
    assert says(refused.get_data(as_text=True))
    assert anna.get("/c/small/publish").status_code == 200


def test_beyond_its_seats_a_request_that_works_is_refused_and_other_pages_are_answered(
    app: Flask, anna: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: LongWork = app.extensions["workbench_long_work"]
    monkeypatch.setattr(held.seats, "_patience", 0.0)
    comparison = "/c/small/publish/comparison?run=alpha&run=beta"
    with held.seats.seat("another"), held.seats.seat("a third"), held.seats.seat("a fourth"):
        refused = ask(anna, comparison)
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "60")
        assert anna.get("/health").status_code == 200
        assert anna.get("/c/small/publish").status_code == 200
    assert ask(anna, comparison).status_code == 200
