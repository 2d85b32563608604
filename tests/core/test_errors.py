"""What errors say: every problem with its place, and no file hidden by another."""

from __future__ import annotations

import pickle

import pytest

from workbench.core.errors import NOTE, InputError, JudgmentRefused, NotThere, Problem, WorkbenchError, about


def problems(file: str, count: int) -> list[Problem]:
    return [Problem(file, line, "no score") for line in range(1, count + 1)]


@pytest.mark.parametrize(
    ("count", "more", "last"),
    [
        (25, 0, "a.run:25: no score"),
        (26, 0, "... and 1 more problem"),
        (25, 1, "... and 1 more problem"),
        (27, 1000, "... and 1,002 more problems"),
    ],
)
def test_twenty_five_problems_are_printed_and_the_others_counted(count: int, more: int, last: str) -> None:
    error = InputError(problems("a.run", count), more)
    assert str(Problem("a.run", None, "no score", "score")) == "a.run: no score", "not of a line"
    lines = str(error).splitlines()
    assert lines[:25] == [f"a.run:{line}: no score" for line in range(1, 26)]
    assert (lines[-1], len(lines)) == (last, 25 + (last[0] == "."))
    assert (len(error.problems), error.more) == (count, more)


def test_problems_are_shared_out_over_files_and_a_note_stands_last() -> None:
    found = problems("a.run", 40) + problems("b.run", 2) + problems("c.run", 40)
    printed = [line.split(": ")[0] for line in str(InputError(found)).splitlines()]
    assert printed == [
        *(f"a.run:{line}" for line in range(1, 13)),
        *(f"b.run:{line}" for line in range(1, 3)),
        *(f"c.run:{line}" for line in range(1, 12)),
        "... and 57 more problems",
    ]
    note = Problem("a.run", None, "only the start was read", NOTE)
    assert str(InputError([note, *problems("a.run", 26)])).splitlines()[24:] == [
        "a.run:25: no score",
        "... and 1 more problem",
        "a.run: only the start was read",
    ]


@pytest.mark.parametrize(
    "error", [InputError(problems("a.run", 2), 3), JudgmentRefused("not yours", "topic 1 is Ada's")]
)
def test_an_error_goes_whole_to_another_process(error: WorkbenchError) -> None:
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is type(error)
    assert (str(other), vars(other)) == (str(error), vars(error))


@pytest.mark.parametrize(
    ("name", "said"),
    [("robust", "robust: no run"), ("", "no run"), ("no", "no: no run"), ("a.db", "a.db: no such file")],
)
def test_an_error_begins_with_what_it_is_about_once(name: str, said: str) -> None:
    with pytest.raises(NotThere) as told, about(name):
        raise NotThere("a.db: no such file" if name == "a.db" else "no run")
    assert str(told.value) == said
