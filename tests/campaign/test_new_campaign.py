"""A campaign starts with its settings in the log; people get roles in it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.campaign.new_campaign import name_from, new_campaign
from workbench.core.errors import CampaignError
from workbench.core.records import Grade
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def test_a_new_campaign_has_its_settings_as_the_first_event(tmp_path: Path) -> None:
    scale = [Grade(1, "Bad"), Grade(2, "Good", "It answers.")]
    new_campaign(
        tmp_path / "r.db",
        title="Robust 'n' 雪",
        grades=scale,
        relevant_from=2,
        guidelines="Read.",
        actor="Olga",
        now=NOW,
    ).close()
    with open_campaign(tmp_path / "r.db") as campaign:
        found = settings.read(campaign)
        assert (found.title, found.grades) == ("Robust 'n' 雪", tuple(scale))
        assert (found.relevant_from, found.guidelines, found.guideline_version) == (2, "Read.", 1)
        (event,) = log.events(campaign)
        assert (event.seq, event.actor, event.at) == (1, "Olga", "2026-03-01T12:00:00.000+00:00")


def test_a_campaign_that_exists_is_not_touched(small: Campaign) -> None:
    before = log.head(small)
    with pytest.raises(CampaignError, match="already exists"):
        new_campaign(small.path, title="Another", actor="Olga")
    assert log.head(small) == before


def test_nothing_is_left_behind_when_the_settings_cannot_be_stored(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        new_campaign(tmp_path / "r.db", title=object(), actor="Olga")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_the_first_organiser_is_in_the_log_with_the_settings(tmp_path: Path) -> None:
    with new_campaign(tmp_path / "r.db", title="R", organiser="Olga", actor="Olga", now=NOW) as campaign:
        assert members.all_members(campaign) == {"Olga": "organiser"}
        assert [event.kind for event in log.events(campaign)] == ["settings", "member"]


@pytest.mark.parametrize(
    ("typed", "title", "name"),
    [
        ("", "Robust 2003", "robust-2003"),
        ("", "  Émile’s (third) campaign! ", "emiles-third-campaign"),
        (" My_runs-2 ", "Anything", "My_runs-2"),
        ("", "x" * 100, "x" * 64),
    ],
)
def test_a_campaign_is_named_as_typed_or_by_its_title(typed: str, title: str, name: str) -> None:
    assert name_from(typed, title) == name


def test_a_title_without_letters_or_digits_needs_a_name() -> None:
    with refused(CampaignError):
        name_from("", "検索")
