"""Documents of an index of OpenSearch or Elasticsearch, `opensearch+https://host:9200/INDEX`, as JSON lines.

They are read with the scroll of the search interface, which both have: all documents as they were at the first request,
page by page. A line has what was indexed (`_source`) and its `_id`.
"""

from __future__ import annotations

import contextlib
import json
import os
from base64 import b64encode
from collections.abc import Generator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from workbench.formats.text.unreadable import Unreadable

AUTHORIZATION = "WORKBENCH_INDEX_AUTHORIZATION"
"""The variable of the environment with what is sent as the header Authorization."""

PORT = 9200
PAGE = 500
"""Documents in one answer."""
KEPT = "10m"
"""For how long a server remembers where the reading is, from one page to the next."""
SILENCE = 60
"""Seconds without a byte after which a server is given up."""
LONGEST_ANSWER = 512 * 1024 * 1024
"""An answer of more bytes is not read."""
DENIED = (401, 403)

NO_INDEX = "this is not what a search index answers; write opensearch+https://HOST:9200/INDEX"
REFUSED = (
    f"access is denied; set {AUTHORIZATION} to what the header Authorization is to say, 'ApiKey ...' say"
)


def document_lines(address: str) -> Generator[bytes]:
    """All documents of an index, each as a line. `Unreadable` if they cannot be had in full."""
    with contextlib.closing(_Server(address)) as server:
        first = {"size": PAGE, "sort": ["_doc"], "track_total_hits": True, "query": {"match_all": {}}}
        answer = server.ask("POST", f"{server.index}/_search?scroll={KEPT}", first)
        scroll, total = _begun(answer)
        read = 0
        try:
            while hits := _hits(answer):
                yield from map(_line, hits)
                read += len(hits)
                scroll = answer.get("_scroll_id", scroll)
                answer = server.ask("POST", "/_search/scroll", {"scroll": KEPT, "scroll_id": scroll})
            if read != total:
                raise Unreadable(f"it ends after {read:,} of {total:,} documents; read it again")
        finally:
            with contextlib.suppress(OSError, HTTPException, Unreadable):  # it forgets by itself, but later
                server.ask("DELETE", "/_search/scroll", {"scroll_id": scroll})


class _Server:
    """One connection to the server of an address; redirections are not followed, lest credentials go elsewhere."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._prefix, _, index = parts.path.rstrip("/").rpartition("/")
        if not index or not parts.hostname or parts.query:
            raise Unreadable(NO_INDEX)
        self.index = "/" + quote(unquote(index), safe=",*-")
        kind = HTTPSConnection if parts.scheme.endswith("https") else HTTPConnection
        self._connection = kind(parts.hostname, parts.port or PORT, timeout=SILENCE)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if authorization := _authorization(parts.username, parts.password):
            self._headers["Authorization"] = authorization

    def ask(self, method: str, path: str, body: Any) -> dict[str, Any]:
        """The answer, an object of JSON. Raises OSError and HTTPException too."""
        self._connection.request(method, self._prefix + path, json.dumps(body), self._headers)
        response = self._connection.getresponse()
        data = response.read(LONGEST_ANSWER)
        if response.length:
            raise Unreadable("an answer of the server ends in the middle, or does not end; read it again")
        if response.status in DENIED:
            raise Unreadable(REFUSED)
        if response.status == 404:
            is_first = path.startswith(self.index)
            raise Unreadable(
                "there is no such index; check the address"
                if is_first
                else "the server has forgotten the reading that was begun (scroll); read it again"
            )
        if response.status != 200:
            raise Unreadable(f"the server answers with status {response.status}; try again later")
        try:
            answer = json.loads(data)
        except ValueError:
            raise Unreadable(NO_INDEX) from None
        if not isinstance(answer, dict):
            raise Unreadable(NO_INDEX)
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _authorization(user: str | None, password: str | None) -> str | None:
    if user is None:
        return os.environ.get(AUTHORIZATION)
    return "Basic " + b64encode(f"{unquote(user)}:{unquote(password or '')}".encode()).decode()


def _begun(answer: dict[str, Any]) -> tuple[str, int]:
    """How the reading is called, and how many documents there are, also as servers before version 7 say it."""
    total = answer.get("hits", {}).get("total")
    number = total.get("value") if isinstance(total, dict) else total
    scroll = answer.get("_scroll_id")
    if not isinstance(number, int) or not isinstance(scroll, str):
        raise Unreadable(NO_INDEX)
    return scroll, number


def _hits(answer: dict[str, Any]) -> list[Any]:
    """The documents of a page, if all parts of the index gave theirs."""
    shards = answer.get("_shards", {})
    if answer.get("timed_out") or shards.get("failed"):
        parts = f"{shards.get('failed', 0)} of {shards.get('total', 0)} parts (shards) failed"
        raise Unreadable(f"the index answers in part: {parts}; see to it, and read it again")
    hits = answer.get("hits", {}).get("hits")
    if not isinstance(hits, list):
        raise Unreadable(NO_INDEX)
    return hits


def _line(hit: Any) -> bytes:
    try:
        record = {**hit["_source"], "_id": hit["_id"]}
    except (KeyError, TypeError):
        raise Unreadable("the index does not keep what was indexed (_source is disabled)") from None
    return json.dumps(record, ensure_ascii=False).encode(errors="replace") + b"\n"
