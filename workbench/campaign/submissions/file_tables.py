"""Many runs at once by a table: file, team, tag, priority and depth of each, see `formats.run_tables`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submission_rules import Field
from workbench.campaign.submissions.correcting import Correction
from workbench.core.errors import InputError, Problem
from workbench.core.wording import listed
from workbench.formats.run_tables import TableRun, read_corrections, read_file_table
from workbench.formats.text.content import Content, load
from workbench.formats.text.files import STANDARD_STREAM

COLUMNS = ("team", "new_tag", "priority", "depth", "pool")
YES_OR_NO = {"yes": True, "no": False}


class TableOfFiles(NamedTuple):
    """The files that a table names, in its order, and who sent each, by its path."""

    paths: tuple[str, ...]
    senders: Mapping[str, Sender]


def files_of_table(path: str, usual: Sender) -> TableOfFiles:
    """Read a table of files on this machine, whose names count from the folder it lies in; `-` is standard input.

    `usual` holds where the table says nothing. InputError names every line whose file is not there.
    """
    content = load(path)
    folder = Path() if path == STANDARD_STREAM else Path(path).parent
    table = read_file_table(content)
    paths = [str(folder / row.file) for row in table]
    problems = [
        Problem(content.file, row.line, f"there is no file {row.file!r} in {folder}; correct the name")
        for row, file in zip(table, paths, strict=True)
        if not Path(file).is_file()
    ]
    first: dict[str, int] = {}
    for row, file in zip(table, paths, strict=True):
        if first.setdefault(str(Path(file).resolve()), row.line) != row.line:
            there = first[str(Path(file).resolve())]
            message = (
                f"the file {row.file!r} is that of line {there} by another name; keep one of the two lines"
            )
            problems.append(Problem(content.file, row.line, message))
    if problems:
        raise InputError(problems)
    return TableOfFiles(
        tuple(paths), {file: _sender(row, usual) for row, file in zip(table, paths, strict=True)}
    )


def senders_of_table(content: Content, names: Sequence[str], usual: Sender) -> dict[str, Sender]:
    """Who sent each of the files with these names, by a table that was sent with them.

    InputError names every line whose file was not sent, and every file that no line names.
    """
    table = read_file_table(content)
    rows = {row.file: row for row in table}
    sent = listed(list(names)) or "none"
    problems = [
        Problem(
            content.file,
            row.line,
            f"the file {row.file!r} was not sent (sent: {sent}); send it too, or correct the name",
        )
        for row in table
        if row.file not in names
    ]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            message = f"two of the files that were sent are called {name!r}; rename one of them"
            problems.append(Problem(content.file, None, message))
        if name not in rows:
            message = (
                f"no line names the file {name!r}, which was sent; add a line, or send it without the table"
            )
            problems.append(Problem(content.file, None, message))
    if problems:
        raise InputError(problems)
    return {name: _sender(rows[name], usual) for name in names}


class TableOfCorrections(NamedTuple):
    """What a table corrects, by the tags of runs, and where it says so."""

    corrections: Mapping[str, Correction]
    places: Mapping[str, str]


def corrections_of_table(content: Content, fields: Sequence[Field]) -> TableOfCorrections:
    """Read a table with the column run (or tag) and any of team, new_tag, priority, depth, pool and fields of the
    description; empty cells leave values as they are, and other columns are passed over.

    InputError where it has none of these columns, and names every line with a value that cannot be.
    """
    rows, names = read_corrections(content), [*COLUMNS, *(field.name.lower() for field in fields)]
    problems = [
        Problem(
            content.file, row.line, f"pool {row.cells['pool']!r}: write yes or no, or leave the cell empty"
        )
        for row in rows
        if row.cells.get("pool", "no").lower() not in YES_OR_NO
    ]
    if not any(name in row.cells for row in rows for name in names):
        message = f"no cell corrects anything; name one of the columns {listed(names, 50)} and fill it"
        problems = [Problem(content.file, None, message)]
    if problems:
        raise InputError(problems)
    return TableOfCorrections(
        {row.tag: _correction(row, fields) for row in rows},
        {row.tag: f"{content.file}:{row.line}" for row in rows},
    )


def _correction(row: TableRun, fields: Sequence[Field]) -> Correction:
    cells = row.cells
    texts = {field.name: cells[field.name.lower()] for field in fields if field.name.lower() in cells}
    pool = YES_OR_NO.get(cells.get("pool", "").lower())
    return Correction(cells.get("team"), cells.get("new_tag"), row.priority, row.depth, texts, pool)


def _sender(row: TableRun, usual: Sender) -> Sender:
    return usual._replace(
        team=row.team or usual.team, tag=row.tag or usual.tag, priority=row.priority, depth=row.depth
    )
