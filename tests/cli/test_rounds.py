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
    assert done("round small --cancel").stderr == "Round 2 is cancelled.\n"
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
        of_round = done("score covid --round", name, "--residual", *MEASURES, "--format", kind)
        assert of_round.stdout == done("score cut", *MEASURES, "--format", kind).stdout


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


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("score covid --residual", 2),
        ("round covid --open 4 --cancel", 2),
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
    "analyse compare": "compare covid a1 b1",
    "analyse reuse": "reuse covid --by team",
    "analyse certain": "certain covid",
    "analyse stop": "stop covid",
    "campaign topics": "topics covid",
    "judging agreement": "agreement covid -m AP",
    "export scores": "export scores covid -o scores.csv",
    "export topic-scores": "export topic-scores covid -o topics.csv",
    "analyse plot": "plot covid topics -o topics.svg",
}
"""What shows scores and has no view by round, with a call."""

PUBLISH_SCORES = {
    "release report": "report covid -o sheets",
    "export latex": "export latex covid",
    "score --format latex": "score covid --format latex",
    "analyse compare --format latex": "compare covid a1 b1 --format latex",
}
"""What is refused in a campaign of several rounds."""

WITHOUT_OWN_SCORES = {"eval", "pooling simulate", "judging conflicts"}
"""Of files, or with a measure by which pairs are sorted."""


def test_every_command_with_a_measure_says_over_which_rounds_it_is_or_refuses() -> None:
    with_measure = {
        name
        for name, command in leaves()
        if {"measure", "measures"} & {parameter.name for parameter in command.params}
    }
    assert with_measure - WITHOUT_OWN_SCORES <= SHOW_SCORES.keys() | PUBLISH_SCORES.keys()


def test_scores_of_all_rounds_begin_with_saying_so(covid: Path, workbench: Workbench) -> None:
    assert len({workbench(call).stderr.splitlines()[0] for call in SHOW_SCORES.values()}) == 1
    assert says(workbench("score covid").stderr.splitlines()[0], "All 3 rounds")
    drawn = {
        name: workbench(f"plot covid {name} --format json").stdout for name in ("topics", "judging-days")
    }
    assert {name: "All 3 rounds together" in each for name, each in drawn.items()} == {
        "topics": True, "judging-days": False
    }  # fmt: skip


def test_what_would_be_published_with_mixed_rounds_is_refused_with_the_way_out(
    covid: Path, done: Workbench, fails: Fails
) -> None:
    for call in PUBLISH_SCORES.values():
        assert says(fails(call))
    assert "a1" in done("score covid --round 1 --format latex").stdout


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
