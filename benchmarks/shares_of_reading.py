"""How much of `add runs` and of `simulate` is what lines.c does for `workbench eval`: reading, checking and ordering.

    WORKBENCH_TEST_DATA=FOLDER .venv/bin/python benchmarks/shares_of_reading.py [ROUNDS]

Processor time of all threads, the least of the rounds: adding the 17 robust03 runs, adding 143 made-up runs of 3.5
million lines, and replaying `depth`, and then all orders with a budget, on the robust03 runs. Files are read one after
the other. Of that, apart: reading the bytes and unpacking them, and what is compiled for eval: columns, repeated
documents, the one order.
"""

from __future__ import annotations

import functools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from data import machine, robust_qrels, robust_runs
from evaluate import SHAPES, made_runs

from workbench.analysis.simulating import (
    collection_from_files,
    from_files,
    named_strategies,
    simulation_of,
)
from workbench.formats import runs as run_files
from workbench.formats.text import columns, content, sources
from workbench.methods.measures import parse_measure
from workbench.scoring.evaluation import at_once
from workbench.setup.ingest import add_runs, numbering
from workbench.storage.campaign import create_campaign

UNPACKING, COMPILED = "unpacking", "compiled for eval"
PARTS = (
    (sources, "stored_bytes", UNPACKING),
    (sources, "decompress", UNPACKING),
    (content, "read_bytes", UNPACKING),
    (columns, "read_columns", COMPILED),
    (columns, "has_repeated_pairs", COMPILED),
    (numbering, "order_run", COMPILED),
    (from_files, "order_run", COMPILED),
)
spent: Counter[str] = Counter()


def watch(module: Any, name: str, part: str) -> None:
    function = getattr(module, name)

    @functools.wraps(function)
    def watched(*arguments: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return function(*arguments, **options)
        finally:
            spent[part] += time.process_time() - start

    setattr(module, name, watched)


def measure(what: str, rounds: int, work: Callable[[], object]) -> None:
    found = []
    for _ in range(rounds):
        spent.clear()
        start = time.process_time()
        work()
        found.append((time.process_time() - start, dict(spent)))
    whole, parts = min(found, key=lambda each: each[0])
    shares = "".join(
        f"{parts.get(part, 0):9.2f} s ({parts.get(part, 0) / whole:4.0%})" for part in (UNPACKING, COMPILED)
    )
    print(f"{what:<44}{whole:7.2f} s{shares}", flush=True)


def add(files: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, create_campaign(Path(folder) / "runs.db") as campaign:
        add_runs(campaign, files, actor="benchmark")


def replay(names: Sequence[str]) -> None:
    collection, _ = collection_from_files(robust_qrels(), robust_runs(), 100)
    selected = named_strategies(names, 100, has_texts=False)
    simulation_of(collection, selected, [5.0, 10.0, 20.0], parse_measure("AP"), seeds=5)


def main(rounds: int) -> None:
    for module, name, part in PARTS:
        watch(module, name, part)
    run_files.READERS = at_once.READERS = 1
    print(f"{machine()}; least of {rounds} rounds")
    print(f"{'':<44}{'whole':>9}{UNPACKING:>18}{COMPILED:>19}")
    with tempfile.TemporaryDirectory() as name:
        made = made_runs(Path(name), *SHAPES["covid"])
        measure("add 17 robust03 runs", rounds, lambda: add(robust_runs()))
        measure(f"add {len(made)} made-up runs", rounds, lambda: add(made))
    measure("replay depth on robust03", rounds, lambda: replay(["depth"]))
    measure("replay all orders on robust03", rounds, lambda: replay([]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
