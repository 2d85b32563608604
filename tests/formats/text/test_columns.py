from __future__ import annotations

import struct
from typing import TypeVar

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from workbench.formats.qrels import PLAIN, checked_qrels, qrels_problems, with_grades
from workbench.formats.runs import (
    RUN_COLUMNS,
    checked_run,
    kept_columns,
    rank_warnings,
    run_findings,
    run_warnings,
    with_scores,
)
from workbench.formats.text.columns import Table, has_repeated_pairs, read_columns, slow_columns
from workbench.formats.text.content import Content
from workbench.formats.text.guesses import is_number
from workbench.formats.text.lines import rows_of
from workbench.formats.text.parse_mode import STRICT, ParseMode

T = TypeVar("T")

TEXTS = st.sampled_from(
    (
        """1 01 301 " "a b" '' a,b - NA null ٣ a# d \u00e9 e\u0301 文書 """
        "a\u00a0b a\u0085b a\u2028b \u3000 \x1c \x1f a\ufeff"
    ).split(" ")
).map(str.encode)
WRONG_TEXTS = st.sampled_from([b"\xff", b"\xc3", b"\xed\xa0\x80", b"#1", b"\xef\xbb\xbf1"])
GOOD_NUMBERS = st.sampled_from(
    "1 2.5 -3 +3 .5 5. 1e-5 1E5 1e+5 inf -inf +INF Infinity 00 -0 -0.0 1e400 1e-400 99999 9007199254740993 "
    "0.1000000000000000055511151231257827021181583404541015625 179769313486231580793728971405301199e272 "
    "4.9406564584124654e-324".split()
)
WRONG_NUMBERS = st.sampled_from(
    ". 1d5 1e 0x10 1_0 1,5 infinit nan NaN -nan abc ٣ 1f 2.0.0 --1 1e+ e5 \x1c1 1\u00a0".split(" ")
)
SEPARATORS = st.sampled_from([b" "] * 20 + [b"\t"] * 6 + [b"  ", b" \t", b"\t\t", b"\v", b"\f", b"\r"])
ENDS = st.sampled_from(
    [b"\n"] * 12 + [b"\r\n"] * 4 + [b" \n", b"\t\r\n", b"\n\n", b"\n \t\n", b"\r\r\n", b"\r", b""]
)
OTHER_LINES = st.sampled_from(
    [b"# x: 1", b"#", b"  # y", b"#1 Q0 d 1 2.0 t", b"", b" ", b"\x1a", b"#\ra b c d 1 t"]
)


def mostly(
    usual: st.SearchStrategy[T], seldom: st.SearchStrategy[T], *, one_in: int = 40
) -> st.SearchStrategy[T]:
    """What is usual, and once in a while what is not."""
    return st.integers(1, one_in).flatmap(lambda number: seldom if number == 1 else usual)


IDENTIFIERS = mostly(TEXTS, WRONG_TEXTS)
DOCUMENTS = st.tuples(IDENTIFIERS, st.integers(0, 99)).map(lambda parts: parts[0] + str(parts[1]).encode())
NUMBERS = mostly(GOOD_NUMBERS, WRONG_NUMBERS)
GRADES = mostly(
    st.sampled_from([["0"], ["2"], ["-1"], ["+1"], ["007"], ["32767"], ["-0"]]),
    st.sampled_from(
        [[], ["1", "1"], ["1.0"], ["0.5"], ["x"], ["32768"], ["9" * 30], ["1_0"], ["٣"], ["0x1"]]
    ),
)
TAGS = mostly(st.just(["t"]), st.sampled_from([[], ["u"], ["t", "more"], ["t", '"', "\xa0"]]))


def as_bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


@st.composite
def run_lines(draw: st.DrawFn) -> bytes:
    if draw(st.integers(1, 12)) == 1:
        return draw(OTHER_LINES)
    columns: list[str | bytes] = [
        draw(IDENTIFIERS),
        draw(st.sampled_from(["Q0", "0"])),
        draw(DOCUMENTS),
        draw(st.sampled_from("1 2 3 0 -1 x 1.0 +1".split())),
        draw(NUMBERS),
        *draw(TAGS),
    ]
    return draw(SEPARATORS).join(as_bytes(column) for column in columns)


@st.composite
def qrels_lines(draw: st.DrawFn) -> bytes:
    if draw(st.integers(1, 12)) == 1:
        return draw(OTHER_LINES)
    columns: list[str | bytes] = [draw(IDENTIFIERS), "0", draw(DOCUMENTS), *draw(GRADES)]
    return draw(SEPARATORS).join(as_bytes(column) for column in columns)


