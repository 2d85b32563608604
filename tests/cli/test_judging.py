"""workbench judging: agreement, conflicts, overruling, assessors, rules of labels, norming and repeats."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, JudgeAs, Rows, Workbench
from tests.log_rows import row
from tests.sentences import says
from workbench.analysis.assessors import profile as assessors
from workbench.campaign import assessing
from workbench.campaign.assigning import judge_again
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members


@pytest.fixture
def disputed(done: Workbench) -> None:
    """Ann and Ben have three pairs in common, and no grade."""
    Path("ann.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    Path("ben.txt").write_text("1 0 d1 0\n1 0 d4 1\n2 0 d2 1\n", encoding="utf-8")
    done("add qrels small ann.txt --assessor Ann")
    done("add qrels small ben.txt --assessor Ben")


@pytest.mark.usefixtures("disputed")
def test_a_campaign_has_all_coefficients_and_the_table(done: Workbench, rows: Rows) -> None:
    result = done("agreement small")
    assert result.stdout.splitlines()[1].split()[:3] == ["raw", "agreement", "0.3333"]
    assert "Ann \\ Ben" in result.stdout
    assert says(result.stderr, "3 of 4")
    found = rows("agreement small --by pair")
    assert {row["scope"] for row in found} == {"Ann, Ben"}
    assert (len(found), float(found[0]["value"])) == (17, 1 / 3)
    words = "agreement small --format json --seed 3 --draws 50"
    content = json.loads(done(words).stdout)
    assert (content["seed"], content["resamples"], content["shared"]) == (3, 50, 3)
    assert done(words).stdout == done(words).stdout
    then = done(f"agreement small --as-of {content['seq'] - 1} --format json").stdout
    assert json.loads(then)["shared"] == 2
    assert says(done("agreement small --by assessor").stderr.splitlines()[-1])


@pytest.mark.usefixtures("disputed")
def test_what_disagreement_does_to_the_leaderboard(done: Workbench) -> None:
    result = done("agreement small -m AP")
    words = [line.split() for line in result.stdout.splitlines()]
    assert words[1][:4] == ["Ann", "3", "3", "1.0000"]
    assert [line[0] for line in words[-2:]] == ["beta", "alpha"]
    assert "AP on 3 topics" in result.stderr
    assert says(result.stderr)
    rows = list(csv.DictReader(done("agreement small -m AP --format csv").stdout.splitlines()))
    assert float(rows[1]["union"]) == pytest.approx(1 / 3)
    assert json.loads(done("agreement small -m AP --format json").stdout)["shared_topics"] == 2


@pytest.fixture
def four_conflicts(done: Workbench) -> None:
    """Ann and Ben differ on d1 and d4 of topic 1, on d2 of topic 2, and on d6 of topic 10, which has no text."""
    Path("ann.txt").write_text("1 0 d1 1\n1 0 d4 0\n10 0 d6 1\n2 0 d2 2\n", encoding="utf-8")
    Path("ben.txt").write_text("1 0 d1 0\n1 0 d4 1\n10 0 d6 0\n2 0 d2 1\n", encoding="utf-8")
    done("add qrels small ann.txt --assessor Ann")
    done("add qrels small ben.txt --assessor Ben")


@pytest.mark.usefixtures("four_conflicts")
def test_conflicts_are_listed_and_counted(done: Workbench, rows: Rows, fails: Fails) -> None:
    result = done("conflicts small")
    pairs = {("1", "d1"), ("1", "d4"), ("2", "d2")}
    assert {tuple(line.split()[:2]) for line in result.stdout.splitlines()[1:]} == pairs
    assert says(result.stderr)
    assert {(row["topic"], row["document"]) for row in rows("conflicts small")} == pairs
    found = json.loads(done("conflicts small -m nDCG@5 --format json").stdout)
    assert {(each["topic"], each["document"]) for each in found["open"]} == pairs
    assert (found["measure"], found["hidden"]) == ("nDCG@5", 1)
    fails("conflicts small -m nonsense")


def test_no_conflicts_are_no_rows(done: Workbench) -> None:
    result = done("conflicts small")
    assert (result.stdout, says(result.stderr)) == ("", True)


@pytest.fixture
def ann_judged(done: Workbench) -> None:
    """Ann ann_judged d1 of topic 1 with 1; Ben, an assessor, may judge it again."""
    Path("ann.txt").write_text("1 0 d1 1\n", encoding="utf-8")
    done("add qrels small ann.txt --assessor Ann")
    done("member add small Ben --role assessor")


@pytest.mark.usefixtures("ann_judged")
def test_a_grade_is_overruled_if_it_is_the_one_that_is_named(done: Workbench, fails: Fails) -> None:
    result = done("overrule small 1 d1 0 --from 1 --reason 'another river'")
    assert says(result.stderr)
    assert "has the grade 0 now, not 1; nothing was stored" in fails(
        "overrule small 1 d1 1 --from 1 --reason no"
    )
    assert done("export qrels small").stdout == "1 0 d1 0\n"


@pytest.mark.usefixtures("ann_judged")
def test_a_document_is_judged_again_by_who_is_free_until_it_is_taken_back(
    done: Workbench, workbench: Workbench, fails: Fails
) -> None:
    assert says(done("assign again small 1 d1").stderr)
    refused = workbench("assign again small 1 d1 --by Ben")
    assert (refused.exit_code, "Ben is to judge document 'd1'" in refused.stderr) == (1, True)
    for words in (["d1"], ["d1", "d2", "--by", "Ben"]):
        assert says(fails("assign again small 1", *words, "--take-back", status=2))
    taken_back = done("assign again small 1 d1 --take-back --by Ben").stderr
    assert says(taken_back)
    done("assign again small 1 d1 --by Ben")


@pytest.mark.usefixtures("ann_judged")
def test_requests_are_listed_without_a_topic_and_a_topic_alone_is_a_mistake(
    done: Workbench, fails: Fails
) -> None:
    nothing = done("assign again small")
    assert (nothing.stdout, nothing.stderr) == ("", "0 requests to judge again, 0 open.\n")
    heads = "topic,document,assessor,time,actor,reason,state\n"
    assert done("assign again small --format csv").stdout == heads
    done("assign again small 1 d1 --reason 'cut off'")
    listed = done("assign again small --format csv")
    rows = list(csv.DictReader(listed.stdout.splitlines()))
    assert [(row["document"], row["assessor"], row["reason"], row["state"]) for row in rows] == [
        ("d1", "Ben", "cut off", "open")
    ]
    assert "1 request to judge again, 1 open." in listed.stderr
    assert says(fails("assign again small 1", status=2))


@pytest.mark.usefixtures("ann_judged")
def test_broken_documents_are_listed_until_they_are_repaired(done: Workbench, workbench: Workbench) -> None:
    assert workbench("broken small d1").exit_code == 1
    marked = done("broken small d1 d2 d1 --reason 'cut off'").stderr
    assert marked == "2 documents marked as broken.\n"
    rows = list(csv.reader(done("broken small --format csv").stdout.splitlines()))
    assert rows[0] == ["document", "time", "actor", "reason"]
    assert [(row[0], row[3]) for row in rows[1:]] == [("d1", "cut off"), ("d2", "cut off")]
    repaired = done("broken small d1 d1 --repaired").stderr
    assert says(repaired)
    done("broken small d2 --repaired")
    assert done("broken small").stdout == ""
    assert done("broken small --format csv").stdout == "document,time,actor,reason\n"


def test_everybody_has_a_row_and_one_has_a_history(
    done: Workbench, workbench: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    for document_id in ("d1", "d2", "d4"):
        judging_as(campaign, "Ann", "1", document_id, 2, active_seconds=4)
    judging_as(campaign, "Ben", "1", "d1", 0)
    rows = [line.split() for line in done("assessors small").stdout.splitlines()]
    assert rows[1] == ["Ann", "3", "1", "0", "4.00", "0.00", "1.00", "1", "1", "0", "+2.0000", "0"]
    history = done("assessors small Ann --format csv").stdout.splitlines()
    assert history[0] == "first,last,begins,ends,median_seconds,relevant,in_common,above"
    assert history[1] == "1,3,2026-03-01,2026-03-01,4.0,1.0,1,2.0"
    one = done("assessors small Ann --format json")
    drift = json.loads(one.stdout)["drift"]
    assert (drift["between_topics"]["n"], drift["between_topics"]["change"]) == (1, None)
    assert drift["in_words"][0] in one.stderr
    ann, ben = json.loads(done("assessors small --format json").stdout)
    assert (ann["in_common"], ann["remarks"], ben["median_seconds"]) == (1, [], None)
    refused = workbench("assessors small Zoe")
    assert refused.exit_code == 1 and says(refused.stderr, "Zoe")


def test_remarks_are_below_the_table_and_below_the_history_before_the_drift(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging_as(campaign, "Ann", "1", "d1", 2)
    profile = assessors.profile_of(campaign, "Ann")
    summary = profile.summary._replace(remarks=("fast", "strict"))
    monkeypatch.setattr(assessors, "summaries", lambda _: [profile.summary, summary])
    monkeypatch.setattr(assessors, "profile_of", lambda *_: profile._replace(summary=summary))
    assert done("assessors small").stderr.splitlines() == ["Ann: fast; strict."]
    lines = done("assessors small Ann").stderr.splitlines()
    assert lines == ["Ann: fast; strict.", *profile.drift.in_words]


def test_why_pairs_are_left_out_is_said_where_some_are(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ann", "1", "d1", 2)
    judging_as(campaign, "Ben", "1", "d2", 0)
    assert "Left out" not in done("assessors small").stderr
    with campaign.write():
        members.put(campaign.by("Olga"), "Ben", "assessor")
    judge_again(campaign.by("Olga"), [("1", "d1")], by="Ben")
    judging_as(campaign, "Ben", "1", "d1", 0)
    for command in ("assessors small", "assessors small Ann"):
        assert done(command).stderr.count("Left out: ") == 1


def test_rules_are_listed_with_what_they_would_change_and_chosen(done: Workbench, campaign: Campaign) -> None:
    with campaign.write():
        log.append_judgments(campaign, [row("Ann", "1", "d1", 2), row("Ben", "1", "d1", 0)])
    told = done("rule small")
    assert says(told.stderr)
    lines = [line.split() for line in told.stdout.splitlines()]
    assert lines[0] == ["Rule", "In", "force", "Labels", "changed", "What", "it", "does"]
    assert lines[1][:6] == ["newest", "yes", "the", "newest", "grade", "counts"]
    assert ["most", "lenient", "no", "1", "the", "highest", "grade", "counts"] in lines
    assert any(line[:2] == ["Dawid-Skene", "refused"] for line in lines)
    state = json.loads(done("rule small --format json").stdout)
    changed = {option["rule"]: option["changed"] for option in state["options"]}
    assert (state["rule"], state["several"], changed["most lenient"]) == ("newest", 1, 1)
    assert done("rule small MOST-LENIENT").stderr == "The rule is most lenient now.\n"
    assert done("rule small 'most lenient'").stderr == "The rule is most lenient already.\n"
    exported = done("export qrels small")
    assert exported.stdout == "1 0 d1 2\n"
    assert says(exported.stderr)


def test_a_rule_that_is_unknown_or_cannot_be_is_an_error(fails: Fails) -> None:
    assert fails("rule small oldest").partition(";")[0] == "there is no label rule 'oldest'"
    assert says(fails("rule small dawid-skene"))


def test_a_session_is_opened_revealed_and_closed(
    done: Workbench, workbench: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    assert says(done("norming show small").stderr)
    opened = done("norming open small 1 d2 d1")
    assert says(opened.stderr)
    session = assessing.session_of(campaign, 1)
    for assessor, grades in (("Ann", (1, 0)), ("Ben", (1, 1))):
        for document_id, grade in zip(("d1", "d2"), grades, strict=True):
            assert assessing.own_in_session(campaign, session, document_id, assessor) is None
            judging_as(campaign, assessor, "1", document_id, grade, norming=1, replaces=None)
    rows = [line.split() for line in done("norming show small").stdout.splitlines()]
    assert rows == [["Assessor", "Documents", "judged"], ["Ann", "2"], ["Ben", "2"]]
    assert "are revealed" in done("norming reveal small").stderr
    table = done("norming show small 1 --format csv").stdout.splitlines()
    assert table == ["document,grade Ann,grade Ben", "d2,0,1", "d1,1,1"]
    shown = [line.split() for line in done("norming show small").stdout.splitlines()]
    assert ["d2", "0", "1"] in shown
    assert ["raw", "agreement", "0.5000", "0.5000"] in shown
    content = json.loads(done("norming show small --format json").stdout)
    assert content["before"]["by_grade"][0]["value"] == 0.5
    assert says(done("norming close small").stderr)
    refused = workbench("norming close small")
    assert refused.exit_code == 1 and says(refused.stderr)
    assert "no norming session 7" in workbench("norming show small 7").stderr


def test_repeats_are_off_until_a_share_is_named(done: Workbench) -> None:
    nothing = done("repeats small")
    assert (nothing.stdout, says(nothing.stderr)) == ("", True)
    assert done("repeats small --format csv").stdout == "assessor,drawn,due,repeated\n"
    result = done("repeats small --share 0.03 --seed 5")
    assert says(result.stderr)
    assert "after at least 1 more judgment (seed 5)" in done("repeats small --gap 1").stderr
    assert says(done("repeats small --share 0").stderr)


def test_who_judged_again_has_a_row_in_both_tables(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    done("repeats small --share 1 --gap 1")
    for document_id, grade in (("d1", 1), ("d2", 0), ("d1", 1), ("d4", 1), ("d2", 1)):
        judging_as(campaign, "Ann", "1", document_id, grade)
    rows = [line.split() for line in done("repeats small").stdout.splitlines()]
    assert rows == [["Assessor", "Drawn", "Due", "Repeated"], ["Ann", "3", "0", "2"]]
    result = done("agreement small --by assessor")
    assert result.stdout.splitlines()[1].split()[:3] == ["Ann", "2", "0.5000"]
    assert says(result.stderr)
