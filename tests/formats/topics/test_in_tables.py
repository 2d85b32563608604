"""Topics as lines, each with its place."""

from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.topics.fields import RawTopic
from workbench.formats.topics.in_tables import header_delimiter, read_table


def no_note(line: int, said: str) -> None:
    raise AssertionError(said)


@pytest.mark.parametrize(
    ("line", "delimiter"),
    [
        ("qid\ttitle", "\t"),
        ("qid,title", ","),
        ("qid;title", ";"),
        ("qid\ttitle,x", None),
        ("qid;title;x, y\tz", ";"),
        ('"qid","title, desc"', None),
        ("qid title", None),
    ],
)
def test_a_header_names_an_id_and_something_to_read(line: str, delimiter: str | None) -> None:
    assert header_delimiter(line) == delimiter


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        (
            '\nqid,title,desc\n\n1,"snow\nice",D\n2,hail\n , ,\n3,"a, b",\n',
            [
                (4, [("qid", "1"), ("title", "snow\nice"), ("desc", "D")]),
                (6, [("qid", "2"), ("title", "hail"), ("desc", "")]),
                (8, [("qid", "3"), ("title", "a, b"), ("desc", "")]),
            ],
        ),
        (
            '1\t"snow\r\n \r\n2\tice\tD\tN\tx\ty\r3\thail\n',
            [
                (1, [("qid", "1"), ("title", '"snow')]),
                (
                    3,
                    [
                        ("qid", "2"),
                        ("title", "ice"),
                        ("description", "D"),
                        ("narrative", "N"),
                        ("column 5", "x"),
                        ("column 6", "y"),
                    ],
                ),
                (4, [("qid", "3"), ("title", "hail")]),
            ],
        ),
        (
            "\n T1: snow and ice \n\nT2 hail\n",
            [(2, [("qid", "T1"), ("title", "snow and ice")]), (4, [("qid", "T2"), ("title", "hail")])],
        ),
        (
            "en:Tea/Green%20tea\n\nen:Snow\na/b:c\n",
            [
                (1, [("qid", "en:Tea/Green%20tea"), ("title", "Tea / Green tea")]),
                (3, [("qid", "en:Snow"), ("title", "Snow")]),
                (4, [("qid", "a/b:c"), ("title", "c")]),
            ],
        ),
    ],
    ids=["header", "tabs", "blanks", "headings"],
)
def test_lines_become_topics(text: str, topics: list[tuple[int, list[tuple[str, str]]]]) -> None:
    assert list(read_table(text, "t", no_note)) == [RawTopic(line, tuple(pairs)) for line, pairs in topics]


@pytest.mark.parametrize(
    "text",
    [
        "1 0 d1 1\n1 q0 d2 -2\n1 - d3 0\n1 N/A d4 0.5\n1 2 d5 9 1\n",
        "1 Q0 d1 1 9.5e1 x\n1 Q0 d2 2 8 x y\n",
        "QID, Grade\n1,2\n",
        "qid;title\n1;snow;ice\n",
        "1\tsnow\n2 ice\n",
        "1 snow\n2,ice\n",
        "T1 snow\nIt snows in 1 place\n",
    ],
)
def test_what_is_no_line_of_topics_is_refused_with_its_reason(text: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_table(text, "t", no_note))
    assert says(str(caught.value))


@pytest.mark.parametrize("text", ["1 0 snow 1\n1 0 ice x\n", "1 Q0 d1 1 9 x\n1 Q0 d2 x 8 x\n", "1 x d1 1\n"])
def test_a_file_is_judgments_or_a_run_if_all_its_lines_are(text: str) -> None:
    assert len(list(read_table(text, "t", no_note))) == text.count("\n")
