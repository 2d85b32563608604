"""A copy of the checkout for planted_faults.py, and tests that run in it until the first one fails.

Libraries are imported once, here; each run of tests is a fork of this process, with a program of its own to import.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
NO_TESTS, PASSED, TIME_LIMIT = 5, 0, "time limit"
FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.+?)?)(?: - .*)?$", re.MULTILINE)
LIBRARIES = (
    "pytest",
    "numpy",
    "polars",
    "flask",
    "waitress",
    "playwright.sync_api",
    "sqlite_utils",
    "lxml.html",
)
BRIEF = (("timeout=30_000", "timeout=12_000"), ("timeout(30_000)", "timeout(12_000)"))
"""How long a page is waited for: that a test fails is known sooner; whether it fails without the fault is asked."""


class Checkout:
    """A copy of the checkout in which faults are planted and tests run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        for conftest in folder.joinpath("tests").rglob("conftest.py"):
            text = conftest.read_text(encoding="utf-8")
            for long, short in BRIEF:
                text = text.replace(long, short)
            conftest.write_text(text, encoding="utf-8")
        self.broken: set[str] = set()
        """Tests that fail without any fault."""
        self._sources: dict[str, str] = {}
        self._moment = int(time.time()) + 10_000
        for library in LIBRARIES:
            importlib.import_module(library)

    @property
    def environment(self) -> dict[str, str]:
        """What tests in this copy find in their environment."""
        data = os.environ.get("WORKBENCH_TEST_DATA", str(ROOT.parent / "shared" / "data"))
        return os.environ | {"PYTHONPATH": str(self.folder), "WORKBENCH_TEST_DATA": data}

    def source(self, name: str) -> str:
        """A file without a fault, as it was when the checkout was copied."""
        if name not in self._sources:
            self._sources[name] = (self.folder / name).read_text(encoding="utf-8")
        return self._sources[name]

    def write(self, name: str, source: str) -> None:
        """Write a file with a time of its own, so that no compiled file of before is taken for it."""
        self._moment += 10
        (self.folder / name).write_text(source, encoding="utf-8")
        os.utime(self.folder / name, (self._moment, self._moment))

    def first_failure(self, tests: list[str], choice: str, limit: float) -> str | None:
        """The first test that fails, "time limit" where none did until then, or None."""
        output = self.folder.parent / "output"
        child = os.fork()
        if child == 0:
            self._run([*self._options(choice, limit), *tests], output)
        ended = _end_of(child, limit)
        if ended is None:
            return TIME_LIMIT
        if ended in (PASSED, NO_TESTS):
            return None
        failed = FAILURE.search(output.read_text(encoding="utf-8", errors="replace"))
        return failed[1] if failed else f"pytest ended with {ended}"

    def _options(self, choice: str, limit: float) -> list[str]:
        """Options of pytest. A test that waits for half of the time waits for what never comes, and ends the run."""
        without = [f"--deselect={test}" for test in sorted(self.broken)]
        where = f"--basetemp={self.folder.parent / 'temporary'}"
        ends = f"--override-ini=faulthandler_timeout={limit / 2}"
        plain = ["-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
        return [*plain, where, ends, "-m", choice, *without]

    def _run(self, options: list[str], output: Path) -> NoReturn:
        """What the fork does: run tests in the copy, and end."""
        code = 70
        try:
            os.setsid()
            with output.open("w", encoding="utf-8") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            os.chdir(self.folder)
            os.environ.update(self.environment)
            sys.path.insert(0, str(self.folder))
            code = int(importlib.import_module("pytest").main(options))
            sys.stdout.flush()
        finally:
            os._exit(code)


def _end_of(child: int, limit: float) -> int | None:
    """The status that a fork ends with, and with it what it has started; None after this many seconds."""
    until = time.monotonic() + limit
    ended, status = 0, 0
    while not ended and time.monotonic() < until:
        time.sleep(0.05)
        ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)
