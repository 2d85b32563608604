"""What other systems lack is not needed: the program runs where what Windows has not is hidden from it, and where text
has no encoding by default. It says nothing of what only such a system can: its locks, its console, its paths.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener
from zipfile import ZipFile

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow

LACKING = '''
import builtins, fcntl, os, signal, warnings

MODULES = "fcntl grp pty pwd resource syslog termios tty".split()
OF_OS = """
O_DIRECTORY O_NOFOLLOW chown fchmod fchown fork forkpty getegid geteuid getgid getloadavg getuid killpg lchown mkfifo
nice pread pwrite sched_getaffinity sendfile setsid
""".split()
OF_SIGNAL = "SIGALRM SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGVTALRM pthread_sigmask setitimer".split()

imported, synced = builtins.__import__, os.fsync


def of_this_system(name, globals=None, *rest, **more):
    if name in MODULES and (globals or {}).get("__name__", "").startswith("workbench"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return imported(name, globals, *rest, **more)


def of_what_may_be_written(descriptor):
    if fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
        raise OSError(9, "Bad file descriptor")
    synced(descriptor)


builtins.__import__, os.fsync, os.O_BINARY = of_this_system, of_what_may_be_written, 0
for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
    for name in names:
        delattr(module, name)
warnings.filterwarnings("error", category=EncodingWarning, module=r"workbench\\\\.")
'''
"""A module `sitecustomize`, which every Python begins with that finds it, worker processes too."""

ASCII_ALONE = {
    "LC_ALL": "C",
    "USERNAME": "Anna",
    "LOGNAME": "Anna",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONWARNDEFAULTENCODING": "1",
}

TOPICS = '{"qid": "1", "title": "Gletscher – naïve Fragen"}\n{"qid": "2", "title": "bees"}\n'
DOCUMENTS = "".join(
    f'{{"id": "d{number}", "title": "Eis №{number}", "text": "Eis."}}\n' for number in range(4)
)
RUN = "".join(f"{topic} Q0 d{rank} {rank} {9 - rank} α\n" for topic in "12" for rank in range(4))


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of a system that lacks what LACKING hides."""
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "sitecustomize.py").write_text(LACKING)
    return os.environ | ASCII_ALONE | {"PYTHONPATH": os.pathsep.join([str(tmp_path / "system"), str(ROOT)])}


def run(words: str, folder: Path, environment: dict[str, str]) -> bytes:
    command = [sys.executable, "-m", "workbench", *words.split()]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


COMMANDS = (
    "new task --title Eis",
    "add topics task topics.jsonl",
    "add documents task documents.jsonl",
    "add runs task a.run",
    "pool task --depth 2",
    "add qrels task qrels.txt",
    "score task -m AP --format csv",
    "export qrels task",
    "eval -q -m all_trec qrels.txt a.run",
)


def test_a_campaign_from_topics_to_qrels_is_the_same_where_a_system_lacks_all_that(
    elsewhere: dict[str, str], tmp_path: Path
) -> None:
    said: list[list[bytes]] = []
    for name, environment in (("here", os.environ | {"LOGNAME": "Anna"}), ("there", elsewhere)):
        folder = tmp_path / name
        folder.mkdir()
        for file, text in {"topics.jsonl": TOPICS, "documents.jsonl": DOCUMENTS, "a.run": RUN}.items():
            (folder / file).write_text(text, encoding="utf-8")
        (folder / "qrels.txt").write_text("1 0 d0 1\n2 0 d1 1\n")
        said.append([run(words, folder, environment) for words in COMMANDS])
        as_tables = environment | {"WORKBENCH_COMPILED": "off"}
        said[-1].append(run(COMMANDS[-1], folder, as_tables))
    assert said[0] == said[1]
    assert "α".encode() in said[0][-1]


@pytest.fixture
def demo(elsewhere: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of a demo on a system that lacks what LACKING hides."""
    command = [sys.executable, "-m", "workbench", "demo", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=elsewhere, stdout=subprocess.PIPE, encoding="utf-8"
    ) as server:
        assert server.stdout is not None
        yield next(line for line in server.stdout if "http:" in line).split()[-1]
        server.terminate()


def test_the_demo_is_served_and_its_jobs_are_done_there(demo: str) -> None:
    opener = build_opener(HTTPCookieProcessor())

    def got(address: str, fields: dict[str, str] | None = None) -> bytes:
        asked = None if fields is None else urlencode(fields).encode()
        with opener.open(Request(urljoin(demo, address), asked, {"Referer": demo})) as answer:
            return bytes(answer.read())

    token = re.findall(r'name="csrf_token" value="([^"]+)"', got("/").decode())[-1]
    got("/start", {"csrf_token": token})
    assert b"<table" in got("/c/demo/board")
    end = time.monotonic() + 120
    # The page of the job, until it is done.
    while not (sheets := got("/c/demo/publish/sheets?format=html")).startswith(b"PK"):
        assert time.monotonic() < end, sheets[:300]
        time.sleep(0.5)
    with ZipFile(BytesIO(sheets)) as archive:
        assert any(name.endswith(".html") for name in archive.namelist())
    assert b"team sheets" in got("/c/demo/jobs").lower()
