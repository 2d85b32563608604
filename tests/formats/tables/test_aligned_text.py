from __future__ import annotations

from workbench.formats.tables.sheets import aligned


def test_columns_stand_below_one_another() -> None:
    assert list(aligned([["Run", "AP", "P@1"], ["a", "*0.9167", ""], ["long name", "0.1", "1"]])) == [
        "Run             AP  P@1\n",
        "a          *0.9167\n",
        "long name      0.1    1\n",
    ]
