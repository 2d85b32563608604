"""A log of times is read in seconds, and a line whose time cannot be is named."""

from __future__ import annotations

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.run_costs import read_time_logs
from workbench.formats.text.content import content_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run,topic,seconds\nx,1,2\n", ("x", 2.0)),
        ("tag\tqid\tms\nx\t1\t2\n", ("x", 0.002)),
        ("ms\n2\n", ("bm25", 0.002)),
        ("start,end\n100,100.5\n", ("bm25", 0.5)),
        ('{"run": "x", "query": 7, "milliseconds": 2.5}\n', ("x", 0.0025)),
    ],
)
def test_a_time_is_read(text: str, expected: tuple[str, float]) -> None:
    ((run, times),) = read_time_logs([content_of("bm25.csv", text.encode())]).items()
    assert (run, *times) == expected


@pytest.mark.parametrize(
    "text",
    [
        "ms\n1\n-2\n",
        "ms\n1\nnan\n",
        "ms\n1\n12 s\n",
        "start,end\n1,2\n5,4\n",
        "time\n1\n2\n",
        "ms,s\n1,1\n2,2\n",
    ],
)
def test_a_time_that_cannot_be_is_refused_with_its_line(text: str) -> None:
    with refused(InputError, "bm25.csv:3"):
        read_time_logs([content_of("bm25.csv", text.encode())])


def test_a_log_without_times_is_refused() -> None:
    with refused(InputError, "bm25.csv"):
        read_time_logs([content_of("bm25.csv", b"ms\n")])
