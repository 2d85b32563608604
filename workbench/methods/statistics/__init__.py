"""Statistics of comparisons: pure functions of scores by topic, without files, clock or unseeded chance.

Random procedures take a generator (`rng`), give p = (c + 1) / (B + 1), and say B.
"""

from __future__ import annotations

from workbench.methods.statistics.agreement import (
    Coefficient,
    cohen_kappa,
    confusion,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    overlap,
    raw_agreement,
)
from workbench.methods.statistics.all_pairs import max_t, max_t_of_pairs, pairwise_t, randomised_tukey, tukey
from workbench.methods.statistics.corrections import benjamini_hochberg, holm
from workbench.methods.statistics.dawid_skene import DawidSkene, TooFewLabels, dawid_skene
from workbench.methods.statistics.intervals import Interval, t_interval, t_intervals
from workbench.methods.statistics.letters import groups
from workbench.methods.statistics.paired import (
    PairedTest,
    bootstrap_test,
    effect_size,
    paired_t,
    randomisation,
    sign_test,
    wilcoxon,
)
from workbench.methods.statistics.power import detectable, power_of, topics_needed
from workbench.methods.statistics.rank_correlation import tau_a, tau_ap, tau_ap_a, tau_ap_b, tau_b
from workbench.methods.statistics.rank_overlap import Overlap, average_overlap, rbo
from workbench.methods.statistics.ratings import MISSING, Ratings, ratings_of
from workbench.methods.statistics.trend import Change, change_between, change_within

__all__ = [
    "MISSING",
    "Change",
    "Coefficient",
    "DawidSkene",
    "Interval",
    "Overlap",
    "PairedTest",
    "Ratings",
    "TooFewLabels",
    "average_overlap",
    "benjamini_hochberg",
    "bootstrap_test",
    "change_between",
    "change_within",
    "cohen_kappa",
    "confusion",
    "dawid_skene",
    "detectable",
    "effect_size",
    "fleiss_kappa",
    "groups",
    "gwet_ac",
    "holm",
    "krippendorff_alpha",
    "max_t",
    "max_t_of_pairs",
    "overlap",
    "paired_t",
    "pairwise_t",
    "power_of",
    "randomisation",
    "randomised_tukey",
    "ratings_of",
    "raw_agreement",
    "rbo",
    "sign_test",
    "t_interval",
    "t_intervals",
    "tau_a",
    "tau_ap",
    "tau_ap_a",
    "tau_ap_b",
    "tau_b",
    "topics_needed",
    "tukey",
    "wilcoxon",
]
