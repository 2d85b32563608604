"""Topics are given, spread, closed and opened again; each change is an event that says it all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.campaign import assigning
from workbench.campaign.content_changes import restore_topics, withdraw_topics
from workbench.campaign.ingest import add_topics
from workbench.core.errors import AlreadyDone, CampaignError, NotThere, UnknownName
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def give(
    campaign: Campaign, topic_ids: Sequence[str], *names: str, part: str = "whole", add: bool = False
) -> None:
    assigning.assign(campaign.by("Olga", NOW), topic_ids, names, part=part, add=add)


def join(campaign: Campaign, **roles: str) -> None:
    with campaign.write():
        for name, role in roles.items():
            members.put(campaign.by("Olga", NOW), name, role)


def test_nobody_is_both_assessors_of_a_topic_and_there_is_one_second(small: Campaign) -> None:
    give(small, ["1"], "Ann")
    before = log.head(small)
    with refused(CampaignError):
        give(small, ["1"], "Ann", part="second")
    with refused(CampaignError):
        give(small, ["1"], "Ben", "Cid", part="second")
    for name in ("", "  ", "Ben\n", "B" * 201):
        with refused(CampaignError):
            give(small, ["2"], name)
    with pytest.raises(NotThere, match="there are no topics 7, 70 in small"):
        give(small, ["1", "7", "70"], "Ben")
    assert log.head(small) == before


def test_topics_without_anybody_are_spread_evenly_over_the_assessors(small: Campaign) -> None:
    join(small, Ann="assessor", Ben="assessor", Olga="organiser")
    give(small, ["2"], "Ben", part="second")
    # Topics 1, 2 and 10 have 3, 3 and 1 pairs; Ben does not get the one of which he is second.
    assert assigning.spread(small.by("Olga", NOW)) == {"1": "Ann", "2": "Ann", "10": "Ben"}
    assert assigning.spread(small.by("Olga", NOW)) == {}


def test_who_has_a_disabled_account_is_given_nothing(small: Campaign) -> None:
    join(small, Ann="assessor", Ben="assessor")
    with refused(CampaignError, "Ben"):
        assigning.assign(small.by("Olga", NOW), ["1"], ["Ben"], disabled={"Ben"})
    with refused(CampaignError, "Ben"):
        assigning.spread(small.by("Olga", NOW), ["Ann", "Ben"], disabled={"Ben"})
    assert set(assigning.spread(small.by("Olga", NOW), disabled={"Ben"}).values()) == {"Ann"}
    with refused(CampaignError):
        assigning.draw_double(small.by("Olga", NOW), 1, 7, disabled={"Ben"})
    join(small, Cid="assessor")
    drawn = assigning.draw_double(small.by("Olga", NOW), 1, 7, disabled={"Ben"})
    assert set(drawn.seconds.values()) == {"Cid"}


def test_who_has_pairs_already_gets_fewer_of_those_that_are_spread(small: Campaign, tmp_path: Path) -> None:
    join(small, Ann="assessor", Ben="assessor")
    (tmp_path / "more.tsv").write_text("11\tsprings\n", encoding="utf-8")
    add_topics(small.by("Olga", NOW), [str(tmp_path / "more.tsv")])
    give(small, ["2"], "Ann")
    give(small, ["11"], "Ben")  # which has no pool, so he has none yet
    assert assigning.spread(small.by("Olga", NOW)) == {"1": "Ben", "10": "Ann"}


def test_nobody_to_spread_topics_over_is_said(small: Campaign) -> None:
    with refused(CampaignError):
        assigning.spread(small.by("Olga"))


def test_closing_what_is_closed_is_reported(small: Campaign) -> None:
    assigning.close(small.by("Olga", NOW), ["1"], reason="adjudicated")
    with pytest.raises(AlreadyDone, match="closed already: 1"):
        assigning.close(small.by("Olga", NOW), ["1"])
    assert assigning.close(small.by("Olga", NOW), ["1", "2"]) == ["2"]
    assert assigning.reopen(small.by("Olga", NOW), ["1", "2", "10"]) == ["1", "2"]
    with pytest.raises(AlreadyDone, match="not closed: 1"):
        assigning.reopen(small.by("Olga", NOW), ["1"])


def test_who_chose_before_that_anybody_judges_is_obeyed(small: Campaign) -> None:
    assigning.choose_who_judges(small.by("Olga", NOW), "anybody")
    give(small, ["1"], "Ann")
    assert assigning.overview(small, NOW).who_judges == "anybody"


def test_who_judges_is_one_of_three_and_a_lease_has_minutes(small: Campaign) -> None:
    with refused(UnknownName, "nobody"):
        assigning.choose_who_judges(small.by("Olga"), "nobody")
    with pytest.raises(CampaignError, match="1 to 10,080 minutes"):
        assigning.choose_who_judges(small.by("Olga"), "claimed", lease_minutes=0)


def test_the_audit_finds_an_assignment_that_the_log_does_not_have(small: Campaign) -> None:
    give(small, ["1"], "Ann")
    give(small, ["1"], "Ben")
    question = "the log replayed gives what the file says now"
    assert [finding.wrong for finding in audit(small) if finding.question == question] == [()]
    small.db.execute("UPDATE assignment SET assessor = 'Eve'")
    wrong = next(finding.wrong for finding in audit(small) if finding.question == question)
    assert [words.split(":")[0] for words in wrong] == ["assignments"]


def test_the_overview_says_who_has_what(small: Campaign) -> None:
    join(small, Ann="assessor", Ben="observer")
    assigning.choose_who_judges(small.by("Olga", NOW), "claimed", lease_minutes=30)
    give(small, ["1"], "Ann")
    give(small, ["1"], "Ben", part="second")
    assigning.claim(small, "2", "Ann", now=NOW)
    found = assigning.overview(small, now=NOW)
    assert [(row.topic_id, row.whole, row.second) for row in found.rows] == [
        ("1", ("Ann",), "Ben"),
        ("2", (), None),
        ("10", (), None),
    ]
    assert [row.claim and row.claim.assessor for row in found.rows] == [None, "Ann", None]
    assert [row.drawn for row in found.rows] == [0, 0, 0]
    assert (found.unassigned, found.judges, found.without_judging_role) == (1, ("Ann",), ("Ben",))


def test_a_topic_cannot_be_taken_where_it_is_not_free(small: Campaign) -> None:
    with refused(assigning.NotFree):
        assigning.claim(small, "1", "Ann", now=NOW)
    assigning.choose_who_judges(small.by("Olga", NOW), "claimed")
    give(small, ["1"], "Ben")
    assigning.close(small.by("Olga", NOW), ["2"])
    withdraw_topics(small.by("Olga", NOW), ["10"])
    for topic_id in ("1", "2", "10"):
        with refused(assigning.NotFree):
            assigning.claim(small, topic_id, "Ann", now=NOW)
    with pytest.raises(NotThere, match="there is no topic '77' in small"):
        assigning.claim(small, "77", "Ann", now=NOW)
    restore_topics(small.by("Olga", NOW), ["10"])
    assigning.claim(small, "10", "Ann", now=NOW)
    assigning.give_back(small, "10", "Ann")
    assigning.claim(small, "10", "Cid", now=NOW)


def test_who_holds_as_many_topics_as_may_be_claims_no_more_and_keeps_those(
    small: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.campaign.assigning.changing.MOST_CLAIMS", 2)
    assigning.choose_who_judges(small.by("Olga", NOW), "claimed", lease_minutes=30)
    for topic_id in ("1", "2", "2"):
        assigning.claim(small, topic_id, "Ann", now=NOW)
    with refused(assigning.NotFree):
        assigning.claim(small, "10", "Ann", now=NOW)
    with refused(assigning.NotFree):
        assigning.claim(small, "1", "Ben", now=NOW)
    later = NOW + timedelta(minutes=31)
    assigning.claim(small, "10", "Ann", now=later)
    assigning.claim(small, "1", "Ben", now=later)
