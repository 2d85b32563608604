from __future__ import annotations

import pytest

from workbench.methods.measures.parameters import ROUNDINGS
from workbench.methods.measures.reference_names import PRINTING_ORDER
from workbench.scoring.evaluation.selection import DEFAULT_PROFILE, PROFILES


def test_the_newest_version_is_followed_unless_told_otherwise() -> None:
    assert list(PROFILES) == ["trec_eval-10", "trec_eval-9"]
    assert DEFAULT_PROFILE is PROFILES["trec_eval-10"]


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_speaks_of_what_there_is(name: str) -> None:
    profile = PROFILES[name]
    assert profile.name == name
    assert profile.rounding in ROUNDINGS
    assert profile.lacks <= set(PRINTING_ORDER)
    assert profile.defaults == {"rounding": profile.rounding}
