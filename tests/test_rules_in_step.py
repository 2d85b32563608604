"""Exported qrels, the view, the board and its past say the same after any log, by any rule; and nothing that was said
again, or in a norming session, reaches any of them.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from tests.log_rows import rolled_back, row
from workbench.core.records import Qrel
from workbench.release.export import export_qrels
from workbench.scoring.board import Board, score_campaign
from workbench.scoring.board.past_boards import BoardHistory
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

MEASURES = ["AP", "nDCG@10", "Judged@10"]
WITHOUT_GRADE = ("can't tell", "cleared")
BESIDES = ("repeat", "norming")
KINDS = ("grade", "grade", "grade", "import", "import", "model", "adjudication", *WITHOUT_GRADE, *BESIDES)

SAID = st.tuples(
    st.sampled_from(["Ann", "Ben", "Zoë"]),
    st.sampled_from([("1", "d1"), ("1", "d2"), ("2", "d2")]),
    st.sampled_from(KINDS),
    st.integers(-2, 2),
)
CHOSEN = st.sampled_from(
    [("label_rule", rule) for rule in sorted(LABEL_RULES)]
    + [("imported_labels", each) for each in IMPORTED_LABELS]
    + [("model_labels", each) for each in MODEL_LABELS] * 2
)
STEPS = st.lists(st.one_of(SAID, SAID, SAID, CHOSEN), min_size=1, max_size=14)


def put(campaign: Campaign, step: Any) -> None:
    if len(step) == 2:
        settings.change(campaign.by("Olga"), dict([step]))
    else:
        who, pair, kind, grade = step
        without = kind in WITHOUT_GRADE
        log.append_judgments(campaign, [row(who, *pair, None if without else grade, kind=kind)])


def rule_after(steps: list[Any]) -> str:
    return next((step[1] for step in reversed(steps) if step[0] == "label_rule"), "newest")


def assign(campaign: Campaign) -> None:
    assignments.put(campaign.by("Olga"), [], [("1", "whole", "Ben"), ("1", "second", "Ann")])


@given(steps=STEPS)
@trying(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_export_view_board_and_past_are_in_step_whatever_the_log_says(
    small: Campaign, steps: list[Any]
) -> None:
    board, past, moments = Board(), BoardHistory(), []
    with rolled_back(small):
        assign(small)
        for number, step in enumerate(steps, start=1):
            put(small, step)
            exported = export_qrels(small, special=True)
            rule = rule_after(steps[:number])
            in_sql = [Qrel(*label[1:]) for label in qrels(small, rule=LABEL_RULES[rule].of_one_pair)]
            assert list(judgments.each_of_view_of_qrels(small)) == in_sql
            assert exported.rule == rule
            if not LABEL_RULES[rule].of_all:
                assert exported.qrels == in_sql
            table = board.table(small, MEASURES)
            assert table == score_campaign(small, MEASURES)
            moments.append((exported, table))
        for exported, table in moments:
            assert export_qrels(small.at(exported.head.seq), special=True) == exported
            assert past.table(small, MEASURES, exported.head.seq) == table


@given(steps=STEPS)
@trying(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_qrels_are_the_same_without_any_repeat_or_word_of_a_norming_session(
    small: Campaign, steps: list[Any]
) -> None:
    found = []
    for some in (steps, [step for step in steps if len(step) == 2 or step[2] not in BESIDES]):
        with rolled_back(small):
            assign(small)
            for step in some:
                put(small, step)
            scores = [each[:3] for each in score_campaign(small, MEASURES).rows]
            found.append((export_qrels(small, special=True)[:3], scores))
    assert found[0] == found[1]
