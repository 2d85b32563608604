"""Parquet files: how they begin, and what is said of one that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from workbench.core.errors import InputError, Problem

PARQUET_START = b"PAR1"
BATCH_ROWS = 2048
"""Rows that are in memory at once."""


@contextmanager
def reading_parquet(file: str) -> Iterator[None]:
    """Raise `InputError` where polars cannot read a parquet file in the block."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        # A panic of the compiled code is what some damaged pages end in; it is no Exception of Python's.
        reason = str(error).split("\n", 1)[0][:200]
        raise InputError([Problem(file, None, f"the parquet file cannot be read: {reason}")]) from error
