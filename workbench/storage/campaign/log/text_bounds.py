"""How long texts in the log may be, those of judgments first: what is appended stays for ever, in every copy.

Code that reads a text from outside bounds it there too, with a message for its sender. This is the last check before
the log, for every door at once; `kinds` has that of events.
"""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.errors import CampaignError
from workbench.core.records import Judgment

LONGEST_NAME = 200
LONGEST_ID = 10_000
LONGEST_PATH = 5_000
LONGEST_REASON = 1_000
LONGEST_COMMENT = 10_000
LONGEST_TIME = 40
MOST_RATIONALES, LONGEST_RATIONALE = 50, 5_000

OF_JUDGMENTS: Mapping[str, int] = {
    "uuid": 64,
    "received_at": LONGEST_TIME,
    "client_at": LONGEST_TIME,
    "assessor": LONGEST_NAME,
    "topic_id": LONGEST_ID,
    "document_id": LONGEST_ID,
    "text_hash": LONGEST_NAME,
    "kind": LONGEST_NAME,
    "comment": LONGEST_COMMENT,
    "source": LONGEST_PATH,
    "input": LONGEST_NAME,
    "same_as": LONGEST_ID,
}
"""Characters of each text of a judgment, by its name in `core.records.Judgment`; rationales have MOST_RATIONALES."""

_JUDGMENT_BOUNDS = tuple((Judgment._fields.index(name), longest) for name, longest in OF_JUDGMENTS.items())


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
    for place, longest in _JUDGMENT_BOUNDS:
        text = judgment[place]
        if isinstance(text, str) and len(text) > longest:
            _check(f"the {Judgment._fields[place]} of a judgment", len(text), longest)
    if judgment.rationales:
        _check("rationales", len(judgment.rationales), MOST_RATIONALES, unit="pieces")
        _check("a rationale", max(len(piece.text) for piece in judgment.rationales), LONGEST_RATIONALE)


def _check(what: str, length: int, longest: int, *, unit: str = "characters") -> None:
    if length > longest:
        raise TextTooLong.of(what, length, longest, unit)
