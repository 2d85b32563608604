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


def comments_and_strings(text: str) -> tuple[list[str], list[str]]:
    found = [(each.kind, text[each.start : each.end]) for each in coloured(text)]
    return [part for kind, part in found if kind == "comment"], [
        part for kind, part in found if kind == "string"
    ]


@pytest.mark.parametrize(
    ("text", "comments", "strings"),
    [
        (
            '#!/bin/python\n"""Two\nlines."""\nx = r\'a\\\'d\'  # it\'s\ny = "a # b" + f\'{x}\' or a // b\n# if\n',
            ["#!/bin/python", "# it's", "# if"],
            ['"""Two\nlines."""', "r'a\\'d'", '"a # b"', "f'{x}'"],
        ),
        ("# go\necho \"$#\" ${#a} 'it' don't\n", ["# go"], ['"$#"', "'it'"]),
        (
            "#include <a.h>\n/* two\n lines */\nint x = 5; // don't\nchar c = '\"'; i--; // \"no\"\n",
            ["/* two\n lines */", "// don't", '// "no"'],
            ["'\"'"],
        ),
        ("#[derive(Debug)]\n// it\nfn f<'a>(x: &'a str) -> &'a str { 'x' }", ["// it"], ["'x'"]),
        (
            "// x\na = `two\nlines`; s = 'use strict', u = 'http://a/b'",
            ["// x"],
            ["`two\nlines`", "'use strict'", "'http://a/b'"],
        ),
        ("/* a */\n#main { color: #fff; }\n", ["/* a */"], []),
        (
            "-- all\nSELECT 'it''s' /* x */ FROM \"b\" -- end",
            ["-- all", "/* x */", "-- end"],
            ["'it'", "'s'", '"b"'],
        ),
        ("print('a')\n", [], ["'a'"]),
        ("/* never closed\nx", ["/* never closed\nx"], []),
        ("x = 'open\ny = \"open\n", [], []),
    ],
    ids=[
        "Python",
        "shell",
        "C",
        "Rust",
        "JavaScript",
        "CSS",
        "SQL",
        "no comment",
        "open comment",
        "open strings",
    ],
)
def test_each_family_has_its_comments_and_strings(text: str, comments: list[str], strings: list[str]) -> None:
    assert comments_and_strings(text) == (comments, strings)


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
    assert '<li><span class="code-comment">/* a\n</span></li>' in html
    assert (
        '<li><span class="code-comment"><mark class="hit" data-term="0">ice</mark> */</span> x\n</li>' in html
    )


@pytest.mark.parametrize(
    "piece", ['"\\', "'\\", "`\\`", "/*", '"""', "\\'", "--", '"\\"', "b'\\'", "#", "' "]
)
def test_no_repeated_sign_takes_more_than_linear_time(piece: str) -> None:
    def seconds(times: int) -> float:
        begun = time.process_time()
        assert sum(1 for _ in coloured(piece * times)) >= 0
        return time.process_time() - begun

    assert seconds(200_000) < 20 * max(seconds(20_000), 0.02)
