"""Comments and strings of code are found by their signs, in every family of languages, and in linear time."""

from __future__ import annotations

import re
import time
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.records import Document
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Look, body_of
from workbench.web.judging.document.plain import coloured

CODE = {
    "Python": '«#!/bin/python»\n‹"""Two\nlines."""›\nx = ‹r\'a\\\'d\'›  «# it\'s»\n'
    "y = ‹\"a # b\"› + ‹f'{x}'› or a // b\n«# if»\n",
    "shell": "«# go»\necho ‹\"$#\"› ${#a} ‹'it'› don't\n",
    "C": "#include <a.h>\n«/* two\n lines */»\nint x = 5; «// don't»\nchar c = ‹'\"'›; i--; «// \"no\"»\n",
    "Rust": "#[derive(Debug)]\n«// it»\nfn f<'a>(x: &'a str) -> &'a str { ‹'x'› }",
    "JavaScript": "«// x»\na = ‹`two\nlines`›; s = ‹'use strict'›, u = ‹'http://a/b'›",
    "CSS": "«/* a */»\n#main { color: #fff; }\n",
    "SQL": "«-- all»\nSELECT ‹'it'›‹'s'› «/* x */» FROM ‹\"b\"› «-- end»",
    "no comment": "print(‹'a'›)\n",
    "open comment": "«/* never closed\nx»",
    "open strings": "x = 'open\ny = \"open\n",
}
"""With comments in «» and strings in ‹›."""


@pytest.mark.parametrize("family", CODE)
def test_each_family_has_its_comments_and_strings(family: str) -> None:
    text = re.sub("[«»‹›]", "", CODE[family])
    for found in sorted(coloured(text), reverse=True, key=lambda found: found.start):
        begin, end = "«»" if found.kind == "comment" else "‹›"
        text = text[: found.start] + begin + text[found.start : found.end] + end + text[found.end :]
    assert text == CODE[family]


@given(st.text(alphabet="#/*-'\"`\\ \na<&r\r", max_size=60))
def test_what_is_coloured_ascends_and_the_text_shown_stays_the_stored_text(text: str) -> None:
    found = list(coloured(text))
    assert all(one.start < one.end for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    html = str(body_of(Document("d", "", text, "text/x-code"), Look((Term("a"),), "en")).html)
    if text.strip():
        assert unescape(re.sub(r"<[^>]*>", "", html)) == text


def test_a_comment_over_lines_is_one_in_each_with_its_marks() -> None:
    html = str(body_of(Document("d", "", "/* a\nice */ x\n", "text/x-code"), Look((Term("ice"),), "en")).html)
    mark = '<mark class="hit" data-term="0">ice</mark>'
    for line in (
        '<span class="code-comment">/* a\n</span>',
        f'<span class="code-comment">{mark} */</span> x\n',
    ):
        assert f"<li>{line}</li>" in html


@pytest.mark.parametrize(
    "piece", ['"\\', "'\\", "`\\`", "/*", '"""', "\\'", "--", '"\\"', "b'\\'", "#", "' "]
)
def test_no_repeated_sign_takes_more_than_linear_time(piece: str) -> None:
    def seconds(times: int) -> float:
        begun = time.process_time()
        assert sum(1 for _ in coloured(piece * times)) >= 0
        return time.process_time() - begun

    assert seconds(200_000) < 20 * max(seconds(20_000), 0.02)
