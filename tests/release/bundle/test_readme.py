"""What stands beside the numbers: README, guidelines, datasheet, citation, tables. Text of people stays text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.fixture_types import JudgeAs, WriteRun
from tests.sentences import says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.core.records import Grade
from workbench.release import campaign_summary as release_status
from workbench.release.bundle.datasheet import QUESTIONS, TO_WRITE, datasheet_lines, datasheet_of
from workbench.release.bundle.readme import (
    FILES,
    citation_lines,
    guideline_lines,
    readme_lines,
    rules,
    scalar,
)
from workbench.release.campaign_summary import base_name, summarise_campaign
from workbench.release.markdown import plain
from workbench.release.tables import runs_csv
from workbench.storage.campaign import Campaign

HOSTILE = "# *a* [b](c) <script> `d` | e \\ f & g_h_ $i$"


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """Two conflicts settled by the newest grade, one special grade, four pooled pairs left."""
    told = [("zoe", "1", "d1", 1), ("anna", "1", "d1", 0), ("zoe", "1", "d2", -2), ("zoe", "2", "d1", 2)]
    for assessor, topic_id, document_id, grade in told:
        judging_as(small, assessor, topic_id, document_id, grade)
    return small


def test_the_rules_and_the_state_say_what_became_of_grades_and_what_is_missing(judged: Campaign) -> None:
    assert says("\n".join(rules(summarise_campaign(judged))[:3]))
    assert "4 pooled pairs of 7 have no grade." in rules(summarise_campaign(judged))
    facts = summarise_campaign(judged)
    assert (
        release_status.state_of(facts)
        == "3 graded pairs in 2 topics can be published; 4 pooled pairs are not yet judged."
    )
    assert release_status.most_waiting(facts) == [("2", 2, 3), ("1", 1, 3), ("10", 1, 1)]
    assert release_status.most_waiting(facts, 1) == [("2", 2, 3)]
    assert plain("a\n\n# b\tc") == "a \\# b c"


def test_the_datasheet_asks_everything_and_answers_what_the_campaign_knows(judged: Campaign) -> None:
    sheet = "".join(datasheet_of(judged, summarise_campaign(judged)))
    for theme, questions in QUESTIONS.items():
        assert f"## {theme}\n" in sheet
        assert all(f"### {question.question}\n" in sheet for question in questions)
    asked = sum(bool(question.add) for questions in QUESTIONS.values() for question in questions)
    assert sheet.count(TO_WRITE) == asked
    assert "grade -2 (Spam): 1; grade 0 (Not relevant): 1; grade 2 (Highly relevant): 1" in sheet
    assert "Pool 1: strategy depth (depth 2) over 2 runs, 7 new pairs." in sheet
    assert says(sheet)
    assert "documents.jsonl (5 documents, SHA-256" in sheet


def test_the_guidelines_are_those_of_the_campaign(tmp_path: Path) -> None:
    grades = [Grade(0, "No"), Grade(1, "Yes | sure", "Answers\nit")]
    path = tmp_path / "c.db"
    with new_campaign(path, title="C", grades=grades, guidelines="Read *all*.\n", actor="Olga") as campaign:
        text = "".join(guideline_lines(summarise_campaign(campaign)))
    assert "| 1 | Yes \\| sure | Answers it |\n" in text
    assert says(text)
    assert text.endswith("\n\nRead *all*.\n")


def test_what_people_wrote_is_no_markdown(tmp_path: Path) -> None:
    with new_campaign(tmp_path / "c.db", title=HOSTILE, actor="Olga") as campaign:
        facts = summarise_campaign(campaign)
        told = {"pseudonyms": True, "comments": False}
        pages = ["".join(readme_lines(facts, {}, (), **told)), "".join(datasheet_lines(facts, (), ()))]
    for page in pages:
        heading = MarkdownIt("commonmark").parse(page)[1].children or []
        assert "".join(token.content for token in heading).removeprefix("Datasheet: ") == HOSTILE
        assert {token.type for token in heading} == {"text"}


def test_the_citation_has_what_the_format_requires_and_a_hostile_title_stays_one_value(
    judged: Campaign,
) -> None:
    lines = "".join(citation_lines(summarise_campaign(judged))).splitlines()
    told = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith(("#", " ")))
    values = {name: json.loads(value) for name, value in told.items()}
    assert values["cff-version"] == "1.2.0"
    assert values["type"] == "dataset"
    assert values["title"] == "Small: relevance judgments"
    assert values["date-released"] == "2026-03-01"
    assert {"message", "version", "abstract", "keywords"} <= values.keys()
    assert lines[-2:] == ["authors:", '  - name: "The organisers of Small"']
    hostile = 'a: "b"\n- c\x85\x7f\u2028\ufeff # d 🙂'
    written = scalar(hostile)
    assert written == '"a: \\"b\\"\\n- c\x85\\u007f\\u2028\\ufeff # d 🙂"'
    assert json.loads(written) == hostile


def test_a_table_of_runs_runs_nothing_in_a_spreadsheet(
    small: Campaign, written_run: WriteRun, tmp_path: Path
) -> None:
    add_runs(small.by("Olga"), [written_run(tmp_path / "=x.run", "=1+1", {"1": "d1"})], team="@SUM(1)")
    withdraw_runs(small.by("Olga"), ["alpha"])
    facts = summarise_campaign(small)
    lines = list(runs_csv((*facts.runs, *facts.withdrawn), facts.details))
    assert lines[2].startswith("'=1+1,'@SUM(1),'=x.run,")
    assert lines[3].startswith("alpha,,alpha.run,")
    assert lines[3].rstrip().split(",")[7:] == [str(facts.head.seq), *[""] * 8]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/olga/runs/a.txt", "a.txt"),
        ("C:\\runs\\a.txt", "a.txt"),
        ("a.txt", "a.txt"),
        ("folder/", "folder"),
    ],
)
def test_of_a_path_only_the_name_is_reported(path: str, name: str) -> None:
    assert base_name(path) == name


def test_the_page_on_publishing_names_every_file_of_a_bundle() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "use" / "publishing.md").read_text(
        encoding="utf-8"
    )
    told = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    assert set(told) == {*FILES, "README.md"}
