"""A table of the files that come with it: what is wrong with it is said once, and in how many places more."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from flask import Flask

from workbench.campaign.uploads import Sent, UploadOptions
from workbench.core.errors import SHOWN_PROBLEMS, Problem
from workbench.web.setup import tables_of_files
from workbench.web.setup.tables_of_files import refused_by_table, with_table


@pytest.mark.parametrize(("wrong", "more"), [(1, 0), (SHOWN_PROBLEMS, 0), (SHOWN_PROBLEMS + 3, 3)])
def test_the_first_problems_of_a_table_are_said_and_the_others_counted(wrong: int, more: int) -> None:
    problems = [Problem("table.csv", line, "no such file") for line in range(1, wrong + 1)]
    files = [Sent(Path("1"), "a.run"), Sent(Path("2"), "b.run")]
    first, second = refused_by_table(files, problems)
    assert (first.file, second.file, first.added, second.added) == ("a.run", "b.run", False, False)
    assert first.sentence == second.sentence == "not added: the table has errors"
    assert (first.more, second.more) == (more, more)
    said = [f"table.csv:{line}: no such file" for line in range(1, wrong + 1 - more)]
    assert list(first.problems) == [Problem("a.run", None, each) for each in said]


@pytest.mark.parametrize(
    ("more", "said"),
    [(0, []), (1, ["table.csv: the table is larger than 100 bytes; send its files in several parts"])],
)
def test_a_table_is_read_up_to_its_largest_size(
    app: Flask, monkeypatch: pytest.MonkeyPatch, more: int, said: list[str]
) -> None:
    monkeypatch.setattr(tables_of_files, "LARGEST", 100)
    table = b"file,team\na.run,Alpha\n".ljust(100 + more, b"\n")
    with app.test_request_context(method="POST", data={"table": (io.BytesIO(table), "table.csv")}):
        _, wrong = with_table(UploadOptions(), "runs", [Sent(Path("1"), "a.run")])
    assert list(map(str, wrong)) == said
