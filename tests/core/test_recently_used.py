"""A dictionary of bounded size forgets what was not used for longest."""

from __future__ import annotations

import pytest

from workbench.core.recently_used import RecentlyUsed


def test_what_was_not_used_for_longest_goes_first() -> None:
    known: RecentlyUsed[str, int] = RecentlyUsed(2)
    known.put("a", 1)
    known.put("b", 2)
    assert known.use("a", lambda: pytest.fail("made again")) == 1
    assert known.use("c", lambda: 3) == 3
    assert dict(known) == {"a": 1, "c": 3}


def test_an_error_leaves_everything_as_it_was() -> None:
    known: RecentlyUsed[str, int] = RecentlyUsed(1)
    known.put("a", 1)
    with pytest.raises(ZeroDivisionError):
        known.use("b", lambda: 1 // 0)
    assert dict(known) == {"a": 1}
