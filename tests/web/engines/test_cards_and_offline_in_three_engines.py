"""Cards, and topics that were downloaded, in Chromium, Firefox and WebKit."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import MakeCampaign
from tests.stories import Program, own_port, pairs
from tests.web.engines.engine import Engine
from tests.web.engines.pages import CAN_JUDGE, SAVED, ready, sign_in, until
from tests.web.judging.judging_page import short
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Visit = Callable[..., Engine]
REST = ["d05", "d06", "d07", "d08", "d09", "d10", "d11", "d12", "d02", "d03", "d13", "d14"]
"""What is judged after d01 and d04: the cards behind them, those before them, and then the other two."""

CURRENT = "document.querySelector('.shown > .card[aria-current]')"


@pytest.fixture
def passages(make_campaign: MakeCampaign) -> Path:
    """The campaign `passages`: fourteen short documents, as cards."""
    names = [f"d{number:02}" for number in range(1, 15)]
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
    card_ready(engine, "Title d01")
    engine.press("1")
    card_ready(engine, "Title d02")
    click_card(engine, "Title d04")
    card_ready(engine, "Title d04")
    engine.press("0")
    card_ready(engine, "Title d05")
    engine.press("u")
    card_ready(engine, "Title d04")
    engine.press("1")
    for name in REST:
        card_ready(engine, f"Title {name}")
        engine.press("1")
    until(engine, f"document.querySelector('.finished') && {SAVED}")
    first = [("d01", "grade", 1), ("d04", "grade", 0), ("d04", "grade", 1)]
    assert short(passages) == [*first, *((name, "grade", 1) for name in REST)]


def test_a_downloaded_topic_is_judged_without_its_server_even_after_a_reload_and_delivered_later(
    engine: Engine, lakes: Path, tmp_path: Path
) -> None:
    program, grades = Program(shutil.copytree(lakes, tmp_path / "lakes")), [1, 0, 1, 0, 1, 0]
    with own_port() as port:
        words = ("serve", "--host", "127.0.0.1", "--port", str(port), "--no-open")
        with program.serving(*words) as server:
            sign_in(engine, server.address)
            engine.open(f"{server.address}c/lakes/offline")
            until(engine, "document.querySelector('#download')?.hidden === false")
            engine.ask("document.querySelector('#download').click()")
            state = "document.querySelector('#offline-state').textContent"
            until(engine, f"{state}.includes('can be judged here without a network')")
            until(engine, "navigator.serviceWorker.controller !== null")
            server.kill()
        engine.open(f"{server.address}c/lakes/judge?topic=1")
        for number, grade in enumerate(grades[:4], start=1):
            ready(engine, f"Long {number}")
            engine.press(str(grade))
        ready(engine, "Long 5")
        engine.reload()
        for number, grade in enumerate(grades[4:], start=5):
            ready(engine, f"Long {number}")
            engine.press(str(grade))
        until(engine, "document.querySelector('.finished')")
        assert program.judgments("lakes") == []
        with program.serving(*words):
            until(engine, f"document.querySelector('.finished') && {SAVED}")
    rows = program.judgments("lakes")
    assert pairs(rows) == [(f"d{number}", grade) for number, grade in enumerate(grades, start=1)]
