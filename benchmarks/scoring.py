"""Scores of the 17 robust03 runs with the official qrels: opened, after one judgment, and without news.

    WORKBENCH_TEST_DATA=FOLDER .venv/bin/python benchmarks/scoring.py [ROUNDS]

Builds a campaign once (runs, a pool of depth 100, qrels), then in turn: opens it and scores all runs on 17
measures; appends one judgment of a random pair and asks a warm board for the new table; asks it again without
news. Prints medians and the slowest of each. Then scores all runs anew on all measures of all_trec, from the
campaign in memory; and, if trec_eval is on the PATH, runs it once per run over the same (unpacked) files for the
ratio. The two take turns.
"""

from __future__ import annotations

import gzip
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from data import machine, robust_qrels, robust_runs

from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Judgment
from workbench.scoring.board import Board, load_scoring
from workbench.scoring.board.loading import Scoring
from workbench.scoring.board.table import choose, tabulate, wanted
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.log import log

MEASURES = (
    "P@5 P@10 R@100 R@1000 AP RR Rprec nDCG nDCG@10 nDCG@20 Bpref RBP Judged@10 NumRet NumRel NumRelRet NumQ"
).split()


def build(path: Path) -> None:
    with create_campaign(path) as campaign:
        add_runs(campaign.by("benchmark"), robust_runs())
        add_pool(campaign.by("benchmark"), depth=100)
        add_qrels(campaign.by("benchmark"), [robust_qrels()])


def judge(campaign: Campaign, pair: tuple[str, str], grade: int) -> None:
    row = Judgment(
        0, str(uuid4()), log.timestamp(), None, "ann", *pair, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip
    with campaign.write():
        log.append_judgments(campaign, [row])


def milliseconds(function, *arguments) -> float:
    start = time.perf_counter()
    function(*arguments)
    return 1000 * (time.perf_counter() - start)


def open_and_score(path: Path) -> None:
    with open_campaign(path) as campaign:
        Board().table(campaign, MEASURES)


def score_all(scoring: Scoring) -> None:
    chosen = choose(["all_trec"], scoring.relevant_from)
    tabulate(scoring, chosen, scoring.values_of(wanted(scoring, chosen)))


def reference(program: str, files: list[str]) -> None:
    for file in files:
        command = [program, "-c", "-m", "all_trec", robust_qrels(), file]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def unpacked(folder: Path) -> list[str]:
    files = []
    for run in map(Path, robust_runs()):
        files.append(str(folder / run.stem))
        with gzip.open(run) as packed, Path(files[-1]).open("wb") as plain:
            shutil.copyfileobj(packed, plain)
    return files


def compare(path: Path, folder: Path, rounds: int) -> None:
    """All measures of all_trec, ours and the reference program's, in turn."""
    program, files = shutil.which("trec_eval"), unpacked(folder)
    with open_campaign(path) as campaign:
        scoring = load_scoring(campaign)
    score_all(scoring)
    ours, theirs = [], []
    for _ in range(rounds):
        ours += [milliseconds(score_all, scoring) for _ in range(5)]
        theirs += [milliseconds(reference, program, files)] if program else []
    print(line(f"all_trec, {len(choose(['all_trec'], 1))} values, in memory", ours))
    if theirs:
        print(line("trec_eval -c -m all_trec, per run", theirs))
        print(f"{'ratio':<34}{statistics.median(theirs) / statistics.median(ours):8.1f}")
    else:
        print("trec_eval is not on the PATH")


def line(what: str, times: list[float]) -> str:
    return f"{what:<34}{statistics.median(times):8.2f} ms   (slowest {max(times):.2f})"


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robust.db"
        build(path)
        opened = [milliseconds(open_and_score, path) for _ in range(rounds)]
        judged, polled = [], []
        with open_campaign(path) as campaign:
            grades = {label[1:3]: label.grade for label in qrels(campaign)}
            board = Board()
            board.table(campaign, MEASURES)
            for pair in random.Random(1).sample(sorted(grades), 20 * rounds):
                judge(campaign, pair, 0 if grades[pair] else 1)
                judged.append(milliseconds(board.table, campaign, MEASURES))
                polled.append(milliseconds(board.table, campaign, MEASURES))
        print(f"17 runs, 1,510,973 documents, {len(MEASURES)} measures; {machine()}; {rounds} rounds")
        print(line("open the campaign and score", opened))
        print(line("one judgment, new scores of all", judged))
        print(line("a question without news", polled))
        compare(path, Path(folder), rounds)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
