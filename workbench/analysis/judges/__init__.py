"""Judges judged: the leaderboards, labels and nugget banks of many judges against those of one or more truths."""

from typing import Literal, get_args

Of = Literal["labels", "leaderboards", "banks"]
"""What of judges is compared."""
OF: tuple[Of, ...] = get_args(Of)
LABELS, LEADERBOARDS, BANKS = OF
