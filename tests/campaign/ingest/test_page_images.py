"""Pages of PDF files as images come into a campaign with the texts, and never change one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.formats.collections_of_documents import write
from tests.images import png
from tests.pdfs import pdf
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_documents, add_runs, fetch_missing_texts
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import QuotaExceeded
from workbench.core.records import PageImage
from workbench.formats.documents import in_pdf
from workbench.formats.documents.page_images import NOT_INSTALLED, Drawn
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
    monkeypatch.setattr(in_pdf, "drawn_pages", lambda data, pages: Drawn(warning=NOT_INSTALLED))
    with new_campaign(tmp_path / "without.db", title="Without", actor="Olga") as without:
        added = add_documents(without.by("Olga"), [str(folder)], keep_all=True)
        assert [warning.message for warning in added.warnings] == [NOT_INSTALLED]
        assert documents.all_text_hashes(without) == documents.all_text_hashes(empty)
        assert pages_of(without, "a") == []


def test_pages_come_to_a_text_that_was_there_without(
    empty: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(write(tmp_path / "files", {"a.pdf": pdf("Ice.")}))
    with monkeypatch.context() as patch:
        patch.setattr(in_pdf, "drawn_pages", lambda data, pages: Drawn(warning=NOT_INSTALLED))
        add_documents(empty.by("Olga"), [folder], keep_all=True)
    before = documents.all_text_hashes(empty)
    added = add_documents(empty.by("Olga"), [folder], changed=True)
    assert (added.texts, added.changed) == (0, 0)
    assert len(pages_of(empty, "a")) == 1
    assert documents.all_text_hashes(empty) == before


def test_pages_of_a_text_that_is_kept_are_kept_and_a_changed_text_brings_its_own(
    empty: Campaign, tmp_path: Path
) -> None:
    first, second = pdf("Ice.", "Snow."), pdf("Thaw, and rain.")
    folder = write(tmp_path / "files", {"a.pdf": first})
    add_documents(empty.by("Olga"), [str(folder)], keep_all=True)
    write(folder, {"a.pdf": second})
    add_documents(empty.by("Olga"), [str(folder)], keep_all=True)
    assert pages_of(empty, "a") == [(1, len(first)), (2, len(first))]
    assert add_documents(empty.by("Olga"), [str(folder)], keep_all=True, changed=True).changed == 1
    assert pages_of(empty, "a") == [(1, len(second))]


def test_of_two_files_with_one_id_the_pages_are_those_of_the_text_that_is_kept(
    empty: Campaign, tmp_path: Path
) -> None:
    paths = [str(write(tmp_path / name, {"a.pdf": pdf(*texts)}) / "a.pdf") for name, texts in (
        ("one", ("Ice.",)), ("two", ("Snow.", "Hail.")),
    )]  # fmt: skip
    add_documents(empty.by("Olga"), paths, keep_all=True)
    assert pages_of(empty, "a") == [(1, len(pdf("Ice.")))]


def test_only_pages_of_texts_that_are_wanted_are_drawn_and_a_pool_brings_them(
    empty: Campaign, drawn: list[bytes], tmp_path: Path
) -> None:
    folder = write(tmp_path / "files", {"a.pdf": pdf("Ice."), "b.pdf": pdf("Snow.")})
    add_documents(empty.by("Olga"), [str(folder)])
    assert drawn == []
    add_runs(empty.by("Olga"), [write_run(tmp_path / "a.run", "a", {"1": "a"})])
    add_pool(empty.by("Olga"), depth=1)
    fetch_missing_texts(empty)
    assert drawn == [pdf("Ice.")]
    assert len(pages_of(empty, "a")) == 1


def test_a_campaign_that_keeps_no_pages_draws_none(
    empty: Campaign, drawn: list[bytes], tmp_path: Path
) -> None:
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
