"""The dashboard shows the state of a campaign and what needs attention, and leads on."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import SignIn
from tests.judged_pairs import judge_as
from tests.log_rows import row
from tests.sentences import says
from workbench.analysis.dashboard.progress import Pace, State
from workbench.campaign import assigning
from workbench.campaign.content_changes import mark_broken
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.wording import weekday
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members
from workbench.web.setup.dashboard import sentence

NOW = datetime.now(UTC)


def judge(
    campaign: Campaign, topic_id: str, document_id: str, grade: int, assessor: str, at: datetime
) -> None:
    judge_as(campaign, assessor, topic_id, document_id, grade, at, active_seconds=30.0)


def state(**changes: object) -> State:
    nothing = State(0, 0, 0, 0, 0, (), (), 0, 0, 0, 0, Pace(None, 0.0, None, None))
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


def test_a_chart_by_day_is_shown_once_it_has_three_days(small: Path, anna: FlaskClient) -> None:
    charts = []
    for days in (3, 2, 1):
        with open_campaign(small) as campaign:
            judge(campaign, "1", f"d{days}", 1, "Ben", NOW - timedelta(days=days))
        charts.append('id="days"' in anna.get("/c/small/dashboard").text)
    assert charts == [False, False, True]


def test_counts_pace_and_people_are_on_the_dashboard(small: Path, anna: FlaskClient) -> None:
    with open_campaign(small) as campaign:
        for number in range(1, 5):
            judge(campaign, "1", f"d{number}", number % 2, "Ben", NOW - timedelta(hours=1))
    page = " ".join(anna.get("/c/small/dashboard").text.split())
    assert says(page)
    assert says(page)
    assert says(page)
    assert says(page)
    assert f"<dt>Expected end</dt><dd>{weekday((datetime.now(UTC) + timedelta(days=1)).date())}</dd>" in page
    assert 'name=Ben">Ben</a></th><td>assessor</td> <td class="numeric">4</td>' in page
    assert says(page)


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
            members.put(campaign.by("Anna"), name, "observer")
    assert says(anna.get("/c/small/dashboard").text)


def test_what_needs_a_look_is_listed_with_names(small: Path, anna: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "gamma.run").write_text("1 Q0 d1 1 2 gamma\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        judge(campaign, "1", "d1", 1, "Ben", NOW)
        judge(campaign, "1", "d1", 0, "Carla", NOW)
        add_runs(campaign.by("Anna", NOW), [str(tmp_path / "gamma.run")])
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
        add_qrels(campaign.by("Anna", NOW), [str(tmp_path / "qrels")], assessor="NIST")
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
            "1 of 8 pooled pairs judged; at this pace done on Friday, 6 Mar 2026.",
        ),
    ],
)
def test_the_sentence_on_top_says_where_the_campaign_stands(changes: dict[str, object], words: str) -> None:
    assert sentence(state(**changes)) == words


def test_organisers_are_invited_to_make_another_campaign(small: Path, anna: FlaskClient) -> None:
    assert 'href="/new"' in anna.get("/").text
    assert 'href="/new"' in anna.get("/c/small/dashboard").text


def words(client: FlaskClient, address: str = "/c/small/dashboard") -> str:
    """The page's words without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", client.get(address).text)).split())


def test_an_organiser_is_told_to_judge_only_what_is_theirs_to_judge(small: Path, anna: FlaskClient) -> None:
    assert says(words(anna))
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben"])
        assert says(words(anna))
        assigning.assign(campaign.by("Anna"), ["2"], ["Carla"])
        assert says(words(anna))
        assigning.assign(campaign.by("Anna"), ["2"], ["Anna"])
        assert says(words(anna))
        assigning.close(campaign.by("Anna"), ["2"])
        assert says(words(anna))
        assigning.close(campaign.by("Anna"), ["1"])
        assert says(words(anna))


@pytest.fixture
def disputed(small: Path) -> Path:
    """Ben and Carla differ on d1 of topic 1."""
    with open_campaign(small) as campaign:
        judge(campaign, "1", "d1", 1, "Ben", NOW)
        judge(campaign, "1", "d1", 0, "Carla", NOW)
    return small


