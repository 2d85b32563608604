"""The other sides of evaluate.py, each a program of its own, and the maker of runs.

    python sides.py pytrec_eval|ir_measures|ranx QRELS RUN...      prints the means of every run
    python sides.py make FOLDER RUNS TOPICS DEPTH                  writes qrels.txt and RUNS run files

Every library reads the files with its own functions.
"""

from __future__ import annotations

import sys
from pathlib import Path

SEED = 3
JUDGED = 1500
SHARED = "AP RR Rprec Bpref nDCG nDCG@10 nDCG@20 P@5 P@10 R@100 R@1000 Success@10".split()
SHARED_AS_RANX = (
    "map mrr r-precision bpref ndcg ndcg@10 ndcg@20 precision@5 precision@10 recall@100 recall@1000 hit_rate@10"
).split()


def pytrec_eval(qrels: str, runs: list[str]) -> None:
    """All its measures."""
    import pytrec_eval as library

    with Path(qrels).open() as file:
        evaluator = library.RelevanceEvaluator(library.parse_qrel(file), library.supported_measures)
    for run in runs:
        with Path(run).open() as file:
            topics = evaluator.evaluate(library.parse_run(file))
        for name in next(iter(topics.values())):
            mean = library.compute_aggregated_measure(name, [values[name] for values in topics.values()])
            print(run, name, mean)


def ir_measures(qrels: str, runs: list[str]) -> None:
    """Twelve measures, with one evaluator for all runs."""
    import ir_measures as library

    measures = [library.parse_measure(name) for name in SHARED]
    evaluator = library.evaluator(measures, list(library.read_trec_qrels(qrels)))
    for run in runs:
        for measure, mean in evaluator.calc_aggregate(library.read_trec_run(run)).items():
            print(run, measure, mean)


def ranx(qrels: str, runs: list[str]) -> None:
    """The same twelve measures."""
    import ranx as library

    judged = library.Qrels.from_file(qrels, kind="trec")
    for run in runs:
        ranked = library.Run.from_file(run, kind="trec")
        for name, mean in library.evaluate(judged, ranked, SHARED_AS_RANX, make_comparable=True).items():
            print(run, name, mean)


def make(folder: Path, n_runs: int, n_topics: int, depth: int) -> None:
    """Runs that share much of what they find, with ties, and qrels of four grades; the same for the same numbers."""
    import numpy as np
    import polars as pl

    random = np.random.default_rng(SEED)
    topics = np.arange(401, 401 + n_topics)
    pool = np.array([random.choice(1_000_000, 4 * depth, replace=False) for _ in topics])
    merit = random.gumbel(size=pool.shape)
    grades = pl.DataFrame(
        {
            "topic": np.repeat(topics, JUDGED),
            "zero": "0",
            "document": pool[:, :JUDGED].ravel(),
            "grade": random.choice(4, n_topics * JUDGED, p=[0.9, 0.06, 0.03, 0.01]),
        }
    )
    write(grades, folder / "qrels.txt")
    for number in range(n_runs):
        score = merit + random.gumbel(size=pool.shape)
        best = np.argsort(-score, axis=1)[:, :depth]
        ranking = pl.DataFrame(
            {
                "topic": np.repeat(topics, depth),
                "q0": "Q0",
                "document": np.take_along_axis(pool, best, 1).ravel(),
                "rank": np.tile(np.arange(1, depth + 1), n_topics),
                "score": np.take_along_axis(score, best, 1).ravel().round(3),
                "tag": f"made{number:03}",
            }
        )
        write(ranking, folder / f"made{number:03}.run")


def write(frame, path: Path) -> None:
    import polars as pl

    named = frame.with_columns(
        pl.format("MADE-{}", pl.col("document").cast(pl.String).str.zfill(7)).alias("document")
    )
    named.write_csv(path, include_header=False, separator=" ")


if __name__ == "__main__":
    side, *words = sys.argv[1:]
    if side == "make":
        make(Path(words[0]), *map(int, words[1:]))
    else:
        {"pytrec_eval": pytrec_eval, "ir_measures": ir_measures, "ranx": ranx}[side](words[0], words[1:])
