"""Pages of PDF files as images, to be looked at beside the text: no hash covers them, and no number depends on them."""

from __future__ import annotations

from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign


class StoredPage(NamedTuple):
    """A page that has an image, counted from 1, and the size of this in pixels."""

    page: int
    width: int
    height: int


def of_document(campaign: Campaign, document_id: str) -> tuple[StoredPage, ...]:
    """The pages of a document that have an image, ascending."""
    rows = campaign.execute(
        "SELECT page, width, height FROM page_image WHERE document = ? ORDER BY page", [document_id]
    )
    return tuple(StoredPage(*row) for row in rows)


def find(campaign: Campaign, document_id: str, page: int) -> bytes | None:
    """The PNG of a page, counted from 1; None where there is none."""
    return campaign.value("SELECT image FROM page_image WHERE document = ? AND page = ?", [document_id, page])
