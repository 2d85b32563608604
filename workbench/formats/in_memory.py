"""Runs and qrels that are in memory already: dicts of dicts, data frames, records; the words of other libraries.

A run is given as `{topic: {document: score}}`, as a polars or pandas frame, or as an iterable of records (named
tuples and the like, or plain triples); qrels likewise, with a whole grade in the place of the score. Columns
and attributes are found by the names that the field's libraries use (`query_id`, `qid`, `doc_id`, `docno`,
`score`, `relevance` ...). Identifiers are text: '007' is not '7', and a number is refused rather than guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import chain
from numbers import Real
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE
from workbench.formats.runs import RunFile
from workbench.formats.text.column_names import DOCUMENT_NAMES, GRADE_NAMES, SCORE_NAMES, TOPIC_NAMES

if TYPE_CHECKING:
    import polars as pl

ID_COLUMNS = ("topic_id", "document_id")


class Kind(NamedTuple):
    """What is being read: how it is called in messages, and where its values stand."""

    name: str
    column: str
    names: tuple[str, ...]
    value: str


RUN = Kind("the run", "score", SCORE_NAMES, "a number")
QRELS = Kind("the qrels", "grade", GRADE_NAMES, "a whole number")


def run_frame(source: Any) -> pl.DataFrame:
    """A run in memory as columns topic_id, document_id (String) and score (Float64), in the order given.

    Raises:
        InputError: it is nothing of the kind, an identifier is no text, a score is no number or nan, or a pair of
            topic and document stands twice.
    """
    frame = _frame(source, RUN)
    if (bad := frame["score"].is_nan()).any():
        raise _refused(RUN, f"score nan gives {_pair(frame, bad)} no place; give a number or leave it out")
    return _checked(frame, RUN)


def qrels_frame(source: Any) -> pl.DataFrame:
    """Qrels in memory as columns topic_id, document_id (String) and grade (Int64), in the order given.

    Raises:
        InputError: as `run_frame`; a grade is no whole number, or beyond two bytes.
    """
    import polars as pl

    frame = _frame(source, QRELS)
    grades = frame["grade"]
    if (bad := ~grades.is_finite() | (grades != grades.round())).any():
        message = f"the grade of {_pair(frame, bad)} is not a whole number; round it, or multiply all grades"
        raise _refused(QRELS, message)
    if (bad := ~grades.is_between(LOWEST_GRADE, HIGHEST_GRADE)).any():
        raise _refused(QRELS, f"the grade of {_pair(frame, bad)} is beyond {LOWEST_GRADE} to {HIGHEST_GRADE}")
    return _checked(frame.with_columns(grades.cast(pl.Int64)), QRELS)


def is_path(source: object) -> bool:
    """Whether this names a file."""
    return isinstance(source, str | Path)


def is_one_run(source: object) -> bool:
    """Whether this is one run, as against several by tag or in a list."""
    if isinstance(source, Mapping):
        return all(_is_ranking(value) for value in source.values())
    if isinstance(source, list | tuple) and source:
        first = source[0]
        return not (is_path(first) or isinstance(first, Mapping | RunFile) or _is_frame(first))
    return True


def _is_frame(source: object) -> bool:
    # A lazy frame of polars has columns too, but is slow to tell them, and warns.
    return hasattr(source, "lazy") or (hasattr(source, "columns") and hasattr(source, "__getitem__"))


def _is_ranking(value: object) -> bool:
    return isinstance(value, Mapping) and not any(isinstance(inner, Mapping) for inner in value.values())


def _refused(kind: Kind, message: str) -> InputError:
    return InputError([Problem(kind.name, None, message)])


def _frame(source: Any, kind: Kind) -> pl.DataFrame:
    """The three columns, the value as Float64 without nulls."""
    source = source.collect() if hasattr(source, "collect") else source
    typed = _typed(source, kind)
    frame = _built(source, kind) if typed is None else typed
    if (bad := frame[kind.column].is_null()).any():
        raise _refused(kind, f"{_pair(frame, bad)} has no {kind.column}")
    return frame


def _typed(source: Any, kind: Kind) -> pl.DataFrame | None:
    """A polars frame that has the right types, without a detour over Python's objects; None for all else."""
    import polars as pl

    if not isinstance(source, pl.DataFrame):
        return None
    wanted = zip((*ID_COLUMNS, kind.column), (TOPIC_NAMES, DOCUMENT_NAMES, kind.names), strict=True)
    frame = source.select(
        pl.col(_found(names, source.columns, kind)).alias(column) for column, names in wanted
    )
    *ids, value = frame.get_columns()
    is_typed = all(each.dtype == pl.String and not each.null_count() for each in ids)
    if not is_typed or not value.dtype.is_numeric():
        return None
    return frame.with_columns(value.cast(pl.Float64))


