"""A person gets everything that is stored about them, and nothing of other people."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.judged_pairs import judge_as
from tests.sentences import refused
from workbench.core.errors import NotThere
from workbench.people.accounts import Accounts
from workbench.people.personal_data import known_name, personal_data
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.grades import judging_again, judgments
from workbench.storage.campaign.log.log import append_judgments
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.storage.campaign.people.stored_about import part_about

ME, OTHER = "Marker Person", "Other Person"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

NAMELESS = frozenset(
    """
    act address at browser campaign client_at code_hash comment confirmed_at content created_at declined_at
    description detail document documents expires_at failure field fields file first header input kind left local log
    made_at marked media_type message model_answer.model name_key narrative parameters part password_hash path
    person.id person.name person.shown person.state preference.name prompt_sha256 purpose
    rankings_sha256 rationales received_at role runs same_as secret setting.name sha256 source started_at strategy
    stratum tag taken_at team term text text_hash through ties title token_hash topic topics until used_at
    uuid value viewing withdrawn_at account.language webhook.read webhook.url webhook_message.attempts
    webhook_message.body webhook_message.due_at webhook_message.event webhook_message.id
    identity.issuer identity.subject
    """.split()
)
"""Columns of text that do not name a person; with the table in front where another table has a person in it."""

FIXED = {"content": "{}", "rationales": None, "at_terminal": 0}
"""Columns in which not every value means something."""


class Planted:
    """What was written into a file: for each column that may name a person a row, with a word that is nowhere else."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.words: dict[str, str] = {}

    def plant(self) -> None:
        """Fill every table, without its rules."""
        for (trigger,) in self.connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall():
            self.connection.execute(f"DROP TRIGGER {trigger}")
        self.connection.executescript("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;")
        for table in tables(self.connection):
            for column in naming_columns(self.connection, table):
                self._row(table, column)
        self.connection.commit()

    def _row(self, table: str, named: str) -> None:
        word = f"{table}-{named}-{len(self.words)}"
        values: dict[str, Any] = {}
        fixed = FIXED | ({"name": "a note on the recipient"} if named in ("used_by", "account") else {})
        for number, (column, kind) in enumerate(columns(self.connection, table)):
            if column in fixed:
                values[column] = fixed[column]
            elif kind == "TEXT" and column in naming_columns(self.connection, table):
                values[column] = ME if column == named else OTHER
            elif kind == "TEXT":
                values[column] = word
            else:
                values[column] = {"BLOB": bytes(32)}.get(kind, 1000 * (1 + len(self.words)) + number)
        names = ", ".join(f'"{column}"' for column in values)
        marks = ", ".join("?" * len(values))
        self.connection.execute(
            f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", list(values.values())
        )
        self.words[f"{table}.{named}"] = word


def tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return [name for (name,) in rows.fetchall() if not name.startswith(("sqlite", "_"))]


def columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0", [table])
    return [(str(name), str(kind)) for name, kind in rows.fetchall()]


