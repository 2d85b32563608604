"""Logs of clicks, as CSV or JSON lines: one record for each list that a user saw.

    {"topic_id": "303", "user_id": "u1", "run": "bm25", "shown": ["d1", "d2"], "clicked": ["d2"], "seconds": [4.5]}

A table has the same names above its columns, with blanks between the ids or numbers of a cell. `shown` is by rank,
`clicked` in the order of the clicks. In the place of `seconds`, after the list was shown, `shown_at` and `clicked_at`
may be times (ISO 8601, or seconds since any moment), all of one list in the same form. Numbers from 100,000,000,000 on
are milliseconds since 1970, from 10^14 on microseconds, from 10^17 on nanoseconds: as seconds they were after the year
5100, and as what they are they are after 1973.
"""

from __future__ import annotations

import math
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from sys import intern

from workbench.core.impressions import LONGEST_LIST, LONGEST_LIST_ID, LONGEST_TIME, Impression
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.records import Columns, spellings
from workbench.formats.text.column_names import TAG_NAMES, TOPIC_NAMES
from workbench.formats.text.content import Content, name_of
from workbench.formats.text.guesses import is_number
from workbench.formats.text.lines import LONGEST_ID
from workbench.formats.text.lines import shown as quoted

NAMES = {
    "topic_id": TOPIC_NAMES,
    "shown": ("shown", "documents", "results"),
    "clicked": ("clicked", "clicks"),
    "seconds": ("seconds",),
    "shown_at": ("shown_at",),
    "clicked_at": ("clicked_at",),
    "user_id": ("user_id", "user"),
    "session_id": ("session_id", "session"),
    "run": (*TAG_NAMES, "group", "variant"),
    "list_id": ("list_id",),
}
COLUMNS = Columns(
    "topic_id,user_id,run,shown,clicked,seconds",
    spellings(NAMES),
    needed=(("topic_id", "list_id"), ("clicked",)),
    lists=("shown", "clicked", "seconds", "clicked_at"),
)
TEXTS = ("topic_id", "user_id", "session_id", "run", "list_id")
MOST_LISTS = 2_000_000
FINE = ((1e17, 10**9), (1e14, 10**6), (1e11, 1000))
"""From which number on a time is in parts of a second, and how many these are."""


def read_impressions(path: str | Path | Content) -> list[Impression]:
    """Read a log of clicks, plain or compressed; `-` is standard input.

    Raises InputError with all that is wrong: no list and no id of an interleaved one, a document that is shown twice or
    was clicked without being shown, times that are no numbers, negative, go back or are of two clocks; too many lists.
    """
    file = name_of(path)
    return read_each(
        *(path, "lists that users saw", lambda line, node: [_impression(file, line, node)]),
        columns=COLUMNS,
        most=MOST_LISTS,
    )


def _impression(file: str, line: int, node: Node) -> Impression:
    topic_id, user, session, run, list_id = (_text(node, name) for name in TEXTS)
    shown, clicked = _texts(node, "shown"), _texts(node, "clicked")
    node.check_ids("", run)
    if not topic_id and not list_id:
        node.wrong("topic_id", "write the topic's id, or the list_id of an interleaved list")
    if not shown and not list_id:
        node.wrong("shown", "write the ids of the documents of the list, by rank")
    if "clicked" not in node.value:
        node.wrong("clicked", "write an empty list where nothing was clicked")
    if twice := next((each for each, times in Counter(shown).items() if times > 1), ""):
        node.fault(f"shown has {quoted(twice)} twice; keep one of both")
    seen = set(shown)
    if shown and (unseen := next((each for each in clicked if each not in seen), "")):
        node.fault(
            f"clicked has {quoted(unseen)}, which is not in shown; add it there, or take the click out"
        )
    seconds = _seconds(node, clicked)
    return Impression(file, line, topic_id, shown, clicked, seconds, user, session, run, list_id)


def _text(node: Node, name: str) -> str:
    """A short text, one in memory for all lists."""
    limit = LONGEST_LIST_ID if name == "list_id" else LONGEST_ID
    if len(value := node.text(name)) > limit:
        node.wrong(name, f"write at most {limit:,} characters")
    return intern(value)


def _texts(node: Node, name: str) -> tuple[str, ...]:
    """The texts of a list; a fault for what is none, or too many."""
    value = node.value.get(name) or []
    if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
        node.wrong(name, "write a list of ids or times")
        return ()
    if len(value) > LONGEST_LIST:
        node.fault(f"{name} has {len(value):,} entries; write at most {LONGEST_LIST:,}")
    return tuple(intern(str(each)) for each in value)


def _seconds(node: Node, clicked: tuple[str, ...]) -> tuple[float, ...]:
    """How long after the list each click came; () where nothing says it, or something is wrong."""
    name = "clicked_at" if node.value.get("clicked_at") else "seconds"
    texts = _texts(node, name)
    if not texts:
        return ()
    start, *times = (_time(each) for each in (node.text("shown_at") if name == "clicked_at" else "0", *texts))
    if None in times:
        wrong = quoted(texts[times.index(None)])
        node.fault(f"{name} has {wrong}, which is no time; write seconds such as 3.5, or ISO 8601")
    elif start is None:
        node.wrong("shown_at", "write when the list was shown, as in clicked_at")
    elif len({time[1] for time in (start, *times) if time}) > 1:
        node.fault(f"{name} has times of two clocks; write all as numbers, all with a zone, or all without")
    elif len(times) != len(clicked):
        node.fault(f"{len(clicked)} clicks and {len(times)} in {name}; write one time for each click")
    else:
        found = [time[0] - start[0] for time in times if time]
        for before, after in pairwise([0.0, *found]):
            if not 0 <= after <= LONGEST_TIME:
                node.fault(f"a click came {after:g} seconds after its list was shown; correct {name}")
            elif after < before:
                node.fault(f"the clock goes back from {before:g} to {after:g} seconds; correct {name}")
        return tuple(found)
    return ()


def _time(text: str) -> tuple[float, str] | None:
    """A time in seconds, and its clock: times of two clocks cannot be compared. None for a text that is none."""
    if is_number(text.encode()):
        number, size = float(text), next((size for limit, size in FINE if float(text) >= limit), 1)
        return (number / size, f"1/{size} s") if math.isfinite(number) else None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    has_zone = moment.tzinfo is not None
    return (moment if has_zone else moment.replace(tzinfo=UTC)).timestamp(), f"zone: {has_zone}"
