"""Topics in parquet, as lines of JSON."""

from __future__ import annotations

import io

from workbench.core.errors import InputError, Problem
from workbench.formats.text.column_names import with_index
from workbench.formats.topics.fields import IDS

PARQUET_START = b"PAR1"
MOST_BYTES = 256 * 1024 * 1024
BATCH_ROWS = 2048


def parquet_as_json_lines(data: bytes, file: str) -> bytes:
    """The rows of a parquet file as objects, one a line; InputError for one that is damaged or unpacks to too much."""
    import polars

    lines = io.BytesIO()
    try:
        for batch in polars.scan_parquet(io.BytesIO(data)).collect_batches(chunk_size=BATCH_ROWS):
            batch.columns = with_index(batch.columns, IDS)
            batch.write_ndjson(lines)
            if lines.tell() > MOST_BYTES:
                message = (
                    f"more than {MOST_BYTES // 1024 // 1024} MiB of topics; is this a file of documents?"
                )
                raise InputError([Problem(file, None, message)])
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        reason = str(error).split("\n", 1)[0][:200]
        raise InputError([Problem(file, None, f"the parquet file cannot be read: {reason}")]) from error
    return lines.getvalue()
