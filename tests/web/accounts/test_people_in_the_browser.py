"""People come in by links: from the organiser's page to a signed-in guest, and the pages of those who do not judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import found
from tests.web.drawings import all_drawn
from workbench.campaign.new_campaign import open_scores
from workbench.people.accounts import open_accounts
from workbench.people.members.inviting import Invitation
from workbench.people.members.offering import offer_role
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
            members.put(campaign.by("Anna"), "Olga", "observer")
        open_scores(campaign.by("Anna"), True)
    return small


def test_an_assessor_is_invited_makes_an_account_and_judges(visit: Visit, lakes: Path) -> None:
    anna = visit("/c/small/people", "Anna")
    anna.get_by_label("Note").fill("Dieter")
    anna.get_by_label("Topics").fill("2")
    anna.get_by_role("button", name="Create invitation").click()
    link = anna.locator(".once code").inner_text()
    guest = visit("/sign-in", "Carla")
    guest.context.clear_cookies()
    guest.goto(link)
    expect(guest.locator(".lead")).to_have_text("Anna invites you to be assessor in this campaign.")
    guest.get_by_label("User name").fill("Dieter")
    guest.locator("#password").fill("a long enough one")
    guest.get_by_label("Repeat the password").fill("a long enough one")
    guest.get_by_role("button", name="Create account and accept").click()
    expect(guest.get_by_role("link", name="Dieter", exact=True)).to_be_visible()
    expect(guest.locator("h1")).to_have_text("The small campaign")
    anna.goto(anna.url.split("/people")[0] + "/people")
    expect(anna.get_by_text("used by Dieter")).to_be_visible()


def test_what_is_typed_as_a_password_can_be_shown_and_is_sent_as_one(visit: Visit) -> None:
    page = visit("/account", "Anna")
    fields = [page.locator(f"#{name}") for name in ("now", "new", "again")]
    for field, text in zip(
        fields, ("anna's password", "a river, frozen late", "a river, frozen late"), strict=True
    ):
        field.fill(text)
    page.get_by_label("Show password").check()
    for field in fields:
        expect(field).to_have_attribute("type", "text")
    page.get_by_label("Show password").uncheck()
    expect(fields[1]).to_have_attribute("type", "password")
    page.get_by_label("Show password").check()
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("status")).to_contain_text("Password changed.")


def test_a_role_is_offered_seen_beside_the_name_and_accepted(visit: Visit, lakes: Path) -> None:
    anna = visit("/c/small/people", "Anna")
    anna.get_by_label("User name").fill("wilma")
    anna.get_by_role("button", name="Offer the role").click()
    expect(anna.get_by_text("Role offered.")).to_be_visible()
    wilma = visit("/", "Wilma")
    wilma.get_by_role("link", name="Wilma 1 offer").click()
    wilma.get_by_role("button", name="Accept the role in The small campaign").click()
    expect(wilma.locator("h1")).to_have_text("The small campaign")
    anna.reload()
    expect(anna.get_by_text("accepted by Wilma")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS.keys())
def test_the_pages_of_people_break_no_rule_and_fit_the_window(
    visit: Visit, lakes: Path, instance: Path, look: dict[str, Any]
) -> None:
    complaints: list[str] = []
    with open_campaign(lakes) as campaign, open_accounts(instance) as accounts:
        offer_role(campaign, accounts.by("Anna", ""), Invitation("assessor", note="Wilma"))
    for who, path in (
        ("Anna", "/c/small/people"),
        ("Wilma", "/account"),
        ("Ben", "/account"),
        ("Paul", "/c/small/own-runs"),
        ("Olga", "/c/small/board"),
        ("Wilma", "/"),
        ("Ben", "/reset/gone"),
        ("Ben", "/account/second-factor"),
    ):
        page = visit(path, who, **look)
        all_drawn(page)
        complaints += found(page, f"{who} at {path}")
        width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        if width[0] > width[1]:
            complaints.append(f"{path} is {width[0]} pixels wide in a window of {width[1]}")
    assert complaints == []
