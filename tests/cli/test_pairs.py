"""workbench judging overrule, broken, and assign again."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import says


@pytest.fixture
def judged(done: Workbench) -> None:
    """Ann judged d1 of topic 1 with 1; Ben, an assessor, may judge it again."""
    Path("ann.txt").write_text("1 0 d1 1\n", encoding="utf-8")
    done("add qrels small ann.txt --assessor Ann")
    done("member add small Ben --role assessor")


@pytest.mark.usefixtures("judged")
def test_a_grade_is_overruled_if_it_is_the_one_that_is_named(done: Workbench, fails: Fails) -> None:
    result = done("overrule small 1 d1 0 --from 1 --reason 'another river'")
    assert says(result.stderr)
    assert "has the grade 0 now, not 1; nothing was stored" in fails(
        "overrule small 1 d1 1 --from 1 --reason no"
    )
    assert done("export qrels small").stdout == "1 0 d1 0\n"


@pytest.mark.usefixtures("judged")
def test_a_rule_that_looks_at_no_adjudication_is_said(done: Workbench) -> None:
    done("rule small majority --imports equal")
    result = done("overrule small 1 d1 0 --reason 'another river'")
    assert says(result.stderr, "adjudicated first")


@pytest.mark.usefixtures("judged")
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


@pytest.mark.usefixtures("judged")
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


@pytest.mark.usefixtures("judged")
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
