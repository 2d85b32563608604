"""plot: figures as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Workbench
from tests.sentences import says
from workbench.analysis.figures import load_figures


@pytest.mark.parametrize(
    ("file", "beginning"),
    [
        ("map.svg", b"<svg"),
        ("map.PDF", b"%PDF"),
        ("map.png", b"\x89PNG"),
        ("map.csv", b"run,first"),
        ("map.json", b"{"),
    ],
)
def test_the_ending_of_the_file_says_what_is_written(
    done: Workbench, folder: Path, file: str, beginning: bytes
) -> None:
    told = done("plot", "small", "topic-map", "topic=1", "-o", file)
    assert (folder / file).read_bytes().startswith(beginning)
    assert told.stdout == ""
    assert says(told.stderr)


def test_without_a_file_the_figure_goes_to_standard_output(done: Workbench) -> None:
    assert done("plot", "small", "topic-map", "topic=10").stdout.startswith("<svg")
    assert done("plot", "small", "topic-map", "topic=10", "--format", "csv").stdout == (
        "run,first,last,grade\nbeta,1,1,Unjudged\n"
    )


def test_a_value_may_have_signs_of_its_own(done: Workbench) -> None:
    spec = json.loads(done("plot", "small", "topics", "measure=P(rel=2)@5", "--format", "json").stdout)
    assert spec["layer"][0]["encoding"]["y"]["title"] == "P(rel=2)@5 of 2 runs"


def test_figures_are_listed_with_their_parameters(workbench: Workbench) -> None:
    listed = {each["figure"]: each for each in json.loads(workbench("figures", "--format", "json").stdout)}
    assert sorted(listed) == sorted(load_figures())
    assert listed["topic-map"]["parameters"].startswith("topic=... [depth=...] [measure=...]")
    assert [name for name, each in listed.items() if each["from_files_too"] == "yes"] == [
        "topic-gain",
        "topic-precision-recall",
        "topic-roc",
    ]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["topic-mop"], 1, "there is no figure 'topic-mop'; did you mean topic-map"),
        (["topic-map"], 1, "topic-map needs topic"),
        (["topic-map", "topic=7"], 1, "there is no topic '7' in small"),
        (["topics", "as_of=999"], 1, "as_of must be a row of the log"),
        (["topic-map", "1"], 2, "'1' is not KEY=VALUE"),
        (
            ["topics", "-o", "topics.gif"],
            2,
            "topics.gif: the name must end in one of .svg, .pdf, .png, .csv, .json",
        ),
        (["topics", "--format", "gif"], 2, "'gif' is not one of"),
    ],
)
def test_what_cannot_be_drawn_is_reported(
    workbench: Workbench, folder: Path, words: list[str], status: int, message: str
) -> None:
    told = workbench("plot", "small", *words)
    assert told.exit_code == status
    assert message in told.stderr
    assert not (folder / "topics.gif").exists()


def test_figures_of_a_topic_are_drawn_from_files_without_a_campaign(done: Workbench, folder: Path) -> None:
    (folder / "q.txt").write_text("1 0 a 1\n1 0 b 0\n", encoding="utf-8")
    (folder / "a.run").write_text("1 Q0 a 1 2 first\n1 Q0 b 2 1 first\n", encoding="utf-8")
    (folder / "b.run").write_text("1 Q0 b 1 2 other\n1 Q0 a 2 1 other\n", encoding="utf-8")
    words = ("q.txt", "a.run", "b.run", "topic-gain", "topic=1", "measure=CG", "run=other")
    assert done("plot", *words, "--format", "csv").stdout == (
        "run,place,rank,gain\n"
        "other,1,1,0.0\nother,2,2,1.0\n"
        "best possible ranking,1,1,1.0\nbest possible ranking,2,2,1.0\n"
    )
    told = done("plot", *words, "-o", "gain.pdf")
    assert (folder / "gain.pdf").read_bytes().startswith(b"%PDF")
    assert told.stderr.startswith("Topic 1: CG at each rank; other (1.0000 at rank 2)")


def test_files_that_are_odd_are_warned_of_and_files_that_are_wrong_refused(
    workbench: Workbench, folder: Path
) -> None:
    (folder / "q.txt").write_text("1 0 a 1\n1 0 a one\n", encoding="utf-8")
    told = workbench("plot", "q.txt", "alpha.run", "topic-roc", "topic=1")
    assert told.exit_code == 1
    assert "q.txt:2: " in told.stderr


def test_a_figure_must_be_named(workbench: Workbench) -> None:
    told = workbench("plot", "small", "topic=1")
    assert told.exit_code == 2
    assert "no FIGURE after small" in told.stderr
