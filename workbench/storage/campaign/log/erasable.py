"""What can be erased without breaking the chain of hashes: the names of people, and the words of judgments.

The log has a random id for each person, and the table `person` their names, which can be corrected, hidden and erased
there, since no hash covers them. All functions outside this package take and give names; `Ids` turns names into ids
where rows are written or compared, `shown` is the SQL that turns an id into the name that is displayed.

Comments and rationales are beside the log, whose rows have salted hashes of them. Without its salt a hash reveals
nothing, and the salt is erased with the words.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from workbench.storage.campaign.file.connection import Campaign

NAMED, HIDDEN, ERASED = "named", "hidden", "erased"

ID_BYTES = 8
"""Random bytes of an id, which is written in hexadecimal digits behind a `p`."""


class Person(NamedTuple):
    """A person that the log names by `id`: the name that signs in (None once erased), and the one that is shown."""

    id: str
    name: str | None
    shown: str
    state: str


ID_OF = """coalesce((SELECT id FROM person WHERE name = ?1), (SELECT id FROM person WHERE shown = ?1), ?1)"""
"""The id of the person whose name is the first parameter of a statement, as `id_of` gives it."""


def id_of(campaign: Campaign, name: str) -> str:
    """The id of the person who signs in under a name, or is shown by it; the name itself where it has no id."""
    return campaign.ids.get(name) or campaign.once(
        ("id", name), lambda: str(campaign.execute(f"SELECT {ID_OF}", [name]).fetchone()[0])
    )


def find(campaign: Campaign, name: str) -> Person | None:
    """The person who signs in under a name, or is shown by it; None where the log has no id for it."""
    row = campaign.execute(
        "SELECT id, name, shown, state FROM person WHERE id = ?", [id_of(campaign, name)]
    ).fetchone()
    return None if row is None else Person(*row)


def names_version(campaign: Campaign) -> int:
    """A number that grows whenever a name is corrected, hidden or erased: what was read before may name them still."""
    return campaign.once("names", lambda: campaign.number("PRAGMA user_version"), only_in_transactions=True)


class Ids(dict[str, str]):
    """The id of each name for rows to write, made inside the open write transaction; "" is its own id."""

    def __init__(self, campaign: Campaign) -> None:
        super().__init__({"": ""})
        self._campaign = campaign

    def __missing__(self, name: str) -> str:
        found = id_of(self._campaign, name)
        if found == name:
            found = f"p{secrets.token_hex(ID_BYTES)}"
            self._campaign.execute(
                "INSERT INTO person (id, name, shown) VALUES (?, ?, ?)", [found, name, name]
            )
        self[name] = found
        return found


class ShownNames(dict[str, str]):
    """The name that is shown for each id; `known` are names that others know already, and get what is found here."""

    def __init__(self, campaign: Campaign, known: dict[str, str] | None = None) -> None:
        super().__init__()
        self._campaign, self._known = campaign, {} if known is None else known

    def __missing__(self, id_: str) -> str:
        if id_ and id_ not in self._known:
            row = self._campaign.execute("SELECT shown FROM person WHERE id = ?", [id_]).fetchone()
            if row is None:
                return id_
            self._known[id_] = str(row[0])
        self[id_] = self._known.get(id_, id_)
        return self[id_]


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


def put_remarks(campaign: Campaign, remarks: list[Remark]) -> None:
    """Store words, inside the open write transaction; their judgments are stored already."""
    campaign.db.conn.executemany(
        "INSERT INTO remark (judgment, salt, comment, rationales) VALUES (?, ?, ?, ?)", remarks
    )


def erase_remarks(campaign: Campaign, assessor: str) -> int:
    """Erase the words of an assessor, named by id, inside the open write transaction; of how many judgments."""
    own = "SELECT seq FROM judgment WHERE assessor = ?"
    campaign.execute(f"DELETE FROM rationale WHERE judgment IN ({own})", [assessor])
    return campaign.execute(
        f"""UPDATE remark SET salt = NULL, comment = NULL, rationales = NULL
        WHERE judgment IN ({own}) AND salt IS NOT NULL""",
        [assessor],
    ).rowcount


def number_of_remarks(campaign: Campaign, assessor: str) -> int:
    """How many judgments of an assessor, named by id, have words that can be erased."""
    return campaign.number(
        """SELECT count(*) FROM remark JOIN judgment ON judgment.seq = remark.judgment
        WHERE judgment.assessor = ? AND remark.salt IS NOT NULL""",
        [assessor],
    )


def wrong_remarks(campaign: Campaign) -> Iterator[tuple[int, str, bool]]:
    """Judgments whose words are not those that the log has hashes of: `seq`, assessor's id, and if they are erased."""
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
            yield seq, assessor, erased


def _sealed(salt: bytes, words: str) -> str:
    return SEALED + sha256(salt + words.encode()).hexdigest()


def as_json(value: Any) -> str:
    """JSON as the log has it: without blanks, and with letters of any script as they are."""
    return _encoder.encode(value)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
