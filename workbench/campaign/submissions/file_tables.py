"""Many runs at once by a table: file, team, tag, priority and depth of each, see `formats.run_tables`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submission_rules import Field
from workbench.campaign.submissions.correcting import Correction
from workbench.core.errors import InputError, Problem
from workbench.core.wording import listed
from workbench.formats.run_tables import OF_CORRECTIONS, OF_FILES, TableRun, read_run_table
from workbench.formats.text.content import Content, load
from workbench.formats.text.files import STANDARD_STREAM

COLUMNS = ("team", "new_tag", "priority", "depth", "pool")
YES_OR_NO = {"yes": True, "no": False}


def files_of_table(path: str, usual: Sender) -> dict[str, Sender]:
    """Who sent each of the files that a table names, whose names count from the folder it lies in, by their paths.

    `-` is standard input, and `usual` holds where the table says nothing. InputError names every line whose file is not
    there.
    """
    content = load(path)
    folder = Path() if path == STANDARD_STREAM else Path(path).parent
    table = read_run_table(content, OF_FILES)
    problems, first = list[Problem](), dict[Path, int]()
    for row in table:
        there, message = first.setdefault((folder / row.file).resolve(), row.line), ""
        if not (folder / row.file).is_file():
            message = f"there is no file {row.file!r} in {folder}; correct the name"
        elif there != row.line:
            message = (
                f"the file {row.file!r} is that of line {there} by another name; keep one of the two lines"
            )
        problems += [Problem(content.file, row.line, message)] if message else []
    if problems:
        raise InputError(problems)
    return {str(folder / row.file): _sender(row, usual) for row in table}


def senders_of_table(content: Content, names: Sequence[str], usual: Sender) -> dict[str, Sender]:
    """Who sent each of the files with these names, by a table that was sent with them.

    InputError names every line whose file was not sent, and every file that no line names.
    """
    table = read_run_table(content, OF_FILES)
    rows, sent = {row.file: row for row in table}, listed(list(names)) or "none"
    wrong: list[tuple[int | None, str]] = [
        (row.line, f"the file {row.file!r} was not sent (sent: {sent}); send it too, or correct the name")
        for row in table
        if row.file not in names
    ]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            wrong.append((None, f"two of the files that were sent are called {name!r}; rename one of them"))
        if name not in rows:
            message = "which was sent; add a line, or send it without the table"
            wrong.append((None, f"no line names the file {name!r}, {message}"))
    if wrong:
        raise InputError([Problem(content.file, *each) for each in wrong])
    return {name: _sender(rows[name], usual) for name in names}


def corrections_of_table(content: Content, fields: Sequence[Field]) -> dict[str, Correction]:
    """What a table corrects, by the tags of runs; it has the column run (or tag) and any of team, new_tag, priority,
    depth, pool and fields of the description. Empty cells leave values as they are, and other columns are passed over.

    InputError where it has none of these columns, and names every line with a value that cannot be.
    """
    rows = read_run_table(content, OF_CORRECTIONS)
    names = [*COLUMNS, *(field.name.lower() for field in fields)]
    wrong = [row for row in rows if row.cells.get("pool", "no").lower() not in YES_OR_NO]
    message = "pool {!r}: write yes or no, or leave the cell empty"
    problems = [Problem(content.file, row.line, message.format(row.cells["pool"])) for row in wrong]
    if not any(name in row.cells for row in rows for name in names):
        message = f"no cell corrects anything; name one of the columns {listed(names, 50)} and fill it"
        problems = [Problem(content.file, None, message)]
    if problems:
        raise InputError(problems)
    return {row.tag: _correction(row, fields)._replace(place=f"{content.file}:{row.line}") for row in rows}


def _correction(row: TableRun, fields: Sequence[Field]) -> Correction:
    cells = row.cells
    texts = {field.name: cells[field.name.lower()] for field in fields if field.name.lower() in cells}
    pool = YES_OR_NO.get(cells.get("pool", "").lower())
    return Correction(cells.get("team"), cells.get("new_tag"), row.priority, row.depth, texts, pool)


def _sender(row: TableRun, usual: Sender) -> Sender:
    return usual._replace(
        team=row.team or usual.team, tag=row.tag or usual.tag, priority=row.priority, depth=row.depth
    )
