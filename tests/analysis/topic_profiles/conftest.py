"""The campaign `small`, judged in part.

Topic 1: alpha ranks d1 (relevant), d2 (not), d3; beta ranks d4, d2, d1. Topic 2: alpha ranks d1, d2 (highly relevant);
beta ranks d2, d5. Nothing of topic 10 is judged. So AP is 1 and 1/3 on topic 1, and 1/2 and 1 on topic 2.
"""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from workbench.storage.campaign import Campaign


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    judging_as(small, "Ann", "1", "d2", 0)
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d2", 2)
    return small
