"""An assessor quits: all of their work goes to the others, and what they judged stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.moments.steps import Steps
from workbench.campaign import assigning
from workbench.people.accounts import open_accounts, set_disabled
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.grades import current_judgments
from workbench.storage.campaign.people import members

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(autouse=True)
def assigned(small: Path, judging_as: JudgeAs) -> Path:
    """Ben has topic 1, of which he judged a pair, and is the second assessor of topic 2; Dora has nothing yet."""
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Dora", "assessor")
        assigning.assign(campaign.by("Anna"), ["1"], ["Ben"])
        assigning.assign(campaign.by("Anna"), ["2"], ["Carla"])
        assigning.assign(campaign.by("Anna"), ["2"], ["Ben"], part="second")
        judging_as(campaign, "Ben", "1", "d1", 1)
    return small


def has_it_all(path: Path, *, role: str | None) -> bool:
    """Whether Dora has all that was Ben's, beside what he judged, and what his role is."""
    with open_campaign(path) as campaign:
        given = [assignments.of_topic(campaign, topic_id) for topic_id in "12"]
        judged = current_judgments.of_pair(campaign, "1", "d1")
        found = members.role_of(campaign, "Ben")
    return (given, judged, found) == (
        [{"Dora": "whole"}, {"Carla": "whole", "Dora": "second"}],
        {"Ben"},
        role,
    )


def told(page: Page) -> None:
    expect(page.locator(".said")).to_contain_text("1 topic and 1 second part to Dora")


def test_their_work_is_handed_over_in_three_steps_from_the_dashboard(visit: Visit, assigned: Path) -> None:
    page = visit("/c/small/dashboard", "Anna")
    steps = Steps(page)
    steps.click("Ben")
    steps.click("Hand over work")
    expect(page.get_by_role("row", name="Dora 1 topic and 1 second part 5 5")).to_be_visible()
    steps.click("Hand over")
    told(page)
    assert steps.taken == 3
    assert has_it_all(assigned, role="assessor")


def test_one_heir_is_chosen_in_two_steps_more(visit: Visit, assigned: Path) -> None:
    page = visit("/c/small/assignments/hand-over?from=Ben", "Anna")
    steps = Steps(page)
    steps.click(page.get_by_role("checkbox", name="Carla"))
    steps.click("Update the preview")
    expect(page.get_by_role("region", name="What each member gets").get_by_role("row")).to_have_count(2)
    steps.click("Hand over")
    told(page)
    assert steps.taken == 3
    assert has_it_all(assigned, role="assessor")


def test_they_are_removed_and_their_work_goes_in_four_steps_from_the_dashboard(
    visit: Visit, assigned: Path
) -> None:
    page = visit("/c/small/dashboard", "Anna")
    steps = Steps(page)
    steps.click("Ben")
    steps.click("Hand over work")
    steps.click("Remove Ben too")
    steps.click("Hand over and remove Ben")
    told(page)
    assert steps.taken == 4
    assert has_it_all(assigned, role=None)


def test_who_is_removed_on_the_page_of_people_hands_over_first(visit: Visit, assigned: Path) -> None:
    page = visit("/c/small/people", "Anna")
    steps = Steps(page)
    steps.choose("Role of Ben", "remove from campaign")
    steps.click(page.get_by_role("row", name="Ben").get_by_role("button", name="Change"))
    steps.click("Hand over and remove Ben")
    told(page)
    assert steps.taken == 3
    assert has_it_all(assigned, role=None)


def test_who_was_shut_out_is_named_on_the_dashboard_and_two_steps_later_nothing_waits(
    visit: Visit, assigned: Path
) -> None:
    with open_accounts(assigned.parent) as accounts:
        set_disabled(accounts, "Ben", disabled=True)
    page = visit("/c/small/dashboard", "Anna")
    expect(page.get_by_text("1 open topic waits for no one.")).to_be_visible()
    steps = Steps(page)
    steps.click("Hand them over")
    steps.click("Hand over")
    told(page)
    assert steps.taken == 2
    assert has_it_all(assigned, role="assessor")
    page.get_by_role("link", name="Dashboard", exact=True).first.click()
    expect(page.get_by_text("waits for no one")).to_have_count(0)
