"""Files are read by compiled code or as tables, with the same labels, the same errors and the same words."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT, skip_or_fail
from workbench.core.errors import InputError
from workbench.core.ranking import UNJUDGED
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.scoring.evaluation import compiled
from workbench.scoring.evaluation.compiled import SWITCH, CompiledQrels, compiled_qrels
from workbench.scoring.evaluation.labelling import labelled_files

COMPILE = ROOT / "deploy" / "compile_lines.py"
QRELS = b"1 0 a 1\n1 0 b 0\n1 0 c -1\n2 0 a 3\n"
RUN = b"1 Q0 a 1 3.5 x\n1 Q0 c 2 2.5 x\n1 Q0 d 3 1e-3 x\n2 Q0 b 1 1 x\n2 Q0 a 2 .5 x\n"


@pytest.fixture(scope="module", autouse=True)
def _library() -> None:
    if not compiled.library_path().exists():
        subprocess.run([sys.executable, COMPILE], check=True)
    if not compiled.library_path().exists():
        skip_or_fail("there is no C compiler")
    compiled._library.cache_clear()


@pytest.fixture(autouse=True)
def _switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where everything else is tested without the library."""
    monkeypatch.delenv(SWITCH, raising=False)


def qrels_of(data: bytes = QRELS) -> CompiledQrels:
    found = compiled_qrels(data, STRICT)
    assert found is not None
    return found


def labels_of(run: bytes, qrels: bytes = QRELS, *, single: bool = False) -> list[list[int]] | None:
    """The labels of each ranking of a run, None if it is declined."""
    found = qrels_of(qrels).read_run(run, comments=True, single_precision=single)
    if found is None:
        return None
    label, starts, _ = found.labelled
    return [label[start:end].tolist() for start, end in pairwise(starts.tolist())]


def test_judgments_stand_topic_by_topic_in_byte_order() -> None:
    found = qrels_of(b"9 0 a 1\n10 0 b 2\n9 0 c -5\n\xc3\xa9 0 a 0\n")
    assert found.topic_ids == ("10", "9", "é")
    assert found.labels.topic_start.tolist() == [0, 1, 3, 4]
    assert found.labels.label.tolist() == [2, 1, -5, 0]
    assert found.highest == 2


def test_a_run_gets_its_labels_in_the_one_order() -> None:
    found = qrels_of().read_run(RUN, comments=True, single_precision=False)
    assert found is not None
    assert (found.tag, found.first_topic) == ("x", "1")
    assert found.labelled.topic.tolist() == [0, 1]
    assert labels_of(RUN) == [[1, -1, UNJUDGED], [UNJUDGED, 3]]
    found = qrels_of().read_run(
        b"7 Q0 a 1 1 x\n2 Q0 a 1 1 x\n8 Q0 a 1 1 x\n", comments=True, single_precision=False
    )
    assert found is not None
    assert found.labelled.topic.tolist() == [-1, 1, -1]
    run = b"1 Q0 a 1 16777217 x\n1 Q0 b 2 16777216 x\n"
    assert labels_of(run) == [[1, 0]]
    assert labels_of(run, single=True) == [[0, 1]]


def test_a_long_ranking_in_the_wrong_order_is_sorted() -> None:
    scores = list(range(500)) * 2
    random.Random(1).shuffle(scores)
    qrels = b"".join(b"1 0 d%03d %d\n" % (number, number) for number in range(1000))
    run = b"".join(b"1 Q0 d%03d 0 %d x\n" % (number, score) for number, score in enumerate(scores))
    by_score = sorted(range(1000), key=lambda number: (scores[number], b"d%03d" % number), reverse=True)
    assert labels_of(run, qrels) == [by_score]


@pytest.mark.parametrize(
    "run",
    [
        RUN.replace(b" ", b"\t"), RUN.replace(b" ", b" \t "), RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b"\n", b" \n\n \t\n"), b"  " + RUN.rstrip(b"\n"),
        RUN.replace(b"x\n", b"\xf0\x9f\x8d\x8e\n"), RUN.replace(b"1e-3", b"+0001.0E-3"),
    ],
)  # fmt: skip
def test_what_separates_columns_and_lines_makes_no_difference(run: bytes) -> None:
    assert labels_of(run) == [[1, -1, UNJUDGED], [UNJUDGED, 3]]


