from __future__ import annotations

import gzip
from pathlib import Path

from tests.formats.collections_of_documents import warnings, write
from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.formats.documents.reading import document_files, read_documents


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {
            "b/2.md": "# Two\ntext",
            "b/1.htm": "<title>One</title><p>x",
            "a.txt.gz": gzip.compress("Ünter\tden\r\n\r\nLinden\n".encode()),
            "a.notes.txt": "",
            "c.jsonl": '{"id": "j", "text": "x"}',
            ".hidden": "x",
            "style.css": "x",
        },
    )
    assert list(read_documents(folder)) == [
        Document("a.notes"),
        Document("a", "", "Ünter\tden\n\nLinden"),
        Document("b/1", "One", "<title>One</title><p>x", "text/html"),
        Document("b/2", "Two", "# Two\ntext", "text/markdown"),
        Document("j", "", "x"),
    ]
    assert [path.name for path in document_files(folder)] == [
        "a.notes.txt",
        "a.txt.gz",
        "1.htm",
        "2.md",
        "c.jsonl",
    ]
    assert says("\n".join(warnings(folder)))


def test_an_empty_folder_and_one_with_nothing_to_read_are_refused(tmp_path: Path) -> None:
    with refused(InputError):
        list(read_documents(tmp_path))
    write(tmp_path, {"a.yaml": "x: y"})
    with refused(InputError):
        list(read_documents(tmp_path))
