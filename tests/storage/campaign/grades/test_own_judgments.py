"""The history holds what is in force, finds it by every filter and in every script, and knows what it replaced."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from workbench.core.records import Judgment, Rationale
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import own_judgments
from workbench.storage.campaign.grades.own_judgments import JudgmentFilter, Tally


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> dict[str, Judgment]:
    """Five of Ann's judgments in force by a letter, oldest first; d1 of topic 1 was judged twice, one of Ben's."""
    kept = (Rationale("text", 4, 8, "text"),)
    judging_as(small, "Ann", "1", "d1", 1, comment="a first idea")
    made = {
        "a": judging_as(small, "Ann", "1", "d1", 2, comment="Ärger with 100% of it", rationales=kept),
        "b": judging_as(small, "Ann", "1", "d2", 0),
        "c": judging_as(small, "Ann", "2", "d1", None, comment="Лёд и снег"),
        "d": judging_as(small, "Ann", "2", "d2", 2, same_as="d5", input="same"),
    }
    judging_as(small, "Ben", "1", "d4", 1)
    judging_as(small, "Ann", "1", "d4", 1)
    made["e"] = judging_as(small, "Ann", "1", "d4", None, kind="cleared")
    return {letter: receipt.judgment for letter, receipt in made.items()}


def found(campaign: Campaign, judged: dict[str, Judgment], **wanted: object) -> str:
    """The letters of what is found, newest first."""
    letters = {judgment.seq: letter for letter, judgment in judged.items()}
    return "".join(letters[seq] for seq in own_judgments.matching(campaign, "Ann", JudgmentFilter(**wanted)))  # type: ignore[arg-type]


def test_without_a_filter_all_in_force_are_there_newest_first_but_the_cleared(
    small: Campaign, judged: dict[str, Judgment]
) -> None:
    assert found(small, judged) == "dcba"
    assert own_judgments.matching(small, "Nobody", JudgmentFilter()) == []


@pytest.mark.parametrize(
    ("wanted", "letters"),
    [
        ({"topic_id": "1"}, "ba"),
        ({"topic_id": "10"}, ""),
        ({"grade": 2}, "da"),
        ({"grade": 0}, "b"),
        ({"kind": "can't tell"}, "c"),
        ({"kind": "cleared"}, "e"),
        ({"note": True}, "ca"),
        ({"rationale": True}, "a"),
        ({"same_as": True}, "d"),
        ({"grade": 2, "topic_id": "1", "note": True, "rationale": True}, "a"),
        ({"grade": 2, "topic_id": "1", "same_as": True}, ""),
    ],
)
def test_every_filter_leaves_what_fits_and_all_together_what_fits_to_all(
    small: Campaign, judged: dict[str, Judgment], wanted: dict[str, object], letters: str
) -> None:
    assert found(small, judged, **wanted) == letters


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("d1", "ca"),
        ("DOCUMENT", "dcba"),
        ("document d2", "db"),
        ("ärger", "a"),
        ("A\u0308RGER", "a"),  # the same letter from two characters
        ("ЛЁД", "c"),
        ("снег лёд", "c"),
        ("100%", "a"),
        ("10_%", ""),
        ("%", "a"),
        ("'", ""),
        ("text", "a"),
        ("first idea", ""),
        ("  ", "dcba"),
    ],
)
def test_words_are_found_in_id_title_note_and_rationale_in_any_script(
    small: Campaign, judged: dict[str, Judgment], text: str, letters: str
) -> None:
    assert found(small, judged, text=text) == letters


def test_judgments_are_counted_by_topic_kind_and_grade(small: Campaign, judged: dict[str, Judgment]) -> None:
    assert own_judgments.tallies(small, "Ann") == [
        Tally("1", "cleared", None, 1),
        Tally("1", "grade", 0, 1),
        Tally("1", "grade", 2, 1),
        Tally("2", "can't tell", None, 1),
        Tally("2", "grade", 2, 1),
    ]


def test_an_entry_has_the_title_and_what_was_replaced(small: Campaign, judged: dict[str, Judgment]) -> None:
    newest, oldest = own_judgments.entries(small, [judged["d"].seq, judged["a"].seq])
    assert (newest.judgment, newest.title, newest.pooled, newest.earlier) == (
        judged["d"],
        "Document d2",
        True,
        [],
    )
    assert oldest.judgment == judged["a"]
    assert [(former.grade, former.comment) for former in oldest.earlier] == [(1, "a first idea")]
    (cleared,) = own_judgments.entries(small, [judged["e"].seq])
    assert [former.assessor for former in cleared.earlier] == ["Ann"]


@pytest.mark.parametrize(
    "wanted", [JudgmentFilter(), JudgmentFilter(topic_id="1"), JudgmentFilter(text="ice", note=True)]
)
def test_the_history_walks_over_one_persons_rows_and_sorts_nothing(
    small: Campaign, wanted: JudgmentFilter
) -> None:
    if wanted.text:
        small.db.conn.create_function("found_in", 1, bool)
    values = {"assessor": "Ann", "topic": "1"}
    plan = small.db.conn.execute(f"EXPLAIN QUERY PLAN {own_judgments.statement(wanted)}", values).fetchall()
    steps = [step for *_, step in plan]
    assert any("judgment USING INDEX judgment_assessor (assessor=?)" in step for step in steps)
    assert any("newer USING COVERING INDEX judgment_pair" in step for step in steps)
    assert not [step for step in steps if step.startswith("SCAN") or "TEMP B-TREE" in step]
