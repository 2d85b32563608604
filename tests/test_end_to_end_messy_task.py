"""A shared task with files as teams send them: an organiser, members of two teams and an assessor, in their browsers.

The run files are real submissions to CLEF eHealth 2018 (cut short); the texts of the documents are made up.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.stories import A_WHILE, Program, best_documents, expect_saved, judge, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.data, pytest.mark.slow]

DEPTH = 2
OLGA = ("olga", "an island of her own")
PASSWORD = "anaemia and iron diet"
TOPICS = ("151001", "152001", "153001", "154001", "155001", "156001")

Newcomer = Callable[[str, str], Page]
"""A person's page after they accepted the invitation with this note, under this name."""


@pytest.fixture
def sent(data_folder: Path, tmp_path: Path) -> dict[str, Path]:
    """Real submissions by their short names: three with faults, and one without."""
    folder = data_folder / "messy-submissions/runs"
    names = {
        "twice": "CUNI_en.run1",
        "other topics": "ub_botswana_IRTask3_run2.res",
        "by mail": "UEvoraIRtask1run1.res",
        "good": "baseline.exp",
    }
    paths = {}
    for short, name in names.items():
        paths[short] = tmp_path / name
        paths[short].write_bytes(gzip.decompress((folder / f"{name}.gz").read_bytes()))
    return paths


def test_a_task_with_broken_files_late_files_and_changes_of_mind(
    browser: Browser, tmp_path: Path, data_folder: Path, sent: dict[str, Path]
) -> None:
    program = Program(tmp_path)
    program.run("user", "add", OLGA[0], "--password", OLGA[1], "--organiser")
    words = ("serve", "--host", "127.0.0.1", "--port", "0", "--no-open", "--second-factor", "optional")
    with program.serving(*words) as server, ExitStack() as people:
        olga = people.enter_context(person(browser)).new_page()
        sign_in(olga, server.address, *OLGA)
        task = make_campaign(olga, server.address, data_folder)
        links = invite(olga, task)

        def newcomer(note: str, name: str) -> Page:
            page = people.enter_context(person(browser)).new_page()
            page.goto(links[note])
            page.get_by_label("User name").fill(name)
            page.locator("#password").fill(PASSWORD)
            page.get_by_label("Repeat the password").fill(PASSWORD)
            page.get_by_role("button", name="Create account and accept").click()
            expect(page.get_by_role("button", name="Sign out")).to_be_visible()
            return page

        paul, petra, anna = (
            newcomer(note, name)
            for note, name in (("Prague", "paul"), ("Palapye", "petra"), ("judge", "anna"))
        )
        open_submission(olga, task)
        a_file_is_refused_mended_and_sent_again(paul, task, sent["twice"])
        a_file_with_the_topics_of_another_year_is_mended(petra, task, sent["other topics"])
        a_file_that_came_by_mail_is_repaired_by_the_organiser(olga, task, sent)
        close_submission(olga, paul, task, sent["twice"])

        ranked = [best_documents(text, DEPTH) for text in runs_of(program)]
        pooled = {(topic, document) for run in ranked for topic in run for document in run[topic]}
        add_documents(olga, task, tmp_path, {document for _, document in pooled})
        pool(olga, task, len(pooled))
        overruled = an_assessor_judges_and_the_organiser_changes_both_guidelines_and_a_grade(olga, anna, task)
        scores_are_for_those_who_may_see_them(olga, paul, anna, task)

    assert "FAILED" not in program.run("audit", "ehealth")
    qrels = {
        line.split()[2]: line.split()[3] for line in program.run("export", "qrels", "ehealth").splitlines()
    }
    assert qrels[overruled] == "2"
    listed = list(csv.DictReader(program.run("runs", "ehealth", "--format", "csv").splitlines()))
    assert [row["run"] for row in listed if row["withdrawn_at_seq"]] == ["cuni_run1_en.replaced.1"]
    assert {row["run"]: row["team"] for row in listed if not row["withdrawn_at_seq"]} == {
        "cuni_run1_en": "Univerzita Karlova – Praha",
        "COMBSUM": "Palapye",
        "UEvoraIRtask1run1": "Évora",
        "baseline_query": "",
    }
    assert {row["run"]: row["sha256"] for row in listed}["UEvoraIRtask1run1"] == digest(sent["by mail"])
    versions = {row["guideline_version"] for row in program.judgments("ehealth")}
    assert len(versions) == 2


