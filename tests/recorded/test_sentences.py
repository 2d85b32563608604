"""The recorded sentences are those of tests that there are, and the way they are recorded can be relied upon."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests import sentences
from tests.sentences import FILE, read, refused, says, write

ROOT = Path(__file__).parent.parent.parent


def test_every_recorded_sentence_is_that_of_a_test() -> None:
    for file, tests in read(FILE.read_bytes().decode()).items():
        there = set(re.findall(r"def (test_\w+)", (ROOT / file).read_text(encoding="utf-8")))
        assert {test.partition("[")[0] for test in tests} <= there, file


def test_no_sentence_holds_a_folder_of_the_machine_it_was_recorded_on() -> None:
    for folder in (ROOT.parent, Path.home(), Path(sys.prefix)):
        assert f"{folder}/" not in FILE.read_text(encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty file of sentences, and a test that says its first one."""
    path = tmp_path / "sentences.txt"
    path.write_text("")
    monkeypatch.setattr(sentences, "FILE", path)
    monkeypatch.setattr(sentences, "_recorded", lambda: read(path.read_text()))
    monkeypatch.delenv("RECORD", raising=False)
    sentences.begin("tests/test_a.py::test_b[c]")
    return path


def record(monkeypatch: pytest.MonkeyPatch, text: str, *values: str) -> None:
    with monkeypatch.context() as recording:
        recording.setenv("RECORD", "1")
        sentences.begin("tests/test_a.py::test_b[c]")
        assert says(text, *values)
    sentences.begin("tests/test_a.py::test_b[c]")


def test_what_was_recorded_is_said_and_nothing_else(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(monkeypatch, "a.run:3: one\n  and two")
    assert file.read_text() == "# tests/test_a.py\n## test_b[c]\n  = a.run:3: one\n      and two\n"
    assert says("a.run:3: one\n  and two")
    with pytest.raises(AssertionError, match="no sentence 2 is recorded"):
        says("a.run:3: one\n  and two")
    for text, value in (("a.run:3: one", "a.run:3"), ("a.run:3: one\n  and two", "a.run:4")):
        sentences.begin("tests/test_a.py::test_b[c]")
        with pytest.raises(AssertionError):
            says(text, value)


def test_of_a_long_page_the_piece_with_the_values_is_recorded_and_follows_its_wording(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"<p>{'filler ' * 99}</p><p>Topic 7 has no run yet.</p>"
    record(monkeypatch, page, "Topic 7")
    assert file.read_text().splitlines()[-1] == "## test_b[c]\t~ Topic 7 has no run yet."
    assert says(page.replace("filler", "other"))
    record(monkeypatch, page.replace("has no run yet", "still has no run"))
    assert file.read_text().splitlines()[-1] == "## test_b[c]\t~ Topic 7 still has no run."
    with pytest.raises(AssertionError):
        says(page)
    monkeypatch.setenv("RECORD", "1")
    sentences.begin("tests/test_a.py::test_b[c]")
    with pytest.raises(AssertionError, match="nothing like it"):
        says("nothing " * 99)


def test_a_refusal_is_said_by_an_error_of_its_kind(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(monkeypatch, "'x' is no number")
    with refused(ValueError, "'x'"):
        raise ValueError("'x' is no number")
    sentences.begin("tests/test_a.py::test_b[c]")
    with pytest.raises(AssertionError), refused(ValueError):
        raise ValueError("other words")


def test_the_file_is_read_as_it_was_written() -> None:
    kept = {
        "tests/a.py": {"test_x[#-y]": ["=one\n\n  two", "~ # three "], "test_z": ["="], "test_t": ["=a\tb"]}
    }
    assert read(write(kept)) == kept
