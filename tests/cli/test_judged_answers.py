"""Judged answers: scores of files of ARGUE and DRAGUN, and files of what a campaign judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_types import Fails, Workbench
from tests.judged_pairs import judge_as
from tests.made_answers import answer
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import units

# Of each topic of hltcoe/argue-viz, assets/example-report.scores.tsv: sentences, supported ones, nuggets, answered
# ones, characters. Each sentence has one citation, of a relevant document.
PUBLISHED = (
    """
300 15 14 15 9 1654|303 10 10 10 7 1146|308 10 9 10 6 1100|309 12 12 12 8 1283|310 11 10 11 6 1154|334 18 16 19 15 1857
335 11 10 11 10 1118|343 10 10 10 6 904|351 11 11 10 8 1021|352 15 14 15 14 1463|365 14 13 15 10 1553
367 18 18 18 13 1542|372 17 17 17 10 1861|373 13 12 13 7 1360|377 17 17 19 13 1971|380 19 18 19 16 1353
382 19 18 19 17 1700|383 13 12 13 12 1572|388 10 10 10 6 1130
""".strip()
    .replace("\n", "|")
    .split("|")
)


def attested(document: str, yes: bool) -> dict[str, Any]:
    return {
        "judgment_type_id": "SENTENCE_ATTESTED",
        "response": {"is_attested": yes},
        "provenance": {"doc_id": document},
    }


def relevant(document: str, yes: bool = True) -> dict[str, Any]:
    return {
        "judgment_type_id": "CITED_DOCUMENT_RELEVANCE",
        "response": {"is_relevant": yes},
        "provenance": {"doc_id": document},
    }


def answers(question: str, *texts: str) -> dict[str, Any]:
    matched = [{"question_text": question, "matched_answer": list(texts), "importance": None}]
    return {"judgment_type_id": "SENTENCE_ANSWERS_QUESTION", "response": {"matched_nuggets": matched}}


def sentence(cited: list[str], *judgments: dict[str, Any]) -> dict[str, Any]:
    return {
        "segment_type": "sentence",
        "citations": [{"doc_id": each} for each in cited],
        "judgments": judgments,
    }


def report(
    topic: str, *sentences: dict[str, Any], texts: tuple[str, ...] = ("Ab.",), run: str = "best"
) -> str:
    metadata = {"run_id": run, "topic_id": topic}
    responses = [{"text": text, "citations": {}} for text in texts]
    return (
        json.dumps({"report": {"metadata": metadata, "responses": responses}, "judgments": sentences}) + "\n"
    )


def bank(topic: str, **questions: dict[str, Any]) -> str:
    """A line of ARGUE's banks: by question its fields, of which answers are given as text: "a b" has two."""
    filled = {
        name: {
            "question": name,
            **fields,
            "answers": [{"answer": text, "references": ["d"]} for text in fields.get("answers", "a").split()],
        }
        for name, fields in questions.items()
    }
    return json.dumps({"query_id": topic, "nugget_bank": filled}) + "\n"


def test_the_published_example_has_its_published_scores_to_the_last_digit(
    done: Workbench, folder: Path
) -> None:
    reports, banks = [], []
    for row in PUBLISHED:
        topic, *numbers = row.split()
        sentences, supported, nuggets, answered, characters = map(int, numbers)
        judged = [
            sentence(
                ["d"],
                relevant("d"),
                attested("d", place < supported),
                *([answers(f"q{place}", "a")] * (place < answered)),
            )
            for place in range(max(sentences, answered))
        ]
        reports.append(report(topic, *judged, texts=("x" * (characters - 1), "y")))
        banks.append(bank(topic, **{f"q{place}": {} for place in range(nuggets)}))
    (folder / "judgments.jsonl").write_text("".join(reports))
    (folder / "banks.jsonl").write_text("".join(banks))
    result = done("eval-answers judgments.jsonl banks.jsonl")
    records = {record.pop("qid"): record for record in map(json.loads, result.stdout.splitlines())}
    assert result.stderr == ""
    assert records["all"] == {
        "sentence_support_micro": 0.9543726235741445,
        "sentence_support_macro": 0.9549052363456795,
        "nugget_coverage_micro": 0.7255639097744361,
        "nugget_coverage_macro": 0.7159860218357855,
        "nugget_coverage_weighted_micro": 0.7255639097744361,
        "nugget_coverage_weighted_macro": 0.7159860218357855,
        "f1_micro": 0.8243863007870667,
        "f1_macro": 0.8108727761893327,
        "f1_weighted_micro": 0.8243863007870667,
        "f1_weighted_macro": 0.8108727761893327,
        "citation_relevance_micro": 1.0,
        "citation_relevance_macro": 1.0,
        "citation_support_micro": 0.9543726235741445,
        "citation_support_macro": 0.9549052363456795,
        "character_count_median": 1360.0,
        "character_count_max": 1971.0,
    }
    assert [records["377"][name] for name in ("f1", "nugget_coverage")] == [
        0.8125000000000001,
        0.6842105263157895,
    ]
    assert [records["308"][name] for name in ("f1", "citation_support")] == [0.7200000000000001, 0.9]


