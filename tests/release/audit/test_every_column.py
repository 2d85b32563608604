"""One value after the other altered in a campaign file: what any command refuses, the audit reports."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.log_rows import tampering
from tests.recorded.conftest import prepared_eventful as prepared_eventful  # a fixture
from tests.release.audit.test_checks import judged as judged
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.campaign.pools.plan import plan_pool
from workbench.core.errors import WorkbenchError
from workbench.release.audit.checks import audit
from workbench.release.export import (
    judgment_lines,
    pool_lines,
    rankings_of_run,
    rationale_lines,
    vocabularies_once,
)
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import documents, runs
from workbench.storage.campaign.opening.damage import damage_in
from workbench.storage.campaign.opening.integrity import our_tables


def altered(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1]) if value else b"\1"
    return f"{value}x" if isinstance(value, str) else value + 1


def alter(path: Path, table: str, column: str) -> bool:
    """Alter one value of a column; False where the table has none that is not null."""
    with tampering(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        found = connection.execute(
            f'SELECT "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL ORDER BY "{column}" DESC LIMIT 1'
        ).fetchone()
        if found is not None:
            connection.execute(
                f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" = ?', [altered(found[0]), found[0]]
            )
    return found is not None


def answers(campaign: Campaign) -> Iterator[object]:
    """What commands print and pages show of a campaign."""
    yield damage_in(campaign)
    yield score_campaign(campaign).rows
    yield certain_pairs(campaign).rows()
    yield plan_pool(campaign, depth=3).total
    for lines in (judgment_lines, pool_lines, rationale_lines):
        yield list(lines(campaign))
    vocabulary_of = vocabularies_once(campaign)
    for run in runs.all_runs(campaign):
        yield list(rankings_of_run(campaign, run, vocabulary_of))
    yield list(documents.all_texts(campaign))
    yield documents.number_in_sources(campaign)


def refused(path: Path) -> str:
    """Why a command refuses the file, or fails on it; "" where none does."""
    try:
        with open_campaign(path) as campaign:
            for answer in answers(campaign):
                if isinstance(answer, str):
                    return answer
    except Exception as error:  # noqa: BLE001 - whatever a damaged file makes fail
        return repr(error)
    return ""


def audited(path: Path) -> bool:
    """Whether the audit reports anything, or says that the file cannot be opened."""
    try:
        with open_campaign(path, compare=False) as campaign:
            return any(finding.wrong for finding in audit(campaign))
    except WorkbenchError:
        return True


PARTS = 4


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_audit_reports_whatever_any_command_refuses(
    judged: Path, prepared_eventful: Path, tmp_path: Path, part: int
) -> None:
    number, found, aside = 0, [], tmp_path / "altered.db"
    for path in (prepared_eventful, judged):
        with closing(sqlite3.connect(path)) as connection:
            columns = [
                (table, row[1])
                for table in sorted(our_tables())
                for row in connection.execute(f"PRAGMA table_info({table})")
            ]
        for table, column in columns[part::PARTS]:
            shutil.copy(path, aside)
            if alter(aside, table, column):
                number += 1
                if (why := refused(aside)) and not audited(aside):
                    found.append(f"{table}.{column}: {why}")
    assert number > 30
    assert found == []


@pytest.mark.parametrize(("table", "column"), [("source_documents", "ids"), ("vocabulary", "first")])
def test_a_list_of_ids_and_a_number_that_were_altered_are_reported(
    prepared_eventful: Path, tmp_path: Path, table: str, column: str
) -> None:
    path = Path(shutil.copy(prepared_eventful, tmp_path / "altered.db"))
    assert not audited(path)
    assert alter(path, table, column)
    assert audited(path)
