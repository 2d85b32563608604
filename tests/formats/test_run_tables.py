"""Tables of runs with depths and priorities, refused with the line."""

from __future__ import annotations

import pytest

from tests.sentences import refused, says
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
    "text",
    [
        "",
        "team,depth\nA,2\n",
        "run,team\na,A\n",
        "run,depth\n",
        "run,depth\n,2\n",
        "run,depth\na,ten\n",
        "run,priority\na,1\nb,-1\n",
        "run,depth\na,1234567890\n",
        "run,depth\na,²\n",
        "run,depth\na,1\nb,1\na,2\n",
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_the_line(text: str) -> None:
    with pytest.raises(InputError) as raised:
        read_run_table(content_of("runs.csv", text.encode()))
    assert says(str(raised.value))


def test_bytes_that_are_no_text_are_refused() -> None:
    with refused(InputError, "runs.csv:2"):
        read_run_table(content_of("runs.csv", b"run,depth\ncaf\xe9,1\n"))
