"""PDF files where pages cannot be kept as images: their texts are read as always, and one sentence says why."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.formats.collections_of_documents import write
from tests.pdfs import pdf
from tests.sentences import says
from workbench.core.errors import Problem
from workbench.core.records import PageImage
from workbench.formats.documents import page_images
from workbench.formats.documents.reading import read_documents

MISSING = ("pypdfium2", "resource")


def hide(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a module be missing, and with it what its system has not either: Windows has no such clock."""
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delattr(signal, "setitimer")


@pytest.mark.parametrize("module", MISSING)
def test_texts_are_read_as_before_and_one_sentence_for_all_files_says_so(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "files", {"a.pdf": pdf("Ice."), "b.pdf": pdf("Snow.")})
    hide(module, monkeypatch)
    why = page_images.why_none_can_be()
    assert says(why)
    warnings: list[Problem] = []
    pages: dict[str, Sequence[PageImage]] = {}
    documents = list(read_documents(folder, on_warning=warnings.append, on_pages=pages.__setitem__))
    assert [document.text for document in documents] == ["Ice.", "Snow."]
    assert pages == {"a": (), "b": ()}
    assert [warning.message for warning in warnings] == [why]


@pytest.mark.parametrize("module", MISSING)
def test_it_is_said_also_where_no_text_is_needed_yet(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "files", {"a.pdf": pdf("Ice."), "b.pdf": pdf("Snow.")})
    hide(module, monkeypatch)
    why = page_images.why_none_can_be()
    assert says(why)
    warnings: list[Problem] = []
    for on_pages, said in ((None, []), (lambda *_: None, [why])):
        list(read_documents(folder, wanted=set(), on_warning=warnings.append, on_pages=on_pages))
        assert [warning.message for warning in warnings] == said
