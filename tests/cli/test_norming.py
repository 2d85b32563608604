"""workbench judging norming, from the opening of a session to its end."""

from __future__ import annotations

import json

from tests.fixture_types import JudgeAs, Workbench
from tests.sentences import says
from workbench.campaign import assessing
from workbench.storage.campaign import Campaign


def test_a_session_is_opened_revealed_and_closed(
    done: Workbench, workbench: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    assert says(done("norming show small").stderr)
    opened = done("norming open small 1 d2 d1")
    assert says(opened.stderr)
    session = assessing.session_of(campaign, 1)
    for assessor, grades in (("Ann", (1, 0)), ("Ben", (1, 1))):
        for document_id, grade in zip(("d1", "d2"), grades, strict=True):
            assert assessing.own_in_session(campaign, session, document_id, assessor) is None
            judging_as(campaign, assessor, "1", document_id, grade, norming=1, replaces=None)
    rows = [line.split() for line in done("norming show small").stdout.splitlines()]
    assert rows == [["Assessor", "Documents", "judged"], ["Ann", "2"], ["Ben", "2"]]
    assert "are revealed" in done("norming reveal small").stderr
    table = done("norming show small 1 --format csv").stdout.splitlines()
    assert table == ["document,grade Ann,grade Ben", "d2,0,1", "d1,1,1"]
    shown = [line.split() for line in done("norming show small").stdout.splitlines()]
    assert ["d2", "0", "1"] in shown
    assert ["raw", "agreement", "0.5000", "0.5000"] in shown
    content = json.loads(done("norming show small --format json").stdout)
    assert content["before"]["by_grade"][0]["value"] == 0.5
    assert says(done("norming close small").stderr)
    refused = workbench("norming close small")
    assert refused.exit_code == 1 and says(refused.stderr)
    assert "no norming session 7" in workbench("norming show small 7").stderr
