"""A text is held against that of its near duplicate: what it has, what it lacks, and where."""

from __future__ import annotations

import pytest

from workbench.methods.text.matching import Hit
from workbench.web.judging.document.comparison import NO_COMPARISON, Comparison, compare
from workbench.web.judging.document.marking import Missing

ICE, LAKES = Missing(0, "ice", is_after=False), Missing(5, "lakes", is_after=True)


@pytest.mark.parametrize(
    ("text", "before", "found"),
    [
        ("ice on lakes", "ice on lakes", NO_COMPARISON),
        ("ice on lakes", "ice on", Comparison(((7, 12),), (), (7,), 1, 0)),
        ("ice on", "ice on lakes", Comparison((), (LAKES,), (5,), 0, 1)),
        ("ice on. ", "ice on lakes. ", Comparison((), (LAKES,), (6,), 0, 1)),
        ("on lakes", "ice on lakes", Comparison((), (ICE,), (0,), 0, 1)),
        ("snow on", "ice on lakes", Comparison(((0, 4),), (ICE, LAKES._replace(at=6)), (0, 6), 1, 2)),
        ("ice", "", Comparison(((0, 3),), (), (0,), 1, 0)),
        ("@user ice", "RT @user ice", Comparison((), (Missing(0, "RT"),), (1,), 0, 1)),
        ("on (thin) ice", "on old (thin) ice", Comparison((), (Missing(3, "old"),), (4,), 0, 1)),
        ("on @lakes ice", "on @rivers ice", Comparison(((4, 9),), (Missing(4, "rivers"),), (4,), 1, 1)),
        ("sea-ice", "sea-old-ice", Comparison((), (Missing(4, "old"),), (4,), 0, 1)),
        ("", "ice", Comparison((), (Missing(-1, "ice", is_after=True),), (), 0, 1)),
    ],
)
def test_a_comparison_has_what_is_new_and_what_is_missing_with_its_place(
    text: str, before: str, found: Comparison
) -> None:
    assert compare(text, (), before, lambda: (), {}) == found


def test_hits_in_missing_words_are_marked_as_in_their_text() -> None:
    found = compare("ice", (), "ice on lakes", lambda: [Hit(7, 12, 3)], {3: 3})
    assert found.missing == (
        Missing(2, 'on <mark class="hit own" data-term="3">lakes</mark>', is_after=True),
    )
