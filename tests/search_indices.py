"""A stand-in for a server of OpenSearch or Elasticsearch, which answers searches with a scroll as their manuals say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

FORGOTTEN = {"error": {"type": "search_context_missing_exception"}, "status": 404}


@dataclass
class Index:
    """What the server holds under `/web`, and how it misbehaves; what was asked of it."""

    documents: list[tuple[str, dict[str, Any]]]
    page: int | None = None
    password: str | None = None
    failed_parts: int = 0
    forgets_after: int | None = None
    is_cut_after: int | None = None
    counts_more: int = 0
    says: Any = None
    """What it answers to each search in place of an answer, as JSON or as it stands."""
    status: int = 200
    without_source: bool = False
    asked: list[str] = field(default_factory=list)
    open: dict[str, list[tuple[str, dict[str, Any]]]] = field(default_factory=dict)
    authorizations: set[str | None] = field(default_factory=set)


@contextmanager
def search_server(index: Index) -> Iterator[str]:
    """Host and port of a server of one index, `web`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self._respond("POST")

        def do_DELETE(self) -> None:
            self._respond("DELETE")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

        def _respond(self, method: str) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            index.authorizations.add(self.headers["Authorization"])
            index.asked.append(f"{method} {urlsplit(self.path).path}")
            status, answer = answered(index, method, self.path, body, self.headers["Authorization"])
            if index.says is not None or index.status != 200:
                status, answer = index.status, index.says
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=UTF-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            is_cut = index.is_cut_after is not None and len(index.asked) > index.is_cut_after
            self.wfile.write(data[: len(data) // 2] if is_cut else data)
            self.close_connection = is_cut

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def answered(
    index: Index, method: str, path: str, body: dict[str, Any], authorization: str | None
) -> tuple[int, dict[str, Any]]:
    """Status and answer to a request."""
    parts = urlsplit(path)
    if index.password is not None and authorization != index.password:
        return 401, {"error": {"type": "security_exception"}, "status": 401}
    if method == "DELETE":
        return 200, {"succeeded": True, "num_freed": len(index.open.pop(body["scroll_id"], [])) and 1}
    if parts.path == "/web/_search":
        assert parse_qs(parts.query)["scroll"]
        assert body["sort"] == ["_doc"]
        assert body["track_total_hits"]
        index.page = body["size"] if index.page is None else index.page
        index.open["s1"] = list(index.documents)
        return 200, page_of(index)
    if parts.path == "/_search/scroll":
        is_forgotten = index.forgets_after is not None and len(index.asked) > index.forgets_after
        if body["scroll_id"] not in index.open or is_forgotten:
            return 404, FORGOTTEN
        return 200, page_of(index)
    return 404, {"error": {"type": "index_not_found_exception"}, "status": 404}


def page_of(index: Index) -> dict[str, Any]:
    """The next page of the scroll that is open."""
    assert index.page is not None
    hits, index.open["s1"] = index.open["s1"][: index.page], index.open["s1"][index.page :]
    total = {"value": len(index.documents) + index.counts_more, "relation": "eq"}
    found = [{"_index": "web", "_id": name, "_score": None, "_source": source} for name, source in hits]
    if index.without_source:
        found = [{name: value for name, value in hit.items() if name != "_source"} for hit in found]
    shards = {"total": 3, "successful": 3 - index.failed_parts, "skipped": 0, "failed": index.failed_parts}
    return {
        "_scroll_id": "s1",
        "took": 1,
        "timed_out": False,
        "_shards": shards,
        "hits": {"total": total, "max_score": None, "hits": found},
    }
