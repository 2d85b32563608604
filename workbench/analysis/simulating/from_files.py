"""A collection to simulate on from run files and qrels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.analysis.simulating.collection import Collection, collection_of
from workbench.core.errors import InputError, Problem
from workbench.core.ranking import order_run, pack_rankings
from workbench.scoring.evaluation.reading import read_evaluation


class FromFiles(NamedTuple):
    """A collection, and what is odd about its files."""

    collection: Collection
    warnings: tuple[Problem, ...]


def collection_from_files(qrels: str | Path, runs: Sequence[str | Path], depth: int) -> FromFiles:
    """Read run files and qrels; topics without judgments are left out.

    Raises:
        InputError: something is wrong with a file, or a run has no topic that has judgments.
    """
    import polars as pl

    files = read_evaluation(qrels, runs)
    judged = files.qrels.frame["topic_id"].unique()
    frames = [order_run(run.frame.filter(pl.col("topic_id").is_in(judged.implode()))) for run in files.runs]
    if foreign := [run.file for run, frame in zip(files.runs, frames, strict=True) if not frame.height]:
        message = f"none of its topics has judgments in {files.qrels.file}; are these files of the same task?"
        raise InputError([Problem(file, None, message) for file in foreign])
    found = collection_of(pack_rankings(frames, files.qrels.frame), len(frames), depth)
    warnings = [*files.qrels.warnings, *(problem for run in files.runs for problem in run.warnings)]
    if found.warning:
        warnings.append(Problem(files.qrels.file, None, found.warning))
    return FromFiles(found, tuple(warnings))
