"""The report of a check: a verdict for each file, findings by kind, and what helps once."""

from __future__ import annotations

from pathlib import Path

from tests.sentences import says
from workbench.campaign.ingest import RunOptions, check_runs
from workbench.campaign.ingest.check_report import as_json, report_lines
from workbench.campaign.ingest.file_checks import FileCheck


def checked(folder: Path, **files: str) -> tuple[FileCheck, ...]:
    """The reports on these files, each under its name alone."""
    paths = {}
    for name, text in files.items():
        (path := folder / name).write_text(text, encoding="utf-8")
        paths[str(path)] = f"{name}.run"
    return check_runs(list(paths), options=RunOptions(display_names=paths, all_or_nothing=False)).checks


def test_files_are_named_with_their_verdicts_and_a_hint_is_given_once(tmp_path: Path) -> None:
    twice = "".join(f"1 Q0 d{number} {number} 3 TAG\n" for number in range(1, 11)) * 2
    found = checked(
        tmp_path,
        fine="1 Q0 d1 1 9 fine\n",
        a=twice.replace("TAG", "a"),
        b="1 Q0 d1 1 9 b\n1 Q0 d1 2 8 b\n",
        odd="1 Q0 d2 0 9 odd\n",
    )
    assert says("\n".join([line for line, _ in report_lines(found)]))
    assert [refuses for _, refuses in report_lines(found)] == [False, *[True] * 7, False, False, *[True] * 3]


def test_the_lines_of_further_findings_end_where_all_are_named(tmp_path: Path) -> None:
    twice = "".join(f"1 Q0 d{number} {number} 3 a\n" for number in range(1, 9)) * 2
    lines = [line for line, _ in report_lines(checked(tmp_path, a=twice))]
    assert "  and 5 more of these, at lines 12, 13, 14, 15, 16" in lines


def test_programs_get_each_kind_with_its_count_and_its_first_places(tmp_path: Path) -> None:
    lines = "".join(f"1 Q0 d{number} 1 high a\n" for number in range(40))
    (report,) = as_json(checked(tmp_path, a=lines + "1 Q0 x\n"))
    assert list(report) == ["file", "verdict", "problems", "counts"]
    assert (report["verdict"], report["counts"]) == ("refused", {"columns": 1, "score": 40})
    assert [problem["line"] for problem in report["problems"]] == [41, *range(1, 26)]
    assert set(report["problems"][0]) == {"line", "kind", "message"}
