"""What a file names that a campaign does not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents

if TYPE_CHECKING:
    import polars as pl


def first_rows(
    frame: pl.DataFrame, column: str, known: Sequence[str] | Sequence[int] | pl.Series
) -> pl.DataFrame:
    """The values of `column` that are not known, each with the first row that has it, in the order of the file.

    Columns: `column`, and `row`, from 0.
    """
    import polars as pl

    values = known if isinstance(known, pl.Series) else pl.Series(known, dtype=frame.schema[column])
    first = frame.select(column).with_row_index("row").unique(column, keep="first", maintain_order=True)
    return first.filter(~pl.col(column).is_in(values.implode())).select(column, "row")


def known_documents(campaign: Campaign) -> pl.Series:
    """The ids of all documents in the recorded sources, each once; there must be a source."""
    import polars as pl

    parts = [
        pl.Series(ids, dtype=pl.String)
        for source in documents.sources(campaign)
        for ids in documents.source_ids(campaign, source.source)
    ]
    return pl.concat(parts).unique()
