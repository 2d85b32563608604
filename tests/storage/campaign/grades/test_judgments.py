"""What is in force follows from the log by one rule, told here once more in plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.fixture_types import JudgeAs
from tests.log_rows import row, view_of_current
from workbench.core.records import Judgment, Qrel
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.counts.progress import Progress, progress_by_topic
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.adjudications import disputes
from workbench.storage.campaign.grades.labels import label_of, qrels
from workbench.storage.campaign.log import log

PAIRS = [("1", "d1"), ("1", "d2"), ("10", "d6"), ("2", "d1")]
POOLED = {"1": 3, "10": 1, "2": 3}
GRADED = ("grade", "import", "model", "adjudication", "repeat", "norming")
COUNTED = ("grade", "can't tell", "cleared", "adjudication", "import")


def append(campaign: Campaign, *rows: Judgment) -> list[Judgment]:
    with campaign.write():
        return log.append_judgments(campaign, rows)


graded = st.tuples(st.sampled_from(GRADED), st.integers(-2, 2))
others = st.tuples(st.sampled_from(["can't tell", "cleared"]), st.none())
logs = st.lists(
    st.tuples(st.sampled_from(["Ann", "Ben", "Zoë"]), st.sampled_from(PAIRS), st.one_of(graded, others)),
    max_size=25,
)


def in_force(rows: Iterable[Judgment]) -> dict[tuple[str, str, str], Judgment]:
    """An assessor's newest judgment of a pair; repeats and norming never count."""
    found: dict[tuple[str, str, str], Judgment] = {}
    for judgment in rows:
        if judgment.kind in COUNTED:
            found[judgment.topic_id, judgment.document_id, judgment.assessor] = judgment
    return found


def qrels_of(rows: Iterable[Judgment]) -> list[Qrel]:
    """The newest grade of those in force for each pair, an imported one only where there is no other; its adjudications
    are one line, whoever gave them.
    """
    newest = sorted(
        in_force(map(on_one_line, rows)).values(), key=lambda row: (row.kind != "import", row.seq)
    )
    grades = {(row.topic_id, row.document_id): row.grade for row in newest if row.grade is not None}
    return [Qrel(*pair, grade) for pair, grade in sorted(grades.items())]


def on_one_line(judgment: Judgment) -> Judgment:
    return judgment._replace(assessor="") if judgment.kind == "adjudication" else judgment


def conflicts_of(rows: Iterable[Judgment]) -> list[tuple[str, str]]:
    grades: dict[tuple[str, str], set[int]] = {}
    for judgment in in_force(each for each in rows if each.kind != "adjudication").values():
        if judgment.grade is not None:
            grades.setdefault((judgment.topic_id, judgment.document_id), set()).add(judgment.grade)
    return sorted(pair for pair, given in grades.items() if len(given) > 1)


def own(rows: Iterable[Judgment]) -> list[Judgment]:
    """What each assessor says in their own name, in the order of the log."""
    return sorted(in_force(row for row in rows if row.kind != "adjudication").values())


def progress_of(rows: list[Judgment], assessor: str) -> list[Progress]:
    standing = [row for row in in_force(map(on_one_line, rows)).values() if row.kind != "cleared"]
    mine = [row for row in own(rows) if row.kind != "cleared" and row.assessor == assessor]
    return [
        Progress(
            topic_id,
            pooled,
            len({row.document_id for row in standing if row.topic_id == topic_id}),
            len([row for row in mine if row.topic_id == topic_id]),
            len([row for row in mine if row.topic_id == topic_id and row.kind == "can't tell"]),
            # d6, topic 10's only document, has no text
            int(topic_id == "10" and not any(row.document_id == "d6" for row in standing)),
        )
        for topic_id, pooled in sorted(POOLED.items())
    ]


