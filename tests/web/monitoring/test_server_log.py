"""A server's log: one line for each event, with time and level, whatever strangers send."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from flask import Flask

from workbench.web.access.rules import PUBLIC, allowing
from workbench.web.monitoring.request_log import OneLine, writing_lines
from workbench.web.server import serving
from workbench.web.server.serving import Address, serve

TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}\+00:00"

logger = logging.getLogger("workbench.web")


def test_a_warning_is_one_line_with_time_level_and_logger(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), writing_lines():
        logger.warning("stopped before %s", "the end")
        logger.info("not said")
    logger.warning("said to others alone")
    assert re.fullmatch(rf"{TIME} WARNING workbench\.web: stopped before the end\n", capsys.readouterr().err)


@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\x0b", "\x85", "\u2028", "\x1b[2K"])
def test_what_comes_from_outside_makes_no_second_line(
    capsys: pytest.CaptureFixture[str], breaks: str
) -> None:
    with writing_lines():
        logger.error("no such name: %s", f"x{breaks}2026-03-01T12:00:00.000+00:00 ERROR forged")
        try:
            raise ValueError(f"a{breaks}b")
        except ValueError:
            logger.exception("a failure")
    said = capsys.readouterr().err
    assert len(said.removesuffix("\n").splitlines()) == 2
    assert "Traceback (most recent call last):\\n" in said


def test_a_failure_of_a_page_is_one_line_without_what_the_address_breaks(
    app: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setitem(app.view_functions, "sign_in.start_with_link", allowing(PUBLIC)(broken))
    assert app.test_client().get("/start/a-token%0Aforged").status_code == 500
    line = OneLine("%(message)s").format(caplog.records[-1])
    assert "\n" not in line
    assert "a-token" not in line


def test_a_server_writes_its_log_in_this_form(
    instance: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def instead(app: Flask, *_: object, **__: object) -> None:
        logger.error("one event")
        app.extensions["workbench_connections"].close()

    monkeypatch.setattr(serving, "_run", instead)
    serve(instance, address=Address(port=0), open_browser=False, say=lambda _: None)
    assert re.search(rf"^{TIME} ERROR workbench\.web: one event$", capsys.readouterr().err, re.MULTILINE)
