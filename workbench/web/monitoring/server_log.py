"""What a server writes to standard error: one line for each event, with its time and level.

    2026-03-01T12:00:00.000+00:00 ERROR workbench.web: request 9f86d081 failed: GET /c/robust/board

Control characters are escaped, line breaks first of all: a name, a path or the text of an exception that comes from
outside makes no line of its own, and the trace of a failure is in the line of its failure (`\\n` stands for a break).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class OneLine(logging.Formatter):
    """A record as one line of text: time (UTC), level, logger, message, and the trace of an exception."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - logging's own
        """When it happened, as ISO 8601 with milliseconds; `datefmt` is not used."""
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def format(self, record: logging.LogRecord) -> str:
        """The whole line, without its end."""
        return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), super().format(record))


@contextmanager
def writing_lines() -> Iterator[None]:
    """Write warnings and errors to standard error for as long as the block runs."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
