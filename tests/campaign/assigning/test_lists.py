"""Lists of assignments come in and go out again as they are, or are refused with the lines that are wrong."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.sentences import refused
from workbench.campaign import assigning
from workbench.core.errors import CampaignError, InputError
from workbench.formats.text.content import Content
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

LINES = '{"account": "ann", "topics": ["2", "1"]}\n{"account": "ben", "topics": ["10"]}\n'


def read(campaign: Campaign, text: str) -> assigning.Imported:
    return assigning.import_list(campaign.by("Olga", NOW), Content("list", text.encode()))


def test_json_lines_go_out_as_they_came_in(small: Campaign) -> None:
    assert read(small, LINES) == (3, 2, ("ann", "ben"))
    assert assigning.export_list(small) == LINES


def test_a_table_goes_out_as_it_came_in_second_assessors_too(small: Campaign) -> None:
    table = "topic,assessor,part\n2,ann,whole\n2,ben,second\n10,ann,whole\n"
    read(small, table)
    assert assigning.export_list(small, "csv") == table
    assert assigning.export_list(small) == (
        '{"account": "ann", "topics": ["2", "10"]}\n{"account": "ben", "topics": ["2"], "part": "second"}\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"account": "ann", "topics": ["1", "7"]}',
        '{"account": "ann", "topics": "1"}',
        '{"topics": ["1"]}',
        '{"account": "ann", "topics": ["1"], "part": "half"}',
        '[["ann", "1"]]',
        '{"account": "ann"',
        "topic,assessor\n1,ann\n1,ann\n",
        "topic,assessor\n1\n,ann\n",
        "topic,grade\n1,2\n",
        "topic,assessor\n",
        "topic,assessor\n1,\x00ann\n",
    ],
)
def test_what_is_wrong_with_a_list_is_said_and_nothing_changes(small: Campaign, text: str) -> None:
    before = log.head(small)
    with refused(InputError, "list:"):
        read(small, text)
    assert log.head(small) == before


def test_a_list_with_a_disabled_account_is_refused_whole(small: Campaign) -> None:
    before = log.head(small)
    with refused(CampaignError, "ben"):
        assigning.import_list(small.by("Olga", NOW), Content("list", LINES.encode()), disabled={"ben"})
    assert log.head(small) == before
