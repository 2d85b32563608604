"""The command line as an ordinary user, for tests that run as root: `python as_nobody.py`, commands on stdin.

A line is a JSON array of a folder and a command's words; the answer is a line with a JSON array of exit status and
all that was said. What commands import is imported before the rights are given up: an interpreter may lie where an
ordinary user cannot look.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import sys
import tempfile
from pathlib import Path

NOBODY = 65534


def import_everything() -> None:
    """Every module of the package, and what any of them imports when it is used."""
    package = Path(importlib.import_module("workbench").__file__ or "").parent
    names = {"pwd", "encodings.idna", "encodings.ascii", "encodings.latin_1"}
    for file in package.rglob("*.py"):
        words = (package.name, *file.relative_to(package).with_suffix("").parts)
        if words[-1] != "__main__":
            names.add(".".join(words).removesuffix(".__init__"))
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
            elif isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
    for name in sorted(names):
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def answer(folder: str, words: list[str]) -> tuple[int, str]:
    """Run one command in a folder as an ordinary user, in a process of its own."""
    os.chdir(folder)
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if not child:
            _become_nobody(words, said.fileno())
        _, status = os.waitpid(child, 0)
        said.seek(0)
        return os.waitstatus_to_exitcode(status), said.read().decode()


def _become_nobody(words: list[str], said: int) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(said, 1)
    os.dup2(said, 2)
    if not os.getuid():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    code = 70
    try:
        sys.argv = ["workbench", *words]
        importlib.import_module("workbench.cli").main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - shown, as an interpreter would
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    import_everything()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(*json.loads(line))) + "\n")
        sys.stdout.flush()
