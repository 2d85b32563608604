"""Every kind of event is declared once: its fields, how long their texts may be, and who they name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.log_rows import NOTE
from tests.sentences import refused
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.erasable import find
from workbench.storage.campaign.log.kinds import KINDS, LONGEST_SETTING, Kind, kind_named

declared = pytest.mark.parametrize("kind", [each for each in KINDS.values() if each != NOTE], ids=str)


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return create_campaign(tmp_path / "rivers.db").by("Anna")


def append(campaign: Campaign, kind: str, content: dict[str, Any]) -> None:
    with campaign.write():
        log.append_event(campaign, kind, content)


def content_of(kind: Kind, value: object) -> dict[str, Any]:
    """Every field of a kind with the value, a name where people are named."""
    found = dict.fromkeys(("title",) if kind.fields is None else kind.fields, value)
    return found if kind.renamed is None else found | _named(kind)


def _named(kind: Kind) -> dict[str, Any]:
    return {
        "member": {"name": "Ben"},
        "person": {"person": "Ben"},
        "assignment": {"assigned": [["1", "whole", "Ben"]]},
        "judging again": {"pairs": [["1", "d1", "Ben"]]},
        "judging again taken back": {"pairs": [["1", "d1", "Ben"]]},
        "settings": {"searchers": ["Ben"]},
        "nuggets": {"people": ["Ben"]},
        "judge": {"name": "Ben"},
        "model answers": {"judge": "Ben"},
        "judge file": {"judge": "Ben"},
        "judge withdrawal": {"judge": "Ben"},
        "judge restoration": {"judge": "Ben"},
        "label shown": {"judge": "Ben", "assessor": "Ben"},
    }[kind]


@declared
def test_a_text_that_is_too_long_is_not_appended_wherever_it_stands(campaign: Campaign, kind: Kind) -> None:
    fields = kind.fields if kind.fields is not None else {"title": LONGEST_SETTING}
    for field, longest in fields.items():
        long = "x" * (longest + 1)
        for value in (long, [["a" * longest, long]], {"rows": [{long: 1}]}):
            with pytest.raises(CampaignError, match=f"takes at most {longest:,}"):
                append(campaign, kind, content_of(kind, 1) | {field: value})
    with pytest.raises(CampaignError, match="a name: 201 characters"):
        append(campaign.by("A" * 201), kind, content_of(kind, 1))
    assert log.newest_seq(campaign) == 0
    append(campaign, kind, content_of(kind, 1))
    assert [(event.kind, event.content) for event in log.events(campaign)] == [(kind, content_of(kind, 1))]


@declared
def test_a_field_that_is_missing_or_unknown_is_a_mistake_of_the_program(
    campaign: Campaign, kind: Kind
) -> None:
    if kind.fields is None:
        return
    whole = content_of(kind, 1)
    for name in set(kind.fields) - kind.optional:
        with pytest.raises(TypeError, match=name):
            append(campaign, kind, {field: value for field, value in whole.items() if field != name})
    with pytest.raises(TypeError, match="unknown or missing: more"):
        append(campaign, kind, whole | {"more": 1})
    assert log.newest_seq(campaign) == 0


@declared
def test_people_are_ids_in_the_file_and_names_to_those_who_read_it(campaign: Campaign, kind: Kind) -> None:
    append(campaign, kind, content_of(kind, 1))
    (text,) = campaign.db.conn.execute("SELECT content FROM event").fetchone()
    assert ("Ben" in text) is False
    person = find(campaign, "Ben")
    assert (person is not None and person.id in text) is (kind.renamed is not None)
    assert json.loads(text) != content_of(kind, 1) or kind.renamed is None


def test_a_kind_that_is_not_declared_is_not_appended(campaign: Campaign) -> None:
    with refused(CampaignError, "gossip"):
        append(campaign, "gossip", {})
    assert kind_named("run") is KINDS["run"]
