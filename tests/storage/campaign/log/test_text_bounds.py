"""Every text that goes into the log has a longest length: nothing that was appended can be taken out again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import workbench
from tests.log_rows import row
from tests.sentences import refused
from workbench.core.errors import CampaignError
from workbench.core.records import LONGEST_RATIONALE, MOST_RATIONALES, Judgment, Rationale
from workbench.core.values import declared
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.log import log


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return create_campaign(tmp_path / "rivers.db")


def test_rows_come_into_the_log_through_these_two_functions_alone() -> None:
    root = Path(workbench.__file__).parent
    inserts = re.compile(r"INSERT[A-Z ]* INTO (?:event|judgment) ")
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in root.rglob("*.py")
    }
    assert [name for name, text in texts.items() if inserts.search(text)] == ["storage/campaign/log/log.py"]


def test_every_text_of_a_judgment_has_a_longest_length(campaign: Campaign) -> None:
    texts = [field for field in declared(Judgment) if str in (field.type, *get_args(field.type))]
    for field in texts:
        name, longest = field.name, field.longest
        assert longest
        with pytest.raises(CampaignError, match=f"{longest + 1:,} characters"):
            put(campaign, row("Ben", "1", "d1", 1)._replace(**{name: "x" * (longest + 1)}))


def test_the_rationales_of_a_judgment_are_bounded_in_number_and_length(campaign: Campaign) -> None:
    short, long = Rationale("text", 0, 1, "x"), Rationale("text", 0, 1, "x" * (LONGEST_RATIONALE + 1))
    for rationales in ((short,) * (MOST_RATIONALES + 1), (short, long)):
        with refused(CampaignError):
            put(campaign, row("Ben", "1", "d1", 1, rationales=rationales))
    assert log.newest_seq(campaign) == 0


def put(campaign: Campaign, judgment: Judgment) -> None:
    with campaign.write():
        log.append_judgments(campaign, [judgment])
