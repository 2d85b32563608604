"""Queries of the judgment log: the current judgments of assessors, now or as of a row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from workbench.core.records import REMAPPED, SAID_LATER, Judgment
from workbench.core.values import LARGEST_INTEGER
from workbench.storage.campaign.collection.pools import THEN, then
from workbench.storage.campaign.collection.question_topics import OF_QUESTION, seen
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS, of_pair
from workbench.storage.campaign.grades.labels import of_models
from workbench.storage.campaign.grades.sources import ADJUDICATION, IMPORT, MODEL, adjudicated
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import JUDGMENT_SELECT, STORED, judgment_of, select_judgments, up_to

_OF_PAIR = "topic = ? AND document = ? AND assessor = ?"
_LATER = quoted(SAID_LATER)
_ON_SCREEN = quoted(("grade", "can't tell", "cleared", *SAID_LATER))

NEAR = 100
"""How many of an assessor's rows are looked through, with every judgment that is stored, for one of its topic."""

_OWN_IN_FORCE = f"""SELECT max(seq) AS seq, topic, document, assessor, kind, grade FROM judgment
    WHERE kind IN ({OWN_KINDS}) AND seq <= :as_of GROUP BY topic, document, assessor"""
"""Each assessor's own judgment of each pair as of a place in the log; the columns are of the row with that `seq`."""


class InForce(NamedTuple):
    """One assessor's judgment in force for a pair: its place in the log, and its grade if it has one."""

    seq: int
    grade: int | None


def by_uuid(campaign: Campaign, uuid: str) -> Judgment | None:
    """The judgment that was sent under this uuid, if it is stored."""
    return _one(campaign, "uuid = ?", uuid)


def unknown_uuids(campaign: Campaign, uuids: Sequence[str], assessor: str) -> list[str]:
    """Those of the uuids under which no judgment of this assessor is stored, in the order given."""
    return campaign.column(
        """SELECT value FROM json_each(?) AS asked WHERE NOT EXISTS (
            SELECT 1 FROM judgment WHERE uuid = asked.value AND assessor = ?
        ) ORDER BY asked.key""",
        [json.dumps(uuids), id_of(campaign, assessor)],
    )


