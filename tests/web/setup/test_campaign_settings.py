"""The page Settings changes what an organiser changed, and nothing that another organiser set meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, SignIn, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign.campaign_settings import SETTINGS, settings_by_section
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Grade, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

ADDRESS = "/c/rivers/settings"
FIELDS = {"rows": "grades"}
ROWS = [("0", "Not relevant", ""), ("1", "Relevant", ""), ("2", "Key", "")]
SCALE = tuple(Grade(int(number), name, line) for number, name, line in ROWS)


@pytest.fixture
def rivers(make_campaign: MakeCampaign) -> Path:
    return make_campaign(
        "rivers",
        [Topic("1", "frozen rivers")],
        [Document("d1", "", "Ice.")],
        {"a": {"1": ["d1"]}},
        grades=SCALE,
    )


pytestmark = pytest.mark.usefixtures("rivers")


@pytest.fixture
def send(anna: FlaskClient, token_of: TokenOf) -> Callable[..., TestResponse]:
    """Send the form as it is shown, with changes; `rows` are those of the grades."""

    def post(rows: list[tuple[str, str, str]] | None = None, **changes: Any) -> TestResponse:
        page = anna.get(ADDRESS).text
        shown = dict(re.findall(r'<input [^>]*name="([a-z-]+)"[^>]*value="([^"]*)"', page))
        guidelines = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
        assert guidelines is not None
        form = {name: unescape(value) for name, value in shown.items() if not name.startswith("grade-")}
        form |= {"guidelines": unescape(guidelines[1]).replace("\n", "\r\n"), "key-order": "ascending"}
        columns = {
            f"grade-{name}": [row[place] for row in rows or ROWS]
            for place, name in enumerate(("number", "name", "guideline"))
        }
        sent = {**form, **{name.replace("_", "-"): value for name, value in changes.items()}}
        return anna.post(ADDRESS, data={**sent, **columns, "csrf_token": token_of(anna)})

    return post


def test_the_form_as_it_is_shown_changes_nothing(rivers: Path, send: Callable[..., TestResponse]) -> None:
    with open_campaign(rivers) as campaign:
        change_settings(campaign.by("Anna"), {"guidelines": "One.\n\nTwo."})
        head = log.newest_seq(campaign)
        assert send().headers["Location"] == ADDRESS
        assert log.newest_seq(campaign) == head


def test_what_is_changed_is_saved_and_said(
    rivers: Path, anna: FlaskClient, send: Callable[..., TestResponse]
) -> None:
    answer = send([*ROWS[:2], ("2", "Highly relevant", "Names it.")], title="Rivers", relevant_from="2")
    assert answer.status_code == 303
    assert "Saved: Title, Grades, Relevant from grade." in unescape(anna.get(answer.headers["Location"]).text)
    with open_campaign(rivers) as campaign:
        found = settings.read(campaign)
    assert (found.title, found.relevant_from) == ("Rivers", 2)
    assert found.grades[2] == Grade(2, "Highly relevant", "Names it.")


def test_a_conflict_shows_both_values_and_saving_again_is_a_decision(
    rivers: Path, send: Callable[..., TestResponse]
) -> None:
    with open_campaign(rivers) as campaign:
        base = log.newest_seq(campaign)
        change_settings(campaign.by("Olga"), {"title": "Lakes <b>", "contact": "Olga"})
        refused = send(title="Rivers", contact="", base=str(base))
        assert refused.status_code == 409
        assert says(refused.text)
        assert "Lakes &lt;b&gt;" in refused.text
        assert re.search(r'name="title" data-saved="Lakes &lt;b&gt;" [^>]*value="Rivers"', refused.text)
        assert 'value="Olga"' in refused.text, "what this organiser did not touch is shown as it is now"
        assert settings.read(campaign).title == "Lakes <b>"
        again = re.search(r'name="base" value="(\d+)"', refused.text)
        assert again is not None
        assert send(title="Rivers", contact="Olga", base=again[1]).status_code == 303
        assert settings.read(campaign).title == "Rivers"
        assert settings.read(campaign).contact == "Olga"


def test_a_grade_that_was_given_cannot_be_removed_and_its_number_is_read_only(
    rivers: Path, anna: FlaskClient, send: Callable[..., TestResponse], judging_as: JudgeAs
) -> None:
    with open_campaign(rivers) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 2)
    assert re.search(r'value="2" aria-label="Grade, row 3" readonly', anna.get(ADDRESS).text)
    refused = send(ROWS[:2])
    assert refused.status_code == 422
    assert says(refused.text)


@pytest.mark.parametrize(
    "changes",
    [
        *({"title": " "}, {"relevant_from": "x"}, {"judging_until": "soon"}, {"key_order": "random"}),
        *({"guidelines": "x" * 100_001}, {"rows": [("x", "Yes", "")]}, {"rows": [("0", "No", "")]}),
    ],
    ids=["title", "relevant from", "day", "order", "guidelines", "no number", "one grade"],
)
def test_what_a_setting_does_not_take_is_said_and_the_form_keeps_what_was_typed(
    rivers: Path, send: Callable[..., TestResponse], changes: dict[str, Any]
) -> None:
    refused = send(**{"contact": "kept@example.org", **changes})
    assert (refused.status_code, says(alerts(refused.text))) == (422, True)
    assert "kept@example.org" in refused.text
    tree = html.document_fromstring(refused.text)
    (name,) = changes
    (alert,) = tree.xpath("//*[@role='alert']")
    assert alert.xpath("ancestor::section/h2/text()") == [
        SETTINGS[FIELDS.get(name, name.replace("_", "-"))].section
    ]
    assert [each.get("name") for each in tree.xpath("//*[@autofocus]")] == [
        name.replace("_", "-") for _ in [0] if name != "rows"
    ]
    with open_campaign(rivers) as campaign:
        assert settings.read(campaign).contact == ""


def test_every_setting_is_in_its_section_which_the_list_of_sections_leads_to(anna: FlaskClient) -> None:
    tree = html.document_fromstring(anna.get(ADDRESS).text)
    for section, found in settings_by_section().items():
        (way,) = tree.xpath(f"//nav[@class='settings-places']//a[text()='{section}']/@href")
        (head,) = tree.xpath(f"//h2[@id='{way.removeprefix('#')}']")
        names = head.xpath(
            "parent::section//*[@name][@id]/@name | parent::section//*[@id='about-grades']/@id"
        )
        assert sorted(names) == sorted(
            "about-grades" if one.kind == "grades" else one.name for one in found
        ), section
    assert [one.name for found in settings_by_section().values() for one in found if not one.section] == []
    assert sum(map(len, settings_by_section().values())) == len(SETTINGS)


def test_guidelines_are_previewed_without_being_stored(
    rivers: Path, send: Callable[..., TestResponse]
) -> None:
    shown = send(guidelines="# Read\n\n**all**", do="preview")
    assert '<h3 dir="auto">Read</h3>' in shown.text
    assert "<strong>all</strong>" in shown.text
    with open_campaign(rivers) as campaign:
        assert settings.read(campaign).guidelines == ""


def test_fields_that_are_missing_and_rows_that_never_were_change_nothing(
    anna: FlaskClient, token_of: TokenOf
) -> None:
    for base in ("", "x", "-5", str(2**70)):
        answer = anna.post(ADDRESS, data={"base": base, "csrf_token": token_of(anna)})
        assert answer.headers["Location"] == ADDRESS


def test_a_conflict_about_the_scale_shows_each_grade_on_a_line(
    rivers: Path, send: Callable[..., TestResponse]
) -> None:
    with open_campaign(rivers) as campaign:
        base = log.newest_seq(campaign)
        change_settings(campaign.by("Olga"), {"grades": [[0, "No", ""], [1, "Yes", "Names it."]]})
    refused = send([*ROWS[:2], ("2", "Highly relevant", "")], base=str(base))
    assert refused.status_code == 409
    page = unescape(refused.text)
    assert "0: Not relevant\n1: Relevant\n2: Key" in page
    assert "0: No\n1: Yes Names it." in page


def test_renaming_a_grade_that_was_given_is_asked_on_the_page(
    send: Callable[..., TestResponse], rivers: Path, judging_as: JudgeAs
) -> None:
    with open_campaign(rivers) as campaign:
        judging_as(campaign, "Carla", "1", "d1", 1)
    rows = [ROWS[0], ("1", "Partly", ""), ROWS[2]]
    asked = send(rows)
    assert asked.status_code == 409
    assert "as “Relevant” by Carla" in asked.text
    assert 'value="Partly"' in asked.text
    with open_campaign(rivers) as campaign:
        assert settings.read(campaign).grades == SCALE
    assert send(rows, do="rename").status_code == 303
    with open_campaign(rivers) as campaign:
        assert settings.read(campaign).grades[1].name == "Partly"


def test_the_order_of_grades_is_that_of_the_judging_page(
    app: Flask, send: Callable[..., TestResponse], client_of: SignIn
) -> None:
    send(key_order="descending")
    page = client_of(app, "Ben").get("/c/rivers/judge?topic=1").text
    assert re.findall(r'data-grade="(\d)"', page) == ["2", "1", "0"]
    assert re.findall(r'<kbd data-key-of="grade \d">(\d)</kbd>', page)[:3] == ["2", "1", "0"]
