"""The rules for teams' own submissions: read from what organisers write, in force by the server's clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from workbench.core.errors import CampaignError
from workbench.setup.submission_rules import (
    Field,
    Rules,
    change_rules,
    described,
    parse_deadline,
    parse_fields,
    parse_limit,
    rules_of,
    shown_time,
    wrong_description,
)
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


def test_fields_are_written_as_they_are_read() -> None:
    lines = ["Method*=method.automatic", "Model", "", "  Query fields = method.query "]
    fields = parse_fields(lines)
    assert fields == (
        Field("Method", "method.automatic", True),
        Field("Model"),
        Field("Query fields", "method.query"),
    )
    assert parse_fields([str(field) for field in fields]) == fields


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["*"], "names no field"),
        (["=method"], "names no field"),
        (["Model", "model"], "listed twice"),
        (["x" * 61], "names no field"),
        ([f"Field {number}" for number in range(31)], "31 fields are more than the 30"),
    ],
)
def test_fields_that_cannot_be_are_refused(lines: list[str], why: str) -> None:
    with pytest.raises(CampaignError, match=why):
        parse_fields(lines)


def test_a_limit_is_a_number_of_runs() -> None:
    assert parse_limit(0) == 0
    with pytest.raises(CampaignError, match="a limit of -1 runs"):
        parse_limit(-1)


def test_what_was_typed_counts_before_what_the_file_says() -> None:
    fields = parse_fields(["Method*=method.automatic", "Model=method.model"])
    header = "# ir_metadata.start\n# method: {automatic: manual, model: BM25}\n# ir_metadata.end"
    assert described(fields, header, {"Method": "automatic"}) == {"Method": "automatic", "Model": "BM25"}
    assert "lacks Method: fill it in, or write method.automatic" in wrong_description(
        fields, {}, complete=True
    )
    assert wrong_description(fields, {}, complete=False) == ""
    assert "shorten it to 2,000" in wrong_description(fields, {"Model": "x" * 2001}, complete=False)


def test_rules_are_settings_of_the_log_and_the_same_rules_are_no_event(small: Campaign) -> None:
    rules = Rules(True, DEADLINE, 3, parse_fields(["Method*"]))
    assert rules_of(small) == Rules()
    assert change_rules(small, rules, actor="Olga")
    assert rules_of(small) == rules
    head = log.head(small)
    assert not change_rules(small, rules, actor="Olga")
    assert log.head(small) == head


def test_a_time_is_shown_in_utc() -> None:
    assert shown_time(datetime.fromisoformat("2027-03-02T01:59:00+02:00")) == "2027-03-01 23:59:00 UTC"
