"""Takes the pictures of the README anew from the demo: python docs/screenshots.py (needs Chromium).

A demo is made in a temporary folder and judged in part, by counting the words that a document shares with its
topic's title, so that the pictures show a campaign at work; the last judgments are made by keys.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Page, sync_playwright
from waitress.server import create_server

from workbench import judging
from workbench.campaign import Campaign, open_campaign
from workbench.demo.campaign import ready_demo
from workbench.judging import Submission
from workbench.web import create_app

IMAGES = Path(__file__).with_name("images")
JUDGE = "Ada"
JUDGED_SHARE = 0.7
SIZE = {"width": 1440, "height": 900}
KEYS = "21010"
LONG = 900  # characters of a document that is worth a picture
LARGEST = 300_000


def take(folder: Path) -> None:
    """Make, judge and serve a demo in `folder`, and take the pictures."""
    path = ready_demo(folder)
    with open_campaign(path) as campaign:
        judge_in_part(campaign)
    server = create_server(create_app(folder, [path], demo=True), host="127.0.0.1", port=0)
    threading.Thread(target=server.run, daemon=True).start()
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        start(page, f"http://127.0.0.1:{server.effective_port}")
        picture_judging(page)
        picture_leaderboard(page)
        browser.close()


def judge_in_part(campaign: Campaign) -> None:
    """Judge most of each topic, all but the first one, which is left for the keys."""
    for row in judging.topic_progress(campaign, JUDGE)[1:]:
        items = judging.queue(campaign, row.topic_id, JUDGE)
        for item in items[: round(JUDGED_SHARE * len(items))]:
            judge(campaign, row.topic_id, item.document_id)


def judge(campaign: Campaign, topic_id: str, document_id: str) -> None:
    """Give a document as many grades as it shares words with the topic's title, at most the highest."""
    shown = judging.show(campaign, topic_id, document_id, JUDGE)
    text = f"{shown.document.title} {shown.document.text}" if shown.document else ""
    shared = words(shown.topic.title) & words(text)
    submission = Submission(
        uuid=str(uuid4()),
        topic_id=topic_id,
        document_id=document_id,
        pool=shown.pool,
        text_hash=shown.text_hash or "",
        topic_version=shown.topic_version,
        guideline_version=shown.guideline_version,
        kind="grade",
        grade=max(0, min(2, len(shared) - 1)),
        replaces=None,
    )
    judging.judge(campaign, submission, assessor=JUDGE)


def words(text: str) -> set[str]:
    """The longer words of a text."""
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def start(page: Page, address: str) -> None:
    """Come in through the demo's start button."""
    page.goto(address)
    page.get_by_label("Your name").fill(JUDGE)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/c/demo/")


def picture_judging(page: Page) -> None:
    """Judge some documents of the first topic by keys, and take the picture of a longer one."""
    page.get_by_role("link", name="judging").click()
    for key in KEYS:
        wait_for_document(page)
        page.wait_for_timeout(1500)  # so that the pace, and the time left, look like a person's
        page.keyboard.press(key)
    wait_for_document(page)
    while len(page.locator("#document").inner_text()) < LONG:
        page.keyboard.press("ArrowRight")
        wait_for_document(page)
    page.wait_for_selector("#save-state[data-state=saved]")
    save(page, "judging.png")


def wait_for_document(page: Page) -> None:
    """Wait until a document is on the screen."""
    page.wait_for_selector("#document[aria-busy=false] h1")


def picture_leaderboard(page: Page) -> None:
    """Take the picture of the leaderboard."""
    page.goto(page.url.split("/judge")[0] + "/board?m=nDCG@10&m=AP&m=P@10")
    page.wait_for_selector("tbody tr")
    page.wait_for_load_state("networkidle")
    save(page, "leaderboard.png")


def save(page: Page, name: str) -> None:
    """Take one picture; SystemExit when it is too large for a README."""
    IMAGES.mkdir(exist_ok=True)
    size = len(page.screenshot(path=IMAGES / name))
    if size > LARGEST:
        sys.exit(f"{name} has {size:,} bytes, more than {LARGEST:,}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        take(Path(temporary))
