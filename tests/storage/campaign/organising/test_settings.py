"""Settings are what the log says about them, now and as of any place."""

from __future__ import annotations

from workbench.core.records import Grade
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings


def change(campaign: Campaign, **changes: object) -> int:
    with campaign.write():
        return settings.change(campaign.by("Olga"), changes)


def test_settings_are_read_back_as_of_any_place_and_one_without_is_binary(campaign: Campaign) -> None:
    found = settings.read(campaign)
    assert (found.title, found.grades, found.relevant_from) == ("new", settings.BINARY, 1)
    assert found.guideline_version == 0
    scale = [Grade(1, "No", "Not at all."), Grade(2, "Yes")]
    first = change(campaign, title="One 'quoted' %", grades=scale, relevant_from=2)
    second = change(campaign, title="雪")
    assert settings.read(campaign.at(0)).title == "new"
    assert settings.read(campaign.at(first)).title == "One 'quoted' %"
    assert settings.read(campaign.at(second)) == settings.read(campaign)
    assert settings.read(campaign).title == "雪"
    assert settings.read(campaign).grades == tuple(scale)


def test_only_what_assessors_read_makes_a_new_version_of_the_guidelines(campaign: Campaign) -> None:
    first = change(campaign, title="One", guidelines="Be kind.")
    change(campaign, title="Two")
    assert settings.read(campaign).guideline_version == first
    third = change(campaign, relevant_from=2)
    assert settings.read(campaign).guideline_version == third
    assert settings.read(campaign.at(2)).guideline_version == first
    had = [version for version in range(-1, 6) if settings.had_version(campaign, version)]
    assert had == [0, first, third]


def test_a_setting_that_this_version_does_not_know_is_kept_and_passed_over(campaign: Campaign) -> None:
    change(campaign, colour="blue", guideline_version=99)
    assert settings.read(campaign).guideline_version == 0
    assert settings.said(campaign)["colour"] == ("blue", 1)
