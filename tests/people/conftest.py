"""The accounts of an instance, open and empty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.people.accounts import Accounts, open_accounts


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Accounts]:
    with open_accounts(tmp_path) as opened:
        yield opened
