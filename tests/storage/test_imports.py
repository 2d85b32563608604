"""What storage imports."""

from __future__ import annotations

import subprocess
import sys

WITHOUT_PANDAS = """
import sys
import workbench.storage.campaign
assert "pandas" not in sys.modules
import pandas
"""


def test_storage_does_not_import_pandas_and_others_may() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_PANDAS], check=True)
