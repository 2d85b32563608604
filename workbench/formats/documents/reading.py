"""Documents of every kind of collection met in the field, one at a time: a file, also at an address, or a folder.

TREC `<DOC>` files, `.I` records, WARC and WET, JSON and JSON lines, tables with tabs or commas, parquet, folders of
text, Markdown, HTML, PDF and image files; all of them plain or compressed.
"""

from __future__ import annotations

import io
from array import array
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

from workbench.core.errors import SHOWN_PROBLEMS, InputError, Problem
from workbench.core.records import Document
from workbench.core.wording import SHOWN_NAMES, counted, listed
from workbench.formats.documents.fields import BETRAYING, USUAL, FieldNames, FoundDocument, lacking
from workbench.formats.documents.in_folders import Member, mixture, passed_over_message, single_file, survey
from workbench.formats.documents.kinds import NO_TEXT, PDF, WITH_IMAGES, Unreadable
from workbench.formats.documents.open_file import SEEN, Reading, open_with_start
from workbench.formats.documents.page_images import OnPages, why_none_can_be
from workbench.formats.text.addresses import is_address, name_at, without_secrets
from workbench.formats.text.chosen_encoding import InUtf8, is_surely_utf8
from workbench.formats.text.encoding import encoding_of
from workbench.formats.text.files import STANDARD_STREAM, OnBytes, OnStored, refused
from workbench.formats.text.lines import identifier_problem, shown
from workbench.formats.topics.fields import shown_names

NO_ID = "a document without an id was skipped: no run can name it"
NO_FIELDS_HERE = (
    "these documents have no fields by name to choose from; leave out --id-field, --text-field, --title-field and "
    "--address-field, or give JSON, parquet, or a table with a line of column names"
)
LOOKED_AT = 100
"""The fields of so many first records of a file are compared with those that are texts."""
NO_IDS_AFTER = 25
"""A file is refused when this many first records have no id."""

Repeated = Literal["refuse", "identical", "skip"]
ONCE = "a document that stands twice with the same content is taken once"


def read_documents(
    path: str | Path,
    *,
    wanted: Container[str] | None = None,
    on_bytes: OnBytes | None = None,
    on_warning: Callable[[Problem], None] | None = None,
    name: str | None = None,
    on_stored: OnStored | None = None,
    on_pages: OnPages | None = None,
    choice: FieldNames = USUAL,
    repeated: Repeated = "refuse",
) -> Iterator[Document]:
    """Yield every document of a file, of one at an address, of standard input (`-`), or of all files in a folder.

    One document (of parquet: one batch) is in memory at a time, and for the check that ids are unique 8 bytes of
    hash for each document, which in a set of Python take about 70 bytes, and 16 for its place: 900 MB for ten million
    documents. Two ids are taken for the same with a chance of one in 10^5 for ten million documents; a second try then
    passes.

    `wanted`: ids whose texts are needed, None for all. Every other document is yielded as well, in its place, so that
    the caller sees every id, but with `title=''`, `text=''` and no fields, and as cheaply as its format allows.
    `on_bytes` is called with the number of bytes of the stored (compressed) files as they are read; `on_warning` each
    warning, at the end of its file. `name` is what a file goes by when that is not its path, as of one that was sent;
    what stands beside such a file is not looked at. `on_stored` gets all stored bytes of a file, also those that are
    not needed for its documents; not for a folder. `on_pages` is called with the id of each PDF whose text
    is needed and its pages as images, before it is yielded; without it no page is drawn. `choice` names the fields of
    records that are id, title and text, and the encoding. `repeated` says of a document whose id occurred before
    whether to `refuse` it, to take it once if all of it is `identical`, for which all texts are read, or to `skip` it.

    Raises `InputError`: at once for a file that cannot be read; in the end, after all documents were yielded, for ids
    that occur twice, hold blanks or cannot be stored (the first 25 end the reading). So a caller that keeps
    documents must be able to drop them all when the iteration fails.
    """
    checks = _Checks(on_warning, repeated)
    read = None if repeated == "identical" else wanted
    for opened in _opened(path, on_bytes, on_stored, checks, name, choice):
        with opened.stream:
            reading = opened.reading(read, on_pages, choice)
            for found in _found_in(opened.member, reading, checks):
                if checks.passes(found, reading):
                    is_needed = read is wanted or wanted is None or found.document.document_id in wanted
                    yield found.document if is_needed else Document(found.document.document_id)
            while on_stored is not None and reading.stream.read(SEEN):
                pass
        checks.finish(reading)
    if checks.problems:
        raise InputError(checks.problems)
    if choice.asked and not checks.has_fields:
        raise refused(name or without_secrets(path), NO_FIELDS_HERE)


