"""`workbench eval` against the reference program, pytrec_eval, ir-measures and ranx, from files to printed means.

    WORKBENCH_TEST_DATA=FOLDER .venv/bin/python benchmarks/evaluate.py [PART...] [--rounds N] [--millions 1,2,4,8]

Parts (all of them without one):
    robust   17 robust03 runs, 100 topics, on all sides
    one      one made-up run x 100 topics x 1000 documents (100,000 lines)
    covid    143 made-up runs x 30 topics x 816 documents (3.5 million lines), the shape of TREC-COVID's first round
    made     100 made-up runs x 50 topics x 1000 documents (5 million lines) against the reference program
    growth   1, 2, 4, 8 and 10 million made-up lines: seconds and memory must grow in step with the lines
    start    what `workbench --help` and `workbench eval` on two lines take, over what Python takes to start, and when
             `workbench eval` opens its first file

"as tables" is ours with WORKBENCH_COMPILED=off, as where there is no C compiler.

Each side is a process of its own, timed from its start to its end, starting Python and printing included; the
sides take turns, after one round that is not counted (it fills the disk cache, and ranx compiles). Runs are
uncompressed; the reference program reads one run, so it is started once per run. A side that is not installed
says so: `make test-slow` installs ranx; trec_eval is taken from the PATH. A ratio is that side's median over ours;
`cpu s` adds up what all cores did.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from data import machine, robust_qrels, robust_runs

HERE = Path(__file__).resolve().parent
WORKBENCH = Path(sys.executable).with_name("workbench")
TOPICS, DEPTH = 50, 1000
OURS = "workbench eval -c -m all_trec"
REFERENCE = "trec_eval -c -m all_trec"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The round that is not counted leaves the compiled modules that any second call of a Python program finds."""

SHAPES = {"one": (1, 100, 1000), "covid": (143, 30, 816)}
"""Runs, topics, documents of made-up runs."""

PARTS = ("robust", "one", "covid", "made", "growth", "start")


class Spent(NamedTuple):
    """What one process took, or several one after the other."""

    seconds: float
    cpu: float
    megabytes: float


