"""Experiments of PyTerrier over data frames, with the values of this engine.

PYTERRIER_PYTHON names the Python of an environment that has both: pip install python-terrier relevance-workbench. This
needs no Java.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import workbench as wb

pytestmark = pytest.mark.slow

EXPERIMENT = """
import json, sys
import pandas as pd
import pyterrier as pt
from ir_measures import AP, RR, nDCG, P
from workbench.ir_measures_provider import use

use()
given = json.load(open("given.json"))
rows = lambda nested: [(qid, docno, value) for qid, of in nested.items() for docno, value in of.items()]
qrels = pd.DataFrame(rows(given["qrels"]), columns=["qid", "docno", "label"])
topics = pd.DataFrame({"qid": list(given["qrels"]), "query": "reefs"})
runs = [pd.DataFrame(rows(run), columns=["qid", "docno", "score"]) for run in given["runs"].values()]
found = pt.Experiment(runs, topics, qrels, [AP, RR @ 2, nDCG @ 10, P @ 2], names=list(given["runs"]))
found.to_json("found.json", orient="records", double_precision=15)
print(sorted(name for name in sys.modules if name == "jnius"))
"""
QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1, "d": 3}, "3": {"e": 1}}
RUNS = {
    "tied": {"1": {"a": 1.0, "b": 1.0, "c": 0.5}, "2": {"d": 2.0, "x": 1.0}},  # nothing for topic 3
    "other": {"1": {"x": 3.0, "c": 2.0}, "2": {"a": 1.5, "d": 1.0}, "3": {"y": 9.0, "e": 8.0}},
}


def test_an_experiment_has_the_values_of_this_engine(tmp_path: Path) -> None:
    python = os.environ.get("PYTERRIER_PYTHON", sys.executable)
    if python == sys.executable and importlib.util.find_spec("pyterrier") is None:
        pytest.skip("PyTerrier is not installed: see PYTERRIER_PYTHON in this file")
    (tmp_path / "given.json").write_text(json.dumps({"qrels": QRELS, "runs": RUNS}))
    without_java = {**os.environ, "PATH": "", "JAVA_HOME": ""}
    command = [python, "-c", EXPERIMENT]
    done = subprocess.run(
        command, cwd=tmp_path, env=without_java, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["[]"], "no bridge to Java was loaded"
    found = {row.pop("name"): row for row in json.loads((tmp_path / "found.json").read_text())}
    ours = wb.evaluate(QRELS, RUNS, ["AP", "RR@2", "nDCG@10", "P@2"]).mean
    assert found == {run: pytest.approx(values, abs=1e-14) for run, values in ours.items()}
    assert found["tied"]["RR@2"] == (1 / 2 + 1) / 3, "b is before a, and topic 3 counts"
