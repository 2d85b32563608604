"""Statistics of comparisons: pure functions of scores by topic, without files, clock or unseeded chance.

Random procedures take a generator (`rng`), give p = (c + 1) / (B + 1), and say B.
"""

from __future__ import annotations

from workbench.statistics.all_pairs import max_t, pairwise_t, randomised_tukey, tukey
from workbench.statistics.corrections import benjamini_hochberg, holm
from workbench.statistics.intervals import Interval, bootstrap_interval, bootstrap_intervals
from workbench.statistics.letters import groups
from workbench.statistics.paired import (
    PairedTest,
    bootstrap_test,
    effect_size,
    paired_t,
    randomisation,
    sign_test,
    wilcoxon,
)
from workbench.statistics.power import detectable, power_of, topics_needed
from workbench.statistics.rank_correlation import tau_a, tau_ap, tau_ap_a, tau_ap_b, tau_b
from workbench.statistics.rank_overlap import Overlap, average_overlap, rbo

__all__ = [
    "Interval",
    "Overlap",
    "PairedTest",
    "average_overlap",
    "benjamini_hochberg",
    "bootstrap_interval",
    "bootstrap_intervals",
    "bootstrap_test",
    "detectable",
    "effect_size",
    "groups",
    "holm",
    "max_t",
    "paired_t",
    "pairwise_t",
    "power_of",
    "randomisation",
    "randomised_tukey",
    "rbo",
    "sign_test",
    "tau_a",
    "tau_ap",
    "tau_ap_a",
    "tau_ap_b",
    "tau_b",
    "topics_needed",
    "tukey",
    "wilcoxon",
]
