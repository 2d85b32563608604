"""The dashboard shows the state of a campaign and what needs attention, and leads on."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import SignIn
from tests.log_rows import row
from workbench.agreement.progress import Pace, State
from workbench.judging import assessing
from workbench.judging.assessing import Submission
from workbench.setup.ingest import add_qrels, add_runs
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members
from workbench.web.setup.dashboard import day, sentence

NOW = datetime.now(UTC)


@pytest.fixture
def anna(app: Flask, client_of: SignIn) -> FlaskClient:
    return client_of(app, "Anna")


def judge(
    campaign: Campaign, topic_id: str, document_id: str, grade: int, assessor: str, at: datetime
) -> None:
    shown = assessing.show(campaign, topic_id, document_id, assessor)
    sent = Submission(
        uuid=f"{assessor}-{topic_id}-{document_id}",
        topic_id=topic_id,
        document_id=document_id,
        pool=shown.pool,
        text_hash=str(shown.text_hash),
        topic_version=shown.topic_version,
        guideline_version=shown.guideline_version,
        kind="grade",
        grade=grade,
        replaces=None,
        active_seconds=30.0,
    )
    assessing.judge(campaign, sent, assessor=assessor, now=at)


def state(**changes: object) -> State:
    nothing = State(0, 0, 0, 0, (), (), 0, 0, 0, 0, Pace(None, 0.0, None, None))
    return nothing._replace(**changes)  # type: ignore[arg-type]


def test_an_empty_campaign_is_led_to_its_topics(anna: FlaskClient) -> None:
    page = anna.get("/c/robust/dashboard").text
    assert "No data yet." in page
    assert 'href="/c/robust/add/topics">Add topics</a>' in page


def test_the_dashboard_is_the_first_place_of_organisers_and_none_of_assessors(
    app: Flask, small: Path, client_of: SignIn, anna: FlaskClient
) -> None:
    page = anna.get("/c/small/dashboard").text
    places = page[page.index('aria-label="Campaign"') :]
    assert places.index('href="/c/small/dashboard" aria-current="page">Dashboard') < places.index("Judging")
    assert "/c/small/dashboard" not in client_of(app, "Ben").get("/c/small/").text


def test_the_address_of_earlier_versions_leads_to_the_dashboard_with_its_query(anna: FlaskClient) -> None:
    for query in ("", "?a=1&a=r%C3%A9sum%C3%A9"):
        answer = anna.get(f"/c/robust/desk{query}")
        assert (answer.status_code, answer.location) == (308, f"/c/robust/dashboard{query}")


def test_counts_pace_and_people_are_on_the_dashboard(small: Path, anna: FlaskClient) -> None:
    with open_campaign(small) as campaign:
        for number in range(1, 5):
            judge(campaign, "1", f"d{number}", number % 2, "Ben", NOW - timedelta(hours=1))
    page = " ".join(anna.get("/c/small/dashboard").text.split())
    assert "4 of 8 pooled pairs judged; at this pace done on" in page
    assert "<dt>Judgments per active hour</dt><dd>120</dd>" in page
    assert "<dt>New pairs per day, last 14 days</dt><dd>4.0</dd>" in page
    assert "<dt>Hours of judging left</dt><dd>less than 0.1</dd>" in page
    assert f"<dt>Expected end</dt><dd>{day((datetime.now(UTC) + timedelta(days=1)).date())}</dd>" in page
    assert 'name=Ben">Ben</a></th><td>assessor</td> <td class="numeric">4</td>' in page
    assert "4 pooled pairs can be judged now." in page


def test_adjudications_repeats_and_norming_stand_beside_what_people_judged(
    small: Path, anna: FlaskClient
) -> None:
    plain = anna.get("/c/small/dashboard").text
    assert "Adjudicated" not in plain
    with open_campaign(small) as campaign, campaign.write():
        told = [
            ("grade", "d1"),
            ("repeat", "d1"),
            ("norming", "d2"),
            ("norming", "d3"),
            ("adjudication", "d4"),
        ]
        log.append_judgments(
            campaign, [row("Ben", "1", document_id, 1, kind=kind) for kind, document_id in told]
        )
    page = " ".join(anna.get("/c/small/dashboard").text.split())
    heads = re.findall(r'<th class="numeric">([^<]*)</th>', page)
    assert heads[2:5] == ["Adjudicated", "Repeats", "Norming"]
    counts = re.search(r'name=Ben">Ben</a></th><td>assessor</td>(.*?)</tr>', page)
    assert counts is not None
    assert re.findall(r'<td class="numeric">([^<]*)</td>', counts[1])[:5] == ["1", "", "1", "1", "2"]


def test_organisers_who_are_alone_are_told_how_to_invite_others(anna: FlaskClient, small: Path) -> None:
    assert "Only organisers can judge so far" not in anna.get("/c/small/dashboard").text
    with open_campaign(small) as campaign, campaign.write():
        for name in ("Ben", "Carla"):
            members.put(campaign, name, "observer", actor="Anna")
    assert (
        "8 pooled pairs can be judged now. Only organisers can judge so far"
        in anna.get("/c/small/dashboard").text
    )


def test_what_needs_a_look_is_listed_with_names(small: Path, anna: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "gamma.run").write_text("1 Q0 d1 1 2 gamma\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        judge(campaign, "1", "d1", 1, "Ben", NOW)
        judge(campaign, "1", "d1", 0, "Carla", NOW)
        add_runs(campaign, [str(tmp_path / "gamma.run")], actor="Anna", now=NOW)
    page = anna.get("/c/small/dashboard").text
    assert "1 pair with conflicting grades." in page
    assert "1 run added with warnings." in page
    assert "<bdi>gamma</bdi>" in page
    assert "nothing for 1 of 2 topics: 2" in page


def test_a_campaign_with_nothing_to_look_at_says_so(small: Path, anna: FlaskClient) -> None:
    assert "Nothing needs attention." in anna.get("/c/small/dashboard").text


def test_a_campaign_that_is_judged_is_led_to_its_release(
    small: Path, anna: FlaskClient, tmp_path: Path
) -> None:
    pairs = [*(("1", f"d{number}") for number in range(1, 7)), ("2", "d1"), ("2", "d2")]
    rows = "".join(f"{topic_id} 0 {document_id} 1\n" for topic_id, document_id in pairs)
    (tmp_path / "qrels").write_text(rows, encoding="utf-8")
    with open_campaign(small) as campaign:
        add_qrels(campaign, [str(tmp_path / "qrels")], assessor="NIST", actor="Anna", now=NOW)
    page = anna.get("/c/small/dashboard").text
    assert "All 8 pooled pairs judged." in page
    assert 'href="/c/small/publish">Publish</a>' in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "No data yet."),
        ({"runs": 2, "documents": 1400}, "1,400 documents, 2 runs; no pool yet."),
        ({"runs": 1, "judged_beyond": 9}, "1 run, 9 judged pairs; no pool yet."),
        (
            {"pooled": 8, "judged": 6, "held_back": 2},
            "6 of 8 pooled pairs judged; the remaining pairs lack a text.",
        ),
        ({"pooled": 8}, "0 of 8 pooled pairs judged."),
        ({"pooled": 8, "judged": 1}, "1 of 8 pooled pairs judged; no judgments in the last two weeks."),
        (
            {"pooled": 8, "judged": 1, "pace": Pace(60, 1, 1, date(2026, 3, 6))},
            "1 of 8 pooled pairs judged; at this pace done on Friday, 6 March 2026.",
        ),
    ],
)
def test_the_sentence_on_top_says_where_the_campaign_stands(changes: dict[str, object], words: str) -> None:
    assert sentence(state(**changes)) == words


def test_organisers_are_invited_to_make_another_campaign(small: Path, anna: FlaskClient) -> None:
    assert 'href="/new"' in anna.get("/").text
    assert 'href="/new"' in anna.get("/c/small/dashboard").text
