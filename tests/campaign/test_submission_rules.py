"""The rules for teams' own submissions: read from what organisers write, in force by the server's clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.sentences import refused, says
from workbench.campaign.submission_rules import (
    Rules,
    change_rules,
    mark_of,
    parse_deadline,
    parse_fields,
    parse_limit,
    refusal,
    rules_of,
    wrong_description,
)
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.campaign.submissions.overview import state_words
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

DEADLINE = datetime(2027, 3, 1, 23, 59, tzinfo=UTC)


def test_a_file_is_in_time_up_to_the_very_moment_of_the_deadline() -> None:
    rules = Rules(is_open=True, deadline=DEADLINE)
    assert rules.takes(DEADLINE)
    assert not rules.takes(DEADLINE + timedelta(microseconds=1))
    assert Rules(is_open=True).takes(DEADLINE)
    assert not Rules(deadline=DEADLINE).takes(DEADLINE - timedelta(days=1))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2027-03-01 23:59", DEADLINE),
        (" 2027-03-01T23:59:00Z ", DEADLINE),
        ("2027-03-02 01:59+02:00", DEADLINE),
        ("", None),
    ],
)
def test_a_deadline_is_utc_unless_it_names_a_zone(text: str, moment: datetime | None) -> None:
    assert parse_deadline(text) == moment


@pytest.mark.parametrize(
    "text", ["2027-03-01", "tomorrow", "23:59", "2027-13-01 23:59", "9999-12-31 23:59-14:00"]
)
def test_a_deadline_without_a_day_or_a_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(CampaignError, match="write 2027-03-01 23:59 for UTC"):
        parse_deadline(text)


@pytest.mark.parametrize(
    "lines",
    [
        ["*"],
        ["=method"],
        ["Model", "model"],
        ["x" * 61],
        ["a\x07b"],
        ["Model=" + "x" * 201],
        ["Model=a\x07b"],
        [f"Field {number}" for number in range(31)],
    ],
)
def test_fields_that_cannot_be_are_refused(lines: list[str]) -> None:
    with refused(CampaignError):
        parse_fields(lines)


def test_fields_may_have_names_paths_and_numbers_up_to_their_limits() -> None:
    lines = [f"{'x' * 58}{number:02}*={'y' * 200}" for number in range(30)]
    assert [str(field) for field in parse_fields(lines)] == lines


def test_a_limit_is_a_number_of_runs() -> None:
    assert (parse_limit(0), parse_limit(10_000)) == (0, 10_000)
    for number in (-1, 10_001):
        with pytest.raises(CampaignError, match=f"a limit of {number:,} runs .* write 1 to 10,000"):
            parse_limit(number)


def test_a_description_lacks_the_fields_that_have_to_be_filled_in_alone() -> None:
    fields = parse_fields(["Method*", "Query*=method.query", "Model=method.model"])
    given = {"Method": "x" * 2_000}
    assert says(wrong_description(fields, given, complete=True))
    assert (
        wrong_description(fields, {"Query": "q"}, complete=True) == "the description lacks Method: fill it in"
    )
    assert wrong_description(fields, given | {"Query": "q"}, complete=True) == ""


@pytest.mark.parametrize(
    ("rules", "team", "is_refused"),
    [
        (Rules(True), "", True),
        (Rules(), "A", True),
        (Rules(True, DEADLINE - timedelta(seconds=1)), "A", True),
        (Rules(True, DEADLINE, 2), "A", False),
        (Rules(True, None, 1), "A", True),
        (Rules(True, None, 1), "C", False),
    ],
)
def test_a_run_is_refused_with_the_first_of_the_reasons(
    small: Campaign, rules: Rules, team: str, is_refused: bool
) -> None:
    change_rules(small.by("Olga"), rules)
    correct_run(small.by("Olga"), "alpha", Correction(team="A"))
    said = refusal(small, team, DEADLINE)
    assert says(said) if is_refused else said == ""


def test_rules_that_another_organiser_changed_are_not_saved_over(small: Campaign) -> None:
    seen = mark_of(rules_of(small))
    assert change_rules(small.by("Olga"), Rules(True), seen=seen)
    with refused(CampaignError):
        change_rules(small.by("Otto"), Rules(True, limit=1), seen=seen)
    assert rules_of(small) == Rules(True)


def test_the_rules_are_said_in_a_sentence() -> None:
    before, after = DEADLINE, DEADLINE + timedelta(seconds=1)
    assert says(state_words(Rules(deadline=DEADLINE, limit=2), before))
    assert says(state_words(Rules(True), after))
    assert says(state_words(Rules(True, limit=2), after), "2 runs")
    assert says(state_words(Rules(True, DEADLINE, 1), before))
    assert says(state_words(Rules(True, DEADLINE), after))


def test_rules_are_settings_of_the_log_and_the_same_rules_are_no_event(small: Campaign) -> None:
    rules = Rules(True, DEADLINE, 3, parse_fields(["Method*"]))
    assert rules_of(small) == Rules()
    assert change_rules(small.by("Olga"), rules)
    assert rules_of(small) == rules
    head = log.head(small)
    assert not change_rules(small.by("Olga"), rules)
    assert log.head(small) == head
