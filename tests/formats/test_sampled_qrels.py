"""Sampling qrels and prels: read, refused with the line, and written as they are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.samples import (
    PROBABILITIES,
    STRATA,
    SampledPair,
    columns_of,
    probability_lines,
    read_sampled_qrels,
    strata_lines,
)

SAMPLING = "1 0 a 1 2\n1 0 b 2 -1\n1 0 c 2 0\n2 0 a 1 0\n"
PRELS = "1 a 2 1 1.0\n1 c 0 1 0.25\n2 a 0 1 1.0\n"


def test_prels_have_the_probability(tmp_path: Path) -> None:
    path = tmp_path / "prels.txt"
    path.write_text(PRELS)
    file = read_sampled_qrels(path)
    assert file.frame.rows() == [("1", "a", 2, 1.0), ("1", "c", 0, 0.25), ("2", "a", 0, 1.0)]
    assert file.frame.columns == ["topic_id", "document_id", "grade", "probability"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (SAMPLING, STRATA),
        (PRELS, PROBABILITIES),
        ("1 0 17 1 1\n1 0 18 2 -1\n", STRATA),  # ids that are numbers
        ("1 17 1 1 1\n1 18 0 1 1\n", PROBABILITIES),
        ("1 17 1 1 0.5\n", PROBABILITIES),
        ("", STRATA),
    ],
)
def test_the_columns_say_which_of_the_two_a_file_is(text: str, columns: tuple[str, ...]) -> None:
    assert columns_of(text.encode()) == columns


@pytest.mark.parametrize(
    "text",
    [
        "1 0 a 1 2\n1 0 b 2\n",
        "1 0 a 1 two\n",
        SAMPLING + "1 0 b 1 1\n",
        "1 a 2 1 1.0\n1 b 2 1 0\n",
        "1 a 2 1 1.5\n",
        "1 a 2 1 0.5\n1 a 0 1 0.5\n",
        "# nothing\n",
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sample.txt"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_sampled_qrels(path)
    assert says(str(error.value).replace("sample.txt:", "line ").replace("line line", "line"))


words = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=4)
pairs = st.lists(
    st.builds(
        SampledPair,
        words,
        words,
        st.integers(0, 3),
        st.floats(0, 1, exclude_min=True),
        st.none() | st.integers(0, 3),
    ),
    unique_by=lambda pair: pair[:2],
    min_size=1,
)


@given(pairs)
def test_sampling_qrels_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[SampledPair]
) -> None:
    # A topic and an id that are no numbers, so that the columns are seen to be those of strata.
    pairs = [*pairs, SampledPair("last", "document", 1, 1.0, 0)]
    path = tmp_path_factory.mktemp("sample") / "sample.txt"
    path.write_text("".join(strata_lines(path, pairs)))
    expected = [
        (one.topic_id, one.document_id, str(one.stratum), -1 if one.grade is None else one.grade)
        for one in pairs
    ]
    assert read_sampled_qrels(path).frame.rows() == expected


@given(pairs)
def test_prels_come_back_as_they_were_written_with_every_digit(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[SampledPair]
) -> None:
    pairs = [*pairs, SampledPair("last", "document", 1, 0.1 + 0.2, 0)]
    path = tmp_path_factory.mktemp("sample") / "prels.txt"
    path.write_text("".join(probability_lines(path, pairs)))
    expected = [
        (one.topic_id, one.document_id, one.grade, one.probability) for one in pairs if one.grade is not None
    ]
    assert read_sampled_qrels(path).frame.rows() == expected


def test_a_document_that_would_be_two_columns_is_not_written() -> None:
    with pytest.raises(InputError, match="two words"):
        list(strata_lines("sample.txt", [SampledPair("1", "two words", 1, 1.0, 0)]))


def test_a_line_that_is_not_utf_8_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "sample.txt"
    path.write_bytes(b"1 0 a 1 2\n1 0 \xff 2 -1\n")
    with pytest.raises(InputError, match=r"sample\.txt:2: .*UTF-8"):
        read_sampled_qrels(path)
