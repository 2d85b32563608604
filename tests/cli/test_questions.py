"""question: asking more about documents; --question counts the answers in the place of relevance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Rows, Workbench
from tests.judged_pairs import judge_as
from tests.made_answers import GRAZERS, REEFS, YEARS, answer
from tests.sentences import says
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, pools

READABLE = ("--title", "Readable?", "--grades", "0:Hard,1:Fair,2:Easy", "--good-from", "2")


@pytest.fixture
def asked(folder: Path, done: Workbench) -> Path:
    """The campaign `small`, where a document of topic 1 is relevant and easy to read."""
    assert says(done("question small readable", *READABLE, "--asked-from", "1").stderr, "readable")
    with open_campaign("instance/small.db") as campaign:
        judge_as(campaign, "Ann", "1", "d1", 1)
        judge_as(campaign, "Ann", "1!readable", "d1", 2)
    return folder


def test_the_questions_are_listed_with_what_is_asked_and_answered(asked: Path, rows: Rows) -> None:
    assert [list(row.values()) for row in rows("question small")] == [
        ["readable", "Readable?", "documents", "scale", "0:Hard, 1:Fair, 2:Easy", "1", "1", "1"]
    ]


def test_qrels_and_scores_of_a_question_are_its_answers(asked: Path, done: Workbench, rows: Rows) -> None:
    assert done("export qrels small --question readable").stdout == "1 0 d1 2\n"
    assert done("export qrels small").stdout == "1 0 d1 1\n"
    scores = rows("score small --question readable -m RR(rel=2)")
    assert [list(row.values())[1] for row in scores] == ["1.0", str(1 / 3)]


def test_a_question_is_changed_and_keeps_what_is_not_named(asked: Path, done: Workbench, rows: Rows) -> None:
    done("question small readable --of-all --guideline patients")
    assert list(rows("question small")[0].values())[5:] == ["", "7", "1"]


@pytest.mark.parametrize("words", ["harm", "--title Harmful?", "readable --asked-from 1 --of-all"])
def test_options_that_make_no_sense_are_wrong_usage(asked: Path, fails: Fails, words: str) -> None:
    assert says(fails(f"question small {words}", status=2))


def test_a_grade_that_was_given_stays_on_the_scale_of_its_question(asked: Path, fails: Fails) -> None:
    assert says(fails("question small readable --grades 0:Hard,3:Plain"), "2 (1 time)")


def test_a_question_is_answered_by_a_label_several_labels_or_a_number(
    folder: Path, done: Workbench, rows: Rows
) -> None:
    done("question small kind --title Kind? --answered label --grades 0:Advert,1:News")
    done("question small parts --title Parts? --answered labels --counts 0=0,1=2,2=3,4=4 --good-from 2")
    done("question small types --title Types? --answered labels --labels 1:News,2:Study")
    done("question small worth --title Worth? --answered weight --grades 0..10")
    done("question small types --guideline Several")
    assert [list(row.values())[3:5] for row in rows("question small")] == [
        ["label", "0:Advert, 1:News"],
        ["labels", "nuggets as 0=0, 1=2, 2=3, 4=4"],
        ["labels", "1:News, 2:Study as 0=0, 1=1, 2=2"],
        ["weight", "0..10"],
    ]
    with open_campaign("instance/small.db") as campaign:
        judge_as(campaign, "Ann", "1!types", "d1", 2, chosen=0b11)
    assert done("export qrels small --question types").stdout == "1 0 d1 2\n"
    (row,) = map(json.loads, done("export judgments small").stdout.splitlines())
    assert (row["grade"], row["grade_name"], row["chosen_names"]) == (
        2,
        "2 or more labels",
        ["News", "Study"],
    )


@pytest.mark.parametrize(
    "words",
    ["--answered weight --grades 0..", "--answered weight --grades 0..500", "--answered labels --counts 1=1"],
)
def test_a_kind_of_answer_that_makes_no_sense_is_refused(folder: Path, fails: Fails, words: str) -> None:
    assert says(fails(f"question small harm --title Harm? {words}"))


def test_an_unknown_question_names_the_others(asked: Path, fails: Fails) -> None:
    assert says(fails("score small --question readible"), "readible", "readable")


def test_a_bundle_brings_questions_and_answers_into_another_instance(asked: Path, done: Workbench) -> None:
    done("bundle small --runs -o small.zip")
    done("import-bundle again small.zip")
    assert done("export qrels again --question readable").stdout == "1 0 d1 2\n"
    assert done("question again --format csv").stdout == done("question small --format csv").stdout
    assert "FAILED" not in done("audit again").stdout


def test_the_documents_that_pooled_answers_cite_come_with_their_texts(folder: Path, done: Workbench) -> None:
    Path("best.jsonl").write_text(answer("1"), encoding="utf-8")
    done("add answers small best.jsonl")
    lines = [json.dumps({"id": each, "text": f"About {each}"}) for each in (REEFS, YEARS, GRAZERS)]
    Path("cited.jsonl").write_text("\n".join(lines))
    done("add documents small cited.jsonl")
    done("question small support --about citations")
    with open_campaign("instance/small.db") as campaign:
        assert documents.find(campaign, REEFS) is None
    assert says(done("pool small --question support --depth 9").stderr, "3 pairs")
    with open_campaign("instance/small.db") as campaign:
        cited = {each: documents.text_hash_of(campaign, each) for each in (REEFS, YEARS, GRAZERS)}
        assert (cited[GRAZERS], None in (cited[REEFS], cited[YEARS])) == (None, False)
        pairs = pools.pooled_pairs(campaign, "1!support")
        pooled = documents.some(campaign, [pair.pooled.document_id for pair in pairs])
        fields = [each.document.fields for each in pooled]
        assert {each["document_text"] for each in fields} == {cited[REEFS], cited[YEARS]}
        assert all(each["document_text"] == cited[each["document"]] for each in fields)


def test_a_question_says_what_a_changed_bank_made_of_it_and_pools_the_new_units(
    folder: Path, done: Workbench
) -> None:
    Path("best.jsonl").write_text(answer("1"), encoding="utf-8")
    done("add answers small best.jsonl")
    bank = {"qid": "1", "query": "rivers", "nuggets": [{"text": "Deep", "importance": "vital"}]}
    Path("bank.jsonl").write_text(json.dumps(bank))
    done("add nuggets small bank.jsonl")
    done("question small nuggets --about nuggets")
    done("pool small --question nuggets --budget 1 --strategy rrf --depth 5")
    with open_campaign("instance/small.db") as campaign:
        (pair,) = pools.pooled_pairs(campaign, "1!nuggets")
        judge_as(campaign, "Ann", "1!nuggets", pair.pooled.document_id, 2)
    assert says(done("question small nuggets").stderr, "1 answered")
    bank["nuggets"][0]["text"] = "Deeper"
    Path("bank.jsonl").write_text(json.dumps(bank))
    done("add nuggets small bank.jsonl")
    assert says(done("question small nuggets").stderr, "1 judgment", "1 new unit")
    assert says(done("pool small --question nuggets").stderr, "1 pair")
    assert says(done("question small nuggets").stderr, "0 answered")


def test_relevance_and_answers_are_scored_together_and_files_are_not(
    asked: Path, done: Workbench, fails: Fails, rows: Rows
) -> None:
    scores = rows("score small -m uRBP(p=0.5,rel=1) -m CAM(of=AP,rel=1)")
    assert [list(row.values())[1:] for row in scores] == [["0.5", "1.0"], ["0.125", str(1 / 3)]]
    done("export qrels small -o small.qrels")
    done("export runs small -o runs.zip")
    assert says(fails("eval -m uRBP small.qrels alpha.run"))
