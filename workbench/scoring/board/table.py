"""Scores of all runs on some measures: one row per run, one number per measure; and as text for other programs.

The formats are a registry, so that the command line only names one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

from workbench.core import wording
from workbench.core.about import DOCUMENTS
from workbench.core.errors import UnknownName
from workbench.core.natural_order import natural
from workbench.core.registry import Registry
from workbench.core.results import Column
from workbench.core.wording import listed
from workbench.formats.tables import csv_cells, latex, sheets
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.sheets import Cell, Sheet, with_best
from workbench.methods.measures import (
    MEASURES,
    BoundMeasure,
    mean_over_topics,
    over_topics,
    parse_measure,
    parse_measures,
    sources,
)
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.question_rankings import QUESTIONS
from workbench.methods.statistics.arrays import NOISE, levels
from workbench.scoring.board.labelling import asked_about_documents, kind_of
from workbench.scoring.board.loading import NO_TOPICS, Scoring, TopicCounts, load_scoring
from workbench.scoring.board.of_round import narrowed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "R@100", "RR", "Rprec", "Bpref", "RBP(p=0.8)", "Judged@10")
"""The default measures of documents."""


def usual_of(kind: str) -> tuple[str, ...]:
    """The default measures of what they look at, as `kind_of` has it: of answers all that need no sample."""
    if kind in (DOCUMENTS, QUESTIONS):
        return DEFAULT_MEASURES
    return tuple(name for name, entry in MEASURES.items() if entry.of == kind)


def usual_measures(campaign: Campaign) -> tuple[str, ...]:
    """The default measures of a campaign's runs, as it is seen."""
    return usual_of(DOCUMENTS if asked_about_documents(campaign) else kind_of(campaign))


JUDGED_SHARE, ALL_JUDGED = parse_measure("Judged@10"), parse_measure("Judged")
"""Part of every row: unjudged documents count as non-relevant, so one must see how many there are; all units of answers
are looked at.
"""


class ScoreRow(NamedTuple):
    """One run: its tag and team, its value for each measure (a count is an int), its share of judged documents (of the
    first ten) or units.
    """

    tag: str
    team: str
    values: tuple[float, ...]
    judged: float


class ScoreTable(NamedTuple):
    """Scores as of one row of the log.

    `names` are the measures as they were asked for, `measures` what these mean. Means are over the `topics`
    topics that have at least one judgment, or those of them that are judged to the end (`only_finished`), whether or
    not a run has them (it scores 0 there); those of bounds are over the `topic_counts.in_the_end` topics that will
    count. `judgments` is the number of pairs with a grade, `waiting` that of pooled pairs without one, of which
    `without_grade` are judged nevertheless: who judged them could not tell. Rows are in the order in which the runs
    were added.
    """

    head: log.Head
    names: tuple[str, ...]
    measures: tuple[BoundMeasure, ...]
    topics: int
    judgments: int
    rows: tuple[ScoreRow, ...]
    waiting: int = 0
    without_grade: int = 0
    topic_counts: TopicCounts = NO_TOPICS
    only_finished: bool = False

    @property
    def seq(self) -> int:
        """The log row of the scores."""
        return self.head.seq

    @property
    def over(self) -> str:
        """Over how many topics the scores are: "12 of 50 topics", or "50 topics" where all that ever count do."""
        of = max(self.topics, self.topic_counts.in_the_end)
        part = f"{self.topics:,} of " if self.topics < of else ""
        return f"{part}{wording.counted(of, 'topic')}"


class TopicScores(NamedTuple):
    """One measure by topic: `values` float64 (topics, runs), for the topics that the board's mean is over."""

    measure: BoundMeasure
    topic_ids: tuple[str, ...]
    tags: tuple[str, ...]
    values: FloatArray


def score_campaign(
    campaign: Campaign, names: Sequence[str] | None = None, *, only_finished: bool = False
) -> ScoreTable:
    """Score every run of a campaign, or of the round that it is looked at by, now or as of a row of its log.

    Args:
        names: measures in either notation; None for the usual ones. A measure that asks for the smallest
            relevant grade and is given none takes the campaign's; a bound goes up to the highest grade of the
            campaign's scale.
        only_finished: whether scores are over the topics that are judged to the end alone.

    Raises:
        UnknownName: a measure that does not exist.
    """
    with campaign.snapshot():
        scoring = narrowed(campaign, load_scoring(campaign))
    chosen = choose(names or usual_of(scoring.about), scoring.relevant_from)
    values = scoring.values_of(wanted(scoring, chosen), or_nan=True)
    return tabulate(scoring, chosen, values, only_finished=only_finished)


