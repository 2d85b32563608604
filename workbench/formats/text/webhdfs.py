"""Answers of WebHDFS that are errors: what a data node says of one, fsspec takes for bytes of the file."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

NAMED = re.compile(rb'"exception"\s*:\s*"(\w+)"')
"""How an answer names the exception behind it: "Error Responses" of Hadoop's "WebHDFS REST API"."""
DENIED = re.compile(rb"Access|Auth|Security|Token")


def hear_errors(session: Any, silence: float) -> None:
    """Let every answer with an error's status be an error, and a server that is silent for so many seconds too."""
    session.hooks["response"] = [_hear]
    session.request = partial(session.request, timeout=silence)


def _hear(answer: Any, **_: object) -> None:
    if answer.status_code == 404:
        raise FileNotFoundError
    if answer.status_code >= 400:
        named = NAMED.search(answer.content)  # any failure of Hadoop's own disks has status 403 as well
        if DENIED.search(named[1]) if named else answer.status_code in (401, 403):
            raise PermissionError
        answer.raise_for_status()
