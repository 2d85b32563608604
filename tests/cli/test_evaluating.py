"""`workbench eval`: files in, scores out, the flags of the reference program."""

from __future__ import annotations

import csv
import gc
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.sentences import says
from workbench.cli import main
from workbench.cli.evaluating import VERSIONS
from workbench.scoring.evaluation.selection import DEFAULT_PROFILE, PROFILES

Evaluate = Callable[..., Result]

QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 d 1\n"
GOOD = "1 Q0 a 1 3 good\n1 Q0 b 2 2 good\n1 Q0 c 3 1 good\n2 Q0 d 1 1 good\n"
POOR = "1 Q0 b 1 3 poor\n1 Q0 x 2 2 poor\n1 Q0 a 3 1 poor\n2 Q0 y 1 1 poor\n"
SHORT = "1 Q0 c 1 3 short\n9 Q0 a 1 3 short\n"


@pytest.fixture
def workbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evaluate:
    """Run `workbench eval` where the files q.txt, good.run, poor.run and short.run are."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("q.txt", QRELS), ("good.run", GOOD), ("poor.run", POOR), ("short.run", SHORT)):
        Path(name).write_text(text, encoding="utf-8")

    def run(*words: str, given: str | None = None) -> Result:
        return CliRunner().invoke(main, ["eval", *words], input=given, catch_exceptions=False)

    return run


@pytest.fixture
def lines(workbench: Evaluate) -> Callable[..., list[tuple[str, ...]]]:
    """The words of all lines of a run that must succeed."""

    def run(*words: str, given: str | None = None) -> list[tuple[str, ...]]:
        result = workbench(*words, given=given)
        assert result.exit_code == 0, result.output
        return [tuple(line.split()) for line in result.stdout.splitlines()]

    return run


Lines = Callable[..., list[tuple[str, ...]]]


def test_one_run_is_printed_as_the_reference_program_prints_it(workbench: Evaluate) -> None:
    result = workbench("-m", "map", "-m", "num_ret", "q.txt", "good.run")
    # AP of topic 1 is (1/1 + 2/3) / 2 = .8333, of topic 2 it is 1.
    assert result.stdout == "num_ret               \tall\t4\nmap                   \tall\t0.9167\n"
    assert result.stderr == ""


def test_the_default_is_official(lines: Lines) -> None:
    printed = lines("q.txt", "good.run")
    assert printed[0] == ("runid", "all", "good")
    assert printed == lines("-R", "qrels", "-T", "trec_results", "-m", "official", "q.txt", "good.run")


def test_flags_may_stand_close_to_their_values(lines: Lines) -> None:
    topics = [("P_1", "1", "1.0000"), ("P_1", "2", "0.0000")]
    assert lines("-qcJ", "-l2", "-M2", "-mP.1", "q.txt", "good.run") == [*topics, ("P_1", "all", "0.5000")]
    assert lines("-n", "-q", "-l2", "-m", "P.1", "q.txt", "good.run") == topics
    assert lines("-n", "-m", "P.1", "q.txt", "good.run") == []


def test_collection_of_garbage_is_as_it_was_before(lines: Lines) -> None:
    before = gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()
    lines("-m", "num_q", "q.txt", "good.run")
    assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == before


def test_the_level_holds_for_measures_in_either_notation(lines: Lines) -> None:
    assert lines("-l2", "-mP.1", "-mP@1", "-mP(rel=1)@1", "q.txt", "good.run") == [
        ("P_1", "all", "0.5000"),
        ("P(rel=2)@1", "all", "0.5000"),
        ("P@1", "all", "1.0000"),
    ]


def test_zscores_are_marked_with_a_z(lines: Lines) -> None:
    Path("usual").write_text("1 P_1 0.5 0.25\n2 P_1 1 0\n", encoding="utf-8")
    assert lines("-q", "-Z", "usual", "-m", "P.1", "q.txt", "good.run") == [
        ("ZP_1", "1", "2.0000"),
        ("ZP_1", "2", "0.0000"),
        ("ZP_1", "all", "1.0000"),
    ]


@pytest.mark.parametrize("words", [("-", "good.run"), ("q.txt", "-")])
def test_a_dash_is_standard_input(words: tuple[str, str], lines: Lines) -> None:
    given = QRELS if words[0] == "-" else GOOD
    assert lines("-m", "map", *words, given=given) == lines("-m", "map", "q.txt", "good.run")


def test_several_runs_are_a_table_with_the_best_marked(lines: Lines) -> None:
    runs = ("q.txt", "good.run", "poor.run")
    assert lines("-m", "map", "-m", "P.1", "-m", "num_ret", *runs) == [
        ("Run", "num_ret", "map", "P_1"),
        ("good", "4", "*0.9167", "*1.0000"),
        # (1/3 + 0) / 2 for topic 1, nothing for topic 2
        ("poor", "4", "0.0833", "0.0000"),
    ]
    many = lines(*runs)
    assert many[0] == ("Run", "good", "poor")
    assert ("map", "*0.9167", "0.0833") in many
    assert lines("--per-topic", "-m", "P.1", *runs)[1:] == [
        ("good", "1", "*1.0000"), ("good", "2", "*1.0000"), ("good", "*1.0000"),
        ("poor", "1", "0.0000"), ("poor", "2", "0.0000"), ("poor", "0.0000"),
    ]  # fmt: skip
    assert lines("--format", "trec", "-m", "runid", "-m", "num_q", *runs) == [
        ("runid", "all", "good"), ("num_q", "all", "2"), ("runid", "all", "poor"), ("num_q", "all", "2")
    ]  # fmt: skip


def test_the_best_is_the_one_over_the_topics_that_all_runs_have(lines: Lines) -> None:
    """Short has topic 1 alone, with AP 1/2: above the mean of partial over both, and below its AP there."""
    Path("partial.run").write_text(
        "1 Q0 a 1 3 partial\n1 Q0 c 2 2 partial\n2 Q0 x 1 1 partial\n", encoding="utf-8"
    )
    Path("other.run").write_text("1 Q0 a 1 3 other\n1 Q0 b 2 2 other\n", encoding="utf-8")
    printed = lines("-m", "map", "q.txt", "partial.run", "short.run", "other.run")
    assert printed[1:] == [("partial", "*0.5000"), ("short", "0.5000"), ("other", "0.5000")]
    assert lines("-c", "-m", "map", "q.txt", "partial.run", "short.run")[1:] == [
        ("partial", "*0.5000"),
        ("short", "0.2500"),
    ]
    Path("second.run").write_text("2 Q0 d 1 1 second\n", encoding="utf-8")
    assert lines("-m", "map", "q.txt", "short.run", "second.run")[1:] == [
        ("short", "0.5000"),
        ("second", "1.0000"),
    ]


def test_on_a_terminal_the_best_are_bold(workbench: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    shown = workbench("-m", "map", "q.txt", "good.run", "poor.run").stdout
    assert "\x1b[1m0.9167" in shown
    assert "*" not in shown


def test_csv_and_json_have_all_digits_and_latex_is_a_tabular(workbench: Evaluate) -> None:
    words = ("-m", "AP", "q.txt", "good.run", "poor.run")
    rows = list(csv.DictReader(io.StringIO(workbench("--format", "csv", *words).stdout)))
    assert [float(row["AP"]) for row in rows] == [((1 + 2 / 3) / 2 + 1) / 2, (1 / 3 / 2 + 0) / 2]
    content = json.loads(workbench("--format", "json", "--per-topic", *words).stdout)
    assert content["runs"][0]["topics"] == {"1": {"AP": (1 + 2 / 3) / 2}, "2": {"AP": 1.0}}
    assert r"good & \textbf{0.9167} \\" in workbench("--format", "latex", *words).stdout


def test_topics_that_fit_nowhere_are_warned_about(workbench: Evaluate) -> None:
    for words, topics in (("", "1"), ("-c", "2")):
        result = workbench(*words.split(), "-m", "num_q", "q.txt", "short.run")
        assert (result.exit_code, result.stdout.split()) == (0, ["num_q", "all", topics])
        assert says(result.stderr)


def test_a_run_of_other_topics_is_an_error(workbench: Evaluate) -> None:
    Path("other.run").write_text("001 Q0 a 1 1 other\n", encoding="utf-8")
    result = workbench("-c", "q.txt", "good.run", "other.run")
    assert (result.exit_code, result.stdout) == (1, "")
    assert says(result.stderr, "001", "1")


@pytest.mark.parametrize("name", ["ndcg_cutt", "prefs", "map_avgjg", "P.0"])
def test_a_measure_that_cannot_be_is_refused_before_files_are_read(name: str, workbench: Evaluate) -> None:
    result = workbench("-m", name, "nowhere.txt", "nowhere.run")
    assert (result.exit_code, result.stdout) == (1, "")
    assert says(result.stderr)


@pytest.mark.parametrize(
    "words", [("-l-1",), ("-M-1",), ("-R", "prefs"), ("-T", "other"), ("--profile", "trec_eval-8")]
)
def test_wrong_usage_ends_with_status_2(words: tuple[str, ...], workbench: Evaluate) -> None:
    result = workbench(*words, "q.txt", "good.run")
    assert result.exit_code == 2
    assert says(result.stderr)


def test_the_profiles_of_the_command_line_are_those_there_are() -> None:
    assert list(PROFILES) == list(VERSIONS)
    assert DEFAULT_PROFILE.name == VERSIONS[0]


def test_all_problems_of_all_files_are_named(workbench: Evaluate) -> None:
    Path("bad.run").write_text("1 Q0 a 1 high bad\n", encoding="utf-8")
    Path("bad.txt").write_text("1 0 a 0.5\n", encoding="utf-8")
    result = workbench("bad.txt", "good.run", "bad.run")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "bad.txt:1: " in result.stderr
    assert "bad.run:1: " in result.stderr


def test_an_address_with_a_star_is_every_run_that_it_stands_for(
    workbench: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {("s3://runs/*.run",): ["good.run", "poor.run"]}
    monkeypatch.setattr("workbench.formats.text.content.expanded", found.__getitem__)
    asked = ("-m", "AP", "q.txt")
    assert workbench(*asked, "s3://runs/*.run").stdout == workbench(*asked, "good.run", "poor.run").stdout
