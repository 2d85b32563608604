"""How the columns of tables are named: one name in several spellings, and the index that pandas writes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

PARTING = re.compile(r"[\s_-]+")
INDEX = re.compile(r"(?:__index_level_0__|unnamed: 0)?", re.IGNORECASE)
"""How pandas names the index of a frame: not at all in lines, otherwise in parquet and when read again."""

LIKE_A_NAME = re.compile(r"[^\W\d][\w .-]{0,40}")


@lru_cache(4096)
def spelled_together(name: str) -> str:
    """A name without what parts its words, in small letters.

    >>> {spelled_together(name) for name in ("query_id", "query-id", "Query ID", "queryId")}
    {'queryid'}
    """
    return PARTING.sub("", name).lower()


def with_index(names: Sequence[str], ids: Collection[str]) -> list[str]:
    """The names of columns; the index of pandas, if it is the first, is `id` where no other one is an id, else ''."""
    first = names[0].strip() if names else "first"
    if not INDEX.fullmatch(first):
        return list(names)
    has_id = any(spelled_together(name) in ids for name in names[1:])
    return ["" if has_id else "id", *names[1:]]


def is_header(cells: Sequence[str], ids: Collection[str]) -> bool:
    """Whether cells of a first line are names, none of which need be a usual one but the first: that of an id."""
    first, *others = (cell.strip() for cell in cells) if cells else ("",)
    return bool(others) and spelled_together(first) in ids and all(map(LIKE_A_NAME.fullmatch, others))


TOPIC_NAMES = ("topic_id", "query_id", "qid", "q_id", "topic", "query")
DOCUMENT_NAMES = ("document_id", "doc_id", "docno", "docid", "corpus_id", "passage_id", "pid", "document")
SCORE_NAMES = ("score", "sim", "similarity")
GRADE_NAMES = ("grade", "relevance", "rel", "label", "judgment", "score")
RANK_NAMES = ("rank",)
TAG_NAMES = ("tag", "run", "run_id", "run_name", "system")
"""What the columns of runs and qrels are called in the field's libraries and collections."""


def place_of(wanted: Sequence[str], columns: Sequence[str]) -> int | None:
    """Where the first of the wanted names stands among the columns, in whatever spelling."""
    plain = [spelled_together(column.strip()) for column in columns]
    return next((plain.index(name) for name in map(spelled_together, wanted) if name in plain), None)
