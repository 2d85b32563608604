"""Tables of the documents that `workbench simulate` makes hold what it says now, to the last digit."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from workbench.cli import main

pytestmark = pytest.mark.data
DOCS = Path(__file__).resolve().parents[3] / "docs"


def table(page: str, *head: str) -> dict[str, list[str]]:
    """The rows of the one table with these columns, by their first cell without its marks; numbers as they stand."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    at = lines.index(f"| {' | '.join(head)} |")
    end = next(place for place in range(at, len(lines)) if not lines[place].startswith("|"))
    rows = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[at + 2 : end]]
    return {row[0]: row[1:] for row in rows}


def simulated(*words: str) -> list[dict[str, str]]:
    result = CliRunner().invoke(main, ["simulate", *words, "--format", "csv"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


def three_digits(number: str) -> str:
    return f"{float(number):.3f}".removeprefix("0")


def collection(folder: Path, qrels: str) -> list[str]:
    return [str(folder / qrels), *map(str, sorted((folder / "runs").iterdir()))]


def test_shares_found_in_cranfield(data_folder: Path) -> None:
    held = table("pooling.md", "Strategy", "5 %", "10 %", "20 %", "30 %")
    strategies = [word for name in ("depth", "rrf", "hedge") for word in ("--strategy", name)]
    files = collection(data_folder / "cranfield", "trec-xml/cranqrel.trec.txt")
    rows = simulated(*files, *strategies, "--budget", "5,10,20,30")
    for name in ("depth", "rrf", "hedge"):
        found = [three_digits(row["recall"]) for row in rows if row["strategy"] == name]
        assert (name, found) == (name, held[name])


@pytest.mark.slow
def test_strategies_on_robust03(data_folder: Path) -> None:
    held = table("pooling.md", "Strategy", "Recall", "tau", "tau_AP", "RMSE")
    rows = simulated(*collection(data_folder / "robust03", "qrels.txt"), "--budget", "10")
    columns = ("recall", "tau", "tau_ap", "rmse")
    found = {row["strategy"]: [three_digits(row[column]) for column in columns] for row in rows}
    assert found == held


@pytest.mark.slow
def test_judgments_until_pairs_are_certain_on_robust03(data_folder: Path) -> None:
    held = table("certainty.md", "order", "25 %", "50 %", "75 %", "90 %", "95 %", "99 %")
    strategies = [
        "depth",
        "rrf",
        "hedge",
        "maxmean",
        "separate",
        "separate(p=0.8,pairs=open)",
        "separate(p=0.8)",
    ]
    words = [word for name in strategies for word in ("--strategy", name)]
    files = collection(data_folder / "robust03", "qrels.txt")
    found = {}
    for row in simulated(*files, "--certain", "-m", "RBP(p=0.8)", *words):
        order, *numbers = row.values()
        found[order] = [f"{int(each):,}" for each in numbers[-6:]]
    named = {
        "separate": "separate` (p = 0.95)",
        "separate(p=0.8,pairs=open)": "separate` (p = 0.8, pairs=open)",
        "separate(p=0.8)": "separate` (p = 0.8)",
        "narrows open pairs": "narrows open pairs, all topics together",
        "narrows all pairs": "narrows all pairs, all topics together",
    }
    assert {named.get(order, order): numbers for order, numbers in found.items()} == held
