"""A thousand runs at once: what evaluating, pooling and permutations take here and on workers of this machine.

    .venv/bin/python benchmarks/many_runs.py [PART...] [--runs 100,1000] [--folder FOLDER]
    .venv/bin/python benchmarks/many_runs.py eval --runs 1000,10000 --topics 1 --depth 2 --measure AP

Parts (all of them without one):
    eval     `workbench eval -c -m all_trec` on runs of 100 topics x 1,000 documents, 100,000 lines each
    pool     `workbench pooling pool-files --depth 100` on the same runs
    shuffle  randomised Tukey HSD, 10,000 rounds, 100 topics, as many runs

The second call is of many small files: other numbers of topics and documents, and one measure.

Sides: one core of the machine, all of them, one worker, two workers. The runs are 20 different files under as many
names as there are runs (hard links), not compressed: so they stay in the system's memory, and no disk is measured.

For each side: seconds by the clock; processor seconds of the command and of its workers together; the largest memory
that the command held, and any worker, in MB; and the machine's load before it. Where other programs run, compare
processor time alone, and take it for too large. Last, what a further run costs: the difference between the smallest
and the largest number of runs.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from data import machine

WORKBENCH = Path(sys.executable).with_name("workbench")
TOPICS, DEPTH, DIFFERENT, JUDGED = 100, 1000, 20, 200
ROUNDS = 10_000
POLL = 0.1
PARTS = ("eval", "pool", "shuffle")
ONE_CORE = ["taskset", "-c", "0"]
SIDES = {
    "one core": (ONE_CORE, []),
    "all cores": ([], []),
    "one worker": ([], ["--workers", "1"]),
    "two workers": ([], ["--workers", "2"]),
}
SHUFFLE = """
import sys
import numpy as np
from workbench.analysis.comparing.all_pairs import pairs_of
from workbench.analysis.comparing.scores import Scored
from workbench.jobs.cluster import workers_of
from workbench.methods.measures import parse_measure

if __name__ == "__main__":
    topics, runs, rounds = map(int, sys.argv[1:4])
    values = np.random.default_rng(1).random((topics, runs))
    tags, topic_ids = (tuple(map(str, range(number))) for number in (runs, topics))
    scored = Scored(1, parse_measure("AP"), topic_ids, tags, values, values.mean(axis=0))
    workers = workers_of(None, int(sys.argv[5]) if len(sys.argv) > 5 else None)
    found = pairs_of(scored, permutations=rounds, workers=workers)
    print(found.randomised_tukey.sum())
"""


class Spent(NamedTuple):
    """What a command took: seconds, processor seconds with its workers, MB of the command and of the largest worker."""

    seconds: float
    cpu: float
    command: float
    worker: float
    printed: bytes


def make(folder: Path, runs: int, topics: int, depth: int) -> tuple[str, list[str]]:
    """Qrels, and run files: 20 different ones, and links to them."""
    chance = np.random.default_rng(1)
    qrels = folder / "qrels"
    qrels.write_text(
        "".join(
            f"{topic} 0 doc{document:06d} {chance.integers(0, 3)}\n"
            for topic in range(1, 1 + topics)
            for document in range(JUDGED)
        )
    )
    for number in range(DIFFERENT):
        lines = []
        for topic in range(1, 1 + topics):
            documents = chance.choice(20_000, depth, replace=False)
            score = np.sort(chance.random(depth) * 100)[::-1]
            lines += [
                f"{topic} Q0 doc{document:06d} {rank} {value:.6f} run{number}\n"
                for rank, (document, value) in enumerate(zip(documents, score, strict=True), 1)
            ]
        (folder / f"different{number}").write_text("".join(lines))
    files = []
    for number in range(runs):
        files.append(str(folder / f"run{number:04d}"))
        os.link(folder / f"different{number % DIFFERENT}", files[-1])
    return str(qrels), files


def run(command: list[str]) -> Spent:
    """Run a command to its end, and look at the memory of its processes meanwhile."""
    with tempfile.TemporaryFile() as printed:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed)
        peaks: dict[int, float] = {}
        while True:
            for pid in (process.pid, *descendants(process.pid)):
                peaks[pid] = max(peaks.get(pid, 0.0), peak(pid))
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(POLL)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command[:6])} ... failed")
        own = peaks.pop(process.pid)
        printed.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return Spent(seconds, cpu, own, max(peaks.values(), default=0.0), printed.read())


def descendants(pid: int) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from descendants(child)


def peak(pid: int) -> float:
    """The most memory that a process has held so far, in MB; 0 if it is gone."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def command_of(part: str, qrels: str, files: list[str], script: str, asked: argparse.Namespace) -> list[str]:
    if part == "eval":
        return [str(WORKBENCH), "eval", "-c", "-m", asked.measure, "--format", "csv", qrels, *files]
    if part == "pool":
        return [str(WORKBENCH), "pool-files", "--depth", "100", *files]
    return [sys.executable, script, str(asked.topics), str(len(files)), str(ROUNDS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--runs", default="100,1000")
    parser.add_argument("--sides", default=",".join(SIDES))
    parser.add_argument("--topics", type=int, default=TOPICS)
    parser.add_argument("--depth", type=int, default=DEPTH)
    parser.add_argument("--measure", default="all_trec")
    parser.add_argument(
        "--folder", help="where the files are made; the system's folder for temporary files without"
    )
    asked = parser.parse_args()
    numbers = sorted(map(int, asked.runs.split(",")))
    print(machine())
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        qrels, files = make(Path(folder), numbers[-1], asked.topics, asked.depth)
        script = Path(folder, "shuffle.py")
        script.write_text(SHUFFLE)
        lines = asked.topics * asked.depth
        for part in asked.parts or PARTS:
            heads = f"{'runs':>6}{'lines':>13}{'seconds':>9}{'cpu s':>8}{'MB':>7}{'MB worker':>11}{'load':>7}"
            print(f"\n{part:<14}{heads}")
            per_run: dict[str, list[tuple[int, float]]] = {}
            for number in numbers:
                printed = None
                for side in asked.sides.split(","):
                    before, after = SIDES[side]
                    command = command_of(part, qrels, files[:number], str(script), asked)
                    load = os.getloadavg()[0]
                    spent = run([*before, *command, *after])
                    if printed is not None and spent.printed != printed:
                        sys.exit(f"{side} prints something else")
                    printed = spent.printed
                    per_run.setdefault(side, []).append((number, spent.cpu))
                    print(
                        f"{side:<14}{number:6}{number * lines:13,}{spent.seconds:9.1f}{spent.cpu:8.1f}"
                        f"{spent.command:7.0f}{spent.worker:11.0f}{load:7.1f}",
                        flush=True,
                    )
            for side, spent_by in per_run.items():
                (first, least), (last, most) = spent_by[0], spent_by[-1]
                if last > first:
                    print(
                        f"{side}: {(most - least) / (last - first):.4f} processor seconds for each further run"
                    )


if __name__ == "__main__":
    main()
