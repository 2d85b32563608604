"""Where a judged pair stands, in a sentence, and what a row of the log about it says."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.sentences import says
from workbench.web.agreement.pairs import sentence, words_of


def judgment(grade: int) -> Any:
    return SimpleNamespace(grade=grade, kind="grade")


@pytest.mark.parametrize(
    ("grades", "label", "pool", "adjudicated"),
    [([], None, 1, ""), ([], None, None, ""), ([1], None, 1, ""), ([1, 1], 1, 1, ""), ([1, 0], 1, 1, ""),
     ([], 1, None, ""), ([1, 0], 1, 1, "2026-03-01T12:00:00Z")],
)  # fmt: skip
def test_where_a_pair_stands_is_a_sentence(
    grades: list[int], label: int | None, pool: int | None, adjudicated: str
) -> None:
    found: Any = SimpleNamespace(
        own_judgments=tuple(map(judgment, grades)),
        adjudication=SimpleNamespace(received_at=adjudicated) if adjudicated else None,
        label=label,
        pool=pool,
        rule="newest",
    )
    assert says(sentence(found, "Relevant"))


@pytest.mark.parametrize(
    ("kind", "names"),
    [("adjudication", ("Wilma",)), ("changed texts", ()), ("something new", ("Ben", "Carla"))],
)
def test_a_row_of_the_log_is_called_by_its_kind_and_those_who_did_it(
    kind: str, names: tuple[str, ...]
) -> None:
    row: Any = SimpleNamespace(kind=kind, names=names)
    assert says(words_of(row), *names)
