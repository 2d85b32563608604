"""How much the slow tests try of what can be tried without end: a part of it, or all of it.

`make test-long`, before a release, or WORKBENCH_AT_LENGTH=1 tries all of it.
"""

from __future__ import annotations

import os
from typing import TypeVar

Tried = TypeVar("Tried")

AT_LENGTH = os.environ.get("WORKBENCH_AT_LENGTH") == "1"


def at_length(whole: Tried, usual: Tried) -> Tried:
    """`whole` in the long run, else `usual`."""
    return whole if AT_LENGTH else usual
