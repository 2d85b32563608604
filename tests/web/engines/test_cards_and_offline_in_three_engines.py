"""Cards, and judging without the server, in Chromium, Firefox and WebKit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.fixture_types import MakeCampaign
from tests.web.conftest import serving
from tests.web.engines.engine import Engine
from tests.web.engines.pages import CAN_JUDGE, SAVED, click_in, grades, loaded_ahead, ready, saved, until
from tests.web.judging.judging_page import short
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visit = Callable[..., Engine]
DOWNLOADED = (
    "document.querySelector('#offline-state').textContent.includes('can be judged here without a network') && "
    "navigator.serviceWorker.controller !== null"
)
CURRENT = "document.querySelector('.shown > .card[aria-current]')"


@pytest.fixture
def passages(make_campaign: MakeCampaign) -> Path:
    """The campaign `passages`: six short documents, as cards."""
    names = [f"d{number}" for number in range(1, 7)]
    made = [Document(name, f"Title {name}", f"Passage {name} is about a river.") for name in names]
    path = make_campaign("passages", [Topic("1", "rivers")], made, {"alpha": {"1": names}})
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    return path


def card_ready(engine: Engine, title: str) -> None:
    """Wait until the card of this document can be judged."""
    until(engine, f"{CURRENT}?.getAttribute('aria-label') === {json.dumps(title)} && {CAN_JUDGE}")


def click_card(engine: Engine, title: str) -> None:
    engine.click(
        engine.ask(
            f"""(() => {{
                const card = document.querySelector('.shown > .card[aria-label="{title}"]');
                const {{ x, y, width, height }} = card.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            }})()"""
        )
    )


def test_cards_are_judged_by_keys_and_a_click_chooses_one(visit: Visit, passages: Path) -> None:
    engine = visit("/c/passages/judge?topic=1")
    card_ready(engine, "Title d1")
    engine.press("1")
    card_ready(engine, "Title d2")
    click_card(engine, "Title d4")
    card_ready(engine, "Title d4")
    engine.press("0")
    card_ready(engine, "Title d5")
    engine.press("u")
    for name in ("d4", "d5", "d6", "d2", "d3"):
        card_ready(engine, f"Title {name}")
        engine.press("1")
    until(engine, f"document.querySelector('.finished') && {SAVED}")
    rest = [(name, "grade", 1) for name in ("d4", "d5", "d6", "d2", "d3")]
    assert short(passages) == [("d1", "grade", 1), ("d4", "grade", 0), *rest]


# In Chromium tests/web/judging shows each part of it.
@pytest.mark.parametrize("running", ["firefox", "webkit"], indirect=True)
def test_without_its_server_a_page_is_judged_on_and_a_downloaded_topic_even_after_a_reload(
    engine: Engine, app: Flask, sign_in: Visit, long: Path
) -> None:
    def judge(number: int) -> None:
        ready(engine, f"Long {number}")
        click_in(engine, "Paragraph 0")
        engine.press(str(number % 2))

    with serving(app) as address:
        sign_in(f"{address}/c/long/judge?topic=1")
        judge(1)
        saved(engine)
        loaded_ahead(engine)
    judge(2)
    assert grades(long) == "1"
    port = int(address.rpartition(":")[2])
    with serving(app, port):
        judge(3)
        ready(engine, "Long 4")
        saved(engine)
        engine.open(f"{address}/c/long/offline")
        until(engine, "document.querySelector('#download')?.hidden === false")
        engine.ask("document.querySelector('#download').click()")
        until(engine, DOWNLOADED)
    engine.open(f"{address}/c/long/judge?topic=1")
    judge(4)
    ready(engine, "Long 5")
    engine.reload()
    judge(5)
    ready(engine, "Long 6")
    assert grades(long) == "1 0 1"
    with serving(app, port):
        until(engine, SAVED)
    assert grades(long) == "1 0 1 0 1"
