"""Tables of a release: the runs, the scores of all runs, and these by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from workbench.formats.tables.csv_cells import csv_lines
from workbench.formats.tables.score_layouts import Score
from workbench.methods.measures import BoundMeasure
from workbench.release.campaign_summary import base_name
from workbench.scoring.board import ScoreTable, Scoring, TopicScores
from workbench.scoring.board.past_boards import valued
from workbench.scoring.board.table import by_topic, choose, order_of, tabulate, usual_of, wanted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.question_topics import topic_of
from workbench.storage.campaign.collection.run_details import NO_DETAILS, RunDetails
from workbench.storage.campaign.collection.runs import StoredRun


class Scores(NamedTuple):
    """The means of all runs, and for each measure of the table the values by topic, with the runs in the same order."""

    board: ScoreTable
    by_topic: tuple[TopicScores, ...]


def scores_of(campaign: Campaign, names: Sequence[str] | None = None, *, sort: str = "") -> Scores:
    """All runs on these measures (None for the usual ones), as of now from the live board, or as of a row of the log.

    The runs are sorted as in `scoring.board.table`: by the first measure, the best first, unless `sort` says otherwise.
    Raises UnknownName for a measure that does not exist.
    """

    def named(scoring: Scoring) -> list[tuple[str, BoundMeasure]]:
        return choose(names or usual_of(scoring.about), scoring.relevant_from)

    scoring, values = valued(campaign, lambda now: wanted(now, named(now)))
    chosen = named(scoring)
    table = tabulate(scoring, chosen, values)
    order = order_of(table, sort)
    topics = (by_topic(scoring, measure, values[scoring.settled(measure)]) for _, measure in chosen)
    return Scores(
        table._replace(rows=tuple(table.rows[run] for run in order)),
        tuple(_in_order(campaign, topic_scores, order) for topic_scores in topics),
    )


def _in_order(campaign: Campaign, scores: TopicScores, order: Sequence[int]) -> TopicScores:
    """The same of topics by their own ids, as qrels have them where a question is about them."""
    tags = tuple(scores.tags[run] for run in order)
    topic_ids = tuple(topic_of(campaign, each) for each in scores.topic_ids)
    return scores._replace(topic_ids=topic_ids, tags=tags, values=scores.values[:, list(order)])


def each_score(scores: Scores) -> Iterator[Score]:
    """The same, one by one: of each run on each measure by topic, then of all topics together."""
    for run, row in enumerate(scores.board.rows):
        for name, table, value in zip(scores.board.names, scores.by_topic, row.values, strict=True):
            kind = type(value)  # a count is a whole number in both
            for topic_id, of_topic in zip(table.topic_ids, table.values[:, run].tolist(), strict=True):
                yield Score(row.tag, topic_id, name, kind(of_topic))
            yield Score(row.tag, None, name, value)


def topic_scores_csv(scores: Scores) -> Iterator[str]:
    """The same as CSV."""
    return csv_lines(topic_scores_rows(scores))


def topic_scores_rows(scores: Scores) -> list[tuple[Any, ...]]:
    """The heads and a row for each run and topic: run, team, topic, and the measures with all their digits."""
    rows: list[tuple[object, ...]] = [("run", "team", "topic_id", *scores.board.names)]
    topic_ids = scores.by_topic[0].topic_ids if scores.by_topic else ()
    for run, row in enumerate(scores.board.rows):
        columns = [table.values[:, run].tolist() for table in scores.by_topic]
        for topic, topic_id in enumerate(topic_ids):
            rows.append((row.tag, row.team, topic_id, *(column[topic] for column in columns)))
    return rows


RUN_COLUMNS = (
    *("run", "team", "file", "sha256", "lines", "topics", "in_pools_by_default", "withdrawn", "repairs"),
    *("priority", "depth", "description", "costs", "replaces", "sent", "form"),
)


def runs_csv(stored: Sequence[StoredRun], details: Mapping[int, RunDetails]) -> Iterator[str]:
    """CSV with a line for each run as it was submitted; `withdrawn` is the log's row that took it out, if any.

    Its `repairs` are the sentences on what was changed before it was stored, and its `description` and `costs` are in a
    cell each.
    """
    rows = (
        {
            **row,
            "repairs": "; ".join(repair["message"] for repair in row["repairs"]) or None,
            "description": _in_a_cell(row["description"]),
            "costs": _in_a_cell(row["costs"]),
        }
        for row in run_rows(stored, details)
    )
    return csv_lines([RUN_COLUMNS, *(tuple(row.values()) for row in rows)])


def _in_a_cell(values: Mapping[str, object]) -> str | None:
    return "; ".join(f"{name}: {value}" for name, value in values.items()) or None


def run_rows(stored: Sequence[StoredRun], details: Mapping[int, RunDetails]) -> Iterator[dict[str, Any]]:
    """Runs by the names of RUN_COLUMNS, with what is said of them: of the file the name without folders, and its
    checksum as submitted; `replaces` is the run whose place one took, by the name that this has now, and `sent` the
    tag that its team sent, where a run of an earlier round has it.
    """
    tags = {run.run: run.record.tag for run in stored}
    for run in stored:
        record, said = run.record, details.get(run.run, NO_DETAILS)
        values = (
            *(record.tag, record.team, base_name(record.file), record.sha256, record.lines, record.topics),
            *(record.contributes, run.withdrawn, [repair._asdict() for repair in run.repairs]),
            *(said.priority, said.depth, dict(said.description), dict(said.costs)),
            *(None if said.replaces is None else tags.get(said.replaces), run.sent, record.form),
        )
        yield dict(zip(RUN_COLUMNS, values, strict=True))
