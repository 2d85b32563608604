"""The command line: every command parses its words, calls one function, and shows what it returned.

Modules here import click alone; what a command needs, of any room, is imported when it runs, so that `--help` is
quick. `demo/` makes the demo's campaign the way an organiser would. Options are
declared once, by the parameters of commands (`options.py`). Read first: `main.py`, then `scoring.py`.
"""

from __future__ import annotations

from workbench.cli.main import main

__all__ = ["main"]
