"""What tests of long computations ask for."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.web.requests import campaign_jobs


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the jobs that are begun from now on."""
    names: list[str] = []
    begin = campaign_jobs.begin

    def noted(name: str, *given: Any, **more: Any) -> Any:
        names.append(name)
        return begin(name, *given, **more)

    monkeypatch.setattr(campaign_jobs, "begin", noted)
    return names