@pytest.fixture
def two_reports(folder: Path) -> None:
    """Topic 1: a sentence with two citations of which one supports, one without. Run y answers topic 1 too, not 2."""
    first = report(
        "1",
        sentence(
            ["d", "e"],
            relevant("d"),
            relevant("e", False),
            attested("d", True),
            attested("e", False),
            answers("all", "a"),
        ),
        sentence([]),
        sentence(["d"], relevant("d"), attested("d", True), answers("any", "b"), answers("gone", "a")),
    )
    (folder / "x.jsonl").write_text(
        first + report("2", sentence(["d"], attested("d", True), answers("q", "a")))
    )
    (folder / "y.jsonl").write_text(
        report("1", sentence(["d"], attested("d", True), answers("all", "a", "b")), run="y")
    )
    (folder / "banks.jsonl").write_text(
        bank(
            "1",
            all={"answers": "a b", "aggregator_type": "AND", "importance": "vital"},
            any={"answers": "a b", "importance": "okay"},
            none={"answers": ""},
        )
        + bank("2", q={}, r={})
    )


@pytest.mark.usefixtures("two_reports")
def test_a_sentence_is_supported_by_all_its_citations_and_a_nugget_answered_as_its_answers_combine(
    done: Workbench,
) -> None:
    result = done("eval-answers x.jsonl banks.jsonl")
    record = json.loads(result.stdout.splitlines()[0])
    assert record == {
        "qid": "1",
        "sentence_support": 1 / 2,
        "nugget_coverage": 1 / 2,
        "nugget_coverage_weighted": 1 / 3,
        "f1": 1 / 2,
        "f1_weighted": 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3),
        "citation_relevance": 2 / 3,
        "citation_support": 2 / 3,
        "character_count": 3.0,
    }
    assert says(result.stderr, "x.jsonl", "1 sentence", "gone")


@pytest.mark.usefixtures("two_reports")
def test_a_topic_that_a_run_lacks_counts_as_zero_if_asked_for(done: Workbench) -> None:
    def of_y(more: str) -> dict[str, Any]:
        result = done(f"eval-answers x.jsonl y.jsonl banks.jsonl {more}")
        assert says(result.stderr, "y.jsonl", "2")
        record: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
        return record

    alone, all_topics = of_y(""), of_y("--complete")
    assert (alone["nugget_coverage_micro"], alone["nugget_coverage_macro"]) == (1 / 2, 1 / 2)
    assert (all_topics["nugget_coverage_micro"], all_topics["nugget_coverage_macro"]) == (1 / 4, 1 / 4)


@pytest.mark.usefixtures("two_reports")
def test_csv_has_one_column_for_each_number(done: Workbench) -> None:
    head, first, *_, last = done("eval-answers x.jsonl banks.jsonl --format csv").stdout.splitlines()
    assert {len(line.split(",")) for line in (head, first, last)} == {1 + 8 + 16}
    assert last.startswith("all,,,")


@pytest.mark.usefixtures("two_reports")
def test_reports_are_not_scored_without_their_nuggets(fails: Fails, folder: Path) -> None:
    assert says(fails("eval-answers x.jsonl"), "x.jsonl", "1", "2")
    assert says(fails("eval-answers banks.jsonl"), "banks.jsonl", "ARGUE")
    assert says(fails("eval-answers x.jsonl banks.jsonl x.jsonl"), "x.jsonl:1", "best")
    (folder / "sum.jsonl").write_text(bank("1", q={"aggregator_type": "SUM"}))
    assert says(fails("eval-answers x.jsonl sum.jsonl"), "sum.jsonl:1", "SUM")
    (folder / "must.jsonl").write_text(bank("1", q={"importance": "must"}))
    assert says(fails("eval-answers x.jsonl must.jsonl"), "must.jsonl:1", "'must'")


