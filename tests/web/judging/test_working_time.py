"""Hours are the time between judgments that are close together, and the measured time of those that end a break."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from tests.fixture_types import MakeCampaign, Submit
from tests.sentences import says
from workbench.campaign import assessing
from workbench.campaign.working_time import WorkDay, timed, working_days
from workbench.cli import main
from workbench.core.errors import CampaignError
from workbench.core.records import Document, Topic
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.counts.assessor_activity import Given

DOCUMENTS = [f"d{number}" for number in range(9)]


@pytest.fixture
def rivers(make_campaign: MakeCampaign) -> Path:
    texts = [Document(document_id, "", "Ice.") for document_id in DOCUMENTS]
    return make_campaign("rivers", [Topic("1", "ice")], texts, {"a": {"1": DOCUMENTS}})


def judge(
    campaign: Campaign,
    submit: Submit,
    document_id: str,
    at: str,
    received: str = "",
    *,
    seconds: float | None = 30.0,
) -> None:
    """Ben judges at a time of day, or a whole time, of his browser; the server receives it then or at another time."""
    given = moment(at).isoformat()
    sent = submit(campaign, "Ben", "1", document_id, 1, client_at=given, active_seconds=seconds)
    assessing.judge(campaign, sent, assessor="Ben", now=moment(received or at))


def moment(at: str) -> datetime:
    return datetime.fromisoformat(at if "T" in at else f"2026-03-01T{at}").replace(tzinfo=UTC)


def minutes(days: list[WorkDay]) -> list[float]:
    return [day.seconds / 60 for day in days]


def test_an_hour_by_hand(rivers: Path, submit: Submit) -> None:
    with open_campaign(rivers) as campaign:
        judge(campaign, submit, "d0", "09:00")  # the first: its 30 active seconds
        judge(campaign, submit, "d1", "09:04")  # 4 minutes
        judge(campaign, submit, "d2", "09:09")  # 5 minutes: just no gap
        judge(campaign, submit, "d3", "09:20", seconds=90.0)  # a gap of 11: its 1.5 active minutes
        judge(campaign, submit, "d4", "09:40", seconds=3000.0)  # a gap: 5 minutes of what was measured
        judge(campaign, submit, "d5", "10:00", seconds=None)  # a gap, and nothing measured
        (day,) = working_days(campaign)
        assert (day.assessor, day.day, day.judgments, day.pairs) == ("Ben", "2026-03-01", 6, 6)
        assert day.seconds / 60 == 0.5 + 4 + 5 + 1.5 + 5
        assert day.hours == 0.27
        assert minutes(working_days(campaign, gap=11)) == [0.5 + 4 + 5 + 11 + 11 + 0]
        assert minutes(working_days(campaign, gap=60)) == [60.5]


@pytest.mark.parametrize(
    ("given", "pairs", "counted"),
    [
        ("d0 09:00 17:00, d1 09:03 17:00, d2 09:06 17:00", 3, 6.5),
        ("d0 09:00, d1 2026-03-01T23:00:00 09:02", 2, 2.5),
        ("d0 09:00, d0 09:02", 1, 2.5),
    ],
    ids=["without a network", "a clock that is ahead", "changed"],
)
def test_judgments_count_when_they_were_made_but_a_browser_whose_clock_is_ahead_adds_no_time(
    rivers: Path, submit: Submit, given: str, pairs: int, counted: float
) -> None:
    with open_campaign(rivers) as campaign:
        for one in given.split(", "):
            judge(campaign, submit, *one.split())
        (day,) = working_days(campaign)
        assert (day.seconds / 60, day.pairs, day.judgments) == (counted, pairs, given.count(",") + 1)


def test_a_day_ends_at_midnight_of_the_zone(rivers: Path, submit: Submit) -> None:
    with open_campaign(rivers) as campaign:
        judge(campaign, submit, "d0", "22:58")
        judge(campaign, submit, "d1", "23:01")
        assert minutes(working_days(campaign)) == [3.5]
        days = working_days(campaign, zone=ZoneInfo("Europe/Vienna"))
        assert [(day.day, day.seconds) for day in days] == [("2026-03-01", 30), ("2026-03-02", 180)]


def test_imported_judgments_are_nobodys_hours(rivers: Path, submit: Submit, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 d0 1\n1 0 d1 0\n")
    assert CliRunner().invoke(main, ["add", "qrels", str(rivers), str(qrels)]).exit_code == 0
    with open_campaign(rivers) as campaign:
        assert working_days(campaign) == []


@given(
    st.lists(st.tuples(st.integers(0, 3600), st.integers(0, 600)), min_size=1, max_size=30),
    st.integers(1, 240),
)
def test_time_is_never_longer_than_the_day_or_shorter_with_a_longer_gap(
    steps: list[tuple[int, int]], gap: int
) -> None:
    at, rows = moment("00:00"), []
    for step, active in steps:
        at += timedelta(seconds=step)
        rows.append((at, Given("Ben", "1", "d", at.isoformat(), None, min(active, step), False)))
    short, long = (
        sum(each.seconds for each in timed(rows, timedelta(minutes=size), UTC)) for size in (gap, gap + 1)
    )
    assert short <= long <= (at - moment("00:00")).total_seconds()


@pytest.mark.parametrize("gap", [0, 241])
def test_a_gap_out_of_range_is_refused(rivers: Path, gap: int) -> None:
    with open_campaign(rivers) as campaign, pytest.raises(CampaignError, match="1 to 240 minutes"):
        working_days(campaign, gap=gap)


def test_the_command_writes_csv_and_json_with_its_definition(rivers: Path, submit: Submit) -> None:
    with open_campaign(rivers) as campaign:
        judge(campaign, submit, "d0", "09:00")
        judge(campaign, submit, "d1", "09:04")
    csv = CliRunner().invoke(main, ["export", "hours", str(rivers)])
    assert csv.output.splitlines() == [
        "assessor,day,judgments,pairs,first,last,minutes,hours",
        "Ben,2026-03-01,2,2,2026-03-01T09:00:00+00:00,2026-03-01T09:04:00+00:00,4.5,0.07",
    ]
    wide = ["export", "hours", str(rivers), "--gap", "3", "--time-zone", "Europe/Vienna", "--format", "json"]
    found = json.loads(CliRunner().invoke(main, wide).output)
    assert (found["gap_minutes"], found["time_zone"]) == (3, "Europe/Vienna")
    assert found["days"][0]["minutes"] == 1.0
    assert found["days"][0]["first"] == "2026-03-01T10:00:00+01:00"


@pytest.mark.parametrize("zone", ["Mars/Base", "../etc/passwd", "/etc/passwd", "Europe", "a\0b", ""])
def test_a_time_zone_that_is_none_is_refused(rivers: Path, zone: str) -> None:
    refused = CliRunner().invoke(main, ["export", "hours", str(rivers), "--time-zone", zone])
    assert (refused.exit_code, says(refused.output)) == (1, True)


def test_organisers_alone_download_hours(
    anna: FlaskClient, ben: FlaskClient, rivers: Path, submit: Submit
) -> None:
    with open_campaign(rivers) as campaign:
        judge(campaign, submit, "d0", "09:00")
    assert ben.get("/c/rivers/download/hours").status_code == 403
    assert "Ben,2026-03-01,1,1," in anna.get("/c/rivers/download/hours").text
