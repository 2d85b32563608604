"""Whatever happens by chance to network, server, page and clock, the log is what was pressed.

Forty presses of a seed each, eighty at length; for a longer run, or another seed:

    WORKBENCH_PRESSES=1000 WORKBENCH_SEED=7 .venv/bin/python -m pytest -n 0 -m slow \\
        -o faulthandler_exit_on_timeout=false --log-cli-level INFO tests/test_keys_under_faults.py

On a slow machine a thousand take longer than the 20 minutes that a test has, hence the first option; the second
prints the counts. The files of the program must not change meanwhile, since the page then reloads itself, which is no
fault of it.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.at_length import at_length
from tests.pressing import FAULTS, Pressing

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PRESSES = int(os.environ.get("WORKBENCH_PRESSES", at_length(80, 40)))
SEED = int(os.environ.get("WORKBENCH_SEED", "1"))


@pytest.mark.parametrize("cards", [False, True], ids=["page", "cards"])
def test_the_log_is_what_was_pressed(browser: Browser, tmp_path: Path, cards: bool) -> None:
    pressing = Pressing(tmp_path, browser, SEED, PRESSES, cards=cards)
    pressing.run()
    stored = pressing.stored()
    for counts in (pressing.happened, pressing.refused):
        logging.info("%s: %s", counts.total(), dict(counts.most_common()))
    logging.info("%s of %s presses stored", stored.total(), pressing.presses_made)
    assert pressing.pressed.total() > PRESSES / 2
    assert len(pressing.happened) == len(FAULTS)
    assert stored == +pressing.pressed
    assert "FAILED" not in pressing.program.run("audit", "rivers")
