"""The page for a team: its file, what is wrong, where, how to mend it; nothing of others, and nothing that runs."""

from __future__ import annotations

from html import unescape
from pathlib import Path

from tests.sentences import says
from workbench.campaign.ingest import RunOptions, check_runs
from workbench.campaign.ingest.check_report import from_content
from workbench.campaign.ingest.file_checks import FileCheck
from workbench.core.results import content
from workbench.release.check_page import check_page


def checked(folder: Path, **files: str) -> tuple[FileCheck, ...]:
    names = {}
    for name, text in files.items():
        (path := folder / name).write_text(text, encoding="utf-8")
        names[str(path)] = f"{name}.run"
    return check_runs(list(names), options=RunOptions(display_names=names, all_or_nothing=False)).checks


def test_it_says_what_is_wrong_where_and_how_to_mend_it(tmp_path: Path) -> None:
    lines = "".join(f"1 Q0 d{number} 1 3 a\n" for number in range(40))
    page = unescape(check_page(checked(tmp_path, a=lines * 2), title="CLEF 2018"))
    for text in (
        "CLEF 2018",
        "1 file: refused",
        "40 documents listed twice",
        "List each document once for each topic.",
        "document 'd0' is listed twice in topic '1', first at line 1; keep one of the two lines",
        "document 'd24' is listed twice in topic '1', first at line 25</td>",
        "15 more, at lines 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80</p>",
    ):
        assert text in page, text
    assert page.count("keep one of the two lines") == 1


def test_of_very_many_lines_the_first_hundred_are_named(tmp_path: Path) -> None:
    lines = "".join(f"1 Q0 d{number} 1 3 a\n" for number in range(101))
    assert "76 more, at lines 127, " in (page := check_page(checked(tmp_path, a=lines * 2)))
    assert " 201, …</p>" in page


def test_it_says_which_run_a_file_holds_and_names_none_of_another_team(tmp_path: Path) -> None:
    run, none = checked(tmp_path, a="1 Q0 d1 1 3 a\n2 Q0 d1 1 3 a\n2 Q0 d2 2 2 a\n", b="no run\n")
    assert "run a, 2 topics, 3 lines" in check_page([run])
    assert "topics, " not in check_page([none])
    assert "lines" not in check_page([none])
    same = "1 Q0 d1 1 3 {}\n"
    files = {"secret": same.format("secret"), "mine": same.format("mine"), "taken": "1 Q0 x 1 3 secret\n"}
    _, mine, taken = checked(tmp_path, **files)
    assert "'secret'" in mine.warnings[0].message
    assert "secret" not in check_page([mine])
    assert says(check_page([mine]))
    assert "1 more" not in check_page([mine])
    assert "(from secret.run)" in taken.problems[0].message
    assert "secret.run" not in check_page([taken])


def test_what_a_file_holds_is_escaped(tmp_path: Path) -> None:
    (check,) = checked(tmp_path, a="1 Q0 <script>x</script> 1 3 a\n" * 2)
    page = check_page([check._replace(file="<img src=x>.run")], title="<b>")
    assert "<script>" not in page
    assert "<img" not in page
    assert "&lt;b&gt;" in page


def test_a_report_is_the_same_after_it_was_kept(tmp_path: Path) -> None:
    import json

    checks = checked(tmp_path, a="1 Q0 d 0 3 a\n" * 2, fine="1 Q0 d 1 3 b\n", bad="")
    assert [(check.file, check.verdict) for check in checks] == [
        ("a.run", "refused"),
        ("fine.run", "fine"),
        ("bad.run", "refused"),
    ]
    assert tuple(from_content(json.loads(json.dumps(content(check)))) for check in checks) == checks
