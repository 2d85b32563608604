"""What is in a campaign, as lists."""

from __future__ import annotations

from workbench.cli.campaigns import Listed, Opened, Seen, measure_of, measure_option, say
from workbench.cli.options import command, option
from workbench.cli.tables import format_option, write_sheet


@command()
def runs(
    campaign: Listed,
    kind: str = format_option,
    cutoff: int = option(
        "The rank to which the share of judged documents is computed.", "--judged-at", default=10, least=1
    ),
) -> None:
    """List the runs: team, contribution to the pools, share judged, and whether withdrawn.

    Pooled are the pairs that a run has within the depth of a pool it contributed to; unique are those that no other
    contributing run has.

    Example:
      workbench campaign runs robust
      workbench campaign runs robust --format csv > runs.csv
    """
    from workbench.analysis.dashboard.task_steps import STEP
    from workbench.analysis.run_profiles.table import as_sheet, for_people, run_table

    with campaign.snapshot():
        found = run_table(campaign, cutoff=cutoff)
    people = for_people(found)
    write_sheet(kind, as_sheet(found) if kind == "csv" else people, found, shown=[people])
    if not found.runs:
        say(f"There are no runs yet. Add some: {STEP['runs'].of(campaign).command}")
    for sentence in found.not_counted:
        say(f"Warning: {sentence}")


@command()
def topics(
    campaign: Seen,
    kind: str = format_option,
    measure: str = measure_option("The measure of topic difficulty."),
    hardest_first: bool = option("Sort by difficulty, hardest first.", "--hardest"),
) -> None:
    """List the topics: pairs pooled, judged and relevant, and their difficulty for the runs.

    Place 1 is the hardest topic: the one with the lowest median over all runs.

    Example:
      workbench campaign topics robust
      workbench campaign topics robust --hardest -m nDCG@10
      workbench campaign topics robust --format csv > topics.csv
    """
    from workbench.analysis.dashboard.task_steps import STEP
    from workbench.analysis.topic_profiles import as_sheet, for_people, topic_table

    found = topic_table(campaign, measure_of(campaign, measure))
    if hardest_first:
        found = found._replace(rows=tuple(found.all_hardest_first()))
    people = for_people(found)
    write_sheet(kind, as_sheet(found) if kind == "csv" else people, found, shown=[people])
    if not found.rows:
        say(f"There are no topics yet. Add some: {STEP['topics'].of(campaign).command}")


@command()
def steps(campaign: Opened, kind: str = format_option) -> None:
    """List the steps from runs to qrels: what is done, what is next, and the command that does it.

    In a campaign of several rounds, runs and pools are those of the open round.

    Example:
      workbench campaign steps robust
      workbench campaign steps robust --format json
    """
    from workbench.analysis.dashboard.task_steps import Step, steps_of
    from workbench.formats.tables.sheets import sheet_of

    found = steps_of(campaign)
    people = sheet_of(Step, found.steps, ("title", "state", "there", "command"), {"title": "Step"})
    write_sheet(kind, sheet_of(Step, found.steps), found, shown=[people])
    say(f"Next: {found.next.words} {found.next.command}")