def _built(source: Any, kind: Kind) -> pl.DataFrame:
    import polars as pl

    topics, documents, values = _columns(source, kind)
    _check_ids("topic", topics, kind)
    _check_ids("document", documents, kind)
    ids = pl.DataFrame(
        {"topic_id": topics, "document_id": documents}, schema_overrides=dict.fromkeys(ID_COLUMNS, pl.String)
    )
    try:
        frame = ids.with_columns(pl.Series(kind.column, values, dtype=pl.Float64))
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise _refused(kind, _first_no_number(ids, values, kind) or f"a {kind.column}: {error}") from None
    return frame


def _first_no_number(ids: pl.DataFrame, values: list[Any], kind: Kind) -> str | None:
    for (topic_id, document_id), value in zip(ids.rows(), values, strict=True):
        if value is not None and not isinstance(value, Real | Decimal):
            place = f"document {document_id!r} of topic {topic_id!r}"
            return f"the {kind.column} of {place} is {value!r}, not {kind.value}"
    return None


def _columns(source: Any, kind: Kind) -> list[list[Any]]:
    if _is_frame(source):
        has, wanted = list(source.columns), (TOPIC_NAMES, DOCUMENT_NAMES, kind.names)
        return [source[_found(names, has, kind)].to_list() for names in wanted]
    if isinstance(source, Mapping):
        return _transposed(_entries(source, kind))
    if isinstance(source, Iterable) and not isinstance(source, str | bytes):
        return _transposed(_records(source, kind))
    given = type(source).__name__
    raise _refused(kind, f"{given} is none; give a path, a dict of dicts, a data frame or records")


def _found(wanted: tuple[str, ...], names: list[Any], kind: Kind) -> str:
    for name in wanted:
        if names.count(name) > 1:
            raise _refused(kind, f"{names.count(name)} columns are called {name}; keep one")
        if name in names:
            return name
    has = ", ".join(map(str, names)) or "none"
    raise _refused(kind, f"no column {wanted[0]} (or {', '.join(wanted[1:])}); it has: {has}")


def _entries(source: Mapping[Any, Any], kind: Kind) -> Iterator[tuple[Any, Any, Any]]:
    for topic_id, ranking in source.items():
        if not isinstance(ranking, Mapping):
            raise _refused(
                kind,
                f"topic {topic_id!r} has no dict of documents; give {{topic: {{document: {kind.column}}}}}",
            )
        for document_id, value in ranking.items():
            yield topic_id, document_id, value


def _records(source: Iterable[Any], kind: Kind) -> Iterator[tuple[Any, Any, Any]]:
    """Records as triples; which attributes they have is seen from the first one."""
    records = iter(source)
    first = next(records, None)
    if first is None:
        return
    names = [name for name in dir(first) if not name.startswith("_")]
    found = [name for wanted in (TOPIC_NAMES, DOCUMENT_NAMES, kind.names) for name in wanted if name in names]
    read = attrgetter(*found) if len(found) == 3 else tuple
    for record in chain([first], records):
        try:
            topic_id, document_id, value = read(record)
        except (AttributeError, TypeError, ValueError):
            example = f"(topic, document, {kind.column})"
            message = f"{record!r} is not a record of it; give named tuples, or triples {example}"
            raise _refused(kind, message) from None
        yield topic_id, document_id, value


def _transposed(rows: Iterable[tuple[Any, Any, Any]]) -> list[list[Any]]:
    columns: list[list[Any]] = [[], [], []]
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return columns


def _check_ids(what: str, column: list[Any], kind: Kind) -> None:
    for value in column:
        if not isinstance(value, str):
            message = f"{what} {value!r} is not text; '007' is not '7', so give identifiers as text (str)"
            raise _refused(kind, message)
        if not (value.isascii() or _is_storable(value)):
            raise _refused(kind, f"{what} {value!r} is not valid text: it cannot be written as UTF-8")


def _is_storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return False
    return True


def _checked(frame: pl.DataFrame, kind: Kind) -> pl.DataFrame:
    pairs = frame.select(ID_COLUMNS)
    if (bad := pairs.is_duplicated()).any():
        raise _refused(kind, f"{_pair(frame, bad)} is listed twice; keep one")
    return frame


def _pair(frame: pl.DataFrame, chosen: pl.Series) -> str:
    """The first chosen row, for a message."""
    topic_id, document_id = frame.filter(chosen).select(ID_COLUMNS).row(0)
    return f"document {document_id!r} of topic {topic_id!r}"
