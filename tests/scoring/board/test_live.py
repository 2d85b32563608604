from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.fixture_types import AppendJudgment
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import GradesDoNotFit, UnknownName
from workbench.methods.measures import parse_measure
from workbench.scoring.board import Board, board_of, load_scoring, score_campaign
from workbench.scoring.board import live as board_module
from workbench.storage.campaign import Campaign, backup, create_campaign, open_campaign
from workbench.storage.campaign.organising import settings as campaign_settings

MEASURES = ("AP", "nDCG@2", "P@2", "Bpref", "RBP(p=0.5)", "Judged@2", "NumRel")


def never_loads(*_: object) -> None:
    pytest.fail("the board loaded everything again")


def test_a_judgment_is_followed_without_loading_again(
    campaign: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board()
    before = board.table(campaign, MEASURES)
    monkeypatch.setattr(board_module, "load_scoring", never_loads)
    seq = judge(campaign, "1", "a", 1)
    assert board.scoring(campaign).head.seq == seq
    after = board.table(campaign, MEASURES)
    monkeypatch.undo()
    assert after != before
    assert after == score_campaign(campaign, MEASURES)


def test_a_board_lends_its_rankings_and_labels_which_later_judgments_do_not_change(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    board = Board()
    lent = board.scoring(campaign)
    judge(campaign, "1", "a", 1)
    assert lent.num_judged.tolist() == [0, 0, 0]
    assert int((lent.labels.label > 0).sum()) == 0
    again = board.scoring(campaign)
    assert again.num_judged.tolist() == [1, 0, 0]
    assert again.rankings is lent.rankings


def test_a_reader_of_an_earlier_row_does_not_take_the_board_back(
    campaign: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board()
    judge(campaign, "1", "a", 1)
    with open_campaign(campaign.path) as reader, reader.snapshot():
        then = score_campaign(reader, MEASURES)
        judge(campaign, "1", "b", 1)
        now = board.table(campaign, MEASURES)
        assert board.table(reader, MEASURES) == then
        assert board.scoring(reader).head.seq == then.seq
    monkeypatch.setattr(board_module, "load_scoring", never_loads)
    assert board.table(campaign, MEASURES) is now


judgments = st.lists(
    st.tuples(
        st.sampled_from([*(("1", document) for document in "abcd"), ("2", "a"), ("2", "d"), ("3", "x")]),
        st.sampled_from([None, "cleared", -1, 0, 1, 2]),
        st.sampled_from(["ann", "bob"]),
        st.booleans(),
    ),
    max_size=12,
)


@given(steps=judgments, small_topic=st.sampled_from([0, board_module.SMALL_TOPIC]))
@settings(
    max_examples=at_length(100, 15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_a_board_that_follows_equals_one_that_loads(
    campaign: Campaign,
    judge: AppendJudgment,
    steps: list[tuple[tuple[str, str], int | str | None, str, bool]],
    small_topic: int,
) -> None:
    board = Board()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_module, "SMALL_TOPIC", small_topic)
        for pair, value, assessor, look in steps:
            kind = "grade" if isinstance(value, int) else (value or "can't tell")
            judge(campaign, *pair, value if isinstance(value, int) else None, assessor=assessor, kind=kind)
            if look:
                assert board.table(campaign, MEASURES) == score_campaign(campaign, MEASURES)
        assert board.table(campaign, MEASURES) == score_campaign(campaign, MEASURES)
    loaded = load_scoring(campaign)
    wanted = [parse_measure("AP", defaults={"rel": loaded.relevant_from})]
    assert (
        board.valued(campaign, lambda _: wanted)[1][wanted[0]].tolist()
        == loaded.values_of(wanted)[wanted[0]].tolist()
    )


def test_a_board_is_right_where_there_is_no_room_for_entries_measures_and_tables(
    campaign: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, most in (("KEPT_ENTRIES", 1), ("KEPT_MEASURES", 3), ("KEPT_TABLES", 2)):
        monkeypatch.setattr(board_module, limit, most)
    board = Board()
    for step, pair in enumerate([("1", "a"), ("2", "d"), ("1", "b"), ("2", "a"), ("2", "d"), ("1", "a")], 1):
        board.table(campaign, MEASURES)
        judge(campaign, *pair, 1 + step % 2)
        names = [f"P@{step}", "AP"]
        assert board.table(campaign, names) == score_campaign(campaign, names)
        assert board.table(campaign, MEASURES) == score_campaign(campaign, MEASURES)


def test_only_what_is_asked_for_is_scored_again(campaign: Campaign, judge: AppendJudgment) -> None:
    board = Board()
    for document, names in zip(
        "abcdab", [["AP"], ["RR"], ["AP", "RR"], ["RR"], ["nDCG"], MEASURES], strict=True
    ):
        judge(campaign, "1", document, 1)
        judge(campaign, "2", document, 1)
        assert board.table(campaign, names) == score_campaign(campaign, names)


def test_a_measure_that_a_grade_does_not_fit_leaves_the_others_alone(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    board = Board()
    board.table(campaign, ["ERR(max_grade=1)", "AP"])
    judge(campaign, "1", "a", 2)
    for _ in range(2):
        with pytest.raises(GradesDoNotFit):
            board.table(campaign, ["ERR(max_grade=1)", "AP"])
        assert board.table(campaign, ["AP"]) == score_campaign(campaign, ["AP"])
    judge(campaign, "1", "a", 1)
    names = ["ERR(max_grade=1)", "AP"]
    assert board.table(campaign, names) == score_campaign(campaign, names)


def test_bounds_follow_a_grade_that_is_higher_than_all_before(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    board, names = Board(), ["nDCG(bound=upper)", "nDCG(bound=lower)"]
    for grade in (1, 2, 0):
        judge(campaign, "1", "a", grade)
        assert board.table(campaign, names) == score_campaign(campaign, names)


def test_new_runs_a_deeper_pool_and_another_smallest_relevant_grade_change_the_board(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path
) -> None:
    judge(campaign, "1", "zz", 1)
    board = Board()
    assert len(board.table(campaign, MEASURES).rows) == 2
    (tmp_path / "third.run").write_text("1 Q0 zz 1 1 third\n3 Q0 new 1 1 third\n")
    add_runs(campaign.by("org"), [str(tmp_path / "third.run")])
    table = board.table(campaign, MEASURES)
    assert [row.tag for row in table.rows] == ["bm25", "dense", "third"]
    assert table == score_campaign(campaign, MEASURES)
    add_pool(campaign.by("org"), depth=3)
    assert board.scoring(campaign).head.seq == table.seq + 1
    with campaign.write():
        campaign_settings.change(campaign.by("org"), {"relevant_from": 2})
    table = board.table(campaign, ["AP"])
    assert (str(table.measures[0]), table.rows[2].values) == ("AP(rel=2)", (0.0,))


def test_many_judgments_at_once_are_loaded_instead_of_followed(
    campaign: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_module, "MANY_JUDGMENTS", 1)
    board = Board()
    board.table(campaign, MEASURES)
    judge(campaign, "1", "a", 1)
    judge(campaign, "2", "d", 1)
    assert board.table(campaign, MEASURES) == score_campaign(campaign, MEASURES)
    monkeypatch.setattr(board_module, "load_scoring", never_loads)
    assert board.table(campaign, MEASURES) is board.table(campaign, MEASURES)


def test_a_file_with_another_history_in_the_same_place_is_loaded(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path
) -> None:
    board = Board()
    copy = backup(campaign, tmp_path / "copy.db")
    judge(campaign, "1", "a", 1)
    judge(campaign, "1", "b", 1)
    board.table(campaign, MEASURES)
    with open_campaign(copy) as restored:
        assert board.table(restored, MEASURES) == score_campaign(restored, MEASURES)
        for grade in (0, 0, 1):
            judge(restored, "2", "a", grade)
        board.table(campaign, MEASURES)
        assert board.table(restored, MEASURES) == score_campaign(restored, MEASURES)


def test_threads_share_a_board_with_their_own_connections(campaign: Campaign, judge: AppendJudgment) -> None:
    board = board_of(campaign)

    def watch(number: int) -> int:
        with open_campaign(campaign.path) as mine:
            for step in range(5):
                judge(mine, "1", "abcd"[(number + step) % 4], step % 3, assessor=f"ann{number}")
                board.table(mine, MEASURES)
            return board.scoring(mine).head.seq

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(watch, range(4)))
    assert board.table(campaign, MEASURES) == score_campaign(campaign, MEASURES)


def test_a_campaign_has_one_board_in_a_process(campaign: Campaign, tmp_path: Path) -> None:
    with open_campaign(campaign.path) as again:
        assert board_of(again) is board_of(campaign)
    with create_campaign(tmp_path / "other.db") as other:
        assert board_of(other) is not board_of(campaign)


def test_an_unknown_measure_leaves_the_board_as_it_was(campaign: Campaign) -> None:
    board = Board()
    table = board.table(campaign, MEASURES)
    with pytest.raises(UnknownName):
        board.table(campaign, ["APP"])
    assert board.table(campaign, MEASURES) is table


def test_a_board_that_failed_to_follow_reloads(
    campaign: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board()
    board.table(campaign, MEASURES)
    judge(campaign, "1", "a", 1)
    judge(campaign, "2", "a", 1)

    def breaks(*_: object) -> int:
        raise OSError("disk full")

    monkeypatch.setattr(board_module, "labels_after", breaks)
    with pytest.raises(OSError, match="disk full"):
        board.table(campaign, MEASURES)
    monkeypatch.undo()
    assert board.table(campaign, MEASURES) == score_campaign(campaign, MEASURES)
