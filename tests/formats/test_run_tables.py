"""Tables of runs with depths and priorities, refused with the line."""

from __future__ import annotations

import pytest

from workbench.core.errors import InputError
from workbench.formats.run_tables import read_run_table
from workbench.formats.text.content import content_of


@pytest.mark.parametrize(
    "text",
    [
        "run,depth,priority\na,50,1\nb,,2\n\nc,0,\n",
        "Priority;team;TAG;Depth\n1;A;a;50\n2;A;b;\n;;;\n;B;c;0\n",
        "tag\tdepth\tpriority\r\na\t50\t1\r\nb\t\t2\r\n\r\nc\t0\r\n",
    ],
)
def test_columns_are_found_by_their_names_and_cells_may_be_empty(text: str) -> None:
    table = read_run_table(content_of("runs.csv", text.encode()))
    assert [row[:4] for row in table] == [("a", 50, 1, 2), ("b", None, 2, 3), ("c", 0, None, 5)]


def test_a_tag_is_read_as_exports_write_it() -> None:
    assert read_run_table(content_of("runs.csv", b"run,depth\n'=best,5\n"))[0].tag == "=best"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "runs.csv: the file is empty"),
        (
            "team,depth\nA,2\n",
            "runs.csv:1: the first line names no column run (or tag); write a line of names such",
        ),
        ("run,team\na,A\n", "runs.csv:1: the first line names no column depth or priority"),
        ("run,depth\n", "runs.csv: the table names no runs; add a line for each run"),
        ("run,depth\n,2\n", "runs.csv:2: the run is missing; write its tag"),
        (
            "run,depth\na,ten\n",
            "runs.csv:2: depth 'ten' is not a whole number; write it like 50, or leave the cell",
        ),
        ("run,priority\na,1\nb,-1\n", "runs.csv:3: priority '-1' is not a whole number"),
        ("run,depth\na,1234567890\n", "depth '1234567890' is not a whole number"),
        ("run,depth\na,²\n", "is not a whole number"),
        (
            "run,depth\na,1\nb,1\na,2\n",
            "runs.csv:4: run 'a' is listed twice, first at line 2; keep one of the two",
        ),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_run_table(content_of("runs.csv", text.encode()))
    assert message in str(raised.value)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(InputError, match=r"runs.csv:2: not UTF-8; convert the file"):
        read_run_table(content_of("runs.csv", b"run,depth\ncaf\xe9,1\n"))
