"""How strictly runs and qrels are read: as the workbench takes them, or as the reference program does."""

from __future__ import annotations

from typing import NamedTuple


class ParseMode(NamedTuple):
    """How the lines of a file are taken.

    Attributes:
        comments: whether a line that begins with '#' is a comment; if not, it is a row like any other, as for
            versions of the reference program before 10.
        lenient: whether numbers are read as the reference program reads them, see
            `workbench.formats.text.lenient_numbers`, and a run may have several tags, of which the last one counts.
        encoding: what the text is in, as someone named it; '' for UTF-8.
        own_documents: whether a document counts that is the topic itself, by its id.
    """

    comments: bool = True
    lenient: bool = False
    encoding: str = ""
    own_documents: bool = True


STRICT = ParseMode()
"""What campaigns take."""
