from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.cli.demo.documents import read_standard_library, standard_library
from workbench.core.errors import NotThere
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents


@pytest.fixture(scope="module")
def library(demo_instance: Path) -> dict[str, Document]:
    """What the demo was made from."""
    read = read_documents(demo_instance / "demo" / "documents.jsonl")
    return {document.document_id: document for document in read}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shapes.py").write_text(
        '"""Shapes and their areas."""\n'
        "class Square(Shape, sealed=True):\n"
        '    """A square."""\n'
        "    def area(self, *, unit: str = 'm') -> float:\n"
        '        """The area.\n\n'
        "        In square units.\n"
        '        """\n'
        "    def undocumented(self): ...\n"
        '    def _private(self): """Hidden."""\n'
        "if fast:\n"
        '    async def draw(): """Draws, quickly."""\n'
        "else:\n"
        '    def draw(): """Draws, slowly."""\n',
        encoding="utf-8",
    )
    return tmp_path


def test_there_are_thousands_of_public_documents_each_with_title_text_and_module(
    library: dict[str, Document],
) -> None:
    assert (standard_library() / "collections" / "__init__.py").is_file()
    assert len(library) > 3000
    assert all(each.title and each.text and each.fields["module"] for each in library.values())
    compiled = "decimal.Decimal.quantize datetime.date.isoformat io.BufferedReader os.path.commonpath"
    assert set(compiled.split()) <= set(library)
    parts = {part for name in library for part in name.split(".")}
    assert not parts & {"tests", "idlelib", "pip", "pytest"}
    assert not {part for part in parts if part.startswith("_")}


def test_a_document_is_named_by_its_dotted_path(library: dict[str, Document]) -> None:
    document = library["collections.OrderedDict.move_to_end"]
    assert document.text.startswith(
        "def move_to_end(self, key, last=True)\n\nMove an existing element to the end"
    )
    assert document.title == "OrderedDict.move_to_end"
    assert document.fields == {"kind": "method", "module": "collections"}


def test_the_text_is_the_defining_line_and_the_cleaned_string_of_files_that_are_not_run(folder: Path) -> None:
    (folder / "trap.py").write_text(
        '"""A trap."""\nraise SystemExit("this file was run")\n', encoding="utf-8"
    )
    (folder / "broken.py").write_bytes(b'"""Almost."""\n\x00 def')
    before = set(sys.modules)
    found = {document.document_id: document.text for document in read_standard_library(folder)}
    assert set(sys.modules) == before
    assert found == {
        "shapes": "import shapes\n\nShapes and their areas.",
        "shapes.Square": "class Square(Shape, sealed=True)\n\nA square.",
        "shapes.Square.area": "def area(self, *, unit: str='m') -> float\n\nThe area.\n\nIn square units.",
        "shapes.draw": "async def draw()\n\nDraws, quickly.",
        "trap": "import trap\n\nA trap.",
    }


def test_a_library_without_source_files_is_said_to_be_one(tmp_path: Path) -> None:
    with refused(NotThere):
        list(read_standard_library(tmp_path))
