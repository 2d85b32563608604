"""Every table of numbers in the documents is held by a test, is of a machine, or is worked out by hand beside it."""

from __future__ import annotations

from tests.conftest import ROOT
from tests.document_tables import RESULTS, of_numbers, tables

HELD = {
    "leaning: design; topics x pairs": "test_the_documented_tables_are_those_of_the_command",
    "pace: topics of each assessor": "test_the_documented_tables_are_those_of_the_command",
    "repeats: topics x repeats": "test_the_documented_tables_are_those_of_the_command",
    "campaign": "test_what_is_said_of_assessors_is_as_documented",
    "Order": "test_what_a_share_of_the_pool_of_robust03_finds_is_known",
    "Strategy | 5 %": "test_shares_found_in_cranfield",
    "Strategy | Recall": "test_strategies_on_robust03",
    "Judged": "test_the_table_of_errors_is_reproduced",
    "Design, a tenth of the pool": "test_intervals_of_a_sample_hold_the_truth_as_documented",
    "depth": "test_losses_on_robust_2003_are_those_known_for_it",
    "rule": "test_the_rules_of_two_are_as_documented",
    "equal runs whose scores are like": "test_the_rates_are_those_of_the_documents",
    "population": "test_the_t_interval_covers_as_documented",
    "boards, τ_b over all topics": "test_the_middle_of_tau_holds_it_as_documented",
    " | 20": "test_intervals_of_agreement_cover_as_documented",
    "drawn for a second judgment": "test_intervals_of_weighted_samples_cover_as_documented",
    "σ / δ": "test_the_topics_of_the_table_are_known",
    "collection | measure | model": "test_a_good_model_decides_three_quarters_of_the_pairs_much_earlier",
    "users of each group": "test_intervals_and_tests_of_users_are_right_as_often_as_they_claim",
    "users of interleaved lists; the sample": "test_interleaving_is_right_as_often_as_documented",
    "judge | topics": "test_the_interval_of_tau_by_topic_holds_its_mean_and_draws_of_tau_do_not",
    "judge | measure": "test_intervals_of_every_kind_of_judge_hold_what_they_claim",
    "mean share | spread": "test_intervals_of_recent_shares_hold_as_documented",
    "battles: deviation; pairs": "test_intervals_of_battles_hold_what_they_claim",
    "text | at most": "test_a_text_that_is_too_long_is_not_appended_wherever_it_stands",
    "Deviation": "test_errors_of_chosen_pairs_are_as_documented",
    "fix": "test_the_least_python_to_serve_with_has_every_fix_that_is_named",
}
"""By how the head of the table begins."""

OF_A_MACHINE = {"docs/run/load.md"}
"""Pages on which such tables are times of one day, with the commands."""

BY_HAND = {"status", "rank | relevant", "rank | grade"}  # the examples below the last two are run


def test_every_table_of_numbers_is_held() -> None:
    pages = [ROOT / "README.md", ROOT / RESULTS, *sorted(ROOT.glob("docs/**/*.md"))]
    names = {str(page.relative_to(ROOT)) for page in pages} - OF_A_MACHINE
    heads = {" | ".join(table[0]) for page in names for table in tables(page) if of_numbers(table)}
    listed = BY_HAND | HELD.keys()
    assert {each for each in heads if not any(begins(each, one) for one in listed)} == set()
    assert {one for one in listed if not any(begins(each, one) for each in heads)} == set()


def begins(head: str, start: str) -> bool:
    return f"{head} | ".startswith(f"{start} | ")
