"""The page Change the scale shows who gave what, what changes, and then changes all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign.changing_settings import change_settings
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log

ADDRESS = "/c/small/settings/scale"
NEW = [("0", "Not relevant"), ("1", "Partly relevant"), ("2", "Highly relevant")]


@pytest.fixture(autouse=True)
def judged(small: Path, judging_as: JudgeAs) -> Path:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1, comment="names the river")
        judging_as(campaign, "Carla", "1", "d1", 0)
    return small


@pytest.fixture
def send(anna: FlaskClient, token_of: TokenOf) -> Callable[..., TestResponse]:
    """Send the form with a new scale, and what becomes of the grades given."""

    def post(do: str = "change", **fields: Any) -> TestResponse:
        columns = {
            "grade-number": [number for number, _ in NEW],
            "grade-name": [name for _, name in NEW],
            "grade-guideline": [""] * len(NEW),
        }
        form = {"relevant-from": "1", "becomes:0": "0", "becomes:1": "2", "do": do}
        return anna.post(ADDRESS, data={**form, **columns, **fields, "csrf_token": token_of(anna)})

    return post


def labels_of(path: Path) -> dict[tuple[str, str], int]:
    with open_campaign(path) as campaign:
        return {label.pair: label.grade for label in labels.qrels(campaign)}


def test_the_preview_says_what_changes_and_changes_nothing(
    send: Callable[..., TestResponse], judged: Path
) -> None:
    with open_campaign(judged) as campaign:
        head = log.head(campaign)
    page = send("preview")
    assert page.status_code == 200
    assert says(page.text, "1 judgment.")
    assert "Ben 1" in page.text
    with open_campaign(judged) as campaign:
        assert log.head(campaign) == head


def test_the_scale_is_changed_and_pages_show_the_name_a_grade_was_given_by(
    send: Callable[..., TestResponse], judged: Path, anna: FlaskClient, ben: FlaskClient
) -> None:
    changed = send()
    assert changed.status_code == 303
    assert "became" in anna.get(changed.location).text
    with open_campaign(judged) as campaign:
        assert labels.label_of(campaign, "1", "d1") == 0  # Carla's judgment is still the newest
    for client, address in (
        (anna, "/c/small/pair?topic=1&document=d1"),
        (anna, "/c/small/judgments?topic=1"),
        (anna, "/c/small/adjudication"),
        (anna, "/c/small/adjudicate?topic=1&document=d1"),
        (ben, "/c/small/history?versions=1"),
    ):
        words = " ".join(client.get(address).text.replace("<", " <").split())
        assert '<span dir="auto">Highly relevant' in words, address
        assert "Relevant </" in words, address
    assert says(anna.get("/c/small/agreement").text, "Relevant")
    found = anna.get("/c/small/agreement?format=json").json
    assert found is not None
    assert len(found["scale_changes"]) == 1


def test_a_wrong_map_is_refused_with_what_was_typed(send: Callable[..., TestResponse], judged: Path) -> None:
    for fields in ({"becomes:1": "7"}, {"becomes:1": "x"}, {"becomes:1": ""}, {"relevant-from": "9"}):
        page = send(**fields)
        assert page.status_code == 422
        assert says(alerts(page.text))
        assert "Highly relevant" in page.text
    assert labels_of(judged) == {("1", "d1"): 0}


def test_what_another_organiser_changed_meanwhile_is_a_conflict(
    send: Callable[..., TestResponse], judged: Path
) -> None:
    with open_campaign(judged) as campaign:
        base = log.newest_seq(campaign)
        change_settings(campaign.by("Olga"), {"grades": [[0, "No", ""], [1, "Yes", ""]]}, renames=True)
    page = send(base=str(base))
    assert page.status_code == 409
    assert "Olga" in alerts(page.text)


def test_pairs_are_asked_again(send: Callable[..., TestResponse], judged: Path, ben: FlaskClient) -> None:
    assert send(again="1").status_code == 303
    assert labels_of(judged) == {("1", "d1"): 0}
    queue = ben.get("/c/small/api/queue?topic=1").json
    assert queue is not None
    assert {item["document_id"]: item["state"] for item in queue["queue"]}["d1"] == "open"
