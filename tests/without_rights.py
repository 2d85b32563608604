"""A module run as one whose files can be shut to it, also as root: `python -m tests.without_rights MODULE WORDS...`.

Root reads what nobody may read, by two capabilities that the program which takes this one's place does not get.
"""

from __future__ import annotations

import ctypes
import os
import sys

DROP_FROM_THOSE_OF_PROGRAMS = 24
OVERRIDE, READ_AND_SEARCH = 1, 2


def drop() -> None:
    if os.getuid() == 0:
        library = ctypes.CDLL(None, use_errno=True)
        for capability in (OVERRIDE, READ_AND_SEARCH):
            if library.prctl(DROP_FROM_THOSE_OF_PROGRAMS, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "a capability cannot be dropped")


if __name__ == "__main__":
    drop()
    os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])
