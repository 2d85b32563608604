"""Comments and rationales of judgments: words beside the log, whose rows have salted hashes of them.

So words can be erased without breaking the chain of hashes. Without its salt a hash reveals nothing, and the salt is
erased with the words.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from workbench.storage.campaign.file.connection import Campaign

SALT_BYTES = 16
SEALED = "sha256:"
"""What the hash of words begins with, where a row of the log has it in the place of the words."""

COMMENT = """CASE WHEN judgment.comment = '' THEN '' ELSE coalesce((
        SELECT coalesce(remark.comment, '') FROM remark WHERE remark.judgment = judgment.seq
    ), judgment.comment) END"""
RATIONALES = f"""CASE WHEN judgment.rationales LIKE '{SEALED}%' THEN (
        SELECT remark.rationales FROM remark WHERE remark.judgment = judgment.seq
    ) ELSE judgment.rationales END"""
"""SQL expressions of a judgment's words, "" and NULL where there are none or they are erased."""


class Remark(NamedTuple):
    """The words of a judgment as the table `remark` has them: its place in the log, salt, comment and rationales."""

    judgment: int
    salt: bytes
    comment: str
    rationales: str | None

    def sealed(self, row: tuple[Any, ...], comment: int, rationales: int) -> tuple[Any, ...]:
        """A row of the log with hashes in the place of the words, which are at these places."""
        values = list(row)
        values[comment] = _sealed(self.salt, self.comment) if self.comment else ""
        values[rationales] = _sealed(self.salt, self.rationales) if self.rationales else None
        return tuple(values)


def remark_of(seq: int, comment: str, rationales: str | None) -> Remark:
    """The words of a judgment, which has some, with a salt of their own."""
    return Remark(seq, secrets.token_bytes(SALT_BYTES), comment, rationales)


def put(campaign: Campaign, remarks: list[Remark]) -> None:
    """Store words, inside the open write transaction; their judgments are stored already."""
    campaign.db.conn.executemany(
        "INSERT INTO remark (judgment, salt, comment, rationales) VALUES (?, ?, ?, ?)", remarks
    )


def erase(campaign: Campaign, assessor: str) -> int:
    """Erase the words of all judgments of an assessor, named by id, inside the open write transaction.

    Returns how many judgments had some.
    """
    own = "SELECT seq FROM judgment WHERE assessor = ?"
    campaign.execute(f"DELETE FROM rationale WHERE judgment IN ({own})", [assessor])
    return campaign.execute(
        f"""UPDATE remark SET salt = NULL, comment = NULL, rationales = NULL
        WHERE judgment IN ({own}) AND salt IS NOT NULL""",
        [assessor],
    ).rowcount


def number_of(campaign: Campaign, assessor: str) -> int:
    """How many judgments of an assessor, named by id, have words that can be erased."""
    return campaign.number(
        """SELECT count(*) FROM remark JOIN judgment ON judgment.seq = remark.judgment
        WHERE judgment.assessor = ? AND remark.salt IS NOT NULL""",
        [assessor],
    )


class WrongRemark(NamedTuple):
    """A judgment whose words are not those that its row of the log has the hash of; `erased` where they are gone."""

    seq: int
    assessor: str
    erased: bool


def wrong(campaign: Campaign) -> Iterator[WrongRemark]:
    """Judgments whose words are missing, erased or not those that the log's row has hashes of; ids name assessors."""
    rows = campaign.execute(
        """SELECT judgment.seq, judgment.assessor, judgment.comment, judgment.rationales,
            remark.judgment, remark.salt, remark.comment, remark.rationales
        FROM judgment LEFT JOIN remark ON remark.judgment = judgment.seq
        WHERE judgment.comment <> '' OR judgment.rationales IS NOT NULL OR remark.judgment IS NOT NULL
        ORDER BY judgment.seq"""
    )
    for seq, assessor, comment, rationales, there, salt, said, pieces in rows:
        erased = there is not None and (salt, said, pieces) == (None, None, None)
        holds = (
            not erased
            and salt is not None
            and (
                comment == (_sealed(salt, said) if said else ""),
                rationales == (_sealed(salt, pieces) if pieces else None),
            )
            == (True, True)
        )
        if not holds:
            yield WrongRemark(seq, assessor, erased)


def _sealed(salt: bytes, words: str) -> str:
    return SEALED + sha256(salt + words.encode()).hexdigest()


def as_json(value: Any) -> str:
    """JSON as the log has it: without blanks, and with letters of any script as they are."""
    return _encoder.encode(value)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
