"""Takes pictures of the pages: python docs/screenshots.py [FOLDER [NAME...]] (needs Chromium).

Without a folder the pictures of the documents are replaced, each in light and in dark. With one, the judging page,
what belongs to it and all pages of the organiser are taken, or those of SHOWN that are named, to be looked at: at
1440, 1366, 1024, 720 (a window enlarged to 200 %) and 390 pixels, in light and in dark.

The campaigns are made in a temporary folder (docs/screenshot_campaigns.py). The demo is judged in part, by counting
the words that a document shares with its topic's title, so that the pictures show a campaign at work; the last
judgments are made by keys.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, expect, sync_playwright
from screenshot_campaigns import CARDS, COPIES, DONE, JUDGE, KINDS, ORGANISERS_PAGES, TOPIC, TWINS, served

from workbench.methods.charts.formats import GROUND
from workbench.methods.charts.style import DARK

IMAGES = Path(__file__).with_name("images")
KEYS = "21010"
LARGEST = 300_000
"""Bytes of a picture."""

WIDTHS = {1440: 900, 1366: 768, 1024: 768, 720: 450, 390: 844}
SCHEMES = ("light", "dark")
LONG = "configparser"
"""A document of TOPIC that is longer than a screen, and opens at its best passage."""

IN_CONFLICT = (LONG, "configparser.ParsingError", "configparser.RawConfigParser.read")
"""Documents of TOPIC that are judged in two places."""

DIALOGS = ("keys", "preferences", "guidelines", "unsent")


def take(folder: Path | None, names: list[str]) -> None:
    """Make, judge and serve the campaigns, and take the documents' pictures, or those of SHOWN into `folder`."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        with served(Path(temporary), browser) as address:
            if folder is None:
                take_for_documents(browser, address)
            else:
                take_all(browser, address, folder, names or list(SHOWN))
        browser.close()


def start(page: Page, address: str) -> None:
    """Come in through the demo's start button."""
    page.goto(address)
    page.get_by_label("Your name").fill(JUDGE)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Sign out").wait_for()


def take_for_documents(browser: Browser, address: str) -> None:
    """The judging page, the leaderboard, a comparison and a figure, in light and in dark."""
    for scheme in SCHEMES:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
        start(page, address)
        if scheme == SCHEMES[0]:
            judge_by_keys(page, address)
        show_long(page, address)
        save(page, "judging", scheme)
        page.goto(f"{address}/c/demo/board?m=nDCG@10&m=AP&m=P@10")
        page.get_by_text("Which pairs are certain").wait_for()
        page.wait_for_load_state("networkidle")
        save(page, "leaderboard", scheme)
        show_figures(ORGANISERS_PAGES["compare"])(page, address)
        save(page, "compare", scheme)
        drawn = page.request.get(f"{address}/c/demo/figures/certain-pairs.svg?measure=P@10").text()
        place("certain-pairs", scheme, "svg").write_text(
            drawn if scheme == "light" else darkened(drawn), "utf-8"
        )
        page.close()


def place(name: str, scheme: str, ending: str) -> Path:
    """Where a picture of the documentation stands: certain-pairs-dark.svg."""
    IMAGES.mkdir(exist_ok=True)
    return IMAGES / f"{name}-{scheme}.{ending}"


def save(page: Page, name: str, scheme: str) -> None:
    """Take one picture; SystemExit when it is too large for a README."""
    size = len(page.screenshot(path=place(name, scheme, "png")))
    if size > LARGEST:
        sys.exit(f"{name} has {size:,} bytes, more than {LARGEST:,}")


def darkened(drawn: str) -> str:
    """A figure with the colours of a dark page."""
    colours = {light.lower(): dark for light, dark in {**DARK, GROUND: "#26282d"}.items()}
    return re.sub("#[0-9a-fA-F]{6}", lambda found: colours.get(found[0].lower(), found[0]), drawn)


def judge_by_keys(page: Page, address: str) -> None:
    """Judge some documents of TOPIC, at a person's pace, so that the time left looks like one."""
    page.goto(judging_address(address, TOPIC))
    for key in KEYS:
        wait_for_document(page)
        page.wait_for_timeout(1500)
        page.keyboard.press(key)
    wait_for_document(page)
    page.wait_for_selector("#save-state[data-state=saved]")


def judging_address(
    address: str, topic_id: str, document_id: str | None = None, campaign: str = "demo"
) -> str:
    """Where a topic is judged, at one of its documents if one is named."""
    at = "" if document_id is None else f"&document={quote(document_id)}"
    return f"{address}/c/{campaign}/judge?topic={topic_id}{at}"


def wait_for_document(page: Page) -> None:
    """Wait until a document is on the screen and may be judged."""
    page.frame_locator("iframe.current").locator("h1").first.wait_for()
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


def show_same(page: Page, address: str) -> None:
    """A near duplicate for which the grade of the document before it is offered."""
    page.goto(judging_address(address, "1", "south", COPIES))
    wait_for_document(page)
    page.wait_for_timeout(300)
    page.keyboard.press("1")
    page.locator("#twin:visible").wait_for()


def show_done(page: Page, address: str) -> None:
    """A topic with nothing left to judge."""
    page.goto(judging_address(address, DONE))
    page.wait_for_selector(".finished")


def show_kind(document_id: str) -> Callable[[Page, str], None]:
    """A document of the campaign KINDS."""

    def show(page: Page, address: str) -> None:
        page.goto(judging_address(address, "1", document_id, KINDS))
        wait_for_document(page)

    return show


def show_pdf_pages(page: Page, address: str) -> None:
    """The pages of the PDF as images."""
    show_kind("pdf")(page, address)
    page.keyboard.press(".")
    page.wait_for_timeout(2000)