def current(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> Judgment | None:
    """The own judgment of an assessor for a pair that is in force (it may be a `cleared`), or None."""
    pair_of = (topic_id, document_id, id_of(campaign, assessor))
    return _one(campaign, f"{_OF_PAIR} AND kind IN ({OWN_KINDS}) ORDER BY seq DESC LIMIT 1", *pair_of)


def newest(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> Judgment | None:
    """What an assessor last said of a pair, repeats and second looks too, as it is stored; no norming sessions."""
    pair_of = (topic_id, document_id, id_of(campaign, assessor))
    return _one(
        campaign, f"{_OF_PAIR} AND kind IN ({OWN_KINDS}, {_LATER}) ORDER BY seq DESC LIMIT 1", *pair_of
    )


def rows_of_pair(campaign: Campaign, topic_id: str, document_id: str) -> list[Judgment]:
    """Every row of the judgment log on one pair, of any kind, in its order."""
    chosen = "WHERE topic = ? AND document = ? ORDER BY seq"
    return list(select_judgments(campaign, chosen, [topic_id, document_id]))


class GivenPair(NamedTuple):
    """A judgment in force: its place in the log, topic and document."""

    seq: int
    topic_id: str
    document_id: str


def last_given(campaign: Campaign, assessor: str, most: int) -> list[GivenPair]:
    """An assessor's newest judgments on the screen in force, under any scale, among their last `most`."""
    rows = campaign.execute(
        f"""SELECT seq, topic, document FROM (
            SELECT * FROM judgment WHERE assessor = :assessor AND source <> '{REMAPPED}' ORDER BY seq DESC LIMIT :most
        ) AS newest
        WHERE kind IN ('grade', 'can''t tell') AND NOT EXISTS (
            SELECT 1 FROM judgment AS later WHERE later.topic = newest.topic AND later.document = newest.document
            AND later.assessor = :assessor AND later.seq > newest.seq AND later.kind IN ({OWN_KINDS})
            AND (later.source <> '{REMAPPED}' OR later.grade IS NULL)
        ) ORDER BY seq DESC""",
        {"assessor": id_of(campaign, assessor), "most": most},
    )
    return list(map(GivenPair._make, rows))


def last_topic(campaign: Campaign, assessor: str) -> str | None:
    """The topic of what an assessor did last on the judging page; None before that."""
    return campaign.value(
        f"""SELECT topic FROM judgment WHERE assessor = ? AND kind IN ({_ON_SCREEN}) AND source <> '{REMAPPED}'
        ORDER BY seq DESC LIMIT 1""",
        [id_of(campaign, assessor)],
    )


def newest_row(campaign: Campaign, assessor: str) -> int:
    """The place in the log of an assessor's newest row, of any kind; 0 without one."""
    return campaign.number("SELECT max(seq) FROM judgment WHERE assessor = ?", [id_of(campaign, assessor)])


class Earlier(NamedTuple):
    """Of an assessor's rows before a judgment: the place of the last one that was given on the screen in its topic, if
    it is among their last NEAR, and when the one of its pair came in that is so many rows back (1 is the newest).
    """

    in_topic: int | None
    of_pair: str | None


def earlier(campaign: Campaign, judgment: Judgment, *, back: int) -> Earlier:
    """The rows of its assessor before a judgment; before a new one, all that there are."""
    row = campaign.execute(
        f"""SELECT (
            SELECT seq FROM judgment INDEXED BY judgment_assessor
            WHERE assessor = :assessor AND seq < :seq AND topic = :topic AND kind IN ({_ON_SCREEN})
            AND source <> '{REMAPPED}' AND seq > coalesce((
                SELECT seq FROM judgment WHERE assessor = :assessor AND seq < :seq
                ORDER BY seq DESC LIMIT 1 OFFSET {NEAR}
            ), 0) ORDER BY seq DESC LIMIT 1
        ), (
            SELECT received_at FROM judgment
            WHERE topic = :topic AND document = :document AND assessor = :assessor AND seq < :seq
            ORDER BY seq DESC LIMIT 1 OFFSET :back
        )""",
        {
            "assessor": id_of(campaign, judgment.assessor),
            "seq": judgment.seq or LARGEST_INTEGER,
            "topic": judgment.topic_id,
            "document": judgment.document_id,
            "back": back - 1,
        },
    ).fetchone()
    return Earlier(*row)


def current_of_topic(campaign: Campaign, topic_id: str, *, models: bool = False) -> list[Judgment]:
    """Assessors' judgments in force of a topic, without adjudications, with `models`' newest, in the log's order."""
    kinds = f"{OWN_KINDS}, 'model'" if models else OWN_KINDS
    newest = f"""JOIN (
        SELECT max(seq) AS seq FROM judgment WHERE topic = ? AND seq <= ? AND kind IN ({kinds})
        GROUP BY document, assessor, kind = 'model'
    ) USING (seq) ORDER BY seq"""
    return list(select_judgments(campaign, newest, [topic_id, campaign.up_to]))


def in_force_of(
    campaign: Campaign, assessor: str, *, kind: str | None = None
) -> dict[tuple[str, str], InForce]:
    """All own judgments in force of one assessor, by topic and document, or the newest of one kind."""
    kinds = OWN_KINDS if kind is None else quoted((kind,))
    rows = campaign.execute(
        f"""SELECT topic, document, max(seq), grade FROM judgment
        WHERE assessor = ? AND kind IN ({kinds}) GROUP BY topic, document""",
        [id_of(campaign, assessor)],
    )
    return {(topic, document): InForce(seq, grade) for topic, document, seq, grade in rows}


def log(campaign: Campaign, *, after: int = 0) -> Iterator[Judgment]:
    """The judgment log in its order, the rows after `after` up to then."""
    return select_judgments(campaign, "WHERE seq > ? AND seq <= ? ORDER BY seq", [after, campaign.up_to])


def log_of_topic(campaign: Campaign, topic_id: str) -> list[tuple[int, str, str, str, int | None]]:
    """`seq`, document, assessor, kind and grade of each row of the judgment log on one topic, in its order."""
    return campaign.execute(
        "SELECT seq, document, assessor, kind, grade FROM judgment WHERE topic = ? ORDER BY seq", [topic_id]
    ).fetchall()


def each_of_view_of_qrels(campaign: Campaign) -> Iterator[tuple[str, str, int]]:
    """Topic, document and grade that the file's own view `qrel` says, a row at a time, in byte order of both."""
    return campaign.execute("SELECT topic, document, grade FROM qrel ORDER BY topic, document")


def seqs_of_view_of_current(campaign: Campaign, topic_id: str) -> list[tuple[int, int]]:
    """`seq` of each row of this view on a topic, and whether it equals the log's row: 1 or 0."""
    view, row = (", ".join(f"{table}.{column}" for column in STORED) for table in ("current", "judgment"))
    return campaign.execute(
        f"""SELECT current.seq, ({view}) IS ({row})
        FROM current_judgment AS current LEFT JOIN judgment ON judgment.seq = current.seq
        WHERE current.topic = ? ORDER BY current.seq""",
        [topic_id],
    ).fetchall()


def judged_on_other_texts(campaign: Campaign) -> Iterator[tuple[int, str, str]]:
    """Place in the log, document and text's hash of every judgment that names another text than is stored now."""
    return campaign.execute(
        """SELECT judgment.seq, judgment.document, judgment.text_hash FROM judgment LEFT JOIN document USING (document)
        WHERE judgment.text_hash IS NOT NULL AND judgment.text_hash IS NOT iif(text IS NULL, NULL, document.text_hash)
        ORDER BY judgment.seq"""
    )


def standing_on_other_texts(campaign: Campaign) -> list[Judgment]:
    """The judgments and adjudications in force that name another text than is stored now, in the order of the log."""
    rows = campaign.execute(
        f"""WITH newest AS (
            SELECT max(seq) AS seq FROM judgment WHERE kind IN ({OWN_KINDS}) GROUP BY topic, document, assessor
            UNION ALL SELECT max(seq) FROM judgment WHERE kind = '{ADJUDICATION}' GROUP BY topic, document
        )
        SELECT {JUDGMENT_SELECT} FROM newest CROSS JOIN judgment USING (seq) JOIN document USING (document)
        WHERE (grade IS NOT NULL OR kind = 'can''t tell') AND judgment.text_hash <> document.text_hash
        ORDER BY seq"""
    )
    return list(map(judgment_of, rows))


def without_a_text_named(campaign: Campaign) -> int:
    """How many judgments of assessors name no text on which they were made."""
    return campaign.number(
        "SELECT count(*) FROM judgment WHERE text_hash IS NULL AND kind NOT IN (?, ?)", (IMPORT, MODEL)
    )


def judged_pairs(campaign: Campaign) -> list[tuple[str, str]]:
    """Topic and document of every pair that is adjudicated or has a judgment in force, a grade or can't tell."""
    own = campaign.execute(
        f"SELECT DISTINCT topic, document FROM ({_OWN_IN_FORCE}) WHERE kind <> 'cleared'",
        {"as_of": campaign.up_to},
    )
    return sorted({*own.fetchall(), *adjudicated(campaign)})


def without_grade(campaign: Campaign, *, pair: tuple[str, str] | None = None) -> set[tuple[str, str]]:
    """The pooled pairs that are judged, but have no grade: who judged them could not tell; or `pair` if it is one."""
    one = "" if pair is None else "AND judgment.topic = :topic AND judgment.document = :document"
    topic_id, document_id = pair or ("", "")
    rows = campaign.execute(
        f"""WITH asked AS MATERIALIZED (
            SELECT DISTINCT topic, document FROM judgment INDEXED BY judgment_cannot_tell
            JOIN {THEN} AS then_pooled USING (topic, document)
            WHERE kind = 'can''t tell' AND judgment.seq <= :as_of {one}
        )
        SELECT topic, document FROM (
            SELECT topic, document, kind, grade, max(seq) FROM asked CROSS JOIN judgment USING (topic, document)
            WHERE kind IN ({OWN_KINDS}) AND seq <= :as_of GROUP BY topic, document, assessor
        ) GROUP BY topic, document HAVING count(grade) = 0 AND max(kind = 'can''t tell')""",
        then(campaign, topic=topic_id, document=document_id),
    )
    found = set(rows.fetchall())
    if not found:
        return found
    return found - adjudicated(campaign).keys() - {label.pair for label in of_models(campaign)}


def stands(campaign: Campaign, topic_id: str, document_id: str) -> bool:
    """Whether some assessor's judgment of this pair stands: a grade, or can't tell; or it is adjudicated."""
    return bool(of_pair(campaign, topic_id, document_id) or adjudicated(campaign, topic_id, document_id))


def number_between(campaign: Campaign, after: int, last: int | None = None) -> int:
    """How many rows of judgments the log has after the row `after`, up to `last` or to its end."""
    return campaign.number("SELECT count(*) FROM judgment WHERE seq > ? AND seq <= ?", [after, up_to(last)])


def active_time(campaign: Campaign) -> dict[str, tuple[int, float]]:
    """How many judgments on the screen say how long they took, and their active seconds, by assessor."""
    rows = campaign.execute(
        f"""SELECT {shown("assessor")} AS name, count(*), total(active_seconds) FROM judgment
        WHERE active_seconds > 0 AND source = 'screen' AND kind IN ('grade', 'can''t tell') GROUP BY name"""
    )
    return {name: (count, seconds) for name, count, seconds in rows}


def _one(campaign: Campaign, condition: str, *values: Any) -> Judgment | None:
    return next(select_judgments(campaign, f"WHERE {condition}", values), None)


def times_given(campaign: Campaign, kind: str | None = None) -> dict[int, int]:
    """How many rows of the log give each grade, of one kind or of any; grades that were never given are left out."""
    return campaign.mapping(
        f"""SELECT grade, count(*) FROM judgment WHERE grade IS NOT NULL AND :kind IN (kind, '') AND {OF_QUESTION}
        GROUP BY grade ORDER BY grade""",
        seen(campaign, kind=kind or ""),
    )


def times_given_by(campaign: Campaign, grade: int) -> dict[str, int]:
    """How many rows of the log give a grade, by assessor; the assessor with the most comes first."""
    return campaign.mapping(
        f"SELECT {shown('assessor')} AS name, count(*) FROM judgment WHERE grade = :grade AND {OF_QUESTION} "
        "GROUP BY assessor ORDER BY count(*) DESC, name",
        seen(campaign, grade=grade),
    )
