"""What assessors did on the screen, row by row, as far as it tells how they work."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.records import SCREEN, TAKEN_BACK
from workbench.storage.campaign.collection.question_topics import OF_QUESTION, seen
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.grades.scales import Scales
from workbench.storage.campaign.log.erasable import id_of

_JUDGED = f"source = '{SCREEN}' AND kind IN ('grade', 'can''t tell')"
# A repeat or norming grade taken back elsewhere came in by a bundle: it has no time of a browser.
_BY_HAND = f"""(source = '{SCREEN}' OR source = '{TAKEN_BACK}' AND client_at IS NOT NULL
    OR kind = 'adjudication' AND source IN ('adjudication page', 'overruled'))"""


class GradingEvent(NamedTuple):
    """A judgment made on the screen, a changed one too: `grade` is that of the scale in force, None for can't tell and
    where it is asked again; `seconds` is None where not known.
    """

    seq: int
    at: str
    topic_id: str
    document_id: str
    grade: int | None
    seconds: float | None
    is_change: bool


class Timed(NamedTuple):
    """Who took how many active seconds for a judgment on the screen, and of which topic."""

    assessor: str
    topic_id: str
    seconds: float


def grading_events(campaign: Campaign, assessor: str) -> list[GradingEvent]:
    """What one assessor judged on the screen, in the order of the log; hidden repeats are left out."""
    rows = campaign.execute(
        f"""SELECT seq, received_at, topic, document, grade, CASE WHEN active_seconds > 0 THEN active_seconds END,
            replaces IS NOT NULL, coalesce(guideline_version, seq)
        FROM judgment WHERE assessor = :own AND seq <= :as_of AND {_JUDGED} AND {OF_QUESTION} ORDER BY seq""",
        seen(campaign, own=id_of(campaign, assessor)),
    )
    scales = Scales(campaign)
    return [GradingEvent._make((*row[:4], scales.now(row[4], row[7]), row[5], bool(row[6]))) for row in rows]


def timed(campaign: Campaign, assessor: str | None = None) -> list[Timed]:
    """The time of each judgment that has one, of all assessors or of one."""
    own = None if assessor is None else id_of(campaign, assessor)
    rows = campaign.execute(
        f"""SELECT {shown("assessor")}, topic, active_seconds FROM judgment
        WHERE active_seconds > 0 AND (:own IS NULL OR assessor = :own) AND seq <= :as_of AND {_JUDGED}
            AND {OF_QUESTION}""",
        seen(campaign, own=own),
    )
    return list(map(Timed._make, rows))


class GradeCounts(NamedTuple):
    """An assessor's pairs: with a judgment in force, "can't tell", a grade, a relevant one; and their topics."""

    assessor: str
    pairs: int
    cannot_tell: int
    graded: int
    relevant: int
    topics: int


def grade_counts(campaign: Campaign, relevant_from: int) -> list[GradeCounts]:
    """What each assessor has said, imported judgments too, by name in byte order."""
    rows = campaign.execute(
        f"""SELECT {shown("assessor")} AS assessor, count(*), total(kind = 'can''t tell'), count(grade),
            total(grade >= :relevant_from), count(DISTINCT topic) FROM (
            SELECT topic, assessor, kind, grade, max(seq) FROM judgment
            WHERE kind IN ({OWN_KINDS}) AND seq <= :as_of AND {OF_QUESTION} GROUP BY topic, document, assessor
        ) WHERE kind <> 'cleared' GROUP BY assessor ORDER BY assessor""",
        seen(campaign, relevant_from=relevant_from),
    )
    return [GradeCounts(row[0], *map(int, row[1:])) for row in rows]


def grades_of(campaign: Campaign, assessor: str) -> dict[int, int]:
    """How many pairs an assessor gave each grade that is in force."""
    return campaign.mapping(
        f"""SELECT grade, count(*) FROM (
            SELECT grade, max(seq) FROM judgment
            WHERE assessor = :own AND kind IN ({OWN_KINDS}) AND seq <= :as_of AND {OF_QUESTION}
            GROUP BY topic, document
        ) WHERE grade IS NOT NULL GROUP BY grade""",
        seen(campaign, own=id_of(campaign, assessor)),
    )


class Given(NamedTuple):
    """A row that a person gave on a page: when by the server's clock and, where it is known, by that of the browser
    (ISO 8601), the active seconds where they are known, and whether it is a hidden repeat.
    """

    assessor: str
    topic_id: str
    document_id: str
    received_at: str
    client_at: str | None
    seconds: float | None
    is_repeat: bool


def given_by_hand(campaign: Campaign, assessor: str | None = None) -> list[Given]:
    """Everything that was judged on the judging and adjudication pages, whatever became of it: grades, can't tell,
    cleared ones, hidden repeats, norming sessions and adjudications; of all assessors or of one, in the log's order.
    """
    own = None if assessor is None else id_of(campaign, assessor)
    rows = campaign.execute(
        f"""SELECT {shown("assessor")}, topic, document, received_at, client_at, active_seconds,
        kind = 'repeat' FROM judgment WHERE seq <= ? AND (? IS NULL OR assessor = ?) AND {_BY_HAND} ORDER BY seq""",
        [campaign.up_to, own, own],
    )
    return list(map(Given._make, rows))
