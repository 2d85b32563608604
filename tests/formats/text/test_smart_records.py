"""Records of the SMART collections, line by line."""

from __future__ import annotations

import pytest

from workbench.formats.text.smart_records import SmartRecord, smart_records, starts_smart


@pytest.mark.parametrize(
    ("line", "starts"),
    [(".I 1", True), (".I\t001 ", True), (".I", False), (".I ", False), (" .I 1", False), (".It", False)],
)
def test_a_record_starts_with_a_number(line: str, starts: bool) -> None:
    assert starts_smart(line) is starts


def test_records_have_their_lines_their_numbers_and_their_parts_in_order() -> None:
    lines = [
        "before\n", ".I 1 \r\n", "no part yet\n", ".T\n", "Snow\n", "and ice\r\n", ".W \n", "\n", "Cold.\n",
        ".I 2\n", ".I x 3\n", ".T\n", ".TT\n",
    ]  # fmt: skip
    assert list(smart_records(lines)) == [
        SmartRecord(2, "1", (("T", "Snow\nand ice"), ("W", "\nCold."))),
        SmartRecord(10, "2", ()),
        SmartRecord(11, "x 3", (("T", ".TT"),)),
    ]
    assert list(smart_records(["before\n"])) == []