def files_of(lines: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Files of such lines; in half of them every line ends alike."""
    mixed = st.lists(st.tuples(lines, ENDS), min_size=1, max_size=8)
    alike = st.tuples(st.lists(lines, min_size=1, max_size=8), ENDS).map(
        lambda parts: [(line, parts[1]) for line in parts[0]]
    )
    return (mixed | alike).map(lambda parts: b"".join(line + end for line, end in parts))


def same_table(table: Table, other: Table) -> bool:
    lines = [[one.layout.line_of(row) for row in range(one.frame.height)] for one in (table, other)]
    return (
        table.frame.equals(other.frame)
        and lines[0] == lines[1]
        and table.layout.comments == other.layout.comments
        and table.longer == other.longer
    )


def bits(number: float) -> bytes:
    return struct.pack("d", number)


ORDINARY = b"1 Q0 a 1 2.0 t\n1 Q0 b 2 1.5 t\n"
ORDINARY_QRELS = b"1 0 a 1\n1 0 b 0\n"


@settings(max_examples=at_length(2400, 160))
@given(data=files_of(run_lines()))
@example(data=ORDINARY)
def test_the_fast_reading_of_runs_takes_only_what_the_slow_one_takes_and_reads_the_same(data: bytes) -> None:
    content = Content("a.run", data.removeprefix(b"\xef\xbb\xbf"))
    table = read_columns(content.data, RUN_COLUMNS)
    frame = None if table is None else checked_run(content.data, table)
    problems = list(run_findings(content).problems)
    if table is not None and frame is not None:
        assert problems == []
        assert same_table(table, slow_columns(content.data, RUN_COLUMNS))
    if not problems:
        slow = slow_columns(content.data, RUN_COLUMNS)
        scores = with_scores(slow)["score"]
        expected = [float(row.columns[4]) for row in rows_of(content.data)]
        assert [bits(score) for score in scores] == [bits(score) for score in expected]
        assert not has_repeated_pairs(slow.frame)
        scored = slow._replace(frame=with_scores(slow))
        list(run_warnings(content, scored))
        rank_warnings(content, scored)


PARSE_MODES = [
    ParseMode(comments=comments, lenient=lenient) for comments in (True, False) for lenient in (True, False)
]


@settings(max_examples=at_length(1600, 110))
@given(data=files_of(run_lines()), ranks=st.booleans())
@example(data=ORDINARY, ranks=True)
def test_in_every_parse_mode_the_fast_reading_of_runs_agrees_with_the_slow_one(
    data: bytes, ranks: bool
) -> None:
    content = Content("a.run", data.removeprefix(b"\xef\xbb\xbf"))
    for mode in PARSE_MODES:
        table = read_columns(
            content.data, RUN_COLUMNS, kept_columns(mode, ranks=ranks), comments=mode.comments
        )
        frame = None if table is None else checked_run(content.data, table, mode)
        if table is not None and frame is not None:
            assert (mode, run_findings(content, mode).problems) == (mode, ())
            slow = slow_columns(content.data, RUN_COLUMNS, comments=mode.comments)
            expected = with_scores(slow, mode).select(frame.columns)
            assert same_table(table._replace(frame=frame), slow._replace(frame=expected)), mode


@settings(max_examples=at_length(1200, 80))
@given(data=files_of(qrels_lines()))
@example(data=ORDINARY_QRELS)
def test_in_every_parse_mode_the_fast_reading_of_qrels_agrees_with_the_slow_one(data: bytes) -> None:
    content = Content("a.qrels", data.removeprefix(b"\xef\xbb\xbf"))
    for mode in PARSE_MODES:
        table = read_columns(content.data, PLAIN.columns, comments=mode.comments)
        frame = None if table is None else checked_qrels(table, mode)
        if table is not None and frame is not None:
            assert (mode, qrels_problems(content, mode)) == (mode, [])
            slow = slow_columns(content.data, PLAIN.columns, comments=mode.comments)
            expected = slow._replace(frame=with_grades(slow, mode))
            assert same_table(table._replace(frame=frame), expected), mode


DIGITS = st.text("0123456789", min_size=1, max_size=40)
DECIMALS = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.tuples(
        st.sampled_from(["", "+", "-"]),
        DIGITS,
        st.just("."),
        DIGITS,
        st.integers(-350, 350).map("e{}".format),
    ).map("".join),
    st.text("0123456789+-.eEinfatyINF_x, d", min_size=1, max_size=8),
)


@settings(max_examples=at_length(800, 60))
@given(texts=st.lists(DECIMALS, min_size=1, max_size=50))
def test_a_column_of_numbers_is_read_as_python_reads_each_and_refused_as_the_grammar_says(
    texts: list[str],
) -> None:
    numbers = pl.Series(texts).cast(pl.Float64, strict=False)
    for text, number in zip(texts, numbers, strict=True):
        if is_number(text.encode()):
            assert number is not None
            assert bits(number) == bits(float(text))
        else:
            assert number is None or number != number


@settings(max_examples=at_length(800, 60))
@given(text=DECIMALS.map(str.strip).filter(lambda text: text and " " not in text))
def test_a_score_that_is_parsed_at_once_is_the_one_python_reads(text: str) -> None:
    kept = kept_columns(STRICT, ranks=False)
    data = f"1 Q0 a 1 {text} t\n".encode()
    table = read_columns(data, RUN_COLUMNS, kept)
    if is_number(text.encode()):
        assert table is not None
        assert bits(table.frame["score"][0]) == bits(float(text))
    else:
        assert table is None or checked_run(data, table) is None


@pytest.mark.parametrize("mode", PARSE_MODES)
def test_ordinary_files_are_read_fast_in_every_parse_mode(mode: ParseMode) -> None:
    run = read_columns(ORDINARY, RUN_COLUMNS, kept_columns(mode, ranks=True), comments=mode.comments)
    qrels = read_columns(ORDINARY_QRELS, PLAIN.columns, comments=mode.comments)
    assert run is not None
    assert qrels is not None
    assert (checked_run(ORDINARY, run, mode) is None, checked_qrels(qrels, mode) is None) == (False, False)


@pytest.mark.parametrize("line", [b"1  a 1 2.0 t", b"1 Q0 a  2.0 t", b"1 Q0 a 1 x t"])
@pytest.mark.parametrize("separator", [b" ", b"\t"])
def test_a_gap_in_a_column_that_is_left_out_is_seen(line: bytes, separator: bytes) -> None:
    kept = {"topic_id": pl.String, "score": pl.Float64, "tag": pl.String}
    data = (ORDINARY + line + b"\n").replace(b" ", separator)
    assert read_columns(data, RUN_COLUMNS, kept) is None


def test_a_comment_keeps_the_blanks_inside_it() -> None:
    table = read_columns(b"#  a:   b\r\n" + ORDINARY, RUN_COLUMNS)
    assert table is not None
    assert table.layout.header == "#  a:   b"
