"""How long texts in the log may be: what is appended stays for ever, in every copy.

Code that reads a text from outside bounds it there too, with a message for its sender. This is the last check before
the log, for every door at once; `kinds` has that of events, and `core.records.Judgment` says how long its texts may be.
"""

from __future__ import annotations

from typing import Any

from workbench.core.errors import CampaignError
from workbench.core.records import LONGEST_RATIONALE, MOST_RATIONALES, Judgment
from workbench.core.values import LONGEST_NAME, declared

LONGEST_REASON = 1_000

_BOUNDS = tuple((place, field) for place, field in enumerate(declared(Judgment)) if field.longest)


class TextTooLong(CampaignError):
    """A text that the log does not take."""

    @classmethod
    def of(cls, what: str, length: int, longest: int, unit: str = "characters") -> TextTooLong:
        """With the message that says how long it is and may be."""
        return cls(f"{what}: {length:,} {unit}, of which the log takes {longest:,} at most; shorten it")


def check_name(name: str) -> None:
    """TextTooLong for a name that is too long."""
    _check("a name", len(name), LONGEST_NAME)


def check_judgment(judgment: Judgment) -> None:
    """CampaignError for a judgment with a text that is too long."""
    for place, field in _BOUNDS:
        text: Any = judgment[place]
        if text is not None and len(text) > field.longest:
            _check(f"the {field.name} of a judgment", len(text), field.longest)
    if judgment.rationales:
        _check("rationales", len(judgment.rationales), MOST_RATIONALES, unit="pieces")
        _check("a rationale", max(len(piece.text) for piece in judgment.rationales), LONGEST_RATIONALE)


def _check(what: str, length: int, longest: int, *, unit: str = "characters") -> None:
    if length > longest:
        raise TextTooLong.of(what, length, longest, unit)
