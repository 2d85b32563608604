"""Broken files: good ones with pieces cut out, doubled, swapped, overwritten, or ended too early."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

MOST_CHANGES = 4

BLANKS = ["", "\r\n", *"\0\n\r\t \v\f\x1a\x7f\x85\xa0\u2028\u200b"]
NUMBERS = (
    "0 -1 1 +1 -0 1e999 -1e999 1e-999 nan inf -inf 0x10 1_000 1,5 . 2147483648 9223372036854775808 ٣".split()
)
SIGNS = """ " ' "" , ; : | # \\ / ../ { } [ ] ( ) null true {} [] "\\ud800" \\u0000 é 😀 Q0 """.split()
MARKUP = """
    < > & </ /> <!-- --> <![CDATA[ ]]> &amp; &#0; &#x110000; &#xd800; <?xml <top> </top> <num> <title> <desc>
    <DOC> </DOC> <DOCNO> </DOCNO> <TEXT> <!DOCTYPE
""".split()
LONG = [
    "9" * 30,
    "-" + "9" * 30,
    "9" * 5_000,
    "[" * 20_000,
    '{"a":' * 20_000,
    "<a>" * 2_000,
    f"&{'x' * 500};",
]
STARTS = b"PK\x03\x04|\x1f\x8b|\xfd7zXZ\0|BZh9|\x28\xb5\x2f\xfd|PAR1|WARC/1.0\r\n|%PDF-".split(b"|")
NO_UTF_8 = [b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]
NASTY = [*(word.encode() for word in [*BLANKS, *NUMBERS, *SIGNS, *MARKUP, *LONG]), *STARTS, *NO_UTF_8]
"""What readers stumble over: put into a file, or over something in it."""


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
