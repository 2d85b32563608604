"""workbench analyse compare."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench, WriteRun
from tests.sentences import says


@pytest.fixture
def judged(done: Workbench) -> None:
    Path("q.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    done("add qrels small q.txt")


@pytest.mark.usefixtures("judged")
def test_two_runs_are_compared_with_the_first(done: Workbench) -> None:
    result = done("compare small alpha beta")
    assert "+0.2778" in result.stdout
    assert "AP on 3 topics" in result.stderr
    assert "differences from alpha" in result.stderr
    assert "seed 1" in result.stderr


@pytest.mark.usefixtures("judged")
def test_csv_has_all_digits(done: Workbench) -> None:
    shown = done("compare small alpha beta --baseline beta -m P@1 --format csv").stdout
    rows = list(csv.DictReader(shown.splitlines()))
    assert [row["run"] for row in rows] == ["beta", "alpha"]
    assert float(rows[1]["difference"]) == 1 / 3 - 2 / 3


@pytest.mark.usefixtures("judged")
def test_all_pairs_say_how_many_differ_and_by_what(done: Workbench) -> None:
    result = done("compare small --all --permutations 99 --seed 3")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["Run", "beta", "alpha"]
    assert says(result.stderr)
    assert "B = 99, seed 3." in result.stderr


@pytest.mark.usefixtures("judged")
def test_the_same_seed_prints_the_same(done: Workbench) -> None:
    words = ("compare", "small", "--all", "--permutations", "99", "--format", "json")
    assert done(*words, "--seed", "3").stdout == done(*words, "--seed", "3").stdout


@pytest.mark.usefixtures("judged")
def test_two_leaderboards_by_measure_by_moment_and_by_judgments(done: Workbench) -> None:
    Path("other.txt").write_text("1 0 d4 1\n", encoding="utf-8")
    assert "AP against P@1" in done("compare small --against-measure P@1").stderr
    by_then = done("compare small --against-as-of 7 --format json").stdout
    assert json.loads(by_then)["other"] == "AP as of row 7"
    assert "AP against AP by other.txt" in done("compare small --against-qrels other.txt").stderr


@pytest.mark.usefixtures("judged")
def test_on_a_topic_the_documents_that_make_the_difference_are_reported(done: Workbench) -> None:
    result = done("compare small alpha beta --topic 1 --format csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [(row["document_id"], row["grade"], row["rank"], row["baseline_rank"]) for row in rows] == [
        ("d1", "1", "3", "1"),
        ("d2", "", "2", "2"),
    ]
    assert "beta 0.3333, alpha 1.0000, difference -0.6667." in result.stderr
    assert json.loads(done("compare small alpha beta --topic 1 --format json").stdout)["judged"]


@pytest.mark.usefixtures("judged")
def test_the_plan_says_where_its_variance_comes_from(done: Workbench) -> None:
    result = done("compare small --plan -m P@1")
    assert "Topics needed" in result.stdout
    assert "standard deviation" in result.stderr
    assert says(result.stderr)


@pytest.mark.usefixtures("judged")
def test_runs_that_differ_by_the_same_on_every_topic_say_nothing_of_how_many_it_takes(
    done: Workbench,
) -> None:
    said = done("compare small --plan -m P(rel=9)@1").stderr
    assert says(said)


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("kind", ["table", "csv", "json", "latex"])
@pytest.mark.parametrize("words", [["alpha", "beta"], ["--all"], ["--against-measure", "P@1"]])
def test_every_format_names_every_run(done: Workbench, kind: str, words: list[str]) -> None:
    shown = done("compare small", *words, "--format", kind, "--permutations", "50").stdout
    assert "alpha" in shown
    assert "beta" in shown


def test_before_any_judgment_it_says_that_nothing_is_defined(done: Workbench) -> None:
    result = done("compare small alpha beta")
    assert says(result.stderr)
    assert says(result.stderr)
    assert says(done("compare small --all --permutations 9").stderr)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["alpha"], "two different runs"),
        (["alpha", "gamma"], "there is no run 'gamma'"),
        (["alpha", "beta", "-m", "nDGC@10"], "nDCG"),
        (["alpha", "beta", "--as-of", "1000"], "no row 1000 yet"),
        (["--against-as-of", "1000"], "no row 1000 yet"),
        (["--plan"], "nothing about the variance"),
    ],
)
def test_what_cannot_be_compared_is_said(fails: Fails, words: list[str], message: str) -> None:
    assert message in fails("compare small", *words)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--topic", "1"],
        ["alpha", "beta", "--topic", "1", "--all"],
        ["--all", "--plan"],
        ["alpha", "--plan"],
        ["alpha", "--against-measure", "P@1"],
    ],
)
def test_what_makes_no_sense_together_is_wrong_usage(workbench: Workbench, words: list[str]) -> None:
    assert workbench("compare small", *words).exit_code == 2


@pytest.mark.usefixtures("judged")
def test_what_is_printed_is_what_the_library_says(done: Workbench) -> None:
    from workbench.analysis.comparing.runs import compare_runs
    from workbench.storage.campaign import open_campaign

    told = json.loads(done("compare small alpha beta --format json").stdout)
    with open_campaign(Path("instance/small.db")) as campaign:
        (beta,) = compare_runs(campaign, ["alpha", "beta"]).differences
    assert [test["p_value"] for test in told["differences"][0]["tests"]] == [
        test.p_value for test in beta.tests
    ]


def test_without_runs_there_are_no_pairs(fails: Fails, done: Workbench) -> None:
    done("withdraw small alpha beta")
    assert says(fails("compare small --all").splitlines()[-1])


@pytest.mark.usefixtures("judged")
def test_documents_behind_a_difference_need_two_runs(
    workbench: Workbench, fails: Fails, folder: Path, written_run: WriteRun
) -> None:
    assert workbench("add runs small", written_run(folder / "g.run", "g", {"1": "d1"})).exit_code == 0
    assert says(fails("compare small alpha beta g --topic 1", status=2))


def test_other_processes_are_for_all_pairs_alone(fails: Fails) -> None:
    assert says(fails("compare small alpha beta --workers 2", status=2))