def run(commands: list[list[str]]) -> Spent:
    """The time of all commands, also that of all cores together, and the memory of the largest."""
    peaks, cpu = [], 0.0
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        for command in commands:
            process = subprocess.Popen(command, stdout=printed, stderr=said, env=ENVIRONMENT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                said.seek(0)
                sys.exit(f"{' '.join(command[:6])} ... failed:\n{said.read().decode()[-1000:]}")
            peaks.append(usage.ru_maxrss / 1024)
            cpu += usage.ru_utime + usage.ru_stime
        return Spent(time.perf_counter() - start, cpu, max(peaks))


def ours(qrels: str, runs: list[str]) -> list[list[str]]:
    return [[str(WORKBENCH), "eval", "-c", "-m", "all_trec", qrels, *runs]]


def as_tables(qrels: str, runs: list[str]) -> list[list[str]]:
    return [["env", "WORKBENCH_COMPILED=off", *command] for command in ours(qrels, runs)]


def reference(qrels: str, runs: list[str]) -> list[list[str]] | None:
    program = shutil.which("trec_eval")
    return program and [[program, "-c", "-m", "all_trec", qrels, each] for each in runs]


def library(name: str, qrels: str, runs: list[str]) -> list[list[str]] | None:
    found = importlib.util.find_spec(name)
    return found and [[sys.executable, str(HERE / "sides.py"), name, qrels, *runs]]


def compare(sides: dict[str, list[list[str]] | None], rounds: int) -> None:
    """A table of all sides; the first one is ours."""
    there = {name: commands for name, commands in sides.items() if commands}
    spent = {name: [] for name in there}
    for number in range(rounds + 1):
        for name, commands in there.items():
            once = run(commands)
            if number:
                spent[name].append(once)
    print(f"{'':<44}{'median s':>9}{'least s':>9}{'cpu s':>8}{'ratio':>7}{'peak MB':>9}")
    first = None
    for name in sides:
        if name not in spent:
            print(f"{name:<44}  not installed")
            continue
        middle = Spent(*(statistics.median(column) for column in zip(*spent[name], strict=True)))
        first = first or middle.seconds
        least = min(each.seconds for each in spent[name])
        ratio = middle.seconds / first
        print(
            f"{name:<44}{middle.seconds:9.3f}{least:9.3f}{middle.cpu:8.2f}{ratio:7.1f}{middle.megabytes:9.0f}"
        )


def robust(folder: Path, rounds: int) -> None:
    files = [unpacked(Path(file), folder) for file in robust_runs()]
    qrels = robust_qrels()
    print(f"\n{len(files)} robust03 runs, {count_lines(files):,} lines")
    sides = {
        OURS: ours(qrels, files),
        "the same, as tables": as_tables(qrels, files),
        f"{REFERENCE}, for each run": reference(qrels, files),
        "pytrec_eval-terrier, all its measures": library("pytrec_eval", qrels, files),
        "ir-measures, 12 measures": library("ir_measures", qrels, files),
        "ranx warm, 12 measures": library("ranx", qrels, files),
    }
    compare(sides, rounds)


def made(folder: Path, rounds: int, shape: tuple[int, int, int] = (100, TOPICS, DEPTH)) -> None:
    files = made_runs(folder, *shape)
    qrels = str(folder / "qrels.txt")
    print(f"\n{len(files)} made-up runs, {count_lines(files):,} lines")
    sides = {
        OURS: ours(qrels, files),
        "the same, as tables": as_tables(qrels, files),
        f"{REFERENCE}, for each run": reference(qrels, files),
        "pytrec_eval-terrier, all its measures": library("pytrec_eval", qrels, files),
    }
    compare(sides, rounds)


def growth(folder: Path, millions: list[int], rounds: int) -> None:
    per_run = TOPICS * DEPTH
    files = made_runs(folder, max(millions) * 1_000_000 // per_run)
    print(f"\nmade-up runs of {per_run:,} lines: {OURS}")
    print(f"{'lines':>12}{'median s':>10}{'s per million':>15}{'peak MB':>9}")
    for million in millions:
        commands = ours(str(folder / "qrels.txt"), files[: million * 1_000_000 // per_run])
        spent = [run(commands) for _ in range(rounds + 1)][1:]
        middle = statistics.median(each.seconds for each in spent)
        peak = max(each.megabytes for each in spent)
        print(f"{million * 1_000_000:12,}{middle:10.3f}{middle / million:15.3f}{peak:9.0f}")


def starting(folder: Path, rounds: int) -> None:
    print()
    qrels, run = folder / "start.qrels", folder / "start.run"
    qrels.write_text("1 0 d1 1\n")
    run.write_text("1 Q0 d1 1 2.5 x\n")
    sides = {
        "python -c pass": [[sys.executable, "-c", "pass"]],
        "workbench --help": [[str(WORKBENCH), "--help"]],
        OURS: ours(str(qrels), [str(run)]),
        "the same, as tables": as_tables(str(qrels), [str(run)]),
    }
    compare(sides, max(rounds, 5))
    seconds = [until_first_file(folder, run) for _ in range(max(rounds, 15) + 1)][1:]
    label = "until workbench eval opens its first file"
    print(f"{label:<44}{statistics.median(seconds):9.3f}{min(seconds):9.3f}")


def until_first_file(folder: Path, run: Path) -> float:
    """Seconds from the call to the first file that is opened: a pipe, which opens here when it is opened there."""
    qrels = folder / "piped.qrels"
    os.mkfifo(qrels)
    start = time.perf_counter()
    with subprocess.Popen(
        *ours(str(qrels), [str(run)]), stdout=subprocess.DEVNULL, env=ENVIRONMENT
    ) as process:
        with qrels.open("w") as file:
            seconds = time.perf_counter() - start
            file.write("1 0 d1 1\n")
        qrels.unlink()
    if process.returncode:
        sys.exit("workbench eval failed")
    return seconds


def unpacked(file: Path, folder: Path) -> str:
    target = folder / file.stem
    with gzip.open(file) as packed, target.open("wb") as plain:
        shutil.copyfileobj(packed, plain)
    return str(target)


def made_runs(folder: Path, number: int, topics: int = TOPICS, depth: int = DEPTH) -> list[str]:
    """The files of that many runs, made unless they are there; in a process of its own, to keep this one small."""
    command = [
        sys.executable,
        str(HERE / "sides.py"),
        "make",
        str(folder),
        str(number),
        str(topics),
        str(depth),
    ]
    if len(list(folder.glob("made*.run"))) < number:
        subprocess.run(command, check=True)
    return [str(file) for file in sorted(folder.glob("made*.run"))][:number]


def count_lines(files: list[str]) -> int:
    return sum(chunk.count(b"\n") for file in files for chunk in blocks(file))


def blocks(file: str) -> Iterator[bytes]:
    with Path(file).open("rb") as stream:
        while chunk := stream.read(1 << 20):
            yield chunk


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--millions", default="1,2,4,8,10", help="how many million lines, one after the other"
    )
    given = parser.parse_args()
    parts = given.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")
    print(f"{machine()}; median of {given.rounds} rounds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "robust" in parts:
            robust(folder, given.rounds)
        for part, shape in SHAPES.items():
            if part in parts:
                own = folder / part
                own.mkdir()
                made(own, given.rounds, shape)
        if "made" in parts:
            made(folder, given.rounds)
        if "growth" in parts:
            growth(folder, [int(each) for each in given.millions.split(",")], given.rounds)
        if "start" in parts:
            starting(folder, given.rounds)


if __name__ == "__main__":
    main()
