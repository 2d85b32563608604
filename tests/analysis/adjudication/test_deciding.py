"""An adjudication in the log: once, by somebody who saw what it settles, and no opinion of anybody."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import refused
from workbench.analysis.adjudication.conflicts import conflicts
from workbench.analysis.adjudication.deciding import Decision, adjudicate, pair_of, take_back
from workbench.campaign.assessing import queue, show
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades import adjudications
from workbench.storage.campaign.grades.current_judgments import independent_grades
from workbench.storage.campaign.grades.labels import label_of, qrels
from workbench.storage.campaign.log import log

Decide = Callable[..., Decision]

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def test_an_adjudication_is_a_row_of_its_own_kind_and_all_assessors_keep_their_grades(
    disputed: Campaign, decided: Decide
) -> None:
    before = list(independent_grades(disputed))
    sent = decided(disputed, "1", "d1", 1, comment="halfway", input="key", active_seconds=4)
    row = adjudicate(disputed.by("Olga"), sent).judgment
    assert (row.kind, row.grade, row.assessor, row.comment) == ("adjudication", 1, "Olga", "halfway")
    assert (row.replaces, row.input, row.active_seconds, row.pool) == (None, "key", 4.0, sent.given.pool)
    assert list(independent_grades(disputed)) == before
    assert label_of(disputed, "1", "d1") == 1


def test_what_was_sent_twice_is_stored_once(disputed: Campaign, decided: Decide) -> None:
    sent = decided(disputed, "1", "d1", 1)
    stored = adjudicate(disputed.by("Olga"), sent)
    again = adjudicate(disputed.by("Olga"), sent)
    assert (again.judgment, stored.repeated, again.repeated) == (stored.judgment, False, True)
    with pytest.raises(JudgmentRefused, match="under this uuid"):
        adjudicate(disputed.by("Olga"), sent._replace(given=sent.given._replace(grade=2)))


def test_a_taken_back_adjudication_leaves_the_conflict_open(disputed: Campaign, decided: Decide) -> None:
    labels = qrels(disputed)
    adjudicate(disputed.by("Olga"), decided(disputed, "1", "d1", 2))
    last = adjudications.newest_by(disputed, "Olga")
    assert last is not None
    assert (last.document_id, last.grade) == ("d1", 2)
    undone = take_back(disputed.by("Olga"), last.seq, "uuid of undo").judgment
    assert (undone.kind, undone.grade, undone.replaces) == ("adjudication", None, last.seq)
    assert take_back(disputed.by("Olga"), last.seq, "uuid of undo").repeated
    with refused(JudgmentRefused):
        take_back(disputed.by("Olga"), last.seq, "another uuid")
    assert adjudications.of_pair(disputed, "1", "d1") is None
    assert adjudications.newest_by(disputed, "Olga") is None
    assert adjudications.in_force(disputed.at(last.seq))["1", "d1"] == last
    assert len(conflicts(disputed).open) == 4
    assert qrels(disputed) == labels


def test_adjudicating_and_taking_back_in_turn_adds_thirty_rows_a_minute_and_no_more(
    disputed: Campaign, decided: Decide
) -> None:
    for turn in range(15):
        sent = decided(disputed, "1", "d1", 2, uuid=f"decision {turn}")
        row = adjudicate(disputed.by("Olga", NOW), sent).judgment
        take_back(disputed.by("Olga", NOW), row.seq, f"taken back {turn}")
    with refused(JudgmentRefused):
        adjudicate(disputed.by("Olga", NOW), decided(disputed, "1", "d1", 2, uuid="one more"))
    later = NOW + timedelta(minutes=1)
    assert adjudicate(disputed.by("Olga", later), decided(disputed, "1", "d1", 2, uuid="one more"))


@pytest.mark.parametrize(
    ("reason", "field", "value"),
    [
        ("bad grade", "grade", 7),
        ("bad value", "comment", "x" * 10_001),
        ("bad value", "comment", "\ud800"),
        ("unknown pair", "pool", 9),
        ("unknown pair", "document_id", "d9"),
        ("text changed", "text_hash", "0" * 64),
        ("text changed", "topic_version", 999),
        ("text changed", "guideline_version", 999),
        ("replaced elsewhere", "replaces", 1),
        ("replaced elsewhere", "newest", 1),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    disputed: Campaign, decided: Decide, reason: str, field: str, value: object
) -> None:
    before = log.head(disputed)
    with pytest.raises(JudgmentRefused) as refused:
        adjudicate(disputed.by("Olga"), decided(disputed, "1", "d1", 1, **{field: value}))
    assert refused.value.reason == reason
    assert log.head(disputed) == before


def test_who_has_not_seen_a_newer_grade_or_another_adjudication_cannot_settle(
    disputed: Campaign, decided: Decide, judging_as: JudgeAs
) -> None:
    early = decided(disputed, "1", "d1", 1)
    judging_as(disputed, "Ann", "1", "d1", 1)
    with refused(JudgmentRefused):
        adjudicate(disputed.by("Olga"), early)
    late = decided(disputed, "1", "d1", 1)
    adjudicate(disputed.by("Otto"), decided(disputed, "1", "d1", 1, uuid="another uuid"))
    with refused(JudgmentRefused):
        adjudicate(disputed.by("Olga"), late)


def test_where_nobody_disagrees_there_is_nothing_to_settle(disputed: Campaign, decided: Decide) -> None:
    with pytest.raises(NotThere, match="do not disagree"):
        pair_of(disputed, "1", "d2", "Olga")
    shown = {"document_id": "d2", "text_hash": show(disputed, "1", "d2", "Olga").text_hash}
    newest = max(row.seq for row in adjudications.own_judgments(disputed, "1", "d2"))
    with pytest.raises(JudgmentRefused) as refused:
        adjudicate(disputed.by("Olga"), decided(disputed, "1", "d1", 1, newest=newest, **shown))
    assert refused.value.reason == "no conflict"


def test_names_are_letters_of_another_assessor_elsewhere_and_notes_stand_beside_the_grades(
    disputed: Campaign,
) -> None:
    voices = pair_of(disputed, "1", "d1", "Olga").blinded_grades
    assert [voice.name for voice in voices] == ["A", "B"]
    told = {(voice.grade, voice.comment, len(voice.rationales), voice.own) for voice in voices}
    assert told == {(2, "Ann's", 1, False), (0, "Ben's", 0, False)}
    assert [voice.own for voice in pair_of(disputed, "1", "d1", "Ann").blinded_grades].count(True) == 1
    pairs = [("1", "d1"), ("1", "d4"), ("2", "d1"), ("2", "d5")]
    firsts = {pair_of(disputed, *pair, "Olga").blinded_grades[0].comment for pair in pairs}
    assert firsts == {"Ann's", "Ben's"}


def test_who_adjudicated_a_pair_judges_it_as_if_they_had_not(
    disputed: Campaign, decided: Decide, judging_as: JudgeAs
) -> None:
    adjudicate(disputed.by("Olga"), decided(disputed, "1", "d1", 1))
    adjudicate(disputed.by("Ann"), decided(disputed, "1", "d4", 0))
    mine = {item.document_id: item.grade for item in queue(disputed, "1", "Ann")}
    assert mine["d4"] == 1
    assert show(disputed, "1", "d1", "Olga").mine is None
    assert judging_as(disputed, "Olga", "1", "d1", 0).judgment.replaces is None


def test_an_undo_under_the_number_of_another_act_is_refused(disputed: Campaign, decided: Decide) -> None:
    sent = decided(disputed, "1", "d1", 1)
    stored = adjudicate(disputed.by("Olga"), sent).judgment
    take_back(disputed.by("Olga"), stored.seq, "uuid of undo")
    for seq, uuid, who in (
        (stored.seq, sent.given.uuid, "Olga"),
        (stored.seq + 1, "uuid of undo", "Olga"),
        (stored.seq, "uuid of undo", "Zoe"),
    ):
        with pytest.raises(JudgmentRefused, match="under this uuid"):
            take_back(disputed.by(who), seq, uuid)


def test_a_document_that_nobody_judged_cannot_be_overruled(
    disputed: Campaign, decided: Decide, small_file: Path, tmp_path: Path
) -> None:
    sent = decided(disputed, "1", "d1", 1, newest=0, comment="why", overrules=True)
    shutil.copyfile(small_file, tmp_path / "unjudged.db")
    with open_campaign(tmp_path / "unjudged.db") as unjudged, refused(JudgmentRefused):
        adjudicate(unjudged.by("Olga"), sent)
