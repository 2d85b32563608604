from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.formats.collections_of_documents import warnings, write
from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.formats.documents.in_folders import passed_over_message
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


def test_files_that_would_share_an_id_keep_their_suffixes(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.txt": "x", "a.html": "<p>x", "b.txt": "y"})
    assert [document.document_id for document in read_documents(folder)] == ["a.html", "a.txt", "b"]


def test_a_word_file_in_a_folder_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.txt": "x", "b/c.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"})
    with refused(InputError) as told:
        list(read_documents(folder))
    assert [(problem.file, problem.line) for problem in told.value.problems] == [(f"{folder}/b/c.doc", None)]


@pytest.mark.parametrize("others", [["a.css"], ["a.css", "b/c.css"], list("123"), list("1234")])
def test_the_first_files_that_are_passed_over_are_named(tmp_path: Path, others: list[str]) -> None:
    assert says(passed_over_message(tuple((tmp_path / name, "no text") for name in others), tmp_path))


def test_an_empty_folder_and_one_with_nothing_to_read_are_refused(tmp_path: Path) -> None:
    with refused(InputError):
        list(read_documents(tmp_path))
    write(tmp_path, {"a.yaml": "x: y"})
    with refused(InputError):
        list(read_documents(tmp_path))
