"""plot: figures as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.analysis.figures import load_figures


@pytest.mark.parametrize(
    ("file", "beginning"),
    [("map.svg", b"<svg"), ("map.PDF", b"%PDF"), ("map.png", b"\x89PNG"), ("map.csv", b"run,first")],
)
def test_the_ending_of_the_file_says_what_is_written(done: Workbench, file: str, beginning: bytes) -> None:
    told = done("plot small topic-map topic=1 -o", file)
    assert (Path(file).read_bytes()[: len(beginning)], told.stdout) == (beginning, "")
    assert says(told.stderr)


def test_without_a_file_the_figure_goes_to_standard_output(done: Workbench) -> None:
    assert done("plot small topic-map topic=10").stdout.startswith("<svg")
    assert done("plot small topic-map topic=10 --format csv").stdout == (
        "run,first,last,grade\nbeta,1,1,Unjudged\n"
    )


def test_figures_are_listed_with_their_parameters(workbench: Workbench) -> None:
    listed = {each["figure"]: each for each in json.loads(workbench("figures --format json").stdout)}
    assert sorted(listed) == sorted(load_figures())
    assert listed["topic-map"]["parameters"].startswith("topic=... [depth=...] [measure=...]")
    assert [name for name, each in listed.items() if each["from_files_too"] == "yes"] == [
        "topic-gain",
        "topic-precision-recall",
        "topic-roc",
    ]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("small topic-mop", 1),
        ("small topic-map topic=7", 1),
        ("small topic-map 1", 2),
        ("small topics -o topics.gif", 2),
        ("small topics --format gif", 2),
        ("small topic=1", 2),
    ],
)
def test_what_cannot_be_drawn_is_reported(fails: Fails, words: str, status: int) -> None:
    assert says(fails(f"plot {words}", status=status))
    assert not Path("topics.gif").exists()


def test_figures_of_a_topic_are_drawn_from_files_without_a_campaign(
    done: Workbench, fails: Fails, folder: Path
) -> None:
    (folder / "q.txt").write_text("1 0 a 1\n1 0 a one\n", encoding="utf-8")
    assert "q.txt:2: " in fails("plot q.txt alpha.run topic-roc topic=1")
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
