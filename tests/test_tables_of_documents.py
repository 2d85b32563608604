"""Every table of numbers in the documents is held by a test, is of a machine, or is worked out by hand beside it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT
from tests.document_tables import of_numbers, tables

HELD = {
    "docs/use/assessors.md": {
        "leaning: design; topics x pairs": "test_the_documented_tables_are_those_of_the_command",
        "pace: topics of each assessor": "test_the_documented_tables_are_those_of_the_command",
        "repeats: topics x repeats": "test_the_documented_tables_are_those_of_the_command",
        "campaign": "test_what_is_said_of_assessors_is_as_documented",
    },
    "docs/use/trust.md": {"order": "test_judgments_until_pairs_are_certain_on_robust03"},
    "docs/use/label-rules.md": {"rule": "test_the_rules_of_two_are_as_documented"},
    "docs/use/pooling.md": {
        "Order": "test_what_a_share_of_the_pool_of_robust03_finds_is_known",
        "Strategy | 5 %": "test_shares_found_in_cranfield",
        "Strategy | Recall": "test_strategies_on_robust03",
        "Strategy | Depth": "test_the_plan_for_robust03",
    },
    "docs/use/reuse.md": {"depth": "test_losses_on_robust_2003_are_those_known_for_it"},
    "docs/use/sampling.md": {
        "Judged": "test_the_table_of_errors_is_reproduced",
        "Design, a tenth of the pool": "test_intervals_of_a_sample_hold_the_truth_as_documented",
    },
    "docs/run/serving.md": {"fix": "test_the_least_python_to_serve_with_has_every_fix_that_is_named"},
    "docs/use/statistics.md": {
        "equal runs whose scores are like": "test_the_rates_are_those_of_the_documents",
        "population": "test_the_t_interval_covers_as_documented",
        "boards, τ_b over all topics": "test_the_middle_of_tau_holds_it_as_documented",
        " | 20": "test_intervals_of_agreement_cover_as_documented",
        "drawn for a second judgment": "test_intervals_of_weighted_samples_cover_as_documented",
        "σ / δ": "test_the_table_of_topics_is_that_of_both_distributions",
    },
}
"""By page and how the head of the table begins."""

OF_A_MACHINE = {"README.md", "docs/build/architecture.md", "docs/run/load.md", "docs/run/scale.md"}
"""Pages on which such tables are times, sizes and counts of one day: they name the machine and the command."""

BY_HAND = {
    ("docs/use/assignments.md", "status"),
    ("docs/use/worked-examples.md", "rank | relevant"),  # the examples below both are run
    ("docs/use/worked-examples.md", "rank | grade"),
}


def test_every_table_of_numbers_is_held() -> None:
    pages = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
    names = [str(page.relative_to(ROOT)) for page in pages]
    heads = {
        (page, " | ".join(table[0]))
        for page in names
        for table in tables(page)
        if of_numbers(table) and page not in OF_A_MACHINE
    }
    listed = BY_HAND | {(page, head) for page, by_head in HELD.items() for head in by_head}
    assert {each for each in heads if not any(is_of(each, one) for one in listed)} == set()
    assert {one for one in listed if not any(is_of(each, one) for each in heads)} == set()


def is_of(table: tuple[str, str], listed: tuple[str, str]) -> bool:
    return table[0] == listed[0] and f"{table[1]} | ".startswith(f"{listed[1]} | ")


def test_what_holds_them_exists() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(ROOT, "tests").rglob("test_*.py")]
    defined = {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}
    assert {name for by_head in HELD.values() for name in by_head.values()} - defined == set()
