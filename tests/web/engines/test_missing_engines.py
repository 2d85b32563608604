"""Where a browser is not installed its tests say so; in CI they fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import skip_or_fail
from tests.web.engines.engine import lacking


@pytest.mark.parametrize(("ci", "ends"), [("false", pytest.skip.Exception), ("true", pytest.fail.Exception)])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("firefox", "no firefox-esr and no firefox is installed"),
        ("webkit", "no WebKitWebDriver and no Xvfb is installed"),
    ],
)
def test_an_engine_that_is_not_there_is_skipped_with_the_reason_and_fails_in_ci(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ci: str,
    ends: type[BaseException],
    name: str,
    reason: str,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(ends, match=f"^{reason}$"):
        skip_or_fail(lacking(name))
