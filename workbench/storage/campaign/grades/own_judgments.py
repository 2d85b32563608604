"""What one assessor has judged, newest first: searched, filtered, and with what it replaced; as they gave it, so that
a hidden repeat looks like a change of mind.

One walk over the index of an assessor's rows answers each question; what is shown of a page is looked up by `seq`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench.core.normal_forms import normal_form
from workbench.core.records import REPEAT, SAID_LATER, TAKEN_BACK, Judgment
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted
from workbench.storage.campaign.grades.current_judgments import INDEPENDENT_KINDS
from workbench.storage.campaign.log.erasable import COMMENT, RATIONALES, id_of
from workbench.storage.campaign.log.log import JUDGMENT_SELECT, judgment_of, select_judgments

_OWN = quoted((*INDEPENDENT_KINDS, *SAID_LATER))

_KIND = f"""CASE WHEN judgment.kind NOT IN ({quoted(SAID_LATER)}) THEN judgment.kind
        WHEN judgment.grade IS NOT NULL THEN 'grade'
        WHEN judgment.source = '{TAKEN_BACK}' THEN 'cleared' ELSE 'can''t tell' END"""
"""A repeat is hidden: its assessor sees it as they gave it."""

_GRADE = """CASE WHEN judgment."left" = 'second' AND judgment.grade IN (1, 2) THEN 3 - judgment.grade
        ELSE judgment.grade END"""
"""As `workbench.core.battles.seen_from`: a preference by the sides that its assessor saw."""

_NEWEST = f"""judgment.assessor = :assessor AND judgment.kind IN ({_OWN}) AND NOT EXISTS (
        SELECT 1 FROM judgment AS newer
        WHERE newer.topic = judgment.topic AND newer.document = judgment.document
        AND newer.assessor = judgment.assessor AND newer.seq > judgment.seq AND newer.kind IN ({_OWN}) {{alike}})"""

_IN_FORCE = _NEWEST.format(alike="")
_GIVEN = _NEWEST.format(
    alike=f"AND (newer.kind = 'cleared' OR (newer.kind = '{REPEAT}') = (judgment.kind = '{REPEAT}'))"
)
"""What is counted: a pair that was judged again is two, as where its assessor judges, so that no count falls."""

_WORDS = f"""judgment.document || char(10) || coalesce(document.title, '') || char(10) || {COMMENT}
        || char(10) || coalesce((SELECT group_concat(text, char(10)) FROM rationale
        WHERE rationale.judgment = judgment.seq), '')"""


class JudgmentFilter(NamedTuple):
    """Which of an assessor's judgments in force are asked for: those that fit to everything that is set.

    Without a `kind` all but the cleared ones fit. Each word of `text` has to be in the document's id or title,
    the note or the rationales, in large or small letters of any script.
    """

    topic_id: str | None = None
    kind: str | None = None
    grade: int | None = None
    note: bool = False
    rationale: bool = False
    same_as: bool = False
    text: str = ""


class Tally(NamedTuple):
    """How many judgments in force an assessor has of one topic, kind and grade; a pair judged again has two."""

    topic_id: str
    kind: str
    grade: int | None
    judgments: int


class Entry(NamedTuple):
    """A judgment in force with the document's title, and whether the pair is pooled, so that it can be opened.

    `title` is "" where the campaign has no text; `earlier` are this assessor's judgments of the pair before it,
    newest first.
    """

    judgment: Judgment
    title: str
    pooled: bool
    earlier: list[Judgment]


def tallies(campaign: Campaign, assessor: str) -> list[Tally]:
    """An assessor's judgments in force, counted by topic (in byte order), kind and grade; cleared ones too."""
    rows = campaign.execute(
        f"""SELECT topic, {_KIND} AS given, {_GRADE} AS said, count(*) FROM judgment WHERE {_GIVEN}
        GROUP BY topic, given, said ORDER BY topic, given, said""",
        {"assessor": id_of(campaign, assessor)},
    )
    return [Tally(*row) for row in rows]


def matching(campaign: Campaign, assessor: str, wanted: JudgmentFilter) -> list[int]:
    """The `seq` of an assessor's judgments in force that are wanted, newest first."""
    return campaign.column(statement(wanted), _values(campaign, assessor, wanted))


def count(campaign: Campaign, assessor: str, wanted: JudgmentFilter) -> int:
    """How many of an assessor's judgments are wanted, as `tallies` counts them."""
    found = f"SELECT count(*) FROM ({statement(wanted, _GIVEN)})"
    return campaign.number(found, _values(campaign, assessor, wanted))


def entries(campaign: Campaign, seqs: Sequence[int]) -> list[Entry]:
    """The judgments of these places in the log, in the given order, with what is shown beside them."""
    return [_entry(campaign, seq) for seq in seqs]


def statement(wanted: JudgmentFilter, which: str = _IN_FORCE) -> str:
    """The SQL of `matching`: only the conditions that are asked for, so that each can use its index."""
    conditions = [
        which,
        f"{_KIND} = :kind" if wanted.kind else f"{_KIND} <> 'cleared'",
        *(["judgment.topic = :topic"] if wanted.topic_id is not None else []),
        *([f"{_GRADE} = :grade"] if wanted.grade is not None else []),
        *([f"{COMMENT} <> ''"] if wanted.note else []),
        *([f"{RATIONALES} IS NOT NULL"] if wanted.rationale else []),
        *(["judgment.same_as IS NOT NULL"] if wanted.same_as else []),
        *([f"found_in({_WORDS})"] if wanted.text.strip() else []),
    ]
    joined = "JOIN document ON document.document = judgment.document" if wanted.text.strip() else ""
    return f"""SELECT judgment.seq FROM judgment {joined}
    WHERE {" AND ".join(conditions)} ORDER BY judgment.seq DESC"""


def _values(campaign: Campaign, assessor: str, wanted: JudgmentFilter) -> dict[str, object]:
    if wanted.text.strip():
        campaign.db.conn.create_function("found_in", 1, _finder(wanted.text))
    given = {"topic": wanted.topic_id, "kind": wanted.kind, "grade": wanted.grade}
    return {"assessor": id_of(campaign, assessor)} | {
        name: value for name, value in given.items() if value is not None
    }


def _finder(text: str) -> Callable[[str], bool]:
    """SQLite itself knows large and small letters of English only."""
    words = _folded(text).split()
    return lambda value: all(word in folded for folded in [_folded(value)] for word in words)


def _folded(text: str) -> str:
    return normal_form("NFKC", normal_form("NFKC", text).casefold())


def _entry(campaign: Campaign, seq: int) -> Entry:
    row = campaign.execute(
        f"""SELECT {JUDGMENT_SELECT}, coalesce(document.title, ''), EXISTS (
            SELECT 1 FROM pooled WHERE pooled.topic = judgment.topic AND pooled.document = judgment.document)
        FROM judgment JOIN document USING (document) WHERE judgment.seq = ?""",
        [seq],
    ).fetchone()
    *stored, title, pooled = row
    judgment = judgment_of(stored)
    return Entry(judgment.as_given(), title, bool(pooled), _earlier(campaign, judgment))


def _earlier(campaign: Campaign, judgment: Judgment) -> list[Judgment]:
    rows = select_judgments(
        campaign,
        f"WHERE topic = ? AND document = ? AND assessor = ? AND seq < ? AND kind IN ({_OWN}) ORDER BY seq DESC",
        [judgment.topic_id, judgment.document_id, id_of(campaign, judgment.assessor), judgment.seq],
    )
    return [row.as_given() for row in rows]
