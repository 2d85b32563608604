"""What storage imports."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from workbench import storage

WITHOUT_PANDAS = """
import sys
import workbench.storage.campaign
assert "pandas" not in sys.modules
import pandas
"""


def test_storage_does_not_import_pandas_and_others_may() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_PANDAS], check=True)


def test_pandas_that_somebody_imported_before_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = ModuleType("pandas")
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    storage._import_sqlite_utils()
    assert sys.modules["pandas"] is pandas
