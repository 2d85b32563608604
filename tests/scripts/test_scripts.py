"""The scripts of static/, each by itself: `node --test`, with a page that is no browser's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT, skip_or_fail

NODE = Path(sys.executable).with_name("node")


def test_the_scripts_do_what_their_own_tests_say() -> None:
    if not (NODE.exists() and (ROOT / "node_modules" / "happy-dom").is_dir()):
        skip_or_fail("make test has not installed Node.js and the packages of package.json")
    command = [NODE, "--test", "--test-isolation=none", "tests/scripts/**/*.test.js"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
