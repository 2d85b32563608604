"""A task of answers in the form of TREC RAG 2024, from submissions to a bundle, by three assessors in their browsers.

An hour goes by offline, the server is killed, a nugget changes, and a run is withdrawn.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Download, Page, expect

from tests.stories import A_WHILE, Program, Server, expect_saved, own_port, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PASSWORD = "pears ripen after the harvest"
TEAMS = ("Aspen", "Birch", "Cedar", "Dogwood")
ASSESSORS = ("ann", "ben", "cai")
FACTS = {
    "1": (
        "Reefs grow in warm water.",
        "Heat makes corals pale.",
        "Reefs recover in cool years.",
        "Fish graze the algae.",
    ),
    "2": (
        "Arches carry loads by pressure.",
        "Cables carry loads by tension.",
        "Bridges swing in the wind.",
        "Steel rusts.",
    ),
    "3": (
        "Bees dance in the hive.",
        "The angle gives the direction.",
        "The time gives the way.",
        "Hives are dark.",
    ),
    "4": (
        "The moon pulls the sea.",
        "Two tides come each day.",
        "The sun helps at full moon.",
        "Bays lift tides.",
    ),
    "5": (
        "Starch hardens in bread.",
        "Cold hastens it.",
        "Freezing stops it.",
        "Warm loaves are soft again.",
    ),
}
"""What is true of each topic: the first two are in its first document, the others in its second."""

PATTERNS = ((0,), (1, 2), (0, 2, 3), (0, 1), (3,), (0, 1, 2))
"""Which facts runs state: two runs each the same, but for the last run, which cites both documents for each of its own.
"""
LAST, FACTS_OF_THE_LAST = 11, (1, 3)

NUGGETS = 3
"""The first facts of each topic are its nuggets."""

DISTINCT = len(PATTERNS) + 1
"""Different answers to each topic, that of the last run included."""


class Judged(NamedTuple):
    """A key that an assessor pressed, and on which unit."""

    name: str
    topic_id: str
    unit: str
    grade: int


def document_id(topic_id: str, number: int) -> str:
    return f"msmarco_v2.1_doc_0{topic_id}_{number}#0_{topic_id}{number}"


def answers(run: int, *, place: int = 0) -> str:
    """A run as a file; its first answer cites `place` beyond what it should."""
    lines = []
    for topic_id, facts in FACTS.items():
        said = [
            {"text": facts[fact], "citations": [0, 1] if run == LAST else [fact // 2 + place]}
            for fact in (FACTS_OF_THE_LAST if run == LAST else PATTERNS[run % len(PATTERNS)])
        ]
        place = 0
        record = {
            "run_id": f"run{run:02}",
            "topic_id": topic_id,
            "topic": "What is known of it?",
            "references": [document_id(topic_id, 0), document_id(topic_id, 1)],
            "response_length": sum(len(each["text"].split()) for each in said),
            "answer": said,
        }
        lines.append(json.dumps(record) + "\n")
    return "".join(lines)


def test_a_task_of_answers_goes_from_submissions_to_scores_that_come_out_of_the_bundle(
    browser: Browser, tmp_path: Path
) -> None:
    program = Program(tmp_path)
    make_campaign(program)
    meant: list[Judged] = []
    with own_port() as port, ExitStack() as people:
        words = ("serve", "--port", str(port), "--no-open", "--second-factor", "optional")
        pages = {}
        with program.serving(*words) as server:
            for name in ("olga", *map(str.lower, TEAMS), *ASSESSORS):
                pages[name] = people.enter_context(person(browser)).new_page()
                sign_in(pages[name], server.address, name, PASSWORD)
            task, olga = f"{server.address}c/rag/", pages["olga"]
            for number, team in enumerate(TEAMS):
                teams_submit_answers_and_get_receipts(pages[team.lower()], task, number)
            ask(program, olga, task)
            a_run_is_withdrawn_and_its_answers_are_asked_about_no_more(program, olga, pages["dogwood"], task)
            share_out(program)
            meant += judged(pages["ann"], task, "ann")
            meant += judged_without_a_network(pages["ben"], task)
            meant += judged_while_the_server_is_killed(pages["cai"], task, server)
        with program.serving(*words):
            expect_saved(pages["cai"])
            for name in ("ben", "cai"):
                meant += judged(pages[name], task, name)
            nothing_is_lost_and_nothing_double(program, meant)
            meant += a_changed_nugget_is_asked_about_again_and_nothing_else(program, pages, task)
            nothing_is_lost_and_nothing_double(program, meant)
            conflicts_are_settled(olga, task)
            bundle = download(olga, task, tmp_path)
    comes_out_the_same(program, bundle)


def make_campaign(program: Program) -> None:
    folder = program.folder
    topics = [{"topic_id": each, "title": f"Topic {each}"} for each in FACTS]
    texts = [
        {
            "id": document_id(topic_id, number),
            "title": "",
            "text": " ".join(facts[2 * number : 2 * number + 2]),
        }
        for topic_id, facts in FACTS.items()
        for number in (0, 1)
    ]
    for file, rows in (("topics.jsonl", topics), ("texts.jsonl", texts)):
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    program.run("new", "rag", "--title", "Answers")
    program.run("add", "topics", "rag", "topics.jsonl")
    program.run("add", "documents", "rag", "texts.jsonl", "--all")
    program.run("user", "add", "olga", "--password", PASSWORD, "--organiser")
    program.run("member", "add", "rag", "olga", "--role", "organiser")
    for name in ASSESSORS:
        program.run("user", "add", name, "--password", PASSWORD)
        program.run("member", "add", "rag", name, "--role", "assessor")
    for team in TEAMS:
        program.run("user", "add", team.lower(), "--password", PASSWORD)
        program.run("member", "add", "rag", team.lower(), "--role", "participant", "--team", team)
    program.run("task", "submissions", "rag", "--open", "--runs-per-team", "3")
    (folder / "nuggets.jsonl").write_text(banks())


def banks() -> str:
    """The nuggets of all topics as nuggetizer has them."""
    return "".join(
        json.dumps(
            {
                "qid": topic_id,
                "query": f"Topic {topic_id}",
                "nuggets": [
                    {"text": fact, "importance": "okay" if place else "vital"}
                    for place, fact in enumerate(facts[:NUGGETS])
                ],
            }
        )
        + "\n"
        for topic_id, facts in FACTS.items()
    )


def teams_submit_answers_and_get_receipts(page: Page, task: str, number: int) -> None:
    """Three runs of each team; the first of the second team cites beyond its references, and is sent again."""

    def send(*files: tuple[str, str]) -> None:
        page.goto(f"{task}submit")
        page.get_by_label("Run files").set_input_files(
            [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files]
        )
        page.get_by_role("button", name="Check and submit").click()

    own = range(3 * number, 3 * number + 3)
    if number == 1:
        send(("wrong.jsonl", answers(own[0], place=7)))
        expect(page.locator(".findings-problem li").first).to_contain_text("has 7", timeout=A_WHILE)
        page.goto(f"{task}submit")
        expect(page.get_by_text("None yet.")).to_be_visible()
    send(*((f"run{run:02}.jsonl", answers(run)) for run in own))
    expect(page.get_by_text("3 runs are submitted.")).to_be_visible(timeout=A_WHILE)
    page.goto(f"{task}submit")
    expect(page.locator(".receipt")).to_have_count(3)
    with page.expect_download() as taken:
        page.get_by_role("link", name=f"Receipt of run{own[1]:02}").click()
    assert f"run{own[1]:02}" in taken.value.path().read_text()


def ask(program: Program, olga: Page, task: str) -> None:
    """Nuggets are added, both questions asked as shared tasks do, and all units pooled, on the pages of each."""
    assert "5 topics" in program.said("add", "nuggets", "rag", "nuggets.jsonl")
    for question, about in (("support", "citations"), ("nuggets", "nuggets")):
        olga.goto(f"{task}settings/questions?about={about}")
        expect(olga.get_by_label("Short name")).to_have_value(question)
        olga.get_by_role("button", name="Ask the question").click()
        expect(olga.get_by_role("table").get_by_role("link", name="Leaderboard").last).to_be_visible()
        olga.goto(f"{task}pool?question={question}&depth=20")
        olga.locator("form[method=post] button", has_text="Create this pool").click(timeout=A_WHILE)
        expect(olga.get_by_text("created:").first).to_be_visible(timeout=A_WHILE)
    assert pooled(program, "nuggets") == dict.fromkeys(FACTS, DISTINCT * NUGGETS)


def pooled(
    program: Program, question: str, column: str = "pooled", *, campaign: str = "rag"
) -> dict[str, int]:
    """How many units of each topic are pooled, or judged."""
    table = program.run("assign", "list", campaign, "--question", question, "--format", "csv")
    return {row["topic"].partition("!")[0]: int(row[column]) for row in csv.DictReader(io.StringIO(table))}


def a_run_is_withdrawn_and_its_answers_are_asked_about_no_more(
    program: Program, olga: Page, dogwood: Page, task: str
) -> None:
    before = pooled(program, "support")
    olga.goto(f"{task}run?run=run11")
    olga.get_by_text("Withdraw this run").click()
    olga.get_by_label("Reason").last.fill("sent by mistake")
    olga.get_by_role("button", name="Withdraw").click()
    expect(olga.get_by_text("withdrawn").first).to_be_visible()
    dogwood.goto(f"{task}submit")
    expect(dogwood.locator(".receipt-out")).to_contain_text("run11")
    assert pooled(program, "nuggets") == dict.fromkeys(FACTS, (DISTINCT - 1) * NUGGETS)
    # The facts of the last run are cited rightly by others; what it cites besides is cited by it alone.
    assert pooled(program, "support") == {
        topic_id: before[topic_id] - len(FACTS_OF_THE_LAST) for topic_id in FACTS
    }


def share_out(program: Program) -> None:
    """Each topic of each question has an assessor, and another one for some of its units."""
    program.run("assign", "who", "rag", "assigned")
    for question in ("support", "nuggets"):
        program.run("assign", "spread", "rag", "--question", question)
        program.run("assign", "double", "rag", "--question", question, "--share", "0.4", "--seed", "3")


def grade_by(name: str, unit: str) -> int:
    """What an assessor says of a unit: they agree on most, and each is of another opinion on some."""
    opinion = int(unit[-1], 16) % 3
    return (opinion + 1) % 3 if int(unit[-2], 16) % 5 == ASSESSORS.index(name) else opinion


def judged(page: Page, task: str, name: str) -> list[Judged]:
    """All that waits for an assessor, topic by topic, each unit by one key."""
    page.goto(f"{task}judge")
    found = list(pressed(page, name))
    expect_saved(page)
    return found


def pressed(page: Page, name: str, most: int = 1000) -> Iterator[Judged]:
    """Press keys until nothing waits, or so often."""
    for _ in range(most):
        expect(page.locator("#document[aria-busy=false], .finished").first).to_be_visible(timeout=A_WHILE)
        while page.locator(".finished").count():
            following = page.locator(".finished a", has_text="Next topic")
            if not following.count():
                return
            following.click()
            expect(page.locator(".finished")).to_have_count(0)
            expect(page.locator("#document[aria-busy=false]")).to_be_visible(timeout=A_WHILE)
        address = page.url
        topic_id, unit = (parse_qs(urlsplit(address).query)[field][0] for field in ("topic", "document"))
        grade = grade_by(name, unit)
        page.keyboard.press(str(grade))
        yield Judged(name, topic_id, unit, grade)
        while page.url == address and not page.locator(".finished").count():
            page.wait_for_timeout(20)


def judged_without_a_network(page: Page, task: str) -> list[Judged]:
    page.goto(f"{task}offline")
    page.get_by_role("button", name="Download").click()
    expect(page.locator("#offline-state")).to_contain_text("can be judged here", timeout=A_WHILE)
    page.reload()
    page.context.set_offline(True)
    page.get_by_role("link", name="Judge offline").click()
    found = list(pressed(page, "ben", 12))
    expect(page.locator("#save-state")).to_have_text("Offline, 12 kept here")
    page.context.set_offline(False)
    expect_saved(page)
    return found


def judged_while_the_server_is_killed(page: Page, task: str, server: Server) -> list[Judged]:
    """It dies while judgments are under way; keys go on, and the page keeps what they say."""
    page.goto(f"{task}judge")
    found = list(pressed(page, "cai", 3))
    server.kill()
    found += pressed(page, "cai", 2)
    expect(page.locator("#save-state")).not_to_have_attribute("data-state", "saved")
    return found


def nothing_is_lost_and_nothing_double(program: Program, meant: list[Judged]) -> None:
    log = program.judgments("rag")
    rows = [
        Judged(*(row[field] for field in ("assessor", "topic_id", "document_id", "grade"))) for row in log
    ]
    assert sorted(rows) == sorted(meant)
    assert len({row[:3] for row in rows}) == len(rows)
    for question in ("support", "nuggets"):
        assert pooled(program, question, "judged") == pooled(program, question)


def a_changed_nugget_is_asked_about_again_and_nothing_else(
    program: Program, pages: dict[str, Page], task: str
) -> list[Judged]:
    """A nugget of topic 3 has other words: judgments of the old ones are said to be, and answers are asked about it
    again, and about no other.
    """
    before, olga = pooled(program, "nuggets"), pages["olga"]
    olga.goto(f"{task}nuggets/topic?topic=3")
    olga.get_by_text("Change nugget 2").click()
    olga.locator("#text-2").fill("The angle of the dance gives the direction.")
    olga.get_by_role("button", name="Save").locator("visible=true").click()
    expect(olga.locator("#nugget-2")).to_contain_text("The angle of the dance")
    olga.goto(f"{task}settings/questions")
    waiting = olga.locator(".waiting", has_text="nuggets")
    expect(waiting).to_contain_text("of what no answer has any more; the log keeps them.")
    expect(waiting).to_contain_text(f"{DISTINCT - 1} new units wait to be pooled.")
    olga.get_by_role("button", name="Pool the new units").click()
    expect(olga.get_by_text("created:").first).to_be_visible(timeout=A_WHILE)
    assert pooled(program, "nuggets") == before
    waits = {
        topic_id: before[topic_id] - now for topic_id, now in pooled(program, "nuggets", "judged").items()
    }
    assert waits == {**dict.fromkeys(FACTS, 0), "3": DISTINCT - 1}
    again = [each for name in ASSESSORS for each in judged(pages[name], task, name)]
    assert {each.topic_id for each in again} == {"3!nuggets"}
    assert len({each.unit for each in again}) == DISTINCT - 1
    return again


def conflicts_are_settled(olga: Page, task: str) -> None:
    """Agreement is estimated from what two assessors judged; the first conflict is settled by a key."""
    for question, grade in (("support", "Full support"), ("nuggets", "Support")):
        olga.goto(f"{task}agreement?question={question}")
        expect(olga.get_by_role("heading", name="All assessors")).to_be_visible(timeout=A_WHILE)
        olga.goto(f"{task}adjudication?question={question}")
        olga.get_by_role("link", name="Adjudicate").click()
        expect(olga.locator("#decide")).to_have_attribute("data-ready", "yes", timeout=A_WHILE)
        expect(olga.locator(".settled-last")).to_have_count(0)
        olga.keyboard.press("2")
        expect(olga.locator(".settled-last")).to_contain_text(f"is {grade}", timeout=A_WHILE)
        olga.goto(f"{task}board?question={question}")
        expect(olga.locator("tr[data-run]")).to_have_count(11)


def download(olga: Page, task: str, folder: Path) -> Path:
    olga.goto(f"{task}publish")
    olga.get_by_label("Include run files").check()
    taken: list[Download] = []
    olga.once("download", lambda download: taken.append(download))
    olga.get_by_role("button", name="Download bundle").click()
    while not taken:  # a bundle that takes longer has a page of a job, which offers it
        if (link := olga.get_by_role("link", name="Download", exact=True)).count():
            link.click()
        olga.wait_for_timeout(100)
    path = folder / taken[0].suggested_filename
    taken[0].save_as(path)
    return path


def comes_out_the_same(program: Program, bundle: Path) -> None:
    """The campaign that is made of the bundle has the same labels and scores; both stand up to an audit."""
    program.run("release", "import-bundle", "again", bundle)
    for question in ("support", "nuggets"):
        shown: list[dict[str, Any]] = []
        assert pooled(program, question, campaign="again") == pooled(program, question)
        for campaign in ("rag", "again"):
            asked = (campaign, "--question", question)
            scores = sorted(program.run("score", *asked, "--format", "csv").splitlines())
            shown.append({"qrels": program.run("export", "qrels", *asked), "scores": scores})
        assert shown[0] == shown[1]
        assert len(shown[0]["scores"]) == 12
        assert shown[0]["qrels"].count("\n") >= sum(pooled(program, question).values())
    for campaign in ("rag", "again"):
        assert "FAILED" not in program.run("campaign", "audit", campaign)
