"""score and measures."""

from __future__ import annotations

import csv
import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.methods.measures import MEASURES


@pytest.fixture
def judged(done: Workbench) -> None:
    Path("q.txt").write_text("1 0 d1 1\n1 0 d4 0\n2 0 d2 2\n", encoding="utf-8")
    done("add qrels small q.txt")


@pytest.mark.usefixtures("judged")
def test_csv_has_the_measures_as_asked_for_and_all_digits(done: Workbench) -> None:
    result = done("score small -m map -m P(rel=2)@3 --format csv")
    rows = list(csv.reader(result.stdout.splitlines()))
    assert rows[0] == ["run", "map", "P(rel=2)@3"]
    assert [rows[1][0], float(rows[1][1]), float(rows[1][2])] == ["alpha", 0.75, 1 / 6]
    assert says(result.stderr, "3 judged pairs in 2 topics", "log row 9")


@pytest.mark.usefixtures("judged")
def test_scores_as_of_a_row_are_those_of_that_time(done: Workbench) -> None:
    def scores(*words: str) -> list[dict[str, object]]:
        read = json.loads(done("score small -m P@1 --format json", *words).stdout)
        return [run["scores"] for run in read["runs"]]

    assert scores("--as-of", "7") == [{"P@1": 1.0}, {"P@1": 0.0}]
    assert scores() == [{"P@1": 0.5}, {"P@1": 0.5}]


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(("measure", "best"), [("RR", "alpha 0.7500"), ("SetE", "beta 0.2500")])
def test_the_table_begins_with_the_best_run_which_may_have_the_lowest_value(
    done: Workbench, measure: str, best: str
) -> None:
    done("add qrels small -", given="2 0 d5 1\n")
    assert done(f"score small -m {measure}").stdout.splitlines()[1].split() == best.split()


@pytest.mark.usefixtures("judged")
def test_scores_can_be_those_of_the_topics_that_are_judged_to_the_end(done: Workbench) -> None:
    assert "over the 0 of 3 topics" in done("score small --finished-topics").stderr
    # Pooled are d1 d2 d3 d4 of topic 1, d1 d2 d5 of topic 2, and one document of topic 10.
    done("add qrels small -", given="2 0 d1 0\n2 0 d5 0\n")
    shown = done("score small -m AP --finished-topics --format json")
    told = json.loads(shown.stdout)
    assert [(run["run"], run["scores"]["AP"]) for run in told["runs"]] == [("beta", 1.0), ("alpha", 0.5)]
    counts = {"judged": 2, "finished": 1, "in_the_end": 3, "only_finished": True}
    assert (told["topics"], told["topic_counts"]) == (1, counts)
    assert says(shown.stderr)


def test_an_empty_campaign_is_scored_and_says_what_to_do(done: Workbench) -> None:
    done("new web")
    forms = ("table", "trec", "csv", "json", "latex")
    (said,) = {done(f"score web --format {form}").stderr for form in forms}
    assert says(said)


@pytest.mark.parametrize(
    ("tag", "form", "shown"), [("=cmd|x", "csv", "'=cmd|x"), ("[bold]x[/bold]", "table", "[bold]x[/bold]")]
)
def test_a_tag_does_nothing_in_a_spreadsheet_or_on_a_terminal(
    done: Workbench, tag: str, form: str, shown: str
) -> None:
    done("add runs small -", given=f"1 Q0 d1 1 3 {tag}\n")
    assert done(f"score small --format {form}").stdout.splitlines()[-1].strip().startswith(shown)


def test_every_measure_of_the_registry_is_listed(done: Workbench) -> None:
    shown = done("measures").stdout
    assert [name for name in MEASURES if name not in shown] == []


@pytest.mark.parametrize("text", ["-1", "yesterday", "' '"])
def test_what_names_no_row_in_any_campaign_is_wrong_usage(fails: Fails, text: str) -> None:
    for command in ("score small --as-of", "compare small --against-as-of"):
        assert f"Invalid value for {command.split()[-1]}" in fails(f"{command} {text}", status=2)


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize(
    "command",
    [
        "score small",
        "export qrels small",
        "runs small",
        "topics small",
        "compare small --all --permutations 9",
    ],
)
def test_as_of_a_date_is_as_of_the_last_row_up_to_it_which_is_said(
    done: Workbench, workbench: Workbench, command: str
) -> None:
    today = datetime.now().astimezone().date().isoformat()
    told = done(f"{command} --as-of {today}")
    said = rf"{today} 23:59:59 \(.*?\) is log row (\d+), written {today}"
    found = re.search(said, " ".join(told.stderr.split()))
    assert found is not None
    assert told.stdout == done(f"{command} --as-of {found[1]}").stdout
    assert "the log begins at" in workbench(command, "--as-of", "1999-12-31 10:00").stderr


@pytest.fixture
def three(done: Workbench) -> None:
    """Runs of which each is the best on another measure, or has the first name or team; d1 alone is relevant."""
    done("new three")
    for tag, team, ranking in (
        ("run2", "Z", "d9 d1"),
        ("a-run", "B", "d9 d8 d1"),
        ("run10", "C", "d1 d9 d8"),
    ):
        done("add runs three", write_run(Path(f"{tag}.run"), tag, {"1": ranking}), "--team", team)
    done("add qrels three -", given="1 0 d1 1\n")


ASKED = ["-m", "RR", "-m", "NumRet"]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("words", "tags"),
    [
        ([], ["run10", "run2", "a-run"]),
        (["--sort", "RR"], ["run10", "run2", "a-run"]),
        (["--sort", "NumRet"], ["a-run", "run10", "run2"]),  # three documents each but run2
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
    told = json.loads(done("score three --format json", *ASKED, *words).stdout)
    assert [run["run"] for run in told["runs"]] == tags
    trec = done("score three --format trec", *ASKED, *words).stdout
    assert [line.split()[2] for line in trec.splitlines() if line.startswith("runid")] == tags
    for export in ("scores", "latex", "topic-scores"):
        assert firsts("export", export, "three") == tags, export


@pytest.mark.usefixtures("three")
def test_a_column_that_is_not_there_is_refused_with_those_that_are(fails: Fails) -> None:
    assert says(fails("score three", *ASKED, "--sort", "AP"), "AP")
    assert "leave out --sort" in fails("export latex three --run run2 --run a-run --sort run", status=2)
