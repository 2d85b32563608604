"""Assessors as the organiser sees them, and as they see themselves: how fast they judge, how their grades compare with
those that others gave the same pairs, how that changes over time, and what stands out.
"""

from __future__ import annotations

from workbench.analysis.assessors.against_peers import AgainstPeers, SharedPair
from workbench.analysis.assessors.drift import Part
from workbench.analysis.assessors.grades_over_time import Drift, describe_drift, signed_steps
from workbench.analysis.assessors.own_work import OwnWork, own_work
from workbench.analysis.assessors.profile import (
    SHOWN,
    Profile,
    Summary,
    agreement_of,
    cached_summaries,
    profile_of,
    summaries,
    summaries_take_long,
)
from workbench.analysis.assessors.reasons import ReasonCount, reason_counts
from workbench.analysis.assessors.speed import Pace

__all__ = [
    "SHOWN",
    "AgainstPeers",
    "Drift",
    "OwnWork",
    "Pace",
    "Part",
    "Profile",
    "ReasonCount",
    "SharedPair",
    "Summary",
    "agreement_of",
    "cached_summaries",
    "describe_drift",
    "own_work",
    "profile_of",
    "reason_counts",
    "signed_steps",
    "summaries",
    "summaries_take_long",
]
