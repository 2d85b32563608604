"""Files that are one document each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.collections_of_documents import read
from workbench.core.records import Document
from workbench.formats.documents.single import LONGEST_TITLE


@pytest.mark.parametrize(
    ("name", "content", "document"),
    [
        ("a.txt", "\r\n  # Snow\r\nand ice \n", Document("a", "", "# Snow\nand ice")),
        (
            "a.md",
            "\n## Snow #1 \r\nand ice\n",
            Document("a", "Snow #1", "## Snow #1 \nand ice", "text/markdown"),
        ),
        ("a.md", "Snow\n# Ice\n", Document("a", "", "Snow\n# Ice", "text/markdown")),
        (
            "a.md",
            "#" + "x" * (LONGEST_TITLE + 1),
            Document("a", "x" * LONGEST_TITLE, "#" + "x" * (LONGEST_TITLE + 1), "text/markdown"),
        ),
        (
            "a.html",
            " <title>Snow</title>\r\n<p>ice ",
            Document("a", "Snow", "<title>Snow</title>\n<p>ice", "text/html"),
        ),
        (
            "a.py",
            "\r\n    # Snow\r\n    x = 1 \n\n",
            Document("a", "", "    # Snow\n    x = 1 ", "text/x-code"),
        ),
    ],
)
def test_a_file_that_is_one_document_has_its_text_and_its_title(
    tmp_path: Path, name: str, content: str, document: Document
) -> None:
    (found,) = read(tmp_path, name, content.encode())
    assert found._replace(document_id="a") == document


@pytest.mark.parametrize("name", ["a.html", "a.md", "a.txt"])
def test_a_file_is_read_in_the_encoding_that_its_beginning_declares(tmp_path: Path, name: str) -> None:
    content = '<meta charset="iso-8859-2"><p>č'
    assert read(tmp_path, name, content.encode("iso-8859-2"))[0].text == content
