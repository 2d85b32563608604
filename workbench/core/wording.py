"""Numbers, names and times in sentences: 1 topic, 1,480 pairs; d1, d2 and 12 more; 6 Mar 2026, 12:00 UTC."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

SHOWN_NAMES = 5

NOT_DEFINED = "not defined"
"""Shown for a number that has no value, where an empty cell could be read as 0."""


ENDS = (".", "?", "。", "？", "؟")
"""How sentences end, also those of other languages."""


class Message(str):
    """A text that pages can say in another language: `values` fill the places `%(name)s` of `one` or `many`."""

    one: str
    many: str
    values: dict[str, Any]


def message_with(text: str, **values: Any) -> Message:
    """A message, with whole numbers as people read them; a percent sign is written twice."""
    return message_counting(text, "", 1, **values)


def message_counting(one: str, many: str, num: int, **values: Any) -> Message:
    """The same about a number of things, which fills `%(num)s`."""
    values["num"] = num
    written = {name: f"{each:,}" if type(each) is int else each for name, each in values.items()}
    made = Message((many if many and num != 1 else one) % written)
    made.one, made.many, made.values = one, many, values
    return made


def translatable(text: str) -> str:
    """Mark a message that pages can say in other languages, where no language is known: the web translates it."""
    return text


def translatable_counts(one: str, many: str) -> tuple[str, str]:
    """The same of a message with a plural form."""
    return one, many


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 topic, 1,480 pairs; `many` is the plural of nouns that take no s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def capital(words: str) -> str:
    """The words with a capital letter at their beginning; the others stay as they are."""
    return words[:1].upper() + words[1:]


def as_sentence(words: object) -> str:
    """Words, or an error's, as a sentence: a capital letter first, and a full stop unless they end like one.

    A name at the beginning keeps its letters, as long as something shows that it is one.

    >>> [as_sentence("topic 7 is closed"), as_sentence("there is no run 'bm'; did you mean bm25?")]
    ['Topic 7 is closed.', "There is no run 'bm'; did you mean bm25?"]
    >>> as_sentence("sys.run:2: a score is missing")
    'sys.run:2: a score is missing.'
    """
    text = str(words)
    if re.match(r"[^\W\d_]+([ ,;]|: |$)", text):
        text = capital(text)
    return text if text.endswith(ENDS) else f"{text}."


def listed(names: Sequence[str], shown: int = SHOWN_NAMES) -> str:
    """The first few names, and how many more there are."""
    text = ", ".join(names[:shown])
    return text if len(names) <= shown else f"{text} and {len(names) - shown:,} more"


def did_you_mean(near: Sequence[str]) -> str:
    """The question for a name that is not known, with one to three others: did you mean P@5, P or AP?"""
    return f"did you mean {' or '.join(filter(None, [', '.join(near[:-1]), near[-1]]))}?"


def none_such(
    what: str, unknown: str | Sequence[str], known: Sequence[str], *, of: str = "", shown: int = SHOWN_NAMES
) -> str:
    """The sentence for names that are not known, with those that are nearest, or the first of all that are known.

    >>> none_such("run", "sys99", ["sys9", "bm25"], of="robust")
    "there is no run 'sys99' in robust; did you mean sys9?"
    >>> none_such("topic", ["7", "70"], ["1", "2"])
    'there are no topics 7, 70; there are 1, 2'
    >>> none_such("topic", "", ["1", "2"])
    'no topic is named; choose one: there are 1, 2'
    """
    from difflib import get_close_matches

    names = [unknown] if isinstance(unknown, str) else unknown
    where = f" in {of}" if of else ""
    text = f"there is no {what} {names[0]!r}" if len(names) == 1 else f"there are no {what}s {listed(names)}"
    if len(names) == 1 and (near := get_close_matches(names[0], known, 3)):
        return f"{text}{where}; {did_you_mean(near)}"
    rest = (
        f"there {'is' if len(known) == 1 else 'are'} {listed(known, shown)}"
        if known
        else "there are none yet"
    )
    if names == [""]:
        return f"no {what} is named; {'choose one: ' if known else ''}{rest}"
    return f"{text}{where}; {rest}"


def day(when: str | date) -> str:
    """A day, also that of a stored time in UTC; a text that is no day stays as it is.

    >>> [day("2026-03-06"), day("2026-12-12T23:59:00.000Z"), day("soon")]
    ['6 Mar 2026', '12 Dec 2026', 'soon']
    """
    try:
        found = date.fromisoformat(when[:10]) if isinstance(when, str) else when
    except ValueError:
        return str(when)
    return f"{found.day} {found:%b %Y}"


def weekday(when: date) -> str:
    """A day with its name: Friday, 6 Mar 2026."""
    return f"{when:%A}, {day(when)}"


def moment(at: str | datetime) -> str:
    """A time with its zone, to the minute.

    >>> moment("2026-03-06T09:05:59+01:00")
    '6 Mar 2026, 08:05 UTC'
    """
    time = (datetime.fromisoformat(at) if isinstance(at, str) else at).astimezone(UTC)
    return f"{day(time)}, {time:%H:%M} UTC"


def sized(count: int) -> str:
    """A number of bytes in the unit that shows it: 412 bytes, 13 kB, 1.2 MB, 1,250.0 MB.

    >>> [sized(count) for count in (1, 412, 12_600, 999_600, 1_200_000)]
    ['1 byte', '412 bytes', '13 kB', '1.0 MB', '1.2 MB']
    """
    if count < 1_000:
        return counted(count, "byte")
    return f"{count / 1e3:,.0f} kB" if count < 999_500 else f"{count / 1e6:,.1f} MB"
