"""The dashboard shows the state of a campaign and what needs attention, and leads on."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask, g
from flask.testing import FlaskClient
from lxml import html

from tests.judged_pairs import judge_as
from tests.log_rows import row
from tests.sentences import says
from workbench.analysis.dashboard.campaign_warnings import About, CampaignWarning
from workbench.analysis.dashboard.progress import Pace, State
from workbench.campaign import assigning
from workbench.campaign.content_changes import mark_broken
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.people.accounts import open_accounts, set_disabled
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members
from workbench.web.setup import dashboard as attention
from workbench.web.setup.dashboard import sentence

NOW = datetime.now(UTC)


def judge(
    campaign: Campaign, topic_id: str, document_id: str, grade: int, assessor: str, at: datetime
) -> None:
    judge_as(campaign, assessor, topic_id, document_id, grade, at, active_seconds=30.0)


def state(**changes: object) -> State:
    nothing = State(0, 0, 0, 0, 0, (), (), 0, 0, 0, 0, Pace(None, 0.0, None, None))
    return nothing._replace(**changes)  # type: ignore[arg-type]


def test_a_chart_by_day_is_shown_once_it_has_three_days(small: Path, anna: FlaskClient) -> None:
    charts = []
    for days in (3, 2, 1):
        with open_campaign(small) as campaign:
            judge(campaign, "1", f"d{days}", 1, "Ben", NOW - timedelta(days=days))
        charts.append('id="days"' in anna.get("/c/small/dashboard").text)
    assert charts == [False, False, True]


def test_adjudications_repeats_and_norming_stand_beside_what_people_judged(
    small: Path, anna: FlaskClient
) -> None:
    plain = anna.get("/c/small/dashboard").text
    assert "Adjudicated" not in plain
    with open_campaign(small) as campaign, campaign.write():
        kinds = {"grade": "1", "repeat": "1", "norming": "23", "adjudication": "4"}
        told = [row("Ben", "1", f"d{n}", 1, kind=kind) for kind, numbers in kinds.items() for n in numbers]
        log.append_judgments(campaign, told)
    page = " ".join(anna.get("/c/small/dashboard").text.split())
    heads = re.findall(r'<th class="numeric">([^<]*)</th>', page)
    assert heads[2:5] == ["Adjudicated", "Repeats", "Norming"]
    counts = re.search(r'name=Ben">Ben</a></th><td>assessor</td>(.*?)</tr>', page)
    assert counts is not None
    assert re.findall(r'<td class="numeric">([^<]*)</td>', counts[1])[:5] == ["1", "", "1", "1", "2"]


STANDS = {
    "empty": {},
    "documents": {"runs": 2, "documents": 1400},
    "judged beyond": {"runs": 1, "judged_beyond": 9},
    "held back": {"pooled": 8, "judged": 6, "held_back": 2},
    "pooled": {"pooled": 8},
    "no pace": {"pooled": 8, "judged": 1},
    "all gone": {"pooled": 8, "judged": 1, "pace": Pace(None, 0, None, None, gone=2)},
    "pace": {"pooled": 8, "judged": 1, "pace": Pace(60, 1, 1, date(2026, 3, 6))},
}


@pytest.mark.parametrize("name", STANDS)
def test_the_sentence_on_top_says_where_the_campaign_stands(name: str) -> None:
    assert says(sentence(state(**STANDS[name])))


def words(client: FlaskClient, address: str = "/c/small/dashboard") -> str:
    """The page's words without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", client.get(address).text)).split())


def test_topics_that_wait_for_no_one_are_counted_on_top_and_named_with_the_way_out(
    small: Path, anna: FlaskClient, instance: Path
) -> None:
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben"])
    assert says(anna.get("/c/small/dashboard").text, "1 open topic")  # topic 2 is unassigned
    with open_accounts(instance) as accounts:
        set_disabled(accounts, "Ben", disabled=True)
    page = anna.get("/c/small/dashboard").text
    assert says(page, "2 open topics")
    named = {
        entry.xpath(".//b")[0].text_content(): [each.text_content() for each in entry.xpath(".//bdi")]
        for entry in html.document_fromstring(page).xpath("//li[contains(@class, 'entry-blocks')]")
    }
    assert list(named.values()) == [["2"], ["1"]]


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


