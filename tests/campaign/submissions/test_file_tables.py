"""A table names many run files with team, tag, priority and depth; what is wrong with it is said by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import says
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submissions.file_tables import files_of_table, senders_of_table
from workbench.core.errors import InputError
from workbench.formats.text.content import Content, content_of


def table(text: str) -> Content:
    return content_of("runs.csv", text.encode())


def refusals(text: str, *names: str) -> list[str]:
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
    assert list(found.items()) == [
        (first, Sender("Δελφοί", False, tag="a1", priority=1, depth=50)),
        (second, Sender("Athens", False)),
    ]


def test_a_missing_file_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("")
    path = tmp_path / "runs.csv"
    path.write_text("file,team\na.run,A\nno.run,A\n../no.run,B\n./a.run,B\n")
    with pytest.raises(InputError) as error:
        files_of_table(str(path), Sender())
    assert [problem.line for problem in error.value.problems] == [3, 4, 5]
    assert says("\n".join(problem.message for problem in error.value.problems), "'../no.run'", "'./a.run'")


def test_two_teams_for_one_run_are_named_with_both_lines() -> None:
    assert says("\n".join(refusals("file,team\na.run,A\na.run,B\n", "a.run")))


def test_all_that_is_wrong_is_said_at_once() -> None:
    text = "file,tag,priority\na.run,x,first\n,y,1\nb.run,x,2\nc.run,z,\n"
    assert says("\n".join(refusals(text, "a.run", "b.run", "c.run")))
    assert says("\n".join(refusals("tag,team\na,A\n")))


def test_the_files_that_were_sent_are_those_of_the_table() -> None:
    assert says("\n".join(refusals("file,team\na.run,A\n../../etc/passwd,B\n", "a.run", "c.run", "c.run")))
    for text in ("file\na.run\n", '{"file": "a.run"}\n'):
        assert senders_of_table(table(text), ["a.run"], Sender("A")) == {"a.run": Sender("A")}
