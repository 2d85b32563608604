"""What is printed for one run is what the reference program, trec_eval, prints: byte for byte, in both versions."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from tests.sentences import says
from workbench.cli import main
from workbench.formats.text.parse_mode import ParseMode
from workbench.scoring.evaluation.evaluate import Evaluation, Options, evaluate
from workbench.scoring.evaluation.from_files import evaluate_files
from workbench.scoring.evaluation.joining import join
from workbench.scoring.evaluation.reading import read_evaluation
from workbench.scoring.evaluation.reference_output import lines_of_run
from workbench.scoring.evaluation.selection import PROFILES, Profile, choose

CUTS = [
    *("-m", "P.1,3,7", "-m", "ndcg_cut.2,9", "-m", "map_cut.4", "-m", "success.2", "-m", "recall.6"),
    *("-m", "iprec_at_recall.0.05,0.35,0.65", "-m", "Rprec_mult.0.3,0.7"),
]
FLAGS: Mapping[str, Sequence[str]] = {
    "official": ["-m", "official"], "all": ["-m", "all_trec"], "all-q": ["-q", "-m", "all_trec"],
    "all-q-c": ["-q", "-c", "-m", "all_trec"], "all-q-l2": ["-q", "-l2", "-m", "all_trec"],
    "all-J": ["-J", "-m", "all_trec"], "all-c-M5": ["-c", "-M5", "-m", "all_trec"], "cuts": CUTS,
}  # fmt: skip
CASES = [f"case{number:03}" for number in range(60)]
# Means that are nan in the reference program when -J leaves a ranking empty; the files lack these lines, and 0 is
# to be printed there.
NAN = re.compile(r"(iprec_at_recall_\d\.\d\d|11pt_avg) *\tall\t0\.0000\n")


class Case(NamedTuple):
    """What a flag set means for the library."""

    names: list[str]
    per_topic: bool
    level: int
    options: Options


def case_of(flags: Sequence[str]) -> Case:
    names = [name for flag, name in pairwise(flags) if flag == "-m"]
    options = Options("-c" in flags, 5 if "-M5" in flags else None, "-J" in flags)
    return Case(names, "-q" in flags, 2 if "-l2" in flags else 1, options)


def printed(evaluation: Evaluation, *, per_topic: bool = False, run: int = 0) -> list[str]:
    return list(lines_of_run(evaluation, run, per_topic=per_topic))


def assert_same(evaluation: Evaluation, ours: list[str], expected: str) -> None:
    """Our lines are the expected ones; where a ranking was left empty there may be means more."""
    lines = expected.splitlines(keepends=True)
    if (evaluation.judged.num_ret[evaluation.counted.ravel()] == 0).any():
        wanted = set(lines)
        ours = [line for line in ours if line in wanted or not NAN.fullmatch(line)]
    assert ours == lines


@pytest.mark.data
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("name", CASES)
def test_a_golden_case_is_printed_as_the_reference_program_prints_it(
    name: str, profile: Profile, data_folder: Path
) -> None:
    folder = data_folder / "golden" / name
    files = read_evaluation(folder / "qrels.txt", [folder / "run.txt"], ParseMode(comments=profile.comments))
    run = files.runs[0]
    joined = join(files.qrels.frame, [run.frame], [run.tag], single_precision=profile.single_precision)
    compared = 0
    for flags_name, flags in FLAGS.items():
        expected = folder / f"{flags_name}.te{profile.name.rpartition('-')[2]}"
        if not expected.exists():
            continue
        case = case_of(flags)
        asked = choose(case.names, profile, {"rel": case.level})
        evaluation = evaluate(joined, asked, case.options._replace(profile=profile))
        ours = printed(evaluation, per_topic=case.per_topic)
        assert_same(evaluation, ours, expected.read_text(encoding="utf-8"))
        compared += 1
    assert compared >= (2 if profile.empty_rankings else 8)


@pytest.mark.data
def test_version_10_gives_up_in_27_golden_cases_where_a_topic_is_missing_and_ours_goes_on(
    data_folder: Path,
) -> None:
    silent = [name for name in CASES if not (data_folder / "golden" / name / "all.te10").exists()]
    assert len(silent) == 27
    for name in silent:
        folder = data_folder / "golden" / name
        words = ["eval", "-m", "num_q", str(folder / "qrels.txt"), str(folder / "run.txt")]
        done = CliRunner().invoke(main, words)
        version_9 = (folder / "official.te9").read_text(encoding="utf-8").splitlines()
        assert done.exit_code == 0
        assert done.stdout.splitlines() == [line for line in version_9 if line.startswith("num_q ")]
        assert says(done.stderr)


PARAMETERS = [
    *("-q", "-miprec_at_recall..10,.20,.25,.75,.50", "-m", "P.5,7,3", "-m", "recall.20,2000"),
    *("-m", "Rprec_mult.5.0,0.2,0.35", "-mutility.2,-1,0,0", "-m", "11pt_avg..25,.5,.75"),
    *("-mndcg.1=3,2=9,4=4.5", "-mndcg_cut.10,20,23.4", "-msuccess.2,5,20"),
]
NIST = {
    "out.test": ([], "qrels.test", "results.test"),
    "out.comment.test": ([], "qrels.comment.test", "results.comment.test"),
    "out.test.a": (["-m", "all_trec"], "qrels.test", "results.test"),
    "out.test.aq": (["-m", "all_trec", "-q"], "qrels.test", "results.test"),
    "out.test.aqc": (["-m", "all_trec", "-q", "-c"], "qrels.test", "results.trunc"),
    "out.test.aqcM": (["-m", "all_trec", "-q", "-c", "-M100"], "qrels.test", "results.trunc"),
    "out.test.aql": (["-m", "all_trec", "-mrelstring.20", "-q", "-l2"], "qrels.rel_level", "results.test"),
    "out.test.aqZ": (["-q", "-m", "all_trec", "-Z", "zscores_file"], "qrels.test", "results.test"),
    "out.test.meas_params": (PARAMETERS, "qrels.test", "results.test"),
}


@pytest.mark.data
@pytest.mark.parametrize("expected", NIST)
def test_the_reference_programs_own_tests_pass(
    expected: str, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(data_folder / "nist" / "test")
    flags, qrels, run = NIST[expected]
    done = CliRunner().invoke(main, ["eval", *flags, qrels, run])
    assert done.exit_code == 0
    assert done.stdout == Path(expected).read_text(encoding="utf-8")


@pytest.mark.data
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_seventeen_real_runs_are_printed_as_the_reference_program_prints_them(
    profile: Profile, data_folder: Path
) -> None:
    folder = data_folder / "robust03"
    expected = sorted((folder / "expected").glob(f"*.te{profile.name.rpartition('-')[2]}"))
    runs = [folder / "runs" / f"{file.stem}.txt.gz" for file in expected]
    asked = choose(["all_trec"], profile, {"rel": 1})
    evaluation, _ = evaluate_files(folder / "qrels.txt", runs, asked, Options(complete=True, profile=profile))
    assert len(expected) == 17
    for number, file in enumerate(expected):
        assert printed(evaluation, run=number) == file.read_text(encoding="utf-8").splitlines(keepends=True)


@pytest.mark.data
@pytest.mark.parametrize("name", ["all-q-c", "all-c-M5", "all-q-l2"])
def test_the_command_itself_prints_the_same_bytes(name: str, data_folder: Path) -> None:
    folder = data_folder / "golden" / "case000"
    program = [sys.executable, "-m", "workbench", "eval", *FLAGS[name], "qrels.txt", "run.txt"]
    done = subprocess.run(program, cwd=folder, capture_output=True, check=True, timeout=120)
    assert done.stdout == (folder / f"{name}.te10").read_bytes()


def test_labels_of_a_ranking_are_printed_as_one_character_each(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 9\n1 0 b 10\n1 0 c 0\n1 0 d -1\n")
    (tmp_path / "r").write_text(
        "".join(f"1 Q0 {document} 1 {9 - place} r\n" for place, document in enumerate("abcdex"))
    )
    run = CliRunner().invoke(
        main, ["eval", "-q", "-m", "relstring.5", str(tmp_path / "q"), str(tmp_path / "r")]
    )
    assert run.exit_code == 0, run.output
    assert run.output.splitlines()[0].split() == ["relstring_5", "1", "'9>0.-'"]
