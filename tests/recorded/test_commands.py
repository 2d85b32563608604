"""What each command that only reads prints of the eventful campaign."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.recorded.conftest import AsRecorded
from workbench.cli import main

COMMANDS = """
topics C
runs C
score C
compare C sys0 sys1
compare C sys0 sys1 --topic 1
compare C --against-measure P@5
certain C
certain C --history
certain C --witness sys0 sys1
stop C
stop C --pairs
reuse C
assessors C
agreement C
agreement C -m AP
conflicts C
rule C
round C
repeats C
audit C
export scores C
export latex C
assign list C
member list C
""".strip().splitlines()

OF_TASK = """
submissions C
set C
assign again C
broken C
warnings C
export hours C
runs C
topics C
member list C
audit C
score C --as-of 2026-03-03T09:08
""".strip().splitlines()


@pytest.mark.usefixtures("eventful")
@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_prints_what_it_printed(as_recorded: AsRecorded, words: str) -> None:
    compare(as_recorded, words, "eventful", "commands")


@pytest.mark.parametrize("words", OF_TASK)
def test_a_command_prints_of_a_task_under_way_what_it_printed(
    eventful: Path, task: Path, as_recorded: AsRecorded, words: str
) -> None:
    shutil.copy(task, eventful.with_name("task.db"))
    compare(as_recorded, words, "task", "commands_of_task")


def compare(as_recorded: AsRecorded, words: str, campaign: str, folder: str) -> None:
    done = CliRunner().invoke(main, words.replace(" C", f" {campaign}", 1).split(), catch_exceptions=False)
    name = re.sub(r"[^a-z0-9.-]+", "_", words.replace(" C", "", 1), flags=re.IGNORECASE)
    as_recorded(f"{folder}/{name}.txt", f"{done.output}exit status {done.exit_code}\n")
