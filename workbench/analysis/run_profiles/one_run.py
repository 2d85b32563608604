"""One run: on every topic beside the runs that take part, as its team may see it, and its documents for a topic.

A withdrawn run is scored as if it took part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import NamedTuple

import numpy as np

from workbench.campaign.submissions.overview import without_others
from workbench.core.errors import NotThere
from workbench.core.ranking import FloatArray, IntArray, Rankings, starts_of
from workbench.core.wording import none_such
from workbench.formats.answers.forms import FORMS, AnswerForm
from workbench.formats.answers.reading import Answer, Citation
from workbench.methods.measures import BoundMeasure, over_topics, parse_measure
from workbench.methods.measures.parameters import ELEVEN_POINTS
from workbench.methods.statistics.arrays import signs_of
from workbench.scoring.board import Scoring, TopicScores
from workbench.scoring.board.answers import answers_of
from workbench.scoring.board.changed_ids import numbers_now
from workbench.scoring.board.past_boards import scoring_of, table_of, topic_scores_of
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, runs, sent_answers
from workbench.storage.campaign.collection.changed_ids import id_tables, newest_id, under_new_ids
from workbench.storage.campaign.collection.question_topics import topic_of
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents, unpack_scores
from workbench.storage.campaign.collection.rounds import by_name, called, named_teams, runs_of_team, seen_with
from workbench.storage.campaign.collection.runs import RunWarning, StoredRun
from workbench.storage.campaign.grades.labels import grades_of_topic
from workbench.storage.campaign.organising import settings


class TopicLine(NamedTuple):
    """A run's score on one topic, the median and best of the runs that take part, and its place from 1: how many of
    these are better, and one.
    """

    topic_id: str
    score: float
    median: float
    best: float
    place: int


class RunScores(NamedTuple):
    """A run on one measure: its mean over the judged topics, the place that this has among the `runs` that take part
    (None for a withdrawn run), and its judged topics in byte order.
    """

    measure: BoundMeasure
    mean: float
    place: int | None
    runs: int
    topics: tuple[TopicLine, ...]


def run_named(campaign: Campaign, tag: str) -> StoredRun:
    """The run of this tag, withdrawn or not; NotThere when there is none."""
    found = by_name(campaign)
    if tag not in found:
        raise NotThere(none_such("run", tag, list(found), of=campaign.name))
    return found[tag]


def _seen(campaign: Campaign, tag: str) -> tuple[Campaign, StoredRun]:
    """The campaign by the round that a run belongs to, where it is looked at by one, and the run as it is called there;
    errors as above.
    """
    run = run_named(campaign, tag)
    seen = seen_with(campaign, run)
    return seen, called(seen, run)


def run_scores(campaign: Campaign, tag: str, measure: str = "AP") -> RunScores:
    """A run's scores now: the mean has the digits of the leaderboard; arguments and errors as in `topic_lines`."""
    campaign, run = _seen(campaign, tag)
    tag = run.record.tag
    found, lines = topic_lines(campaign, tag, measure)
    if run.withdrawn is not None:
        ((_, mean),) = _scored_alone(campaign, run, [measure])
        return RunScores(found.measure, mean, None, len(found.tags), lines)
    table = table_of(campaign, [measure])
    values = {row.tag: row.values[0] for row in table.rows}
    ahead = signs_of(np.array([*values.values()]) - values[tag]) == table.measures[0].sign
    place = 1 + int(ahead.sum())
    return RunScores(found.measure, values[tag], place, len(found.tags), lines)


def topic_lines(
    campaign: Campaign, tag: str, measure: str = "AP"
) -> tuple[TopicScores, tuple[TopicLine, ...]]:
    """The scores of all runs that take part on every judged topic, and those of one run, perhaps a withdrawn one.

    Raises:
        NotThere: there is no such run.
        UnknownName: there is no such measure.
    """
    campaign, run = _seen(campaign, tag)
    tag = run.record.tag
    found = topic_scores_of(campaign, measure)
    found = found._replace(topic_ids=tuple(topic_of(campaign, each) for each in found.topic_ids))
    if run.withdrawn is None:
        return found, _lines(found, found.values[:, found.tags.index(tag)])
    ((own, _),) = _scored_alone(campaign, run, [measure])
    return found, _lines(found, own)


