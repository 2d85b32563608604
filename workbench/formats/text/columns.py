"""Lines of blank-separated columns, all at once: the fast reading, in compiled code.

It reads what has the ordinary shape and declines everything else (`read_columns` returns None); what is wrong,
and where, is then for `workbench.formats.text.lines` to say. The two hold to one grammar, written there: what is read
here is read there with the same values.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.datatypes import DataType, DataTypeClass

from workbench.formats.text.content import BYTE_ORDER_MARK
from workbench.formats.text.lines import LONGEST_ID, Comment, Layout, layout_of, rows_of

BLANK, NEWLINE = 0x20, 0x0A
UNUSUAL = (b"\r", b"\v", b"\f")
COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"x\x01", b"x^", b"x\x9c", b"x\xda")
"""What polars takes for the beginning of gzip, zstandard or zlib, and would expand by itself; "x^" may be a topic."""


Types = Mapping[str, DataType | DataTypeClass]
"""The columns that are wanted, and what each is read as."""


class Table(NamedTuple):
    """The first columns of every row, and where the rows stand.

    `longer` is a row (from 0) that has more columns than were read, None if there is none.
    """

    frame: pl.DataFrame
    layout: Layout
    longer: int | None


def read_columns(
    data: bytes, names: tuple[str, ...], kept: Types | None = None, *, comments: bool = True
) -> Table | None:
    """The first `len(names)` columns of every row of a file (without byte order mark), or None: read it slowly.

    Args:
        data: the bytes of the file.
        names: what the columns are called, from the left.
        kept: which of them to return and what to read each as; it has the first and the last of them. By
            default all, as text.
        comments: whether lines that begin with '#' are comments.

    None means a row with too few columns, no row at all, text that is not UTF-8 or not of its type, or bytes
    that are too unusual here (a carriage return that does not end a line, a vertical tab, a form feed, a
    second mark).
    """
    kept = dict.fromkeys(names, pl.String) if kept is None else kept
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    # One byte is looked for much faster than three.
    if BYTE_ORDER_MARK[:1] in data and BYTE_ORDER_MARK in data:
        return None
    separator = b"\t" if b"\t" in data[: data.find(b"\n")] else b" "
    frame = _parse(data, names, kept, separator)
    if frame is not None and _is_tidy(data, frame, len(names), separator, comments=comments):
        return Table(frame, Layout(), None)
    if any(byte in data for byte in UNUSUAL):
        return None
    return _read_untidy(data, names, kept, comments=comments)


def slow_columns(
    data: bytes, names: tuple[str, ...], *, comments: bool = True, bad: Collection[int] = ()
) -> Table:
    """All columns, as text, of a file that was declined but whose lines are all in order, except the `bad` ones."""
    found = [row for row in rows_of(data, comments=comments) if row.line not in bad]
    rows = [row.columns for row in found]
    columns = list(zip(*(row[: len(names)] for row in rows), strict=True)) or [()] * len(names)
    texts = ([value.decode() for value in column] for column in columns)
    frame = pl.DataFrame(dict(zip(names, texts, strict=True)), schema=dict.fromkeys(names, pl.String))
    longer = next((number for number, row in enumerate(rows) if len(row) > len(names)), None)
    layout = layout_of(data, comments=comments)
    if bad:
        layout = layout._replace(rows_before=rows_before([row.line for row in found], data.count(b"\n") + 1))
    return Table(frame, layout, longer)


def rows_before(lines: Sequence[int], count: int) -> tuple[int, ...]:
    """For each of `count` lines that is none of `lines` (ascending), how many of these are before it."""
    others = np.setdiff1d(np.arange(1, count + 1), np.asarray(lines, np.int64), assume_unique=True)
    return tuple(np.searchsorted(np.asarray(lines, np.int64), others).tolist())


def _parse(data: bytes, names: tuple[str, ...], kept: Types, separator: bytes) -> pl.DataFrame | None:
    """The kept columns; None if a line lacks one of them, is not UTF-8, or has something of another type."""
    if data.startswith(COMPRESSED):
        return None
    try:
        lines = pl.scan_csv(
            data,
            separator=separator.decode(),
            has_header=False,
            quote_char=None,
            schema={name: kept.get(name, pl.String) for name in names},
            extra_columns="ignore",
            glob=False,
        )
        frame = lines.select(*kept).collect()
    except pl.exceptions.PolarsError:
        return None
    whole = frame.height > 0 and not any(series.null_count() for series in frame)
    return frame if whole else None


def _is_tidy(
    data: bytes, frame: pl.DataFrame, width: int, separator: bytes, *, comments: bool = True
) -> bool:
    """Whether every line is a row of exactly `width` columns, with one separator between two of them.

    The last column is never empty, so every row has at least `width - 1` separators and its line feed. If that
    is all there is of blanks and control characters in the file, then no row has more columns, no line is
    blank, and nothing unusual is among them. A column that was not kept may be empty: then two separators touch.
    """
    between = np.count_nonzero(np.frombuffer(data, np.uint8) <= BLANK)
    return (
        between + (not data.endswith(b"\n")) == frame.height * width
        and (frame.width == width or not _has_doubled(data, separator))
        and not (comments and b"#" in data and bool(frame[:, 0].str.starts_with("#").any()))
    )


def _has_doubled(data: bytes, separator: bytes) -> bool:
    """Whether two separators follow one another; the bytes are compared in pairs, which is fast."""
    doubled = int.from_bytes(separator * 2, "little")
    pairs = (np.frombuffer(data, "<u2", (len(data) - first) // 2, first) for first in (0, 1))
    return any(bool((pair == doubled).any()) for pair in pairs)


def _read_untidy(data: bytes, names: tuple[str, ...], kept: Types, *, comments: bool) -> Table | None:
    """The columns of a file with tabs and blanks, several of them, blank lines, comments or longer rows."""
    squeezed = _squeezed(data)
    codes = np.frombuffer(squeezed, np.uint8)
    ends = np.append(np.flatnonzero(codes == NEWLINE), len(squeezed))
    starts = np.append(0, ends[:-1] + 1)
    blank = starts == ends
    comment = np.zeros_like(blank)
    if comments:
        comment[~blank] = codes[starts[~blank]] == ord("#")
    without_row = blank | comment
    rows = _without(squeezed, starts, ends, without_row)
    frame = _parse(rows, names, kept, b" ") if rows else None
    if frame is None or frame.height != np.count_nonzero(~without_row):
        return None
    before = tuple(np.cumsum(~without_row)[without_row].tolist())
    layout = Layout(before, _comments(data, np.flatnonzero(comment)))
    return Table(frame, layout, _first_longer(rows, frame.height, len(names)))


def _squeezed(data: bytes) -> bytes:
    """The same lines with one blank between two columns and none at either end."""
    data = data.replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")


def _without(
    data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64], dropped: NDArray[np.bool_]
) -> bytes:
    """The lines that are not dropped, in stretches, so that a header of comments costs nothing."""
    kept = np.concatenate(([False], ~dropped, [False]))
    first, behind = np.flatnonzero(kept[1:] & ~kept[:-1]), np.flatnonzero(kept[:-1] & ~kept[1:])
    stretches = zip(starts[first].tolist(), ends[behind - 1].tolist(), strict=True)
    return b"\n".join(data[start:end] for start, end in stretches)


def _comments(data: bytes, lines: NDArray[np.int64]) -> tuple[Comment, ...]:
    """The comments on these lines (from 0), with the blanks inside them as they were written."""
    if not len(lines):
        return ()
    texts = data.split(b"\n", int(lines[-1]) + 1)
    return tuple(Comment(line + 1, texts[line].strip().decode(errors="replace")) for line in lines.tolist())


def _first_longer(rows: bytes, height: int, width: int) -> int | None:
    """The first of `height` rows that has more than `width` columns."""
    codes = np.frombuffer(rows, np.uint8)
    blanks = np.flatnonzero(codes == BLANK)
    needed = width - 1
    if len(blanks) == needed * height:
        return None
    ends = np.append(np.flatnonzero(codes == NEWLINE), len(rows))
    counted = np.diff(np.searchsorted(blanks, ends), prepend=0)
    return int(np.argmax(counted > needed))


def has_long_words(frame: pl.DataFrame) -> bool:
    """Whether a text may have more characters than an id may; it has more bytes, and the lines say the rest."""
    texts = frame.select(pl.col(pl.String).str.len_bytes().max())
    return any(longest is not None and longest > LONGEST_ID for longest in texts.row(0))


def has_repeated_pairs(frame: pl.DataFrame) -> bool:
    """Whether a pair of topic and document may stand twice; False is certain, True is for the lines to say.

    Pairs are compared by a hash of 64 bits: equal pairs have equal hashes, so no repetition is missed.
    """
    return _has_repeated(pair_hashes(frame))


def has_repeated_triples(frame: pl.DataFrame) -> bool:
    """Whether a triple of topic, subtopic and document may stand twice, as in `has_repeated_pairs`."""
    subtopic: NDArray[np.uint64] = frame["subtopic_id"].hash(seed=3).to_numpy()
    return _has_repeated(pair_hashes(frame) + subtopic * np.uint64(0xC2B2AE3D27D4EB4F))


def _has_repeated(hashes: NDArray[np.uint64]) -> bool:
    hashes = np.sort(hashes)
    return bool(np.any(hashes[1:] == hashes[:-1]))


def pair_hashes(frame: pl.DataFrame) -> NDArray[np.uint64]:
    """A hash of 64 bits for the pair of topic and document in each row, good within this process."""
    topic, document = frame["topic_id"].hash(seed=1).to_numpy(), frame["document_id"].hash(seed=2).to_numpy()
    return np.asarray(topic * np.uint64(0x9E3779B97F4A7C15) ^ document)
