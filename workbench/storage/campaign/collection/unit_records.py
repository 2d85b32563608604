"""What a unit of answers is, and what the units of a topic are together (`units`)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.formats.tables.json_text import json_line

PREFIX = "unit:"
"""How ids of units begin, which no document's should."""

ID_DIGITS = 32
BETWEEN = "\n\n"
"""Between the sentences of an answer."""


class Unit(NamedTuple):
    """What is judged, and where it stands.

    Attributes:
        text: the sentence, the nugget, or the answer.
        answer_id: the answer that it stands in, the same for identical answers; of citations the first such answer.
        cited: the document that the sentence cites, or that has the span; "" where no document is judged.
        run: the number of the run that had it first.
        place: which sentence of the answer it is, or which nugget of the topic, from 0.
        span: where it is in the text of the document, from the first character, before the second; None of no span.
        sides: the ids of the two things that are compared, the first and the second; None of no pair.
        listed: the documents that a pair shows, those of the first thing before those of the second.
    """

    unit_id: str
    text: str
    answer_id: str
    cited: str
    run: int
    place: int
    span: tuple[int, int] | None = None
    sides: tuple[str, str] | None = None
    listed: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents whose texts are shown with it."""
        return (self.cited,) if self.cited else self.listed


class RunUnits(NamedTuple):
    """The units of a run's answer, in its order; arrays of shape (N,). One that an answer has twice is there twice.

    Attributes:
        number: uint32, which units they are.
        place: int32, the sentence or the nugget of each, from 0.
        extra: bool, whether a document is cited as one that contradicts the sentence, or whether a nugget is vital.
        weight: float64, what the nugget weighs; 1 of others.
        rests: bool, whether the nugget is a question of which an answer rests on a document, or the bank has none.
        sentences: how many sentences the answer has.
        words: how many words it has, split at blanks.
    """

    number: NDArray[np.uint32]
    place: NDArray[np.int32]
    extra: NDArray[np.bool_]
    weight: NDArray[np.float64]
    rests: NDArray[np.bool_]
    sentences: int
    words: int


class TopicUnits(NamedTuple):
    """The units of a topic by their numbers, their numbers by id, and those of each run that has an answer."""

    units: list[Unit]
    numbers: dict[str, int]
    by_run: dict[int, RunUnits]


def units_of_run(rows: Sequence[tuple[Any, ...]], sentences: int = 0, words: int = 0) -> RunUnits:
    """The arrays of these rows: number, place, extra, weight, rests."""
    number, place, extra, weight, rests = zip(*rows, strict=True) if rows else repeat((), 5)
    arrays = np.array(number, np.uint32), np.array(place, np.int32), np.array(extra, np.bool_)
    return RunUnits(*arrays, np.array(weight, np.float64), np.array(rests, np.bool_), sentences, words)


def hashed(said: list[object]) -> str:
    """The hash by which things that say the same have the same id."""
    return sha256(as_bytes(said)).hexdigest()[:ID_DIGITS]


def as_bytes(said: object) -> bytes:
    """What is hashed: JSON in UTF-8, halves of characters too."""
    return json_line(said).encode("utf-8", "surrogatepass")
