"""How long a text in the log may be: what is appended stays for ever, in every copy and every audit.

Code that reads a text from outside bounds it there too, with a message for its sender. This is the last check before
the log, for every door at once; a kind of event that is not named here takes short texts alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.core.errors import CampaignError
from workbench.core.records import Judgment

LONGEST_NAME = 200
LONGEST_ID = 10_000
LONGEST_PATH = 5_000
LONGEST_REASON = 1_000
LONGEST_COMMENT = 10_000
LONGEST_TIME = 40
MOST_RATIONALES, LONGEST_RATIONALE = 50, 5_000

OF_EVENTS: Mapping[str, int] = {
    "settings": 1_000_000,  # guidelines
    "member": LONGEST_NAME,
    "topics": 10_000_000,  # a topic can be a whole patent
    "documents": LONGEST_PATH,
    "changed texts": LONGEST_ID,
    "deleted documents": LONGEST_ID,  # the documents, and why
    "run": 1_000_000,  # the comment lines above a run
    "pool": LONGEST_ID,
    "choice": LONGEST_ID,
    "assignment": LONGEST_ID,
    "closing": LONGEST_ID,  # the topics, and why
    "reopening": LONGEST_ID,
    "run details": LONGEST_ID,  # texts of the description, and why
    "topic withdrawal": LONGEST_ID,
    "topic restoration": LONGEST_ID,
    "withdrawal": LONGEST_ID,  # the run's tag, and why
    "restoration": LONGEST_ID,
    "draw": LONGEST_ID,
    "judging again": LONGEST_ID,  # the pairs, and why
    "judging again taken back": LONGEST_ID,
    "broken document": LONGEST_ID,
    "document not broken": LONGEST_ID,
    "training pair": LONGEST_ID,
    "training pair removed": LONGEST_ID,
    "practice answer": LONGEST_ID,
    "round": LONGEST_NAME,
    "round cancelled": LONGEST_NAME,
    "norming opened": LONGEST_ID,
    "norming revealed": LONGEST_NAME,
    "norming closed": LONGEST_NAME,
}
"""Characters of the longest single text in an event, by its kind; LONGEST_REASON for any other kind."""

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


def check_event(kind: str, content: Mapping[str, Any], actor: str) -> None:
    """CampaignError for an event with a text that is too long."""
    longest = OF_EVENTS.get(kind, LONGEST_REASON)
    _check(f"an event {kind!r}", max(map(len, _texts(content)), default=0), longest)
    _check("a name", len(actor), LONGEST_NAME)


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
        message = f"{what}: {length:,} {unit}, of which the log takes {longest:,} at most; shorten it"
        raise TextTooLong(message)


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, the names of an object's values too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name)
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
