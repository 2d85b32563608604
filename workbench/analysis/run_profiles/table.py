"""The runs of a campaign as a table: who sent them, how they came in, what they brought, how much of them is judged."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from workbench.analysis.registry import ANALYSES, analysis
from workbench.analysis.run_profiles.contribution import NOTHING, Contribution, brought, contributions
from workbench.core.parameters import Limits
from workbench.core.results import FLAT, Column, shown
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.jobs.processes import OnStep
from workbench.scoring.board.past_boards import scoring_of, table_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, run_details, runs
from workbench.storage.campaign.collection.rounds import called
from workbench.storage.campaign.collection.run_details import NO_DETAILS, RunDetails
from workbench.storage.campaign.collection.runs import StoredRun

CUTOFF = 10
"""The default rank to which the share of judged documents is computed."""
LARGEST_CUTOFF = 10_000


class RunRow(NamedTuple):
    """One run.

    Attributes:
        pools: the numbers of the pools that drew on it.
        judged: the share of judged documents among its first ones: the mean over the topics that have judgments; None
            for a withdrawn run.
    """

    run: Annotated[StoredRun, FLAT]
    details: Annotated[RunDetails, FLAT]
    pools: tuple[int, ...]
    contribution: Annotated[Contribution, FLAT]
    judged: float | None

    @property
    @shown(Column("Warnings"))
    def warned(self) -> int:
        """How many warnings there are."""
        return len(self.run.warnings)

    @property
    @shown(Column())
    def state(self) -> str:
        """Whether the run takes part, as a phrase, and whether its file was repaired."""
        pooled = "in" if self.run.record.contributes else "in, but in no pool unless named"
        text = pooled if self.run.withdrawn is None else "withdrawn"
        return f"{text}, repaired" if self.run.repairs else text


class RunTable(NamedTuple):
    """All runs in the order they were added, withdrawn ones too.

    Attributes:
        seq: the row of the log.
        cutoff: the rank down to which `judged` looks.
        not_counted: a sentence on each pool to which no contributions are known.
    """

    seq: int
    cutoff: int
    runs: tuple[RunRow, ...]
    not_counted: tuple[str, ...]


def as_sheet(found: RunTable) -> Sheet:
    """A row for each run with everything that is known."""
    return sheet_of(RunRow, found.runs)


def for_people(found: RunTable) -> Sheet:
    """A row for each run with what it brought to the pools; teams and the forms of answers if any run has one."""
    records = [row.run.record for row in found.runs]
    named = [name for name in ("team", "form") if any(getattr(record, name) for record in records)]
    counts = ("topics", "lines", "warned", "pooled", "unique", "unique_relevant")
    heads = {"unique_relevant": "Relevant", "judged": f"Judged@{found.cutoff}"}
    return sheet_of(RunRow, found.runs, ("run", *named, *counts, "judged", "state"), heads)


Cutoff = Annotated[
    int, Limits("The rank to which the share of judged documents is computed", least=1, most=LARGEST_CUTOFF)
]


@analysis("runs", called="Runs", sheet=as_sheet, people=for_people)
def runs_of(campaign: Campaign, on_step: OnStep, *, cutoff: Cutoff = CUTOFF) -> RunTable:
    """The runs: who sent them, what they brought to the pools, how much of them is judged."""
    return run_table(campaign, cutoff=cutoff)


RUNS = ANALYSES["runs"]


def run_table(campaign: Campaign, *, cutoff: int = CUTOFF) -> RunTable:
    """The runs of a campaign now, or as of a row of its log; of a live campaign this asks its board."""
    # Without a snapshot: the board may be ahead of it, and everything would be loaded for that row alone.
    part, scoring = campaign.part, scoring_of(campaign.whole)
    by_run = contributions(campaign, scoring)
    judged = {row.tag: row.values[0] for row in table_of(campaign, [f"Judged@{cutoff}"]).rows}
    drawn_on, said = _drawn_on(campaign), run_details.details(campaign)
    rows = (
        RunRow(
            called(campaign, run),
            said.get(run.run, NO_DETAILS),
            drawn_on.get(run.record.tag, ()),
            by_run.get(run.run, NOTHING),
            judged.get(called(campaign, run).record.tag),
        )
        for run in runs.all_runs(campaign)
        if part is None or part.round.has(run)
    )
    return RunTable(scoring.head.seq, cutoff, tuple(rows), brought(campaign).not_counted)


def _drawn_on(campaign: Campaign) -> dict[str, tuple[int, ...]]:
    """The pools that drew on each run, by its tag."""
    found: dict[str, tuple[int, ...]] = {}
    for pool in pools.in_force(campaign):
        for tag in pool.record.runs:
            found[tag] = (*found.get(tag, ()), pool.pool)
    return found