@pytest.mark.parametrize(
    "line",
    [
        b"# a comment",
        b"1 Q0 e 4 1",
        b"1 Q0 e 4 1 x y",
        b"1 Q0 e 4 1 y",
        b"1 Q0 a 4 1 x",
        b"2 Q0 e 1 1 x\n1 Q0 e 4 1 x",
        *(b"1 Q0 e 4 %s x" % score for score in (b"nan", b"inf", b"1,5", b"1e", b".", b"-", b"0x1", b"1_0", b"1" * 99)),
        b"1 Q0 \xef\xbb\xbfe 4 1 x",
        b"1 Q0 e\r 4 1 x",
        b"1 Q0 e\x0b 4 1 x",
        b"1 Q0 e\x01 4 1 x",
        *(b"1 Q0 %s 4 1 x" % wrong for wrong in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80")),
        b"1 Q0 \xe2\x82 4 1 x",
    ],
)  # fmt: skip
def test_what_is_unusual_is_declined(line: bytes) -> None:
    assert labels_of(b"1 Q0 a 1 2 x\n" + line + b"\n") is None
    assert labels_of(b"1 Q0 a 1 2 x\n" + line) is None


@pytest.mark.parametrize(
    "qrels",
    [
        b"",
        b"\n \n",
        b"1 0 a 1\n1 0 a 1\n",
        b"1 0 a\n",
        b"1 0 a 1 1\n",
        *(b"1 0 a %s\n" % grade for grade in (b"+1", b"1.0", b"-", b"32768", b"-32767", b"x", b"000001")),
    ],
)
def test_unusual_qrels_are_declined(qrels: bytes) -> None:
    assert compiled_qrels(qrels, STRICT) is None
    assert compiled_qrels(QRELS, ParseMode(lenient=True)) is None


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"[+-]?[0-9]{1,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.decimals(allow_nan=False, allow_infinity=False, places=7).map(str),
)


@given(NUMBERS)
def test_a_score_is_the_number_that_python_reads(text: str) -> None:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        return
    run = f"1 Q0 b 0 {text} x\n1 Q0 a 0 {value!r} x\n1 Q0 c 0 {value!r} x\n"
    # Equal scores: c, b, a. Any other number would put b first or last.
    assert labels_of(run.encode(), b"1 0 a 1\n1 0 b 2\n1 0 c 3\n") == [[3, 2, 1]]


def outcome(qrels: Path, runs: list[Path], mode: ParseMode = STRICT, *, single: bool = False) -> Any:
    """All that is known of an evaluation's files, or all that is wrong with them."""
    try:
        found = labelled_files(qrels, runs, mode, single_precision=single)
    except InputError as error:
        return error.problems, str(error)
    joined = found.joined
    arrays = (joined.judged.row_start, joined.judged.label, joined.judged.labels.topic_start)
    return (
        found.qrels,
        found.highest,
        found.runs,
        found.warnings,
        joined.topic_ids,
        joined.tags,
        [
            array.tolist()
            for array in (*arrays, joined.judged.labels.label, joined.present, joined.unknown_topics)
        ],
    )


