"""The runs of one team as the team may see them: how they came in and, once that is allowed, their scores."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

from workbench.analysis.run_profiles.one_run import RunScores, run_scores
from workbench.campaign.submissions.overview import without_others
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board import board_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.runs import RunWarning, StoredRun
from workbench.storage.campaign.organising import settings


class TeamRun(NamedTuple):
    """A run of the team.

    `warnings` are those with which it came in, without any that name another team's run; `scores` has a value for each
    measure of the table, () where there are none to see.
    """

    run: StoredRun
    warnings: tuple[RunWarning, ...]
    scores: tuple[float, ...]


class TeamTable(NamedTuple):
    """A team's runs in the order they were added, as of one row of the log.

    `least_teams` is from how many teams on the team sees what all runs have together, where fewer take part, else 0.
    `measures` is () while the organisers keep the scores to themselves; `topics` counts the judged topics, over which
    the scores are means, and `waiting` the pooled pairs without a grade.
    """

    team: str
    rows: tuple[TeamRun, ...]
    scores_open: bool
    least_teams: int = 0
    measures: tuple[BoundMeasure, ...] = ()
    topics: int = 0
    waiting: int = 0


def table_of_team(campaign: Campaign, team: str) -> TeamTable:
    """The runs of a team, with their scores if the campaign's setting `scores_open` says so; "" has no runs."""
    mine = [run for run in runs.all_runs(campaign) if team and run.record.team == team]
    rows = [TeamRun(run, without_others(campaign, team, run.warnings), ()) for run in mine]
    current = settings.read(campaign)
    least = current.least_teams if len(runs.named_teams(campaign)) < current.least_teams else 0
    if not current.scores_open:
        return TeamTable(team, tuple(rows), False, least)
    board = board_of(campaign).table(campaign)
    values = {row.tag: row.values for row in board.rows} if board.judgments else {}
    scored = tuple(row._replace(scores=values.get(row.run.record.tag, ())) for row in rows)
    return TeamTable(team, scored, True, least, board.measures, board.topics, board.waiting)


def scores_of_team(campaign: Campaign, team: str, tag: str, measure: str) -> RunScores | None:
    """A run on every judged topic, beside the median and the best of all runs; these are not a number (NaN), and there
    is no place, while too few teams take part.

    None while the scores are not open, and for a run that is not the team's: there is no telling which other runs
    there are. Raises UnknownName for a measure that there is not.
    """
    table = table_of_team(campaign, team)
    if not table.scores_open or tag not in {row.run.record.tag for row in table.rows}:
        return None
    found = run_scores(campaign, tag, measure)
    if not table.least_teams:
        return found
    alone = tuple(line._replace(median=nan, best=nan, place=0) for line in found.topics)
    return found._replace(place=None, topics=alone)