def make_campaign(olga: Page, address: str, data_folder: Path) -> str:
    """Title, grades and a real file of topics without titles; the campaign's address."""
    olga.goto(f"{address}new")
    olga.get_by_label("Title", exact=True).fill("eHealth")
    olga.get_by_label("Grade, row 3").fill("2")
    olga.get_by_label("Name, row 3").fill("Highly relevant")
    olga.get_by_label("Guidelines").fill("Judge what the page says, **not** who says it.")
    olga.get_by_role("button", name="Create campaign").click()
    expect(olga.get_by_role("heading", name="Add topics")).to_be_visible()
    olga.get_by_text("Custom field names").click()
    olga.get_by_label("Title field").fill("en")
    take(olga, data_folder / "messy-submissions/topics/clef2018_queries_task1_task4.txt")
    expect(olga.locator("#there")).to_have_text("50 topics")
    expect(olga.locator("#preview h3")).to_have_text("anemia diet therapy")
    return f"{address}c/ehealth/"


def take(page: Page, *files: Path, says: str = "1 file added.") -> None:
    """Send files with the form of a page that adds some, and wait for its summary."""
    page.wait_for_load_state()  # its scripts send the files: before them a press is lost
    page.set_input_files("#files", files)
    page.get_by_role("button", name="Check and add").click()
    expect(page.locator("#summary")).to_contain_text(says, timeout=A_WHILE)


def invite(olga: Page, task: str) -> dict[str, str]:
    """One list for all: first with a fault, which invites nobody, then without; the links by the names of its rows."""
    rows = "name,role,team\nPrague,participant,Univerzita Karlova – Praha\nPalapye,participant,Palapye\njudge,{role},\n"
    olga.goto(f"{task}people")
    for role in ("juror", "assessor"):
        content = rows.format(role=role).encode()
        olga.get_by_label("List", exact=True).set_input_files(
            {"name": "people.csv", "mimeType": "text/csv", "buffer": content}
        )
        if role == "juror":
            olga.get_by_role("button", name="Create links for all rows").click()
            expect(olga.get_by_role("alert")).to_contain_text("people.csv:4")
            expect(olga.get_by_text("Prague")).to_have_count(0)
    with olga.expect_download() as download:
        olga.get_by_role("button", name="Create links for all rows").click()
    table = download.value.path().read_text(encoding="utf-8-sig")
    return {row["name"]: row["link"] for row in csv.DictReader(io.StringIO(table))}


def open_submission(olga: Page, task: str) -> None:
    olga.goto(f"{task}submissions")
    expect(olga.get_by_text("Missing: Palapye, Univerzita Karlova – Praha.")).to_be_visible()
    olga.get_by_label("Open", exact=True).check()
    olga.get_by_label("Deadline").fill("2999-05-01 23:59")
    olga.get_by_label("Runs per team").fill("2")
    olga.get_by_label("Description").fill("Method*=method.name")
    olga.get_by_role("button", name="Save rules").click()
    expect(olga.get_by_text("Submission is open until 2999-05-01 23:59:00 UTC")).to_be_visible()


def submit(page: Page, task: str, name: str, content: bytes) -> None:
    """Send a file; its report comes at once, or on the page of a job where the check takes longer."""
    page.goto(f"{task}submit")
    page.get_by_label("Run files").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content}
    )
    page.get_by_role("button", name="Check and submit").click()


