"""The demo from its first start to qrels in a second campaign, and through two power cuts: all of it by the doors."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.stories import (
    A_WHILE,
    Painted,
    Program,
    Server,
    best_documents,
    expect_saved,
    held,
    judge,
    loaded_ahead,
    on_screen,
    own_port,
    pairs,
    person,
)

pytestmark = pytest.mark.browser

DEMO = "elsewhere/demo.db"
MEASURES = ("-m", "AP", "-m", "nDCG@10", "-m", "P@10")
DOCUMENT = re.compile(r"/c/demo/(document-frame\?|api/texts)")
JUDGMENTS = "**/c/demo/api/judgments"


def start_demo(port: int) -> tuple[str, ...]:
    return ("demo", "--no-open", "--port", str(port), "--instance", "elsewhere")


def start_judging(context: BrowserContext, address: str, name: str) -> Page:
    """From the bare address to the first document, as a visitor goes."""
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_role("button")).to_have_text(["Start"])
    expect(page.locator("main form")).to_have_attribute("method", "post")
    come_in(page, name)
    begin(page)
    loaded_ahead(page)
    page.get_by_role("button", name="Keys and preferences").click()
    page.locator("#keys").get_by_role("button", name="Preferences", exact=True).click()
    page.get_by_label("3 documents").click()
    page.locator("#preferences").get_by_role("button", name="Close").click()
    return page


def come_in(page: Page, name: str) -> None:
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Start").click()


def begin(page: Page) -> None:
    """From one's topics to the first pair, past guidelines and tour."""
    page.get_by_role("link", name="Start judging").click()
    page.get_by_role("button", name="I have read the guidelines").click()
    page.get_by_role("button", name="Leave the tour").click()


def open_board(context: BrowserContext, server: Server) -> Page:
    board = context.new_page()
    board.goto(f"{server.address}c/demo/board?m=P@10")
    expect(board.locator("#sentence")).to_contain_text("No judgments yet")
    board.evaluate("window.same = true")
    return board


def run_with(folder: Path, topic_id: str, document_id: str) -> str:
    """The tag of a run that has this document among its first ten."""
    files = sorted((folder / "elsewhere/demo/runs").glob("*.run"))
    return next(
        file.stem for file in files if document_id in best_documents(file.read_text(), 10).get(topic_id, ())
    )


@pytest.mark.slow
def test_a_visitor_judges_and_the_qrels_score_the_same_in_a_second_campaign(
    browser: Browser, tmp_path: Path
) -> None:
    program = Program(tmp_path)
    with own_port() as port, program.serving(*start_demo(port)) as server, person(browser) as context:
        page = start_judging(context, server.address, "Dora")
        board = open_board(context, server)
        page.bring_to_front()

        meant = [(judge(page, "2"), 2)]
        expect_saved(page)
        topic_id = program.judgments(DEMO)[0]["topic_id"]
        row = board.locator(f'tr[data-run="{run_with(tmp_path, topic_id, meant[0][0].document_id)}"]')
        expect(row).to_contain_text("0.1000")
        expect(board.locator("#sentence")).to_contain_text("1 of ")
        assert board.evaluate("window.same") is True

        meant += judged_while_nothing_answers(page, program)
        log = program.judgments(DEMO)
        assert pairs(log) == [(painted.document_id, grade) for painted, grade in meant]
        assert {row["topic_id"] for row in log} == {topic_id}
        assert {row["assessor"] for row in log} == {"Dora"}
        assert {painted for painted, _ in meant} <= documents_of_the_demo(tmp_path)
        expect(page.locator("#progress")).to_contain_text("5 of")

        changed = change_the_last(page, meant[-1][0])
        assert program.judgments(DEMO)[:5] == log
        assert pairs(program.judgments(DEMO)[5:]) == [(changed.document_id, 0)]
        assert program.judgments(DEMO)[5]["replaces"] == log[4]["seq"]

        expected = {painted.document_id: grade for painted, grade in meant} | {changed.document_id: 0}
        program.run("export", "qrels", DEMO, "-o", "qrels.txt")
        assert (tmp_path / "qrels.txt").read_text().splitlines() == [
            f"{topic_id} 0 {document_id} {grade}" for document_id, grade in sorted(expected.items())
        ]
        second_campaign(program, "qrels.txt")
        assert scores(program, "second.db") == scores(program, DEMO)
        assert "FAILED" not in program.run("audit", DEMO)

        assert server.stop() == 0
        assert [path.name for path in (tmp_path / "elsewhere").glob("demo.db*")] == ["demo.db"]
        log = program.judgments(DEMO)
        with program.serving(*start_demo(port)):
            page.reload()
            assert on_screen(page) not in [painted for painted, _ in meant]
            expect(page.locator("#progress")).to_contain_text("5 of")
        assert program.judgments(DEMO) == log


