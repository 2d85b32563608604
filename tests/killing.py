"""Commands of the workbench, run in processes that are killed at a chosen moment: before their n-th act on the disk.

`python -m tests.killing` is a program that has everything imported and forks for each command, which takes a few
hundredths of a second. An act is what Python's audit hooks name (a file opened to be written to, a name made, changed
or removed), and each statement that SQLite is given, other than those that read.
"""

from __future__ import annotations

import getpass  # noqa: F401 - a child that has given up its rights may not be able to read Python's library
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NAMES = {"os.rename", "os.remove", "os.link", "os.symlink", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
NOBODY = 65534
"""The number of the user who owns nothing."""

READING = ("SELECT", "PRAGMA", "EXPLAIN", "WITH", "--")


class Done(NamedTuple):
    """What became of a command: its exit status (negative: the signal that ended it), its words, and its acts."""

    status: int
    said: str
    acts: list[str]


class Commands:
    """The program that runs commands, in the folder given with each."""

    def __init__(self) -> None:
        variables = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.killing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=variables,
        )

    def run(
        self,
        folder: Path,
        words: list[str],
        *,
        kill_at: int | None = None,
        after: float | None = None,
        largest: int | None = None,
        user: int | None = None,
    ) -> Done:
        """Run a command, killed before its act number `kill_at`, counted from 0, or `after` so many seconds.

        With `largest` no file can become larger than so many bytes, as on a full disk, and no acts are noted; `user` is
        the number of the user that it runs as.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        command = {"folder": str(folder), "words": words, "kill_at": kill_at, "after": after}
        command |= {"largest": largest, "user": user}
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return Done(**json.loads(self.process.stdout.readline()))

    def end(self) -> None:
        """End the program."""
        self.process.communicate()


def main() -> None:
    from workbench.cli.main import main as workbench

    import_everything()
    for line in sys.stdin:
        command = json.loads(line)
        folder = Path(command["folder"])
        out, acts = folder.parent / "said.txt", folder.parent / "acts.txt"
        child = os.fork()
        if child == 0:
            run_in_child(workbench, command, out, acts)
        _, status = os.waitpid(child, 0)
        answer = {
            "status": os.waitstatus_to_exitcode(status),
            "said": out.read_text(errors="replace"),
            "acts": acts.read_text(errors="replace").splitlines(),
        }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def import_everything() -> None:
    """What commands import when they run, so that a child has it already."""
    import importlib
    import pkgutil

    import workbench

    for module in pkgutil.walk_packages(workbench.__path__, "workbench."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    late = "rich.progress altair vl_convert datasketch bm25s scipy.stats scipy.ndimage scipy.optimize zxcvbn"
    for name in late.split():
        importlib.import_module(name)


def run_in_child(workbench: Callable[..., Any], command: dict[str, Any], out: Path, acts: Path) -> None:
    status = 70
    try:
        os.chdir(command["folder"])
        temporary = Path(command["folder"]).parent / "temporary"
        temporary.mkdir(exist_ok=True)
        tempfile.tempdir = str(temporary)
        for descriptor, path in ((0, os.devnull), (1, out), (2, out)):
            opened = os.open(
                path, os.O_RDONLY if descriptor == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
            )
            os.dup2(opened, descriptor)
        without_a_server()
        acts.write_bytes(b"")
        if command["largest"] is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (command["largest"], command["largest"]))
        elif command["user"] is None:
            watch(acts, command["kill_at"])
        if command["user"] is not None:
            os.setuid(command["user"])
        if command["after"] is not None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends a process at once, as SIGKILL does
            signal.setitimer(signal.ITIMER_REAL, command["after"])
        try:
            workbench(command["words"], prog_name="workbench")
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - it is told, and this process ends
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def without_a_server() -> None:
    """`demo` ends where serving begins, with a clean folder; its campaigns are small, with two topics judged.

    Passwords are hashed as cheaply as in tests/conftest.py.
    """
    from workbench.cli.demo import answers, campaign, judged
    from workbench.cli.demo.topics import TOPICS
    from workbench.core.records import Document
    from workbench.people.accounts import passwords
    from workbench.web.server import serving

    passwords.COST = "scrypt:128:8:1"
    serving.serve = lambda instance, *_, **__: serving._tidy([instance], None)  # type: ignore[assignment]
    library = [Document(f"library.{topic.topic_id}", topic.title, topic.narrative) for topic in TOPICS]
    judged.BUDGET, judged.LAST_TOPICS = 60, len(TOPICS) - 2
    answers.LAST_TOPICS = len(answers.TOPICS) - 2
    campaign.read_standard_library = lambda: iter(library)  # type: ignore[assignment]


def watch(acts: Path, kill_at: int | None) -> None:
    """Note every act on the disk before it is done; kill this process at one."""
    notes = os.open(acts, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    done = 0

    def act(what: str) -> None:
        nonlocal done
        if done == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1
        os.write(notes, f"{what}\n".encode(errors="replace"))

    def statement(sql: str) -> None:
        if not sql.lstrip().upper().startswith(READING):
            act("sql " + " ".join(sql.split())[:60])

    def hook(event: str, values: tuple[Any, ...]) -> None:
        if event in NAMES:
            act(f"{event} {values[0]}")
        elif event == "open" and values[2] & WRITING and str(values[0]) != os.devnull:
            act(f"open {values[0]}")

    connect = sqlite3.connect

    def watched(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        if args[0] == ":memory:":
            return connection
        connection.set_trace_callback(statement)
        return connection

    sqlite3.connect = watched  # type: ignore[assignment]
    sys.addaudithook(hook)


if __name__ == "__main__":
    main()
