"""Assessors as the organiser sees them: how fast they judge, how their grades compare with those that others gave the
same pairs, how that changes over time, and what stands out.
"""

from __future__ import annotations

from workbench.assessor_profiles.against_peers import AgainstPeers, SharedPair
from workbench.assessor_profiles.drift import Part
from workbench.assessor_profiles.grades_over_time import Drift, drift_in_words, signed_steps
from workbench.assessor_profiles.kept import kept_summaries, summaries_take_long
from workbench.assessor_profiles.pace import Pace
from workbench.assessor_profiles.profile import SHOWN, Profile, Summary, agreement_of, profile_of, summaries

__all__ = [
    "SHOWN",
    "AgainstPeers",
    "Drift",
    "Pace",
    "Part",
    "Profile",
    "SharedPair",
    "Summary",
    "agreement_of",
    "drift_in_words",
    "kept_summaries",
    "profile_of",
    "signed_steps",
    "summaries",
    "summaries_take_long",
]