@pytest.mark.slow
def test_a_visitor_judges_a_nugget_and_a_citation_in_the_campaign_of_answers(
    browser: Browser, tmp_path: Path
) -> None:
    program, answers = Program(tmp_path), "elsewhere/answers.db"
    with own_port() as port, ExitStack() as open_now:
        server = open_now.enter_context(program.serving(*start_demo(port), "--answers"))
        page = open_now.enter_context(person(browser)).new_page()
        page.goto(server.address)
        come_in(page, "Dora")
        page.goto(f"{server.address}c/answers/")
        begin(page)
        expect(page.locator("#tour")).to_be_hidden()
        page.wait_for_load_state("networkidle")
        before = program.judgments(answers)
        for question, pooled in (("nuggets", "193 of 288"), ("support", "121 of 181")):
            page.goto(f"{server.address}c/answers/judge?topic=205!{question}")
            expect(page.frame_locator("iframe.current").locator(".answer")).to_be_visible(timeout=A_WHILE)
            expect(page.locator('#document[aria-busy="false"]')).to_be_visible(timeout=A_WHILE)
            page.keyboard.press("2")
            expect(page.locator("#progress")).to_contain_text("1 of ")
            expect_saved(page)
            page.goto(f"{server.address}c/answers/board?question={question}")
            expect(page.locator("#sentence")).to_contain_text(pooled)
            expect(page.locator("tr[data-run]")).to_have_count(8)
        rows = program.judgments(answers)[len(before) :]
        assert [(row["assessor"], row["topic_id"], row["grade"]) for row in rows] == [
            ("Dora", "205!nuggets", 2),
            ("Dora", "205!support", 2),
        ]
        assert "FAILED" not in program.run("campaign", "audit", answers)


def judged_while_nothing_answers(page: Page, program: Program) -> list[tuple[Painted, int]]:
    """Four documents judged while no save and no new document is answered, and presses that must not count."""
    with held(page, JUDGMENTS, DOCUMENT):
        meant = [(judge(page, key), int(key)) for key in "1021"]
        expect(page.locator("#document")).to_contain_text("Loading")
        for key in "0012x":
            page.keyboard.press(key)
        expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
        expect(page.locator("#save-state")).to_have_text("4 waiting")
        assert len(program.judgments(DEMO)) == 1
    assert on_screen(page) not in [painted for painted, _ in meant]
    expect_saved(page)
    return meant


def change_the_last(page: Page, last: Painted) -> Painted:
    """Undo leads back to the last document, which gets another grade; the page then goes on."""
    page.keyboard.press("u")
    assert on_screen(page) == last
    expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
    changed = judge(page, "0")
    assert on_screen(page) != last
    expect_saved(page)
    expect(page.locator("#progress")).to_contain_text("5 of")
    return changed


def documents_of_the_demo(folder: Path) -> set[Painted]:
    lines = (folder / "elsewhere/demo/documents.jsonl").read_text().splitlines()
    return {Painted(row["document_id"], row["title"]) for row in map(json.loads, lines)}


def second_campaign(program: Program, qrels: str) -> None:
    """The demo's runs, as they lie beside its campaign, with judgments that come from a qrels file alone."""
    program.run("new", "second.db", "--grades", "0:Not relevant,1:Relevant,2:Highly relevant")
    program.run("add", "topics", "second.db", "elsewhere/demo/topics.jsonl")
    runs = sorted((program.folder / "elsewhere/demo/runs").glob("*.run"))
    program.run("add", "runs", "second.db", *runs)
    program.run("add", "qrels", "second.db", qrels, "--assessor", "Dora")


def scores(program: Program, campaign: str) -> list[str]:
    """The scores of the eight runs with all their digits, a line each, and the names of the measures."""
    lines = program.run("score", campaign, *MEASURES, "--format", "csv").splitlines()
    assert len(set(lines)) == 9
    return sorted(lines)
