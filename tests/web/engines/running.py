"""An engine that is started once for many tests, and again after it has stopped answering."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress

from tests.web.engines.engine import Engine
from tests.web.engines.webdriver import Refused

SILENCE = (OSError, http.client.HTTPException, Refused)
"""What is raised where an engine has no answer."""


class Running:
    """The engine that is running, if one is. `start` gives a new one, and ends it."""

    def __init__(self, start: Callable[[], AbstractContextManager[Engine]]) -> None:
        self._start = start
        self._until_ended = ExitStack()
        self._engine: Engine | None = None

    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = self._until_ended.enter_context(self._start())
        return self._engine

    def tidy(self) -> None:
        """Back to one empty tab. Without an answer the engine is ended, so that no other test waits for it."""
        try:
            self._one_empty_tab()
        except SILENCE:
            self.end()

    def end(self) -> None:
        """Also one that does not answer."""
        self._engine = None
        with suppress(*SILENCE):
            self._until_ended.close()

    def _one_empty_tab(self) -> None:
        engine = self.engine()
        first, *others = engine.tabs()
        for other in reversed(others):
            engine.go_to_tab(other)
            engine.close_tab()
        engine.go_to_tab(first)
        engine.zoom(1)
        engine.open("about:blank")
