"""What the columns and tags of topic files are called, and how their values become a `Topic`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.records import NO_FIELDS, Topic
from workbench.core.wording import listed
from workbench.formats.text.column_names import spelled_together
from workbench.formats.text.encoding import well_formed

ID_NAMES = (
    "qid", "query_id", "topic_id", "question_id", "num", "_id", "id", "number", "identifier", "docno", "turn_id",
    "q_id", "topic_number", "query_number", "topic_no", "query_no", "q_no", "topic",
)  # fmt: skip
TITLE_NAMES = (
    "title", "query", "query_text", "topic", "keyword", "keywords", "content", "contents", "text",
    "utterance", "raw_utterance", "question", "topic_title", "query_title", "topic_text", "question_text", "claim",
)  # fmt: skip
DESCRIPTION_NAMES = ("description", "desc", "question", "information_need")
NARRATIVE_NAMES = (
    "narrative", "narr", "background", "back", "guidelines", "guideline", "relevance_criteria", "criteria",
    "relevance", "rele", "instructions", "details",
)  # fmt: skip

IDS, TITLES = (frozenset(map(spelled_together, names)) for names in (ID_NAMES, TITLE_NAMES))
TEXTS = TITLES.union(map(spelled_together, DESCRIPTION_NAMES + NARRATIVE_NAMES))

WORDS = {"smry": "summary", "con": "concepts", "fac": "factors", "def": "definitions", "dom": "domain",
         "nat": "nationality", "head": "heading"}  # fmt: skip
LANGUAGE_PREFIX = re.compile(r"^[a-z]{2}[-_](title|desc|narr|description|narrative)$")


NAMES_SHOWN = 12


class FieldChoice(NamedTuple):
    """Which fields of a file are a topic's title, description and narrative; None is for the usual names.

    With `per_turn` each turn of a conversation is a topic, else the conversation is one. `encoding` is what the file is
    in, as someone named it; '' for what it declares, or is recognised as.
    """

    title: str | None = None
    description: str | None = None
    narrative: str | None = None
    per_turn: bool = False
    encoding: str = ""

    @property
    def names(self) -> tuple[str | None, str | None, str | None]:
        """The chosen fields in their order."""
        return self.title, self.description, self.narrative


USUAL = FieldChoice()


class RawTopic(NamedTuple):
    """One topic as a reader found it: where it starts (a line from 1, or None), and its (name, text) pairs in order."""

    line: int | None
    pairs: tuple[tuple[str, str], ...]


def named_values(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The pairs as a mapping: names in lower case, first occurrence kept, later ones numbered, empty ones dropped."""
    values: dict[str, str] = {}
    last = Counter[str]()
    for name, text in pairs:
        known = _plain_name(name)
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
        if not text or not known:
            continue
        if known in values:
            # From the last number on: from 2 on, each of many fields of one name would look through all before it.
            numbers = count(max(last[known], 1) + 1)
            last[known] = next(number for number in numbers if f"{known} {number}" not in values)
            known = f"{known} {last[known]}"
        values[known] = text
    return values


def topic_from(pairs: Iterable[tuple[str, str]], choice: FieldChoice = USUAL) -> Topic:
    """A `Topic`; its id is '' if none of the names is one that ids have. Titles lose their line breaks.

    A field that is chosen is taken for what it is chosen for alone, whatever it is called. The only text of a topic is
    its title.
    """
    values = named_values(pairs)
    topic_id = _take(values, ID_NAMES)
    values = {well_formed(name): well_formed(text) for name, text in values.items()}
    chosen = [None if name is None else _take(values, (_plain_name(name),)) for name in choice.names]
    usual = (TITLE_NAMES, DESCRIPTION_NAMES, NARRATIVE_NAMES)
    title, description, narrative = (
        _take(values, names) if text is None else text for text, names in zip(chosen, usual, strict=True)
    )
    if choice.title is None and len(values) == 1 and not (title or description or narrative):
        title = values.popitem()[1]
    return Topic(topic_id, " ".join(title.split()), description, narrative, _rest(values, topic_id, title))


def unknown_fields(choice: FieldChoice, names: Iterable[str]) -> list[str]:
    """The chosen fields that no name of a file is."""
    plain = {_plain_name(name) for name in names}
    return [name for name in choice.names if name is not None and _plain_name(name) not in plain]


def is_usual(name: str) -> bool:
    """Whether this is a name that fields of topics usually have, in small letters."""
    return name in WORDS or spelled_together(name) in IDS | TEXTS


def names_an_id(names: Iterable[str]) -> bool:
    """Whether one of the names is one that topic ids have."""
    return any(spelled_together(_plain_name(name)) in IDS for name in names)


def names_a_topic(names: Iterable[str]) -> bool:
    """Whether the names are those of a table of topics: an id, and something to read."""
    plain = {spelled_together(_plain_name(name)) for name in names}
    ids, others = plain & IDS, plain & TEXTS
    return bool(ids and others) and len(ids | others) > 1


def shown_names(names: Iterable[str]) -> str:
    """Some names of fields for a message."""
    return listed([str(name)[:40] for name in names], NAMES_SHOWN) or "none"


def _plain_name(name: str) -> str:
    name = name.strip().lower()
    prefixed = LANGUAGE_PREFIX.match(name)
    return prefixed[1] if prefixed else name


def _take(values: dict[str, str], names: Iterable[str]) -> str:
    """Take the first of the names out of the values, as written or spelled otherwise; '' if none is there."""
    alike = {spelled_together(name): name for name in reversed(values)}
    spellings = ((name, alike.get(spelled_together(name))) for name in names)
    found = next((name if name in values else other for name, other in spellings if other is not None), None)
    return values.pop(found) if found is not None else ""


def _rest(values: dict[str, str], topic_id: str, title: str) -> Mapping[str, str]:
    """The other fields as text, without repetitions of the topic's id and title."""
    rest = {WORDS.get(name, name): text for name, text in values.items()}
    for name, text in values.items():
        first_word = spelled_together(name.split(" ")[0])
        if (text == topic_id and first_word in IDS) or (text == title and first_word in TITLES):
            del rest[WORDS.get(name, name)]
    return MappingProxyType(rest) if rest else NO_FIELDS
