"""`wb.evaluator` beside pytrec_eval's: what a training loop spends on a call, in turns, by processor time.

    .venv/bin/python benchmarks/training_loop.py [PAIRS]

A call scores 1 or 1,000 queries with 100 documents each on AP, nDCG@10 and RR. `made` includes reading the judgments,
`called` does not; `arrays` are scores and numbers of documents, `labels` labels by rank. Both sides take turns; each
figure is the median of PAIRS (7) of them, of as many calls as take some milliseconds.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from random import Random

import numpy as np
import pytrec_eval

import workbench as wb

MEASURES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "RR": "recip_rank"}
DOCUMENTS = 100


def main() -> None:
    """Print a table with milliseconds of a call and ratios to pytrec_eval's."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print("| Queries | | pytrec_eval, ms | ours, ms | ours is so many times as fast |\n|---|---|---|---|---|")
    for queries, calls in ((1, 200), (1_000, 1)):
        chance = Random(1)
        ids = [f"d{number}" for number in range(2 * DOCUMENTS)]
        topics = [f"{number:04}" for number in range(queries)]
        qrels = {
            topic: {each: chance.choice([0, 0, 0, 1, 2]) for each in ids[:DOCUMENTS]} for topic in topics
        }
        run = {topic: {each: chance.random() for each in ids[::2]} for topic in topics}
        theirs, ours = (
            pytrec_eval.RelevanceEvaluator(qrels, {*MEASURES.values()}),
            wb.evaluator(qrels, list(MEASURES)),
        )
        numbered = ours.of_documents(ids)
        documents = np.tile(np.arange(0, 2 * DOCUMENTS, 2), (queries, 1))
        scores = np.array([list(run[topic].values()) for topic in topics])
        ranked = [sorted(run[topic], key=lambda each: -run[topic][each]) for topic in topics]
        labels = np.array(
            [
                [qrels[topic].get(each, -32768) for each in row]
                for topic, row in zip(topics, ranked, strict=True)
            ]
        )
        called = lambda: theirs.evaluate(run)  # noqa: B023, E731
        sides: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "made": (
                lambda: pytrec_eval.RelevanceEvaluator(qrels, {*MEASURES.values()}).evaluate(run),  # noqa: B023
                lambda: wb.evaluate(qrels, run, list(MEASURES)),  # noqa: B023
            ),
            "called": (called, lambda: ours(run)),  # noqa: B023
            "arrays": (called, lambda: numbered(documents, scores)),  # noqa: B023
            "labels": (called, lambda: wb.score_labels(labels, list(MEASURES))),  # noqa: B023
        }
        for name, (one, other) in sides.items():
            times = [(spent(one, calls), spent(other, calls)) for _ in range(pairs + 1)][1:]
            first, second = (statistics.median(side) for side in zip(*times, strict=True))
            ratio = statistics.median(of_one / of_other for of_one, of_other in times)
            print(f"| {queries:,} | {name} | {first:.3f} | {second:.3f} | {ratio:.2f} |")


def spent(call: Callable[[], object], calls: int) -> float:
    """Milliseconds of the processor for one call."""
    begun = time.process_time()
    for _ in range(calls):
        call()
    return (time.process_time() - begun) * 1_000 / calls


if __name__ == "__main__":
    main()
