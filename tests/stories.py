"""What the end-to-end stories are told with: the real program, people at their browsers, and files to compare."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner, Result
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.brief_words import WORDS_STAY
from workbench.cli import main
from workbench.people.accounts import passwords

PROGRAM = Path(sys.executable).with_name("workbench")
WITH_QUICK_HASHES = """
import runpy, sys
from workbench.people.accounts import passwords
passwords.COST = sys.argv.pop(1)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Starts a program in its own process with the cost of a hash that the tests have: each sign-in is half a second less.

What the real cost does to a server is shown in tests/test_strangers.py.
"""
COMPLAINTS = "complaints.txt"
FULL_DISK = (
    "WARNING workbench.web: free space ("  # of the machine that runs the tests: no fault of the server
)
PATIENCE = 180.0  # seconds, until what does not come is taken for lost
A_WHILE = 120_000  # milliseconds, the same for what a page does


class Painted(NamedTuple):
    """A document as its own heading names it on the judging page."""

    document_id: str
    title: str


class Server:
    """A running `workbench serve` or `workbench demo`."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address
        self.port = int(address.rstrip("/").rpartition(":")[2])

    def stop(self) -> int:
        """End it as an organiser does, and wait; its exit status."""
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait(timeout=PATIENCE)


class Program:
    """The command line, used in one folder; what serves is a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *words: str | Path) -> str:
        """What a command that succeeds writes to standard output."""
        done = self._finished(words)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    def said(self, *words: str | Path) -> str:
        """What a command that succeeds tells the person at the terminal."""
        done = self._finished(words)
        assert done.exit_code == 0, done.stderr
        return done.stderr

    def refused(self, *words: str | Path) -> str:
        """What a command that finds its input wrong says."""
        done = self._finished(words)
        assert (done.exit_code, done.stdout) == (1, ""), done.stderr
        return done.stderr

    def judgments(self, campaign: str) -> list[dict[str, Any]]:
        """The judgment log as it is exported."""
        return [json.loads(line) for line in self.run("export", "judgments", campaign).splitlines()]

    @property
    def complaints(self) -> str:
        """What the servers have written to standard error so far."""
        return (self.folder / COMPLAINTS).read_text()

    @contextmanager
    def serving(self, *words: str, before: Sequence[str] = (), complains: bool = False) -> Iterator[Server]:
        """The program as a server, until the end of the block; it must not complain unless it `complains`.

        `before` are the words of another program that starts it.
        """
        complaints = self.folder / COMPLAINTS
        with complaints.open("a") as stderr:
            process = subprocess.Popen(
                [*before, sys.executable, "-P", "-c", WITH_QUICK_HASHES, passwords.COST, PROGRAM, *words],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        try:
            yield Server(process, _address_of(process, complaints))
        finally:
            process.terminate()
            try:
                process.wait(timeout=PATIENCE)
            finally:
                process.kill()
                if process.stdout is not None:
                    process.stdout.close()
        said = [line for line in complaints.read_text().splitlines() if FULL_DISK not in line]
        assert complains or not said, said

    def _finished(self, words: tuple[str | Path, ...]) -> Result:
        """What became of a command, in this process: a new one would import for longer than most of them work."""
        with chdir(self.folder):
            done = CliRunner().invoke(main, [str(word) for word in words], prog_name="workbench")
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done


def _address_of(process: subprocess.Popen[str], complaints: Path) -> str:
    """The address that a server prints once it can be asked."""
    assert process.stdout is not None
    impatience = threading.Timer(PATIENCE, process.kill)
    impatience.start()
    try:
        for line in process.stdout:
            if served := re.fullmatch(r"Workbench is served at (http://\S+/)\n", line):
                return served[1]
    finally:
        impatience.cancel()
    message = f"no server: {complaints.read_text()}"
    raise AssertionError(message)


@contextmanager
def own_port() -> Iterator[int]:
    """A port that the servers of a story use one after the other: nobody else gets it while none of them runs."""
    with socket.socket() as held:
        # Who binds a port in this way leaves it to others who do, as long as none of them listens.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


@contextmanager
def person(browser: Browser) -> Iterator[BrowserContext]:
    """Somebody's own browser; what a page's code throws fails the story."""
    thrown: list[str] = []
    context = browser.new_context()
    context.set_default_timeout(A_WHILE)
    context.add_init_script(WORDS_STAY)
    context.on("weberror", lambda error: thrown.append(str(error.error)))
    # A browser asked to hand over its requests while a page is open may let the next one through.
    context.route("**/never-asked-for", lambda route: route.abort())
    yield context
    context.close()
    assert thrown == []


def sign_in(page: Page, address: str, name: str, password: str) -> None:
    """Sign in with the form that the bare address leads to."""
    page.goto(address)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def on_screen(page: Page) -> Painted:
    """The document on the judging page, as soon as it may be judged."""
    head = page.frame_locator("iframe.current").locator(".document-head")
    # A message in the place of a document is not waited for: the document has to be there first.
    expect(head.locator("h1")).to_be_visible(timeout=A_WHILE)
    expect(page.locator('#document[aria-busy="false"]')).to_be_visible(timeout=A_WHILE)
    heading = head.locator("h1").inner_text()
    named = head.locator("dl > div", has=page.locator("dt", has_text=re.compile("^document$"))).locator("dd")
    return Painted(named.inner_text(), heading) if named.count() else Painted(heading, "")


def loaded_ahead(page: Page) -> None:
    """Wait until the documents after the one on the screen are here, and need no server any more."""
    on_screen(page)
    expect(page.locator("iframe[title='Document']")).to_have_count(0, timeout=A_WHILE)


def judge(page: Page, key: str) -> Painted:
    """Press a key on the document that is on the screen; says which one that was."""
    painted = on_screen(page)
    page.keyboard.press(key)
    return painted


def expect_saved(page: Page) -> None:
    """Wait until the page says that everything is stored."""
    expect(page.locator('#document[aria-busy="false"]')).to_be_visible(timeout=A_WHILE)
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved", timeout=A_WHILE)


@contextmanager
def held(page: Page, *addresses: str) -> Iterator[None]:
    """Requests to these addresses get no answer before the block ends; then they go their way."""
    waiting: list[Route] = []
    for address in addresses:
        page.route(address, lambda route: waiting.append(route))
    yield
    for address in addresses:
        page.unroute(address)  # lets go what waits


def pairs(rows: list[dict[str, Any]]) -> list[tuple[str, str | int | None]]:
    """Document and grade of each row of a judgment log; the kind where there is no grade."""
    return [(row["document_id"], row["kind"] if row["grade"] is None else row["grade"]) for row in rows]


def best_documents(run: str, depth: int) -> dict[str, list[str]]:
    """The first documents of each topic of a run in rank order, from the text of its file."""
    scored: dict[str, list[tuple[float, bytes]]] = {}
    for topic_id, _, document_id, _, score, _ in (line.split() for line in run.splitlines()):
        scored.setdefault(topic_id, []).append((float(score), document_id.encode()))
    return {
        topic_id: [document_id.decode() for _, document_id in sorted(rows, reverse=True)[:depth]]
        for topic_id, rows in scored.items()
    }