@pytest.mark.usefixtures("two_reports")
def test_files_of_two_forms_are_not_scored_together(fails: Fails, folder: Path) -> None:
    (folder / "a.jsonl").write_text(json.dumps({"qid": "1", "run_id": "z", "nuggets": []}) + "\n")
    assert says(fails("eval-answers x.jsonl a.jsonl banks.jsonl"), "a.jsonl", "nuggetizer", "ARGUE")


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("{}", ("x.jsonl:2", "report")),
        (report(""), ("x.jsonl:2",)),
        (report("1 2"), ("x.jsonl:2", "'1 2'")),
        (report("1", {"segment_type": "paragraph"}), ("judgments[0].segment_type", "paragraph")),
        (
            report("1", sentence(["d"], {"judgment_type_id": None})),
            ("judgments[0].judgments[0].judgment_type_id",),
        ),
        (
            report("1", sentence(["d"], {**attested("d", True), "response": {"is_attested": "yes"}})),
            ("judgments[0].judgments[0].response.is_attested", "'yes'"),
        ),
        (report("0"), ("x.jsonl:2", "line 1", "best")),
    ],
    ids=["no report", "no topic", "a topic with a blank", "a paragraph", "no kind", "no answer", "twice"],
)
def test_what_is_wrong_with_a_report_is_said(
    line: str, values: tuple[str, ...], fails: Fails, folder: Path
) -> None:
    (folder / "x.jsonl").write_text(report("0") + line)
    assert says(fails("eval-answers x.jsonl"), *values)


RUBRIC = {
    "topic_id": "t",
    "rubrics": [
        {
            "question_id": f"t-{place}",
            "importance": importance,
            "short_answers": [{"answer_id": each} for each in ids],
        }
        for place, importance, ids in [
            (1, "A: Have to Know", ["na-1", "na-2"]),
            (2, "C: Nice to Know", ["na-3"]),
        ]
    ],
}
REPORTS = "topic_id,run_tag,answer_id,annotation\nt,x,na-1,supports\nt,x,na-2,partial\nt,x,na-3,contradicts\n"
QUESTIONS = (
    "topic_id,rubric_question_rank,run_tag,run_question_rank,assessment\n"
    "t,1,x,1,very-similar\nt,1,x,2,similar\nt,2,x,2,different\n"
)
COMPOUND = "topic_id,run_tag,rank,compound_question\nt,x,1,True\nt,x,2,False\n"


@pytest.fixture
def dragun(folder: Path) -> Path:
    (folder / "t.json").write_text(json.dumps(RUBRIC, indent=1))
    for name, text in {"reports": REPORTS, "questions": QUESTIONS, "compound": COMPOUND}.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


@pytest.mark.usefixtures("dragun")
def test_a_report_supports_and_contradicts_a_rubric_by_its_weights(done: Workbench) -> None:
    records = list(map(json.loads, done("eval-answers reports.csv t.json").stdout.splitlines()))
    scores = {"supportive_score": 4 * 0.75 / 5, "contradictory_score": 1 * 1 / 5}
    assert records == [{"qid": "t", **scores}, {"qid": "all", **scores}]


@pytest.mark.usefixtures("dragun")
def test_of_the_questions_of_a_run_the_best_match_counts_and_a_compound_one_nothing(done: Workbench) -> None:
    record, _ = map(json.loads, done("eval-answers questions.csv compound.csv t.json").stdout.splitlines())
    assert record == {"qid": "t", "question_score": 4 * 0.5 / 5}


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("reports", REPORTS + "t,x,na-1,none\n", ("reports.csv:5", "line 2")),
        ("reports", REPORTS + "t,x,na-9,none\n", ("reports.csv:5", "na-9", "t")),
        ("reports", REPORTS + "t,y,na-1,maybe\n", ("reports.csv:5", "annotation", "'maybe'", "contradicts")),
        ("reports", REPORTS + "t,y,na-1\n", ("reports.csv:5", "annotation")),
        ("reports", "topic_id,run_tag,answer_id,annotation\n", ("reports.csv",)),
        ("compound", COMPOUND.replace("t,x,2,False", "t,x,3,False"), ("questions.csv:3", "2")),
    ],
    ids=["twice", "unknown answer", "unknown label", "a cell too few", "no label", "not compound"],
)
def test_what_is_wrong_with_labels_is_said(
    name: str, text: str, values: tuple[str, ...], fails: Fails, dragun: Path
) -> None:
    (dragun / f"{name}.csv").write_text(text)
    files = "reports.csv" if name == "reports" else "questions.csv compound.csv"
    assert says(fails(f"eval-answers {files} t.json"), *values)