def alone(campaign: Campaign, scoring: Scoring, run: StoredRun) -> Scoring:
    """One run with the same topics and labels, as if no other took part."""
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    documents = [np.zeros(0, np.uint32)] * len(place)
    for ranking in runs.packed_rankings(campaign, run=run.run):
        if ranking.topic_id in place:
            numbers = unpack_documents(ranking.documents).astype(np.int64)
            numbers = _now(campaign, scoring, ranking.topic_id, numbers)
            first = np.sort(np.unique(numbers, return_index=True)[1])  # of ids that became one
            documents[place[ranking.topic_id]] = numbers[first].astype(np.uint32)
    rankings = Rankings(
        starts_of(np.array([len(each) for each in documents], np.int64)),
        np.concatenate([np.zeros(0, np.uint32), *documents]),
        np.zeros(len(place), np.int32),
        np.arange(len(place), dtype=np.int32),
    )
    answers = answers_of(campaign, scoring.topic_ids, [run], scoring.top_of_scale)
    return replace(scoring, runs=(run,), rankings=rankings, answers=answers)


def _scored_alone(campaign: Campaign, run: StoredRun, names: Sequence[str]) -> list[tuple[FloatArray, float]]:
    """By each measure a withdrawn run's values on the judged topics, float64 (judged topics,), and their mean."""
    scoring = alone(campaign, scoring_of(campaign), run)
    defaults = {"rel": scoring.relevant_from}
    measures = [scoring.settled(parse_measure(name, defaults=defaults)) for name in names]
    values, found = scoring.values_of(measures), []
    for measure in measures:
        here, own = scoring.topics_for(measure), values[measure]
        found.append((own[here, 0], float(over_topics(measure, own, scoring.labels, here)[0])))
    return found


def _lines(found: TopicScores, own: FloatArray) -> tuple[TopicLine, ...]:
    if not found.tags:
        return tuple(
            TopicLine(topic_id, score, score, score, 1)
            for topic_id, score in zip(found.topic_ids, own.tolist(), strict=True)
        )
    sign = found.measure.sign
    better = signs_of(found.values - own[:, None]) == sign
    columns = (
        own,
        np.median(found.values, axis=1),
        sign * (sign * found.values).max(axis=1),
        1 + better.sum(axis=1),
    )
    return tuple(map(TopicLine, found.topic_ids, *(column.tolist() for column in columns)))


NAMES = tuple(f"IPrec@{level}" for level in ELEVEN_POINTS.shares)


def precision_recall(campaign: Campaign, tag: str) -> list[tuple[float, float, float, float]]:
    """Interpolated precision at the eleven levels of recall from 0 to 1, mean over the judged topics: the level, the
    run's, and the median and the best of the runs that take part; arguments and errors as in `topic_lines`.

    At each level the median and the best are taken separately, so that theirs need not be the curve of any run.
    """
    campaign, run = _seen(campaign, tag)
    tag = run.record.tag
    values = {row.tag: row.values for row in table_of(campaign, NAMES).rows}
    if run.withdrawn is None:
        own: Sequence[float] = values[tag]
    else:
        own = [mean for _, mean in _scored_alone(campaign, run, NAMES)]
    every = np.array([*values.values()] or [tuple(own)])
    columns = (own, np.median(every, axis=0).tolist(), every.max(axis=0).tolist())
    return list(zip(ELEVEN_POINTS.shares, *columns, strict=True))


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
    """The runs of a team, of one round where the campaign is looked at by one, with their scores if the organisers show
    these now; "" has no runs.
    """
    mine = runs_of_team(campaign, team)
    rows = [TeamRun(run, without_others(campaign, team, run.warnings), ()) for run in mine]
    current = settings.read(campaign.now)
    least = current.least_teams if len(named_teams(campaign)) < current.least_teams else 0
    if not current.scores_open:
        return TeamTable(team, tuple(rows), False, least)
    board = table_of(campaign, usual_measures(campaign))
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


PAGE = 50


class RankedDocument(NamedTuple):
    """A document of a ranking: its rank from 1, id, title ("" where the campaign has no text) and score; its grade in
    force, whether it is pooled, and how many other runs that take part have it for the topic, at any rank.
    """

    rank: int
    document_id: str
    title: str
    score: float
    grade: int | None
    pooled: bool
    others: int


class RankedPage(NamedTuple):
    """Some ranks of a ranking: which `page` of how many `pages`, how long the ranking is, and how many of all its
    documents are judged and relevant.
    """

    topic_id: str
    page: int
    pages: int
    length: int
    judged: int
    relevant: int
    documents: tuple[RankedDocument, ...]


