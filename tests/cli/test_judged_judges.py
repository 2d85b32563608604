"""`workbench judges`: judges against truths."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.conftest import judge_as
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.core.model_answers import ModelAnswer
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.models import answers

TRUTH = {"a": 1, "b": 2, "c": 3, "d": 4}


def tot(measures: dict[str, tuple[int, ...]]) -> str:
    """A leaderboard in the layout of the track Tip of the Tongue: one topic, and all."""
    return "".join(
        f"{run} {measure} {topic} {value}\n"
        for measure, values in measures.items()
        for topic in ("q1", "all")
        for run, value in zip(TRUTH, values, strict=True)
    )


@pytest.fixture
def two_boards(folder: Path) -> None:
    """The example that auto-judge-evaluate is tested with."""
    (folder / "truth.tot").write_text(tot({"ORACLE": (1, 2, 3, 4)}))
    (folder / "judge.tot").write_text(tot({"M1": (1, 3, 2, 4), "M2": (4, 3, 2, 1)}))


@pytest.mark.usefixtures("two_boards")
def test_the_example_of_auto_judge_evaluate_has_its_numbers(done: Workbench) -> None:
    result = done("judges judge.tot --truth truth.tot --layout tot --format json")
    rows = json.loads(result.stdout)["boards"]
    assert [(row["judge"], row["measure"]) for row in rows] == [("judge.tot", "M1"), ("judge.tot", "M2")]
    values = [[row[name] for name in ("tau_b", "pearson", "spearman", "tau_ap")] for row in rows]
    assert values == [pytest.approx([2 / 3, 0.8, 0.8, 2 / 3]), pytest.approx([-1, -1, -1, -1])]
    assert says(result.stderr)


@pytest.mark.usefixtures("two_boards")
def test_csv_has_all_columns_and_a_table_those_that_people_look_at(done: Workbench) -> None:
    words = "judges judge.tot --truth truth.tot --layout tot -m M1 --best 2 --resamples 0"
    table, (heads, *rows) = done(words).stdout, csv.reader(done(f"{words} --format csv").stdout.splitlines())
    assert [row[heads.index("best")] for row in rows] == ["", "2"]
    assert {"tau", "pearson_low", "runs_missing"} <= set(heads)
    assert "Runs missing" not in table.splitlines()[0]
    assert says(done(words).stderr)
    assert r"\toprule" in done(f"{words} --format latex").stdout


def test_qrels_and_truths_of_two_folders_with_one_name(done: Workbench, folder: Path) -> None:
    for name, text in (
        ("x/q.txt", "1 0 a 1\n1 0 b 0\n"),
        ("y/q.txt", "1 0 a 1\n1 0 b 1\n"),
        ("j.txt", "1 0 a 1\n1 0 b 0\n"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    result = done(
        "judges j.txt --truth x/q.txt --truth y/q.txt --layout qrels --relevant-from 1 --format json"
    )
    rows = json.loads(result.stdout)["labels"]
    assert [(row["truth"], row["judge"], row["recall_all"]) for row in rows] == [
        ("x/q.txt", "j.txt", 1.0),
        ("y/q.txt", "j.txt", 0.5),
    ]


@pytest.mark.usefixtures("two_boards")
def test_what_cannot_be_compared_is_refused(fails: Fails) -> None:
    assert says(fails("judges judge.tot --truth truth.tot --layout tot --truth-layout qrels", status=2))
    assert says(fails("judges judge.tot --truth truth.tot --layout tot -m M3"), "judge.tot", "M3")
    assert says(fails("judges judge.tot --truth truth.tot --layout trec_eval"), "truth.tot:1")
    assert "--layout" in fails("judges judge.tot --truth truth.tot", status=2)
    assert "--campaign" in fails("judges judge.tot --campaign small", status=2)


def test_the_judges_of_a_campaign_are_compared_with_its_people(done: Workbench, campaign: Campaign) -> None:
    Path("labels.txt").write_text("1 0 d1 1\n1 0 d2 0\n")
    for name in ("free", "paid"):
        done(f"add model-labels small labels.txt --form qrels --judge {name}")
    took = {"cost": 0.5, "input_tokens": 90, "output_tokens": 10}
    with campaign.write():
        answers.put_answers(campaign.by("Olga"), "paid", [ModelAnswer("2", "d2", grade=1, **took)])
    for topic_id, document_id in (("1", "d1"), ("1", "d2"), ("2", "d2")):
        judge_as(campaign, "Ann", topic_id, document_id, 1)
    result = done("judges --campaign small --page page.html --format json")
    rows = json.loads(result.stdout)["labels"]
    found = [(row["judge"], row["pairs"], row["recall_all"], row["tokens"], row["cost"]) for row in rows]
    assert found == [("free", 2, 0.5, None, None), ("paid", 3, 2 / 3, 100.0, 0.5)]
    assert says(result.stderr)
    page = Path("page.html").read_text()
    # Of two topics at most there is no interval of kappa, twice; and what the free judge took is not known.
    assert (page.count(">–<"), page.count(">100.00<")) == (6, 1)
    told = done("export model-labels small -o out.jsonl")
    assert told.exit_code == 0
    Path("truth.txt").write_text("1 0 d1 1\n1 0 d2 1\n2 0 d2 1\n")
    words = "judges out.jsonl --layout workbench --truth truth.txt --truth-layout qrels --format json"
    of_file = json.loads(done(words).stdout)["labels"]
    assert [(row["judge"], row["pairs"], row["tokens"], row["cost"]) for row in of_file] == [
        ("free", 2, None, None),
        ("paid", 3, 100.0, 0.5),
    ]


def test_judges_of_files_have_codes_which_a_table_keeps(done: Workbench, fails: Fails, folder: Path) -> None:
    for name, values in (("acme", (3, 2, 1)), ("best", (1, 2, 3))):
        lines = (f"1 Q0 {run} 1 {value} {name}\n" for run, value in zip("xyz", values, strict=True))
        (folder / f"{name}.run").write_text("".join(lines))
    (folder / "truth").write_text("x 1 M 3\ny 1 M 2\nz 1 M 1\n")
    words = "judges acme.run best.run --truth truth --layout ranking --truth-layout ir_measures --format json"
    plain = {row["judge"]: row for row in json.loads(done(words).stdout)["boards"]}
    first = done(f"{words} --codes --code-table mine.csv")
    assert "acme" not in first.stdout
    heads, *table = csv.reader((folder / "mine.csv").read_text().splitlines())
    assert heads == ["run", "team", "run_code", "team_code"]
    coded = {row["judge"]: row["tau_b"] for row in json.loads(first.stdout)["boards"]}
    assert coded == {code: plain[name]["tau_b"] for name, _, code, _ in table}
    assert [len(code) for _, _, code, _ in table] == [6, 6]
    assert json.loads(done(f"{words} --codes --code-table mine.csv").stdout) == json.loads(first.stdout)
    (folder / "bad.csv").write_text("x\n")
    assert says(fails(f"{words} --codes --code-table bad.csv"), "bad.csv")


def test_nuggets_of_files_are_compared_with_a_bank(done: Workbench, folder: Path) -> None:
    for name, texts in (
        ("truth", ("the dam is old", "fish live there")),
        ("judge", ("The dam is old.", "it rains")),
    ):
        nuggets = [{"text": text, "importance": "vital"} for text in texts]
        (folder / name).write_text(json.dumps({"qid": "1", "query": "dams", "nuggets": nuggets}) + "\n")
    result = done("judges judge --truth truth --layout nuggets --format json")
    (row,) = json.loads(result.stdout)["banks"]
    assert (row["judge"], row["same"], row["recall_all"], row["recall_low"]) == ("judge", 0.5, 0.5, None)
    assert says(result.stderr)
    assert "Recall" in done("judges judge --truth truth --layout nuggets").stdout
