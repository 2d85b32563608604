"""The workbench as a library, as an engineer would call it."""

from __future__ import annotations

import doctest
import subprocess
import sys
from math import log2
from pathlib import Path
from typing import Any

import ir_measures
import polars as pl
import pytest

import workbench as wb
from tests.sentences import refused
from workbench import library
from workbench.core.errors import InputError, UnknownName
from workbench.formats.qrels import read_subtopic_qrels
from workbench.formats.tables.frames import NoSuchLibrary
from workbench.methods.measures import parse_measure

# Topic 1: relevant at rank 2 of 2. Topic 2 has a relevant document, and the run lacks it.
QRELS = {"1": {"d1": 0, "d2": 1}, "2": {"d5": 2}}
RUN = {"1": {"d1": 0.9, "d2": 0.5}}
BETTER = {"1": {"d2": 3.0}, "2": {"d5": 1.0}}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The same as files: qrels, and two runs with the tags alpha and beta."""
    texts = {
        "qrels": "1 0 d1 0\n1 0 d2 1\n2 0 d5 2\n",
        "alpha": "1 Q0 d1 1 0.9 alpha\n1 Q0 d2 2 0.5 alpha\n",
        "beta": "1 Q0 d2 1 3 beta\n2 Q0 d5 1 1 beta\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: tmp_path / name for name in texts}


def test_measures_of_subtopics_take_a_file_of_qrels_with_subtopics(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("1 x d1 1\n1 y d2 1\n1 z d2 2\n", encoding="utf-8")
    run = {"1": {"d1": 2.0, "d2": 1.0}}
    for qrels in (path, read_subtopic_qrels(path)):
        assert wb.evaluate(qrels, run, ["StRecall@1", "P@2"]).mean["run"] == {"StRecall@1": 1 / 3, "P@2": 1.0}
    assert wb.evaluate(read_subtopic_qrels(path), run, ["P(rel=2)@2"]).mean["run"] == {"P(rel=2)@2": 1 / 2}
    with refused(InputError):
        wb.evaluate(QRELS, RUN, ["P@2", "StRecall@1"])


def test_the_examples_in_the_docstring_are_true() -> None:
    done = doctest.testmod(library)
    assert (done.failed, done.attempted) == (0, 12)


def test_means_are_over_all_judged_topics_or_over_those_of_the_run() -> None:
    scores = wb.evaluate(QRELS, RUN, ["RR", "nDCG@10", "NumRelRet"])
    assert scores.mean == {"run": {"RR": (1 / 2 + 0) / 2, "nDCG@10": (1 / log2(3) + 0) / 2, "NumRelRet": 1}}
    assert scores.per_topic["run"]["2"] == {"RR": 0, "nDCG@10": 0, "NumRelRet": 0}
    scores = wb.evaluate(QRELS, RUN, "RR", complete=False)
    assert scores.mean == {"run": {"RR": 1 / 2}}
    assert list(scores.per_topic["run"]) == ["1"]
    assert wb.evaluate(QRELS, RUN, ["R@10"], rel=2).per_topic["run"]["1"] == {"R@10": 0}
    assert wb.evaluate(QRELS, RUN, ["RR"], depth=1).mean == {"run": {"RR": 0}}
    scores = wb.evaluate(QRELS, RUN, [parse_measure("AP(rel=2)"), "P.1,2", "RBP"])
    assert scores.measures == ("AP(rel=2)", "P_1", "P_2", "RBP")
    assert wb.evaluate({}, {}, ["AP"]).mean == {"run": {"AP": 0}}
    assert wb.evaluate(QRELS, [], ["AP"]).mean == {"run": {"AP": 0}}


def test_files_and_what_was_read_of_them_are_called_by_their_tags(files: dict[str, Path]) -> None:
    scores = wb.evaluate(files["qrels"], [files["alpha"], str(files["beta"])], ["map"])
    assert scores.runs == ("alpha", "beta")
    assert scores.mean == {"alpha": {"map": 1 / 4}, "beta": {"map": 1.0}}
    qrels, run = wb.read_qrels(files["qrels"]), wb.read_run(files["alpha"])
    assert wb.evaluate(qrels, run, ["AP"]).mean == {"alpha": {"AP": 1 / 4}}
    alpha, beta = wb.read_run(files["alpha"]), wb.read_run(files["beta"])
    assert wb.evaluate(QRELS, [alpha, beta], ["AP"]).mean == {"alpha": {"AP": 1 / 4}, "beta": {"AP": 1.0}}
    assert wb.evaluate(QRELS, [alpha, files["beta"], BETTER], ["AP"]).runs == ("alpha", "beta", "run3")


@pytest.mark.parametrize(
    "runs",
    [
        {"mine": RUN, "theirs": BETTER},
        {
            "mine": pl.DataFrame(
                [("1", "d1", 0.9), ("1", "d2", 0.5)], ["qid", "docno", "score"], orient="row"
            ),
            "theirs": BETTER,
        },
        {
            "mine": [ir_measures.ScoredDoc("1", "d1", 0.9), ir_measures.ScoredDoc("1", "d2", 0.5)],
            "theirs": BETTER,
        },
    ],
)
def test_several_runs_have_the_names_they_are_given(runs: object) -> None:
    assert wb.evaluate(QRELS, runs, ["AP"]).mean == {"mine": {"AP": 1 / 4}, "theirs": {"AP": 1.0}}


def test_runs_without_names_are_numbered_and_records_may_come_from_generators() -> None:
    assert wb.evaluate(QRELS, [RUN, BETTER], ["AP"]).runs == ("run", "run2")
    qrels = (
        ir_measures.Qrel(topic, document, grade)
        for topic, row in QRELS.items()
        for document, grade in row.items()
    )
    run = (ir_measures.ScoredDoc("1", document, score) for document, score in RUN["1"].items())
    assert wb.evaluate(qrels, run, ["AP"]).mean == {"run": {"AP": 1 / 4}}


def test_frames_have_a_row_for_each_run_and_for_each_topic_and_latex_marks_the_best() -> None:
    scores = wb.evaluate(QRELS, {"mine": RUN, "theirs": BETTER}, ["RR", "P@1"])
    assert scores.mean_frame().rows() == [("mine", 0.25, 0.0), ("theirs", 1.0, 1.0)]
    assert scores.mean_frame().columns == ["run", "RR", "P@1"]
    assert scores.per_topic_frame().columns == ["run", "topic_id", "RR", "P@1"]
    assert scores.per_topic_frame().rows()[:2] == [("mine", "1", 0.5, 0.0), ("mine", "2", 0.0, 0.0)]
    latex = wb.evaluate(QRELS, {"mine": RUN, "theirs_2": BETTER}, ["AP"]).to_latex()
    assert "mine & 0.2500" in latex
    assert r"theirs\_2 & \textbf{1.0000}" in latex


def test_scores_of_another_version_are_to_be_had() -> None:
    # Equal as 32-bit floats, so that the documents stand in descending order of their ids.
    run = {"1": {"d1": 1.0, "d2": 1.0 - 1e-9}}
    qrels = {"1": {"d1": 1}}
    assert wb.evaluate(qrels, run, "RR").mean == {"run": {"RR": 1.0}}
    assert wb.evaluate(qrels, run, "RR", profile="trec_eval-9").mean == {"run": {"RR": 0.5}}


def test_what_does_not_exist_or_has_a_name_twice_is_refused(files: dict[str, Path]) -> None:
    with pytest.raises(UnknownName, match="did you mean nDCG"):
        wb.evaluate(QRELS, RUN, ["nDGC@10"])
    with refused(UnknownName, "trec_eval-8"):
        wb.evaluate(QRELS, RUN, ["AP"], profile="trec_eval-8")
    with refused(InputError, "alpha"):
        wb.evaluate(QRELS, [files["alpha"], files["alpha"]], ["AP"])
    with refused(InputError, "1"):
        wb.evaluate(QRELS, {1: RUN, "1": BETTER}, ["AP"])
    options: Any
    for options in ({"depth": -1}, {"depth": 1.5}):
        with refused(ValueError):
            wb.evaluate(QRELS, RUN, "AP", **options)
    for options in ({"rel": "1"}, {"rel": 1.5}):
        with refused(UnknownName):
            wb.evaluate(QRELS, RUN, "AP", **options)


def test_what_is_wrong_is_told_of_all_runs_by_their_names(files: dict[str, Path]) -> None:
    files["beta"].write_text("1 Q0 d2 1 x beta\n", encoding="utf-8")
    runs = {"good": RUN, "nan": {"1": {"d1": float("nan")}}, "file": files["beta"], "ids": {7: {"d1": 1.0}}}
    with pytest.raises(InputError) as error:
        wb.evaluate(QRELS, runs, ["AP"])
    assert [problem.file for problem in error.value.problems] == [
        str(files["beta"]),
        "the run 'nan'",
        "the run 'ids'",
    ]


@pytest.mark.parametrize("complete", [True, False])
def test_a_run_of_other_topics_is_refused_and_one_without_any_scores_nothing(complete: bool) -> None:
    with refused(InputError, "b", "1"):
        wb.evaluate(QRELS, {"a": RUN, "b": {"9": {"d1": 1.0}}}, ["AP"], complete=complete)
    with refused(InputError):
        wb.evaluate({}, RUN, ["AP"])
    assert wb.evaluate(QRELS, {"a": RUN, "b": {}}, ["AP"], complete=complete).mean["b"] == {"AP": 0}


@pytest.mark.parametrize("measures", [None, [1], [["AP"]], 5])
def test_a_measure_that_is_no_text_is_refused(measures: Any) -> None:
    with refused(UnknownName, "nDCG@10"):
        wb.evaluate(QRELS, RUN, measures)


def test_what_is_odd_about_files_is_reported_and_version_9_knows_no_comments(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("#1 0 d1 1\n2 0 d1 1\n", encoding="utf-8")
    run.write_text("#1 Q0 d1 1 2 t\n2 Q0 d1 1 1 t\n", encoding="utf-8")
    scores = wb.evaluate(qrels, {"mine": run}, ["NumQ"])
    assert scores.mean == {"mine": {"NumQ": 1}}
    assert [(problem.file, problem.line) for problem in scores.warnings] == [(str(qrels), 1), (str(run), 1)]
    assert wb.evaluate(qrels, run, "NumQ", profile="trec_eval-9").mean == {"t": {"NumQ": 2}}
    assert wb.evaluate(QRELS, RUN, "AP").warnings == ()


def test_scores_and_comparisons_show_themselves_as_tables() -> None:
    scores = wb.evaluate(QRELS, {"a": RUN, "b<script>": BETTER}, ["AP"])
    assert repr(scores) == (
        "Scores: 2 runs, 1 measure, 2 topics\nRun            AP\na          0.2500\nb<script>  1.0000"
    )
    html = scores._repr_html_()
    assert "b&lt;script&gt;" in html
    assert "<script>" not in html
    many = wb.evaluate(QRELS, {f"r{number:02}": RUN for number in range(15)}, ["AP"])
    assert repr(many).splitlines()[-2:] == ["r11  0.2500", "… and 3 more"]
    assert "… and 3 more" in many._repr_html_()
    qrels = {str(topic): {"good": 1} for topic in range(1, 5)}
    runs = {
        "<b>": {topic: {"bad": 2.0, "good": 1.0} for topic in qrels},
        "mine": {topic: {"good": 2.0} for topic in qrels},
    }
    found = wb.evaluate(qrels, runs, "RR").compare(baseline="<b>")
    lines = repr(found).splitlines()
    assert lines[0] == "RR on 4 topics, against <b>"
    assert lines[1].split()[:3] == ["Run", "Mean", "Difference"]
    assert lines[3].split()[:3] == ["mine", "1.0000", "+0.5000"]
    assert "&lt;b&gt;" in found._repr_html_()
    assert "<b>" not in found._repr_html_()


def test_the_package_lists_what_there_is_without_loading_it() -> None:
    program = (
        "import sys, workbench as wb\n"
        "print(*(name for name in dir(wb) if not name.startswith('_')))\n"
        "sys.exit(', '.join(set(sys.modules) & {'numpy', 'polars', 'sqlite3', 'workbench.library'}) or None)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [
        *("Campaign", "Scores", "connect", "evaluate", "evaluator", "read_qrels", "read_run", "score_labels")
    ]
    assert all(hasattr(wb, name) for name in (*dir(wb), *wb.__all__))
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        wb.evalute  # noqa: B018
    assert Path(library.__file__).with_name("py.typed").exists(), "a type checker may rely on annotations"


@pytest.mark.filterwarnings("error")
def test_frames_are_of_the_library_that_is_asked_for() -> None:
    import pandas as pd

    scores = wb.evaluate(QRELS, {"a": RUN, "b": BETTER}, ["AP", "num_ret"])
    frame = scores.mean_frame("pandas")
    assert isinstance(frame, pd.DataFrame)
    assert frame.to_dict("list") == {"run": ["a", "b"], "AP": [0.25, 1.0], "num_ret": [2.0, 2.0]}
    assert scores.per_topic_frame("pandas").set_index(["run", "topic_id"]).loc[("b", "2"), "AP"] == 1.0
    assert scores.mean_frame().rows() == [("a", 0.25, 2.0), ("b", 1.0, 2.0)]
    # What pandas gives goes in again.
    runs = pd.DataFrame({"qid": ["1", "2"], "docno": ["d2", "d5"], "score": [3.0, 1.0]})
    assert wb.evaluate(QRELS, runs, "AP").mean == {"run": {"AP": 1.0}}
    with pytest.raises(UnknownName, match="no frames of 'arrow'; write 'polars' or 'pandas'"):
        scores.mean_frame("arrow")


def test_a_library_that_is_not_there_is_named_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with refused(NoSuchLibrary):
        wb.evaluate(QRELS, RUN, "AP").mean_frame("pandas")
