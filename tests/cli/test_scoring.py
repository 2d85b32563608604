"""score and measures."""

from __future__ import annotations

import csv
import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from tests.fixture_types import Workbench
from tests.sentences import says
from workbench.methods.measures import MEASURES


@pytest.fixture
def judged(done: Workbench) -> None:
    Path("q.txt").write_text("1 0 d1 1\n1 0 d4 0\n2 0 d2 2\n", encoding="utf-8")
    done("add", "qrels", "small", "q.txt")


@pytest.mark.usefixtures("judged")
def test_csv_has_the_measures_as_asked_for_and_all_digits(done: Workbench) -> None:
    result = done("score", "small", "-m", "map", "-m", "P(rel=2)@3", "--format", "csv")
    rows = list(csv.reader(result.stdout.splitlines()))
    assert rows[0] == ["run", "map", "P(rel=2)@3"]
    assert [rows[1][0], float(rows[1][1]), float(rows[1][2])] == ["alpha", 0.75, 1 / 6]
    told = "3 judged pairs in 2 topics, as of log row 9. Scores are over the 2 of 3 topics with judgments."
    assert result.stderr == f"{told}\n"


@pytest.mark.usefixtures("judged")
def test_scores_as_of_a_row_are_those_of_that_time(done: Workbench) -> None:
    def scores(*words: str) -> list[dict[str, object]]:
        read = json.loads(done("score", "small", "-m", "P@1", "--format", "json", *words).stdout)
        return [run["scores"] for run in read["runs"]]

    assert scores("--as-of", "7") == [{"P@1": 1.0}, {"P@1": 0.0}]
    assert scores() == [{"P@1": 0.5}, {"P@1": 0.5}]


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    ("measure", "rows"), [("RR", ["alpha 0.7500", "beta 0.6667"]), ("SetE", ["beta 0.2500", "alpha 0.5000"])]
)
def test_the_table_begins_with_the_best_run_which_may_have_the_lowest_value(
    done: Workbench, measure: str, rows: list[str]
) -> None:
    Path("q.txt").write_text("2 0 d5 1\n", encoding="utf-8")
    done("add", "qrels", "small", "q.txt")
    shown = done("score", "small", "-m", measure).stdout.splitlines()[1:]
    assert [" ".join(row.split()) for row in shown] == rows


def test_before_the_first_run_the_board_says_as_of_when_there_was_none(done: Workbench) -> None:
    assert says(done("score", "small", "--as-of", "0").stderr)


@pytest.mark.usefixtures("judged")
def test_scores_can_be_those_of_the_topics_that_are_judged_to_the_end(done: Workbench) -> None:
    assert "over the 0 of 3 topics" in done("score", "small", "--finished-topics").stderr
    # Pooled are d1 d2 d3 d4 of topic 1, d1 d2 d5 of topic 2, and one document of topic 10.
    Path("more.txt").write_text("2 0 d1 0\n2 0 d5 0\n", encoding="utf-8")
    done("add", "qrels", "small", "more.txt")
    shown = done(
        "score", "small", "-m", "AP", "-m", "AP(bound=upper)", "--finished-topics", "--format", "json"
    )
    told = json.loads(shown.stdout)
    assert [run["run"] for run in told["runs"]] == ["beta", "alpha"]
    assert told["runs"][1]["scores"]["AP"] == 0.5  # topic 2 alone, where alpha has d2 on rank 2
    assert (told["topics"], told["topic_counts"]) == (
        1,
        {"judged": 2, "finished": 1, "in_the_end": 3, "only_finished": True},
    )
    assert says(shown.stderr)


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("kind", ["table", "trec", "csv", "json", "latex"])
def test_every_format_names_every_run(done: Workbench, kind: str) -> None:
    shown = done("score", "small", "--format", kind).stdout
    assert "alpha" in shown
    assert "beta" in shown


def test_before_any_judgment_it_says_what_to_do(done: Workbench) -> None:
    assert says(done("score", "small").stderr)


@pytest.mark.parametrize("kind", ["table", "trec", "csv", "json", "latex"])
def test_an_empty_campaign_is_scored_and_says_what_to_do(done: Workbench, kind: str) -> None:
    done("new", "web")
    assert says(done("score", "web", "--format", kind).stderr)


def test_one_topic_without_relevant_documents_scores_0(done: Workbench) -> None:
    Path("q.txt").write_text("1 0 d1 0\n", encoding="utf-8")
    done("add", "qrels", "small", "q.txt")
    shown = done("score", "small", "--format", "csv").stdout
    values = {
        value
        for row in csv.DictReader(shown.splitlines())
        for name, value in row.items()
        if name not in {"run", "Judged@10"}
    }
    assert values == {"0.0"}


def test_tags_that_a_spreadsheet_would_run_are_escaped(done: Workbench) -> None:
    Path("x.run").write_text("1 Q0 d1 1 3 =cmd|x\n", encoding="utf-8")
    done("add", "runs", "small", "x.run")
    shown = done("score", "small", "--format", "csv").stdout
    assert [row[0] for row in csv.reader(shown.splitlines())][-1] == "'=cmd|x"


