"""The audit of what is arranged for several assessors: whatever a table says otherwise than the log is found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from tests.log_rows import row
from tests.sentences import says
from workbench.campaign import assigning
from workbench.release.audit.checks import CHECKS
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims, norming
from workbench.storage.campaign.log import log

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
REPLAY = "the log replayed gives what the file says now"
CHAIN = "the chain of hashes is whole"
CLAIMS = "every claim of a topic expires"

ANNAS = "WHERE topic = '1' AND part = 'whole'"


@pytest.fixture
def arranged(small: Campaign) -> Campaign:
    """Topics assigned, given to another, drawn from, closed and taken; a norming session; judgments of every kind."""
    assigning.choose_who_judges(small.by("Olga"), "assigned")
    with small.write():
        assignments.put(small.by("Olga"), [], [("1", "whole", "anna"), ("2", "whole", "ben")])
        assignments.put(small.by("Olga"), [("2", "whole")], [("2", "whole", "cora")])
    assigning.draw_double(small.by("Olga"), 0.2, 7, assessors=["dan"])
    with small.write():
        norming.put_open(small.by("Olga"), "1", ["d1", "d2"])
        log.append_judgments(small, [row("anna", "1", "d1", 0, kind="norming")])
        norming.put_revealed(small.by("Olga"), 1)
        norming.put_closed(small.by("Olga"), 1, counts=False)
        kinds = ("grade", "repeat", "adjudication")
        log.append_judgments(small, [row("anna", "1", "d1", 1, kind=kind) for kind in kinds])
        assignments.close_topics(small.by("Olga"), ["10"])
        claims.put(small, "2", "eva", now=NOON, minutes=60)
    return small


@contextmanager
def changed(campaign: Campaign, statement: str) -> Iterator[None]:
    """The file after one statement of SQL that changed exactly one row; then as it was."""
    connection = campaign.db.conn
    triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    connection.execute("SAVEPOINT tampering")
    try:
        for (name,) in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(statement).rowcount == 1, statement
        yield
    finally:
        connection.execute("ROLLBACK TO tampering")
        connection.execute("RELEASE tampering")


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE assignment SET assessor = 'eva' {ANNAS}",
        f"UPDATE assignment SET place = 7 {ANNAS}",
        f"UPDATE assignment SET part = 'second' {ANNAS}",
        f"UPDATE assignment SET seq = 1 {ANNAS}",
        f"DELETE FROM assignment {ANNAS}",
        f"INSERT INTO assignment SELECT topic, 'eva', part, seq, 1 FROM assignment {ANNAS}",
        "UPDATE former_assignment SET assessor = 'eva'",
        "UPDATE former_assignment SET part = 'second'",
        "DELETE FROM former_assignment",
    ],
)
def test_what_is_arranged_otherwise_than_the_log_tells_is_found(arranged: Campaign, statement: str) -> None:
    assert list(CHECKS[REPLAY](arranged)) == []
    with changed(arranged, statement):
        assert list(CHECKS[REPLAY](arranged)) == ["assignments: not what the log says"]


def test_a_claim_that_would_never_end_is_found(arranged: Campaign) -> None:
    with changed(arranged, "UPDATE claim SET until = 'never'"):
        (told,) = CHECKS[CLAIMS](arranged)
    assert says(told, "2", "never")


@pytest.mark.parametrize("kind", ["repeat", "norming", "adjudication"])
def test_a_judgment_of_another_kind_than_was_written_is_found(arranged: Campaign, kind: str) -> None:
    with changed(arranged, f"UPDATE judgment SET kind = 'import' WHERE kind = '{kind}'"):
        assert says(next(CHECKS[CHAIN](arranged)))
