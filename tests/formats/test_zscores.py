from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.zscores import Usual, read_zscores


def written(folder: Path, text: str) -> Path:
    path = folder / "usual.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_line_says_what_is_usual_for_a_measure_and_a_topic(tmp_path: Path) -> None:
    path = written(tmp_path, "301 map 0.1212 0.1545\n301\tP_5  .4 0\r\n\n302 map 1e-2 1")
    assert read_zscores(path) == {
        ("301", "map"): Usual(0.1212, 0.1545),
        ("301", "P_5"): Usual(0.4, 0.0),
        ("302", "map"): Usual(0.01, 1.0),
    }


@pytest.mark.parametrize(
    "line", ["301 map 0.1", "301 map 0.1 0.2 3", "301 map high 0.2", "301 map nan 0.2", "300 map 0.5 0.5"]
)
def test_a_line_of_another_form_is_named(line: str, tmp_path: Path) -> None:
    with refused(InputError, "usual.txt:2: "):
        read_zscores(written(tmp_path, f"300 map 0 1\n{line}\n"))