def choose(names: Sequence[str], relevant_from: int) -> list[tuple[str, BoundMeasure]]:
    """Each measure with the name it was asked by; members of a family by their own names."""
    chosen: list[tuple[str, BoundMeasure]] = []
    for name in names:
        found = parse_measures(name, defaults={"rel": relevant_from})
        chosen += [(name.strip() if len(found) == 1 else str(measure), measure) for measure in found]
    return chosen


def wanted(scoring: Scoring, chosen: Sequence[tuple[str, BoundMeasure]]) -> list[BoundMeasure]:
    """The measures whose values a table of these takes, each once.

    They stay in order: measures of one family after one another find in the processor's cache what they share.
    """
    return list(dict.fromkeys([*(scoring.settled(measure) for _, measure in chosen), _judged_share(scoring)]))


def _judged_share(scoring: Scoring) -> BoundMeasure:
    return JUDGED_SHARE if scoring.about == DOCUMENTS else ALL_JUDGED


def tabulate(
    scoring: Scoring,
    chosen: Sequence[tuple[str, BoundMeasure]],
    values: Mapping[BoundMeasure, FloatArray],
    *,
    only_finished: bool = False,
) -> ScoreTable:
    """Means (of counts: sums) over the topics that count, as a table; `values` are those of `wanted`."""
    columns: list[list[float]] = []
    for _, measure in chosen:
        here = scoring.topics_for(measure, only_finished=only_finished)
        summary = over_topics(measure, values[scoring.settled(measure)], scoring.labels, here)
        columns.append((summary.astype(int) if measure.is_count else summary).tolist())
    shown = scoring.finished_topics if only_finished else scoring.judged_topics
    shares = mean_over_topics(values[_judged_share(scoring)], shown).tolist()
    values_of_runs = zip(*columns, strict=True) if columns else repeat((), len(scoring.runs))
    return ScoreTable(
        head=scoring.head,
        names=tuple(name for name, _ in chosen),
        measures=tuple(measure for _, measure in chosen),
        topics=int(shown.sum()),
        judgments=int(scoring.num_judged.sum()),
        rows=tuple(map(ScoreRow, scoring.tags, scoring.teams, values_of_runs, shares)),
        waiting=int(scoring.num_waiting.sum()),
        without_grade=len(scoring.without_grade),
        topic_counts=scoring.topic_counts,
        only_finished=only_finished,
    )


def by_topic(scoring: Scoring, measure: BoundMeasure, values: FloatArray) -> TopicScores:
    """The values for the topics that count; a copy."""
    here = scoring.topics_for(measure)
    topic_ids = tuple(topic_id for topic_id, counts in zip(scoring.topic_ids, here, strict=True) if counts)
    return TopicScores(measure, topic_ids, scoring.tags, values[here])


RUN, TEAM, ADDED = "run", "team", "added"
NAMES_SHOWN = 3


def at_the_top(measure: BoundMeasure, values: Sequence[float], tags: Sequence[str]) -> list[str]:
    """The runs with the best value, equal up to rounding, in the order given: the lowest where the measure says so."""
    merits = [measure.sign * value for value in values]
    best = max(merits, default=0.0)
    return [tag for merit, tag in zip(merits, tags, strict=True) if best - merit <= NOISE]


def best_first(measure: BoundMeasure, values: Sequence[float]) -> list[int]:
    """The places of the values, the best first: the lowest where the measure says so.

    Those that are equal, or differ by rounding alone, keep their order.
    """
    level = levels(values).tolist()
    return sorted(range(len(values)), key=lambda place: -measure.sign * level[place])


def names(tags: Sequence[str]) -> str:
    """Runs by their names in a sentence: alpha; alpha and beta; alpha, beta, gamma and 4 more."""
    if len(tags) > NAMES_SHOWN + 1:
        return f"{', '.join(tags[:NAMES_SHOWN])} and {len(tags) - NAMES_SHOWN:,} more"
    return " and ".join(filter(None, [", ".join(tags[:-1]), *tags[-1:]]))


def order_of(table: ScoreTable, by: str = "") -> list[int]:
    """The places of the table's rows in this order; runs that are equal stay in the order in which they were added.

    `by` is a measure of the table, as it was asked for or by its own name, RUN, TEAM or ADDED; '' for the first
    measure. Raises UnknownName for anything else.
    """
    places = list(range(len(table.rows)))
    if by == ADDED:
        return places
    if by in (RUN, TEAM):
        texts = [row.tag if by == RUN else row.team for row in table.rows]
        return sorted(places, key=lambda place: natural(texts[place]))
    column = _column(table, by)
    return best_first(table.measures[column], [row.values[column] for row in table.rows])


