"""Where the benchmarks find their input: runs and qrels of Robust 2003."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path


def data_folder() -> Path:
    """The folder of WORKBENCH_TEST_DATA; ends the program where it is not set or holds no runs."""
    folder = Path(os.environ.get("WORKBENCH_TEST_DATA", ""))
    if not (folder / "robust03" / "runs").is_dir():
        sys.exit("set WORKBENCH_TEST_DATA to a folder with robust03/runs/*.gz and robust03/qrels.txt")
    return folder


def robust_runs() -> list[str]:
    """The 17 run files, compressed as they are."""
    return [str(file) for file in sorted((data_folder() / "robust03" / "runs").glob("*.gz"))]


def robust_qrels() -> str:
    """The official qrels."""
    return str(data_folder() / "robust03" / "qrels.txt")


def machine() -> str:
    """What this was measured on, for a line under the figures."""
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
