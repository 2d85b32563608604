"""Documents that stand twice in a source: found by a hash of their ids, with the places of both."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import Literal

from workbench.core.records import Document
from workbench.formats.documents.fields import FoundDocument
from workbench.formats.documents.open_file import Reading
from workbench.formats.text.lines import shown

Repeated = Literal["refuse", "identical", "skip"]
ONCE = "a document that stands twice with the same content is taken once"


class SeenIds:
    """The ids of a source so far, with the place of each; what is done with a repeated one says `Repeated`."""

    def __init__(self, repeated: Repeated) -> None:
        self.is_repeated = False
        self._repeated = repeated
        self._seen: set[int] | dict[int, int] = {} if repeated == "identical" else set()
        """The hashes of ids; with their places where many of them may be repeated."""
        self._ids, self._lines, self._contents = array("q"), array("q"), array("q")
        self._files: list[tuple[int, str]] = []

    def problem(self, found: FoundDocument, reading: Reading) -> str | None:
        """What is wrong with the next document if its id occurred before; `is_repeated` says whether it did."""
        key = hash(found.document.document_id)
        self.is_repeated = key in self._seen
        if self.is_repeated:
            return None if self._repeated == "skip" else self._problem(key, found, reading)
        if not self._files or self._files[-1][1] != reading.file:
            self._files.append((len(self._ids), reading.file))
        if isinstance(self._seen, dict):
            self._seen[key] = len(self._ids)
        else:
            self._seen.add(key)
        self._ids.append(key)
        self._lines.append(found.line or 0)
        if self._repeated == "identical":
            self._contents.append(_content(found.document))
        return None

    def _problem(self, key: int, found: FoundDocument, reading: Reading) -> str | None:
        at = self._seen[key] if isinstance(self._seen, dict) else self._ids.index(key)
        file = self._files[bisect_right(self._files, at, key=lambda part: part[0]) - 1][1]
        line = f"line {self._lines[at]:,}" if self._lines[at] else "the same file"
        first = line if file == reading.file else f"{line} of {file}" if self._lines[at] else file
        twice = f"document {shown(found.document.document_id)} occurs twice in this source"
        if self._repeated == "refuse":
            return f"{twice}, first on {first}; keep one of them, or take identical ones once (--duplicates identical)"
        if self._contents[at] != _content(found.document):
            return f"{twice} with different content, first on {first}; keep one of them"
        reading.warn(ONCE, found.line)
        return None


def _content(document: Document) -> int:
    return hash((document.title, document.text, document.media_type, tuple(sorted(document.fields.items()))))
