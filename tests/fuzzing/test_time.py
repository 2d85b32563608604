"""What others wrote costs time in proportion to its length, whatever stands in it: no file stops the judging."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.at_length import at_length
from tests.fuzzing.hostile import Cost, cases, cost, readers

STEEP_ONCE = [
    ("documents .trec", "<DOC><DOCNO>", " ", "ice"),
    ("documents .trec", "<DOC><DOCNO> x", "\r\n", "ice"),
    ("documents .smart", ".I a", " ", "b\n.W\nice"),
    ("topics", ".I a", " ", "b\n.W\nice"),
    ("topics", "<DOC><DOCNO>1</DOCNO>", "<docno>", "</DOC>"),
    ("topics", "<top ", "x", "><num>1<title>ice</top>"),
    ("topics", "<top ", 'a="b" ', "><num>1<title>ice</top>"),
    ("topics", "<topics><topic id='1'", ' a№="1"', "><title>ice</title></topic></topics>"),
    ("page", "<p", ' a№="1"', ">ice"),
    ("page", "<!-- <p x='--><p", " a№", ""),
    ("near duplicates", "<p", " a№", ">ice"),
    ("scale", "0:No", ",", "x,1:Yes"),
    ("scale", "0:", " ", ":,1:Yes"),
    ("terms", "ice", "-", "ice"),
    ("measures", "nDCG(", "{", ")@10"),
    ("measures", "nDCG", "1", "x"),
]
"""Reader, what stands before, what is repeated, what follows: these cost the square or cube of the number once."""

MANY = at_length(20, 2)
"""Cases that the slow test draws for each place of a reader."""

READERS = sorted(readers(Path()))


def is_steep_at(name: str, case: tuple[str, str, str], folder: Path) -> Cost | None:
    found = cost(readers(folder)[name].read, *case)
    return found if found.is_steep else None


@pytest.mark.parametrize(("name", "before", "piece", "after"), STEEP_ONCE)
def test_what_was_steep_costs_in_proportion_to_its_length(
    name: str, before: str, piece: str, after: str, tmp_path: Path
) -> None:
    assert is_steep_at(name, (before, piece, after), tmp_path) is None


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ('{"id":"1","turns":[{"speaker":"a","text":"ice"}', ',{"speaker":"b","text":"> ice"}', "]}"),
        ('{"id":"1","turns":[{"speaker":"a","text":"', "> ice\\n", '"}]}'),
        ('{"id":"1","turns":[{"speaker":"a","text":"', "ice\\n> ice\\n\\n", '"}]}'),
    ],
)
def test_many_turns_and_quotes_of_a_chat_cost_in_proportion_to_their_number(
    before: str, piece: str, after: str, tmp_path: Path
) -> None:
    assert is_steep_at("documents .jsonl", (before, piece, after), tmp_path) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_every_reader_costs_in_proportion_to_the_length_of_what_it_reads(name: str, tmp_path: Path) -> None:
    reader = readers(tmp_path)[name]
    chosen = Random(name).sample(list(cases(reader)), MANY * len(reader.frames))
    assert [case for case in chosen if is_steep_at(name, case, tmp_path)] == []


def cube(text: str) -> None:
    for _ in range((len(text) // 100) ** 3 * 2):
        pass


def test_a_reader_of_cubic_cost_is_found() -> None:
    assert cost(cube, "", " " * 20, "").is_steep
