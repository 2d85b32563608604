"""`workbench simulate`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from workbench.cli import main


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and two runs, of which abx finds b and cay finds c."""
    (tmp_path / "qrels").write_text("1 0 a 0\n1 0 b 1\n1 0 c 1\n")
    for name in ("abx", "cay"):
        lines = (f"1 Q0 {document} {rank} {9 - rank} {name}\n" for rank, document in enumerate(name))
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", "abx", "cay")]


def run(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, ["simulate", *words], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.stdout if status == 0 else result.output


def test_csv_has_a_row_for_each_strategy_and_budget(files: list[str]) -> None:
    text = run(*files, "--strategy", "depth", "--depth", "2", "--budget", "67%,100%", "--format", "csv")
    assert text.splitlines()[0] == "strategy,budget,judged,recall,recall_low,recall_high,tau,tau_ap,rmse"
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["strategy"], float(row["budget"]), row["judged"], float(row["recall"])) for row in rows] == [
        ("depth", 67, "2", 0.5),
        ("depth", 100, "3", 1.0),
    ]


def test_json_has_the_same(files: list[str]) -> None:
    (row,) = json.loads(
        run(*files, "--strategy", "hedge", "--depth", "2", "--budget", "100", "--format", "json")
    )
    assert (row["strategy"], row["judged"], row["recall"], row["rmse"]) == ("hedge", 3, 1.0, 0.0)


def test_the_table_has_all_orders_where_none_is_named(files: list[str]) -> None:
    shown = run(*files, "--depth", "2")
    assert all(name in shown for name in ("depth", "rrf", "thompson", "separate", "Recall", "RMSE"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--budget", "0%"], "give more than 0 % and at most 100 %"),
        (["--budget", "120%"], "give more than 0 % and at most 100 %"),
        (["--strategy", "hegde"], "there is: hedge"),
        (["-m", "XYZ"], "XYZ"),
    ],
)
def test_what_cannot_be_simulated_is_refused_with_the_way_out(
    files: list[str], words: list[str], message: str
) -> None:
    assert message in run(*files, *words, status=1)


def test_a_file_that_is_no_run_is_refused_with_its_line(files: list[str]) -> None:
    Path(files[1]).write_text("not a run\n")
    assert f"{files[1]}:1: " in run(*files, status=1)


def test_pairs_without_a_judgment_are_counted_in_a_warning(files: list[str]) -> None:
    result = CliRunner().invoke(main, ["simulate", *files, "--depth", "3", "--strategy", "rrf"])
    assert (
        "2 pairs of 5 in the pools to depth 3 without a judgment; they count as not relevant" in result.stderr
    )