def show_break(page: Page, address: str) -> None:
    """The break after a document."""
    show_kind("chat")(page, address)
    page.wait_for_timeout(300)
    page.keyboard.press("1")
    page.locator("#rest[open]").wait_for()


def show_cards(page: Page, address: str) -> None:
    """Many short documents at once, of which some are judged."""
    page.goto(judging_address(address, "1", campaign=CARDS))
    page.locator(".shown > .card[aria-current]").wait_for()
    for key in KEYS[:2]:
        page.wait_for_timeout(600)
        page.keyboard.press(key)
    page.wait_for_timeout(600)


def show_practice(page: Page, address: str) -> None:
    """A document of the practice set."""
    page.goto(f"{address}/c/demo/practice")
    again = page.get_by_role("button", name="Practise again")
    if again.count():
        again.click()
    page.locator(".grade").first.wait_for()
    page.wait_for_load_state("networkidle")


def show_practice_feedback(page: Page, address: str) -> None:
    """What is said of a grade that is not the organiser's."""
    show_practice(page, address)
    page.keyboard.press("0")
    page.locator("#onwards").wait_for()
    page.wait_for_load_state("networkidle")


def show_practice_result(page: Page, address: str) -> None:
    """What is said once the practice set is through."""
    show_practice(page, address)
    while page.locator(".grade").count():
        page.locator(".grade").first.click()
        page.locator("#onwards").click()
        page.wait_for_load_state("networkidle")


def show_downloaded(page: Page, address: str) -> None:
    """Topics that are downloaded for judging without a network."""
    page.goto(f"{address}/c/demo/offline")
    page.locator("#download:visible").click()
    page.locator("#remove:visible").wait_for(timeout=60_000)
    page.evaluate("scrollTo(0, 0)")


def show_conflicts(page: Page, address: str) -> None:
    """Judgments that are not stored, because the same documents were judged elsewhere meanwhile."""
    page.context.set_offline(False)
    page.route("**/api/judgments", lambda route: route.abort())
    judge_some(page, address, "0")
    elsewhere = other_machine(page, address)
    for key in "21":
        judge_some(elsewhere, address, key)
        elsewhere.wait_for_selector("#save-state[data-state=saved]")
    elsewhere.close()
    page.unroute("**/api/judgments")
    show_long(page, address)
    page.locator("#problem-list li").nth(len(IN_CONFLICT) - 1).wait_for(timeout=30_000)


def other_machine(page: Page, address: str) -> Page:
    """A page of another browser, in which the same account is signed in."""
    elsewhere = page.context.browser.new_page()  # type: ignore[union-attr]
    start(elsewhere, address)
    return elsewhere


def show_other_machine(page: Page, address: str) -> None:
    """The notice that the topic is judged on another machine too."""
    show_long(page, address)
    elsewhere = other_machine(page, address)
    judge_one(elsewhere, address, IN_CONFLICT[1], "1")
    elsewhere.wait_for_selector("#save-state[data-state=saved]")
    elsewhere.close()
    page.keyboard.press("2")
    page.locator("#other-machine:visible").wait_for()


def judge_some(page: Page, address: str, key: str) -> None:
    """Give three documents the same grade."""
    for document_id in IN_CONFLICT:
        judge_one(page, address, document_id, key)


def judge_one(page: Page, address: str, document_id: str, key: str) -> None:
    """Give a document of TOPIC a grade."""
    page.goto(judging_address(address, TOPIC, document_id))
    wait_for_document(page)
    page.wait_for_timeout(300)
    page.keyboard.press(key)
    wait_for_document(page)


def show_offline(page: Page, address: str) -> None:
    """Judgments that wait, because the server does not answer."""
    show_long(page, address)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.keyboard.press("0")
    page.wait_for_selector("#save-state[data-state=offline]")


def show_tour(page: Page, address: str) -> None:
    """The tour of the page, at its first step."""
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
    "cards": show_cards,
    "practice": show_practice,
    "practice-feedback": show_practice_feedback,
    "practice-result": show_practice_result,
    "break": show_break,
    "pdf": show_kind("pdf"),
    "pdf-pages": show_pdf_pages,
    "mathml": show_kind("mathml"),
    "latex": show_kind("latex"),
    "code": show_kind("code"),
    "thread": show_kind("thread"),
    "chat": show_kind("chat"),
    "remarks": show_remarks,
    "found": show_whole,
    "judged": show_judged,
    "twin": show_twin,
    "same": show_same,
    "done": show_done,
    **{f"dialog-{dialog}": show_dialog(dialog) for dialog in DIALOGS},
    "topics": show_page(""),
    "history": show_page("history"),
    "tour": show_tour,
    "reasons": show_reasons,
    "assessors-guidelines": show_page("guidelines"),
    "offline-judging": show_page("offline"),
    "downloaded": show_downloaded,
    "training": show_page("training"),
    **{name: show_figures(path) for name, path in ORGANISERS_PAGES.items()},
    "other-machine": show_other_machine,
    "offline": show_offline,
    "conflicts-of-judging": show_conflicts,
}


def take_all(browser: Browser, address: str, folder: Path, names: list[str]) -> None:
    """These pictures of SHOWN in every width and scheme, as WIDTH-SCHEME-NAME.png."""
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
            for name in names:
                SHOWN[name](page, address)
                path = folder / f"{width}-{scheme}-{name}.png"
                page.screenshot(path=path, full_page=name in ORGANISERS_PAGES)
            context.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]) if len(sys.argv) > 1 else None, sys.argv[2:])
