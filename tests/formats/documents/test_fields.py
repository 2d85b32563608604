"""What fields of records are called, and how they become a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from workbench.core.records import Document
from workbench.formats.documents.fields import (
    FoundDocument,
    document_from,
    document_id_in,
    html_title,
    names_documents,
)

PAGE = [{"mime": "text/html", "content": "<b>x</b>"}, {"content": "1 < 2"}, {"content": ""}, "a & b"]
PAGE_TEXT = "<div><b>x</b></div>\n<p>1 &lt; 2</p>\n<p>a &amp; b</p>"


@pytest.mark.parametrize(
    ("record", "document_id"),
    [
        ({"id": "b", "docno": "a"}, "a"),
        ({" DocNo ": " a ", "id": "b"}, "a"),
        ({"ID": "a", "id": "b"}, "b"),
        ({"id": 7}, "7"),
        ({"id": None}, ""),
        ({"url_id": "a"}, "a"),
        ({"url": "a", "text": "b"}, ""),
        ({}, ""),
    ],
)
def test_the_id_is_under_the_first_of_its_names_in_any_case(record: dict[str, Any], document_id: str) -> None:
    assert document_id_in(record) == document_id


@pytest.mark.parametrize(
    ("names", "are_some"),
    [
        (["DOCNO", " Text"], True),
        (["id", "headline"], True),
        (["id", "x"], False),
        (["title", "text"], False),
    ],
)
def test_a_table_of_documents_has_an_id_and_a_title_or_a_text(names: list[str], are_some: bool) -> None:
    assert names_documents(names) is are_some


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


@pytest.mark.parametrize(
    ("record", "has_text"), [({"vector": 1}, False), ({"text": ""}, True), ({"title": None}, True)]
)
def test_a_record_has_a_text_if_a_field_has_a_name_of_one(record: dict[str, Any], has_text: bool) -> None:
    assert document_from({"id": "1", **record}, None, lambda _: True).has_text is has_text


def test_the_title_is_one_line_with_its_references_decoded() -> None:
    assert html_title("<html><TITLE lang=en>\n A &amp;\n B </TITLE>") == "A & B"


@pytest.mark.parametrize("page", ["", "<p>none</p>", "<", "<title", "<!-- only -->", "<title></title>"])
def test_a_page_without_a_title_has_an_empty_one(page: str) -> None:
    assert html_title(page) == ""


def test_a_title_that_does_not_end_is_cut() -> None:
    assert html_title("<title>" + "x" * 5000) == "x" * 1000


@pytest.mark.data
def test_real_pages_have_titles(data_folder: Path) -> None:
    pages = sorted((data_folder / "documents/webpages-with-scripts").glob("*.html"))
    assert pages
    assert all(html_title(page.read_text(encoding="utf-8")) for page in pages)