def warning(client: FlaskClient, name: str) -> dict[str, str]:
    """The fields of the form that dismisses a warning."""
    forms = re.findall(r"<form method=\"post\".*?</form>", client.get("/c/small/dashboard").text, re.S)
    (found,) = [each for each in forms if f'name="warning" value="{name}"' in each and 'name="note"' in each]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', found)) | {"do": "dismiss"}


def test_a_warning_is_dismissed_with_a_note_and_comes_back_when_it_says_something_else(
    disputed: Path, anna: FlaskClient
) -> None:
    sent = {**warning(anna, "conflicts"), "note": "Ben is right"}
    assert anna.post("/c/small/dashboard", data=sent).status_code == 303
    assert "Nothing needs attention. 1 dismissed 1 pair with conflicting grades. Dismissed by Anna" in words(
        anna
    )
    assert "Ben is right" in words(anna)
    with open_campaign(disputed) as campaign:
        judge(campaign, "1", "d2", 1, "Ben", NOW)
        judge(campaign, "1", "d2", 0, "Carla", NOW)
    assert "Check 2 pairs with conflicting grades." in words(anna)
    assert "dismissed" not in words(anna)


def test_a_dismissed_warning_can_be_shown_again(disputed: Path, anna: FlaskClient) -> None:
    sent = {**warning(anna, "conflicts"), "note": "known"}
    anna.post("/c/small/dashboard", data=sent)
    again = {**sent, "do": "show again"}
    assert [anna.post("/c/small/dashboard", data=again).status_code for _ in range(2)] == [303, 409]
    assert "Check 1 pair with conflicting grades." in words(anna)


def test_a_warning_that_changed_meanwhile_or_has_no_note_is_not_dismissed(
    disputed: Path, anna: FlaskClient
) -> None:
    sent = warning(anna, "conflicts")
    assert anna.post("/c/small/dashboard", data={**sent, "note": " "}).status_code == 422
    assert anna.post("/c/small/dashboard", data={**sent, "note": "x", "do": "all"}).status_code == 400
    with open_campaign(disputed) as campaign:
        judge(campaign, "1", "d2", 1, "Ben", NOW)
        judge(campaign, "1", "d2", 0, "Carla", NOW)
        head = log.newest_seq(campaign)
        stale = anna.post("/c/small/dashboard", data={**sent, "note": "known"})
        assert stale.status_code == 409
        assert says(stale.text)
        assert log.newest_seq(campaign) == head
        fresh = {**warning(anna, "conflicts"), "note": "known"}
        assert [anna.post("/c/small/dashboard", data=fresh).status_code for _ in range(2)] == [303, 409]


def test_oddities_that_ask_for_nothing_are_notes_and_what_stops_judging_comes_first(
    small: Path, anna: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / "gamma.run").write_text("1 Q0 d1 0 2 gamma\n2 Q0 d9 0 2 gamma\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        add_runs(campaign.by("Anna", NOW), [str(tmp_path / "gamma.run")])
        add_pool(campaign.by("Anna", NOW), depth=5)
        mark_broken(campaign.by("Anna", NOW), ["d1"], reason="cut off")
    page = words(anna)
    assert page.index("Stops judging 3 pooled pairs without a text that can be judged.") < page.index(
        "Check 1 document marked as broken."
    )
    assert "run added with warnings" not in page
    assert says(page)
    assert "d1 cut off" in page


def test_the_table_of_assessors_names_who_may_judge_or_did_and_nobody_else(
    anna: FlaskClient, small: Path
) -> None:
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Delft")
        judge(campaign, "1", "d1", 1, "Ben", NOW)
        with campaign.write():
            members.put(campaign.by("Anna"), "Ben", "observer")
    page = anna.get("/c/small/dashboard").text
    table = page[page.index('id="assessors"') :].partition("</table>")[0]
    assert 'name=Ben">Ben</a>' in table
    assert "Paul" not in table
