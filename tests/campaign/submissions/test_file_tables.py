"""A table names many run files with team, tag, priority and depth; what is wrong with it is said by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submissions.file_tables import files_of_table, senders_of_table
from workbench.core.errors import InputError
from workbench.formats.text.content import Content, content_of


def table(text: str) -> Content:
    return content_of("runs.csv", text.encode())


def refused(text: str, *names: str) -> list[str]:
    with pytest.raises(InputError) as error:
        senders_of_table(table(text), names, Sender())
    return [str(problem) for problem in error.value.problems]


def test_files_are_found_beside_the_table_and_have_their_own_team(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    for name in ("a.run", "b.run"):
        (tmp_path / "runs" / name).write_text("")
    path = tmp_path / "runs.csv"
    path.write_text("file;team;tag;priority;depth;note\nruns/a.run;Δελφοί;a1;1;50;x\nruns/b.run;;;;;\n")
    found = files_of_table(str(path), Sender("Athens", contributes=False))
    first, second = (str(tmp_path / "runs" / name) for name in ("a.run", "b.run"))
    assert found.paths == (first, second)
    assert found.senders == {
        first: Sender("Δελφοί", False, tag="a1", priority=1, depth=50),
        second: Sender("Athens", False),
    }


def test_a_missing_file_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("")
    path = tmp_path / "runs.csv"
    path.write_text("file,team\na.run,A\nno.run,A\n../no.run,B\n./a.run,B\n")
    with pytest.raises(InputError) as error:
        files_of_table(str(path), Sender())
    messages = [(problem.line, problem.message) for problem in error.value.problems]
    assert messages == [
        (3, f"there is no file 'no.run' in {tmp_path}; correct the name"),
        (4, f"there is no file '../no.run' in {tmp_path}; correct the name"),
        (5, "the file './a.run' is that of line 2 by another name; keep one of the two lines"),
    ]


def test_two_teams_for_one_run_are_named_with_both_lines() -> None:
    assert refused("file,team\na.run,A\na.run,B\n", "a.run") == [
        "runs.csv:3: file 'a.run' is listed twice, first at line 2 with team 'A', here with 'B'; "
        "keep the line of the right team"
    ]


def test_all_that_is_wrong_is_said_at_once() -> None:
    text = "file,tag,priority\na.run,x,first\n,y,1\nb.run,x,2\nc.run,z,\n"
    assert refused(text, "a.run", "b.run", "c.run") == [
        "runs.csv:2: priority 'first' is not a whole number; write it like 50, or leave the cell empty",
        "runs.csv:3: the file is missing; write its name",
        "runs.csv:4: run 'x' is listed twice, first at line 2; keep one of the two lines",
    ]
    assert refused("tag,team\na,A\n") == [
        "runs.csv:1: the first line names no column file; write a line of names such as "
        "file,team,tag,priority,depth above"
    ]


def test_the_files_that_were_sent_are_those_of_the_table() -> None:
    assert refused("file,team\na.run,A\n../../etc/passwd,B\n", "a.run", "c.run", "c.run") == [
        "runs.csv:3: the file '../../etc/passwd' was not sent (sent: a.run, c.run, c.run); send it too, or correct "
        "the name",
        "runs.csv: two of the files that were sent are called 'c.run'; rename one of them",
        "runs.csv: no line names the file 'c.run', which was sent; add a line, or send it without the table",
    ]
    assert senders_of_table(table("file\na.run\n"), ["a.run"], Sender("A")) == {"a.run": Sender("A")}
