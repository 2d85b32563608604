"""rule: which of several grades counts, shown and chosen."""

from __future__ import annotations

import json

from tests.fixture_types import Fails, Workbench
from tests.log_rows import row
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


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
    assert fails("rule small oldest").partition(";")[0] == "there is no rule of labels 'oldest'"
    assert says(fails("rule small dawid-skene"))


def test_pairs_with_too_few_grades_for_the_model_are_counted(done: Workbench, campaign: Campaign) -> None:
    with campaign.write():
        log.append_judgments(campaign, [row(who, "1", "d1", 2) for who in ("Ann", "Ben", "Carla")])
    done("rule small dawid-skene")
    with campaign.write():
        log.append_judgments(campaign, [row("Ann", "1", "d2", 2)])
    assert says("\n".join(done("rule small").stderr.splitlines()))
