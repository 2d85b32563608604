"""A full-text index of the stored texts, made by SQLite's FTS5 when a search needs it.

It lies in a temporary database of its own, which SQLite keeps in memory as far as it is small and deletes by itself. So
the campaign's file holds nothing that has to be kept in step with the texts, and a search takes no lock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from workbench.methods.text.compared_words import words_of
from workbench.storage.campaign.collection.staging import TEMPORARY
from workbench.storage.campaign.file.connection import explain_failures

_TABLE = """CREATE VIRTUAL TABLE indexed USING fts5(
    words, content = '', tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Sc'")"""
"""Without the texts themselves. The categories are those of the characters that `words_of` keeps."""


class TextIndex(AbstractContextManager["TextIndex"]):
    """Texts by the words in them; close it after use, as a context manager does."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """Index texts by document id; an id comes once."""
        self._ids: list[str] = []
        self._connection = sqlite3.connect("")
        try:
            self._connection.execute(_TABLE)
            for document_id, text in texts:
                self._put(document_id, text)
            with explain_failures(TEMPORARY):
                self._connection.commit()
        except BaseException:
            self._connection.close()
            raise

    def _put(self, document_id: str, text: str) -> None:
        self._ids.append(document_id)
        row = (len(self._ids), _separated(text))
        with explain_failures(TEMPORARY):
            self._connection.execute("INSERT INTO indexed (rowid, words) VALUES (?, ?)", row)

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._ids)

    def best(self, phrases: Sequence[str], *, any_phrase: bool = False, limit: int) -> list[str]:
        """The ids of the texts with all of some phrases, or any of them, by BM25; of equal ones the earlier text first.

        The words of a phrase stand next to each other. Nothing in a phrase is syntax; one without words is left out.

        Source: bm25() of FTS5 with k1 = 1.2 and b = 0.75 (Robertson et al., TREC-3, 1994).
        """
        # Quoted, so that no word is an operator; no word has a quote in it.
        terms = [f'"{" ".join(words)}"' for words in map(words_of, phrases) if words]
        if not terms:
            return []
        rows = self._connection.execute(
            "SELECT rowid FROM indexed WHERE indexed MATCH ? ORDER BY rank, rowid LIMIT ?",
            [(" OR " if any_phrase else " AND ").join(terms), limit],
        )
        return [self._ids[row - 1] for (row,) in rows]

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()

    def __exit__(self, *_: object) -> None:
        """Close it, whatever happened."""
        self.close()


def _separated(text: str) -> str:
    """A text whose words FTS5 finds: in scripts without blanks between words each character is one."""
    # In ASCII it finds the same words by itself, which is several times as quick.
    return text if text.isascii() else " ".join(words_of(text))
