"""Text is compressed for those who take it, and what comes out of it is the same."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, Response, send_file
from flask.testing import FlaskClient

from workbench.web.access.rules import PUBLIC, allowing
from workbench.web.requests.compression import SMALLEST

GZIP = {"Accept-Encoding": "gzip, br"}
PAGES = ("/c/small/judge?topic=1", "/c/small/board", "/c/small/api/queue?topic=1")
LONG = "One line of a text, and another one.\n" * 1_000


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of a server with a few answers of its own."""
    tried = {
        "small": lambda: Response("x" * (SMALLEST - 1), mimetype="text/plain"),
        "large": lambda: Response(LONG, mimetype="text/plain"),
        "zip": lambda: Response(LONG, mimetype="application/zip"),
        "streamed": lambda: Response(_parts(), mimetype="text/csv"),
        "file": lambda: send_file(io.BytesIO(LONG.encode()), mimetype="text/csv", etag="mark"),
        "compressed": lambda: Response(
            gzip.compress(LONG.encode()), mimetype="text/plain", headers={"Content-Encoding": "gzip"}
        ),
    }
    for name, view in tried.items():
        app.add_url_rule(f"/tried/{name}", name, allowing(PUBLIC)(view))
    return app.test_client()


def _parts() -> Iterator[str]:
    for at in range(0, len(LONG), 1_000):
        yield LONG[at : at + 1_000]


@pytest.mark.parametrize("page", PAGES)
def test_a_compressed_page_says_what_the_uncompressed_one_says(anna: FlaskClient, page: str) -> None:
    plain, packed = anna.get(page), anna.get(page, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert plain.content_length == len(plain.data)
    if len(plain.data) < SMALLEST:
        assert packed.data == plain.data
        return
    assert (packed.headers["Content-Encoding"], packed.content_length) == ("gzip", len(packed.data))
    assert packed.content_length < plain.content_length / 2
    assert _without_tokens(gzip.decompress(packed.data)) == _without_tokens(plain.data)


def _without_tokens(page: bytes) -> list[bytes]:
    """The lines of a page but those with a token, which is signed with the time."""
    return [line for line in page.splitlines() if b"csrf" not in line and b'"opened"' not in line]


@pytest.mark.parametrize("name", ["large", "streamed", "file"])
def test_text_comes_whole_however_it_is_made(client: FlaskClient, name: str) -> None:
    with client.get(f"/tried/{name}", headers=GZIP) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert len(answer.data) < len(LONG) / 20
        assert gzip.decompress(answer.data).decode() == LONG
        assert "Accept-Encoding" in answer.vary


@pytest.mark.parametrize("name", ["small", "zip", "compressed"])
def test_what_is_small_or_compressed_stays_as_it_is(client: FlaskClient, name: str) -> None:
    plain, asked = client.get(f"/tried/{name}"), client.get(f"/tried/{name}", headers=GZIP)
    assert asked.data == plain.data
    assert asked.headers.get("Content-Encoding") == plain.headers.get("Content-Encoding")


@pytest.mark.parametrize("accepted", [None, "identity", "gzip;q=0", "br"])
def test_who_does_not_take_gzip_gets_none(client: FlaskClient, accepted: str | None) -> None:
    answer = client.get("/tried/large", headers={"Accept-Encoding": accepted} if accepted else {})
    assert (answer.text, "Accept-Encoding" in answer.vary) == (LONG, True)


def test_a_compressed_answer_has_a_weak_mark_by_which_it_is_not_sent_again(client: FlaskClient) -> None:
    for address in ("/tried/file", "/static/workbench.css", "/static/workbench.bundle.css"):
        with client.get(address, headers=GZIP) as first:
            mark = first.headers["ETag"]
            assert mark.startswith('W/"')
        if not address.startswith("/tried"):
            with client.get(address, headers=GZIP | {"If-None-Match": mark}) as again:
                assert (again.status_code, again.data) == (304, b"")


def test_a_part_of_a_file_is_not_compressed_and_a_head_has_the_length_of_what_would_come(
    app: Flask, client: FlaskClient
) -> None:
    partly = allowing(PUBLIC)(lambda: send_file(Path(__file__), conditional=True, mimetype="text/plain"))
    app.add_url_rule("/tried/part", "part", partly)
    with client.get("/tried/part", headers=GZIP | {"Range": "bytes=0-1999"}) as part:
        assert (part.status_code, part.data) == (206, Path(__file__).read_bytes()[:2_000])
    whole, head = client.get("/tried/large", headers=GZIP), client.head("/tried/large", headers=GZIP)
    assert (head.data, head.content_length) == (b"", whole.content_length)


@pytest.mark.parametrize(
    ("site", "packed"), [("same-origin", True), ("none", True), ("same-site", False), ("cross-site", False)]
)
def test_what_another_site_asks_for_is_not_compressed(client: FlaskClient, site: str, packed: bool) -> None:
    answer = client.get("/tried/large", headers=GZIP | {"Sec-Fetch-Site": site})
    assert ("Content-Encoding" in answer.headers) is packed
    with client.get("/static/workbench.css", headers=GZIP | {"Sec-Fetch-Site": site}) as file:
        assert file.headers["Content-Encoding"] == "gzip"  # in which nothing is secret


def test_the_page_for_a_file_that_is_not_there_is_a_page(anna: FlaskClient) -> None:
    client, asked = anna, GZIP | {"Accept": "text/html"}
    missing = client.get("/static/missing.css", headers=asked)
    assert (missing.status_code, missing.headers["Content-Encoding"]) == (404, "gzip")
    cross = client.get("/static/missing.css", headers=asked | {"Sec-Fetch-Site": "cross-site"})
    assert "Content-Encoding" not in cross.headers


def test_a_file_that_is_sent_is_closed(app: Flask, client: FlaskClient) -> None:
    stream = io.BytesIO(LONG.encode())
    app.add_url_rule(
        "/tried/closed", "closed", allowing(PUBLIC)(lambda: send_file(stream, mimetype="text/csv"))
    )
    with client.get("/tried/closed", headers=GZIP) as answer:
        assert answer.data
    assert stream.closed
