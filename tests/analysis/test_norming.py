"""A norming session from its opening to its end: nothing said in it counts unless that is asked for."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs, Submit
from tests.sentences import refused
from workbench.analysis.norming import (
    Said,
    before_and_after,
    close_norming,
    open_norming,
    outcome_of,
    reveal_norming,
    who_is_done,
    who_said_what,
)
from workbench.campaign import assessing
from workbench.campaign.assessing import Receipt
from workbench.core.errors import AlreadyDone, CampaignError, JudgmentRefused, NotThere
from workbench.core.records import Qrel
from workbench.methods.statistics.agreement import Coefficient
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming as sessions
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members


@pytest.fixture
def say(small: Campaign, submit: Submit) -> JudgeAs:
    """Say something of a document of topic 1 in the open session, as the page would."""

    def said(assessor: str, document_id: str, grade: int | None, **changes: object) -> Receipt:
        session = sessions.open_session(small)
        number = session.norming if session else 1
        found = sessions.find(small, number)
        mine = sessions.newest(small, found, document_id, assessor) if found else None
        given = {"replaces": mine.seq if mine else None, **changes}
        sent = submit(small, assessor, "1", document_id, grade, **given)
        return assessing.judge(small, sent, assessor=assessor, norming=number)

    return said


@pytest.fixture
def session(small: Campaign) -> sessions.Session:
    """An open session over the three documents of topic 1, which Ann and Zoe are to judge."""
    with small.write():
        members.put(small.by("Olga"), "Ann", "assessor")
        members.put(small.by("Olga"), "Olga", "organiser")
        members.put(small.by("Olga"), "Otto", "observer")
        members.put(small.by("Olga"), "Zoe", "adjudicator")
    return open_norming(small.by("Olga"), "1", ["d2", "d1", "d4"])


def value(found: tuple[Coefficient, ...], name: str) -> float | None:
    return next(each.value for each in found if each.name == name)


def test_documents_are_drawn_by_the_seed_from_those_that_can_be_read(small: Campaign) -> None:
    drawn = open_norming(small.by("Olga"), "2", number=2, seed=5).documents
    assert len(set(drawn)) == 2 and set(drawn) <= {"d1", "d2", "d5"}
    close_norming(small.by("Olga"))
    assert open_norming(small.by("Olga"), "2", number=2, seed=5).documents == drawn
    close_norming(small.by("Olga"))
    assert len(open_norming(small.by("Olga"), "2").documents) == 3


def test_a_session_that_cannot_be_opened_changes_nothing_and_one_is_open_at_a_time(small: Campaign) -> None:
    before = log.head(small)
    for kind, topic_id, given in (
        (NotThere, "1", {"chosen": ["d1", "d5"]}),
        (NotThere, "10", {}),
        (CampaignError, "1", {"number": 0}),
    ):
        with refused(kind):
            open_norming(small.by("Olga"), topic_id, **given)  # type: ignore[arg-type]
    with refused(NotThere):
        reveal_norming(small.by("Olga"))
    with refused(NotThere):
        assessing.session_of(small, 3)
    assert log.head(small) == before
    open_norming(small.by("Olga"), "1")
    with refused(AlreadyDone):
        open_norming(small.by("Olga"), "2")
    reveal_norming(small.by("Olga"))
    with refused(AlreadyDone):
        reveal_norming(small.by("Olga"))


def test_what_is_said_in_a_session_counts_for_nothing(
    small: Campaign, session: sessions.Session, say: JudgeAs, judging_as: JudgeAs
) -> None:
    judging_as(small, "Ann", "1", "d2", 0)
    receipt = say("Ann", "d2", 2)
    assert (receipt.judgment.kind, receipt.judgment.grade) == ("grade", 2), "as the page has sent it"
    say("Ann", "d1", None)
    stored = judgments.by_uuid(small, receipt.judgment.uuid)
    assert stored is not None and stored.kind == "norming"
    assert list(judgments.each_of_view_of_qrels(small)) == [Qrel("1", "d2", 0)]
    assert [item[:4] for item in assessing.queue_of_session(small, session, "Ann")] == [
        ("d2", "mine", "grade", 2),
        ("d1", "mine", "can't tell", None),
        ("d4", "open", None, None),
    ]
    assert {item.state for item in assessing.queue_of_session(small, session, "Ben")} == {"open"}
    assert [item.state for item in assessing.queue(small, "1", "Ann")] == ["open", "mine", "open"]


def test_agreement_is_reported_before_and_after_the_talk(
    small: Campaign, session: sessions.Session, say: JudgeAs
) -> None:
    for assessor, grades in (("Ann", (1, 0, 2)), ("Ben", (1, 1, 0))):
        for document_id, grade in zip(("d1", "d2", "d4"), grades, strict=True):
            say(assessor, document_id, grade)
    session = reveal_norming(small.by("Olga"))
    say("Ben", "d4", 2, comment="It is about rivers after all.")
    outcome = outcome_of(small, session, resamples=0)
    assert outcome.before is not None and outcome.after is not None
    assert value(outcome.before.graded, "raw agreement") == 1 / 3
    assert value(outcome.after.graded, "raw agreement") == 2 / 3
    rows = {row.document_id: row.said for row in outcome.rows}
    assert list(rows) == ["d2", "d1", "d4"], "in the order of the session"
    assert tuple(rows["d4"].values()) == (
        Said(2, "", changed=False),
        Said(2, "It is about rivers after all.", changed=True),
        None,
    )
    session = close_norming(small.by("Olga"))
    again = outcome_of(small, session, resamples=0)
    assert again.before is not None and again.after is not None
    assert (again.before.graded, again.after.graded) == (outcome.before.graded, outcome.after.graded)


def test_after_its_end_nothing_more_is_said_in_it(
    small: Campaign, session: sessions.Session, say: JudgeAs, submit: Submit
) -> None:
    close_norming(small.by("Olga"))
    with pytest.raises(JudgmentRefused) as refused:
        say("Ann", "d1", 1)
    assert refused.value.reason == "norming closed"
    second = open_norming(small.by("Olga"), "1", ["d1"])
    for document_id, number in (("d2", second.norming), ("d1", 99)):
        sent = submit(small, "Ann", "1", document_id, 1)
        with pytest.raises(JudgmentRefused) as refused:
            assessing.judge(small, sent, assessor="Ann", norming=number)
        assert refused.value.reason == "unknown pair"
    assert assessing.queue_of_session(small, second, "Ann")[0].state == "open"


@pytest.mark.usefixtures("session")
def test_the_last_grades_count_if_asked_for_unless_their_assessor_has_one(
    small: Campaign, say: JudgeAs, judging_as: JudgeAs
) -> None:
    judging_as(small, "Ann", "1", "d1", 0)
    for document_id, grade in (("d1", 2), ("d2", 1), ("d2", 2), ("d4", None)):
        say("Ann", document_id, grade)
    closed = close_norming(small.by("Olga"), counts=True)
    assert closed.counts
    assert list(judgments.each_of_view_of_qrels(small)) == [Qrel("1", "d1", 0), Qrel("1", "d2", 2)]
    taken_over = judgments.current(small, "1", "d2", "Ann")
    assert taken_over is not None
    assert (taken_over.kind, taken_over.source, taken_over.active_seconds) == ("grade", "norming 1", None)


@pytest.mark.usefixtures("session")
def test_sessions_are_what_the_log_says_up_to_a_row(small: Campaign, say: JudgeAs) -> None:
    say("Ann", "d1", 1)
    reveal_norming(small.by("Olga"))
    close_norming(small.by("Olga"), counts=True)
    open_norming(small.by("Olga"), "2")
    first, second = sessions.all_sessions(small)
    assert (first.counts, first.is_open, second.topic_id, second.is_open) == (True, False, "2", True)
    assert sessions.all_sessions(small.at(first.opened)) == [
        first._replace(revealed=None, closed=None, counts=False)
    ]
    assert not [finding for finding in audit(small) if finding.wrong]


def test_tables_of_a_session_say_what_each_said_and_nothing_of_it_before_it_is_revealed(
    small: Campaign, session: sessions.Session, say: JudgeAs
) -> None:
    say("Ann", "d1", 1)
    say("Ann", "d2", None, kind="can't tell")
    say("Zoe", "d1", 0)
    hidden = outcome_of(small, sessions.all_sessions(small)[0])
    assert (hidden.done, hidden.rows, hidden.before) == ({"Ann": 2, "Zoe": 1}, (), None)
    assert before_and_after(hidden).rows == ()
    assert [who for who, _ in who_is_done(hidden).rows] == ["Ann", "Zoe"]
    assert all(cell not in row[1:] for row in who_said_what(hidden).rows for cell in ("0", "1", "can't tell"))
    reveal_norming(small.by("Olga"))
    shown = outcome_of(small, sessions.all_sessions(small)[0])
    assert [column.name for column in who_said_what(shown).columns] == ["document", "grade Ann", "grade Zoe"]
    assert sorted(who_said_what(shown).rows) == [
        ("d1", "1", "0"),
        ("d2", "can't tell", None),
        ("d4", None, None),
    ]
    assert "raw agreement" in [row[0] for row in before_and_after(shown).rows]
