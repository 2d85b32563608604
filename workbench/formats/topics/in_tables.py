"""Topics as lines: tab-separated with or without a header, comma-separated with a header, `id text` or `id:text`.

Tab-separated files without a header have the id, the title, and perhaps description and narrative, in this order;
quotation marks in them are text. Files with a header may have their columns in any order, and are quoted as
spreadsheets do it.
"""

from __future__ import annotations

import contextlib
import csv
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from workbench.formats.text.column_names import is_header, spelled_together, with_index
from workbench.formats.text.files import refused
from workbench.formats.text.lines import shown
from workbench.formats.topics.fields import IDS, TEXTS, RawTopic, names_a_topic, names_an_id

COLUMNS_WITHOUT_HEADER = ("qid", "title", "description", "narrative")
DELIMITERS = "\t,;"
SAMPLE = 50
NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
HEADINGS = re.compile(r"\S+[:/]\S+")
COLON = re.compile(r"\s*+(?P<qid>[^\s:]++):\s*+(?:(?P<priority>\d{1,9}):\s*+)?(?P<title>\S.*)")
"""`20001:1:lake ferries`, as Million Query has its topics, and `1:lake ferries`, as the Terabyte and Web tracks do."""

LONGEST_CELL = 64 * 1024 * 1024
OnNote = Callable[[int, str], None]


