"""Hidden repeats in the log: which pairs can be repeated, and what was said of them again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.core.records import REMAPPED, REPEAT, SCREEN, TAKEN_BACK, Judgment
from workbench.core.values import LARGEST_INTEGER
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades import shown_labels
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import select_judgments

_NOT_CLEARED = """NOT EXISTS (
        SELECT 1 FROM judgment AS cleared WHERE cleared.topic = judgment.topic AND cleared.document = judgment.document
        AND cleared.assessor = judgment.assessor AND cleared.seq > judgment.seq AND cleared.kind = 'cleared'
    )"""
"""Where a judgment was cleared after its repeat, since its text or the scale changed, the pair is to be judged again at
first: the repeat is over.
"""


class RepeatedJudgment(NamedTuple):
    """What an assessor said of a pair, and what they said when they were shown it again; None is no grade."""

    topic_id: str
    document_id: str
    assessor: str
    first: int | None
    again: int | None


def newest_repeats(
    campaign: Campaign, assessor: str, topic_id: str | None = None, kinds: Sequence[str] = (REPEAT,)
) -> list[Judgment]:
    """An assessor's newest repeat of each pair, or of some kinds, of all topics or one, in the log's order."""
    newest = f"""JOIN (
        SELECT max(seq) AS seq FROM judgment WHERE assessor = :assessor AND kind IN ({quoted(kinds)}) AND {_NOT_CLEARED}
        {"AND topic = :topic" if topic_id is not None else ""} GROUP BY topic, document
    ) USING (seq) ORDER BY seq"""
    values = {"assessor": id_of(campaign, assessor)} | ({} if topic_id is None else {"topic": topic_id})
    return list(select_judgments(campaign, newest, values))


def has_repeat(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> bool:
    """Whether an assessor has judged a pair again."""
    found = campaign.number(
        f"""SELECT count(*) FROM judgment WHERE topic = ? AND document = ? AND assessor = ? AND kind = 'repeat'
        AND {_NOT_CLEARED}""",
        [topic_id, document_id, id_of(campaign, assessor)],
    )
    return found > 0


def nth_newest(campaign: Campaign, assessor: str, number: int, upto: int = LARGEST_INTEGER) -> int:
    """The `seq` of an assessor's newest counting judgment up to row `upto` but `number` (0 is the newest); 0 when there
    are fewer. Rows of another scale were not given by their assessor.
    """
    return campaign.number(
        f"""SELECT seq FROM judgment
        WHERE assessor = ? AND kind IN ({OWN_KINDS}) AND source <> '{REMAPPED}' AND seq <= ?
        ORDER BY seq DESC LIMIT 1 OFFSET ?""",
        [id_of(campaign, assessor), upto, number],
    )


def repeatable(
    campaign: Campaign, assessor: str, last: int = LARGEST_INTEGER, topic_id: str | None = None
) -> list[tuple[str, str]]:
    """The pairs, in byte order, that an assessor graded independently on the screen up to row `last`, and not again.

    A grade that was copied from a near duplicate carries no information on self-agreement, nor one after which a
    model's label was shown.
    """
    rows = campaign.execute(
        f"""SELECT topic, document FROM (
            SELECT topic, document, max(seq) AS seq, kind, source, same_as FROM judgment
            WHERE assessor = :assessor AND kind IN ({OWN_KINDS}) {"AND topic = :topic" if topic_id is not None else ""}
            GROUP BY topic, document
        ) AS own WHERE kind = 'grade' AND source IN ('{SCREEN}', '{REMAPPED}') AND same_as IS NULL AND seq <= :last
        AND NOT EXISTS (
            SELECT 1 FROM judgment WHERE topic = own.topic AND document = own.document
            AND assessor = :assessor AND kind = 'repeat'
        ) ORDER BY topic, document""",
        {"assessor": id_of(campaign, assessor), "last": last}
        | ({} if topic_id is None else {"topic": topic_id}),
    )
    shown = shown_labels.shown_to(campaign, assessor)
    return [pair for pair in rows if pair not in shown]


def pair_at(campaign: Campaign, seq: int) -> tuple[str, str] | None:
    """The topic and document of the judgment at a place in the log."""
    row = campaign.execute("SELECT topic, document FROM judgment WHERE seq = ?", [seq]).fetchone()
    return (row[0], row[1]) if row else None


def assessors_on_screen(campaign: Campaign) -> list[str]:
    """Who has judged on the screen, in byte order."""
    return campaign.column(
        f"SELECT DISTINCT {shown('assessor')} AS assessor FROM judgment WHERE source = '{SCREEN}' ORDER BY assessor"
    )


def repeated_judgments(campaign: Campaign) -> list[RepeatedJudgment]:
    """What assessors said of the pairs they were shown again, in byte order of topic, document and assessor.

    `again` is the newest repeat up to then, `first` the assessor's own judgment in force at that row, on the same
    scale. Repeats that were taken back are left out.
    """
    rows = campaign.execute(
        f"""SELECT topic, document, {shown("assessor")} AS assessor, (
            SELECT grade FROM judgment AS first
            WHERE first.topic = again.topic AND first.document = again.document AND first.assessor = again.assessor
            AND first.kind IN ({OWN_KINDS}) AND first.seq < again.seq ORDER BY seq DESC LIMIT 1
        ), grade FROM (
            SELECT topic, document, assessor, grade, source, max(seq) AS seq FROM judgment
            WHERE kind = 'repeat' AND seq <= :as_of GROUP BY topic, document, assessor
        ) AS again
        WHERE source <> '{TAKEN_BACK}' ORDER BY topic, document, assessor""",
        {"as_of": campaign.up_to},
    )
    return list(map(RepeatedJudgment._make, rows))
