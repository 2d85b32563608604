"""Files sent by a browser: who may send how much, and where they lie until they are checked.

A view that takes files says so with `takes_uploads`; only for it, and only once access is granted, may a request be
larger than others. The files of a form lie in a folder of their own, under numbers: the names that a browser gives
them are shown and never used as paths.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar, cast

from flask import Flask, abort, current_app, request

from workbench.campaign.uploads import MEGABYTE, Sent
from workbench.core.atomic_files import scratch_folder
from workbench.formats.text.addresses import clean_name
from workbench.jobs.processes import Limits, Work
from workbench.web.requests.long_work import in_worker

FIELD = "files"
PIECE = 1 << 20

View = TypeVar("View", bound=Callable[..., Any])


class UploadLimits(NamedTuple):
    """Bounds of an upload: bytes of the request and of what its files hold unpacked, time to read, and memory."""

    request: int = 200 * MEGABYTE
    expanded: int = 500 * MEGABYTE
    reading: Limits = Limits(seconds=600)

    @classmethod
    def of_megabytes(cls, megabytes: int) -> UploadLimits:
        """The limits for requests of this many megabytes; a compressed file may hold two and a half times as much."""
        return cls(megabytes * MEGABYTE, megabytes * MEGABYTE * 5 // 2)


def takes_uploads(view: View) -> View:
    """Declare that a view takes files."""
    view.takes_uploads = True  # type: ignore[attr-defined]
    return view


def upload_limits() -> UploadLimits:
    """The limits of the server that answers this request."""
    return cast("UploadLimits", current_app.config["UPLOAD_LIMITS"])


def init_app(app: Flask, limits: UploadLimits) -> None:
    """Let requests to views that take files be larger; to be called after access is, and before forms are read."""
    app.config["UPLOAD_LIMITS"] = limits
    app.before_request(_lift_limit)


def _lift_limit() -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    if request.method != "POST" or not getattr(view, "takes_uploads", False):
        return
    limit = upload_limits().request
    if (request.content_length or 0) > limit:
        abort(
            413,
            f"That is more than the {limit // MEGABYTE:,} MB that the server takes at once. "
            "Send fewer files at once or compress them; a terminal takes files of any size.",
        )
    request.max_content_length = limit


def in_worker_for_uploads() -> Callable[[Work], Any]:
    """What reads the files of this request, all of them together within the limits of time."""
    limits = upload_limits().reading
    deadline = time.monotonic() + limits.seconds

    def run(work: Work) -> Any:
        left = max(0.0, deadline - time.monotonic())
        return in_worker(work, limits=limits._replace(seconds=left))

    return run


@contextmanager
def sent_files(field: str = FIELD) -> Iterator[list[Sent]]:
    """The files in a field of this request's form, in a folder that is gone after the block."""
    with scratch_folder() as folder:
        kept = []
        for number, storage in enumerate(request.files.getlist(field)):
            if storage.filename:
                path = folder / str(number)
                storage.save(path, PIECE)
                kept.append(Sent(path, clean_name(storage.filename)))
        yield kept
