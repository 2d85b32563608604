"""Judging added up: what the tallies count, against what the log's own questions answer."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from tests.fixture_types import JudgeAs
from tests.log_rows import rolled_back, row, view_of_current
from workbench.campaign.ingest import add_qrels
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.counts.activity import TopicTally, first_judged_since, tallies
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.adjudications import disputes
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

PAIRS = [("1", "d1"), ("1", "d2"), ("1", "d9"), ("2", "d5"), ("10", "d6")]
KINDS = "grade|grade|grade|can't tell|cleared|repeat|norming|adjudication|import|model".split("|")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
EVENING = NOON.replace(hour=20)


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """Topic 1: two documents, one of them by two people who differ; topic 2: one not told, one taken back."""
    for who, topic_id, document_id, grade in [
        ("Ben", "1", "d1", 2),
        ("Eva", "1", "d1", 0),
        ("Ben", "1", "d2", 0),
        ("Ben", "2", "d1", None),
        ("Ben", "2", "d2", 1),
    ]:
        judging_as(small, who, topic_id, document_id, grade, active_seconds=10)
    judging_as(small, "Ben", "2", "d2", None, kind="cleared")
    return small


def test_topics_are_tallied_pair_by_pair(judged: Campaign) -> None:
    assert tallies(judged, 1).topics == {
        "1": TopicTally(3, 0, 2, 2, 0, graded=2, relevant=0, conflicts=1),
        "10": TopicTally(1, 1),
        "2": TopicTally(3, 0, 1, 1, 0),
    }


def test_judged_pairs_beyond_the_pool_are_distinguished(judged: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("1 0 d3 1\n10 0 d6 0\n", encoding="utf-8")
    add_qrels(judged.by("Olga", NOON), [str(path)], assessor="NIST")
    topics = tallies(judged, 1).topics
    assert topics["1"][2:4] == (3, 2)
    assert topics["10"] == TopicTally(1, 1, 1, 1, 1, graded=1)


def test_assessors_are_tallied_by_what_is_in_force(judged: Campaign) -> None:
    ben, eva = tallies(judged, 1).assessors
    assert (ben.assessor, ben.judged, ben.cannot_tell, ben.timed, ben.seconds) == ("Ben", 3, 1, 4, 40.0)
    assert (eva.assessor, eva.judged, eva.timed) == ("Eva", 1, 1)
    assert ben.last_at == "2026-03-01T12:00:00.000+00:00"


def test_an_adjudication_counts_as_judged_until_it_is_taken_back(judged: Campaign) -> None:
    """Ben has cleared his judgment of the pair."""
    for grade, pairs in ((1, 2), (None, 1)):
        with judged.write():
            log.append_judgments(judged, [row("Olga", "2", "d2", grade, kind="adjudication")])
        found = tallies(judged, 1)
        assert (found.topics["2"].judged, found.topics["2"].graded) == (pairs, pairs - 1)
        olga = next(person for person in found.assessors if person.assessor == "Olga")
        assert (olga.judged, olga.adjudicated) == (0, pairs - 1)


def test_a_pair_is_first_judged_once_and_never_ahead_of_the_clock(
    small: Campaign, judging_as: JudgeAs
) -> None:
    assert first_judged_since(small, NOON, now=EVENING) == {}
    assert tallies(small, 1).assessors == []
    for who, document_id, grade in (("Ben", "d1", 2), ("Eva", "d1", 0), ("Ben", "d2", 0), ("Eva", "d4", 0)):
        judging_as(small, who, "1", document_id, grade)
    assert first_judged_since(small, NOON, now=EVENING) == {"Ben": 2, "Eva": 1}
    assert [each.first_at for each in tallies(small, 1).assessors] == ["2026-03-01T12:00:00.000+00:00"] * 2
    assert first_judged_since(small, NOON.replace(hour=13), now=EVENING) == {}
    assert first_judged_since(small, NOON - timedelta(days=14), now=NOON - timedelta(days=1)) == {}


given_row = st.tuples(
    st.sampled_from(PAIRS), st.sampled_from(["Ben", "Eva"]), st.sampled_from(KINDS), st.integers(-2, 2)
)


@trying(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(given_row, max_size=25),
    rule=st.sampled_from(list(LABEL_RULES)),
    imported=st.sampled_from(list(IMPORTED_LABELS)),
    models=st.sampled_from(list(MODEL_LABELS)),
)
def test_tallies_say_what_the_logs_other_questions_say(
    small: Campaign, rows: list[Any], rule: str, imported: str, models: str
) -> None:
    sent = [
        row(who, *pair, None if kind in {"can't tell", "cleared"} else grade, kind=kind)
        for pair, who, kind, grade in rows
    ]
    with rolled_back(small):
        chosen = {"label_rule": rule, "imported_labels": imported, "model_labels": models}
        settings.change(small.by("Olga"), chosen)
        documents.put_ids(small, ["d9"])
        log.append_judgments(small, sent)
        found = tallies(small, 1)
        labels = qrels(small)
        conflicts = {
            topic_id: [each.document_id for each in disputes(small, topic_id)] for topic_id in found.topics
        }
        progress = {topic.topic_id: topic for topic in progress_by_topic(small, "Ben")}
        current = view_of_current(small)
        standing = Counter(topic_id for topic_id, _ in judgments.judged_pairs(small))
    assert set(found.topics) == {"1", "2", "10"}
    assert [person.assessor for person in found.assessors] == sorted(
        {who for _, who, kind, _ in rows if kind != "model"}
    )
    for topic_id, tally in found.topics.items():
        mine = [label for label in labels if label.topic_id == topic_id]
        assert tally.graded == len(mine)
        assert tally.relevant == sum(label.grade >= 1 for label in mine)
        assert tally.conflicts == len(conflicts[topic_id])
        assert tally.judged == standing[topic_id]
        assert tally.judged_in_pool == progress[topic_id].judged
        assert tally.without_text - tally.judged_without_text == progress[topic_id].held_back
    for person in found.assessors:
        said = [judgment for judgment in current if judgment.assessor == person.assessor]
        kinds = [judgment.kind for judgment in said if judgment.kind != "adjudication"]
        assert person.adjudicated == len(said) - len(kinds)
        besides = {(kind, pair) for pair, who, kind, _ in rows if who == person.assessor}
        assert person.again == sum(kind == "repeat" for kind, _ in besides)
        assert person.norming == sum(kind == "norming" for kind, _ in besides)
        assert person.judged == len(kinds) - kinds.count("cleared")
        assert person.cannot_tell == kinds.count("can't tell")
