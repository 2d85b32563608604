"""What the commands share: names of campaigns, warnings, tables and progress."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import refused, says
from workbench.campaign.near_duplicates import near_duplicate_steps
from workbench.cli import campaigns
from workbench.cli.campaigns import grouped, late_progress, path_of, progress, row_as_of, show_warnings, steps
from workbench.core.errors import CampaignError, Problem
from workbench.jobs.observing import observed_by
from workbench.jobs.processes import counting
from workbench.scoring.board.loading import load_scoring
from workbench.storage.campaign import Campaign, open_campaign


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_bare_name_is_a_file_of_the_instance_and_anything_else_a_path() -> None:
    assert path_of("robust", None) == Path("instance/robust.db")
    assert path_of("robust", "elsewhere") == Path("elsewhere/robust.db")
    assert path_of("./robust.db", "elsewhere") == Path("robust.db")


def test_the_instance_can_be_named_in_the_environment(
    done: Workbench, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "instance").rename(folder / "elsewhere")
    monkeypatch.setenv("WORKBENCH_INSTANCE", "elsewhere")
    assert done("export pool small").stdout.startswith("1 d1\n")


def test_equal_warnings_are_reported_once_with_how_many_more_there_are() -> None:
    warnings = [Problem(f"{name}.run", 1, "ranks count from 0") for name in "abc"]
    warnings += [Problem("a.run", 7, "odd"), Problem("a.run", 9, "odd"), Problem("b.run", None, "alone")]
    assert grouped(warnings) == [
        "a.run:1 and 2 more files: ranks count from 0",
        "a.run:7 and 1 more line: odd",
        "b.run: alone",
    ]


def test_at_most_25_warnings_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    show_warnings(Problem("a.run", number, f"odd {number}") for number in range(1, 31))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 26
    assert shown.err.endswith("Warning: ... and 5 more\n")


def test_a_place_that_the_log_has_not_reached_is_refused(small: Campaign) -> None:
    assert (row_as_of(small, None), row_as_of(small, "6")) == (None, 6)
    with refused(CampaignError):
        row_as_of(small, "7")


@pytest.mark.parametrize(("stream", "is_shown"), [(io.StringIO, False), (Terminal, True)])
def test_progress_through_parts_of_a_work_is_shown_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], is_shown: bool
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", shown := stream())
    with progress("Reading", 2) as advance:
        advance(2)
    with steps("Add documents") as on_step:
        counting(on_step, "Reading", 2)(2)
        near_duplicate_steps(on_step)(0, 2, "topic [/1]")
    assert ("Looking for near duplicates: topic [/1]" in shown.getvalue()) == is_shown
    assert bool(shown.getvalue()) == is_shown


def test_a_loop_that_does_not_last_shows_nothing(monkeypatch: pytest.MonkeyPatch, done: Workbench) -> None:
    monkeypatch.setattr(campaigns, "LATE", 60.0)
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    with observed_by(late_progress), open_campaign("instance/small.db") as campaign:
        load_scoring(campaign)
    assert shown.getvalue() == ""


@pytest.mark.parametrize("columns", ["20", "80"])
def test_no_cell_of_a_table_is_cut(done: Workbench, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    tag = "a-very-long-name-of-a-run-that-somebody-chose-for-good-reasons"
    Path("long.run").write_text(f"1 Q0 d1 1 3 {tag}\n", encoding="utf-8")
    done("add runs small long.run")
    row = next(line for line in done("score small").stdout.splitlines() if tag in line)
    assert row.count("0.0000") == 9


def test_a_network_file_system_is_warned_about(done: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.storage.instance.network_file_system", lambda path: "nfs4")
    result = done("export pool small")
    assert says(result.stderr)
    assert result.stdout.startswith("1 d1\n")


def test_a_user_without_a_name_here_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError

    monkeypatch.setattr("getpass.getuser", nameless)
    assert campaigns.actor() == "unknown"


def test_a_campaign_that_is_not_there_is_reported_with_those_that_are(
    workbench: Workbench, fails: Fails
) -> None:
    assert says(fails("score smal"))
    assert says(workbench("score none/smal.db").stderr)


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("add topics small topics.txt", "topics.txt"),
        ("add documents small documents.txt", "documents.txt"),
        ("add qrels small qrels --assessor NIST", "qrels"),
        ("add qrels small qrels --assessor NIST --dry-run", "qrels"),
        ("add runs small first.run", "first.run"),
        ("pool small --strategy list --pairs qrels", "qrels"),
        ("pool-files first.run second.run --depth 2", "first.run"),
        ("simulate qrels first.run second.run --depth 2 --strategy depth", "first.run"),
        ("plot qrels first.run second.run topic-gain topic=1 measure=CG run=second", "first.run"),
        ("eval qrels first.run", "first.run"),
    ],
)
def test_what_is_odd_in_a_file_is_told_by_every_command_that_reads_it(
    done: Workbench, folder: Path, words: str, file: str
) -> None:
    odd = "Größe".encode("latin-1")
    (folder / "topics.txt").write_bytes(b"7\t" + odd)
    (folder / "documents.txt").write_bytes(b"d9\t" + odd)
    (folder / "qrels").write_text("#1 0 d4 1\n1 0 d1 1\n1 0 d2 0\n")
    for name in ("first", "second"):
        (folder / f"{name}.run").write_text(f"#1 Q0 d9 1 9 {name}\n1 Q0 d1 1 3 {name}\n1 Q0 d2 2 2 {name}\n")
    assert f"Warning: {file}:" in done(*words.split()).stderr
