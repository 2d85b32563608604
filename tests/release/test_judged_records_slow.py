"""Label Studio and Argilla, where they are installed, read what is written for them, and what they write is read.

LABEL_STUDIO_PYTHON and ARGILLA_PYTHON name the Pythons of environments that have them: pip install label-studio-sdk,
pip install argilla requests.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.judged_pairs import judge_as
from workbench.campaign.ingest import add_qrels
from workbench.release.judged_records import judged_lines
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import judgments

pytestmark = pytest.mark.slow

LABEL_STUDIO = """
import json, sys
from label_studio_sdk.converter import Converter
from label_studio_sdk.label_interface import LabelInterface
grades = "".join(f'<Choice value="{name}"/>' for name in ("Spam", "Not relevant", "Relevant", "Highly relevant"))
config = f'<View><Text name="text" value="$text"/><Choices name="grade" toName="text">{grades}</Choices>'
config += '<TextArea name="comment" toName="text"/></View>'
interface = LabelInterface(config)
for task in json.load(open("written")):
    assert all(map(interface.validate_annotation, task["annotations"])), task
Converter(config, project_dir=None).convert_to_json_min("written", "folder", is_dir=False)
rows = json.load(open("folder/result.json"))
print(json.dumps([[row["topic_id"], row["document_id"], row["grade"], row.get("comment")] for row in rows]))
"""
ARGILLA = """
import json
from argilla.records._io import JsonIO
records = JsonIO._records_from_json("written")
JsonIO.to_json(records, "again")
found = []
for record in records:
    comments = {each.user_id: each.value for each in record.responses["comment"]}
    for each in record.responses["grade"]:
        found.append([*record.metadata.to_dict().values(), each.value, comments.get(each.user_id)])
print(json.dumps(found))
"""
EXPECTED = [
    ["1", "d1", "Highly relevant", None],
    ["1", "d1", "Spam", None],
    ["2", "d1", "Relevant", "half of it \u2713"],
]


def reads(campaign: Campaign, folder: Path, form: str, module: str, program: str) -> None:
    """Whether the program reads what is written in a form."""
    python = os.environ.get(f"{form.replace('-', '_').upper()}_PYTHON", sys.executable)
    if python == sys.executable and importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed: see {Path(__file__).name}")
    judge_as(campaign, "ann", "1", "d1", 2)
    judge_as(campaign, "ben", "1", "d1", -2)
    book = [
        {"query_text": "2", "doc_id": "d1", "judgements": [{"rating": 1, "explanation": "half of it \u2713"}]}
    ]
    (folder / "book").write_text(json.dumps({"query_doc_pairs": book}))
    add_qrels(campaign.by("Olga"), [str(folder / "book")])
    (folder / "written").write_text("".join(judged_lines(campaign, form)), encoding="utf-8")
    done = subprocess.run([python, "-c", program], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == EXPECTED


def test_label_studio_reads_what_is_written_for_it(small: Campaign, tmp_path: Path) -> None:
    reads(small, tmp_path, "label-studio", "label_studio_sdk", LABEL_STUDIO)


def test_argilla_reads_what_is_written_for_it_and_what_it_writes_is_read(
    small: Campaign, tmp_path: Path
) -> None:
    reads(small, tmp_path, "argilla", "argilla", ARGILLA)
    added = add_qrels(small.by("Olga"), [str(tmp_path / "again")], assessor="again")
    assert added.judgments == 3
    comments = {each.comment for each in judgments.log(small) if each.assessor.startswith("again")}
    assert comments == {"", "half of it \u2713"}
