"""One file of documents while it is read."""

from __future__ import annotations

import io

from tests.sentences import says
from workbench.formats.documents.open_file import Reading, counting_unpacked


def test_a_file_is_refused_at_its_line() -> None:
    reading = Reading("a.trec", io.BytesIO())
    assert str(reading.refuse("no id", 7)) == "a.trec:7: no id"
    assert str(reading.refuse("no id")) == "a.trec: no id"
    assert says(str(reading.too_long(9)), "a.trec:9")


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
