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
