"""Answers in gzip for browsers that take it: over slow lines a page comes in a fifth to a tenth of its bytes.

Small answers stay as they are, so saving a judgment costs nothing more. Static files are compressed once. An answer to
what another site made a browser ask is never compressed: its length would tell what is equal in a page and in the
address that the other site chose (BREACH). Browsers name the site that asks in Sec-Fetch-Site, wherever there is TLS.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache

from flask import Flask, Response, request

SMALLEST = 1_400
"""Bytes: less fits into one packet of the network anyway."""

LEVEL, LEVEL_ONCE = 4, 9
"""Level 4 of zlib takes half as long as level 6 for a twentieth more bytes."""

TEXT = re.compile(
    r"text/.+|image/svg\+xml|application/(.+\+)?(json|xml)|application/(javascript|x-ndjson|x-sh|x-tex)"
)
OTHER_SITES = frozenset({"cross-site", "same-site"})
GZIP = 16 + zlib.MAX_WBITS


def init_app(app: Flask) -> None:
    """Compress answers after all else that is done to them: what is registered first comes last."""
    app.after_request_funcs.setdefault(None, []).insert(0, compress)


def compress(response: Response) -> Response:
    """`response` as gzip, if it is text, large enough, and asked for so; its ETag becomes a weak one then."""
    if not TEXT.fullmatch(response.mimetype or "") or "Content-Encoding" in response.headers:
        return response
    response.vary.add("Accept-Encoding")
    if not _may_be_compressed(response):
        return response
    if _is_static(response):
        _close_with(response)
        response.set_data(_once(response.get_data()))
    elif _is_stream(response):
        _close_with(response)
        response.response = _packed(response.iter_encoded())
        response.headers.pop("Content-Length", None)
    else:
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    mark, _ = response.get_etag()
    if mark is not None:
        response.set_etag(mark, weak=True)
    return response


def _may_be_compressed(response: Response) -> bool:
    if response.status_code in {204, 206, 304} or not request.accept_encodings["gzip"]:
        return False
    if not _is_static(response) and request.headers.get("Sec-Fetch-Site") in OTHER_SITES:
        return False
    length = response.content_length if _is_stream(response) else len(response.get_data())
    return length is None or length >= SMALLEST


def _is_static(response: Response) -> bool:
    """Whether it is a file, which is the same for every reader; the page that says that there is none is not."""
    return request.endpoint == "static" and response.status_code == 200


def _is_stream(response: Response) -> bool:
    """Whether the whole of `response` is not in memory: it is made while it is sent, or a file."""
    return response.is_streamed or response.direct_passthrough


def _close_with(response: Response) -> None:
    """Let the file that `response` reads be closed with it, though something else stands in its place then."""
    response.direct_passthrough = False
    if close := getattr(response.response, "close", None):
        response.call_on_close(close)


def _packed(parts: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(LEVEL, wbits=GZIP)
    yield from filter(None, map(packer.compress, parts))
    yield packer.flush()


@lru_cache(maxsize=200)
def _once(whole: bytes) -> bytes:
    return gzip.compress(whole, LEVEL_ONCE, mtime=0)
