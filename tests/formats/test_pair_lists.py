"""Lists of pairs: two columns or those of qrels, refused with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.formats.pair_lists import read_pairs


@pytest.mark.parametrize(
    ("text", "line"),
    [("# found by hand\n1 d1\n\n2\td1\r\n", 4), ("1 0 d1 2\n2 0 d1 0\n", 2), ("1  d1\n2 d1", 2)],
)
def test_pairs_are_read_from_two_columns_and_from_qrels(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(text, newline="")
    file = read_pairs(path)
    assert file.frame.rows() == [("1", "d1"), ("2", "d1")]
    assert file.frame.columns == ["topic_id", "document_id"]
    assert file.line_of(1) == line


@pytest.mark.parametrize(
    "text",
    [
        "1 d1\n1\n",
        "1 d1 2\n",
        "1 d1\n2 0 d1 1\n",
        "1 0 d1 1\n2 d1\n",
        "1 d1\n2 d1\n1 d1\n",
        "1 0 d1 1\n1 0 d1 1\n",
        "1 0 d1 high\n",
        "# nothing\n",
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_the_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_pairs(path)
    assert says(str(raised.value).replace(f"{tmp_path}/", ""))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_bytes("1 caf\xe9\n".encode("latin-1"))
    with refused(InputError):
        read_pairs(path)