def naming_columns(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns that may hold a person's name: all text that is not known to be something else."""
    return [
        column
        for column, kind in columns(connection, table)
        if kind == "TEXT" and not {column, f"{table}.{column}"} & NAMELESS
    ]


def document(name: str, campaign: Campaign, accounts: Accounts | None, folder: Path) -> dict[str, Any]:
    pieces = personal_data(name, [campaign], accounts, jobs=folder / "jobs", request_log={})
    found: dict[str, Any] = json.loads("".join(pieces))
    return found


def test_a_name_in_any_column_of_any_table_is_found_by_the_export(
    small: Campaign, accounts: Accounts, tmp_path: Path
) -> None:
    in_campaign, in_accounts = Planted(small.db.conn), Planted(accounts.db.conn)
    in_campaign.plant()
    in_accounts.plant()
    assert {"judgment.assessor", "event.actor", "member.name", "claim.assessor"} <= in_campaign.words.keys()
    assert {"link.made_by", "link.used_by", "act.actor", "session.name"} <= in_accounts.words.keys()
    found = document(ME, small, accounts, tmp_path)
    (rows,) = found["campaigns"]
    missing = [
        place
        for planted, given in ((in_campaign, rows), (in_accounts, found["accounts"]))
        for place, word in planted.words.items()
        if word not in json.dumps(given)
    ]
    # Of recovery codes there is nothing but the number; who was invited by a person is not about that person.
    assert missing == ["account.invited_by", "recovery_code.name"]
    assert len(found["accounts"]["recovery_code"]) == 1
    assert OTHER not in json.dumps(found)
    assert json.dumps(found["accounts"]["link"]).count("a note on the recipient") == 2


@pytest.fixture
def judged(small: Campaign) -> Campaign:
    """A campaign in which Anna and Ben judged the same pairs differently, and Olga gave them work."""
    with small.write():
        members.put(small.by("olga", NOW), "anna", "assessor")
        members.put(small.by("olga", NOW), "ben", "assessor")
        assignments.put(small.by("olga", NOW), [], [("1", "whole", "anna"), ("2", "whole", "ben")])
        settings.change(small.by("olga", NOW), {"searchers": ["anna", "ben"]})
        assignments.close_topics(small.by("anna", NOW), ["10"], reason="my reason")
    judge_as(small, "anna", "1", "d1", 2, comment="what anna wrote")
    judge_as(small, "ben", "1", "d1", 0, comment="what ben wrote")
    return small


def test_a_person_gets_their_judgments_and_what_the_log_says_of_them_alone(
    judged: Campaign, tmp_path: Path
) -> None:
    (found,) = document("anna", judged, None, tmp_path)["campaigns"]
    assert [
        (row["topic_id"], row["document_id"], row["grade"], row["comment"]) for row in found["judgment"]
    ] == [("1", "d1", 2, "what anna wrote")]
    assert [(row["actor"], row["kind"], row["content"]) for row in found["event"]] == [
        ("another person", "member", {"name": "anna", "role": "assessor"}),
        ("another person", "assignment", {"assigned": [["1", "whole", "anna"]]}),
        ("another person", "settings", {"searchers": ["anna", "another person"]}),
        ("anna", "closing", {"reason": "my reason"}),
    ]
    assert [row["topic"] for row in found["assignment"]] == ["1"]
    text = json.dumps(found)
    assert ("ben" in text, "olga" in text) == (False, False)


def test_reading_changes_nothing(judged: Campaign, accounts: Accounts, tmp_path: Path) -> None:
    before = list(judged.db.conn.iterdump())
    document("anna", judged, accounts, tmp_path)
    assert list(judged.db.conn.iterdump()) == before


def test_a_request_to_judge_again_names_the_pair_and_not_why_or_who_else(
    judged: Campaign, tmp_path: Path
) -> None:
    with judged.write():
        judging_again.put(
            judged.by("olga", NOW), [("1", "d2", "anna"), ("1", "d3", "ben")], reason="ben was wrong"
        )
    (found,) = document("anna", judged, None, tmp_path)["campaigns"]
    assert found["event"][-1]["content"] == {"pairs": [["1", "d2", "anna"]]}


def test_a_hidden_repeat_looks_like_any_other_judgment(judged: Campaign, tmp_path: Path) -> None:
    first = judgments.newest(judged, "1", "d1", "anna")
    assert first is not None
    with judged.write():
        append_judgments(judged, [first._replace(uuid="again", grade=1).off_record("repeat")])
    (found,) = document("anna", judged, None, tmp_path)["campaigns"]
    assert [(row["kind"], row["source"], row["grade"]) for row in found["judgment"]] == [
        ("grade", "screen", 2),
        ("grade", "screen", 1),
    ]


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ({"name": "anna", "role": "assessor"}, {"name": "anna", "role": "assessor"}),
        ({"name": "ben", "role": "assessor"}, None),
        ({"pairs": [["1", "d1", "anna"], ["1", "d1", "ben"]], "why": "x"}, {"pairs": [["1", "d1", "anna"]]}),
        (["anna", "ben"], ["anna", "another person"]),
        ({"by": {"anna": 2, "ben": 1}}, {"by": {"anna": 2}}),
        ("annabel", None),
        (7, None),
    ],
)
def test_of_an_event_the_parts_that_name_the_person_are_given(content: object, kept: object) -> None:
    assert part_about(content, "anna", {"ben"}) == kept


def test_an_unknown_name_is_answered_with_the_nearest(judged: Campaign, accounts: Accounts) -> None:
    assert known_name(judged, accounts, "anna") == "anna"
    with refused(NotThere, "ana", "anna"):
        known_name(judged, accounts, "ana")


def test_a_new_table_with_a_name_in_it_has_to_be_considered(small: Campaign, tmp_path: Path) -> None:
    small.db.conn.execute("CREATE TABLE thanks (editor TEXT NOT NULL, words TEXT NOT NULL)")
    planted = Planted(small.db.conn)
    planted.plant()
    given = json.dumps(document(ME, small, None, tmp_path))
    assert [place for place, word in planted.words.items() if word not in given] == [
        "thanks.editor",
        "thanks.words",
    ]
