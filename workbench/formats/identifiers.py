"""What an identifier must be, so that lines of runs and qrels can name it."""

from __future__ import annotations

from workbench.formats.lines import shown

BLANKS = frozenset(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f")


def identifier_problem(what: str, identifier: str) -> str | None:
    """What is wrong with the id of a `what` (topic, document), or None.

    A no-break space or another script's space is part of an id, as it is in runs.
    """
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