def ordered(table: ScoreTable, by: str = "") -> ScoreTable:
    """The table with its rows in this order; `by` and errors as in `order_of`."""
    return table._replace(rows=tuple(table.rows[place] for place in order_of(table, by)))


def _column(table: ScoreTable, by: str) -> int:
    if not by:
        return 0
    own = [str(measure) for measure in table.measures]
    for known in (list(table.names), own):
        if by in known:
            return known.index(by)
    message = (
        f"the table has no column {by!r} to sort by; it has {listed([*table.names, RUN, TEAM, ADDED], 20)}"
    )
    raise UnknownName(message)


def best_of_teams(table: ScoreTable) -> ScoreTable:
    """The table with only the best run of each team on the first measure; rows stay in their order."""
    rows = table.rows
    columns = best_columns(
        table.measures[0],
        [row.values[0] for row in rows],
        [row.tag for row in rows],
        [row.team for row in rows],
    )
    return table._replace(rows=tuple(rows[column] for column in columns))


def best_columns(
    measure: BoundMeasure, values: Sequence[float], tags: Sequence[str], teams: Sequence[str]
) -> list[int]:
    """The places of the best run of each team, in their order; the first of equal ones.

    The lowest value is the best where the measure says so, else the highest. A run that names no team counts as
    itself.
    """
    best: dict[tuple[str, str], int] = {}
    for place, (value, tag, team) in enumerate(zip(values, tags, teams, strict=True)):
        name = ("team", team) if team else ("run", tag)
        if name not in best or measure.sign * (value - values[best[name]]) > NOISE:
            best[name] = place
    return sorted(best.values())


Rendering = Callable[[ScoreTable], Iterator[str]]

RENDERINGS: Registry[Rendering] = Registry("format", "formats")
rendering = RENDERINGS.register


def printed(measure: BoundMeasure, value: float) -> str:
    """A value as people read it: counts whole, everything else with four digits."""
    return sheets.printed(value, _kind(measure))


def printer(measure: BoundMeasure) -> Callable[[float], str]:
    """What `printed` does with the values of one measure."""
    return sheets.PRINTED[_kind(measure)]


def _kind(measure: BoundMeasure) -> str:
    return "count" if measure.is_count else "value"


def sheet_of(table: ScoreTable, *, with_teams: bool = False) -> Sheet:
    """A row for each run with its value of every measure, the best of each marked; `with_teams` with their names."""
    heads = [Column("Run", "run", "text"), *([Column("Team", "team", "text")] if with_teams else [])]
    measures = [
        Column(str(measure), name, _kind(measure), measure.best)
        for name, measure in zip(table.names, table.measures, strict=True)
    ]
    rows: list[tuple[Cell, ...]] = [
        (row.tag, *([row.team] if with_teams else []), *row.values) for row in table.rows
    ]
    return with_best([*heads, *measures], rows)


@rendering("csv")
def as_csv(table: ScoreTable) -> Iterator[str]:
    """CSV: `run` and the measures as they were asked for, with all digits."""
    return csv_cells.as_csv(sheet_of(table))


@rendering("trec")
def as_trec(table: ScoreTable) -> Iterator[str]:
    """The reference program's lines, run after run, each beginning with its `runid`."""
    for row in table.rows:
        yield f"{'runid':<22}\tall\t{row.tag}\n"
        for measure, value in zip(table.measures, row.values, strict=True):
            number = f"{value:.0f}" if measure.is_count else f"{value:6.4f}"
            yield f"{measure.trec_eval or measure!s:<22}\tall\t{number}\n"


@rendering("json")
def as_json(table: ScoreTable) -> Iterator[str]:
    """JSON: the point of the log, how much is judged, and for each run its values with all digits."""
    runs = [
        {"run": row.tag, "team": row.team, "scores": dict(zip(table.names, row.values, strict=True))}
        for row in table.rows
    ]
    head = {"seq": table.seq, "hash": table.head.hash.hex()}
    topics = {**table.topic_counts._asdict(), "only_finished": table.only_finished}
    content = {
        "as_of": head,
        "topics": table.topics,
        "topic_counts": topics,
        "judgments": table.judgments,
        "runs": runs,
        **({"plugins": found} if (found := sources(table.measures)) else {}),
    }
    yield json_text(content, allow_nan=True)


@rendering("latex")
def as_latex(table: ScoreTable) -> Iterator[str]:
    """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold."""
    return latex.as_latex(sheet_of(table))
