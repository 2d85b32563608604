"""What fields of records are called, and how they become a document."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.core.records import Document
from workbench.formats.documents.fields import FoundDocument, document_from

PAGE = [{"mime": "text/html", "content": "<b>x</b>"}, {"content": "1 < 2"}, {"content": ""}, "a & b"]
PAGE_TEXT = "<div><b>x</b></div>\n<p>1 &lt; 2</p>\n<p>a &amp; b</p>"


@pytest.mark.parametrize(
    ("record", "document"),
    [
        ({"title": " A\n b ", "text": " x\ny "}, Document("1", "A b", "x\ny")),
        ({"text": "", "contents": "x", "Body": "y"}, Document("1", "", "x", fields={"body": "y"})),
        ({"title": "", "headline": "A", "text": "x"}, Document("1", "A", "x")),
        ({"meta": {"x": 1, "title": "A"}, "text": "x"}, Document("1", "A", "x")),
        ({"metadata": {}, "meta": {"title": "A"}, "text": "x"}, Document("1", "", "x")),
        ({"html": "<title>A</title>x"}, Document("1", "A", "<title>A</title>x", "text/html")),
        ({"html": "<title>A</title>x", "title": "B"}, Document("1", "B", "<title>A</title>x", "text/html")),
        ({"code": "\n  x = 1 \n"}, Document("1", "", "  x = 1 ", "text/x-code")),
        (
            {"text": "# A", "mime": "Text/Markdown ; charset=utf-8"},
            Document("1", "", "# A", "text/markdown", {"mime": "Text/Markdown ; charset=utf-8"}),
        ),
        ({"text": "x", "mime": "image/png"}, Document("1", "", "x", fields={"mime": "image/png"})),
        ({"text": PAGE}, Document("1", "", PAGE_TEXT, "text/html")),
        ({"text": ["a", {"content": "b"}, ""]}, Document("1", "", "a\n\nb")),
        ({"text": [1, "a"], "title": "A"}, Document("1", "A", "1\n\na")),
        (
            {
                "text": "x",
                "year": 1968,
                "new": True,
                "none": None,
                "blank": " ",
                "by": ["A", "B"],
                "pages": [1, 2],
            },
            Document("1", "", "x", fields={"year": "1968", "new": "true", "by": "A; B"}),
        ),
        (
            {
                "text": "x",
                "abstract": [{"text": "a"}, {"text": "b"}],
                "parts": [{"text": "a"}],
                "in": {"a": "b"},
            },
            Document("1", "", "x", fields={"abstract": "a\n\nb"}),
        ),
        ({"text": "x", "uid": "1", "pmid": "2"}, Document("1", "", "x", fields={"pmid": "2"})),
    ],
)
def test_a_record_becomes_a_document(record: dict[str, Any], document: Document) -> None:
    found = document_from({"id": "1", **record}, 3, lambda _: True)
    assert found == FoundDocument(3, document, True, ("id", *record))


def test_turns_of_a_chat_are_the_text_unless_there_is_another_or_one_has_no_speaker() -> None:
    turns = [{"role": "user", "content": "Snow?"}, {"from": "Ada", "value": "Ice."}]

    def text(**record: Any) -> str:
        return document_from({"id": "1", **record}, None, lambda _: True).document.text

    assert "Snow?" in text(messages=turns)
    assert "Ice." in text(messages=turns, text="")
    assert text(messages=turns, text="x") == "x"
    assert text(messages=[*turns, {"content": "Hail."}]) == ""
    assert text(messages=[*turns, "Hail."]) == ""
    assert text(messages=[]) == ""


def test_what_is_not_wanted_has_its_id_and_its_names_alone() -> None:
    assert document_from({"id": "1", "text": "x"}, 3, lambda _: False) == FoundDocument(
        3, Document("1"), names=("id", "text")
    )
    assert document_from({"a": "1", "b": "x"}, 3, lambda _: False) == FoundDocument(
        3, Document(""), names=("a", "b")
    )
