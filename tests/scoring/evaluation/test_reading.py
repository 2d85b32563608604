from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.formats.text.parse_mode import ParseMode
from workbench.jobs.observing import observed_by
from workbench.scoring.evaluation.reading import read_evaluation

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n"
RUN = "1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n2 Q0 c 1 1e1 x\n"


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refusal(folder: Path, qrels: str | bytes, *runs: str | bytes, **options: Any) -> list[str]:
    """What is said about these files: qrels, run0, run1 ..."""
    paths = [write(folder, f"run{number}", text) for number, text in enumerate(runs)]
    with pytest.raises(InputError) as caught:
        read_evaluation(write(folder, "qrels", qrels), paths, ParseMode(**options))
    return [str(problem).removeprefix(f"{folder}/") for problem in caught.value.problems]


def test_qrels_and_runs_are_read(tmp_path: Path) -> None:
    files = read_evaluation(
        write(tmp_path, "qrels", QRELS), [write(tmp_path, "b", RUN), write(tmp_path, "a", "1 Q0 a 1 0 y\n")]
    )
    assert files.qrels.file == str(tmp_path / "qrels")
    assert files.qrels.frame.rows() == [("1", "a", 1), ("1", "b", 0), ("2", "a", 2)]
    assert [(run.file, run.tag) for run in files.runs] == [
        (str(tmp_path / "b"), "x"),
        (str(tmp_path / "a"), "y"),
    ]
    assert files.runs[0].frame.rows() == [("1", "a", 2.5), ("1", "b", 1.5), ("2", "c", 10.0)]
    assert files.qrels.warnings == files.runs[0].warnings == ()


def test_files_may_be_compressed_and_one_may_be_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(QRELS.encode())))
    files = read_evaluation("-", [write(tmp_path, "a", gzip.compress(RUN.encode()))])
    assert files.qrels.frame.height == files.runs[0].frame.height == 3
    with refused(InputError):
        read_evaluation("-", ["-"])


def test_each_file_that_was_read_is_a_step_also_one_that_is_refused(tmp_path: Path) -> None:
    steps: list[tuple[str, int, int]] = []

    @contextmanager
    def observer(what: str, total: int) -> Iterator[Callable[[int], None]]:
        yield lambda done: steps.append((what, total, done))

    paths = [
        write(tmp_path, "qrels", QRELS),
        write(tmp_path, "good", RUN),
        write(tmp_path, "bad", "1 Q0 a\n"),
    ]
    with observed_by(observer), pytest.raises(InputError):
        read_evaluation(paths[0], paths[1:])
    assert steps == [("Reading", 3, 1)] * 3


def test_what_is_wrong_is_told_of_all_files_with_their_lines(tmp_path: Path) -> None:
    found = refusal(tmp_path, QRELS + "2 0 b 0.5\n", RUN + "3 Q0 a 1 abc x\n", RUN, RUN + "1 Q0 b 3 1 x\n")
    assert says("\n".join(found))


@pytest.mark.parametrize(
    "line",
    [
        "2 Q0 a 1 1\n", "2 Q0  1 1 x\n", "2  a 1 1 x\n", "2 Q0 a  1 x\n", "2 Q0 a 1 nan x\n", "2 Q0 a 1 0x10 x\n",
        "2 Q0 a 1 1,5 x\n", "2 Q0 a 1 1 y\n",
    ],
)  # fmt: skip
def test_a_run_is_held_to_what_campaigns_take(tmp_path: Path, line: str) -> None:
    found = refusal(tmp_path, QRELS, RUN + line)
    assert len(found) == 1
    assert says(found[0], "run0:4: ")


