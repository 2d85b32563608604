"""Pages of PDF files as images come into a campaign with the texts, and never change one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.collections_of_documents import write
from tests.images import png
from tests.pdfs import pdf
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_documents
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import QuotaExceeded
from workbench.core.records import PageImage
from workbench.formats.documents import in_pdf
from workbench.formats.documents.page_images import Drawn
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, page_images
from workbench.storage.campaign.organising import quota


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was asked to be drawn: pages are small images here, as wide as their file has bytes."""
    asked: list[bytes] = []

    def draw(data: bytes, pages: int) -> Drawn:
        asked.append(data)
        return Drawn(tuple(PageImage(page, len(data), 2, png(2, page)) for page in range(1, pages + 1)))

    monkeypatch.setattr(in_pdf, "drawn_pages", draw)
    return asked


def pages_of(campaign: Campaign, document_id: str) -> list[tuple[int, int]]:
    """The pages that have an image, each with its width."""
    return [page[:2] for page in page_images.of_document(campaign, document_id)]


def test_pages_are_kept_beside_the_text_whose_hash_is_that_of_the_text_alone(
    empty: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "files", {"a.pdf": pdf("Ice.", "Snow."), "b.txt": "Hail."})
    add_documents(empty.by("Olga"), [str(folder)], keep_all=True)
    size = len(pdf("Ice.", "Snow."))
    assert (pages_of(empty, "a"), pages_of(empty, "b")) == ([(1, size), (2, size)], [])
    assert page_images.find(empty, "a", 2) == png(2, 2)
    assert page_images.find(empty, "a", 3) is None
    monkeypatch.setattr(in_pdf, "drawn_pages", lambda data, pages: Drawn(warning="not installed"))
    with new_campaign(tmp_path / "without.db", title="Without", actor="Olga") as without:
        added = add_documents(without.by("Olga"), [str(folder)], keep_all=True)
        assert [warning.message for warning in added.warnings] == ["not installed"]
        assert documents.all_text_hashes(without) == documents.all_text_hashes(empty)
        assert pages_of(without, "a") == []


def test_where_no_pages_are_kept_none_is_drawn(empty: Campaign, drawn: list[bytes], tmp_path: Path) -> None:
    folder = str(write(tmp_path / "files", {"a.pdf": pdf("Ice.")}))
    change_settings(empty.by("Olga"), {"pdf-pages": "off"})
    assert add_documents(empty.by("Olga"), [folder], keep_all=True).warnings == ()
    assert (drawn, pages_of(empty, "a")) == ([], [])


def test_a_file_that_is_refused_leaves_no_pages(empty: Campaign, tmp_path: Path) -> None:
    folder = write(tmp_path / "files", {"a.pdf": pdf("Ice.")})
    quota.set_quota(empty.by("Olga"), 1)
    with pytest.raises(QuotaExceeded):
        add_documents(empty.by("Olga"), [str(folder)], keep_all=True)
    assert pages_of(empty, "a") == []
