"""Sheets of results for teams: what evaluation campaigns send to those who took part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from workbench.campaign.rounds import require_one_round
from workbench.core.about import DOCUMENTS
from workbench.core.errors import NotThere
from workbench.core.natural_order import natural
from workbench.formats.tables.sheets import BEST
from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.arrays import signs_of
from workbench.release.names import file_name
from workbench.release.tables import Scores, scores_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.collection.rounds import named_teams, taking_part, with_teams_of_now
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.counts import publication
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import Head
from workbench.storage.campaign.organising import settings

SHEET_MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "Rprec", "Bpref", "Judged@10")
"""The default measures of a sheet of relevance; the first is also shown by topic."""

NO_TEAM = "Runs without a team"


class Mean(NamedTuple):
    """A run on one measure: its mean, the median and the best of all runs, and its place among them.

    `best` and `place` (from 1; equal means share one) are None for a measure of which neither more nor less is better;
    these and `median` are None where too few teams take part.
    """

    measure: BoundMeasure
    value: float
    median: float | None = None
    best: float | None = None
    place: int | None = None


class TopicLine(NamedTuple):
    """A run on one topic, with the median and the best of all runs on it; `title` is '' where there is none.

    `median` and `best` are None as in `Mean`.
    """

    topic_id: str
    title: str
    value: float
    median: float | None = None
    best: float | None = None


class RunPart(NamedTuple):
    """One run's part of a sheet: as it was submitted, its means, and the first measure by topic."""

    run: StoredRun
    means: tuple[Mean, ...]
    lines: tuple[TopicLine, ...]


class Sheet(NamedTuple):
    """The content of a team's sheet. `others` is the number of all active runs; `at` is the time of the log row.

    `over` says over how many topics of how many the scores are, as "12 of 50 topics". Where too
    few teams take part to show median, best and place, `least_teams` is how many it takes, else 0: of two teams the
    best of all is the other's. `about` says what was judged, one of core.about.ABOUT.
    """

    title: str
    team: str
    head: Head
    at: str
    others: int
    over: str
    judgments: int
    waiting: int
    measure: BoundMeasure
    parts: tuple[RunPart, ...]
    least_teams: int = 0
    about: str = DOCUMENTS

    @property
    def name(self) -> str:
        """The team, or what runs without one are called."""
        return self.team or NO_TEAM

    @property
    def scale(self) -> tuple[float, float]:
        """The least and the greatest value that lines are drawn between: 0 and 1, or what lies beyond."""
        values = [
            value for part in self.parts for line in part.lines for value in line[2:] if value is not None
        ]
        return min(0.0, *values, 0.0), max(1.0, *values, 1.0)


def sheets_of(
    campaign: Campaign,
    *,
    teams: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    least_teams: int | None = None,
) -> list[Sheet]:
    """The sheets of these teams (None for all), in byte order of their names; '' is that of runs without a team.

    `least_teams` is from how many teams on a sheet tells median, best and place; None takes the campaign's setting of
    now, whatever it was then.

    Raises:
        NotThere: a team has no run that takes part.
        UnknownName: a measure that does not exist.
        SeveralRounds: the campaign is looked at by several rounds together.
    """
    require_one_round(campaign, "Team sheets")
    with campaign.snapshot():
        head = log.head(campaign)
        stored = with_teams_of_now(campaign, taking_part(campaign))
        chosen = _chosen(campaign, teams, stored)
        usual = SHEET_MEASURES if about(campaign) == DOCUMENTS else None
        scores = scores_of(campaign, measures or usual)
        at = publication.written_at(campaign, head.seq) or ""
        titles = {topic_id: topic.topic.title for topic_id, topic in topics.by_id(campaign).items()}
        current = settings.read(campaign)
        asked = current.question(campaign.question).title if campaign.question else ""
        least = settings.read(campaign.now).least_teams if least_teams is None else least_teams
        hides = len(named_teams(campaign)) < least
    board = scores.board
    return [
        Sheet(
            title=f"{current.title}: {asked}" if asked else current.title,
            team=team,
            head=head,
            at=at,
            others=len(stored),
            over=board.over,
            judgments=board.judgments,
            waiting=board.waiting,
            measure=board.measures[0],
            parts=tuple(_part(scores, run, titles, hides=hides) for run in stored if run.record.team == team),
            least_teams=least if hides else 0,
            about=about(campaign),
        )
        for team in chosen
    ]


def teams_of(campaign: Campaign) -> dict[str, int]:
    """How many runs of each team take part, in byte order of the names; '' is for runs without a team."""
    return dict(
        sorted(Counter(run.record.team for run in with_teams_of_now(campaign, taking_part(campaign))).items())
    )


def _chosen(campaign: Campaign, teams: Sequence[str] | None, stored: Sequence[StoredRun]) -> list[str]:
    known = sorted({run.record.team for run in stored})
    unknown = [team for team in teams or () if team not in known]
    if unknown:
        named = (
            ", ".join(team or "'' (runs without a team)" for team in known) or "none, as there are no runs"
        )
        raise NotThere(f"no run of {campaign.name} is by team {unknown[0]!r}; the teams are {named}")
    return known if teams is None else sorted(set(teams))


def _part(scores: Scores, stored: StoredRun, titles: dict[str, str], *, hides: bool) -> RunPart:
    """A run's part; where it `hides`, without anything that the runs of others have a share in."""
    run = [row.tag for row in scores.board.rows].index(stored.record.tag)
    columns = zip(*(row.values for row in scores.board.rows), strict=True)
    means = (
        Mean(measure, values[run]) if hides else _mean(measure, values, run)
        for measure, values in zip(scores.board.measures, columns, strict=True)
    )
    first = scores.by_topic[0]
    lines = (
        TopicLine(
            topic_id,
            titles.get(topic_id, ""),
            row[run],
            *(() if hides else (median(row), _best(first.measure, row))),
        )
        for topic_id, row in zip(first.topic_ids, first.values.tolist(), strict=True)
    )
    return RunPart(stored, tuple(means), tuple(sorted(lines, key=lambda line: natural(line.topic_id))))


def _mean(measure: BoundMeasure, values: Sequence[float], run: int) -> Mean:
    value, best = values[run], _best(measure, values)
    ahead = signs_of(np.array(values) - value) == measure.sign
    return Mean(measure, value, median(values), best, None if best is None else 1 + int(ahead.sum()))


def _best(measure: BoundMeasure, values: Sequence[float]) -> float | None:
    return BEST[measure.best](values) if measure.best in BEST else None


def sheet_names(names: Sequence[str], ending: str) -> list[str]:
    """A file's name for each sheet; two that a system might take for one get a number."""
    given: list[str] = []
    taken: set[str] = set()
    for name in names:
        stem = candidate = file_name(name)
        number = 2
        while candidate.casefold() in taken:
            candidate, number = f"{stem}-{number}", number + 1
        taken.add(candidate.casefold())
        given.append(f"{candidate}.{ending}")
    return given
