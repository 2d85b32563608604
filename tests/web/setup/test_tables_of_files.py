"""A table of the files that come with it: what is wrong with it is said once, and in how many places more."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import SHOWN_PROBLEMS, Problem
from workbench.setup.uploads import Sent
from workbench.web.setup.tables_of_files import refused_by_table


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
