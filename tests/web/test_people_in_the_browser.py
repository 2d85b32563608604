"""People come in by links: from the organiser's page to a signed-in guest, and the pages of those who do not judge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from workbench.campaign import members, open_campaign
from workbench.setting_up import open_scores

from .axe import found
from .drawings import all_drawn

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visit = Callable[..., Page]

LOOKS = {
    "light": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture
def lakes(small: Path) -> Path:
    """The campaign `small` with Paul of team Alpha and Olga its observer; the scores are open."""
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign, "Paul", "participant", team="Alpha", actor="Anna")
            members.put(campaign, "Olga", "observer", actor="Anna")
        open_scores(campaign, True, actor="Anna")
    return small


def test_an_assessor_is_invited_makes_an_account_and_judges(visit: Visit, lakes: Path) -> None:
    anna = visit("/c/small/people", "Anna")
    anna.get_by_label("For whom").fill("Dieter")
    anna.get_by_label("Topics").fill("2")
    anna.get_by_role("button", name="Make the link").click()
    link = anna.locator(".once code").inner_text()
    guest = visit("/sign-in", "Carla")
    guest.context.clear_cookies()
    guest.goto(link)
    expect(guest.locator(".lead")).to_have_text("Anna invites you to be assessor in this campaign.")
    guest.get_by_label("Your name").fill("Dieter")
    guest.get_by_label("A password", exact=False).first.fill("a long enough one")
    guest.get_by_label("The password again").fill("a long enough one")
    guest.get_by_role("button", name="Make the account and accept").click()
    expect(guest.get_by_role("link", name="Dieter", exact=True)).to_be_visible()
    expect(guest.locator("h1")).to_have_text("The small campaign")
    anna.goto(anna.url.split("/people")[0] + "/people")
    expect(anna.get_by_text("used by Dieter")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
def test_the_pages_of_people_break_no_rule_and_fit_the_window(
    visit: Visit, lakes: Path, look: dict[str, Any]
) -> None:
    complaints: list[str] = []
    for who, path in (
        ("Ben", "/account"),
        ("Paul", "/c/small/own-runs"),
        ("Olga", "/c/small/board"),
        ("Wilma", "/"),
        ("Ben", "/reset/gone"),
    ):
        page = visit(path, who, **look)
        all_drawn(page)
        complaints += found(page, f"{who} at {path}")
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        if width[0] > width[1]:
            complaints.append(f"{path} is {width[0]} pixels wide in a window of {width[1]}")
    assert complaints == []