def ranked_page(
    campaign: Campaign, scoring: Scoring, run: StoredRun, topic_id: str, page: int = 1
) -> RankedPage:
    """A page of a run's ranking for a topic; the nearest one when there is no such page. Empty without a ranking."""
    numbers, scores = _ranking(campaign, run, topic_id)
    vocabulary = runs.vocabulary(campaign, topic_id)
    ids = [vocabulary[number] for number in numbers.tolist()]
    tables = id_tables(campaign)
    now = under_new_ids(tables, grades_of_topic(campaign, topic_id))
    grades = {each: now[new] for each in ids if (new := newest_id(tables, each)) in now}
    found = [grades[document_id] for document_id in ids if document_id in grades]
    pages = max(1, -(-len(ids) // PAGE))
    page = min(max(1, page), pages)
    places = range((page - 1) * PAGE, min(page * PAGE, len(ids)))
    shown = [ids[place] for place in places]
    titles, pooled = documents.titles(campaign, shown), set(pools.pooled_of_topic(campaign, topic_id))
    here = _now(campaign, scoring, topic_id, numbers[places.start : places.stop])
    others = _others(scoring, run, topic_id, here).tolist()
    rows = tuple(
        RankedDocument(
            place + 1, one, titles.get(one, ""), scores[place], grades.get(one), one in pooled, count
        )
        for place, one, count in zip(places, shown, others, strict=True)
    )
    relevant = sum(grade >= scoring.relevant_from for grade in found)
    return RankedPage(topic_id, page, pages, len(ids), len(found), relevant, rows)


SHOWN_SENTENCES, SHOWN_CITATIONS, SHOWN_CHARACTERS = 200, 20, 2_000
"""Sentences of an answer, citations of a sentence and characters of its text that are shown."""


class ShownAnswer(NamedTuple):
    """An answer: its first sentences, each with its text and the citations that have a number.

    Attributes:
        sentences: the text and the citations of each, these with the rank of their documents in the run's ranking.
        total: how many sentences there are.
        length: how long it is by the measure of its form, as words.
    """

    sentences: tuple[tuple[str, tuple[tuple[int, Citation], ...]], ...]
    total: int
    length: str


def answers_shown(campaign: Campaign, run: StoredRun, topic_id: str) -> list[ShownAnswer]:
    """What a run of answers says on a topic, nearly always in one answer; nothing of a run of documents."""
    sent, form = runs.answers_of(campaign, run, topic_id), run.record.form
    answers = [sent_answers.read(campaign, each, form) for each in sent]
    cited = dict.fromkeys(document_id for answer in answers for document_id in answer.cited)
    rank = {document_id: place for place, document_id in enumerate(cited, start=1)}
    return [_shown(answer, FORMS[form], rank) for answer in answers]


def _shown(answer: Answer, form: AnswerForm, rank: Mapping[str, int]) -> ShownAnswer:
    texts = [sentence.text for sentence in answer.sentences]
    sentences = tuple(
        (
            sentence.text[:SHOWN_CHARACTERS].encode(errors="replace").decode()
            + "…" * (len(sentence.text) > SHOWN_CHARACTERS),
            tuple((rank[each.document_id], each) for each in sentence.citations[:SHOWN_CITATIONS]),
        )
        for sentence in answer.sentences[:SHOWN_SENTENCES]
    )
    return ShownAnswer(sentences, len(texts), f"{form.count(texts):,} {form.count.__name__}")


def document_at(campaign: Campaign, run: StoredRun, topic_id: str, rank: int) -> str | None:
    """The document at a rank, from 1, of a run's ranking for a topic; None where there is none."""
    numbers, _ = _ranking(campaign, run, topic_id)
    if not 1 <= rank <= len(numbers):
        return None
    return runs.vocabulary(campaign, topic_id)[int(numbers[rank - 1])]


def _ranking(campaign: Campaign, run: StoredRun, topic_id: str) -> tuple[IntArray, list[float]]:
    """The numbers of a run's documents for a topic in rank order, and their scores."""
    for ranking in runs.packed_rankings(campaign, run=run.run, topic_id=topic_id):
        return unpack_documents(ranking.documents).astype(np.int64), unpack_scores(ranking.scores).tolist()
    return np.zeros(0, np.int64), []


def _now(campaign: Campaign, scoring: Scoring, topic_id: str, numbers: IntArray) -> IntArray:
    return numbers_now(campaign, scoring, [topic_id], np.zeros_like(numbers), numbers)


def _others(scoring: Scoring, run: StoredRun, topic_id: str, numbers: IntArray) -> IntArray:
    """How many other runs have each of these documents, int64 of the same shape."""
    if topic_id not in scoring.topic_ids or not len(numbers):
        return np.zeros(len(numbers), np.int64)
    first = scoring.topic_ids.index(topic_id) * len(scoring.runs)
    rows = scoring.rankings.rows_between(first, first + len(scoring.runs))
    counts = np.bincount(rows.document, minlength=int(numbers.max()) + 1)[numbers]
    return counts - int(run.withdrawn is None)
