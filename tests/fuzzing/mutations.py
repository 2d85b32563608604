"""Broken files: good ones with pieces cut out, doubled, swapped, overwritten, or ended too early."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[int]], int]

MOST_CHANGES = 4

NASTY = [
    *(b"", b"\0", b"\n", b"\r", b"\r\n", b"\t", b" ", b"\x0b", b"\x0c", b"\x1a", b"\x7f"),
    *(b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(
        "\u2028".encode(),
        "\u0085".encode(),
        "\u00a0".encode(),
        "\u200b".encode(),
        "é".encode(),
        "\U0001f600".encode(),
    ),
    *(
        b"0",
        b"-1",
        b"1",
        b"+1",
        b"-0",
        b"1e999",
        b"-1e999",
        b"nan",
        b"inf",
        b"-inf",
        b"0x10",
        b"1_000",
        b"1,5",
        b".",
    ),
    *(
        b"9" * 30,
        b"-" + b"9" * 30,
        b"9" * 5_000,
        b"1e-999",
        b"2147483648",
        b"9223372036854775808",
        "٣".encode(),
    ),
    *(
        b'"',
        b"'",
        b'""',
        b",",
        b";",
        b":",
        b"|",
        b"#",
        b"\\",
        b"/",
        b"../",
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
        b")",
    ),
    *(b"null", b"true", b"{}", b"[]", b'"\\ud800"', b"\\u0000", b"[" * 20_000, b'{"a":' * 20_000),
    *(
        b"<",
        b">",
        b"&",
        b"</",
        b"/>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<?xml version='1.1'?>",
        b"<a>" * 2_000,
    ),
    *(
        b"&amp;",
        b"&#0;",
        b"&#x110000;",
        b"&#xd800;",
        b"&" + b"x" * 500 + b";",
        b'<!DOCTYPE a [<!ENTITY b "c">]>',
    ),
    *(
        b"<top>",
        b"</top>",
        b"<num>",
        b"<title>",
        b"<desc>",
        b"<DOC>",
        b"</DOC>",
        b"<DOCNO>",
        b"</DOCNO>",
        b"<TEXT>",
    ),
    *(
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"\xfd7zXZ\x00",
        b"BZh9",
        b"\x28\xb5\x2f\xfd",
        b"PAR1",
        b"WARC/1.0\r\n",
        b"Q0",
        b"%PDF-",
    ),
]


@st.composite
def mutated(draw: st.DrawFn, good: Sequence[bytes], *, words: Sequence[bytes] = NASTY) -> bytes:
    """One of the good files with up to MOST_CHANGES changes; now and then none, or nothing but noise."""
    data = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(0, MOST_CHANGES))):
        data = draw(st.sampled_from(CHANGES))(draw, data, words)
    return data


def _place(draw: st.DrawFn, data: bytes) -> int:
    return draw(st.integers(0, len(data)))


def _span(draw: st.DrawFn, data: bytes) -> tuple[int, int]:
    start = _place(draw, data)
    return start, min(len(data), start + draw(st.integers(0, 40)))


def _put_in(draw: st.DrawFn, data: bytes, words: Sequence[bytes]) -> bytes:
    place = _place(draw, data)
    return data[:place] + draw(st.sampled_from(words)) + data[place:]


def _put_over(draw: st.DrawFn, data: bytes, words: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + draw(st.sampled_from(words)) + data[end:]


def _noise(draw: st.DrawFn, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + draw(st.binary(max_size=12)) + data[end:]


def _cut_off(draw: st.DrawFn, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: _place(draw, data)]


def _cut_out(draw: st.DrawFn, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _twice(draw: st.DrawFn, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(draw, data)
    return data[:end] + data[start:end] * draw(st.integers(1, 50)) + data[end:]


def _one_bit(draw: st.DrawFn, data: bytes, _: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place, bit = draw(st.integers(0, len(data) - 1)), draw(st.integers(0, 7))
    return data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]


def _lines_elsewhere(draw: st.DrawFn, data: bytes, _: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    first, second = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _field_elsewhere(draw: st.DrawFn, data: bytes, words: Sequence[bytes]) -> bytes:
    fields = data.split(b" ")
    fields[draw(st.integers(0, len(fields) - 1))] = draw(st.sampled_from(words))
    return b" ".join(fields)


CHANGES = (
    _put_in,
    _put_over,
    _noise,
    _cut_off,
    _cut_out,
    _twice,
    _one_bit,
    _lines_elsewhere,
    _field_elsewhere,
)
