"""A place outside the campaign's file for what is read from a collection, until all of it is known to be good.

A collection may be larger than memory and take hours to read; meanwhile others must be able to write. So texts
and ids go into temporary tables of this connection first, which take no lock, and over in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from workbench.core.records import Document, PageImage
from workbench.storage.campaign.collection import pooled_units
from workbench.storage.campaign.collection.documents import ChangedText, document_row, packed_ids, put_changes
from workbench.storage.campaign.file.connection import Campaign, explain_failures
from workbench.storage.campaign.organising import settings

TEMPORARY = "the folder for temporary files (TMPDIR chooses another)"

_TABLES = (
    "CREATE TEMP TABLE staged_ids (part INTEGER PRIMARY KEY, place INTEGER, ids BLOB)",
    "CREATE TEMP TABLE staged "
    "(place INTEGER, document TEXT PRIMARY KEY, title, text, media_type, fields, text_hash)",
    "CREATE TEMP TABLE staged_pages (place INTEGER, document TEXT, page, width, height, image)",
)

NO_SOURCE = 0
"""In the place of a source's number: the texts of units change with those that they cite."""

IDS_PER_PART = 100_000
TEXTS_AT_ONCE = 500


class StagedDocuments:
    """Documents on their way into a campaign, with their pages as images or without; see `staged_documents`."""

    def __init__(self, campaign: Campaign) -> None:
        self.keeps_pages = settings.read(campaign).pdf_pages == "on"
        self._connection = campaign.db.conn
        self._ids: list[str] = []
        self._texts: list[tuple[Any, ...]] = []
        self._place = 0
        self.documents = 0

    def begin(self, place: int) -> None:
        """Start with the next source: what is added from now on belongs to `place`."""
        self.flush()
        self._place, self.documents = place, 0

    def add(self, document: Document, *, keep_text: bool) -> None:
        """Take the id of a document, and its text too when it is to be kept."""
        self._ids.append(document.document_id)
        self.documents += 1
        if len(self._ids) == IDS_PER_PART:
            self._flush_ids()
        if keep_text:
            self._texts.append((self._place, *document_row(document)))
            if len(self._texts) == TEXTS_AT_ONCE:
                self._flush_texts()

    def add_pages(self, document_id: str, pages: Sequence[PageImage]) -> None:
        """Take the pages of a document as images; they are kept if its text is."""
        rows = [(self._place, document_id, *page) for page in pages]
        self._insert("INSERT INTO temp.staged_pages VALUES (?, ?, ?, ?, ?, ?)", rows)

    def flush(self) -> None:
        """Write out what is still held in memory."""
        self._flush_ids()
        self._flush_texts()

    def _flush_ids(self) -> None:
        if self._ids:
            row = (self._place, packed_ids(self._ids))
            self._insert("INSERT INTO temp.staged_ids (place, ids) VALUES (?, ?)", [row])
            self._ids.clear()

    def _flush_texts(self) -> None:
        if self._texts:
            self._insert("INSERT OR IGNORE INTO temp.staged VALUES (?, ?, ?, ?, ?, ?, ?)", self._texts)
            self._texts.clear()

    def _insert(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with explain_failures(TEMPORARY):
            self._connection.execute("BEGIN")
            self._connection.executemany(sql, rows)
            self._connection.execute("COMMIT")


@contextmanager
def staged_documents(campaign: Campaign) -> Iterator[StagedDocuments]:
    """Empty staging tables on this connection; what was not moved over is gone at the end."""
    connection = campaign.db.conn
    with explain_failures(TEMPORARY):
        for statement in _TABLES:
            connection.execute(statement)
    try:
        yield StagedDocuments(campaign)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        with explain_failures(TEMPORARY):
            connection.execute("DROP TABLE temp.staged_ids")
            connection.execute("DROP TABLE temp.staged")
            connection.execute("DROP TABLE temp.staged_pages")


def move_ids(campaign: Campaign, place: int, source: int) -> None:
    """Make the ids staged for `place` those of a source, inside the open write transaction."""
    campaign.execute(
        "INSERT INTO source_documents (source, part, ids) SELECT ?, part, ids FROM temp.staged_ids "
        "WHERE place = ?",
        [source, place],
    )


def differing_texts(campaign: Campaign, place: int) -> list[ChangedText]:
    """The documents whose text staged for `place` is not the one that the campaign holds, in byte order."""
    rows = campaign.execute(
        "SELECT document, document.text_hash, staged.text_hash FROM temp.staged JOIN document USING (document) "
        "WHERE staged.place = ? AND document.text_hash <> staged.text_hash ORDER BY document",
        [place],
    )
    return [ChangedText(*row) for row in rows]


def replace_texts(campaign: Campaign, place: int, source: int) -> None:
    """Replace texts by those staged for `place`, inside the open write transaction; their page images go."""
    campaign.execute(
        """DELETE FROM page_image WHERE document IN (
            SELECT document FROM temp.staged AS staged JOIN document USING (document)
            WHERE staged.place = ? AND document.text_hash <> staged.text_hash)""",
        [place],
    )
    campaign.execute(
        """UPDATE document SET title = staged.title, text = staged.text, media_type = staged.media_type,
            fields = staged.fields, text_hash = staged.text_hash, source = ?
        FROM temp.staged AS staged WHERE staged.place = ? AND staged.document = document.document
            AND document.text_hash <> staged.text_hash""",
        [source, place],
    )


def move_texts(campaign: Campaign, place: int, source: int) -> int:
    """Store the texts staged for `place` inside the open write transaction; returns how many are new.

    A judgment names the hash of the text that was shown, so a text once stored is kept as it is, unless
    `replace_texts` is asked for. The pages of a text as images come with it, also where the text was there without.
    """
    connection = campaign.db.conn
    before = connection.total_changes
    connection.execute(
        """INSERT INTO document (document, title, text, media_type, fields, text_hash, source)
        SELECT document, title, text, media_type, fields, text_hash, ? FROM temp.staged WHERE place = ?
        ON CONFLICT (document) DO UPDATE SET title = excluded.title, text = excluded.text,
            media_type = excluded.media_type, fields = excluded.fields,
            text_hash = excluded.text_hash, source = excluded.source
        WHERE document.text IS NULL""",
        [source, place],
    )
    moved = connection.total_changes - before
    connection.execute(
        """INSERT INTO page_image (document, page, width, height, image)
        SELECT document, page, width, height, image FROM temp.staged_pages AS pages
        JOIN temp.staged AS staged USING (place, document) JOIN document USING (document)
        WHERE place = ? AND document.text_hash = staged.text_hash
            AND NOT EXISTS (SELECT 1 FROM page_image WHERE page_image.document = pages.document)""",
        [place],
    )
    if moved and (judged := pooled_units.renew(campaign)):
        put_changes(campaign, NO_SOURCE, judged)
    return moved
