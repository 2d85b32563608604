"""A kind of result is declared once: its table, its JSON and the schema of that JSON follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

import jsonschema
import numpy as np

from tests.sentences import refused
from workbench.core.results import AS_TEXT, HIDDEN, Column, columns_of, content, fields_of, schemas, shown
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.sheets import sheet_of
from workbench.methods.measures import BoundMeasure, parse_measure


class Topic(NamedTuple):
    """A topic.

    Attributes:
        topic_id: which.
        found, judged: how many documents are relevant, and how many
            have a grade.
        missing: how many can be missing; None while some wait.
    """

    topic_id: Annotated[str, Column("Topic")]
    found: int
    judged: int
    missing: int | None
    is_done: bool
    inner: Annotated[float, HIDDEN] = 0.5

    @property
    @shown(Column(kind="score", best="highest"))
    def share(self) -> float:
        """The share of judged documents that are relevant."""
        return self.found / self.judged

    @property
    def not_shown(self) -> int:
        """No column."""
        return 1


class Whole(NamedTuple):
    """Everything at once."""

    measure: Annotated[BoundMeasure, AS_TEXT, Column(name="by")]
    state: Literal["open", "closed"]
    topics: tuple[Topic, ...]
    best: Topic | None
    range: tuple[float, float]
    shares: Mapping[str, float]
    hash: bytes


RIVERS, LAKES = Topic("1", 2, 4, None, False), Topic("2", 3, 4, 1, True)
WHOLE = Whole(parse_measure("P@10"), "open", (RIVERS, LAKES), None, (0.25, 0.5), {"1": 0.5}, b"\x00\xff")


def test_columns_are_the_fields_and_shown_properties_with_words_of_the_docstring() -> None:
    assert columns_of(Topic) == (
        Column("Topic", "topic_id", "text"),
        Column("Found", "found", "count"),
        Column("Judged", "judged", "count"),
        Column("Missing", "missing", "count"),
        Column("Is done", "is_done", "text"),
        Column("Share", "share", "score", "highest"),
    )
    words = {field.name: field.words for field in fields_of(Topic)}
    assert words == {
        "topic_id": "Which.",
        "found": "How many documents are relevant, and how many have a grade.",
        "judged": "How many documents are relevant, and how many have a grade.",
        "missing": "How many can be missing; None while some wait.",
        "is_done": "",
        "share": "The share of judged documents that are relevant.",
    }
    assert schemas(Topic)["Topic"]["properties"]["missing"] == {
        "anyOf": [{"type": "integer"}, {"type": "null"}],
        "description": "How many can be missing; null while some wait.",
    }


def test_a_table_has_a_row_for_each_result() -> None:
    sheet = sheet_of(Topic, [RIVERS, LAKES])
    assert "".join(as_csv(sheet)).splitlines() == [
        "topic_id,found,judged,missing,is_done,share",
        "1,2,4,,no,0.5",
        "2,3,4,1,yes,0.75",
    ]


def test_json_has_the_names_of_the_columns_and_fits_the_schema() -> None:
    found = content(WHOLE)
    assert found == {
        "by": "P@10",
        "state": "open",
        "topics": [
            {"topic_id": "1", "found": 2, "judged": 4, "missing": None, "is_done": False, "share": 0.5},
            {"topic_id": "2", "found": 3, "judged": 4, "missing": 1, "is_done": True, "share": 0.75},
        ],
        "best": None,
        "range": [0.25, 0.5],
        "shares": {"1": 0.5},
        "hash": "00ff",
    }
    validator = jsonschema.Draft202012Validator(
        {"$ref": "#/components/schemas/Whole", "components": {"schemas": schemas(Whole)}}
    )
    validator.validate(found)
    for wrong in ({"state": "else"}, {"range": [0.5]}, {"hash": "no"}, {"more": 1}, {"topics": [{}]}):
        assert not validator.is_valid(found | wrong)


def test_dataclasses_and_cached_properties_and_arrays_are_results_too() -> None:
    @dataclass(frozen=True)
    class Means:
        values: np.ndarray

        @cached_property
        @shown(Column(name="mean_of_all"))
        def mean(self) -> float:
            return float(self.values.mean())

    assert content(Means(np.array([[1.0, 3.0]]))) == {"values": [[1.0, 3.0]], "mean_of_all": 2.0}
    assert content(np.int64(3)) == 3


def test_what_is_no_result_or_has_no_form_in_json_is_refused_and_two_kinds_need_two_names() -> None:
    class Odd(NamedTuple):
        value: complex

    def other() -> type:
        class Topic(NamedTuple):
            found: int

        return Topic

    class Both(NamedTuple):
        one: Topic
        other: Any

    with refused(TypeError):
        columns_of(int)
    with refused(TypeError):
        schemas(Odd)
    Both.__annotations__["other"] = other()
    with refused(TypeError):
        schemas(Both)
    with refused(TypeError):
        schemas(Topic, other())
