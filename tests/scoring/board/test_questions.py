"""Several questions on the board: an answer changes the scores, live, in the past, in a round and by new ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judged_pairs import judge_as
from tests.sentences import refused
from tests.three_rounds import judge, three_rounds
from workbench.analysis.comparing.scores import scores_of
from workbench.campaign.changed_ids import change_ids
from workbench.campaign.ingest import add_qrels
from workbench.campaign.questions import declare
from workbench.campaign.rounds import open_round, seen_by_name
from workbench.core.errors import UnknownName
from workbench.core.records import Grade, Question
from workbench.formats.text.content import content_of
from workbench.scoring.board import Board, live, load_scoring, score_campaign
from workbench.scoring.board.past_boards import scoring_of, table_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log

READABLE = Question(
    "readable", "Readable?", tuple(Grade(grade, f"level {grade}") for grade in range(4)), relevant_from=2
)
TRUST = Question("trust", "Trustworthy?", (Grade(0, "No"), Grade(1, "Yes")))

NAMES = [
    "uRBP(p=0.5)",
    "uRBP(question=readable,p=0.5)",
    "uRBPgr(question=readable,p=0.5)",
    "CAM(of=AP)",
    "CAM(question=trust)@2",
    "WHAM(of=RBP,p=0.5)",
    "AP",
]


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """The campaign `small`, where both questions are asked about all documents."""
    declare(small.by("Olga"), READABLE)
    declare(small.by("Olga"), TRUST)
    return small


def values(
    campaign: Campaign, names: list[str] = NAMES, board: Board | None = None
) -> dict[str, tuple[float, ...]]:
    table = score_campaign(campaign, names) if board is None else board.table(campaign, names)
    return {row.tag: row.values for row in table.rows}


def test_an_answer_changes_the_scores_by_hand_and_the_live_board_follows(
    asked: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_as(asked, "Ann", "1", "d1", 1)
    judge_as(asked, "Ann", "1", "d2", 1)
    board = Board()
    assert values(asked, board=board)["alpha"][:3] == (0, 0, 0)
    monkeypatch.setattr(live, "load_scoring", lambda *_: pytest.fail("loaded again"))
    judge_as(asked, "Ann", "1!readable", "d1", 3)
    judge_as(asked, "Ann", "1!readable", "d2", 1)
    # alpha: d1 d2 d3, beta: d4 d2 d1; d2 is somewhat readable, which is not good.
    found = values(asked, board=board)
    assert found["alpha"][:3] == (0, 1 / 2, (1 + 0.4 / 2) / 2)
    assert found["beta"][:3] == (0, 1 / 8, (0.4 / 2 + 1 / 4) / 2)
    assert found["alpha"][3] == pytest.approx((1 + 1 + 0) / 3)
    judge_as(asked, "Ann", "1!trust", "d1", 1)
    found = values(asked, board=board)
    assert found["alpha"][0] == 1 / 2
    assert found["alpha"][5] == pytest.approx(3 / (1 / (3 / 4) + 1 / (1 / 2) + 1 / (1 / 2)))
    judge_as(asked, "Ann", "1!trust", "d1", None)
    assert values(asked, board=board)["alpha"][0] == 0
    assert values(asked, board=board) == values(asked)


judgments = st.lists(
    st.tuples(
        st.sampled_from(["1", "2"]),
        st.sampled_from(["", "!readable", "!trust"]),
        st.sampled_from(["d1", "d2"]),
        st.sampled_from([0, 1, 2, 3, None]),
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=20)
@given(judgments=judgments)
def test_boards_that_follow_that_load_and_of_the_past_agree(
    small_file: Path, tmp_path_factory: Any, judgments: list[tuple[str, str, str, int | None]]
) -> None:
    path = tmp_path_factory.mktemp("asked") / "small.db"
    path.write_bytes(small_file.read_bytes())
    with open_campaign(path) as campaign:
        for question in (READABLE, TRUST):
            declare(campaign.by("Olga"), question)
        board, then = Board(), {}
        for topic_id, question_of, document_id, grade in judgments:
            most = {"!trust": 1, "!readable": 3}.get(question_of, 2)
            given_grade = None if grade is None else min(grade, most)
            judge_as(campaign, "Ann", topic_id + question_of, document_id, given_grade)
            found = values(campaign, board=board)
            assert found == values(campaign)
            then[log.newest_seq(campaign)] = found
        for seq, found in then.items():
            assert {row.tag: row.values for row in table_of(campaign.at(seq), NAMES).rows} == found
            assert values(campaign.at(seq)) == found


def test_a_document_that_no_run_has_counts_for_the_best_ranking_of_its_question(
    asked: Campaign, tmp_path: Path
) -> None:
    judge_as(asked, "Ann", "1", "d1", 1)
    judge_as(asked, "Ann", "1!trust", "d1", 1)
    board = Board()
    assert values(asked, ["CAM(of=AP,question=trust)"], board)["alpha"] == (1,)
    (tmp_path / "trust.qrels").write_text("1 0 new 1\n")
    add_qrels(asked.asking("trust").by("Olga"), [str(tmp_path / "trust.qrels")], assessor="Zoe")
    for found in (
        values(asked, ["CAM(of=AP,question=trust)"], board),
        values(asked, ["CAM(of=AP,question=trust)"]),
    ):
        assert found["alpha"] == ((1 + 1 / 2) / 2,)
    judge_as(asked, "Ann", "2!trust", "d2", 1)
    assert values(asked, board=board) == values(asked)


def test_comparisons_take_them(asked: Campaign) -> None:
    for topic_id in ("1", "1!readable", "1!trust"):
        judge_as(asked, "Ann", topic_id, "d1", 1)
    found = scores_of(asked, "CAM(of=RBP,question=trust,p=0.5)")
    assert (found.tags, found.values.tolist()) == (("alpha", "beta"), [[0.5, 0.125]])


def test_where_one_question_is_seen_or_asked_they_are_refused(small: Campaign) -> None:
    with refused(UnknownName, "uRBP"):
        score_campaign(small, ["uRBP"])
    declare(small.by("Olga"), READABLE)
    with refused(UnknownName, "uRBP"):
        score_campaign(small.asking("readable"), ["uRBP"])
    with refused(UnknownName, "trust", "readable"):
        score_campaign(small, ["uRBP(question=trust)"])


def test_a_lent_scoring_keeps_its_answers(asked: Campaign) -> None:
    lent = scoring_of(asked)
    (before, _) = (each.labels.label.copy() for each in lent.questions)
    judge_as(asked, "Ann", "1!readable", "d1", 3)
    assert (scoring_of(asked).questions[0].labels.label != before).any()
    assert (lent.questions[0].labels.label == before).all()


def test_a_round_counts_the_answers_about_what_it_counts(tmp_path: Path) -> None:
    with three_rounds(tmp_path) as covid:
        declare(covid.by("Olga"), TRUST)
        judge(covid, {("1!trust", "n1"): 1, ("1!trust", "z2"): 1})
        # Topic 1 of c3: n1 d2 z1 d4 d3 z2, of which z2 alone is relevant and not judged before, as is no other topic.
        names = ["uRBP(p=0.5)", "CAM(of=AP,weight=0)"]
        own, residual, whole = (
            values(seen_by_name(covid, name), names)["c3"] for name in ("3-own", "3-residual", "3")
        )
        assert own == pytest.approx(((1 / 64) / 3, (1 / 6) / 3))
        assert residual == pytest.approx(((1 / 4) / 3, (1 / 2) / 3))
        assert whole[1] == pytest.approx(((1 + 2 / 6) / 2) / 3)


def test_answers_follow_documents_to_their_new_ids(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1", "d1", 1)
    judge_as(asked, "Ann", "1!readable", "d1", 3)
    before = values(asked, ["uRBP(question=readable)"])
    open_round(asked.by("Olga"), "2")
    change_ids(asked.by("Olga"), content_of("ids.csv", b"old,new\nd1,e1\n"))
    assert values(asked, ["uRBP(question=readable)"]) == before
    assert before["alpha"][0] > 0
    assert load_scoring(asked).questions
