"""What a campaign file says about one person, table by table.

Every column that names a person is in NAMED, or in the log itself. A test plants a name in every column that may hold
one, so that a table that is added later is considered here.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from workbench.core.battles import called
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.grades.scales import Scales
from workbench.storage.campaign.log.erasable import ShownNames, id_of
from workbench.storage.campaign.log.kinds import translated
from workbench.storage.campaign.log.log import select_judgments

ANOTHER = "another person"
"""What is given in the place of another person's name."""

Row = dict[str, Any]

NAMED = {
    "member": "name",
    "assignment": "assessor",
    "former_assignment": "assessor",
    "claim": "assessor",
    "later": "assessor",
    "own_term": "assessor",
    "unmarked_term": "assessor",
    "preference": "assessor",
}
"""The tables with a column for a person's name, besides the log."""


def names_in(campaign: Campaign) -> list[str]:
    """All people who are named in a column of the file, in byte order."""
    columns = {**NAMED, "judgment": "assessor", "event": "actor"}
    parts = (f"SELECT {column} AS found FROM {table}" for table, column in columns.items())
    return campaign.column(
        f"SELECT DISTINCT {shown('used.found')} FROM ({' UNION '.join(parts)}) AS used ORDER BY 1"
    )


def judgments_by(campaign: Campaign, name: str) -> int:
    """How many rows of the log are judgments of a person."""
    return campaign.number("SELECT count(*) FROM judgment WHERE assessor = ?", [id_of(campaign, name)])


def stored_about(campaign: Campaign, name: str) -> Iterator[tuple[str, Iterator[Row]]]:
    """The tables that can name a person, each with the rows about this one as they are read.

    Columns have the names that they have in the file. Go through them inside `campaign.snapshot()`.
    """
    yield "person", _rows(campaign, "SELECT id, name, shown, state FROM person WHERE id = ?", name)
    yield "event", _events(campaign, name)
    yield "judgment", _judgments(campaign, name)
    yield "run", _runs(campaign, name)
    for table, column in NAMED.items():
        yield table, _rows(campaign, f"SELECT * FROM {table} WHERE {column} = ?", name)


def _runs(campaign: Campaign, name: str) -> Iterator[Row]:
    added = campaign.execute(
        "SELECT seq FROM event WHERE kind = ? AND actor = ?", [runs.RUN, id_of(campaign, name)]
    )
    own = {seq for (seq,) in added}
    for run in runs.all_runs(campaign):
        if run.seq in own:
            yield {"tag": run.record.tag, "team": run.record.team, "file": run.record.file, "seq": run.seq}


def _rows(campaign: Campaign, sql: str, name: str) -> Iterator[Row]:
    own = id_of(campaign, name)
    found = campaign.execute(sql, [own])
    columns = [column for column, *_ in found.description]
    for row in found:
        values = dict(zip(columns, row, strict=True))
        yield {column: name if value == own and column != "id" else value for column, value in values.items()}


def _judgments(campaign: Campaign, name: str) -> Iterator[Row]:
    """A person's judgments as on their screen: a hidden repeat looks like any other, a preference is for a side."""
    scales = Scales(campaign)
    for stored in select_judgments(campaign, "WHERE assessor = ? ORDER BY seq", [id_of(campaign, name)]):
        judgment, named = stored.as_given(), scales.name_of(stored)
        if named and judgment.grade is not None:
            named = called(judgment.left, judgment.grade, named)
        said = {"rationales": [piece._asdict() for piece in judgment.rationales]}
        yield judgment._asdict() | said | {"grade_name": named}


def _events(campaign: Campaign, name: str) -> Iterator[Row]:
    """Events that a person caused, or whose content names them; of the content only what is about them."""
    others, names, own = frozenset(names_in(campaign)) - {name}, ShownNames(campaign), id_of(campaign, name)
    names[own] = name
    found = campaign.execute(
        "SELECT seq, at, actor, kind, content, through FROM event WHERE actor = ?1 OR instr(content, ?2) ORDER BY seq",
        [own, json.dumps(own, ensure_ascii=False)],
    )
    for seq, at, actor, kind, text, through in found:
        content = translated(kind, json.loads(text), names)
        about = part_about(content, name, others)
        if actor == own:  # what its author wrote in free words is about the author
            written = {key: content[key] for key in ("reason", "note") if content.get(key)}
            about = {**(about or {}), **written} or None
        if actor == own or about is not None:
            row = {"seq": seq, "at": at, "actor": name if actor == own else ANOTHER, "kind": kind}
            yield {**row, "content": about, "through": through}


def part_about(content: Any, name: str, others: Collection[str]) -> Any:
    """The parts of a JSON value that name a person; None if none does.

    What stands directly beside the name stays with it; there other people's names are replaced.
    """
    if isinstance(content, str):
        return content if content == name else None
    if isinstance(content, dict):
        beside = name in content.values() or name in content
        pairs = {
            key: _kept(value, name, others, beside=beside)
            for key, value in content.items()
            if key not in others
        }
        return {key: value for key, value in pairs.items() if value is not None} or None
    if isinstance(content, list):
        beside = name in content
        kept = [_kept(value, name, others, beside=beside) for value in content]
        return [value for value in kept if value is not None] or None
    return None


def _kept(value: Any, name: str, others: Collection[str], *, beside: bool) -> Any:
    if isinstance(value, dict | list):
        return part_about(value, name, others)
    if value == name:
        return name
    if not beside:
        return None
    return ANOTHER if value in others else value
