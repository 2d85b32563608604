"""Settings change one by one or together, all or nothing, and never over what another organiser set meanwhile."""

from __future__ import annotations

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import RenamesGiven, SettingsConflict, change_settings
from workbench.core.errors import UnknownName
from workbench.core.records import Grade
from workbench.release.bundle.datasheet import datasheet_of
from workbench.release.bundle.readme import guideline_lines
from workbench.release.campaign_summary import summarise_campaign
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

SCALE = [[0, "No", ""], [1, "Yes", ""], [2, "Key", ""]]


def test_every_setting_has_its_value_in_the_file_and_is_read_back_as_it_is(small: Campaign) -> None:
    current = settings.read(small)
    assert {each.field for each in SETTINGS.values()} <= set(current._fields)
    for each in SETTINGS.values():
        assert each.value_of(each.text_of(each.in_force(current))) == each.in_force(current), each.name


def test_what_is_so_already_writes_nothing(small: Campaign) -> None:
    head = log.newest_seq(small)
    assert change_settings(small.by("Olga"), {"title": "Small"}).seq is None
    assert log.newest_seq(small) == head


def test_two_organisers_who_change_different_settings_both_succeed(small: Campaign) -> None:
    base = log.newest_seq(small)
    change_settings(small.by("Anna"), {"title": "Rivers", "contact": ""}, base=base)
    change_settings(small.by("Ben"), {"title": "Small", "contact": "Ben"}, base=base)
    assert settings.read(small).title == "Rivers"
    assert settings.read(small).contact == "Ben"


def test_two_organisers_who_change_one_setting_are_shown_both_values_and_nothing_is_stored(
    small: Campaign,
) -> None:
    base = log.newest_seq(small)
    change_settings(small.by("Anna"), {"title": "Rivers"}, base=base)
    head = log.newest_seq(small)
    with pytest.raises(SettingsConflict, match="Title: changed by Anna since") as error:
        change_settings(small.by("Ben"), {"title": "Lakes", "contact": "Ben"}, base=base)
    (conflict,) = error.value.conflicts
    assert (conflict.before, conflict.yours, conflict.theirs.value) == ("Small", "Lakes", "Rivers")
    assert log.newest_seq(small) == head
    change_settings(small.by("Ben"), {"title": "Lakes", "contact": "Ben"}, base=head)
    assert settings.read(small).title == "Lakes"


def test_a_grade_that_was_given_stays_and_the_message_says_what_to_do(small: Campaign) -> None:
    change_settings(small.by("Olga"), {"grades": SCALE})
    judge_as(small, "Ann", "1", "d1", 2)
    head = log.newest_seq(small)
    with pytest.raises(SettingRefused, match=r"grade 2 \(Key\) stays .* 1 time .* Rename it") as error:
        change_settings(small.by("Olga"), {"grades": SCALE[:2], "title": "Rivers"})
    assert "--map" in str(error.value)
    assert log.newest_seq(small) == head
    renamed = [*SCALE[:2], [2, "Highly relevant", "Names a river."]]
    change_settings(small.by("Olga"), {"grades": renamed}, renames=True)
    assert settings.read(small).grades[2] == Grade(2, "Highly relevant", "Names a river.")


@pytest.mark.parametrize(
    "values",
    [
        {"relevant-from": 3},
        {"grades": [[1, "Yes", ""], [2, "Key", ""]]},
        {"grades": [[0, "No", ""], [1, "No", ""]]},
        {"grades": [[0, "No", ""]]},
    ],
)
def test_a_scale_that_makes_no_sense_is_refused(small: Campaign, values: dict[str, object]) -> None:
    with refused(SettingRefused):
        change_settings(small.by("Olga"), values)


def test_a_setting_of_another_name_is_named_with_the_nearest(small: Campaign) -> None:
    with pytest.raises(UnknownName, match="no setting 'titel'; did you mean title"):
        change_settings(small.by("Olga"), {"titel": "Rivers"})


def test_scores_as_of_earlier_rows_keep_the_grade_from_which_on_documents_were_relevant(
    small: Campaign,
) -> None:
    change_settings(small.by("Olga"), {"grades": SCALE})
    judge_as(small, "Ann", "1", "d1", 1)
    judge_as(small, "Ann", "1", "d2", 2)
    published = log.newest_seq(small)
    before = score_campaign(small, ["P@2"]).rows
    changed = change_settings(small.by("Olga"), {"relevant-from": 2})
    assert any(f"scores as of row {published} and earlier stay" in note for note in changed.notes)
    assert score_campaign(small, ["P@2"]).rows != before
    assert score_campaign(small.at(published), ["P@2"]).rows == before
    assert (
        score_campaign(small.at(published), ["P(rel=2)@2"]).rows[0].values
        == score_campaign(small, ["P@2"]).rows[0].values
    )
    assert wrong(small) == []


def test_a_grade_that_was_given_is_renamed_only_on_purpose(small: Campaign) -> None:
    change_settings(small.by("Olga"), {"grades": SCALE})
    for who, document_id in (("Ann", "d1"), ("Ann", "d2"), ("Ben", "d4")):
        judge_as(small, who, "1", document_id, 1)
    renamed = [SCALE[0], [1, "Partly", ""], SCALE[2]]
    head = log.head(small)
    words = "^grade 1 was given 3 times as “Yes” by Ann, Ben, and would read “Partly”"
    with pytest.raises(RenamesGiven, match=words):
        change_settings(small.by("Olga"), {"grades": renamed})
    assert log.head(small) == head
    with_guideline = [SCALE[0], [1, "Yes", "Names a river."], SCALE[2]]
    assert change_settings(small.by("Olga"), {"grades": with_guideline}).seq is not None
    assert change_settings(small.by("Olga"), {"grades": renamed}, renames=True).seq is not None


def test_the_datasheet_counts_the_versions_of_guidelines_and_scale(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d1", 1)
    for text in ("Read all.", "Read half.", "Read half."):
        change_settings(small.by("Olga"), {"guidelines": text})
    change_settings(small.by("Olga"), {"grades": SCALE}, renames=True)
    facts = summarise_campaign(small)
    assert (facts.guideline_texts, len(facts.scales)) == (2, 2)
    for text in (datasheet_of(small, facts), guideline_lines(facts)):
        assert says("".join(text))