def a_file_is_refused_mended_and_sent_again(paul: Page, task: str, file: Path) -> None:
    """Documents listed twice are named by line; the mended file, which describes itself, gets a receipt, twice."""
    submit(paul, task, file.name, file.read_bytes())
    expect(paul.get_by_text("is listed twice in topic '152001', first at line 1927")).to_be_visible(
        timeout=A_WHILE
    )
    lines, seen = [], set()
    for line in file.read_text().splitlines(keepends=True):
        topic, _, document, *_ = line.split()
        if (topic, document) not in seen:
            seen.add((topic, document))
            lines.append(line)
    submit(paul, task, file.name, "".join(lines).encode())
    expect(paul.locator(".findings-problem li")).to_contain_text("Method", timeout=A_WHILE)
    paul.goto(f"{task}submit")
    expect(paul.get_by_text("None yet.")).to_be_visible()
    header = "# ir_metadata.start\n# method:\n#   name: query expansion\n# ir_metadata.end\n"
    for mended in (header + "".join(lines), header + "".join(lines[:-1])):
        submit(paul, task, "../../příloha č. 1.run", mended.encode())
        expect(paul.get_by_text("The run is submitted.")).to_be_visible(timeout=A_WHILE)
        paul.goto(f"{task}submit")
        expect(paul.get_by_text(digest(mended.encode()))).to_be_visible()
    expect(paul.get_by_text("Method query expansion").first).to_be_visible()
    expect(paul.get_by_role("heading", name="cuni_run1_en.replaced.1")).to_be_visible()
    expect(paul.get_by_text("../..")).to_have_count(0)


def a_file_with_the_topics_of_another_year_is_mended(petra: Page, task: str, file: Path) -> None:
    """Its topics are the decisive fault and come first; another team's run is nowhere to be seen."""
    submit(petra, task, file.name, file.read_bytes())
    first = petra.locator(".findings-problem li").first
    expect(first).to_contain_text("'151' would be '151001'", timeout=A_WHILE)
    lines, seen = [], set()
    for line in file.read_text().splitlines():
        topic, _, document, rank, score, tag = line.split()
        if (topic, document) not in seen:
            seen.add((topic, document))
            lines.append(f"{topic}001 Q0 {document} {rank} {score} {tag}\n")
    header = "# ir_metadata.start\n# method:\n#   name: fusion\n# ir_metadata.end\n"
    submit(petra, task, file.name, (header + "".join(lines)).encode())
    expect(petra.get_by_text("The run is submitted.")).to_be_visible(timeout=A_WHILE)
    petra.goto(f"{task}submit")
    expect(petra.get_by_role("heading", name="COMBSUM")).to_be_visible()
    expect(petra.get_by_text("cuni_run1_en")).to_have_count(0)


def a_file_that_came_by_mail_is_repaired_by_the_organiser(
    olga: Page, task: str, sent: dict[str, Path]
) -> None:
    """Of two files the good one is added, the other is reported with a page for its team, then repaired on purpose."""
    olga.goto(f"{task}add/runs")
    take(olga, sent["good"], sent["by mail"], says="1 file added. 1 file with errors")
    with olga.expect_download() as download:
        olga.get_by_role("link", name="Page for the team on UEvoraIRtask1run1.res").click()
    for_team = download.value.path().read_text(encoding="utf-8")
    assert "512 documents listed twice" in for_team
    assert digest(sent["by mail"]) in for_team
    assert "baseline" not in for_team
    olga.goto(f"{task}add/runs")
    olga.locator("#team").fill("Évora")
    olga.locator("summary", has_text="Repairs").click()
    olga.get_by_label("Documents listed twice in a topic").select_option("best-score")
    take(olga, sent["by mail"])
    olga.goto(f"{task}run?run=UEvoraIRtask1run1")
    expect(olga.get_by_text("512 lines of documents listed twice in a topic left out")).to_be_visible()


