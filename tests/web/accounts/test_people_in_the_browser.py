"""People come in by links: from the organiser's page to a signed-in guest, and the pages of those who do not judge."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import complaints
from tests.web.drawings import all_drawn
from workbench.campaign.new_campaign import open_scores
from workbench.people.accounts import open_accounts
from workbench.people.members.inviting import Invitation
from workbench.people.members.offering import offer_role
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def lakes(small: Path) -> Path:
    """The campaign `small` with Paul of team Alpha and Olga its observer; the scores are open."""
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
            members.put(campaign.by("Anna"), "Olga", "observer")
        open_scores(campaign.by("Anna"), True)
    return small


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
    expect(wilma.get_by_text("The small campaign").first).to_be_visible()
    anna.reload()
    expect(anna.get_by_text("accepted by Wilma")).to_be_visible()


def test_the_pages_of_people_break_no_rule_and_fit_the_window(
    visit: Visit, lakes: Path, instance: Path
) -> None:
    told: list[str] = []
    with open_campaign(lakes) as campaign, open_accounts(instance) as accounts:
        offer_role(campaign, accounts.by("Anna", ""), Invitation("assessor", note="Wilma"))
    for who, path in (
        *(
            ("Wilma", "/account"),
            ("Paul", "/c/small/own-runs"),
            ("Paul", "/c/small/submit"),
            ("Olga", "/c/small/board"),
        ),
        *(("Wilma", "/"), ("Ben", "/reset/gone"), ("Ben", "/account/second-factor")),
    ):
        page = visit(path, who)
        all_drawn(page)
        told += complaints(page, f"{who} at {path}")
    assert told == []
