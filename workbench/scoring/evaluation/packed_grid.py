"""Runs packed with the documents of judgments that are more than a grade: samples, and judgments of subtopics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.core.ranking import Packed, Rankings, order_run, pack_rankings

if TYPE_CHECKING:
    from polars import DataFrame


def packed_grid(
    judged: DataFrame, runs: Sequence[DataFrame], *, single_precision: bool = False
) -> tuple[Packed, Rankings]:
    """Put runs in the one order, and number the documents of runs and judgments together.

    Args:
        judged: columns topic_id and document_id (String), each pair of ids once; T topics.
        runs: S runs, as for `workbench.scoring.evaluation.joining.join`; lines of topics without judgments are left
            out.
        single_precision: whether scores are compared as 32-bit floats.

    Returns:
        The numbering, and T * S rows, the topics in byte order: row topic * S + run, empty where the run lacks the
        topic.
    """
    import polars as pl

    topics = judged.select("topic_id").unique()
    score = pl.col("score").cast(pl.Float32) if single_precision else pl.col("score")
    known = [frame.with_columns(score).join(topics, on="topic_id", how="semi") for frame in runs]
    packed = pack_rankings([order_run(frame) for frame in known], judged)
    return packed, packed.rankings.as_grid(len(packed.topic_ids), len(runs))