def document_files(path: str | Path, choice: FieldNames = USUAL) -> tuple[Path, ...]:
    """The files that `read_documents` reads for this path, in its order, images of pages last: to record them as
    sources.
    """
    if Path(path).is_dir():
        folder = survey(Path(path), choice)
        return (*(member.path for member in folder.members), *folder.images)
    opened = _opened_file(path, None, None, None, choice)
    with opened.stream:
        reading = opened.reading(None)
        if opened.member.format in WITH_IMAGES:
            list(opened.member.format.read(reading))
    return (Path(path).resolve(), *sorted(reading.images)) if reading.images else (Path(path),)


class _Opened(NamedTuple):
    """A file to read: what it is called, its stream from the start, its first bytes, and its path if it has one; and
    the folder whose images it may show.
    """

    file: str
    member: Member
    stream: BinaryIO
    start: bytes
    path: Path | None
    folder: Path | None = None

    def reading(
        self, wanted: Container[str] | None, on_pages: OnPages | None = None, choice: FieldNames = USUAL
    ) -> Reading:
        """What its reader is given."""
        stream, declared = self.stream, choice.encoding or encoding_of(self.start)
        if choice.encoding and self.member.format not in NO_TEXT:
            declared = None
            if not is_surely_utf8(self.start):
                stream = io.BufferedReader(InUtf8(stream, self.file, choice.encoding), buffer_size=SEEN)
        document_id = self.member.document_id
        return Reading(
            self.file, stream, wanted, declared, document_id, self.path, self.folder, on_pages, choice
        )


def _found_in(member: Member, reading: Reading, checks: _Checks) -> Iterator[FoundDocument]:
    """The documents of a file; where it is one as a whole and cannot be read, others are read before it is refused."""
    if member.format.single and not reading.wants(member.document_id):
        if member.format is PDF and reading.on_pages is not None and (why := why_none_can_be()):
            reading.warn(why)  # now: a pool that wants the text later has no place for it
        yield FoundDocument(None, Document(member.document_id))
        return
    try:
        yield from member.format.read(reading)
    except InputError as error:
        if not member.format.single:
            raise
        checks.refuse(error)


def _opened(
    path: str | Path,
    on_bytes: OnBytes | None,
    on_stored: OnStored | None,
    checks: _Checks,
    name: str | None,
    choice: FieldNames,
) -> Iterator[_Opened]:
    if is_address(path) or not Path(path).is_dir():
        yield _opened_file(path, on_bytes, on_stored, name, choice)
        return
    folder = survey(Path(path), choice)
    if folder.passed_over:
        checks.warn(Problem(str(path), None, passed_over_message(folder.passed_over, Path(path))))
    if mixed := mixture(folder):
        checks.warn(Problem(str(path), None, mixed))
    for member in folder.members:
        stream, start = open_with_start(member.path, on_bytes)
        yield _Opened(str(member.path), member, stream, start, member.path, Path(path))


def _opened_file(
    path: str | Path,
    on_bytes: OnBytes | None,
    on_stored: OnStored | None,
    name: str | None,
    choice: FieldNames,
) -> _Opened:
    stream, start = open_with_start(path, on_bytes, on_stored)
    at_address = is_address(path)
    member = single_file(name or (name_at(str(path)) if at_address else path), start, choice)
    if isinstance(member, Unreadable):
        stream.close()
        raise refused(name or path, member.reason)
    is_here = not at_address and str(path) != STANDARD_STREAM
    here = Path(path).resolve() if is_here else None
    folder = here.parent if here and name is None else None
    return _Opened(name or without_secrets(path), member, stream, start, here, folder)


