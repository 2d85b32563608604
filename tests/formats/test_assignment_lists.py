"""Lists of assignments as lines and as tables; what is written is read back the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.errors import InputError
from workbench.formats.people_lists import read_assignments, write_json_lines, write_table
from workbench.formats.text.content import content_of

# What names and ids may be made of, signs that spreadsheets take for formulas included.
WORDS = st.from_regex(r"[aZ9=+@,;雪é-][aZ9=+@' \",;雪é-]{0,4}[aZ9]", fullmatch=True)


def read(text: str) -> list[tuple[str, str, str]]:
    return [listed[:3] for listed in read_assignments(content_of("list", text.encode()))]


@given(
    st.lists(
        st.tuples(WORDS, WORDS, st.sampled_from(["whole", "second"])),
        min_size=1,
        unique_by=lambda row: row[:2],
    )
)
def test_a_list_is_read_back_as_it_was_written(rows: list[tuple[str, str, str]]) -> None:
    assert read(write_table(rows)) == rows
    assert sorted(read(write_json_lines(rows))) == sorted(rows)


def test_a_formula_is_no_formula_in_a_spreadsheet() -> None:
    table = write_table([("1", "=HYPERLINK()", "whole")])
    assert table == "topic,assessor,part\n1,'=HYPERLINK(),whole\n"
    assert read(table) == [("1", "=HYPERLINK()", "whole")]


@pytest.mark.parametrize(
    "text",
    [
        "topic\taccount\n3\tann\n",
        "\ufeffAccount;Topic;Part\r\nann;3;\r\n",
        '\n[{"assessor": " ann ", "topics": ["3"]}]\n',
        'assessor,topic\n"ann","3"\n\n',
        '{"account": "ann", "topics": [3], "team": "Glasgow"}',
    ],
)
def test_lists_come_in_many_shapes(text: str) -> None:
    assert read(text) == [("3", "ann", "whole")]


def test_all_that_is_wrong_with_a_list_is_said_at_once() -> None:
    with pytest.raises(InputError) as error:
        read("topic,assessor\n1\n2,ben\n2,ben\n")
    assert [(problem.line, problem.message[:10]) for problem in error.value.problems] == [
        (2, "the accoun"),
        (4, "topic '2' "),
    ]
