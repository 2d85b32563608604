"""Logs of clicks as tables and JSON lines, and records of interleaved lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.core.impressions import Impression, InterleavedList
from workbench.formats.impressions import read_impressions
from workbench.formats.interleaved import read_interleaved, written_interleaved

JSON = (
    '{"query": "coral reefs", "user": "u1", "run": "a", "shown": ["d1", "d2"], "clicked": ["d2", "d1"],'
    ' "seconds": [3, 4.5]}'
)
SAME = (
    JSON,
    "Query,userId,group,shown,clicks,seconds,note\ncoral reefs,u1,a,d1 d2,d2 d1,3 4.5,x\n",
    "query;user;run;shown;clicked;shown_at;clicked_at\n"
    "coral reefs;u1;a;d1 d2;d2 d1;2026-03-01T10:00:00Z;2026-03-01T10:00:03Z 2026-03-01T11:00:04.5+01:00\n",
)


@pytest.mark.parametrize("text", SAME)
def test_a_list_that_a_user_saw_is_the_same_in_every_form(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "clicks").write_text(text)
    (seen,) = read_impressions(path)
    line = 1 if text == JSON else 2
    assert seen == Impression(
        str(path), line, "coral reefs", ("d1", "d2"), ("d2", "d1"), (3, 4.5), "u1", "", "a"
    )


@pytest.mark.parametrize("second", [1, 10**3, 10**6, 10**9])
def test_times_since_1970_are_read_in_the_part_of_a_second_that_their_size_says(
    tmp_path: Path, second: int
) -> None:
    start = 1_772_359_200 * second
    times = {"seconds": None, "shown_at": start, "clicked_at": [start + 3 * second, start + 5 * second]}
    (path := tmp_path / "clicks.jsonl").write_text(json.dumps(json.loads(JSON) | times))
    (seen,) = read_impressions(path)
    assert seen.seconds == pytest.approx((3, 5), abs=1e-5)


def test_a_list_of_the_longest_tags_and_topic_has_an_id_that_is_read(tmp_path: Path) -> None:
    list_id = ":".join(["t" * 500] * 3 + ["100000"])
    (path := tmp_path / "clicks.jsonl").write_text(json.dumps({"list_id": list_id, "clicked": []}))
    assert read_impressions(path)[0].list_id == list_id
    path.write_text(json.dumps({"list_id": list_id * 2, "clicked": []}))
    with refused(InputError, "clicks.jsonl:1: "):
        read_impressions(path)


@pytest.mark.parametrize(
    "change",
    [
        {"query": None},
        {"query": "q" * 501},
        {"shown": []},
        {"shown": "d1 d2"},
        {"shown": ["d1", "d2", "d1"]},
        {"clicked": ["d1", "d9"]},
        {"clicked": [1, None]},
        {"seconds": [3]},
        {"seconds": [-3, 4]},
        {"seconds": [9, 3]},
        {"seconds": ["soon", 3]},
        {"seconds": [1, "1e999"]},
        {"clicked_at": [100, 200]},
        {"shown_at": "150", "clicked_at": [100, 200]},
        {"run": "a b"},
        {"shown": [f"d{place}" for place in range(1_001)]},
        {"clicked": ["d1"] * 1_001},
        {"seconds": ["2026-03-01", "2026-03-02"]},
        {"shown_at": "2026-03-01T10:00:00Z", "clicked_at": ["2026-03-01T10:00:03", "2026-03-01T10:00:04"]},
        {"seconds": [3, 4e9]},
        {"shown_at": "1772359200", "clicked_at": [1772359203000, 1772359205000]},
    ],
    ids=lambda change: str(change)[:60],
)
def test_what_is_wrong_with_a_list_is_said_with_its_value(tmp_path: Path, change: dict[str, object]) -> None:
    (path := tmp_path / "clicks.jsonl").write_text(f"{JSON}\n{json.dumps(json.loads(JSON) | change)}\n")
    with refused(InputError, "clicks.jsonl:2: "):
        read_impressions(path)


@pytest.mark.parametrize(
    "text",
    [
        "query,shown\nq,d1\n",
        "shown,clicked\nd1,d1\n",
        "query,shown,clicked,documents\nq,d1,d1,d1\n",
        "query,shown,clicked\nq,d1\n",
        "query,shown,clicked\n",
        '{"query": "q", "shown": ["d1"]}',
        "[3]",
    ],
)
def test_a_table_that_is_no_log_is_refused(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "clicks").write_text(text)
    with refused(InputError):
        read_impressions(path)


def test_a_log_of_too_many_lists_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("workbench.formats.impressions.MOST_LISTS", 2)
    (path := tmp_path / "clicks.jsonl").write_text(f"{JSON}\n" * 2)
    assert len(read_impressions(path)) == 2
    path.write_text(f"{JSON}\n" * 4)
    with refused(InputError, "clicks.jsonl:3: "):
        read_impressions(path)


def test_a_record_of_an_interleaved_list_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = InterleavedList("q-1", "q", ("a", "b"), 7, ("d3", "d1", "d2"), ("", "b", "a"))
    (path := tmp_path / "lists.jsonl").write_text(written_interleaved(made))
    assert read_interleaved(path) == [made]


@pytest.mark.parametrize(
    "change",
    [
        {"list_id": None},
        {"runs": ["a", "a"]},
        {"runs": None},
        {"seed": 1.5},
        {"seed": "9" * 5_000},
        {"documents": [f"d{place}" for place in range(1_001)]},
        {"documents": ["d1", "d1", "d2"]},
        {"teams": ["a"]},
        {"teams": ["c", None, "a"]},
        {"documents": [["d1"], "d2", "d3"]},
    ],
    ids=lambda change: str(change)[:60],
)
def test_what_is_wrong_with_a_record_is_said_with_its_value(
    tmp_path: Path, change: dict[str, object]
) -> None:
    made = InterleavedList("q-1", "q", ("a", "b"), 7, ("d3", "d1", "d2"), ("", "b", "a"))
    record = json.loads(written_interleaved(made)) | change
    (path := tmp_path / "lists.jsonl").write_text(json.dumps(record))
    with refused(InputError, "lists.jsonl:1: "):
        read_interleaved(path)
