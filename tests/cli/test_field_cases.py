"""Small files in forms met in the field, through the commands: what is read, refused and offered, and what is right."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Protocol

import polars as pl
import pytest
from click.testing import CliRunner, Result

from tests.sentences import says
from workbench.cli import main

pytestmark = pytest.mark.data


class Workbench(Protocol):
    """A command of the workbench, in a folder with the files."""

    def __call__(self, command: str, *, fails: bool = False) -> Result: ...


@pytest.fixture
def workbench(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    shutil.copytree(data_folder / "field-cases", tmp_path / "files")
    monkeypatch.chdir(tmp_path / "files")

    def run(command: str, *, fails: bool = False) -> Result:
        result = CliRunner().invoke(main, command.split())
        assert (result.exit_code != 0) == fails, result.output
        return result

    return run


@pytest.mark.parametrize(
    ("topics", "run"), [("topics-padded.txt", "run-padded.txt"), ("topics-prefixed.xml", "run-prefixed.txt")]
)
def test_topics_written_otherwise_are_suggested_and_nothing_else(
    workbench: Workbench, topics: str, run: str
) -> None:
    workbench("new web")
    workbench(f"add topics web {topics}")
    refused = workbench(f"add runs web {run}", fails=True).output
    assert "--topics-as-suggested" in refused
    assert "--topics-by-position" not in refused
    assert "'51'" in workbench(f"add runs web {run} --topics-by-position", fails=True).output
    repaired = workbench(f"add runs web {run} --topics-as-suggested --changes").output
    assert says(repaired)
    assert f"{run}:1: '51' became" in repaired


def test_qrels_are_renamed_as_runs_are_and_in_the_other_direction(workbench: Workbench) -> None:
    workbench("new web")
    workbench("add topics web topics-padded.txt")
    refused = workbench("add qrels web qrels-padded.txt", fails=True).output
    assert "choose a repair: --topics-as-suggested" in refused
    renamed = workbench("add qrels web qrels-padded.txt --topics-as-suggested").output
    assert "3 judgments imported" in renamed
    Path("topics.tsv").write_text("51\ta\n52\tb\n100\tc\n", encoding="utf-8")
    Path("padded.run").write_text(
        "051 Q0 d1 1 2.5 p\n052 Q0 d2 1 2.5 p\n100 Q0 d3 1 2.5 p\n", encoding="utf-8"
    )
    workbench("new plain")
    workbench("add topics plain topics.tsv")
    assert says(workbench("add runs plain padded.run --topics-as-suggested").output, "051", "51")


def test_an_id_with_a_blank_is_named_and_nothing_is_offered_that_shifts_columns(workbench: Workbench) -> None:
    refused = workbench("check run-blank-ids.txt", fails=True).output
    assert "run-blank-ids.txt:1: the document id 'Lake Placid' holds a blank" in refused
    assert "can repair" not in refused
    for repair in ("--tags first", "--bad-lines drop", "--duplicates first"):
        assert says(workbench(f"check run-blank-ids.txt {repair}", fails=True).output)


@pytest.mark.parametrize("qrels", ["qrels.json", "qrels.csv", "qrels-beir.tsv"])
@pytest.mark.parametrize("run", ["run.json", "run.csv"])
def test_runs_and_qrels_of_other_libraries_are_read_everywhere(
    workbench: Workbench, qrels: str, run: str
) -> None:
    scored = workbench(f"eval {qrels} {run} -m P@1 -m num_ret").stdout
    assert scored.split() == ["num_ret", "all", "4" if run == "run.json" else "3", "P@1", "all", "1.0000"]
    workbench("new web")
    Path("topics.tsv").write_text("1\ta\n2\tb\n", encoding="utf-8")
    workbench("add topics web topics.tsv")
    workbench(f"check {run} --campaign web")
    workbench(f"add runs web {run}")
    assert "3 judgments imported" in workbench(f"add qrels web {qrels}").output
    assert "2 runs" in workbench(f"pool-files {run} run-colon.txt --depth 1 --output pool.txt").output


@pytest.mark.parametrize("name", ["qrels.csv", "run.csv"])
def test_the_same_as_parquet_scores_the_same(workbench: Workbench, name: str) -> None:
    pl.read_csv(name, infer_schema=False).write_parquet("same.parquet")
    files = ("same.parquet", "run.csv") if name == "qrels.csv" else ("qrels.csv", "same.parquet")
    scored = workbench(f"eval {' '.join(files)} -m nDCG@5").stdout
    assert scored == workbench("eval qrels.csv run.csv -m nDCG@5").stdout


def test_files_of_judgments_in_other_shapes_are_read_for_what_they_are(workbench: Workbench) -> None:
    Path("ltr.run").write_text("10 Q0 d2 1 2 t\n10 Q0 d1 2 1 t\n", encoding="utf-8")
    assert workbench("eval ltr.txt ltr.run -m RR").stdout.split()[-1] == "0.5000"
    Path("ntcir.run").write_text("0101 Q0 cw-2 1 2 t\n0101 Q0 cw-1 2 1 t\n", encoding="utf-8")
    assert workbench("eval ntcir-rel.txt ntcir.run -m RR").stdout.split()[-1] == "0.5000"
    assert says(workbench("eval prels.txt run-prels.txt", fails=True).output, "{print $1, 0, $2, $3}")


def test_ids_composed_otherwise_are_said_and_repaired(workbench: Workbench) -> None:
    workbench("new web")
    Path("topics.tsv").write_text("1\ta\n", encoding="utf-8")
    workbench("add topics web topics.tsv")
    workbench("add documents web documents-nfc.jsonl --complete")
    refused = workbench("add runs web run-nfd.txt", fails=True).output
    assert "composed (NFC)" in refused
    assert "--documents-as-suggested" in refused
    workbench("add runs web run-nfd.txt --documents-as-suggested")
    workbench("export runs web --output out")
    assert "caf\N{LATIN SMALL LETTER E WITH ACUTE} " in Path("out").read_text(encoding="utf-8")


def test_lines_that_say_the_same_are_taken_once_and_others_are_refused(workbench: Workbench) -> None:
    workbench("new web")
    refused = workbench("add qrels web qrels-twice.txt", fails=True).output
    assert "qrels-twice.txt:2: document 'd1' is listed twice in topic '1', first at line 1" in refused
    assert "--duplicates identical" in refused
    assert "2 judgments imported" in workbench("add qrels web qrels-twice.txt --duplicates identical").output
    Path("differ.txt").write_text("1 0 d1 1\n1 0 d1 0\n", encoding="utf-8")
    for repair in ("", "--duplicates identical"):
        refused = workbench(f"add qrels web differ.txt {repair}", fails=True).output
        assert "differ.txt:2: document 'd1' is listed twice in topic '1', first at line 1" in refused
        assert "--duplicates" not in refused


def test_a_whole_grade_may_have_a_point_and_a_fraction_has_a_way_out(workbench: Workbench) -> None:
    refused = workbench("eval qrels-fractions.txt run-colon.txt", fails=True).output
    assert says(refused, "qrels-fractions.txt:2", "0.5")
    assert "qrels-fractions.txt:1:" not in refused


def test_a_topic_that_is_a_document_is_left_out_on_request(workbench: Workbench) -> None:
    Path("own.run").write_text("a Q0 a 1 9 t\na Q0 b 2 5 t\n", encoding="utf-8")
    Path("own.qrels").write_text("a 0 b 1\n", encoding="utf-8")
    assert workbench("eval own.qrels own.run -m RR").stdout.split()[-1] == "0.5000"
    assert workbench("eval own.qrels own.run -m RR --own-documents drop").stdout.split()[-1] == "1.0000"
    workbench("new web")
    Path("topics.tsv").write_text("a\ttitle\n", encoding="utf-8")
    workbench("add topics web topics.tsv")
    added = workbench("add runs web own.run --own-documents drop --changes").output
    assert says(added)
    assert "own.run:1: 'topic a, document a' left out" in added
