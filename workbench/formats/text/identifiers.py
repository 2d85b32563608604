"""What an identifier must be, so that lines of runs and qrels can name it: when it is read, and when it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from workbench.formats.text.files import refused
from workbench.formats.text.lines import shown

BLANKS = frozenset(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f")
NOT_IN_A_WORD = " \t\n\r\v\f\0"
LONGEST_ID = 500
"""Characters of an id of a topic or document, and of the tag of a run."""

NOT_ONE_WORD = re.compile(rf"[{NOT_IN_A_WORD}]|\A\Z")


def identifier_problem(what: str, identifier: str) -> str | None:
    """What is wrong with the id of a `what` (topic, document), or None.

    A no-break space or another script's space is part of an id, as it is in runs.
    """
    if len(identifier) > LONGEST_ID:
        return f"the {what} id {shown(identifier)} {too_long(identifier)}"
    if identifier.isascii() and identifier.isprintable() and " " not in identifier:
        return None  # as nearly all are, found in a third of the time
    if not BLANKS.isdisjoint(identifier):
        return f"the {what} id {shown(identifier)} holds blanks; runs and qrels cannot name it: change it"
    try:
        identifier.encode()
    except UnicodeEncodeError:
        return f"the {what} id {identifier!a} is not valid text; rename it in UTF-8"
    return (
        None
        if "\0" not in identifier
        else f"the {what} id {shown(identifier)} holds a NUL character: change it"
    )


def too_long(word: str) -> str:
    """What is wrong with an id or a tag of too many characters, after its name."""
    return f"has {len(word):,} characters; an id and a tag have at most {LONGEST_ID}: shorten it"


def one_word(path: str | Path, identifier: str) -> str:
    """An identifier that stays one column when it is written; else an `InputError`."""
    if NOT_ONE_WORD.search(identifier):
        raise refused(path, f"identifier {identifier!r} cannot be a column: it is empty or has a blank in it")
    return identifier


def one_word_each(path: str | Path, identifiers: Sequence[str]) -> Sequence[str]:
    """The same identifiers, of which each stays one column; else an `InputError` for the first that does not."""
    # One look for each character at all of them together takes a fiftieth of the time of one at each identifier.
    together = "".join(identifiers)
    if not all(identifiers) or any(character in together for character in NOT_IN_A_WORD):
        for identifier in identifiers:
            one_word(path, identifier)
    return identifiers


def topic_word(path: str | Path, topic_id: str) -> str:
    """A topic id that can start a line; else an `InputError`."""
    if topic_id.startswith(("#", "\ufeff")):
        raise refused(path, f"topic id {topic_id!r} cannot start a line: it would be read as a comment")
    return one_word(path, topic_id)
