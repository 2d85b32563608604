"""A date or a time names the last row of the log written up to it: each case of clocks and zones in sight."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.sentences import refused, says
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.as_of import find_as_of

NOW = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def in_zone() -> Iterator[None]:
    """The time zone of this computer is Berlin during a test: UTC+1, and UTC+2 from 29 March to 25 October 2026."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process cannot be changed here")
    before = os.environ.get("TZ")
    os.environ["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"
    time.tzset()
    yield
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Campaign]:
    with create_campaign(tmp_path / "c.db") as campaign:
        yield campaign


def write(campaign: Campaign, *times: str) -> None:
    """A row of the log for each of these times, in UTC."""
    with campaign.write():
        for at in times:
            now = datetime.fromisoformat(at).replace(tzinfo=UTC)
            log.append_event(campaign.by("Anna", now), "settings", {"title": at})


def row(campaign: Campaign, text: str) -> int:
    found = find_as_of(campaign, text, now=NOW)
    assert found is not None
    return found.seq


@pytest.mark.usefixtures("in_zone")
@pytest.mark.parametrize(
    ("text", "seq"),
    [
        ("0", 0),
        ("2", 2),
        (" 4 ", 4),
        ("2026-03-01", 3),  # to the end of the day in Berlin: 23:00 UTC
        ("2026-03-02", 4),
        ("2026-10-31", 4),
        ("2026-03-01 11:00", 1),  # 10:00 UTC, to the moment
        ("2026-03-01 10:59:59.999", 0),
        ("2026-03-01 14:30", 2),
        ("2026-03-01T14:30:00", 2),
        ("2026-03-01T13:30:00Z", 2),
        ("2026-03-01 13:29:59+00:00", 1),
        ("2026-03-01T08:30-05:00", 2),
        ("2026-03-02 00:30", 4),
    ],
)
def test_the_last_row_written_up_to_the_moment_is_found(empty: Campaign, text: str, seq: int) -> None:
    write(empty, "2026-03-01 10:00", "2026-03-01 13:30", "2026-03-01 22:59:59", "2026-03-01 23:30")
    if seq or text == "0":
        assert row(empty, text) == seq
    else:
        with refused(CampaignError):
            row(empty, text)


@pytest.mark.usefixtures("in_zone")
def test_the_row_its_time_and_the_zone_are_said(empty: Campaign) -> None:
    write(empty, "2026-03-01 10:00", "2026-03-01 13:30")
    assert str(find_as_of(empty, "2026-03-01", now=NOW)) == (
        "2026-03-01 23:59:59 (CET, UTC+01:00) is log row 2, written 2026-03-01 14:30:00 (CET, UTC+01:00)."
    )
    assert str(find_as_of(empty, "2", now=NOW)) == ""
    assert find_as_of(empty, "  ", now=NOW) is None


def test_where_the_clock_was_put_back_the_last_row_up_to_the_moment_is_taken_and_the_later_times_are_counted(
    empty: Campaign,
) -> None:
    with pytest.raises(CampaignError, match="the log is empty"):
        row(empty, "2026-03-01")
    assert row(empty, "0") == 0
    # Rows 2 and 3 were written with a clock six hours fast; then it was put right.
    write(
        empty,
        "2026-03-01 10:00",
        "2026-03-01 16:10",
        "2026-03-01 16:20",
        "2026-03-01 10:30",
        "2026-03-01 17:00",
    )
    found = find_as_of(empty, "2026-03-01T12:00:00Z", now=NOW)
    assert found is not None
    assert (found.seq, found.written_later) == (4, 2)
    assert says(str(found))
    times = ("10:00", "10:29", "16:15", "16:30", "17:00")
    assert [row(empty, f"2026-03-01T{at}:00Z") for at in times] == [1, 1, 4, 4, 5]
    write(empty, "2026-03-01 17:00")
    assert row(empty, "2026-03-01T17:00:00Z") == 6, "of rows of the same time the last"


@pytest.mark.usefixtures("in_zone")
@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("2026-03-29 02:30", "does not exist.*2026-03-29 02:30.01:00 or 2026-03-29 02:30.02:00"),
        ("2026-10-25 02:30", "occurs twice.*2026-10-25 02:30.02:00 or 2026-10-25 02:30.01:00"),
        ("2026-11-02", "in the future"),
        ("2026-11-01 01:00:01", "in the future"),
        ("2026-02-30", "is not a log row such as 1234, a date"),
        ("2026-13-01", "is not a log row"),
        ("1.3.2026", "is not a log row"),
        ("yesterday", "is not a log row"),
        ("-1", "is not a log row"),
        ("2026-03", "is not a log row"),
        ("2026-03-01 25:00", "is not a log row"),
        ("9999-12-31 23:59:59-23:00", "in the future|is not a log row"),
        ("5", "the log has no row 5 yet; its newest row is 1"),
        ("20260301", "the log has no row 20260301 yet"),
        (
            "2026-02-28",
            "no row was written up to 2026-02-28 23:59:59 .CET, UTC.01:00.; the log begins at 2026-03-01 11:00",
        ),
    ],
)
def test_what_names_no_row_is_refused_with_a_reason(empty: Campaign, text: str, what: str) -> None:
    write(empty, "2026-03-01 10:00")
    with pytest.raises(CampaignError, match=what):
        row(empty, text)


@pytest.mark.usefixtures("in_zone")
def test_days_on_which_clocks_change_end_at_their_last_moment(empty: Campaign) -> None:
    write(
        empty,
        "2026-03-29 21:59",
        "2026-03-29 22:00",
        "2026-10-25 00:30",
        "2026-10-25 01:30",
        "2026-10-25 23:00",
    )
    days = ("2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26")
    assert [row(empty, day) for day in days] == [1, 2, 4, 5]
    assert [row(empty, f"2026-10-25 02:30+0{hours}:00") for hours in (2, 1)] == [3, 4]
