"""What it costs to replay every order on Robust 2003: 100 topics, the whole pool to depth 100 (49,528 pairs), one seed.

    WORKBENCH_TEST_DATA=DATA OMP_NUM_THREADS=1 .venv/bin/python benchmarks/simulating_orders.py

Processor time of each order, with AP of all runs at 10 % of the pool, and the sum.
"""

from __future__ import annotations

import time

from data import machine, robust_qrels, robust_runs

from workbench.analysis.simulating import collection_from_files, named_strategies, simulate
from workbench.methods.measures import parse_measure

DEPTH = 100
ORDERS = (
    "random document-id depth ntcir rrf borda combsum combmnz rbp-a rbp-b rbp-c rbp-c(p=0.95) mtf maxmean "
    "maxmean(rate=0.9) maxmean(rate=0) thompson hedge hedge(beta=0.05) hedge(beta=0.5) mtc separate "
    "separate(pairs=all) rbp-b(p=0.95)"
).split()


def main() -> None:
    print(machine())
    collection, _ = collection_from_files(robust_qrels(), robust_runs(), DEPTH)
    total = 0.0
    for selected in named_strategies(ORDERS, DEPTH):
        start = time.process_time()
        row, _ = simulate(collection, [selected], [10.0, 100.0], parse_measure("AP"), seeds=1)
        taken = time.process_time() - start
        total += taken
        print(f"{row.strategy:<24}{row.recall:8.3f}{taken:8.2f} s", flush=True)
    print(f"{len(ORDERS)} orders{total:24.2f} s")


if __name__ == "__main__":
    main()
