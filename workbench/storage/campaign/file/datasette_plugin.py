"""Packed rankings of a campaign of the workbench in Datasette: `ranked`, and cells that people can read.

`select * from ranked where run = 'bm25' and topic = '301'` gives rank, document and score. Put this file into the
folder that `--plugins-dir` names; it needs nothing but Datasette.
"""

from __future__ import annotations

import json
import struct
from functools import lru_cache
from math import isfinite
from typing import Any

from datasette import hookimpl  # type: ignore

APPLICATION_ID = 0x57424331
SHOWN = 5

RANKED = """CREATE TEMP VIEW IF NOT EXISTS ranked AS
SELECT run.tag AS run, ranking.topic AS topic, entry.key + 1 AS rank,
    json_extract(entry.value, '$[0]') AS document, json_extract(entry.value, '$[1]') AS score
FROM ranking JOIN run USING (run), json_each(ranked_documents(ranking.documents, ranking.scores, (
    SELECT group_concat(documents, char(10))
    FROM (SELECT documents FROM vocabulary WHERE vocabulary.topic = ranking.topic ORDER BY first)
))) AS entry"""


def numbers(documents: bytes) -> tuple[int, ...]:
    """The document numbers of a packed ranking, in rank order."""
    return struct.unpack(f"<{len(documents) // 4}I", documents)


def scores_of(scores: bytes) -> tuple[float, ...]:
    """The scores of a packed ranking, in rank order."""
    return struct.unpack(f"<{len(scores) // 8}d", scores)


@lru_cache(maxsize=64)
def ids_of(vocabulary: str) -> list[str]:
    """A topic's document ids in the order of their numbers, from lines that are JSON arrays."""
    return [document_id for line in vocabulary.splitlines() for document_id in json.loads(line)]


def ranked_documents(documents: bytes, scores: bytes, vocabulary: str) -> str:
    """A packed ranking as a JSON array of [document id, score] in rank order."""
    ids = ids_of(vocabulary)
    pairs = zip(numbers(documents), scores_of(scores), strict=True)
    entries = (f"[{json.dumps(ids[number])},{_as_json(score)}]" for number, score in pairs)
    return f"[{','.join(entries)}]"


def _as_json(score: float) -> str:
    if isfinite(score):
        return repr(score)
    return "1e999" if score > 0 else "-1e999"


def prepare_connection(conn: Any) -> None:
    """Every connection to a campaign knows `ranked`."""
    if conn.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return
    conn.create_function("ranked_documents", 3, ranked_documents, deterministic=True)
    conn.execute(RANKED)


def render_cell(value: Any, column: str, table: str | None) -> str | None:
    """Hashes in hexadecimal digits, and the beginning of packed arrays; other cells as ever."""
    if not isinstance(value, bytes):
        return None
    if column == "hash" and len(value) == 32:
        return value.hex()
    if table == "ranking" and column in {"documents", "scores"}:
        unpacked = numbers(value) if column == "documents" else scores_of(value)
        more = ", …" if len(unpacked) > SHOWN else ""
        return f"{len(unpacked):,}: {', '.join(map(str, unpacked[:SHOWN]))}{more}"
    return None


for hook in (prepare_connection, render_cell):
    hookimpl(hook)
