"""What answers were judged, in the forms of programs that score them: read and scored, it is what the campaign has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.asked_answers import add_answers
from tests.judged_pairs import judge_as
from tests.made_answers import REEFS, YEARS, answer
from tests.sentences import refused, says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_documents
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import CITATIONS, NUGGETS
from workbench.core.errors import CampaignError, UnknownName, WorkbenchError
from workbench.core.records import Grade
from workbench.formats.answers.assigned import read_assigned
from workbench.formats.answers.banks import Bank, GoldAnswer, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.formats.answers.support import read_support
from workbench.release.judged_answers import FORMS, judged_lines
from workbench.scoring.answers.forms import score_answers
from workbench.scoring.answers.scored import ScoredRun
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import nuggets, units
from workbench.storage.campaign.log import log

FULL, PART, NO, AGAINST = 2, 1, 0, -1

ONE = ("Reefs recover slowly.", [1]), ("Cooler years help.", [0, 1]), ("Nobody knows.", [])
TWO = (("Cooler years help.", [0]), ("Half \ud800.", [0]))
"""What the runs one and two say about topic 1: YEARS, REEFS and YEARS, nothing; REEFS twice."""

BANK = Bank(
    "1",
    (
        Nugget(
            "How long?",
            "a",
            is_question=True,
            importance="vital",
            answers=(GoldAnswer("decades", references=(Reference("d1"),)),),
        ),
        Nugget(
            "Who helps?",
            "b",
            is_question=True,
            importance="okay",
            aggregator="AND",
            answers=tuple(GoldAnswer(name, references=(Reference("d1"),)) for name in ("grazers", "fish")),
        ),
        Nugget("years are warm", "c"),
    ),
    "argue",
)


@pytest.fixture
def judged(small: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """The campaign `small` with the runs one and two, whose citations and nuggets have some labels."""
    monkeypatch.chdir(tmp_path)
    campaign = small.by("Olga")
    for run, said in (("one", ONE), ("two", TWO)):
        add_answers(campaign, answer("1", *said, run=run).replace("\ud800", "\\ud800"))
    with campaign.write():
        nuggets.put(campaign, BANK)
    for about in (CITATIONS, NUGGETS):
        declare(campaign, USUAL[about])
        add_pool(campaign.asking(USUAL[about].name), depth=10)
    Path("d.jsonl").write_text(json.dumps({"id": REEFS, "title": "Reefs", "text": "They recover."}) + "\n")
    add_documents(campaign, ["d.jsonl"], keep_all=True)
    label(campaign, "support", "Reefs recover slowly.", YEARS, FULL)
    label(campaign, "support", "Cooler years help.", REEFS, PART)
    label(campaign, "support", "Cooler years help.", YEARS, NO)
    for text, grade in (("How long?\n– decades", FULL), ("years are warm", PART)):
        label(campaign, "nuggets", text, "", grade, run="one")
    for text, grade in (("How long?\n– decades", NO), ("years are warm", FULL)):
        label(campaign, "nuggets", text, "", grade, run="two")
    return campaign


def label(campaign: Campaign, question: str, text: str, cited: str, grade: int, run: str = "") -> None:
    """Judge the unit with this text; one of nuggets with the answer of this run."""
    found = units.of_topic(campaign, f"1!{question}").units
    first = {"one": 3, "two": 4}.get(run)
    (unit,) = [
        each for each in found if (each.text, each.cited) == (text, cited) and first in (None, each.run)
    ]
    judge_as(campaign, "Ann", f"1!{question}", unit.unit_id, grade)


def written(campaign: Campaign, form: str, name: str = "out.jsonl", **how: object) -> Path:
    path = Path(name)
    path.write_text("".join(judged_lines(campaign, form, **how)[0]), encoding="utf-8")  # type: ignore[arg-type]
    return path


def scored(*paths: Path) -> dict[str, ScoredRun]:
    return {run.run: run for run in score_answers(paths).runs}


def test_nuggetizer_gets_each_nugget_as_it_was_judged_with_the_answer(judged: Campaign) -> None:
    path = written(judged, "nuggetizer")
    first = json.loads(path.read_text().splitlines()[0])
    assert (first["qid"], first["run_id"], first["response_length"]) == ("1", "one", 8)
    assert first["query"] == "frozen rivers"
    assert first["answer_text"] == " ".join(text for text, _ in ONE)
    assert [tuple(each) for each in read_assigned(path)[0].nuggets] == [
        ("How long?\n– decades", "vital", "support"),
        ("Who helps? (all of these)\n– grazers\n– fish", "okay", "not_support"),
        ("years are warm", "okay", "partial_support"),
    ]


def test_its_scores_are_those_of_the_labels_and_unjudged_earns_nothing(judged: Campaign) -> None:
    runs = scored(written(judged, "nuggetizer"))
    assert {tag: [values[0] for values in run.values.values()] for tag, run in runs.items()} == {
        "one": [1, 1 / 3, 1, 0.5],
        "two": [0, 1 / 3, 0, 1 / 3],
    }
    assert says(judged_lines(judged, "nuggetizer")[1])


def test_what_is_not_judged_can_be_written_as_failed(judged: Campaign) -> None:
    path = written(judged, "nuggetizer", unjudged="failed")
    assert [each.assignment for each in read_assigned(path)[1].nuggets] == [
        "not_support",
        "failed",
        "support",
    ]
    assert scored(path)["two"].values == scored(written(judged, "nuggetizer"))["two"].values
    with refused(UnknownName, "rag24", "failed"):
        judged_lines(judged, "rag24", unjudged="failed")


def test_the_support_of_each_citation_is_written_with_the_texts_that_are_stored(judged: Campaign) -> None:
    path = written(judged, "rag24")
    read = read_support(path)
    assert [(each.run, each.place, each.document_id, each.value) for each in read.citations] == [
        ("one", 0, YEARS, "supports"),
        ("one", 1, REEFS, "partial"),
        ("one", 1, YEARS, "none"),
        ("one", 2, "", None),
        ("two", 0, REEFS, "partial"),
        ("two", 1, REEFS, None),
    ]
    record = json.loads(path.read_text().splitlines()[0])
    assert record["segments"] == {YEARS: "", REEFS: "Reefs\nThey recover."}
    assert record["topic"] == "frozen rivers"
    assert says(judged_lines(judged, "rag24")[1])


def test_pairs_are_those_of_one_run_and_scored_with_its_answers_as_the_whole_file(judged: Campaign) -> None:
    with refused(CampaignError, "rag25", "--run"):
        judged_lines(judged, "rag25")
    Path("one.jsonl").write_text(answer("1", *ONE, run="one"))
    pairs = scored(written(judged, "rag25", tags=["one"]), Path("one.jsonl"))
    assert pairs["one"] == scored(written(judged, "rag24", "whole.jsonl", tags=["one"]))["one"]
    assert pairs["one"].values["weighted_precision"] == [0.5]


def test_a_track_gets_only_what_it_has_a_word_for(judged: Campaign) -> None:
    with refused(WorkbenchError, "biogen25-labels", "none", "partial"):
        list(judged_lines(judged, "biogen25-labels")[0])
    usual = USUAL[CITATIONS]
    grades = (Grade(-1, "Contradicts"), Grade(0, "Neutral"), Grade(1, "Supports"))
    declare(judged, usual._replace(name="evidence", grades=grades))
    add_pool(judged.asking("evidence"), depth=10)
    label(judged, "evidence", "Cooler years help.", REEFS, NO)
    label(judged, "evidence", "Cooler years help.", YEARS, AGAINST)
    label(judged, "evidence", "Reefs recover slowly.", YEARS, PART)
    with refused(CampaignError, "2 questions", "--question"):
        judged_lines(judged, "biogen25-labels")
    path = written(judged, "biogen25-labels", names=["evidence"])
    assert [each.value for each in read_support(path).citations[:3]] == ["supports", "neutral", "contradicts"]


def test_argue_gets_reports_whose_scores_are_those_of_the_labels(judged: Campaign) -> None:
    Path("d.jsonl").write_text(json.dumps({"id": YEARS, "text": "They are cool."}) + "\n")
    add_documents(judged, ["d.jsonl"], keep_all=True)
    add_pool(judged, depth=10)
    for document_id, grade in ((YEARS, 1), (REEFS, 0)):
        judge_as(judged, "Ann", "1", document_id, grade)
    Path("bank.json").write_text(banks_text([BANK], "argue"))
    runs = scored(written(judged, "argue"), Path("bank.json"))
    values = {tag: {name: each[0] for name, each in run.values.items()} for tag, run in runs.items()}
    assert (values["one"]["sentence_support"], values["two"]["sentence_support"]) == (1 / 2, 0)
    assert (values["one"]["citation_support"], values["one"]["citation_relevance"]) == (1 / 3, 2 / 3)
    assert [values[tag]["nugget_coverage"] for tag in ("one", "two")] == [1 / 2, 0]
    assert values["one"]["nugget_coverage_weighted"] == 2 / 3
    label(judged, "nuggets", "Who helps? (all of these)\n– grazers\n– fish", "", FULL, run="two")
    again = scored(written(judged, "argue"), Path("bank.json"))
    assert again["two"].values["nugget_coverage"] == [1 / 2]


@pytest.mark.parametrize("form", [each for each in FORMS if FORMS[each].several and "biogen" not in each])
def test_a_file_is_that_of_its_row_of_the_log_and_of_the_runs_that_take_part(
    judged: Campaign, form: str
) -> None:
    before, row = written(judged, form).read_text(), log.head(judged).seq
    label(judged, "support", "Half \ud800.", REEFS, FULL)
    label(judged, "nuggets", "How long?\n– decades", "", FULL, run="two")
    withdraw_runs(judged, ["one"])
    assert written(judged, form).read_text() != before
    assert '"one"' not in written(judged, form).read_text()
    assert written(judged, form, tags=["one"]).read_text() == before.splitlines(keepends=True)[0]
    assert written(judged.at(row), form).read_text() == before


def test_a_campaign_that_judges_no_answers_says_how_it_would(small: Campaign) -> None:
    with refused(CampaignError, "citations", "--about"):
        judged_lines(small, "rag24")
    with refused(UnknownName, "rag23"):
        judged_lines(small, "rag23")
