from __future__ import annotations

import ctypes
import math
import struct

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from workbench.formats.text import lenient_numbers
from workbench.formats.text.lenient_numbers import atof, atol

# The C library this Python is linked with is the reference for what its own functions return.
C_LIBRARY = ctypes.CDLL(None)
C_LIBRARY.atof.restype = ctypes.c_double
C_LIBRARY.atol.restype = ctypes.c_long
LONG_BITS = 8 * ctypes.sizeof(ctypes.c_long)

TEXTS = st.one_of(
    st.text("0123456789+-.eExXpPabcfinty,_", min_size=1, max_size=12),
    st.text("aé文٣\u00a01-.", min_size=1, max_size=5),
    st.integers(-(10**25), 10**25).map(str),
    st.floats(allow_nan=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(float.hex),
    st.tuples(
        st.floats(allow_nan=False).map(repr), st.sampled_from(["x", "e", "e+", ",5", "\u00a0", "f"])
    ).map("".join),
)


def bits(number: float) -> bytes:
    return struct.pack("d", number)


GRADES = "0.5=0 1.9=1 x=0 +1=1 1e3=1 1_0=1 -2=-2 007=7 -=0 ٣=0 0x10=0"
SCORES = """
    1,5=1 abc=0 1.5abc=1.5 .5=.5 5.=5 .=0 1e=1 1e+=1 1E2x=100 1d5=1 0x10=16 -0x.8=-.5 0x1p4=16 0x1p=1 0xg=0
    0x1p99999999999=inf -0x1p99999999999=-inf 0x1p-99999999999=0 inf=inf -INFINITY=-inf infinit=inf in=0 1e400=inf
"""


@pytest.mark.parametrize("pair", GRADES.split())
def test_a_grade_is_the_integer_that_a_text_begins_with(pair: str) -> None:
    text, expected = pair.split("=")
    assert atol(text) == int(expected)


def test_a_grade_beyond_the_range_is_the_largest_or_smallest() -> None:
    assert (atol("9" * 30), atol("-" + "9" * 30)) == (2**63 - 1, -(2**63))


@pytest.mark.parametrize("pair", SCORES.split())
def test_a_score_is_the_number_that_a_text_begins_with(pair: str) -> None:
    text, expected = pair.split("=")
    assert atof(text) == float(expected)
    assert atof("\u00a0" + text) == 0.0


@pytest.mark.skipif(LONG_BITS != 64, reason="a long of this C library is not what grades are read into")
@given(TEXTS)
@example("-9223372036854775808")
@example("9223372036854775807")
@example("9223372036854775808")
def test_a_grade_is_read_as_the_c_library_reads_it(text: str) -> None:
    assert atol(text) == C_LIBRARY.atol(text.encode())


@settings(max_examples=300)
@given(TEXTS)
@example("nan(x)")
@example("0x1.fffffffffffff8p0")
def test_a_score_is_read_as_the_c_library_reads_it(text: str) -> None:
    number, expected = atof(text), C_LIBRARY.atof(text.encode())
    assert bits(number) == bits(expected) or (math.isnan(number) and math.isnan(expected))


@settings(max_examples=200)
@given(st.lists(TEXTS | st.sampled_from(["nan", "-NaN3", "0x1F", "1.5", "7"]), max_size=20))
def test_a_column_of_scores_is_read_as_each_score(texts: list[str]) -> None:
    numbers = lenient_numbers.scores(pl.Series(texts, dtype=pl.String)).to_list()
    expected = [atof(text) for text in texts]
    assert len(numbers) == len(expected)
    assert all(
        bits(one) == bits(other) or (math.isnan(one) and math.isnan(other))
        for one, other in zip(numbers, expected, strict=True)
    )


@settings(max_examples=200)
@given(st.lists(TEXTS, max_size=20))
def test_a_column_of_grades_is_read_as_each_grade_and_has_a_gap_where_it_does_not_fit(
    texts: list[str],
) -> None:
    numbers = lenient_numbers.grades(pl.Series(texts, dtype=pl.String)).to_list()
    for text, number in zip(texts, numbers, strict=True):
        assert number == atol(text) or (number is None and abs(atol(text)) >= 2**63 - 1)
