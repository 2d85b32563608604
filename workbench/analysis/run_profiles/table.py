"""The runs of a campaign as a table: who sent them, how they came in, what they brought, how much of them is judged."""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.analysis.run_profiles.contribution import NOTHING, Contribution, brought, contributions
from workbench.core.results import Column, content
from workbench.formats.tables.sheets import Cell, Sheet
from workbench.scoring.board.past_boards import scoring_of, table_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, run_details, runs
from workbench.storage.campaign.collection.run_details import NO_DETAILS, RunDetails
from workbench.storage.campaign.collection.runs import RunWarning, StoredRun
from workbench.storage.campaign.log import log

CUTOFF = 10
"""The default rank to which the share of judged documents is computed."""


class RunRow(NamedTuple):
    """One run.

    `pools` are the numbers of the pools that drew on it, `judged` is the share of judged documents among its first
    ones: the mean over the topics that have judgments, None for a withdrawn run. `details` is what was said of it.
    """

    run: StoredRun
    warnings: tuple[RunWarning, ...]
    pools: tuple[int, ...]
    contribution: Contribution
    judged: float | None
    details: RunDetails = NO_DETAILS

    @property
    def state(self) -> str:
        """Whether the run takes part, as a phrase, and whether its file was repaired."""
        pooled = "in" if self.run.record.contributes else "in, but in no pool unless named"
        text = pooled if self.run.withdrawn is None else "withdrawn"
        return f"{text}, repaired" if self.run.repairs else text


class RunTable(NamedTuple):
    """All runs in the order they were added, withdrawn ones too, as of one row of the log.

    `head` is that row, `cutoff` the rank down to which `judged` looks, `not_counted` a sentence on each pool to which
    no contributions are known.
    """

    head: log.Head
    cutoff: int
    rows: tuple[RunRow, ...]
    not_counted: tuple[str, ...]


def run_table(campaign: Campaign, *, cutoff: int = CUTOFF) -> RunTable:
    """The runs of a campaign now, or as of a row of its log; of a live campaign this asks its board."""
    # Without a snapshot: the board may be ahead of it, and everything would be loaded for that row alone.
    scoring = scoring_of(campaign)
    by_run = contributions(campaign, scoring)
    judged = {row.tag: row.values[0] for row in table_of(campaign, [f"Judged@{cutoff}"]).rows}
    drawn_on, said = _drawn_on(campaign), run_details.details(campaign)
    rows = (
        RunRow(
            run,
            run.warnings,
            drawn_on.get(run.record.tag, ()),
            by_run.get(run.run, NOTHING),
            judged.get(run.record.tag),
            said.get(run.run, NO_DETAILS),
        )
        for run in runs.all_runs(campaign)
    )
    return RunTable(scoring.head, cutoff, tuple(rows), brought(campaign).not_counted)


def _drawn_on(campaign: Campaign) -> dict[str, tuple[int, ...]]:
    """The pools that drew on each run, by its tag."""
    found: dict[str, tuple[int, ...]] = {}
    for pool in pools.in_force(campaign):
        for tag in pool.record.runs:
            found[tag] = (*found.get(tag, ()), pool.pool)
    return found


def sheet_for_people(table: RunTable) -> Sheet:
    """A row for each run with what it brought to the pools, and its team if any run has one."""
    teams = [Column("Team", "team", "text")] if any(row.run.record.team for row in table.rows) else []
    counts = ("topics", "lines", "warnings", "pooled", "unique")
    columns = (
        Column("Run", "run", "text"),
        *teams,
        *(Column(name.capitalize(), name, "count") for name in counts),
        Column("Relevant", "unique_relevant", "count"),
        Column(f"Judged@{table.cutoff}", f"judged_at_{table.cutoff}", "value"),
        Column("State", "state", "text"),
    )
    known = (
        record(row, table.cutoff) | {"warnings": len(row.warnings), "state": row.state} for row in table.rows
    )
    return Sheet(columns, tuple(tuple(each[column.name] for column in columns) for each in known))


def sheet_of(table: RunTable) -> Sheet:
    """A row for each run with everything that is known, warnings and repairs joined by semicolons."""
    records = [record(row, table.cutoff) for row in table.rows]
    names = list(records[0]) if records else ["run"]
    rows = tuple(tuple(map(_cell, each.values())) for each in records)
    return Sheet(tuple(Column(name, name, "text") for name in names), rows)


def content_of(table: RunTable) -> dict[str, Any]:
    """As JSON: the row of the log, and for each run what the sheet has, warnings, repairs and pools as lists."""
    return {"as_of": content(table.head), "runs": [record(row, table.cutoff) for row in table.rows]}


def record(row: RunRow, cutoff: int) -> dict[str, Any]:
    """One run by the names of the columns."""
    stored = row.run.record
    return {
        "run": stored.tag,
        "team": stored.team,
        "priority": row.details.priority,
        "depth": row.details.depth,
        "topics": stored.topics,
        "lines": stored.lines,
        "file": stored.file,
        "sha256": stored.sha256,
        "added_at_seq": row.run.seq,
        "withdrawn_at_seq": row.run.withdrawn,
        "contributes": stored.contributes,
        "pools": list(row.pools),
        "pooled": row.contribution.pooled,
        "unique": row.contribution.unique,
        "unique_relevant": row.contribution.unique_relevant,
        f"judged_at_{cutoff}": row.judged,
        "warnings": [with_line(warning.line, warning.message) for warning in row.warnings],
        "repairs": [repair.message for repair in row.run.repairs],
    }


def with_line(line: int | None, message: str) -> str:
    """A warning in one sentence, with its line if it is about one."""
    return message if line is None else f"line {line}: {message}"


def _cell(value: Any) -> Cell:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else value
