"""Findings are all counted, and of each kind the first ones are kept."""

from __future__ import annotations

from tests.sentences import says
from workbench.core.findings import FIRST_PLACES, Findings


def test_all_findings_are_counted_and_the_first_of_each_kind_kept() -> None:
    findings = Findings("a.run")
    for line in range(1, 8_067):
        findings.add(line, "duplicate", "listed twice")
    findings.add(8_067, "unknown-topic", "not in the campaign")
    assert findings.counts == {"unknown-topic": 1, "duplicate": 8_066}
    assert (len(findings.problems), findings.more) == (FIRST_PLACES + 1, 8_066 - FIRST_PLACES)
    assert says(findings.decisive_first[0].message)
    assert findings.problems[0].line == 1


def test_the_error_has_what_refuses_the_file_and_counts_what_it_does_not_list() -> None:
    findings = Findings("a.run")
    findings.add(1, "rank", "ranks count from 0")
    assert not findings.refuses
    for line in range(1, 31):
        findings.add(line, "score", f"score {line}")
    assert findings.refuses
    assert findings.error().more == 5
    assert str(findings.error()).splitlines()[-1] == "... and 5 more problems"
    assert "ranks" not in str(findings.error())


def test_a_copy_has_findings_of_its_own_and_repaired_ones_are_forgotten() -> None:
    findings = Findings("/tmp/1")
    findings.add(3, "tag", "another tag")
    copy = findings.copy("a.run")
    copy.add(4, "tag", "one more")
    assert [str(problem) for problem in copy.problems] == ["a.run:3: another tag", "a.run:4: one more"]
    assert findings.counts == {"tag": 1}
    findings = Findings("a.run")
    findings.add(3, "tag", "another tag")
    findings.add(5, "score", "no number")
    assert (findings.drop("tag"), findings.drop("tag")) == (1, 0)
    assert findings.counts == {"score": 1}
    assert [problem.line for problem in findings.problems] == [5]