def read_table(text: str, file: str, note: OnNote) -> Iterator[RawTopic]:
    """The topics of a file of lines; raises `InputError` for judgments, runs and lines that cannot be split.

    `note` gets the line of what was left out or taken for something that it may not be, and words on it.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    sample = [line for line in lines if line.strip()][:SAMPLE]
    _refuse_other_tables(sample, file)
    if delimiter := header_delimiter(sample[0]):
        return _with_header(lines, delimiter, file)
    delimiter = next((each for each in DELIMITERS + ":" if each in sample[0]), None)
    cells = [line.split(delimiter, -1 if delimiter else 1) for line in sample]
    if is_header(cells[0], IDS) or _is_header_by_its_topics(cells):
        line = lines.index(sample[0])
        note(line + 1, f"{shown(sample[0])} names the columns and is not a topic")
        if delimiter and delimiter in DELIMITERS:
            lines[line] = delimiter.join(["qid", *cells[0][1:]])
            return _with_header(lines, delimiter, file)
        lines[line], sample = "", sample[1:]
    if any("\t" in line for line in sample):
        return _with_tabs(lines, file)
    if sample and _has_colons(sample):
        return _with_colons(lines, file)
    if all(HEADINGS.fullmatch(line.strip()) for line in sample):
        return _headings(lines)
    return _with_blanks(lines, file)


def header_delimiter(line: str) -> str | None:
    """What separates the columns of a header that names an id and something to read; None if it is no header."""
    for delimiter in DELIMITERS:
        # A line that is longer than csv takes as one cell is no header either.
        with contextlib.suppress(csv.Error):
            if delimiter in line and names_a_topic(
                with_index(next(csv.reader([line], delimiter=delimiter)), IDS)
            ):
                return delimiter
    return None


def _is_header_by_its_topics(cells: list[list[str]]) -> bool:
    """Whether a first line has no id with a digit, as all others have, and a name that texts of topics have."""
    with_digit = [any(map(str.isdigit, row[0])) for row in cells]
    named = any(spelled_together(cell) in TEXTS for cell in cells[0][1:])
    return named and len(cells) > 1 and not with_digit[0] and all(with_digit[1:])


def _refuse_other_tables(sample: list[str], file: str) -> None:
    """Judgments and runs are no topics."""
    rows = [line.split() for line in sample]
    if all(len(row) in (4, 5) and _is_iteration(row[1]) and NUMBER.fullmatch(row[-1]) for row in rows):
        raise refused(file, "this is a qrels file (topic, 0, document, grade), not topics: add it as qrels")
    if all(len(row) >= 6 and NUMBER.fullmatch(row[3]) and NUMBER.fullmatch(row[4]) for row in rows):
        message = "this is a run (topic, Q0, document, rank, score, tag), not topics: add it as a run"
        raise refused(file, message)
    names = [name.strip().lower() for name in re.split(r"[\t,;]", sample[0])]
    if names_an_id(names) and {"label", "grade", "relevance", "rel", "judgment", "judgement"}.intersection(
        names
    ):
        raise refused(file, f"these are judgments, not topics: the columns are {', '.join(names)}")


def _is_iteration(text: str) -> bool:
    return text.upper() in ("Q0", "N/A", "-") or NUMBER.fullmatch(text) is not None


def _with_header(lines: list[str], delimiter: str, file: str) -> Iterator[RawTopic]:
    # Cells may hold line breaks, so the reader gets the lines with their ends and counts them itself.
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    line = 1
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                pass
            elif header is None:
                header = with_index(row, IDS)
            else:
                yield RawTopic(line, tuple(zip(header, _fitted(row, header, file, line), strict=True)))
            line = reader.line_num + 1
    except csv.Error as error:
        message = f"this row cannot be split into cells: {error}; check its quotation marks"
        raise refused(file, message, line) from error


def _fitted(row: list[str], header: list[str], file: str, line: int) -> list[str]:
    """The row if it has no more cells than the header; missing last cells are empty."""
    if len(row) > len(header):
        message = f"{len(row)} cells under {len(header)} column names; put quotation marks around texts with separators"
        raise refused(file, message, line)
    return row + [""] * (len(header) - len(row))


def _with_tabs(lines: list[str], file: str) -> Iterator[RawTopic]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) < 2:
            raise refused(file, f"no tab: write id TAB title, not {shown(line)}", number)
        names = (*COLUMNS_WITHOUT_HEADER, *(f"column {n}" for n in range(5, len(cells) + 1)))
        yield RawTopic(number, tuple(zip(names, cells, strict=False)))


def _has_colons(sample: list[str]) -> bool:
    """Whether each line has an id before a colon: no path of headings, of which all begin alike."""
    found = [COLON.fullmatch(line) for line in sample]
    ids = {match["qid"] for match in found if match}
    with_digits = all(any(map(str.isdigit, topic_id)) for topic_id in ids)
    return all(found) and with_digits and (len(ids) > 1 or len(found) == 1 or all(map(str.isdecimal, ids)))


def _with_colons(lines: list[str], file: str) -> Iterator[RawTopic]:
    """`id:text`, or `id:priority:text` if each line has a number there."""
    found = [
        (number, COLON.fullmatch(line), line) for number, line in enumerate(lines, start=1) if line.strip()
    ]
    has_priority = all(match and match["priority"] for _, match, _ in found)
    for number, match, line in found:
        if match is None:
            raise refused(file, f"no id before a colon: write id:text, not {shown(line)}", number)
        rest = line.partition(":")[2]
        priority = [("priority", match["priority"])] if has_priority else []
        title = match["title"] if has_priority else rest
        yield RawTopic(number, (("qid", match["qid"]), ("title", title.strip()), *priority))


def _with_blanks(lines: list[str], file: str) -> Iterator[RawTopic]:
    """`TEST00 dramatis personae`, or with a colon after the id; every id must hold a digit, else this is prose."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        first, _, rest = line.strip().partition(" ")
        topic_id = first.removesuffix(":")
        if any(separator in topic_id for separator in ",;"):
            message = f"commas without a header: start with a line of column names (qid,title,...), not {shown(line)}"
            raise refused(file, message, number)
        if not any(character.isdigit() for character in topic_id):
            message = (
                f"these do not look like topics: {shown(line)}; write id TAB title on each line, a table"
                " with a header (qid,title,description,narrative), JSON lines, or TREC's <top> elements"
            )
            raise refused(file, message, number)
        yield RawTopic(number, (("qid", topic_id), ("title", rest)))


def _headings(lines: list[str]) -> Iterator[RawTopic]:
    """One id on each line, which is a path of headings (`enwiki:Coffee/Health%20effects`): the title is the path."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            _, _, path = line.strip().rpartition(":") if "/" not in line else line.strip().partition(":")
            title = unquote(path or line.strip()).replace("/", " / ")
            yield RawTopic(number, (("qid", line.strip()), ("title", title)))
