"""One pair with all that is known of it, an organiser's grade in the place of others, and a topic's pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.fixture_types import JudgeAs
from tests.log_rows import row
from tests.sentences import refused, says
from workbench.analysis.adjudication.deciding import Decision, adjudicate, take_back
from workbench.analysis.pairs.of_topic import pairs_of_topic
from workbench.analysis.pairs.overruling import LogRow, counts_by, overrule, pair_record
from workbench.campaign import assigning
from workbench.campaign.content_changes import mark_broken, withdraw_runs
from workbench.campaign.ingest import add_documents, add_qrels
from workbench.campaign.label_rules import choose_rule
from workbench.core.errors import CampaignError, JudgmentRefused, NotThere
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import near_duplicates
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """Ann said 2 of d1 and 0 of d2 of topic 1, Ben 1 of d1; Cid may judge."""
    with small.write():
        members.put(small.by("Olga"), "Cid", "assessor")
    judging_as(small, "Ann", "1", "d1", 2, comment="all of it")
    judging_as(small, "Ben", "1", "d1", 1)
    judging_as(small, "Ann", "1", "d2", 0)
    return small


def test_a_pair_names_every_run_with_its_rank_every_voice_and_every_row(judged: Campaign) -> None:
    withdraw_runs(judged.by("Olga"), ["beta"])
    assigning.judge_again(judged.by("Olga"), [("1", "d1")], by="Cid", reason="doubtful")
    mark_broken(judged.by("Olga"), ["d1"], reason="cut off")
    found = pair_record(judged, "1", "d1")
    assert [(run.tag, run.rank, run.is_withdrawn) for run in found.runs] == [
        ("alpha", 1, False),
        ("beta", 3, True),
    ]
    assert (found.contenders, found.pool, found.title, found.label) == (1, 1, "Document d1", 1)
    assert [(each.assessor, each.grade, each.comment) for each in found.own_judgments] == [
        ("Ann", 2, "all of it"),
        ("Ben", 1, ""),
    ]
    assert [(each.assessor, each.is_open) for each in found.requests] == [("Cid", True)]
    assert found.mark is not None
    assert [(each.kind, each.actor, each.comment, each.names) for each in found.rows] == [
        ("grade", "Ann", "all of it", ()),
        ("grade", "Ben", "", ()),
        ("judging again", "Olga", "doubtful", ("Cid",)),
        ("broken document", "Olga", "cut off", ()),
    ]


def test_a_pair_says_when_its_text_was_exchanged(judged: Campaign, tmp_path: Path) -> None:
    (tmp_path / "later.jsonl").write_text('{"id": "d1", "title": "Later", "text": "Another text."}\n')
    add_documents(judged.by("Otto", NOW), [str(tmp_path / "later.jsonl")], changed=True)
    assert [row.kind for row in pair_record(judged, "1", "d2").rows] == ["grade"]
    assert pair_record(judged, "1", "d1").rows[2:] == (
        LogRow(log.newest_seq(judged), log.timestamp(NOW), "Otto", "changed texts"),
    )


def test_a_pair_that_no_run_has_is_there_if_it_was_judged_and_no_other_is(
    judged: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "qrels.txt").write_text("10 0 d4 1\n")
    add_qrels(judged.by("Olga"), [str(tmp_path / "qrels.txt")])
    found = pair_record(judged, "10", "d4")
    assert (found.runs, found.pool, found.label) == ((), None, 1)
    with refused(NotThere, "d9", "1"):
        pair_record(judged, "1", "d9")
    with pytest.raises(NotThere, match="there is no topic '77' in small"):
        pair_record(judged, "77", "d1")
    with refused(JudgmentRefused):
        overrule(judged.by("Olga"), "10", "d4", 0, reason="no")


def test_an_overruled_grade_counts_by_the_rule_and_every_voice_stays(judged: Campaign) -> None:
    stored = overrule(judged.by("Olga"), "1", "d2", 2, reason="it says so", expected=0).judgment
    told = (stored.kind, stored.grade, stored.comment, stored.source)
    assert told == ("adjudication", 2, "it says so", "overruled")
    found = pair_record(judged, "1", "d2")
    assert (found.label, [each.grade for each in found.own_judgments]) == (2, [0])
    choose_rule(judged.by("Olga"), "majority")
    assert labels.label_of(judged, "1", "d2") == 0
    assert says("\n".join(counts_by(rule) for rule in ("majority", "adjudicated first", "newest")))
    choose_rule(judged.by("Olga"), "adjudicated first")
    assert labels.label_of(judged, "1", "d2") == 2
    take_back(judged.by("Olga"), stored.seq, "uuid of taking back")
    assert labels.label_of(judged, "1", "d2") == 0
    assert [row.kind for row in pair_record(judged, "1", "d2").rows] == [
        "grade",
        "overruled",
        "adjudication undone",
    ]


def test_an_overrule_needs_a_reason_a_judgment_a_text_and_a_grade_of_the_scale(
    judged: Campaign, tmp_path: Path
) -> None:
    (tmp_path / "qrels.txt").write_text("10 0 d6 1\n")
    add_qrels(judged.by("Olga"), [str(tmp_path / "qrels.txt")])
    head = log.newest_seq(judged)
    for topic_id, document_id, grade, reason in (
        ("1", "d2", 2, " "),
        ("1", "d4", 2, "no"),
        ("10", "d6", 2, "no"),
        ("1", "d2", 7, "no"),
    ):
        with refused(JudgmentRefused):
            overrule(judged.by("Olga"), topic_id, document_id, grade, reason=reason)
    with refused(CampaignError):
        overrule(judged.by("Olga"), "1", "d2", 1, reason="no", expected=1)
    assert log.newest_seq(judged) == head


def sent(campaign: Campaign, uuid: str, grade: int) -> Decision:
    """What a pair page that was opened now would send."""
    found = pair_record(campaign, "1", "d2")
    given = Judgment(
        uuid=uuid,
        topic_id="1",
        document_id="d2",
        pool=found.pool,
        text_hash=found.text_hash,
        topic_version=found.stored.version,
        guideline_version=log.newest_event(campaign, ["settings"]).seq,
        grade=grade,
        replaces=found.adjudication.seq if found.adjudication else None,
        comment="because",
    )
    return Decision(given, found.newest, overrules=True)


def test_of_two_organisers_who_overrule_at_once_the_second_is_refused_and_so_is_one_who_missed_a_judgment(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    one, other = sent(judged, "uuid of the one", 2), sent(judged, "uuid of the other", 1)
    adjudicate(judged.by("Olga"), one)
    assert adjudicate(judged.by("Olga"), one).repeated
    with refused(JudgmentRefused):
        adjudicate(judged.by("Otto"), other)
    late = sent(judged, "uuid of the late", 0)
    judging_as(judged, "Ann", "1", "d2", 1)
    with refused(JudgmentRefused):
        adjudicate(judged.by("Otto"), late)


def test_the_pairs_of_a_topic_say_who_judged_them_who_found_them_and_why_to_look_again(
    judged: Campaign,
) -> None:
    found = pairs_of_topic(judged, "1")
    by_id = {pair.document_id: pair for pair in found.pairs}
    assert found.runs == 2
    assert list(by_id) == ["d1", "d2", "d4"]
    assert (by_id["d1"].best_rank, by_id["d1"].runs, by_id["d1"].teams) == (1, 2, 2)
    assert (by_id["d4"].best_rank, by_id["d4"].runs, by_id["d4"].teams) == (1, 1, 1)
    assert by_id["d1"].reasons == ("conflict",)
    assert by_id["d2"].reasons == ("top",)
    assert (by_id["d4"].reasons, by_id["d4"].is_judged) == ((), False)
    with pytest.raises(NotThere, match="there is no topic '77' in small"):
        pairs_of_topic(judged, "77")


def test_what_is_settled_or_overruled_needs_no_second_look_until_another_grade_comes(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    overrule(judged.by("Olga"), "1", "d1", 1, reason="in part")
    overrule(judged.by("Olga"), "1", "d2", 0, reason="checked")
    assert [pair.reasons for pair in pairs_of_topic(judged, "1").pairs] == [(), (), ()]
    judging_as(judged, "Ann", "1", "d1", 0)
    assert pairs_of_topic(judged, "1").pairs[0].reasons == ("conflict",)


def test_near_duplicates_of_other_grades_other_texts_and_broken_ones_are_looked_at_again(
    judged: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(judged, "Ann", "1", "d4", None)
    with judged.write():
        near_duplicates.put(judged, "1", [("d1", "d2")], texts=3)
        log.append_judgments(judged, [row("Dan", "1", "d2", 0, text_hash="of another text")])
    mark_broken(judged.by("Olga"), ["d1"], reason="cut off")
    reasons = {pair.document_id: pair.reasons for pair in pairs_of_topic(judged, "1").pairs}
    assert reasons == {
        "d1": ("conflict", "near", "broken"),
        "d2": ("near", "text", "top"),
        "d4": ("cannot-tell",),
    }
    assert [(each.document_id, each.label) for each in pair_record(judged, "1", "d2").near] == [("d1", 1)]
    assert pair_record(judged, "1", "d3").near == ()


def test_a_withdrawn_run_finds_nothing(judged: Campaign) -> None:
    withdraw_runs(judged.by("Olga"), ["beta"])
    found = pairs_of_topic(judged, "1")
    assert (found.runs, found.pairs[2].document_id, found.pairs[2].best_rank) == (1, "d4", None)
