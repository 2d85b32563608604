"""The pages about assessors at work."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from tests.fixture_types import JudgeAs, SignIn, TokenOf
from tests.sentences import says
from workbench.analysis.between_assessors import coefficients
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.web.agreement import assessors


def test_before_anybody_has_judged_the_pages_say_so(app: Flask, client_of: SignIn, small: Path) -> None:
    anna = client_of(app, "Anna")
    page = anna.get("/c/small/assessors").text
    assert "No judgments yet." in page and says(page)
    page = anna.get("/c/small/assessor?name=Ben").text
    assert says(page)
    unknown = anna.get("/c/small/assessor?name=nobody")
    assert unknown.status_code == 404 and says(unknown.text)


def test_the_work_of_two_who_judged_the_same_pairs_is_compared(
    app: Flask, client_of: SignIn, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        for number in range(1, 7):
            judging_as(campaign, "Ben", "1", f"d{number}", 1, active_seconds=4)
            judging_as(campaign, "Carla", "1", f"d{number}", 0, active_seconds=8)
    anna = client_of(app, "Anna")
    page = anna.get("/c/small/assessors").text
    assert "No findings." in page and "4.0" in page
    page = anna.get("/c/small/assessor?name=Ben").text
    assert says(page)
    assert "on 6 higher and on 0 lower" in page
    assert says(page) and says(page)
    assert says(page)


def test_in_a_large_campaign_assessors_are_compared_in_a_job(
    app: Flask, client_of: SignIn, small: Path, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
    monkeypatch.setattr(coefficients, "LARGE", 1)
    anna = client_of(app, "Anna")
    first = anna.get("/c/small/assessors")
    assert (first.status_code, first.location.split("?")[0]) == (303, "/c/small/assessors")
    assert "Ben" in anna.get(first.location).text
    assert anna.get("/c/small/assessors").status_code == 200
    assert "Ben judged 1 pair" in anna.get("/c/small/assessor?name=Ben").text


def test_the_organiser_has_pairs_come_again(
    app: Flask, client_of: SignIn, token_of: TokenOf, small: Path
) -> None:
    anna = client_of(app, "Anna")
    token = token_of(anna)
    sent = anna.post("/c/small/assessors", data={"csrf_token": token, "share": "2.5", "gap": "40"})
    assert (sent.status_code, sent.headers["Location"]) == (303, "/c/small/assessors#repeats")
    assert says(anna.get("/c/small/assessors").text)
    wrong_gap = anna.post("/c/small/assessors", data={"csrf_token": token, "share": "7", "gap": "soon"})
    assert wrong_gap.status_code == 422 and says(wrong_gap.text)
    assert 'value="7"' in wrong_gap.text and 'value="soon"' in wrong_gap.text
    for share in ("100.1", "-0.1", "nan", "", "many"):
        answer = anna.post("/c/small/assessors", data={"csrf_token": token, "share": share, "gap": "40"})
        assert answer.status_code == 422 and says(answer.text.lower())
    with open_campaign(small) as campaign:
        rules = settings.read(campaign)
        assert (rules.repeat_share, rules.repeat_gap) == (0.025, 40)
    for share in (100, 0):
        sent = anna.post("/c/small/assessors", data={"csrf_token": token, "share": str(share)})
        assert sent.status_code == 303
        with open_campaign(small) as campaign:
            rules = settings.read(campaign)
            assert (rules.repeat_share, rules.repeat_gap) == (share / 100, 40)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([], "No judgments yet."),
        ([("Ben", 0, ["is slow"])], "No judgments yet."),
        ([("Ben", 2, []), ("Carla", 0, [])], "No findings."),
        ([("Ben", 2, ["is slow", "is odd"]), ("Carla", 3, [])], "Findings for Ben: is slow."),
        (
            [("Ben", 2, ["is slow"]), ("Carla", 3, ["is odd"]), ("Dora", 1, [])],
            "Findings for 2 of 3 assessors.",
        ),
    ],
)
def test_the_page_begins_with_whom_it_has_findings_for(
    found: list[tuple[str, int, list[str]]], words: str
) -> None:
    summaries: list[Any] = [
        SimpleNamespace(assessor=name, pairs=pairs, remarks=remarks) for name, pairs, remarks in found
    ]
    assert assessors._overview(summaries) == words


@pytest.mark.parametrize(
    ("pairs", "remarks", "words"),
    [
        (0, [], "Ben has no judgments yet."),
        (1, [], "Ben judged 1 pair in 1 topic; no findings."),
        (3, ["is slow", "is odd"], "Ben judged 3 pairs in 1 topic; is slow, is odd."),
    ],
)
def test_an_assessors_page_begins_with_how_much_they_judged(
    pairs: int, remarks: list[str], words: str
) -> None:
    who = SimpleNamespace(assessor="Ben", pairs=pairs, topics=1, remarks=remarks)
    profile: Any = SimpleNamespace(summary=who)
    assert assessors._lead(profile) == words
