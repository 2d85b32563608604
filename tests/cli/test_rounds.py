"""round: opening and listing; scores and qrels of one round."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.commands import leaves
from tests.conftest import write_run
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from tests.three_rounds import ROUNDS, three_rounds

MEASURES = [word for name in ("AP", "nDCG@10", "P@1", "Bpref", "num_rel_ret") for word in ("-m", name)]


@pytest.fixture
def covid(folder: Path, tmp_path: Path) -> Path:
    """The campaign of three rounds, in the instance folder."""
    with three_rounds(folder / "instance"):
        return folder


def test_a_round_is_opened_and_rounds_are_listed(done: Workbench) -> None:
    assert says(done("round small --open 2").stderr)
    listed = json.loads(done("round small --format json").stdout)
    assert [each.pop("opened")[:2] for each in listed] == ["", "20"]
    assert listed == [
        {"round": "1", "after": 0, "runs": 2, "topics": 3, "pools": 1, "judgments": 0},
        {"round": "2", "after": 7, "runs": 0, "topics": 0, "pools": 0, "judgments": 0},
    ]
    assert done("round small --cancel 2 --dry-run").stderr == "Round 2 would be cancelled.\n"
    assert done("round small --cancel 2").stderr == "Round 2 is cancelled.\n"
    assert len(json.loads(done("round small --format json").stdout)) == 1


@pytest.mark.parametrize("name", ["2", "3"])
def test_residual_scores_are_byte_for_byte_those_of_run_files_with_the_lines_deleted(
    covid: Path, done: Workbench, name: str
) -> None:
    done("export qrels covid --round", name, "-o", "released/")
    Path("topics.tsv").write_text("1\tone\n2\ttwo\n3\tthree\n", encoding="utf-8")
    files = [write_run(covid / f"{tag}.run", tag, rows) for tag, rows in ROUNDS[name].residual.items()]
    done("new cut")
    done("add topics cut topics.tsv")
    done("add runs cut", *files)
    done("add qrels cut", f"released/qrels-covid_d{name}_j{name}.txt", "--yes")
    for kind in ("csv", "trec"):
        of_round = done("score", "covid", "--round", f"{name}-residual", *MEASURES, "--format", kind)
        assert of_round.stdout == done("score", "cut", *MEASURES, "--format", kind).stdout


def test_qrels_of_rounds_have_their_usual_names(covid: Path, done: Workbench) -> None:
    done("export qrels covid --round 3 -o qrels/")
    done("export qrels covid --up-to-round 2 -o qrels")
    done("export qrels covid --up-to-round 1 -o qrels")
    done("export qrels covid --round 3 -o mine.txt")
    found = {path.name: path.read_text(encoding="utf-8") for path in Path("qrels").iterdir()}
    assert found.keys() == {"qrels-covid_d1_j1.txt", "qrels-covid_d2_j1-2.txt", "qrels-covid_d3_j3.txt"}
    assert found["qrels-covid_d3_j3.txt"] == "1 0 z1 0\n1 0 z2 1\n2 0 z3 1\n3 0 z1 0\n"
    assert Path("mine.txt").read_text(encoding="utf-8") == found["qrels-covid_d3_j3.txt"]
    assert len(found["qrels-covid_d2_j1-2.txt"].splitlines()) == 13


def test_a_table_of_changed_ids_is_shown_and_put_in_force(covid: Path, done: Workbench, fails: Fails) -> None:
    Path("ids.csv").write_text("old,new\nz1,y1\nz2,y1\nq,r\n", encoding="utf-8")
    before = done("export qrels covid --up-to-round 2").stdout
    assert says(done("changed-ids covid ids.csv --dry-run").stderr, "z1 (0) and z2 (1) become y1 (1)", "q")
    assert done("export qrels covid").stdout.count(" y1 ") == 0
    assert says(done("changed-ids covid ids.csv").stderr)
    assert [line for line in done("export qrels covid").stdout.splitlines() if " y1 " in line] == [
        "1 0 y1 1",
        "3 0 y1 0",
    ]
    assert done("export qrels covid --up-to-round 2").stdout == before
    assert says(fails("changed-ids covid ids.csv", status=1))
    assert says(fails("changed-ids small ids.csv", status=1), "--open 2")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("round covid --open 4 --cancel 3", 2),
        ("round covid --dry-run", 2),
        ("round covid --cancel 2", 1),
        ("export qrels covid --round 1 --up-to-round 2", 2),
        ("export qrels covid --round 1 --as-of 3", 2),
        ("export qrels covid -o instance", 1),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    covid: Path, fails: Fails, words: str, status: int
) -> None:
    assert says(fails(words, status=status))


SHOW_SCORES = {
    "score": "score covid",
    "analyse compare": "compare covid a2 b2",
    "analyse reuse": "reuse covid --by team",
    "analyse costs": "costs covid",
    "analyse certain": "certain covid",
    "analyse stop": "stop covid",
    "analyse corrected": "corrected covid",
    "judging judge-quality": "judge-quality covid -m AP",
    "campaign topics": "topics covid",
    "judging agreement": "agreement covid -m AP",
    "export scores": "export scores covid -o scores.csv",
    "export topic-scores": "export topic-scores covid -o topics.csv",
    "analyse plot": "plot covid topics round=all -o topics.svg",
}
"""What shows scores by a round, with a call."""

PUBLISH_SCORES = {
    "release report": "report covid -o sheets",
    "export latex": "export latex covid",
    "score --format latex": "score covid --format latex",
    "analyse compare --format latex": "compare covid a2 b2 --format latex",
}
"""What is refused in a campaign of several rounds."""

WITHOUT_OWN_SCORES = {"eval", "judges", "pooling simulate", "judging conflicts"}
"""Of files, or with a measure by which pairs are sorted."""


def test_every_command_with_a_measure_says_over_which_rounds_it_is_or_refuses() -> None:
    with_measure = {
        name
        for name, command in leaves()
        if {"measure", "measures"} & {parameter.name for parameter in command.params}
    }
    assert with_measure - WITHOUT_OWN_SCORES <= SHOW_SCORES.keys() | PUBLISH_SCORES.keys()


@pytest.mark.parametrize("call", [call for call in SHOW_SCORES.values() if "round=" not in call])
def test_all_rounds_together_are_seen_if_asked_for_and_it_begins_with_saying_so(
    covid: Path, done: Workbench, call: str
) -> None:
    note = "All 3 rounds together: every run is scored on the topics and by the judgments of all rounds."
    assert done(*call.split(), "--round", "all").stderr.startswith(note)
    assert note not in done(*call.split(), "--round", "2").stderr


@pytest.mark.parametrize("call", PUBLISH_SCORES.values())
def test_what_would_be_published_with_mixed_rounds_is_refused_and_of_one_round_is_not(
    covid: Path, workbench: Workbench, call: str
) -> None:
    result = workbench(*call.split(), "--round", "all")
    assert (result.exit_code, result.stdout, "--round 2" in result.stderr) == (1, "", True)
    assert workbench(*call.split(), "--round", "2").exit_code == 0


def test_without_a_round_scores_are_of_the_open_one(covid: Path, done: Workbench) -> None:
    for name, runs in (("", {"c3"}), ("2-own", {"a2", "b2"}), ("all", {"a1", "b1", "a2", "b2", "c3"})):
        words = ("--round", name) if name else ()
        scores = done("export", "scores", "covid", "-m", "AP", *words).stdout.splitlines()[1:]
        assert {line.partition(",")[0] for line in scores} == runs
    assert "a1" in done("runs", "covid").stdout


def test_a_round_that_is_not_there_is_named_with_those_that_are(covid: Path, workbench: Workbench) -> None:
    for name in ("7", "2-else"):
        result = workbench("score", "covid", "--round", name)
        assert (result.exit_code, says(result.stderr)) == (1, True)


def test_a_moment_in_the_first_round_is_of_one_round(covid: Path, done: Workbench) -> None:
    assert "rounds together" not in done("score covid --as-of 5").stderr
    assert done("export latex covid --as-of 5").stdout


def test_the_bundle_says_over_which_rounds_its_scores_are_and_has_no_table_of_them(
    covid: Path, done: Workbench
) -> None:
    done("bundle covid -o covid.zip")
    with zipfile.ZipFile("covid.zip") as archive:
        names = {name.partition("/")[2]: name for name in archive.namelist()}
        readme = archive.read(names["README.md"]).decode()
        datasheet = archive.read(names["DATASHEET.md"]).decode()
    assert "scores/board.tex" not in names
    assert "scores/board.csv" in names
    assert "All 3 rounds together" in readme.partition("## What is in it")[0]
    assert "All 3 rounds together" in datasheet


def test_a_figure_of_scores_says_over_which_rounds_it_is_and_one_without_does_not(
    covid: Path, done: Workbench
) -> None:
    for name, is_said in (("topics round=all", True), ("topics", False), ("judging-days", False)):
        drawn = json.loads(done("plot", "covid", *name.split(), "--format", "json").stdout)
        assert ("All 3 rounds together" in str(drawn.get("title"))) is is_said
