"""Takes pictures of the pages from the demo: python docs/screenshots.py [FOLDER] (needs Chromium).

Without a folder the pictures of the README are taken anew. With one, the judging page, what belongs to it and all
pages of the organiser are taken, to be looked at: at 1440, 1024, 720 (a window enlarged to 200 %) and 390 pixels, in
light and in dark.

A demo is made in a temporary folder and judged in part, by counting the words that a document shares with its
topic's title, so that the pictures show a campaign at work; the last judgments are made by keys.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from playwright.sync_api import Browser, Page, expect, sync_playwright
from waitress.server import create_server

from workbench.cli.demo.campaign import ready_demo
from workbench.judging import assessing
from workbench.judging.assessing import Submission
from workbench.judging.assessor_settings import change_terms
from workbench.storage.campaign import Campaign, open_campaign
from workbench.web.app import create_app

IMAGES = Path(__file__).with_name("images")
JUDGE = "Ada"
JUDGED_SHARE = 0.7
OTHER_JUDGE = "Grace"
OTHER_TOPICS = ("102", "104")
"""Who judges some of the same documents, and of which topics: grades that differ."""

KEYS = "21010"
LARGEST = 300_000
"""Bytes of a picture in the README."""

WIDTHS = {1440: 900, 1024: 768, 720: 450, 390: 844}
SCHEMES = ("light", "dark")
TOPIC = "101"
LONG = "configparser"
"""A document of TOPIC that is longer than a screen, and opens at its best passage."""

OWN_TERM = "section"
TWINS = ("103", "shutil.make_archive", "distutils.archive_util.make_archive")
"""Two documents of a topic that are almost the same."""

DONE = "124"
"""The topic that is judged to its end."""

COMPARED = "run=robertson-text&run=lucene&run=bm25plus"
ORGANISERS_PAGES = {
    "dashboard": "dashboard",
    "runs": "runs",
    "run": "run?run=lucene",
    "pool": "pool?depth=20",
    "topic-list": "topics?sort=median",
    "topic": "topic?topic=104",
    "board": "board",
    "compare": f"compare?{COMPARED}",
    "pairs": "compare/pairs",
    "two-boards": "compare/boards",
    "topic-set": "compare/topics",
    "publish": "publish",
    "add-runs": "add/runs",
    "assignments": "assignments",
    "people": "people",
    "norming": "norming",
    "agreement": "agreement",
    "effect": "agreement/effect",
    "assessors": "assessors",
    "assessor": f"assessor?name={JUDGE}",
    "conflicts": "adjudication",
    "adjudicate": "adjudicate",
    "new": "../../new",
}
"""The organiser's pages by the names of their pictures."""

DIALOGS = ("keys", "preferences", "guidelines", "unsent")


def take(folder: Path | None) -> None:
    """Make, judge and serve a demo, and take the README's pictures, or all of them into `folder`."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as temporary,
        served_demo(Path(temporary)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        if folder is None:
            take_for_readme(browser, address)
        else:
            take_all(browser, address, folder)
        browser.close()


@contextmanager
def served_demo(folder: Path) -> Iterator[str]:
    """A demo judged in part, and where it is served."""
    path = ready_demo(folder)
    with open_campaign(path) as campaign:
        judge_in_part(campaign)
    server = create_server(create_app(folder, demo=True), host="127.0.0.1", port=0)
    threading.Thread(target=server.run, daemon=True).start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()


def judge_in_part(campaign: Campaign) -> None:
    """Judge most of each topic, all but TOPIC, which is left for the keys, and all of the topic DONE."""
    change_terms(campaign, JUDGE, TOPIC, add=OWN_TERM)
    for row in assessing.topic_progress(campaign, JUDGE):
        items = [] if row.topic_id == TOPIC else assessing.queue(campaign, row.topic_id, JUDGE)
        share = 1 if row.topic_id == DONE else JUDGED_SHARE
        for item in items[: round(share * len(items))]:
            if item.document_id not in TWINS:
                judge(campaign, row.topic_id, item.document_id)
    for topic_id in OTHER_TOPICS:
        for item in assessing.queue(campaign, topic_id, OTHER_JUDGE)[:12]:
            judge(campaign, topic_id, item.document_id, OTHER_JUDGE)


def judge(campaign: Campaign, topic_id: str, document_id: str, judge: str = JUDGE) -> None:
    """Give a document as many grades as it shares words with the topic, at most the highest.

    One judge goes by the topic's title, the other by its description too.
    """
    shown = assessing.show(campaign, topic_id, document_id, judge)
    text = f"{shown.document.title} {shown.document.text}" if shown.document else ""
    asked = shown.topic.title if judge == JUDGE else f"{shown.topic.title} {shown.topic.description}"
    shared = words(asked) & words(text)
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
        active_seconds=20.0,
        comment="Only a step on the way." if len(shared) == 2 else "",
    )
    assessing.judge(campaign, submission, assessor=judge)


def words(text: str) -> set[str]:
    """The longer words of a text."""
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def start(page: Page, address: str) -> None:
    """Come in through the demo's start button."""
    page.goto(address)
    page.get_by_label("Your name").fill(JUDGE)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/c/demo/")


