"""Pages of a campaign that holds nothing yet lead on: each links to what can be done instead, and that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.fixture_types import SignIn
from workbench.campaign import assigning
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

ORGANISERS_PAGES = {
    "own-topics": "/c/robust/dashboard",
    "history": "/c/robust/judge",
    "offline": "/c/robust/own-topics",
    "guidelines": "/c/robust/settings",
    "training": "/c/robust/own-topics",
    "norming": "/c/robust/pool",
    "topics": "/c/robust/add/topics",
    "runs": "/c/robust/add/runs",
    "pool": "/c/robust/add/runs",
    "search": "/c/robust/add/topics",
    "add/topics": "/c/robust/add/runs",
    "add/documents": "/c/robust/add/runs",
    "dashboard": "/c/robust/steps",
    "steps": "/c/robust/add/topics",
}
ASSESSORS_PAGES = {
    "": "/c/robust/guidelines",
    "history": "/c/robust/own-topics",
    "offline": "/c/robust/own-topics",
    "guidelines": "/c/robust/own-topics",
    "norming": "/c/robust/own-topics",
}


def links_in_main(text: str) -> list[str]:
    """The addresses that the body of a page names, without the masthead and without tabs and breadcrumbs above it."""
    main = text[text.index("<main") : text.index("</main>")]
    return re.findall(r'href="([^"#?]*)"', main)


@pytest.mark.parametrize(
    ("who", "page", "address"),
    [
        *(("Anna", page, address) for page, address in ORGANISERS_PAGES.items()),
        *(("Ben", page, address) for page, address in ASSESSORS_PAGES.items()),
    ],
)
def test_an_empty_page_leads_on(app: Flask, client_of: SignIn, who: str, page: str, address: str) -> None:
    client = client_of(app, who)
    assert address in links_in_main(client.get(f"/c/robust/{page}").text)
    assert client.get(address, follow_redirects=True).status_code == 200


def test_an_assessor_without_a_topic_is_led_to_the_guidelines(
    app: Flask, small: Path, client_of: SignIn
) -> None:
    with open_campaign(small) as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Wilma", "assessor")
    with open_campaign(small) as campaign:
        assigning.assign(campaign.by("Anna"), ["1", "2"], ["Ben"])
    assert "/c/small/guidelines" in links_in_main(client_of(app, "Wilma").get("/c/small/").text)
    assert "/c/small/assignments" in links_in_main(client_of(app, "Anna").get("/c/small/own-topics").text)
