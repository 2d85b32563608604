"""How judging goes, added up: per topic, per assessor, and since when. What is relevant is so by the labels.

Nearly every pair is judged once, by one person. So all rows are added up as if each stood alone, which SQLite does
fast, and the few pairs that were judged again are looked at row by row and set right.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import add
from typing import NamedTuple

from workbench.core.records import COUNTED_KINDS, NORMING, REPEAT, TAKEN_BACK
from workbench.jobs.observing import observed
from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.collection.pools import TAKES_PART, all_pools, pool_of, then
from workbench.storage.campaign.collection.question_topics import OF_QUESTION, asked, seen
from workbench.storage.campaign.collection.rounds import OfRound
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades import adjudications, labels
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.grades.label_rules import Label
from workbench.storage.campaign.grades.sources import MODEL, Pair, Vote
from workbench.storage.campaign.log.log import timestamp

_COUNTED = quoted(COUNTED_KINDS)

_POOLED = f"""SELECT topic, count(*), sum(EXISTS (
        SELECT 1 FROM judgment WHERE topic = pooled.topic AND document = pooled.document AND kind IN ({_COUNTED})
    )) FROM pooled WHERE TRUE {{chosen}} GROUP BY topic"""
_MADE = "AND pool IN (SELECT value FROM json_each(:made))"
_SCREEN = "source = 'screen' AND kind IN ('grade', 'can''t tell')"


class TopicTally(NamedTuple):
    """One topic's pairs: pooled, of these without a text or with a broken one, judged by any assessor, of these
    pooled, of these in turn without a text; those with a grade, with a relevant one, and those on which assessors'
    grades differ.
    """

    pooled: int = 0
    without_text: int = 0
    judged: int = 0
    judged_in_pool: int = 0
    judged_without_text: int = 0
    graded: int = 0
    relevant: int = 0
    conflicts: int = 0


class AssessorTally(NamedTuple):
    """One assessor's work: pairs with an own judgment in force, those "can't tell"; judgments made on the screen that
    say how long they took, all their active seconds, when the newest row of the log came in, and when the first
    judgment on the screen did.

    Told apart from these: pairs whose adjudication in force is theirs, pairs judged again as hidden repeats, and pairs
    judged in norming sessions; none of these is timed.
    """

    assessor: str
    judged: int = 0
    cannot_tell: int = 0
    timed: int = 0
    seconds: float = 0.0
    last_at: str = ""
    adjudicated: int = 0
    again: int = 0
    norming: int = 0
    first_at: str = ""


class Tallies(NamedTuple):
    """Pooled and judged pairs by topic, and every assessor in the log in byte order, also of imports."""

    topics: dict[str, TopicTally]
    assessors: list[AssessorTally]


def tallies(campaign: Campaign, relevant_from: int) -> Tallies:
    """Everything judged, added up; by topic, of a round, for the pairs that its pools brought in."""
    again = own = _judged_again(campaign)
    part: OfRound | None = campaign.part
    made = None if part is None else {one.pool for one in all_pools(campaign) if part.round.holds(one.seq)}
    if made is not None:
        own = [pair for pair in again if pool_of(campaign, *pair[0][:2]) in made]
    return Tallies(_by_topic(campaign, own, relevant_from, made), _by_assessor(campaign, again))


class _Row(NamedTuple):
    """A row of the log of a pair that was judged again."""

    topic: str
    document: str
    assessor: str
    kind: str
    grade: int | None
    seq: int
    pooled: bool
    without_text: bool


def _judged_again(campaign: Campaign) -> list[list[_Row]]:
    """The rows of each pair that has more than one, or one that takes back what never was, in the order of the log."""
    rows = campaign.execute(
        f"""WITH again AS (
            SELECT topic, document FROM judgment WHERE kind IN ({_COUNTED}) AND {TAKES_PART}
            GROUP BY topic, document HAVING count(*) > 1 OR max(grade IS NULL AND kind <> 'can''t tell')
        )
        SELECT judgment.topic, judgment.document, {shown("assessor")}, kind, grade, judgment.seq,
            pooled.pool IS NOT NULL, text IS NULL OR judgment.document IN ({broken.BROKEN_NOW})
        FROM again JOIN judgment USING (topic, document)
        LEFT JOIN pooled USING (topic, document) LEFT JOIN document USING (document)
        WHERE kind IN ({_COUNTED}) ORDER BY judgment.topic, judgment.document, judgment.seq""",
        then(campaign, broken=broken.now(campaign)),
    )
    return [list(pair) for _, pair in groupby(map(_Row._make, rows), key=lambda row: row[:2])]


def _by_topic(
    campaign: Campaign, again: Sequence[Sequence[_Row]], relevant_from: int, made: Collection[int] | None
) -> dict[str, TopicTally]:
    """The tallies; of the pairs of some pools alone, where these are `made`."""
    found: defaultdict[str, TopicTally] = defaultdict(TopicTally)
    of_pools = "" if made is None else _MADE
    its_pairs = (
        of_pools and f"AND (topic, document) IN (SELECT topic, document FROM pooled WHERE TRUE {of_pools})"
    )
    values = {"made": json.dumps(sorted(made or ()))}
    for topic_id, pooled, judged in campaign.execute(_POOLED.format(chosen=of_pools), values):
        found[topic_id] = TopicTally(pooled=pooled, judged_in_pool=judged)
    bare = f"AND document IN (SELECT document FROM document WHERE text IS NULL UNION {broken.BROKEN_NOW})"
    held_back = {"broken": broken.now(campaign), **values}
    for topic_id, pooled, judged in campaign.execute(_POOLED.format(chosen=bare + of_pools), held_back):
        found[topic_id] = found[topic_id]._replace(without_text=pooled, judged_without_text=judged)
    for topic_id, judged, graded, relevant in campaign.execute(
        f"""SELECT topic, count(*), count(grade), total(grade >= :relevant_from) FROM judgment
        WHERE kind IN ({_COUNTED}) AND {TAKES_PART} {its_pairs} GROUP BY topic""",
        then(campaign, relevant_from=relevant_from, **values),
    ):
        found[topic_id] = found[topic_id]._replace(judged=judged, graded=graded, relevant=int(relevant))
    settled = labels.settled(campaign, _votes(again))
    wrong: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(SET_RIGHT))
    for pair in observed(again, "Counting judgments"):
        by_this = _wrong_by(pair, settled.get(pair[0][:2]), relevant_from)
        wrong[pair[0].topic] = list(map(add, wrong[pair[0].topic], by_this))
    for topic_id, numbers in wrong.items():
        right = zip(SET_RIGHT, numbers, strict=True)
        tally = found[topic_id]
        found[topic_id] = tally._replace(**{name: getattr(tally, name) + number for name, number in right})
    for label in labels.of_models(campaign):  # pairs that no person graded
        if made is not None and pool_of(campaign, label.topic_id, label.document_id) not in made:
            continue
        tally = found[label.topic_id]
        relevant = tally.relevant + (label.grade >= relevant_from)
        found[label.topic_id] = tally._replace(graded=tally.graded + 1, relevant=relevant)
    return {topic_id: found[topic_id] for topic_id in asked(campaign, sorted(found))}


def _votes(again: Sequence[Sequence[_Row]]) -> dict[Pair, list[Vote]]:
    """What `votes.votes` gives, from rows that are in memory."""
    found: dict[Pair, list[Vote]] = {}
    for pair in observed(again, "Reading grades"):
        newest = {
            ("" if row.kind == "adjudication" else row.assessor, row.kind == "adjudication"): row
            for row in pair
        }
        if len({row.assessor for row in pair}) > 1 or any(adjudicated for _, adjudicated in newest):
            given = [
                Vote(row.seq, row.assessor, row.kind, row.grade)
                for _, row in sorted(newest.items(), key=lambda entry: (entry[0][1], entry[0][0]))
                if row.grade is not None
            ]
            if given:
                found[pair[0][:2]] = given
    return found


SET_RIGHT = ("judged", "judged_in_pool", "judged_without_text", "graded", "relevant", "conflicts")
"""What of a topic's tally is wrong as long as each row of a pair is counted as a pair."""