def test_labels_are_not_scored_without_their_rubric(fails: Fails, dragun: Path) -> None:
    assert says(fails("eval-answers reports.csv"), "reports.csv:2", "na-1")
    assert says(fails("eval-answers compound.csv t.json"), "DRAGUN")
    (dragun / "banks.jsonl").write_text(bank("t", q={}))
    assert says(fails("eval-answers reports.csv banks.jsonl"), "banks.jsonl:1", "argue")
    assert says(fails("eval-answers reports.csv t.json banks.jsonl"), "banks.jsonl:1", "t.json")


@pytest.fixture
def task(done: Workbench, campaign: Campaign) -> Campaign:
    """Two runs of answers to topics 1 and 2, with questions about citations and nuggets; all is pooled."""
    for run, said in (("one", ("Reefs recover.", [0, 1])), ("two", ("Heat kills.", [0]))):
        Path(f"{run}.jsonl").write_text(
            answer("1", said, ("Fish help.", [0]), run=run) + answer("2", ("Fish help.", [1]), run=run)
        )
    nuggets = [{"text": "a", "importance": "vital"}, {"text": "b", "importance": "okay"}]
    banks = [{"query": "", "qid": topic, "nuggets": nuggets} for topic in ("1", "2")]
    Path("bank.jsonl").write_text("".join(json.dumps(each) + "\n" for each in banks))
    for command in ("answers small one.jsonl two.jsonl", "nuggets small bank.jsonl"):
        done(f"add {command}")
    for question, about in (("support", "citations"), ("nuggets", "nuggets")):
        done(f"question small {question} --about {about}")
        done(f"pool small --question {question} --depth 10")
    return campaign


@pytest.mark.parametrize(("question", "form"), [("support", "rag24"), ("nuggets", "nuggetizer")])
def test_the_scores_of_what_is_exported_are_those_of_the_campaign(
    question: str, form: str, done: Workbench, task: Campaign
) -> None:
    for topic, grades in (("1", [2, 1, 0, 1]), ("2", [1])):
        pairs = zip(units.of_topic(task, f"{topic}!{question}").units, grades, strict=False)
        for unit, grade in pairs:
            judge_as(task, "Ann", f"{topic}!{question}", unit.unit_id, grade)
    said = done(f"export judged-answers small --form {form} -o judged.jsonl").stderr
    assert says(said)
    of_file = done("eval-answers judged.jsonl --layout ir_measures").stdout.splitlines()
    of_campaign = done(f"export scores small --question {question} --layout ir_measures").stdout.splitlines()
    assert len(of_campaign) >= 2 * 3 * 4  # runs, topics with all, measures
    # A file has those of documents cited as contradicting where there are any; a board has measures of other programs.
    measures = {line.split("\t")[2] for line in of_file}
    both = [line for line in of_campaign if line.split("\t")[2] in measures]
    assert {*both} <= {*of_file}
    assert len({line.split("\t")[2] for line in both}) >= 4
    assert len({line.split("\t")[3] for line in both}) > 3


def test_a_grade_that_is_worth_another_share_than_half_is_said(done: Workbench, task: Campaign) -> None:
    scale = "0:None,1:Little,2:Much,3:All"
    done("question small shares --about citations --title 'How much?' --grades", scale)
    said = done("export judged-answers small --form rag24 --question shares -o judged.jsonl").stderr
    assert says(said, "Little", "Much")


@pytest.mark.usefixtures("task")
@pytest.mark.parametrize(
    ("question", "measure"),
    [("", "AP"), ("support", "weighted_precision"), ("nuggets", "strict_vital_score")],
)
def test_commands_begin_with_the_first_measure_of_the_leaderboard(
    done: Workbench, question: str, measure: str
) -> None:
    asked = f"--question {question} --format json" if question else "--format json"
    for command in ("analyse compare small one two", "campaign topics small"):
        assert json.loads(done(f"{command} {asked}").stdout)["measure"] == measure
    assert json.loads(done(f"judging conflicts small {asked}").stdout)["measure"] == measure