class _Checks:
    """What is wrong with ids, over all files of a source; and what deserves a warning, file by file."""

    def __init__(self, on_warning: Callable[[Problem], None] | None, repeated: Repeated) -> None:
        self.problems: list[Problem] = []
        self.has_fields = False
        self._on_warning = on_warning
        self._ids = SeenIds(repeated)
        self._good = 0
        self._without_text = 0
        self._empty, self._some_empty = 0, list[str]()
        self._names: dict[str, None] = {}
        self._nameless: FoundDocument | None = None
        self._is_refused = False
        self._said: set[str] = set()

    def refuse(self, error: InputError) -> None:
        """Note that the file cannot be read."""
        self.problems += error.problems
        self._is_refused = True
        if len(self.problems) >= SHOWN_PROBLEMS:
            raise InputError(self.problems)

    def warn(self, warning: Problem) -> None:
        """Hand a warning on."""
        if self._on_warning is not None:
            self._on_warning(warning)

    def passes(self, found: FoundDocument, reading: Reading) -> bool:
        """Whether this is a document that the caller gets."""
        document_id = found.document.document_id
        if not document_id:
            self._names.update(dict.fromkeys(found.names) if self._good < LOOKED_AT else ())
            self._note_nameless(found, reading)
            return False
        if self._good < LOOKED_AT:
            self._names.update(dict.fromkeys(found.names))
        self._good += 1
        if self._good == LOOKED_AT:
            reading.require(self._names)
        if problem := identifier_problem("document", document_id) or self._ids.problem(found, reading):
            self.problems.append(Problem(reading.file, found.line, problem))
            if len(self.problems) >= SHOWN_PROBLEMS:
                raise InputError(self.problems)
            return False
        if self._ids.is_repeated:
            return False
        self._without_text += not found.has_text
        if found.line and not found.document.text and reading.wants(document_id):
            self._empty += 1
            self._some_empty += [document_id] if len(self._some_empty) < SHOWN_NAMES else []
        return True

    def finish(self, reading: Reading) -> None:
        """At the end of a file: reports its warnings, and refuses it when it held nothing."""
        if self._is_refused:
            self._is_refused = False
            return
        reading.require(self._names)
        if not self._good:
            raise self._nothing_in(reading)
        if self._without_text == self._good:
            fields = f"the fields are {shown_names(self._names)}; if one is the text, name it (--text-field)"
            raise reading.refuse(f"no document has a text (text, contents, body); {fields}")
        self.has_fields |= bool(self._names)
        self._warn_of_empty(reading)
        self._warn_of_betraying(reading)
        for message, (line, count) in reading.warnings.items():
            if message in self._said:
                continue
            if message == why_none_can_be():  # true of all files: it is said of the first
                self._said.add(message)
            self.warn(
                Problem(
                    reading.file, line, message if count == 1 else f"{message} ({count} times, first here)"
                )
            )
        self._good = self._without_text = 0
        self._nameless = None
        self._empty, self._some_empty, self._names = 0, [], {}

    def _warn_of_betraying(self, reading: Reading) -> None:
        """Say which fields that are shown may give away how a run ranked a document."""
        if found := BETRAYING.intersection(map(str.lower, self._names)) - reading.choice.hidden:
            hiding = "; ".join(f"{name}: hidden" for name in sorted(found))
            reading.warn(
                f"assessors see {listed(sorted(found))}, which may say how a run ranked a document; to hide: "
                f"workbench campaign set CAMPAIGN document-fields '{hiding}'"
            )

    def _warn_of_empty(self, reading: Reading) -> None:
        """Say which documents have no text, and which field is missing for it."""
        if self._empty:
            have = counted(self._empty, "document has", "documents have")
            more = self._empty - len(self._some_empty)
            rest = f" and {more:,} more" if more else ""
            reading.warn(f"{have} no text: {', '.join(self._some_empty)}{rest}")
        if self._names and (missing := lacking(reading.choice, self._names)):
            reading.warn(
                f"no document has a field {listed(missing)}; the fields are {shown_names(self._names)}; "
                "if one of them is the text, name it (--text-field)"
            )

    def _note_nameless(self, found: FoundDocument, reading: Reading) -> None:
        self._nameless = self._nameless or found
        reading.warn(NO_ID, found.line)
        if not self._good and reading.warnings[NO_ID][1] >= NO_IDS_AFTER:
            raise self._nothing_in(reading)

    def _nothing_in(self, reading: Reading) -> InputError:
        reading.require(self._names)
        if self._nameless is None:
            return reading.refuse("no documents were found in the file")
        fields = (
            f"; the fields are {shown_names(self._nameless.names)}; if one is the id, name it (--id-field)"
            if self._nameless.names
            else ""
        )
        return reading.refuse(f"no document has an id (docno, doc_id, id){fields}", self._nameless.line)


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
