"""The past gives the digits of `score_campaign` at every row of the log, whatever has happened since."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.fixture_types import AppendJudgment
from workbench.campaign.content_changes import restore_runs, withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Grade, Topic
from workbench.scoring.board import past_boards as past_module
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import BoardHistory, board_history_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings as campaign_settings

MEASURES = ("AP", "nDCG@2", "P@2", "nDCG(bound=upper)@2", "P(mean=micro)@2", "Judged@2", "NumRel")


def assert_every_row_is_right(campaign: Campaign, past: BoardHistory) -> None:
    for seq in range(log.newest_seq(campaign) + 1):
        assert past.table(campaign, MEASURES, seq) == score_campaign(campaign.at(seq), MEASURES), seq


def test_every_row_of_the_log_has_the_digits_of_the_engine(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path
) -> None:
    judge(campaign, "1", "a", 1)
    judge(campaign, "1", "b", 0)
    with campaign.write():
        changes = {"grades": (Grade(0, "No"), Grade(1, "Partly"), Grade(3, "Yes")), "relevant_from": 2}
        campaign_settings.change(campaign.by("org"), changes)
    judge(campaign, "1", "b", 3, assessor="bob")
    withdraw_runs(campaign.by("org"), ["bm25"])
    judge(campaign, "2", "never seen", 3)
    with campaign.write():
        topics.put(campaign.by("org"), [Topic("0", "a late topic")], files=[])
    late = tmp_path / "late.run"
    late.write_text("0 Q0 e 1 2 late\n2 Q0 never-ranked 1 2 late\n1 Q0 b 1 1 late\n")
    add_runs(campaign.by("org"), [str(late)])
    judge(campaign, "0", "e", 1)
    restore_runs(campaign.by("org"), ["bm25"])
    withdraw_runs(campaign.by("org"), ["dense", "bm25"])
    add_pool(campaign.by("org"), depth=3)
    judge(campaign, "1", "b", None, assessor="bob", kind="cleared")
    assert_every_row_is_right(campaign, BoardHistory())


said = st.lists(
    st.tuples(
        st.sampled_from([*(("1", document) for document in "abcd"), ("2", "a"), ("2", "x"), ("3", "x")]),
        st.sampled_from([None, "cleared", "repeat", -1, 0, 1, 2]),
        st.sampled_from(["ann", "bob"]),
        st.booleans(),
    ),
    max_size=10,
)


@given(steps=said)
@settings(
    max_examples=at_length(100, 12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_the_past_follows_the_log_while_it_is_asked(
    campaign: Campaign,
    judge: AppendJudgment,
    steps: list[tuple[tuple[str, str], int | str | None, str, bool]],
) -> None:
    past, first = BoardHistory(), log.newest_seq(campaign)
    for pair, value, assessor, look in steps:
        kind = {None: "can't tell"}.get(value, value) if not isinstance(value, int) else "grade"
        grade = value if isinstance(value, int) else 1 if value == "repeat" else None
        judge(campaign, *pair, grade, assessor=assessor, kind=kind)
        if look:
            newest = log.newest_seq(campaign)
            assert past.table(campaign, MEASURES, newest) == score_campaign(campaign, MEASURES)
    for seq in range(first, log.newest_seq(campaign) + 1):
        assert past.table(campaign, MEASURES, seq) == score_campaign(campaign.at(seq), MEASURES)


def test_a_table_is_kept_when_the_log_grows_and_a_row_to_come_is_the_present(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    judge(campaign, "1", "a", 1)
    assert BoardHistory().table(campaign, None, 10**9) == score_campaign(campaign)
    past, seq = board_history_of(campaign), judge(campaign, "1", "a", 1)
    before = past.table(campaign, ["AP"], seq)
    judge(campaign, "1", "a", 0)
    assert past.table(campaign, ["AP"], seq) is before
    assert board_history_of(campaign) is past


def test_neither_tables_nor_rankings_pile_up(
    campaign: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_module, "KEPT_TABLES", 1)
    monkeypatch.setattr(past_module, "KEPT_GRIDS", 1)
    for tag in ("bm25", "dense"):
        judge(campaign, "1", "a", 1)
        withdraw_runs(campaign.by("org"), [tag])
    past = BoardHistory()
    assert_every_row_is_right(campaign, past)
    assert len(past._tables) == 1
    assert len(past._grids) == 1
