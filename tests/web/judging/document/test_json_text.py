"""A text that is JSON is shown by its lines, each a slice of the stored text."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import says
from workbench.core.records import Document
from workbench.methods.text.terms import Term
from workbench.web.judging.document.body import Look, body_of
from workbench.web.judging.document.json_text import JsonText, is_json, json_lines
from workbench.web.judging.document.marking import Marker

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def test_an_object_or_a_list_is_json() -> None:
    assert all(map(is_json, ['{"a": 1}', ' [1, "x"]', "{}"]))
    assert not any(map(is_json, ['"x"', "7", "[1] Smith", '{"a": 1} {"a": 2}', "[" * 100_000, ""]))


LINES = """
{
. "a": {
. . "b": [1, "x, y"],
. . "c": {}
. },
. "d": [
. . {
. . . "e": null
. . },
. . []
. ]
}
"""


def test_members_have_lines_by_their_depth_and_a_list_of_scalars_stays_whole() -> None:
    text = '{"a": {"b": [1, "x, y"], "c": {}}, "d": [{"e": null}, []]}'
    lines = [". " * depth + text[start:end].strip() for start, end, depth in json_lines(text)]
    assert lines == LINES.strip().split("\n")


@given(VALUES, st.sampled_from([None, 2]))
def test_lines_cover_the_text_once_and_add_nothing(value: Any, indent: int | None) -> None:
    text = json.dumps([value, value], indent=indent, ensure_ascii=False)
    assert "".join(text[start:end] for start, end, _ in json_lines(text)) == text
    html = JsonText(text).write(Marker([]), None)
    for start, inner in re.findall(r'data-start="([0-9]+)">(.*?)</p>', html, re.DOTALL):
        shown = unescape(re.sub("</?b>", "", inner))
        assert text[int(start) :].startswith(shown)


def test_names_are_bold_and_words_marked() -> None:
    body = body_of(Document("d", "", '{"lock": "a lock", "n": 1}'), Look((Term("lock"),), "en"))
    assert says(unescape(re.findall("<p.*?</p>", body.html)[1]))
    assert body.counts == (2,)
