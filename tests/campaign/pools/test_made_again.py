"""Pools made again from their records."""

from __future__ import annotations

import pytest

from workbench.campaign.pools.made_again import frame_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools


def test_a_pool_that_is_no_sample_was_drawn_from_no_frame(small: Campaign) -> None:
    (pool,) = pools.all_pools(small)
    with pytest.raises(ValueError, match="depth draws no sample"):
        frame_of(small, pool)