def _wrong_by(pair: Sequence[_Row], label: Label | None, relevant_from: int) -> tuple[int, ...]:
    """What is to be added to a topic's tally, by SET_RIGHT, so that a pair is counted once.

    `label` is that of a pair with several judgments that count; of any other it is the grade in force.
    """
    own = {row.assessor: row for row in pair if row.kind != "adjudication"}
    grades = [row.grade for row in own.values() if row.grade is not None]
    grade = label.grade if label is not None else grades[-1] if grades else None
    is_judged = label is not None or any(row.kind != "cleared" for row in own.values())
    gone = pair[0].pooled and not is_judged
    all_grades = [row.grade for row in pair if row.grade is not None]
    return (
        is_judged - len(pair),
        -gone,
        -(gone and pair[0].without_text),
        (grade is not None) - len(all_grades),
        (grade is not None and grade >= relevant_from) - sum(each >= relevant_from for each in all_grades),
        len(set(grades)) > 1,
    )


def _by_assessor(campaign: Campaign, again: Iterable[Sequence[_Row]]) -> list[AssessorTally]:
    rows = campaign.execute(
        f"""SELECT {shown("assessor")} AS assessor, total(kind IN ({OWN_KINDS})),
            total(kind = 'can''t tell'), total(active_seconds > 0 AND {_SCREEN}),
            total(CASE WHEN {_SCREEN} THEN max(active_seconds, 0) END), max(received_at),
            coalesce(min(CASE WHEN {_SCREEN} THEN received_at END), '')
        FROM judgment WHERE kind <> '{MODEL}' AND {OF_QUESTION} GROUP BY assessor ORDER BY assessor""",
        seen(campaign),
    )
    settled = Counter(each.adjudicator for each in adjudications.in_force(campaign).values())
    besides = _besides(campaign)
    found = {
        name: AssessorTally(
            name,
            int(judged),
            int(undecided),
            int(timed),
            seconds,
            last,
            adjudicated=settled[name],
            again=besides.get((name, REPEAT), 0),
            norming=besides.get((name, NORMING), 0),
            first_at=first,
        )
        for name, judged, undecided, timed, seconds, last, first in rows
    }
    judged_too_often, undecided_too_often = _too_often(again)
    return [
        tally._replace(
            judged=tally.judged - judged_too_often[name],
            cannot_tell=tally.cannot_tell - undecided_too_often[name],
        )
        for name, tally in found.items()
    ]


