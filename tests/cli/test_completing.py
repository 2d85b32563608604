"""What the shell completes: commands, options, and the names of campaigns, measures, runs and figures."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from tests.cli.commands import leaves
from workbench.cli import completing
from workbench.cli.main import main

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture(autouse=True)
def _attached() -> None:
    completing.attach(main)


def completed(line: str) -> list[str]:
    """What the shell offers for the last word of a line, "" if the line ends in a blank."""
    *words, begun = line.split(" ")
    found = ShellComplete(main, {}, "workbench", "_WORKBENCH_COMPLETE").get_completions(words, begun)
    return [item.value if item.type == "plain" else f"({item.type})" for item in found]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sc", ["score"]),
        ("member li", ["list"]),
        ("score --for", ["--format"]),
        ("score small --format j", ["json"]),
        ("score s", ["small"]),
        ("serve s", ["small"]),
        ("check alpha.run --campaign s", ["small"]),
        ("member add s", ["small"]),
        ("simulate s", ["small"]),
        ("score x", ["(file)"]),
        ("score small -m nDCG@10", ["nDCG@10", "nDCG@100", "nDCG@1000"]),
        ("eval -m infA", ["infAP"]),
        ("compare small --against-measure RP", []),
        ("compare small ", ["alpha", "beta"]),
        ("compare small alpha b", ["beta"]),
        ("compare small alpha --baseline b", ["beta"]),
        ("withdraw small al", ["alpha"]),
        ("certain small --witness a", ["alpha"]),
        ("export runs small --run a", ["alpha"]),
        ("compare missing ", []),
        ("plot s", ["small"]),
        ("plot small topic-sc", ["topic-scores"]),
        ("plot small topic-scores r", ["run=", "round="]),
        ("plot small topic-scores run=b", ["run=beta"]),
        ("plot small topic-scores measure=nDCG@5", ["measure=nDCG@5", "measure=nDCG@50"]),
    ],
)
def test_words_are_completed(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


def test_every_command_that_is_about_a_campaign_completes_its_name() -> None:
    without = [
        name
        for name, command in leaves()
        for parameter in command.params
        if parameter.name in ("campaign", "campaigns") and parameter._custom_shell_complete is None
    ]
    assert without == ["new", "release import-bundle"]


def test_the_campaign_may_be_of_another_folder_and_any_file(folder: Path) -> None:
    (folder / "instance").rename(folder / "elsewhere")
    assert completed("score --instance elsewhere s") == ["small"]
    assert completed("compare --instance elsewhere small b") == ["beta"]
    Path("notes.db").write_text("no database", encoding="utf-8")
    assert completed("compare ./notes.db ") == []


def test_a_view_in_the_place_of_the_log_reaches_nothing_of_the_database(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "notes.db")) as connection:
        run = "'run' AS kind, json_object('run', 1, 'tag', name) AS content, 1 AS seq"
        connection.execute(f"CREATE VIEW event AS SELECT {run} FROM pragma_database_list")
        assert connection.execute("SELECT content ->> '$.tag' FROM event").fetchall() == [("main",)]
    assert completed("compare ./notes.db ") == []


def test_a_file_is_looked_at_and_left_as_it_is(folder: Path) -> None:
    file = folder / "instance" / "small.db"
    before = file.read_bytes()
    assert completed("compare small b") == ["beta"]
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["small.db"]


def test_a_shell_asks_the_program_itself(folder: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", "from workbench.cli.main import main; main(prog_name='workbench')"],
        env={
            "_WORKBENCH_COMPLETE": "bash_complete",
            "COMP_WORDS": "workbench compare small a",
            "COMP_CWORD": "3",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.stdout, answer.stderr) == ("plain,alpha\n", "")
