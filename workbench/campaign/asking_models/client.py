"""One endpoint that speaks OpenAI's chat protocol: what is sent again, what ends a run, and what is never said.

A request is repeated, after a pause, where the endpoint is not reached, is too slow, breaks off, says that it is busy
(408, 409, 425, 429, 5xx), or answers in anything but the protocol. Pauses double from half a second, with jitter; one
that the endpoint names (Retry-After) holds for all threads. Redirects are not followed, proxies of the environment are
not used, and the key is taken out of all that comes back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import SystemRandom
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.extras import needed
from workbench.formats.prompts.replies import TOO_LARGE_BODY, reply_of
from workbench.formats.prompts.templates import Message
from workbench.storage.prompt_cache import LONGEST_BODY, Kept

ATTEMPTS = 6
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
LONGEST_RETRY_AFTER = 300.0
"""Seconds: an endpoint that asks for a longer pause ends the run, which is resumed later."""

CONNECT_SECONDS = 10.0
AGAIN = frozenset({408, 409, 425, 429})
ENDS = frozenset({401, 403, 404, 405, 407})
"""What an endpoint says for all requests alike."""

SHORTEST_KEY = 8
"""A shorter key is no secret, and could stand in any text."""


class RunEnded(WorkbenchError):
    """The endpoint answers no request as things are; the message says why."""


class NotAnswered(WorkbenchError):
    """One request has no answer, and was not stored; the message says why."""


class _Again(Exception):
    """The request can be sent again, after so many seconds if the endpoint says so."""

    def __init__(self, why: str, pause: float | None = None) -> None:
        self.why, self.pause = why, pause
        super().__init__(why)


class _Refused(Exception):
    """The endpoint answered with another status than success."""

    def __init__(self, status: int, pause: str, said: bytes) -> None:
        self.status, self.pause, self.said = status, pause, said
        super().__init__(status)


def _refuse(response: Any) -> None:
    """Raise for an answer that is no success; of what it says the first piece alone is read, however long it is."""
    if not response.is_success:
        said = next(response.iter_raw(), b"")
        raise _Refused(response.status_code, response.headers.get("retry-after", ""), said)


class ModelClient:
    """A client of one endpoint, for several threads; its `pause` returns True where the run was stopped meanwhile."""

    def __init__(self, address: str, key: str, *, seconds: float, pause: Callable[[float], bool]) -> None:
        """NotInstalled where the library is missing."""
        with needed():
            import openai
        self._key, self._seconds, self._pause = key, seconds, pause
        self._held, self._lock, self._ended = 0.0, threading.Lock(), ""
        http = openai.DefaultHttpxClient(
            follow_redirects=False,
            trust_env=False,
            timeout=openai.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
            event_hooks={"response": [_refuse]},
        )
        self._client = openai.OpenAI(api_key=key or "none", base_url=address, max_retries=0, http_client=http)
        # What the environment says of another service's account is not for this endpoint.
        self._client.organization = self._client.project = self._client.admin_api_key = None

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def ask(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Kept:
        """The answer to one prompt. Raises NotAnswered, or RunEnded where no other would have one either."""
        try:
            return self._asked(model, messages, parameters)
        except RunEnded as error:
            self._ended = str(error)
            raise

    def _asked(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Kept:
        why = ""
        for attempt in range(ATTEMPTS):
            self._wait(attempt)
            began = time.monotonic()
            try:
                body = self._send(model, messages, parameters)
            except _Again as again:
                why = again.why
                self._hold(again.pause)
            else:
                at = datetime.now(UTC).isoformat(timespec="milliseconds")
                return Kept(body, time.monotonic() - began, at)
        raise NotAnswered(why)

    def _wait(self, attempt: int) -> None:
        usual = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)) if attempt else 0.0
        with self._lock:
            held = self._held - time.monotonic()
        seconds = max(usual * (0.5 + SystemRandom().random() / 2), held)
        stopped = seconds > 0 and self._pause(seconds)
        if self._ended or stopped:
            raise RunEnded(self._ended or "stopped")

    def _hold(self, seconds: float | None) -> None:
        if seconds is not None:
            if seconds > LONGEST_RETRY_AFTER:
                raise RunEnded(
                    f"the endpoint asks to wait for {seconds:,.0f} seconds; run the command again then"
                )
            with self._lock:
                self._held = max(self._held, time.monotonic() + seconds)

    def _send(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> str:
        import httpx2
        import openai

        deadline = time.monotonic() + self._seconds
        try:
            with self._client.chat.completions.with_streaming_response.create(
                model=model,
                messages=list(messages),
                extra_body=dict(parameters),
                extra_headers={"Accept-Encoding": "identity"},
            ) as response:
                body = bytearray()
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > LONGEST_BODY:
                        return TOO_LARGE_BODY
                    if time.monotonic() > deadline:
                        raise _Again(self._slow)
        except _Refused as found:
            raise self._failure(found) from None
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise _Again(self._slow) from None
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, OSError, ValueError) as error:
            raise _Again(f"no connection: {self._safe(str(error.__cause__ or error))}") from None
        return self._checked(bytes(body))

    def _checked(self, body: bytes) -> str:
        try:
            text = body.decode()
            reply_of(text)
        except ValueError:
            raise _Again("the answer is not of OpenAI's chat protocol") from None
        return text.replace(self._key, "[key]") if len(self._key) >= SHORTEST_KEY else text

    def _failure(self, found: _Refused) -> Exception:
        status, said = found.status, f"HTTP {found.status}: {self._safe(found.said.decode(errors='replace'))}"
        if status in AGAIN or status >= 500:
            return _Again(said, retry_after(found.pause, datetime.now(UTC)))
        if 300 <= status < 400:
            return RunEnded(
                f"HTTP {status}: the endpoint points to another address, to which nothing is sent"
            )
        return RunEnded(said) if status in ENDS else NotAnswered(said)

    def _safe(self, message: str) -> str:
        """What an endpoint says, on one line, without the key and at most 300 characters."""
        text = message.replace(self._key, "[key]") if self._key else message
        return "".join(each if each.isprintable() else " " for each in text)[:300]

    @property
    def _slow(self) -> str:
        return f"no answer within {self._seconds:,.4g} seconds"


def retry_after(text: str, now: datetime) -> float | None:
    """The seconds that a header asks to wait for, a number or a date; None where it is neither."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - now).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
