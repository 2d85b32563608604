"""Source code is read as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.collections_of_documents import read, write
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents


def test_files_of_source_code_are_documents_and_keep_their_indents(tmp_path: Path) -> None:
    files = {"a/f.py": "\n    def f():\r\n\treturn 1\n\n", "b.sql": "id,text\tx\n"}
    assert list(read_documents(write(tmp_path, dict(files)))) == [
        Document("a/f", "", "    def f():\n\treturn 1", "text/x-code"),
        Document("b", "", "id,text\tx", "text/x-code"),
    ]


@pytest.mark.parametrize("name", ["code", "source_code", "func_code_string"])
def test_a_field_of_code_is_the_text_where_there_is_no_other(name: str, tmp_path: Path) -> None:
    lines = f'{{"id": "1", "{name}": "\\n  x = 1\\n"}}\n{{"id": "2", "{name}": "x", "text": "y"}}'
    assert read(tmp_path, "a.jsonl", lines) == [
        Document("1", "", "  x = 1", "text/x-code"),
        Document("2", "", "y", "text/plain", {name: "x"}),
    ]


def test_a_collection_may_say_that_a_text_is_code(tmp_path: Path) -> None:
    line = '{"id": "1", "text": "x = 1", "media_type": "text/x-code"}'
    assert read(tmp_path, "a.jsonl", line)[0].media_type == "text/x-code"
