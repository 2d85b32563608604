"""Where a browser is not installed its tests say so; in CI they fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

STORY = "tests/web/engines/test_judging_in_three_engines.py::test_a_reload_comes_back_to_the_document_and_to_the_keys"
REASONS = (
    "no browser: none of chromium-headless-shell, chromium, chromium-browser, google-chrome is installed",
    "no firefox-esr and no firefox is installed",
    "no WebKitWebDriver and no Xvfb is installed",
)


@pytest.mark.parametrize(("ci", "code", "count"), [("false", 0, "3 skipped"), ("true", 1, "3 errors")])
def test_without_any_browser_each_engine_is_skipped_with_the_reason_and_fails_in_ci(
    tmp_path: Path, ci: str, code: int, count: str
) -> None:
    environment = {**os.environ, "PATH": str(tmp_path), "CI": ci}
    words = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rsE", "--tb=line", STORY)
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stdout
    assert count in done.stdout
    for reason in REASONS:
        assert reason in done.stdout
