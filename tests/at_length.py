"""How much the slow tests try of what can be tried without end: a part of it, or all of it.

`make test-long`, before a release, or WORKBENCH_AT_LENGTH=1 tries all of it.
"""

from __future__ import annotations

import os

AT_LENGTH = os.environ.get("WORKBENCH_AT_LENGTH") == "1"


def at_length(whole: int, usual: int) -> int:
    """`whole` in the long run, else `usual`."""
    return whole if AT_LENGTH else usual
