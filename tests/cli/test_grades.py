"""export grades: preferences between documents as graded qrels; what needs grades refuses questions about pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.judged_pairs import judge_as
from tests.sentences import says
from workbench.campaign.assessing import show
from workbench.core.battles import FIRST
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pairs, units

EXPORT = "export grades small --question better-document"
OF_TOPIC_1 = "1 0 d1 3\n1 0 d2 2\n1 0 d4 1\n"


@pytest.fixture
def judged(folder: Path, done: Workbench) -> Path:
    """Ann prefers of every two documents the one whose id is the first in byte order."""
    done("question small better-document --about document-pairs")
    done("pool small --question better-document --strategy all-pairs")
    with open_campaign(folder / "instance" / "small.db") as campaign:
        for topic_id in units.topics(campaign.asking("better-document")):
            for pair in pairs.chosen(campaign, topic_id):
                on_left = show(campaign, topic_id, pair.unit_id, "Ann").left == FIRST
                judge_as(campaign, "Ann", topic_id, pair.unit_id, 1 if on_left else 2)
    return folder


def test_preferences_between_documents_are_exported_as_grades(judged: Path, done: Workbench) -> None:
    result = done(EXPORT)
    assert result.stdout == OF_TOPIC_1 + "2 0 d1 3\n2 0 d2 2\n2 0 d5 1\n"
    assert says(result.stderr, "6 grades", "2 topics")
    merged = done(f"{EXPORT} --most-grades 2 -o grades.txt")
    assert says(merged.stderr, "2 pairs")
    assert (judged / "grades.txt").read_text().split()[3::4] == list("211211")


def test_grades_are_as_of_a_row_and_of_questions_about_documents_alone(
    judged: Path, done: Workbench, fails: Fails
) -> None:
    assert done(f"{EXPORT} --as-of 14").stdout == OF_TOPIC_1
    done("question small better-list --about list-pairs")
    assert says(fails("export grades small --question better-list"), "better-list", "list-pairs")


@pytest.mark.usefixtures("judged")
def test_a_bundle_brings_the_same_grades(done: Workbench) -> None:
    done("release bundle small -o bundle.zip")
    done("release import-bundle copied bundle.zip")
    assert done(EXPORT.replace("small", "copied")).stdout == done(EXPORT).stdout != ""


@pytest.mark.parametrize(
    "command", ["export qrels small", "score small", "compare small alpha beta", "export scores small"]
)
def test_what_needs_grades_refuses_a_question_about_pairs(
    judged: Path, done: Workbench, fails: Fails, command: str
) -> None:
    assert says(fails(f"{command} --question better-document"), EXPORT)
    done("question small better-list --about list-pairs")
    way = "battles --campaign small --question better-list"
    assert says(fails(f"{command} --question better-list"), way)
