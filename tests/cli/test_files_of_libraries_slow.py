"""What is exported, BEIR, ranx and PyTerrier read, where they are installed, and what they write is read here.

BEIR_PYTHON, RANX_PYTHON and PYTERRIER_PYTHON name the Pythons of environments that have them: pip install tqdm and
pip install --no-deps beir, pip install ranx, pip install python-terrier.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_types import Workbench

pytestmark = pytest.mark.slow

BEIR = """
from beir.datasets.data_loader import GenericDataLoader
found = GenericDataLoader("beir").load(split="test")
"""
RANX = """
from ranx import Qrels, Run
run, qrels = Run.from_file("runs/alpha.run", kind="trec"), Qrels.from_file("qrels.txt", kind="trec")
for kind in ("json", "parquet", "trec"):
    run.save(f"run.{kind}")
    qrels.save(f"qrels.{kind}")
found = [run.to_dict(), qrels.to_dict()]
"""
PYTERRIER = """
import pyterrier as pt
run, qrels = pt.io.read_results("runs/alpha.run"), pt.io.read_qrels("qrels.txt")
for name in ("run.trec", "run.res.gz"):
    pt.io.write_results(run, name)
run.to_csv("run.csv")
run.to_parquet("run.parquet")
qrels.to_csv("qrels.csv", index=False)
nested = lambda frame, value: {qid: dict(zip(of.docno, of[value])) for qid, of in frame.groupby("qid")}
found = [nested(run, "score"), nested(qrels, "label")]
"""
RUN = {"1": {"d1": 100.0, "d2": 99.0, "d3": 98.0}, "2": {"d1": 100.0, "d2": 99.0}}
QRELS = {"1": {"d1": 2, "d2": 0}, "2": {"d1": 1}}


@pytest.fixture
def exported(done: Workbench) -> None:
    Path("judged.txt").write_text("1 0 d1 2\n1 0 d2 0\n2 0 d1 1\n2 0 d2 -2\n")
    done("add qrels small judged.txt")
    done("export qrels small -o qrels.txt")
    done("export runs small -o runs/")
    done("export beir small -o beir")


def found_by(module: str, program: str) -> Any:
    """What a program finds in the exported files."""
    python = os.environ.get(f"{module.upper()}_PYTHON", sys.executable)
    if python == sys.executable and importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: see {Path(__file__).name}")
    code = f"import json{program}print(json.dumps(found, default=lambda number: number.item()))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.usefixtures("exported")
def test_beir_reads_the_folder() -> None:
    corpus, queries, qrels = found_by("beir", BEIR)
    # Its loader keeps the topics with judgments.
    assert (qrels, queries, len(corpus)) == (QRELS, {"1": "frozen rivers", "2": "warm lakes"}, 5)
    assert corpus["d1"] == {"title": "Document d1", "text": "The text of document 1."}


@pytest.mark.usefixtures("exported")
@pytest.mark.parametrize(
    ("module", "program", "runs", "qrels"),
    [
        ("ranx", RANX, "run.json run.parquet run.trec", "qrels.json qrels.parquet qrels.trec"),
        ("pyterrier", PYTERRIER, "run.trec run.res.gz run.csv run.parquet", "qrels.csv"),
    ],
)
def test_what_it_reads_it_writes_and_that_is_read_here(
    module: str, program: str, runs: str, qrels: str, done: Workbench
) -> None:
    assert found_by(module, program) == [RUN, QRELS]
    expected = done("eval -q -m AP -m nDCG qrels.txt runs/alpha.run").stdout
    for file in runs.split():
        assert done(f"eval -q -m AP -m nDCG qrels.txt {file}").stdout.split() == expected.split(), file
    for file in qrels.split():
        assert done(f"eval -q -m AP -m nDCG {file} runs/alpha.run").stdout.split() == expected.split(), file