def test_lines_that_are_no_rows_are_warned_of_and_not_read(tmp_path: Path) -> None:
    run = write(tmp_path, "run", "#1 Q0 a 1 3.0 x\n" + RUN.replace(" x\n", " x y\n"))
    files = read_evaluation(write(tmp_path, "qrels", "#1 0 a 1\n" + QRELS), [run])
    assert files.runs[0].frame.height == 3
    assert [problem.line for problem in files.runs[0].warnings] == [1, 2]
    assert says("\n".join(problem.message for problem in files.runs[0].warnings), "'x'")
    assert [problem.line for problem in files.qrels.warnings] == [1]


def test_without_comments_a_line_that_begins_with_a_hash_is_a_row(tmp_path: Path) -> None:
    qrels, run = (
        write(tmp_path, "qrels", "#1 0 a 1\n" + QRELS),
        write(tmp_path, "run", "#1 Q0 a 1 3.0 x\n" + RUN),
    )
    files = read_evaluation(qrels, [run], ParseMode(comments=False))
    assert files.qrels.frame.rows()[0] == ("#1", "a", 1)
    assert files.runs[0].frame.rows()[0] == ("#1", "a", 3.0)
    found = refusal(tmp_path, "# made today\n" + QRELS, RUN + "# made today\n", comments=False)
    assert says("\n".join([message.split(" (")[0] for message in found]))


def test_lenient_reading_takes_numbers_and_the_last_tag_as_the_reference_program_does(tmp_path: Path) -> None:
    qrels = write(tmp_path, "qrels", "1 0 a 0.5\n1 0 b 1.9\n1 0 c x\n1 0 d +1\n1 0 e 1e3\n1 0 f -2.5\n")
    run = write(tmp_path, "run", "1 Q0 a 1 abc x\n1 Q0 b 2 1,5 x\n1 Q0 c 3 0x10 x\n1 Q0 d 4 1e1 x\n")
    files = read_evaluation(qrels, [run], ParseMode(lenient=True))
    assert files.qrels.frame["grade"].to_list() == [0, 1, 0, 1, 1, -2]
    assert files.runs[0].frame["score"].to_list() == [0.0, 1.0, 16.0, 10.0]
    run = write(tmp_path, "run", "1 Q0 a 1 2 x\n1 Q0 b 2 1 y\n# z\n")
    assert read_evaluation(write(tmp_path, "qrels", QRELS), [run], ParseMode(lenient=True)).runs[0].tag == "y"
    # Vertical tabs separate too, but such a file is read line by line.
    slowly = write(tmp_path, "slowly", "1\vQ0\va\v1\v2,5\vx\n1 Q0 b 2 1 y\n")
    found = read_evaluation(write(tmp_path, "qrels", QRELS), [slowly], ParseMode(lenient=True)).runs[0]
    assert (found.tag, found.frame["score"].to_list()) == ("y", [2.0, 1.0])


@pytest.mark.parametrize("score", ["nan", "-nan", "NaNx", "nan(1)"])
def test_lenient_reading_refuses_a_score_that_orders_nothing(tmp_path: Path, score: str) -> None:
    found = refusal(tmp_path, QRELS, f"{RUN}2 Q0 a 1 {score} x\n", lenient=True)
    assert says("\n".join(found))


def test_lenient_reading_refuses_what_is_wrong_beyond_numbers_and_tags(tmp_path: Path) -> None:
    found = refusal(tmp_path, QRELS + "1 0 a 1\n", RUN + "2 Q0 a 1 1\n", lenient=True)
    assert says("\n".join([message.split(" (")[0] for message in found]))
    assert says("\n".join(refusal(tmp_path, f"1 0 a {'9' * 30}\n", RUN, lenient=True)))
    place = "qrels:2: document 'a' is listed twice in topic '1', first at line 1; keep one of the two lines"
    same = refusal(tmp_path, "1 0 a 1x\n1 0 a 1y\n", RUN, lenient=True)
    other = refusal(tmp_path, "1 0 a 1x\n1 0 a x\n", RUN, lenient=True)
    assert (same[0], len(same)) == (place, 2)
    assert other == [place]
