"""The pages about assessors at work."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, Post
from tests.sentences import says
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.web.agreement import assessors


def test_before_anybody_has_judged_the_pages_say_so(anna: FlaskClient, small: Path) -> None:
    page = anna.get("/c/small/assessors").text
    assert "No judgments yet." in page and says(page)
    page = anna.get("/c/small/assessor?name=Ben").text
    assert says(page)
    unknown = anna.get("/c/small/assessor?name=nobody")
    assert unknown.status_code == 404 and says(unknown.text)


def test_the_work_of_two_who_judged_the_same_pairs_is_compared(
    anna: FlaskClient, small: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        for number in range(1, 7):
            for name, grade, seconds in (("Ben", 1, 4), ("Carla", 0, 8)):
                judging_as(campaign, name, "1", f"d{number}", grade, active_seconds=seconds)
    page = anna.get("/c/small/assessors").text
    assert "No findings." in page and "4.0" in page
    page = anna.get("/c/small/assessor?name=Ben").text
    assert says(page)
    assert "on 6 higher and on 0 lower" in page
    assert says(page) and says(page)
    assert says(page)


def repeats(page: str) -> str:
    """What a page says of hidden repeats."""
    return re.findall(r'(?s)<h2 id="repeats">.*?<p>(.*?)\.\s', page)[0]


def test_the_organiser_has_pairs_come_again(anna: FlaskClient, post: Post, small: Path) -> None:
    with open_campaign(small) as campaign:
        for share, typed in (
            (0.025, {"share": "2.5", "gap": "40"}),
            (1.0, {"share": "100"}),
            (0.0, {"share": "0"}),
        ):
            sent = post(anna, "/c/small/assessors", **typed)
            assert (sent.status_code, sent.location) == (303, "/c/small/assessors#repeats")
            rules = settings.read(campaign)
            assert (rules.repeat_share, rules.repeat_gap) == (share, 40)
            assert says(repeats(anna.get("/c/small/assessors").text))
        for share, gap in (("7", "soon"), *((share, "40") for share in ("100.1", "-0.1", "nan", "", "many"))):
            answer = post(anna, "/c/small/assessors", share=share, gap=gap)
            assert answer.status_code == 422
        assert settings.read(campaign) == rules


@pytest.mark.parametrize(
    ("found", "words"),
    [("", "No judgments yet."), ("Ben 0 slow", "No judgments yet."), ("Ben 2, Carla 0", "No findings."),
     ("Ben 2 slow odd, Carla 3", "Findings for Ben: slow."),
     ("Ben 2 slow, Carla 3 odd, Dora 1", "Findings for 2 of 3 assessors.")],
)  # fmt: skip
def test_the_page_begins_with_whom_it_has_findings_for(found: str, words: str) -> None:
    summaries: list[Any] = []
    for name, pairs, *remarks in map(str.split, filter(None, found.split(","))):
        summaries.append(SimpleNamespace(assessor=name, pairs=int(pairs), remarks=remarks))
    assert assessors._overview(summaries) == words


@pytest.mark.parametrize(("pairs", "remarks"), [(0, []), (1, []), (3, ["is slow", "is odd"])])
def test_an_assessors_page_begins_with_how_much_they_judged(pairs: int, remarks: list[str]) -> None:
    who = SimpleNamespace(assessor="Ben", pairs=pairs, topics=1, remarks=remarks)
    profile: Any = SimpleNamespace(summary=who)
    assert says(assessors._lead(profile), "Ben", *remarks)
