"""A Chromium that is driven through a pipe and that nothing watches, for what a tab holds and how long it takes.

With a tool that drives browsers and listens to all they do, the process of a page grew by 28 to 35 kB a judgment; so
it does not here, where only the commands that are called are sent.
https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60.0  # seconds, until what does not come is given up
READING, WRITING = 3, 4  # the descriptors that Chromium has its pipe on


class BareChromium:
    """One tab of a browser; `commands` and `answers` are the ends of its pipe."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = os.fdopen(commands, "wb", buffering=0)
        self._answers = os.fdopen(answers, "rb")
        self._read = b""
        self._count = 0
        target = self._call("Target.createTarget", {"url": "about:blank"}, {})["targetId"]
        attached = self._call("Target.attachToTarget", {"targetId": target, "flatten": True}, {})
        self._session: str = attached["sessionId"]

    def call(self, method: str, **parameters: Any) -> Any:
        """What a command of the tab brings."""
        return self._call(method, parameters, {"sessionId": self._session})

    def _call(self, method: str, parameters: dict[str, Any], session: dict[str, str]) -> Any:
        """What a command brings; without a session it is one of the browser."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters, **session}
        self._commands.write(json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != self._count:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def ask(self, expression: str) -> Any:
        """What an expression of JavaScript is worth in the page; of a promise, what it brings."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression is true."""
        given_up = time.monotonic() + PATIENCE
        while not self.ask(f"Boolean({condition})"):
            if time.monotonic() > given_up:
                raise TimeoutError(f"{self.ask('document.title')}: not {condition}")
            time.sleep(0.02)

    def open(self, url: str, until: str) -> None:
        """Go to a page, and wait until an expression is true there."""
        self.call("Page.navigate", url=url)
        self.until(f"document.readyState === 'complete' && {until}")

    def press(self, digit: str) -> None:
        of_key = {"key": digit, "code": f"Digit{digit}", "windowsVirtualKeyCode": ord(digit)}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=digit, **of_key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **of_key)

    def resident(self) -> float:
        """Megabytes of the largest process that draws pages (Linux)."""
        processes = self._call("SystemInfo.getProcessInfo", {}, {})["processInfo"]
        files = [Path(f"/proc/{each['id']}/statm") for each in processes if each["type"] == "renderer"]
        pages = max(int(file.read_text().split()[1]) for file in files if file.exists())
        return pages * resource.getpagesize() / 1e6

    def close(self) -> None:
        self._call("Browser.close", {}, {})
        self._commands.close()
        self._answers.close()

    def _message(self) -> Any:
        while b"\0" not in self._read:
            more = self._answers.read1(1 << 16)  # type: ignore[attr-defined]
            if not more:
                raise ConnectionError("Chromium has closed its pipe")
            self._read += more
        message, _, self._read = self._read.partition(b"\0")
        return json.loads(message)


@contextmanager
def bare_chromium(width: int, height: int) -> Iterator[BareChromium]:
    """A browser of its own, without a window on a screen and with an empty profile."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    theirs_to_read, commands = os.pipe()
    answers, theirs_to_write = os.pipe()

    def as_its_descriptors() -> None:
        # By way of numbers that are free: one of the pipes may have 3 or 4 itself.
        for place, one in ((100, theirs_to_read), (101, theirs_to_write)):
            os.dup2(one, place)
        os.dup2(100, READING)
        os.dup2(101, WRITING)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={profile}",
             f"--window-size={width},{height}", "--no-first-run"],
            preexec_fn=as_its_descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_to_read)
        os.close(theirs_to_write)
        try:
            browser = BareChromium(commands, answers)
            yield browser
            browser.close()
        finally:
            process.terminate()
            process.wait()
