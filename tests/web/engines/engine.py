"""The browsers that the judging page is tested in, each behind the same few deeds of a person."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from tests.stories import own_port
from tests.web.engines.chromium import HEIGHT, WIDTH, Chromium
from tests.web.engines.webdriver import HttpWire, MarionetteWire, Refused, WebDriverTabs

Opened = TypeVar("Opened")
PATIENCE = 60.0  # seconds, until a browser that does not start is given up
FAREWELL = 10.0  # seconds, until one that does not end is killed


class WebKit(WebDriverTabs):
    """WebKitGTK. It takes no command to zoom: it gets the window that is left of a page at that zoom."""

    name = "webkit"

    def __init__(self, wire: HttpWire) -> None:
        super().__init__(wire)
        self.version = wire.version
        self.zoom(1)

    def zoom(self, factor: float) -> None:
        size = {"width": round(WIDTH / factor), "height": round(HEIGHT / factor)}
        self.wire.ask("SetWindowRect", {"x": 0, "y": 0, **size})

    def scheme(self, name: str) -> None:
        if name != "light":
            raise Refused("WebKitGTK takes its scheme from the theme of the desktop: light, as there is none")

    def _act(self, source: Mapping[str, Any]) -> None:
        """A click leads the focus into a document, where no key is heard, and the page takes it back with a timer
        (static/judging/quiet_frames.js): no person presses a key before that, but a test on a busy machine does.
        """
        super()._act(source)
        if source["type"] == "pointer":
            _patient(self._hears_keys)

    def _hears_keys(self) -> None:
        with suppress(Refused):  # from one page to the next there is nothing to ask
            if self.ask("document.activeElement?.tagName === 'IFRAME'"):
                raise ValueError("the focus is still in a document")


class Firefox(WebDriverTabs):
    """Firefox without a window on a screen."""

    name = "firefox"

    def __init__(self, wire: MarionetteWire) -> None:
        super().__init__(wire)
        self.marionette = wire
        self.version = wire.version

    def reload(self) -> None:
        """As the key F5 does it: WebDriver's own way passes by service workers."""
        self.ask("(window.isToGo = true)")
        self._tell("gBrowser.reload()")
        _patient(self._has_reloaded)

    def _has_reloaded(self) -> None:
        try:
            if self.ask("!window.isToGo && document.readyState === 'complete'"):
                return
        except Refused:  # from one page to the next there is nothing to ask
            pass
        raise ValueError("still the page of before")

    def zoom(self, factor: float) -> None:
        self._tell(f"gBrowser.selectedBrowser.fullZoom = {factor}")

    def scheme(self, name: str) -> None:
        self._tell(f"Services.prefs.setIntPref('ui.systemUsesDarkTheme', {int(name == 'dark')})")

    def _tell(self, expression: str) -> None:
        """Run JavaScript in Firefox itself instead of a page."""
        self.marionette.call("Marionette:SetContext", {"value": "chrome"})
        self.ask(expression)
        self.marionette.call("Marionette:SetContext", {"value": "content"})


Engine = Chromium | WebKit | Firefox


def lacking(name: str) -> str:
    """Why an engine cannot be started here; "" if it can."""
    needed = {"webkit": ("WebKitWebDriver", "Xvfb"), "firefox": ("firefox-esr|firefox",)}[name]
    missing = [programs for programs in needed if not any(map(shutil.which, programs.split("|")))]
    names = "|".join(missing).split("|")
    return f"no {' and no '.join(names)} is installed" if missing else ""


@contextmanager
def webkit() -> Iterator[WebKit]:
    """WebKitWebDriver starts WebKit's own MiniBrowser, here on a screen that nobody sees."""
    with ExitStack() as stack:
        display = stack.enter_context(_screen())
        port = stack.enter_context(own_port())
        # Two device pixels for each of CSS, as on most machines with Safari, and as zooming makes them.
        environment = {**os.environ, "DISPLAY": display, "GDK_SCALE": "2"}
        stack.enter_context(_running("WebKitWebDriver", f"--port={port}", environment=environment))
        wire = _patient(lambda: HttpWire(f"http://127.0.0.1:{port}", {}))
        stack.callback(wire.close)
        yield WebKit(wire)


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Firefox with a profile of its own in an empty folder; dark, which its scrollbars once were not."""
    preferences = {
        "marionette.port": 0,
        "ui.systemUsesDarkTheme": 1,
        "datareporting.policy.dataSubmissionEnabled": False,
    }
    lines = [f"user_pref({name!r}, {str(value).lower()});\n" for name, value in preferences.items()]
    (folder / "user.js").write_text("".join(lines).replace("'", '"'))
    chosen = folder / "MarionetteActivePort"
    program = shutil.which("firefox-esr") or shutil.which("firefox") or ""
    size = ("--width", str(WIDTH), "--height", str(HEIGHT))
    words = (program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", *size)
    with _running(*words, "--profile", str(folder), environment={**os.environ, "HOME": str(folder)}):
        wire = _patient(lambda: MarionetteWire(int(chosen.read_text())))
        try:
            yield Firefox(wire)
        finally:
            wire.close()


@contextmanager
def _screen() -> Iterator[str]:
    """The name of an X display that is drawn in memory alone."""
    reading, writing = os.pipe()
    words = ("Xvfb", "-displayfd", str(writing), "-screen", "0", "2880x1920x24", "-nolisten", "tcp")
    with _running(*words, environment=os.environ, pass_fds=[writing]):
        os.close(writing)
        with os.fdopen(reading) as numbers:
            yield f":{numbers.readline().strip()}"


@contextmanager
def _running(
    *words: str, environment: Mapping[str, str], pass_fds: Sequence[int] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        words,
        env=environment,
        pass_fds=pass_fds,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=FAREWELL)
        with suppress(ProcessLookupError):  # and what it started, which may have stopped answering
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _patient(attempt: Callable[[], Opened]) -> Opened:
    """The value of an attempt that fails while a program is starting."""
    given_up = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except (OSError, ValueError):
            if time.monotonic() > given_up:
                raise
            time.sleep(0.05)