def test_a_warning_that_changed_meanwhile_or_has_no_note_is_not_dismissed(
    disputed: Path, anna: FlaskClient
) -> None:
    sent = warning(anna, "conflicts")
    assert anna.post("/c/small/dashboard", data={**sent, "note": " "}).status_code == 422
    assert anna.post("/c/small/dashboard", data={**sent, "note": "x", "do": "all"}).status_code == 422
    with open_campaign(disputed) as campaign:
        judge(campaign, "1", "d2", 1, "Ben", NOW)
        judge(campaign, "1", "d2", 0, "Carla", NOW)
        head = log.newest_seq(campaign)
        stale = anna.post("/c/small/dashboard", data={**sent, "note": "known"})
        assert stale.status_code == 409
        assert says(stale.text)
        assert log.newest_seq(campaign) == head
        fresh = {**warning(anna, "conflicts"), "note": "known"}
        for sent in (fresh, {**fresh, "do": "show again"}):
            assert [anna.post("/c/small/dashboard", data=sent).status_code for _ in range(2)] == [303, 409]
        assert "Check 2 pairs with conflicting grades." in words(anna)


def test_oddities_that_ask_for_nothing_are_notes_and_what_stops_judging_comes_first(
    small: Path, anna: FlaskClient, tmp_path: Path
) -> None:
    (tmp_path / "gamma.run").write_text("1 Q0 d1 0 2 gamma\n2 Q0 d9 0 2 gamma\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        add_runs(campaign.by("Anna", NOW), [str(tmp_path / "gamma.run")])
        add_pool(campaign.by("Anna", NOW), depth=5)
        mark_broken(campaign.by("Anna", NOW), ["d1"], reason="cut off")
    page = words(anna)
    assert page.index("Stops judging 3 pooled pairs") < page.index("Check 1 document marked as broken.")
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


def entry_of(app: Flask, warning: str, *about: str) -> attention.Entry:
    notes = tuple(About(name, f"note on {name}") for name in about)
    found = CampaignWarning(warning, "hinders", "2 of these.", notes, "ab12")
    with app.test_request_context():
        g.campaign = SimpleNamespace(name="small")
        return attention._entry(found)


@pytest.mark.parametrize("warning", sorted(attention.WAYS))
def test_every_warning_says_why_it_matters_and_leads_to_a_page(
    app: Flask, anna: FlaskClient, small: Path, warning: str
) -> None:
    way = attention.WAYS[warning]
    found = entry_of(app, warning)
    assert (found.why, found.way, found.found.warning) == (way.why, way.words, warning)
    assert (found.names, found.more) == ((), 0)
    assert anna.get(found.address).status_code == 200


def test_the_first_of_what_it_is_about_are_named_and_the_others_counted(app: Flask) -> None:
    names = [str(number) for number in range(attention.SHOWN + 2)]
    found = entry_of(app, "few relevant", *names)
    assert [name.name for name in found.names] == names[: attention.SHOWN]
    assert found.more == 2
    assert found.names[1] == attention.Name("1", "note on 1", "/c/small/topic?topic=1")
    assert entry_of(app, "few relevant", *names[: attention.SHOWN]).more == 0


@pytest.mark.parametrize(
    ("warning", "address"),
    [
        ("warned", ""),
        ("harmless", ""),
        ("conflicts", "/c/small/judgments?topic=1&look=conflict"),
        ("without pool", "/c/small/topic?topic=1"),
    ],
)
def test_a_name_leads_to_its_own_page_if_it_has_one(app: Flask, warning: str, address: str) -> None:
    assert entry_of(app, warning, "1").names[0].address == address


@pytest.mark.parametrize(("topics", "address"), [(["2", "1"], "/c/small/pair?topic=2&document=d1"), ([], "")])
def test_a_broken_text_leads_to_the_pair_of_the_first_topic_that_pooled_it(
    app: Flask, monkeypatch: pytest.MonkeyPatch, topics: list[str], address: str
) -> None:
    monkeypatch.setattr(
        attention.near_duplicates, "topics_of", lambda campaign, ids: topics * (ids == ["d1"])
    )
    assert entry_of(app, "broken", "d1").names[0].address == address
