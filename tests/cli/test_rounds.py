"""round: opening and listing; scores and qrels of one round."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.fixture_types import Workbench
from tests.three_rounds import ROUNDS, three_rounds

MEASURES = [word for name in ("AP", "nDCG@10", "P@1", "Bpref", "num_rel_ret") for word in ("-m", name)]


@pytest.fixture
def covid(folder: Path, tmp_path: Path) -> Path:
    """The campaign of three rounds, in the instance folder."""
    with three_rounds(folder / "instance"):
        return folder


def test_a_round_is_opened_and_rounds_are_listed(done: Workbench) -> None:
    assert done("round", "small", "--open", "2").stderr == "Round 2 is open, after log row 7.\n"
    listed = json.loads(done("round", "small", "--format", "json").stdout)
    assert [each.pop("opened")[:2] for each in listed] == ["", "20"]
    assert listed == [
        {"round": "1", "after": 0, "runs": 2, "topics": 3, "pools": 1, "judgments": 0},
        {"round": "2", "after": 7, "runs": 0, "topics": 0, "pools": 0, "judgments": 0},
    ]
    assert done("round", "small", "--cancel").stderr == "Round 2 is cancelled.\n"
    assert len(json.loads(done("round", "small", "--format", "json").stdout)) == 1


@pytest.mark.parametrize("name", ["2", "3"])
def test_residual_scores_are_byte_for_byte_those_of_run_files_with_the_lines_deleted(
    covid: Path, done: Workbench, name: str
) -> None:
    done("export", "qrels", "covid", "--round", name, "-o", "released/")
    Path("topics.tsv").write_text("1\tone\n2\ttwo\n3\tthree\n", encoding="utf-8")
    files = [write_run(covid / f"{tag}.run", tag, rows) for tag, rows in ROUNDS[name].residual.items()]
    done("new", "cut")
    done("add", "topics", "cut", "topics.tsv")
    done("add", "runs", "cut", *files)
    done("add", "qrels", "cut", f"released/qrels-covid_d{name}_j{name}.txt", "--yes")
    for kind in ("csv", "trec"):
        of_round = done("score", "covid", "--round", name, "--residual", *MEASURES, "--format", kind)
        assert of_round.stdout == done("score", "cut", *MEASURES, "--format", kind).stdout


def test_qrels_of_rounds_have_their_usual_names(covid: Path, done: Workbench) -> None:
    done("export", "qrels", "covid", "--round", "3", "-o", "qrels/")
    done("export", "qrels", "covid", "--up-to-round", "2", "-o", "qrels")
    done("export", "qrels", "covid", "--up-to-round", "1", "-o", "qrels")
    done("export", "qrels", "covid", "--round", "3", "-o", "mine.txt")
    found = {path.name: path.read_text(encoding="utf-8") for path in Path("qrels").iterdir()}
    assert found.keys() == {
        "qrels-covid_d1_j1.txt",
        "qrels-covid_d2_j1-2.txt",
        "qrels-covid_d3_j3.txt",
    }
    assert found["qrels-covid_d3_j3.txt"] == "1 0 z1 0\n1 0 z2 1\n2 0 z3 1\n3 0 z1 0\n"
    assert Path("mine.txt").read_text(encoding="utf-8") == found["qrels-covid_d3_j3.txt"]
    assert len(found["qrels-covid_d2_j1-2.txt"].splitlines()) == 13


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("score covid --residual", "name it with --round NAME"),
        ("round covid --open 4 --cancel", "either open a round or cancel one"),
        ("export qrels covid --round 1 --up-to-round 2", "give --round or --up-to-round alone"),
        ("export qrels covid --round 1 --as-of 3", "give --round or --up-to-round alone"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(
    covid: Path, workbench: Workbench, words: str, message: str
) -> None:
    result = workbench(*words.split())
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_folder_is_for_qrels_of_rounds_alone(covid: Path, workbench: Workbench) -> None:
    Path("qrels").mkdir()
    result = workbench("export", "qrels", "covid", "-o", "qrels")
    assert (result.exit_code, result.stderr) == (1, "qrels: this is a folder; name a file in it\n")