def _besides(campaign: Campaign) -> dict[tuple[str, str], int]:
    """How many pairs each assessor judged again, or in norming sessions, by assessor and kind."""
    rows = campaign.execute(
        f"""SELECT {shown("assessor")}, kind, count(*) FROM judgment WHERE seq IN (
            SELECT max(seq) FROM judgment WHERE kind IN ('{REPEAT}', '{NORMING}') AND {OF_QUESTION}
            GROUP BY topic, document, assessor, kind
        ) AND source <> '{TAKEN_BACK}' GROUP BY assessor, kind""",
        seen(campaign),
    )
    return {(assessor, kind): pairs for assessor, kind, pairs in rows}


def _too_often(again: Iterable[Sequence[_Row]]) -> tuple[Counter[str], Counter[str]]:
    """By how many pairs, and "can't tell", each assessor has too many if each of their rows is counted as a pair."""
    judged: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    for pair in again:
        newest: dict[str, str] = {}
        for row in pair:
            if row.kind != "adjudication":
                newest[row.assessor] = row.kind
                judged[row.assessor] += 1
                undecided[row.assessor] += row.kind == "can't tell"
        for name, kind in newest.items():
            judged[name] -= kind != "cleared"
            undecided[name] -= kind == "can't tell"
    return judged, undecided


def first_judged_since(campaign: Campaign, since: datetime, *, now: datetime) -> dict[str, int]:
    """How many pairs each assessor was the first to judge, from `since` up to `now`; what was imported is no judging.

    Rows that a clock which was put back has in the future are of no recent time that is known.
    """
    return campaign.mapping(
        f"""SELECT {shown("late.assessor")} AS name, count(*) FROM judgment AS late
        WHERE received_at BETWEEN ? AND ? AND {_SCREEN} AND NOT EXISTS (
            SELECT 1 FROM judgment WHERE topic = late.topic AND document = late.document
            AND kind IN ({_COUNTED}) AND seq < late.seq
        ) GROUP BY name""",
        [timestamp(since), timestamp(now)],
    )


class Day(NamedTuple):
    """What one assessor judged on the screen in one day of UTC."""

    day: str
    assessor: str
    judgments: int


def by_day(campaign: Campaign) -> list[Day]:
    """Judgments made on the screen per day and assessor, changed ones too, oldest first."""
    rows = campaign.execute(
        f"""SELECT substr(received_at, 1, 10) AS day, {shown("assessor")} AS assessor, count(*) FROM judgment
        WHERE {_SCREEN} AND seq <= ? GROUP BY day, assessor ORDER BY day, assessor""",
        [campaign.up_to],
    )
    return list(map(Day._make, rows))
