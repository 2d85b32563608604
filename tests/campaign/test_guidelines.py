"""What assessors read of a new version of the guidelines."""

from __future__ import annotations

import pytest

from workbench.campaign.guidelines import changes_between
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings


@pytest.mark.parametrize(
    ("before", "after", "pieces"),
    [
        ("Read it whole.", "Read it whole.", ""),
        ("Read it whole.", "read it, whole!", ""),
        ("Read it whole.", "Read all of it whole.", "same[Read ]new[all of]same[ it whole.]"),
        ("Read it whole.", "Read it.", "same[Read it]missing[whole]same[.]"),
    ],
)
def test_words_that_differ_stand_between_those_that_do_not(
    small: Campaign, before: str, after: str, pieces: str
) -> None:
    rules = settings.read(small)
    found = changes_between(rules._replace(guidelines=before), rules._replace(guidelines=after))
    assert "".join(f"{piece.kind}[{piece.text}]" for piece in found.pieces) == pieces
    assert (found.grades, found.is_relevance_other) == ((), False)
