"""A campaign that is half judged, behind a server that is watched."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.fuzzing.watching import Kept, Watched
from workbench.people.accounts import Account, add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members
from workbench.web.app import create_app

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
JUDGED = [
    ("Ben", "1", "d1", 2),
    ("Ben", "1", "d2", 0),
    ("Carla", "1", "d1", 1),
    ("Carla", "2", "d5", -2),
    ("Ben", "2", "d1", None),
]


@pytest.fixture
def small_judged(small_file: Path, tmp_path: Path, judging_as: JudgeAs) -> Path:
    """The campaign `small` with some judgments, one of them disputed, in an instance folder of its own."""
    path = tmp_path / "instance" / "small.db"
    path.parent.mkdir()
    shutil.copyfile(small_file, path)
    with open_campaign(path) as campaign:
        with campaign.write():
            for name in ("Ben", "Carla"):
                members.put(campaign.by("Olga", NOW), name, "assessor")
        for who, topic_id, document_id, grade in JUDGED:
            judging_as(campaign, who, topic_id, document_id, grade)
    return path


@pytest.fixture
def watched(small_judged: Path) -> Iterator[Watched]:
    """A server of that campaign."""
    app = create_app(small_judged.parent, demo=True)
    handler = Kept()
    logger = logging.getLogger("workbench.web")
    logger.addHandler(handler)
    with closing(sqlite3.connect(small_judged)) as campaign:
        watched = Watched(app, small_judged, campaign)
        handler.records = watched.failures
        yield watched
    logger.removeHandler(handler)
    app.extensions["workbench_connections"].close()


@pytest.fixture
def members_of_every_role(small_judged: Path) -> list[Account]:
    """An account for each role of the campaign, and one without a role."""
    with open_accounts(small_judged.parent) as accounts:
        made = [
            add_account(accounts.at(NOW), role, f"the {role}'s password")
            for role in (*members.ROLES, "stranger")
        ]
    with open_campaign(small_judged) as campaign, campaign.write():
        for role in members.ROLES:
            team = "Glasgow" if role == "participant" else ""
            members.put(campaign.by("Olga", NOW), role, role, team=team)
    return made
