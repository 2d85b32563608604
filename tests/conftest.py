"""What every test may ask for: the folder of real files, and a real browser.

Away from CI a missing folder or browser skips a test and says why; with CI=true it is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def skip_or_fail(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real files: WORKBENCH_TEST_DATA, else ../shared/data beside the repository."""
    named = os.environ.get("WORKBENCH_TEST_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        skip_or_fail(f"no folder of real files at {folder}: set WORKBENCH_TEST_DATA")
    return folder


@pytest.fixture(scope="session")
def demo_instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An instance folder with the demo's campaign in it, made once: tests that judge copy `demo.db` first."""
    from workbench.demo.campaign import ready_demo

    instance = tmp_path_factory.mktemp("instance")
    ready_demo(instance)
    return instance


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's own Chromium; each test opens its own context: `browser.new_context()`."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        skip_or_fail(f"no browser: none of {', '.join(BROWSERS)} is installed")
    # Chromium refuses to run as root inside its own sandbox.
    as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=[*QUIET, *as_root])
        yield launched
        launched.close()
