"""Impressions: lists of results as users saw them, with their clicks; and lists interleaved from two runs."""

from __future__ import annotations

from typing import NamedTuple

LONGEST_LIST = 1_000
"""Documents of a list, and clicks on it, at most."""
LONGEST_LIST_ID = 1_600
"""Characters: `workbench online interleave` makes one of two tags, a topic and a number."""
LONGEST_TIME = 10**9
"""Seconds from a list to a click, at most."""


class Impression(NamedTuple):
    """One list that one user saw. Texts are '' where they are not recorded.

    Attributes:
        file, line: where it is recorded, for messages.
        topic_id: the topic or query.
        shown: the ids of the documents, by rank; () where the record of an interleaved list has them.
        clicked: the ids of the documents that were clicked, in the order of the clicks.
        seconds: how long after the list was shown each click came; () where this is not recorded.
        run: the run that made the list, of an A/B test the group.
        list_id: the interleaved list.
    """

    file: str
    line: int
    topic_id: str
    shown: tuple[str, ...]
    clicked: tuple[str, ...]
    seconds: tuple[float, ...] = ()
    user: str = ""
    session: str = ""
    run: str = ""
    list_id: str = ""


class InterleavedList(NamedTuple):
    """A list made of two runs: `teams` has for each document the run that it counts for, '' for neither.

    Attributes:
        seed: the random seed by which the list can be made again.
    """

    list_id: str
    topic_id: str
    runs: tuple[str, str]
    seed: int
    documents: tuple[str, ...]
    teams: tuple[str, ...]
