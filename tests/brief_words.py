"""Brief words of the judging page, which are gone after a moment: for tests they stay until the next one comes."""

from __future__ import annotations

import re
from pathlib import Path

_PANEL = Path(__file__).resolve().parent.parent / "static" / "judging" / "panel.js"
_SAID_FOR = re.findall(r"SAID_FOR = ([0-9_]+);", _PANEL.read_text(encoding="utf-8"))[0]

WORDS_STAY = f"""{{
    const later = window.setTimeout;
    window.setTimeout = (run, after, ...rest) => later(run, after === {_SAID_FOR} ? 3_600_000 : after, ...rest);
}}"""
"""A script for every page of a browser: on a busy machine a word would be gone before a test looks."""
