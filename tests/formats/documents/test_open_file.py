"""One file of documents while it is read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.documents.open_file import SEEN, Reading, counting_unpacked, open_with_start


def test_a_warning_has_its_first_place_and_how_often_it_applied() -> None:
    reading = Reading("a.trec", io.BytesIO())
    reading.warn("odd", 3)
    reading.warn("odd", 5)
    reading.warn("rare")
    assert reading.warnings == {"odd": (3, 2), "rare": (None, 1)}


def test_only_a_text_that_is_not_utf_8_is_warned_of() -> None:
    reading = Reading("a.trec", io.BytesIO(), declared="iso-8859-2")
    assert reading.text("č".encode(), line=1) == "č"
    assert reading.warnings == {}
    assert reading.text("č".encode("iso-8859-2"), line=2) == "č"
    assert reading.text("è".encode("latin-1"), "latin-1", 4) == "è"
    said = "a text that is not UTF-8 was read as declared, as recognised by its bytes, or as windows-1252 (--encoding)"
    assert reading.warnings == {said: (2, 2)}


def test_a_file_is_refused_at_its_line() -> None:
    reading = Reading("a.trec", io.BytesIO())
    assert str(reading.refuse("no id", 7)) == "a.trec:7: no id"
    assert str(reading.refuse("no id")) == "a.trec: no id"
    assert says(str(reading.too_long(9)), "a.trec:9")


def test_every_document_is_wanted_unless_some_are_named() -> None:
    assert Reading("a", io.BytesIO()).wants("1")
    some = Reading("a", io.BytesIO(), wanted={"2"})
    assert (some.wants("1"), some.wants("2")) == (False, True)
    assert not Reading("a", io.BytesIO(), wanted=()).wants("1")


def test_what_was_packed_inside_a_file_is_counted_in_the_block_alone() -> None:
    reading, counted = Reading("a.warc", io.BytesIO()), list[int]()
    reading.unpacked(1)
    with counting_unpacked(counted.append):
        reading.unpacked(2)
        with counting_unpacked(lambda size: counted.append(-size)):
            reading.unpacked(3)
        reading.unpacked(4)
    reading.unpacked(5)
    assert counted == [2, -3, 4]


@pytest.mark.parametrize("size", [0, 1, SEEN, SEEN + 1, 3 * SEEN])
def test_the_start_of_a_file_is_seen_and_read_again_in_pieces_of_any_size(tmp_path: Path, size: int) -> None:
    content = bytes(number % 251 for number in range(size))
    (tmp_path / "a").write_bytes(content)
    stream, start = open_with_start(tmp_path / "a")
    assert start == content[:SEEN]
    pieces = [stream.read(7), stream.readline(), stream.read()]
    assert b"".join(pieces) == content
    assert stream.readable()
    stream.close()
    assert stream.closed


def test_a_file_that_ends_too_early_is_refused_as_its_start_is_read(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "a.gz").write_bytes(gzip.compress(b"snow" * 100)[:20])
    with pytest.raises(InputError, match=r"a\.gz"):
        open_with_start(tmp_path / "a.gz")
