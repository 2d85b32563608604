"""TREC-COVID's rounds replayed against the official scores, cell by cell, to the last printed digit.

    WORKBENCH_TREC_COVID=FOLDER .venv/bin/python benchmarks/trec_covid.py

Without WORKBENCH_TREC_COVID a made task of three rounds is replayed, whose scores plain Python computed
(tests/made_covid.py). FOLDER has what NIST published, under its own names, for as many rounds as there are:

    archive/round1/TAG[.gz]              the runs that were scored (ir.nist.gov/trec-covid/archive)
    data/qrels-covid_d1_j0.5-1.txt       the judgments they were scored by (ir.nist.gov/trec-covid/data), of later
                                         rounds d2_j1.5-2, d3_j2.5-3, d4_j3.5-4 and d5_j4.5-5
    round1/results.md                    the official scores (github.com/usnistgov/trec-browser,
                                         browser/src/docs/trec-covid/round1/results.md)

Each round is opened in one campaign, which gets its runs and then its judgments. The scores are those of `--round
N-own`: the archive has the runs without what was judged before, and NIST scored them as they are. Its `rbp_p5` is
TrecRBP(p=0.5). The exit status is 1 where a cell differs.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.made_covid import write_made_task
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.rounds import open_round, seen_by_name
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, create_campaign

FIRST_SHOWN = 5

MEASURES = {
    "bpref": "Bpref",
    "map": "AP",
    "ndcg": "nDCG",
    "ndcg_10": "nDCG@10",
    "ndcg_20": "nDCG@20",
    "P_5": "P@5",
    "P_20": "P@20",
    "rbp_p5": "TrecRBP(p=0.5)",
}
"""What the official tables call each measure, and what it is here."""


class Cell(NamedTuple):
    """A run on a measure: the official number and the one that the replay gives, both to four digits."""

    round: str
    run: str
    measure: str
    official: str
    ours: str


def official(file: Path) -> dict[str, dict[str, str]]:
    """The numbers of a table of results by run and measure; the table leaves out zeros at the end."""
    found: dict[str, dict[str, str]] = {}
    tag = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"#### (\S+)\s*", line):
            tag = heading[1]
        elif (cell := re.fullmatch(r"\s*(\w+)\s+all\s+([\d.]+)\s*", line)) and cell[1] in MEASURES:
            found.setdefault(tag, {})[cell[1]] = f"{float(cell[2]):.4f}"
    return found


def rounds_of(folder: Path) -> Iterator[tuple[str, list[str], list[str], dict[str, dict[str, str]]]]:
    """Of each round its name, run files, qrels and official numbers; ends at the first that is not there."""
    number = 1
    while (table := folder / f"round{number}" / "results.md").is_file():
        runs = sorted(str(file) for file in (folder / "archive" / f"round{number}").iterdir())
        qrels = [
            str(file)
            for file in (folder / "data").glob(f"qrels-covid_d{number}_j*.txt")
            if file.stem.endswith(f"_j{number - 0.5:g}-{number}")
        ]
        yield str(number), runs, qrels, official(table)
        number += 1


def replay(folder: Path, campaign: Campaign) -> Iterator[Cell]:
    """The rounds in their order, and every official cell with its counterpart ("" for a run that is not there)."""
    for name, runs, qrels, table in rounds_of(folder):
        if name != "1":
            open_round(campaign, name)
        add_runs(campaign, runs)
        add_qrels(campaign, qrels)
        ours = scores_of(seen_by_name(campaign, f"{name}-own"))
        for tag, values in table.items():
            for measure, value in values.items():
                yield Cell(name, tag, measure, value, ours.get(tag, {}).get(measure, ""))


def scores_of(seen: Campaign) -> Mapping[str, Mapping[str, str]]:
    """The runs of the part that is looked at on MEASURES, as they are printed."""
    return {
        row.tag: {
            name: f"{value:.4f}"
            for name, value in zip(MEASURES, row.values, strict=True)
            if value is not None
        }
        for row in score_campaign(seen, list(MEASURES.values())).rows
    }


def main() -> int:
    """Replay, and print of each round how many cells are the same; 1 where one differs."""
    data = os.environ.get("WORKBENCH_TREC_COVID", "")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(data) if data else write_made_task(Path(scratch) / "made")
        with create_campaign(Path(scratch) / "covid.db") as campaign:
            cells = list(replay(folder, campaign.by("replay")))
    print(f"{'TREC-COVID' if data else 'A made task'} of {len({cell.round for cell in cells})} rounds")
    for name in dict.fromkeys(cell.round for cell in cells):
        own = [cell for cell in cells if cell.round == name]
        odd = [cell for cell in own if cell.ours != cell.official]
        print(f"round {name}: {len(own) - len(odd):,} of {len(own):,} cells are the official ones")
        for cell in odd[:FIRST_SHOWN]:
            print(f"    {cell.run} {cell.measure}: {cell.ours or 'no such run'}, officially {cell.official}")
    return int(not cells or any(cell.ours != cell.official for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
