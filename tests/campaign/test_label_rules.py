"""Choosing the label rule: an event, refused in words where it cannot be, with what it would change told before."""

from __future__ import annotations

import pytest

from tests.found_wrong import wrong
from tests.log_rows import row
from tests.sentences import refused, says
from workbench.campaign.label_rules import choose_rule, choose_sources, rule_state
from workbench.core.errors import UnknownName
from workbench.methods.statistics.dawid_skene import TooFewLabels
from workbench.release.bundle.readme import rule_of_conflicts
from workbench.release.campaign_summary import summarise_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings


@pytest.fixture
def twice(small: Campaign) -> Campaign:
    """Ann and Ben differ on d1, where Ben is later and stricter, and agree on d2; Ann alone judged d4."""
    said = [("Ann", "d1", 2), ("Ben", "d1", 0), ("Ann", "d2", 1), ("Ben", "d2", 1), ("Ann", "d4", 1)]
    with small.write():
        log.append_judgments(small, [row(who, "1", document, grade) for who, document, grade in said])
    return small


def test_a_rule_is_chosen_by_its_name_as_an_event_of_the_log(twice: Campaign) -> None:
    assert choose_rule(twice.by("Olga"), "Most-Lenient")
    event = log.events(twice, "settings")[-1]
    assert (event.actor, event.content) == ("Olga", {"label_rule": "most lenient"})
    assert settings.read(twice).label_rule == "most lenient"
    assert [label.grade for label in labels.qrels(twice)] == [2, 1, 1]
    assert not choose_rule(twice.by("Olga"), "most lenient")
    assert log.events(twice, "settings")[-1] == event


def test_before_a_choice_one_sees_what_it_changes(twice: Campaign) -> None:
    state = rule_state(twice)
    assert (state.rule, state.labels, state.several, state.not_modelled) == ("newest", 3, 2, 0)
    changed = {option.rule: option.changed for option in state.options if not option.refused}
    assert changed == {rule: int(rule == "most lenient") for rule in LABEL_RULES if rule != "Dawid-Skene"}
    assert rule_state(twice) is state


def test_the_model_is_refused_until_every_pair_has_three_grades(twice: Campaign) -> None:
    with refused(TooFewLabels):
        choose_rule(twice.by("Olga"), "Dawid-Skene")
    assert rule_state(twice).options[-1].refused
    with twice.write():
        log.append_judgments(twice, [row(who, "1", "d4", 1) for who in ("Ben", "Carla", "Dan")])
        log.append_judgments(twice, [row("Carla", "1", document, 1) for document in ("d1", "d2")])
    assert not rule_state(twice).options[-1].refused
    assert choose_rule(twice.by("Olga"), "Dawid-Skene")


def test_pairs_that_come_later_with_fewer_grades_take_the_majority_and_this_is_said(small: Campaign) -> None:
    said = [("Ann", 2), ("Ben", 2), ("Carla", 1)]
    with small.write():
        log.append_judgments(small, [row(who, "1", "d1", grade) for who, grade in said])
    assert choose_rule(small.by("Olga"), "Dawid-Skene")
    with small.write():
        log.append_judgments(small, [row("Ann", "1", "d2", 2), row("Ben", "1", "d2", 1)])
    assert [label.grade for label in labels.qrels(small)] == [2, 1]
    assert rule_state(small).not_modelled == 1
    told = rule_of_conflicts(summarise_campaign(small))
    assert "Dawid and Skene" in told
    assert says(told)
    assert wrong(small) == []


def test_the_audit_holds_by_every_rule(twice: Campaign) -> None:
    with twice.write():
        log.append_judgments(twice, [row("Olga", "1", "d1", 1, kind="adjudication")])
    for rule in LABEL_RULES:
        with twice.write():
            settings.change(twice.by("Olga"), {"label_rule": rule})
        assert wrong(twice) == []


def test_how_sources_count_is_an_event_where_it_changes_and_none_where_it_is_so_already(
    small: Campaign,
) -> None:
    before = log.newest_seq(small)
    assert not choose_sources(small.by("Olga"), model_labels="never"), (
        "labels of models never count by default"
    )
    assert not choose_sources(small.by("Olga"), imported_labels="gaps")
    assert log.newest_seq(small) == before
    assert choose_sources(small.by("Olga"), model_labels="gaps", imported_labels="equal")
    assert log.events(small, "settings")[-1].content == {"imported_labels": "equal", "model_labels": "gaps"}
    assert choose_sources(small.by("Olga"), model_labels="never")
    assert settings.read(small).model_labels == "never"
    assert not choose_sources(small.by("Olga"))
    for wanted in ({"model_labels": "equal "}, {"imported_labels": "always"}):
        with refused(UnknownName):
            choose_sources(small.by("Olga"), **wanted)
