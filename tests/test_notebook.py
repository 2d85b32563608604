"""The notebook of the documentation runs, and shows what stands in it."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"


def test_the_notebook_runs_and_shows_what_stands_in_it() -> None:
    made = runpy.run_path(str(DOCS / "make_notebook.py"))["made"]()
    assert made == (DOCS / "use" / "campaign.ipynb").read_text(encoding="utf-8"), "run docs/make_notebook.py"


def test_the_notebook_is_one_of_format_4() -> None:
    notebook: dict[str, Any] = json.loads((DOCS / "use" / "campaign.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 4)
    assert {"cells", "metadata", "nbformat", "nbformat_minor"} == set(notebook)
    for cell in notebook["cells"]:
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "metadata", "source"} | code
