"""rule: which of several grades counts, shown and chosen."""

from __future__ import annotations

from tests.fixture_types import Workbench
from tests.log_rows import row
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_rules_are_listed_with_what_they_would_change_and_chosen(done: Workbench, campaign: Campaign) -> None:
    with campaign.write():
        log.append_judgments(campaign, [row("Ann", "1", "d1", 2), row("Ben", "1", "d1", 0)])
    told = done("rule", "small").stdout.splitlines()
    assert told[0] == "1 of 1 pair judged by several, or adjudicated; the rule is newest."
    assert told[1].startswith("* newest                   in force  the newest grade counts")
    assert "  most lenient            1 changed  the highest grade counts" in told
    assert any(line.startswith("  Dawid-Skene ") and " refused " in line for line in told)
    assert done("rule", "small", "MOST-LENIENT").stderr == "The rule is most lenient now.\n"
    assert done("rule", "small", "most lenient").stderr == "The rule is most lenient already.\n"
    exported = done("export", "qrels", "small")
    assert exported.stdout == "1 0 d1 2\n"
    assert "1 pair with different grades by several assessors: the highest grade counts." in exported.stderr


def test_a_rule_that_is_unknown_or_cannot_be_is_an_error(workbench: Workbench) -> None:
    unknown = workbench("rule", "small", "oldest")
    assert (unknown.exit_code, unknown.stderr.partition(";")[0]) == (1, "there is no rule of labels 'oldest'")
    refused = workbench("rule", "small", "dawid-skene")
    assert (refused.exit_code, "at least 3 labels for every pair, and there are none" in refused.stderr) == (
        1,
        True,
    )
