"""Two accounts, made with the workbench whose source is on PYTHONPATH, in an empty folder; see README.md."""

from __future__ import annotations

import subprocess
import sys


def run(*words: str) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-m", "workbench", "user", *words], check=False)


for name in ("anna", "ben"):
    run("add", name, "--password", f"the river of {name} is deep")
run("disable", "ben")
run("allow", "anna")  # from m002 on, as the next
run("reset", "anna")
