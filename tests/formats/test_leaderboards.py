"""Leaderboards as files, in layouts that the reader names."""

from __future__ import annotations

from pathlib import Path

import pytest
from ir_measures.__main__ import main_cli

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.leaderboards import read_leaderboard
from workbench.formats.tables.score_layouts import LAYOUTS, READ, Score, score_lines

SCORES = [Score("a", "1", "P@10", 0.5), Score("a", "عدد", "P@10", 0.25), Score("a", None, "P@10", 0.375)]


def rows(path: Path, layout: str) -> list[tuple[object, ...]]:
    return read_leaderboard(path, layout).rows()


@pytest.mark.parametrize("layout", sorted(set(LAYOUTS) - {"trec_eval", "ir_measures-cli"}))
def test_what_is_written_is_read(layout: str, tmp_path: Path) -> None:
    file = tmp_path / "scores"
    file.write_text("".join(score_lines(SCORES, layout)))
    assert rows(file, layout) == [tuple(score) for score in SCORES]


def test_a_ranking_has_runs_in_the_place_of_documents(tmp_path: Path) -> None:
    file = tmp_path / "scores"
    file.write_text("1 Q0 a 1 0.5 P@10\nall Q0 a 1 .5 P@10\n")
    assert rows(file, "ranking") == [("a", "1", "P@10", 0.5), ("a", None, "P@10", 0.5)]


def test_a_folder_has_a_file_for_each_run_named_by_its_line_or_itself(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_text("runid all best\nmap 1 0.5\nmap all 0.5\n")
    (tmp_path / "y.eval").write_text("map 1 0.25\n")
    (tmp_path / ".hidden").write_text("no scores")
    assert rows(tmp_path, "trec_eval") == [
        ("best", "1", "map", 0.5),
        ("best", None, "map", 0.5),
        ("y.eval", "1", "map", 0.25),
    ]


def test_what_ir_measures_prints_is_of_the_run_that_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qrels").write_text("1 0 d1 1\n2 0 d2 1\n")
    (tmp_path / "run").write_text("1 Q0 d1 1 2.0 bm25\n2 Q0 d1 1 2.0 bm25\n2 Q0 d2 2 1.0 bm25\n")
    (tmp_path / "boards").mkdir()
    for name, words in (("bm25", ["-q"]), ("means", [])):
        monkeypatch.setattr(
            "sys.argv", ["", *map(str, (tmp_path / "qrels", tmp_path / "run")), "RR P@1", *words]
        )
        main_cli()
        (tmp_path / "boards" / name).write_text(capsys.readouterr().out)
    assert set(rows(tmp_path / "boards", "ir_measures-cli")) == {
        ("bm25", "1", "RR", 1.0), ("bm25", "2", "RR", 0.5), ("bm25", None, "RR", 0.75),
        ("bm25", "1", "P@1", 1.0), ("bm25", "2", "P@1", 0.0), ("bm25", None, "P@1", 0.5),
        ("means", None, "RR", 0.75), ("means", None, "P@1", 0.5),
    }  # fmt: skip


def test_a_folder_without_files_or_with_a_score_twice_is_refused(tmp_path: Path) -> None:
    with refused(InputError):
        read_leaderboard(tmp_path, "tot")
    for name in ("x", "y"):
        (tmp_path / name).write_text("a P 1 0.5\n")
    with refused(InputError, "'a'", "'1'"):
        read_leaderboard(tmp_path, "tot")


@pytest.mark.parametrize("value", ["x", "nan", "inf", "1e999", "0,5", "0x1"])
def test_a_score_is_a_number(value: str, tmp_path: Path) -> None:
    file = tmp_path / "scores"
    file.write_text(f"a 1 P 0.5\nb 1 P {value}\n")
    with refused(InputError, "scores:2", value):
        read_leaderboard(file, "ir_measures")


def test_wrong_columns_and_repeated_scores_are_named_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "scores"
    file.write_text("a 1 P 0.5\na 2 P\na 1 P 0.5\n")
    with refused(InputError, "scores:2", "scores:3", "line 1"):
        read_leaderboard(file, "ir_measures")


def test_json_lines_need_their_fields_and_numbers(tmp_path: Path) -> None:
    file = tmp_path / "scores"
    good = '{"run_id": "a", "topic_id": 7, "measure": "P", "value": 1}\n'
    file.write_text(good)
    assert rows(file, "jsonl") == [("a", "7", "P", 1.0)]
    file.write_text(good + good.replace("7", "8").replace("1}", "NaN}") + '{"run_id": "b"}\n' + good)
    with refused(InputError, "scores:2", "scores:3", "scores:4"):
        read_leaderboard(file, "jsonl")


@pytest.mark.parametrize("layout", READ)
def test_a_file_that_is_empty_or_is_something_else_is_refused(layout: str, tmp_path: Path) -> None:
    for number, data in enumerate((b"", b"\n\n", b"%PDF-1.7", b"\xff\xfe1\x00", b"a\n")):
        file = tmp_path / str(number)
        file.write_bytes(data)
        with pytest.raises(InputError):
            read_leaderboard(file, layout)