def both(qrels: Path, runs: list[Path], mode: ParseMode = STRICT, *, single: bool = False) -> tuple[Any, Any]:
    """The outcome by compiled code and as tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SWITCH, "on")
        fast = outcome(qrels, runs, mode, single=single)
        patch.setenv(SWITCH, "off")
        return fast, outcome(qrels, runs, mode, single=single)


WORDS = ["1", "2", "Q0", "a", "b", "\u00e9", "0.5", "1e3", "-7", "nan", "inf", "0", "x", "#", "\ufeff", "1,5"]
GAPS = [" ", " ", " ", "\t", "\n", "\n", "\r\n", "\r", "  ", "\v", "\x01", "\u00a0", ""]


def damaged(data: bytes, seed: int, times: int) -> bytes:
    """A file after so many accidents: words and gaps put in, and stretches cut out, doubled or overwritten."""
    chance = random.Random(seed)
    for _ in range(times):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice([0, 0, 1, 4, 40]))
        put = chance.choice(
            [
                chance.choice(WORDS + GAPS).encode(),
                data[start:end] * 2,
                b"",
                bytes([chance.randrange(1, 256)]),
            ]
        )
        data = data[:start] + put + data[end:]
    return data


@given(st.integers(), st.integers(0, 3), st.integers(0, 3), st.booleans(), st.booleans())
def test_damaged_files_give_the_same_labels_and_the_same_errors(
    seed: int, of_qrels: int, of_run: int, comments: bool, single: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        qrels, *runs = (Path(name) / each for each in ("qrels", "one", "two"))
        qrels.write_bytes(damaged(QRELS, seed, of_qrels))
        for number, run in enumerate(runs):
            run.write_bytes(damaged(RUN, seed + number, of_run))
        fast, slow = both(qrels, runs, ParseMode(comments=comments), single=single)
    assert fast == slow


@pytest.mark.data
def test_golden_and_broken_files_have_the_same_outcome_both_ways(data_folder: Path) -> None:
    golden = sorted((data_folder / "golden").glob("case*"))
    assert golden
    for case in golden:
        for single in (False, True):
            fast, slow = both(case / "qrels.txt", [case / "run.txt"], single=single)
            assert fast == slow, case.name
    broken = data_folder / "broken-runs"
    qrels = broken / "qrels_sample_valid.txt"
    files = [path for path in sorted(broken.rglob("*")) if path.is_file()]
    assert len(files) > 20
    for path in files:
        for fast, slow in (both(qrels, [path]), both(path, [broken / "run_sample_valid.txt"])):
            assert fast == slow, path.name


@pytest.mark.parametrize("content", [None, b"\x7fELF of another machine"])
def test_without_a_library_of_this_machine_files_are_read_as_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    (tmp_path / "qrels").write_bytes(QRELS)
    (tmp_path / "run").write_bytes(RUN)
    wanted = outcome(tmp_path / "qrels", [tmp_path / "run"])
    if content is not None:
        (tmp_path / "lines-0.shared").write_bytes(content)
    monkeypatch.setattr(compiled, "library_path", lambda: tmp_path / "lines-0.shared")
    monkeypatch.setattr(compiled, "_library", compiled._library.__wrapped__)
    assert compiled_qrels(QRELS, STRICT) is None
    assert outcome(tmp_path / "qrels", [tmp_path / "run"]) == wanted


UNDER_SANITIZERS = """
import sys
from pathlib import Path
from workbench.formats.text.parse_mode import STRICT
from workbench.scoring.evaluation import compiled
compiled.library_path = lambda: Path(sys.argv[1])
compiled._library.cache_clear()
assert compiled._library() is not None
from tests.scoring.evaluation.test_compiled import QRELS, RUN, both, damaged, qrels_of
folder = Path(sys.argv[2])
many = b"".join(b"%d Q0 d%d 0 %d x\\n" % (line // 999, line, line * 7919 % 5003) for line in range(5000))
for seed in range(600):
    qrels = damaged(QRELS, seed, seed % 4)
    run = damaged(many if seed % 50 == 0 else RUN, seed, seed % 7)
    found = compiled.compiled_qrels(qrels, STRICT) or qrels_of()
    for single in (False, True):
        found.read_run(run, comments=True, single_precision=single)
    if seed % 25 == 0:
        (folder / "qrels").write_bytes(qrels)
        (folder / "run").write_bytes(run)
        fast, slow = both(folder / "qrels", [folder / "run"])
        assert fast == slow, seed
print("all read")
"""


@pytest.mark.slow
def test_sanitizers_find_nothing_while_damaged_files_are_read(tmp_path: Path) -> None:
    gcc = shutil.which("gcc")
    if gcc is None:
        skip_or_fail("gcc is not installed")
    library = tmp_path / "lines-sanitized.shared"
    flags = "-std=c11 -g -O1 -fPIC -shared -fsanitize=address,undefined -fno-sanitize-recover=all".split()
    subprocess.run([gcc, *flags, "-o", library, compiled.SOURCE], check=True)
    runtime = subprocess.run(
        [gcc, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
    ).stdout.strip()
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",  # Python itself leaves much to the end of the process
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-c", UNDER_SANITIZERS, str(library), str(tmp_path)]
    result = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=500
    )
    assert (result.stdout, result.returncode) == ("all read\n", 0), result.stderr[-3000:]


@pytest.mark.slow
def test_without_a_compiler_the_wheel_is_one_for_every_machine(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT]
    subprocess.run(command, check=True, env={**os.environ, "CC": "no-such-compiler"})
    assert [path.name for path in tmp_path.glob("*.whl")] == ["relevance_workbench-0.1.0-py3-none-any.whl"]