def test_square_brackets_in_a_tag_are_shown_as_they_are(done: Workbench) -> None:
    Path("x.run").write_text("1 Q0 d1 1 3 [bold]x[/bold]\n", encoding="utf-8")
    done("add", "runs", "small", "x.run")
    assert "[bold]x[/bold]" in done("score", "small").stdout


def test_every_measure_of_the_registry_is_listed(done: Workbench) -> None:
    shown = done("measures").stdout
    assert [name for name in MEASURES if name not in shown] == []


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("text", ["-1", "yesterday", " "])
@pytest.mark.parametrize("words", [("score", "small", "--as-of"), ("compare", "small", "--against-as-of")])
def test_what_names_no_row_in_any_campaign_is_wrong_usage(
    workbench: Workbench, words: tuple[str, ...], text: str
) -> None:
    result = workbench(*words, text)
    assert result.exit_code == 2
    assert f"Invalid value for {words[-1]}" in result.stderr


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    "words",
    [
        ("score", "small"),
        ("export", "qrels", "small"),
        ("export", "judgments", "small"),
        ("export", "pool", "small"),
        ("export", "scores", "small"),
        ("runs", "small"),
        ("topics", "small"),
        ("compare", "small", "--all", "--permutations", "9"),
    ],
)
def test_as_of_a_date_is_as_of_the_last_row_up_to_it_which_is_said(
    done: Workbench, workbench: Workbench, words: tuple[str, ...]
) -> None:
    today = datetime.now().astimezone().date().isoformat()
    told = done(*words, "--as-of", today)
    found = re.search(
        rf"{today} 23:59:59 \(.*?\) is log row (\d+), written {today}", " ".join(told.stderr.split())
    )
    assert found is not None
    assert told.stdout == done(*words, "--as-of", found[1]).stdout
    assert "the log begins at" in workbench(*words, "--as-of", "1999-12-31 10:00").stderr


@pytest.fixture
def three(done: Workbench) -> None:
    """Runs of which each is the best on another measure, or has the first name or team; d1 alone is relevant."""
    lines = {"run10": ["d1", "d9", "d8"], "run2": ["d9", "d1"], "a-run": ["d9", "d8", "d1"]}
    for tag, documents in lines.items():
        text = (f"1 Q0 {name} 1 {9 - rank} {tag}\n" for rank, name in enumerate(documents))
        Path(f"{tag}.run").write_text("".join(text), encoding="utf-8")
    Path("q.txt").write_text("1 0 d1 1\n", encoding="utf-8")
    done("new", "three")
    for tag, team in (("run2", "Z"), ("a-run", "B"), ("run10", "C")):
        done("add", "runs", "three", f"{tag}.run", "--team", team)
    done("add", "qrels", "three", "q.txt")


ASKED = ["-m", "RR", "-m", "NumRet"]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("words", "tags"),
    [
        ([], ["run10", "run2", "a-run"]),
        (["--sort", "RR"], ["run10", "run2", "a-run"]),
        (
            ["--sort", "NumRet"],
            ["a-run", "run10", "run2"],
        ),  # three documents each but run2, which was added first
        (["--sort", "run"], ["a-run", "run2", "run10"]),
        (["--sort", "team"], ["a-run", "run10", "run2"]),
        (["--sort", "added"], ["run2", "a-run", "run10"]),
    ],
)
def test_tables_and_exports_of_scores_have_one_order(
    done: Workbench, words: list[str], tags: list[str]
) -> None:
    def firsts(*command: str) -> list[str]:
        lines = done(*command, *ASKED, *words).stdout.splitlines()
        return [tag for line in lines for tag in tags if f" {tag} " in re.sub(r"[^\w-]", " ", f" {line} ")]

    for form in ("table", "csv", "latex"):
        assert firsts("score", "three", "--format", form) == tags, form
    told = json.loads(done("score", "three", "--format", "json", *ASKED, *words).stdout)
    assert [run["run"] for run in told["runs"]] == tags
    trec = done("score", "three", "--format", "trec", *ASKED, *words).stdout
    assert [line.split()[2] for line in trec.splitlines() if line.startswith("runid")] == tags
    for export in ("scores", "latex", "topic-scores"):
        assert firsts("export", export, "three") == tags, export


@pytest.mark.usefixtures("three")
def test_a_column_that_is_not_there_is_refused_with_those_that_are(workbench: Workbench) -> None:
    result = workbench("score", "three", *ASKED, "--sort", "AP")
    assert (result.exit_code, result.stdout) == (1, "")
    assert says(result.stderr, "AP")
    compared = workbench("export", "latex", "three", "--run", "run2", "--run", "a-run", "--sort", "run")
    assert (compared.exit_code, "leave out --sort" in compared.stderr) == (2, True)


@pytest.mark.usefixtures("three")
def test_the_scores_by_topic_stay_with_their_runs_in_every_order(done: Workbench) -> None:
    orders = [
        done("export", "topic-scores", "three", *ASKED, "--sort", by).stdout.splitlines()
        for by in ("run", "added", "RR")
    ]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2])
    assert "run10,C,1,1.0,3.0" in orders[0]
