"""Cases in a table: a line after # says what those below it show; | is between columns, or begins one on a new line."""

from __future__ import annotations

from typing import Any

import pytest


def cases(table: str) -> Any:
    """The cases of a table, named by their sentences if they have any."""
    found, sentence = [], None
    for line in filter(None, map(str.strip, table.replace("\n|", " |").splitlines())):
        if line.startswith("# "):
            sentence = line[2:]
        else:
            found.append(pytest.param(*(cell.strip() for cell in line.split(" | ")), id=sentence))
    return found
