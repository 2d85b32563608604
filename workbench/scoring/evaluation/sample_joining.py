"""Runs joined with a sample, as the same grid of topics and runs that `join` makes of grades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from workbench.core.ranking import POOLED, Packed
from workbench.methods.measures.sampled_rankings import (
    OUTSIDE,
    SampledRankings,
    SampleLabels,
    sample_of_strata,
)
from workbench.scoring.evaluation.packed_grid import packed_grid

if TYPE_CHECKING:
    from polars import DataFrame


def join_sample(
    qrels: DataFrame, runs: Sequence[DataFrame], *, single_precision: bool = False
) -> SampledRankings:
    """Put runs in the one order and find the candidates of the sample in them.

    Args:
        qrels: columns topic_id, document_id (String), grade (integer of two bytes), and either stratum (String), where
            what was not drawn has a grade below 0, or probability (Float64); each pair of ids once.
        runs: as for `workbench.scoring.evaluation.joining.join`; lines of topics without judgments are left out.
        single_precision: whether scores are compared as 32-bit floats.

    Returns:
        T * S rows for the T topics of the qrels, in byte order, and the S runs: row topic * S + run, empty where
        the run lacks the topic.
    """
    packed, grid = packed_grid(qrels, runs, single_precision=single_precision)
    labels = _of_strata(packed, qrels) if "stratum" in qrels.columns else _of_probabilities(packed, qrels)
    return SampledRankings.join(grid, labels)


def _of_strata(packed: Packed, qrels: DataFrame) -> SampleLabels:
    import polars as pl

    number = (pl.col("stratum").rank("dense").over("topic_id") - 1).cast(pl.Int64)
    stratum = _cells(packed, qrels.with_columns(number)).select(pl.col("stratum").fill_null(OUTSIDE))
    grade = np.where(packed.labels.label < 0, POOLED, packed.labels.label).astype(np.int16)
    return sample_of_strata(packed.labels.topic_start, stratum["stratum"].to_numpy(), grade)


def _of_probabilities(packed: Packed, qrels: DataFrame) -> SampleLabels:
    chance = _cells(packed, qrels)["probability"].fill_null(0.0).to_numpy()
    drawn = chance > 0
    stratum = np.where(drawn, 0, OUTSIDE)
    labels = packed.labels
    return SampleLabels(labels.topic_start, stratum, labels.label, chance, drawn, has_strata=False)


def _cells(packed: Packed, qrels: DataFrame) -> DataFrame:
    """The lines of the qrels by cell, with null where a cell has none."""
    return packed.pairs.join(qrels, on=["topic_id", "document_id"], how="left", maintain_order="left")
