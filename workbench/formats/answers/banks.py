"""Nugget banks: what a good answer to a topic holds, as one record whatever form its file has.

Every record keeps the object that it was read from (`given`, None where it was none), so that what is not used here,
such as traces and metadata, is written again. `bank_forms` reads, `banks_written` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import NamedTuple

from workbench.formats.text.json_values import JsonValue

ALL, ANY, EACH = "AND", "OR", "SUM"
AGGREGATORS = {"and": ALL, "or": ANY, "not": "NOT", "sum": EACH, "default": "", "": ""}
"""How answers or parts make a nugget, by the words of files; '' where a file does not say it."""

WEIGHTS, HEAVIEST = {"vital": 2.0, "A": 4.0, "B": 2.0, "C": 1.0}, 1e6


def weight_of(importance: str) -> float:
    """What a nugget weighs: vital 2, the letters of a rubric 4, 2 and 1, a number itself, from 0 on; any other word 1.

    Source: users of hltcoe/auto-argue, score.py; trec-dragun/resources, utils/score.py.
    """
    try:
        number = float(importance)
    except ValueError:
        return WEIGHTS.get(importance.partition(":")[0], 1.0)
    return min(max(number, 0.0), HEAVIEST) if isfinite(number) else 1.0


class Creator(NamedTuple):
    """Who made something: a person's or a model's name."""

    name: str
    is_human: bool


class Reference(NamedTuple):
    """A document that something rests on, and where in it: from the first character, before the second."""

    document_id: str
    span: tuple[int, int] | None = None
    given: JsonValue = None


class GoldAnswer(NamedTuple):
    """One acceptable answer to a question."""

    text: str
    answer_id: str = ""
    references: tuple[Reference, ...] = ()
    creators: tuple[Creator, ...] = ()
    given: JsonValue = None


class Nugget(NamedTuple):
    """A fact, or a question with its acceptable answers.

    `importance` is as the file has it: vital, okay, failed, a number, a letter with its meaning; '' for none.
    `aggregator` is one of AGGREGATORS. `parts` are the nuggets that it consists of. One that is `proposed` is none of
    the bank's until a person accepts it; files do not say it.
    """

    text: str
    nugget_id: str = ""
    is_question: bool = False
    importance: str = ""
    aggregator: str = ""
    answers: tuple[GoldAnswer, ...] = ()
    parts: tuple[Nugget, ...] = ()
    references: tuple[Reference, ...] = ()
    creators: tuple[Creator, ...] = ()
    given: JsonValue = None
    proposed: bool = False


class Bank(NamedTuple):
    """The nuggets of one topic; `form` is one of BANK_FORMS, `query` the topic's title or question."""

    topic_id: str
    nuggets: tuple[Nugget, ...]
    form: str
    query: str = ""
    creators: tuple[Creator, ...] = ()
    line: int = 0
    given: JsonValue = None


def nugget_rows(banks: Iterable[Bank]) -> list[tuple[str, str, str]]:
    """Topic, text and importance of each nugget that is not only proposed."""
    every = ((bank.topic_id, nugget) for bank in banks for nugget in bank.nuggets)
    return [(topic_id, each.text, each.importance) for topic_id, each in every if not each.proposed]


class BankFile(NamedTuple):
    """The banks of a file; `container` is the object that has them as `banks`, where there is one."""

    file: str
    banks: tuple[Bank, ...]
    container: Mapping[str, JsonValue] | None = None