def close_submission(olga: Page, paul: Page, task: str, file: Path) -> None:
    """The deadline moves into the past: a file that comes now is not taken, and both times are said."""
    olga.goto(f"{task}submissions")
    expect(olga.get_by_text("Missing")).to_have_count(0)
    paul.goto(f"{task}submit")
    paul.get_by_label("Run files").set_input_files(str(file))
    olga.get_by_label("Deadline").fill("2020-05-01 23:59")
    olga.get_by_role("button", name="Save rules").click()
    expect(olga.get_by_text("2020-05-01 23:59").first).to_be_visible()
    paul.get_by_role("button", name="Check and submit").click()
    expect(paul.get_by_text("the deadline was 2020-05-01 23:59:00 UTC").first).to_be_visible(timeout=A_WHILE)


def runs_of(program: Program) -> list[str]:
    program.run("export", "runs", "ehealth", "-o", "runs/")
    files = sorted((program.folder / "runs").glob("*.run"))
    assert len(files) == 4
    return [
        "".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("#"))
        for path in files
    ]


def add_documents(olga: Page, task: str, folder: Path, documents: set[str]) -> None:
    file = folder / "documents.jsonl"
    texts = [
        {
            "id": document,
            "title": f"Page {document[:8]}",
            "text": f"Iron and what to eat, as page {document} has it.",
        }
        for document in sorted(documents)
    ]
    file.write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
    olga.goto(f"{task}add/documents")
    take(olga, file)


def pool(olga: Page, task: str, size: int) -> None:
    olga.goto(f"{task}pool?depth={DEPTH}")
    olga.locator("form[method=post] button", has_text="Create this pool").click(timeout=A_WHILE)
    expect(olga.get_by_text(f"Pool 1 created: {size} ").first).to_be_visible(timeout=A_WHILE)


def an_assessor_judges_and_the_organiser_changes_both_guidelines_and_a_grade(
    olga: Page, anna: Page, task: str
) -> str:
    """Guidelines are read first, and again once they changed; the document whose grade is overruled."""
    anna.goto(f"{task}judge?topic={TOPICS[0]}")
    expect(anna.get_by_text("not who says it")).to_be_visible()
    anna.get_by_role("button", name="I have read the guidelines").click()
    anna.goto(f"{task}judge?topic={TOPICS[0]}")
    judged = judge(anna, "0").document_id
    expect_saved(anna)

    olga.goto(f"{task}settings")
    olga.get_by_label("Name, row 2").fill("Somewhat relevant")
    olga.get_by_role("button", name="Save settings").click()
    expect(olga.locator("main [role=status]").first).to_contain_text("Saved: Grades.")
    olga.goto(f"{task}judgments?topic={TOPICS[0]}")
    olga.get_by_role("link", name=f"Page {judged[:8]}").click()
    olga.get_by_text("Overrule the grade").click()
    corrections = olga.get_by_role("region", name="Corrections")
    corrections.get_by_label("Reason").first.fill("all of it is about the diet")
    corrections.get_by_label("Grade", exact=True).select_option("2")
    olga.get_by_role("button", name="Overrule").click()
    expect(olga.get_by_text("adjudicated by olga")).to_be_visible()

    anna.goto(f"{task}guidelines")
    expect(anna.locator("#changes ~ ul ins")).to_contain_text("Somewhat relevant")
    anna.get_by_role("button", name="I have read the changes").click()
    anna.goto(f"{task}judge?topic={TOPICS[0]}")
    judge(anna, "1")
    expect_saved(anna)
    return judged


def scores_are_for_those_who_may_see_them(olga: Page, paul: Page, anna: Page, task: str) -> None:
    olga.goto(f"{task}board")
    expect(olga.locator("tr[data-run]")).to_have_count(4)
    for page, place in ((paul, "board"), (paul, "runs"), (anna, "board"), (anna, "submissions")):
        answer = page.goto(f"{task}{place}")
        assert answer is not None
        assert answer.status == 403
    paul.goto(f"{task}own-runs")
    expect(paul.get_by_text("cuni_run1_en").first).to_be_visible()
    expect(paul.get_by_text("COMBSUM")).to_have_count(0)


def digest(what: Path | bytes) -> str:
    """The SHA-256 of a file."""
    return sha256(what if isinstance(what, bytes) else what.read_bytes()).hexdigest()