def take_for_readme(browser: Browser, address: str) -> None:
    """The judging page and the leaderboard, small enough for the README."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
    start(page, address)
    judge_by_keys(page, address)
    show_long(page, address)
    save_for_readme(page, "judging.png")
    page.goto(f"{address}/c/demo/board?m=nDCG@10&m=AP&m=P@10")
    page.wait_for_selector("tbody tr")
    page.wait_for_load_state("networkidle")
    save_for_readme(page, "leaderboard.png")
    show_figures(ORGANISERS_PAGES["compare"])(page, address)
    save_for_readme(page, "compare.png")


def save_for_readme(page: Page, name: str) -> None:
    """Take one picture; SystemExit when it is too large for a README."""
    IMAGES.mkdir(exist_ok=True)
    size = len(page.screenshot(path=IMAGES / name))
    if size > LARGEST:
        sys.exit(f"{name} has {size:,} bytes, more than {LARGEST:,}")


def judge_by_keys(page: Page, address: str) -> None:
    """Judge some documents of TOPIC, at a person's pace, so that the time left looks like one."""
    page.goto(judging_address(address, TOPIC))
    for key in KEYS:
        wait_for_document(page)
        page.wait_for_timeout(1500)
        page.keyboard.press(key)
    wait_for_document(page)
    page.wait_for_selector("#save-state[data-state=saved]")


def judging_address(address: str, topic_id: str, document_id: str | None = None) -> str:
    """Where a topic is judged, at one of its documents if one is named."""
    at = "" if document_id is None else f"&document={quote(document_id)}"
    return f"{address}/c/demo/judge?topic={topic_id}{at}"


def wait_for_document(page: Page) -> None:
    """Wait until a document is on the screen and may be judged."""
    page.frame_locator("iframe.current").locator("h1").wait_for()
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")


def show_long(page: Page, address: str) -> None:
    """A long document at its best passage."""
    page.goto(judging_address(address, TOPIC, LONG))
    wait_for_document(page)


def show_remarks(page: Page, address: str) -> None:
    """The same with a note and a rationale."""
    show_long(page, address)
    page.keyboard.press("n")
    page.keyboard.press("m")
    page.locator("#note").fill("Reads the file, but says nothing of types.")


def show_whole(page: Page, address: str) -> None:
    """The same from its beginning, with something found in it."""
    show_long(page, address)
    page.keyboard.press("f")
    page.keyboard.press("/")
    page.keyboard.type("option")


def show_judged(page: Page, address: str) -> None:
    """A document that has a grade."""
    page.goto(judging_address(address, TOPIC))
    wait_for_document(page)
    page.keyboard.press("u")
    wait_for_document(page)


def show_twin(page: Page, address: str) -> None:
    """A document that is almost the same as the one judged before."""
    topic_id, first, second = TWINS
    page.goto(judging_address(address, topic_id, first))
    wait_for_document(page)
    page.keyboard.press("2")
    wait_for_document(page)
    page.goto(judging_address(address, topic_id, second))
    wait_for_document(page)


def show_done(page: Page, address: str) -> None:
    """A topic with nothing left to judge."""
    page.goto(judging_address(address, DONE))
    page.wait_for_selector(".finished")


def show_offline(page: Page, address: str) -> None:
    """Judgments that wait, because the server does not answer."""
    show_long(page, address)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.keyboard.press("0")
    page.wait_for_selector("#save-state[data-state=offline]")


def show_tour(page: Page, address: str) -> None:
    """The tour of the keys, at its first step."""
    page.goto(f"{judging_address(address, TOPIC)}&tour=1")
    page.locator("#tour-next").wait_for()


def show_reasons(page: Page, address: str) -> None:
    """The reasons of one who cannot tell."""
    show_long(page, address)
    page.keyboard.press("x")
    page.locator("dialog[open]").wait_for()


def show_dialog(dialog: str) -> Callable[[Page, str], None]:
    """One of DIALOGS over a document."""

    def show(page: Page, address: str) -> None:
        show_long(page, address)
        page.evaluate("(id) => document.getElementById(id).showModal()", dialog)

    return show


def show_page(path: str) -> Callable[[Page, str], None]:
    """Any other page of the campaign."""
    return lambda page, address: void(page.goto(f"{address}/c/demo/{path}"))


def show_figures(path: str) -> Callable[[Page, str], None]:
    """A page of the organiser, once all its figures are drawn."""

    def show(page: Page, address: str) -> None:
        page.goto(f"{address}/c/demo/{path}")
        for figure in page.locator("figure[data-figure]").all():
            figure.scroll_into_view_if_needed()
            expect(figure).to_have_attribute("data-state", "drawn", timeout=30_000)
        page.evaluate("scrollTo(0, 0)")

    return show


def void(_: object) -> None:
    """Nothing."""


SHOWN: dict[str, Callable[[Page, str], None]] = {
    "judging": show_long,
    "remarks": show_remarks,
    "found": show_whole,
    "judged": show_judged,
    "twin": show_twin,
    "done": show_done,
    **{f"dialog-{dialog}": show_dialog(dialog) for dialog in DIALOGS},
    "topics": show_page(""),
    "history": show_page("history"),
    "tour": show_tour,
    "reasons": show_reasons,
    "assessors-guidelines": show_page("guidelines"),
    "offline-judging": show_page("offline"),
    "training": show_page("training"),
    **{name: show_figures(path) for name, path in ORGANISERS_PAGES.items()},
    "offline": show_offline,
}


def take_all(browser: Browser, address: str, folder: Path) -> None:
    """Every picture of SHOWN in every width and scheme, as WIDTH-SCHEME-NAME.png."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in WIDTHS.items():
        for scheme in SCHEMES:
            phone = {"is_mobile": True, "has_touch": True} if width < 500 else {}
            size = {"width": width, "height": height}
            context = browser.new_context(viewport=size, color_scheme=scheme, **phone)  # type: ignore[arg-type]
            page = context.new_page()
            start(page, address)
            if width == next(iter(WIDTHS)) and scheme == SCHEMES[0]:
                judge_by_keys(page, address)
            for name, show in SHOWN.items():
                show(page, address)
                path = folder / f"{width}-{scheme}-{name}.png"
                page.screenshot(path=path, full_page=name in ORGANISERS_PAGES)
            context.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
