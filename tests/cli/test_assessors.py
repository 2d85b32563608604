"""workbench judging assessors."""

from __future__ import annotations

import json

import pytest

from tests.fixture_types import JudgeAs, Workbench
from tests.sentences import says
from workbench.analysis.assessors import profile as assessors
from workbench.campaign.assigning import judge_again
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import members


def test_everybody_has_a_row_and_one_has_a_history(
    done: Workbench, workbench: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    for document_id in ("d1", "d2", "d4"):
        judging_as(campaign, "Ann", "1", document_id, 2, active_seconds=4)
    judging_as(campaign, "Ben", "1", "d1", 0)
    rows = [line.split() for line in done("assessors small").stdout.splitlines()]
    assert rows[1] == ["Ann", "3", "1", "0", "4.00", "0.00", "1.00", "1", "1", "0", "+2.0000", "0"]
    history = done("assessors small Ann --format csv").stdout.splitlines()
    assert history[0] == "first,last,begins,ends,median_seconds,relevant,in_common,above"
    assert history[1] == "1,3,2026-03-01,2026-03-01,4.0,1.0,1,2.0"
    one = done("assessors small Ann --format json")
    drift = json.loads(one.stdout)["drift"]
    assert (drift["between_topics"]["n"], drift["between_topics"]["change"]) == (1, None)
    assert drift["in_words"][0] in one.stderr
    ann, ben = json.loads(done("assessors small --format json").stdout)
    assert (ann["in_common"], ann["remarks"], ben["median_seconds"]) == (1, [], None)
    refused = workbench("assessors small Zoe")
    assert refused.exit_code == 1 and says(refused.stderr, "Zoe")


def test_remarks_are_below_the_table_and_below_the_history_before_the_drift(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging_as(campaign, "Ann", "1", "d1", 2)
    profile = assessors.profile_of(campaign, "Ann")
    summary = profile.summary._replace(remarks=("fast", "strict"))
    monkeypatch.setattr(assessors, "summaries", lambda _: [profile.summary, summary])
    monkeypatch.setattr(assessors, "profile_of", lambda *_: profile._replace(summary=summary))
    assert done("assessors small").stderr.splitlines() == ["Ann: fast; strict."]
    lines = done("assessors small Ann").stderr.splitlines()
    assert lines == ["Ann: fast; strict.", *profile.drift.in_words]


@pytest.mark.parametrize("name", ["", "Ann"])
def test_why_pairs_are_left_out_is_said_where_some_are(
    name: str, done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ann", "1", "d1", 2)
    judging_as(campaign, "Ben", "1", "d2", 0)
    command = ["assessors", "small", *filter(None, [name])]
    assert "Left out" not in done(*command).stderr
    with campaign.write():
        members.put(campaign.by("Olga"), "Ben", "assessor")
    judge_again(campaign.by("Olga"), [("1", "d1")], by="Ben")
    judging_as(campaign, "Ben", "1", "d1", 0)
    assert done(*command).stderr.count("Left out: pairs that a grade may have selected") == 1