@hypothesis_settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(told=logs)
def test_every_question_is_answered_as_the_log_replayed_answers_it(
    small_file: Path, tmp_path: Path, told: list[tuple[str, tuple[str, str], tuple[str, int | None]]]
) -> None:
    path = tmp_path / f"{uuid4()}.db"
    path.write_bytes(small_file.read_bytes())
    with open_campaign(path) as campaign:
        begin = log.newest_seq(campaign)
        rows = append(
            campaign, *(row(assessor, *pair, grade, kind=kind) for assessor, pair, (kind, grade) in told)
        )
        assert list(judgments.log(campaign)) == rows
        for end in range(len(rows) + 1):
            labels = qrels(campaign.at(begin + end))
            assert [Qrel(*label[1:]) for label in labels] == qrels_of(rows[:end])
            by_topic = {
                topic_id: [each.document_id for each in disputes(campaign.at(begin + end), topic_id)]
                for topic_id in sorted(POOLED)
            }
            found = [(topic_id, each) for topic_id in by_topic for each in by_topic[topic_id]]
            assert found == conflicts_of(rows[:end])
        assert list(judgments.each_of_view_of_qrels(campaign)) == qrels_of(rows)
        settled = {(row.topic_id, row.document_id): row for row in rows if row.kind == "adjudication"}
        assert view_of_current(campaign) == sorted([*own(rows), *settled.values()])
        for assessor in ("Ann", "Nobody"):
            assert progress_by_topic(campaign, assessor) == progress_of(rows, assessor)
        for topic_id in POOLED:
            current = view_of_current(campaign, topic_id)
            assert judgments.seqs_of_view_of_current(campaign, topic_id) == [(row.seq, 1) for row in current]
        for pair in PAIRS:
            found_label = label_of(campaign, *pair)
            assert found_label == {qrel[:2]: qrel.grade for qrel in qrels_of(rows)}.get(pair)
            of_zoe = [
                row for row in own(rows) if (row.topic_id, row.document_id, row.assessor) == (*pair, "Zoë")
            ]
            assert judgments.current(campaign, *pair, "Zoë") == (of_zoe[0] if of_zoe else None)
        for topic_id in POOLED:
            current = [row for row in own(rows) if row.topic_id == topic_id]
            assert judgments.current_of_topic(campaign, topic_id) == current
        mine = {
            (row.topic_id, row.document_id): (row.seq, row.grade)
            for row in own(rows)
            if row.assessor == "Ann"
        }
        assert judgments.in_force_of(campaign, "Ann") == mine


def test_a_pair_outside_the_pool_counts_as_a_qrel_and_not_as_progress(small: Campaign) -> None:
    append(small, row("Ann", "10", "d1", 1, kind="import"))
    assert list(judgments.each_of_view_of_qrels(small)) == [("10", "d1", 1)]
    assert [item.judged for item in progress_by_topic(small, "Ann")] == [0, 0, 0]


def test_judgments_are_found_by_uuid_and_by_their_place_in_the_log(small: Campaign) -> None:
    first, second, other = append(
        small, row("Ann", "1", "d1", 2), row("Ann", "1", "d2", 0), row("Ann", "2", "d1", 0)
    )
    assert judgments.by_uuid(small, first.uuid) == first
    assert judgments.by_uuid(small, "none") is None
    assert list(judgments.log(small.at(second.seq), after=first.seq)) == [second]
    assert list(judgments.log(small, after=second.seq)) == [other]


def test_the_last_judgments_of_an_assessor_are_those_in_force_newest_first(
    small: Campaign, judging_as: JudgeAs
) -> None:
    assert judgments.last_given(small, "Ann", 9) == []
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d1", None, kind="can't tell")
    judging_as(small, "Ben", "1", "d4", 0)
    judging_as(small, "Ann", "1", "d2", 0)
    judging_as(small, "Ann", "1", "d1", 0)
    judging_as(small, "Ann", "1", "d2", None, kind="cleared")
    given = judgments.last_given(small, "Ann", 9)
    assert [each[1:] for each in given] == [("1", "d1"), ("2", "d1")]
    assert given[0].seq > given[1].seq
    assert judgments.last_given(small, "Ann", 2) == given[:1]


def test_a_pair_stands_as_long_as_an_assessor_has_judged_and_not_cleared_it(
    small: Campaign, judging_as: JudgeAs
) -> None:
    def standing() -> bool:
        stands = judgments.stands(small, "1", "d1")
        assert (("1", "d1") in judgments.judged_pairs(small)) == stands
        return stands

    assert not standing()
    judging_as(small, "Ann", "1", "d1", None)
    judging_as(small, "Ben", "1", "d1", 2)
    judging_as(small, "Ann", "1", "d1", None, kind="cleared")
    assert standing()
    append(small, row("Ben", "1", "d1", 1, kind="adjudication"))
    judging_as(small, "Ben", "1", "d1", None, kind="cleared")
    assert standing()
    append(small, row("Ben", "1", "d1", None, kind="adjudication"))
    assert not standing()
