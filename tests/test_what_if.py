"""The page "What if …": its commands are run, each moment on a campaign of its own, and do no harm."""

from __future__ import annotations

import re
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.conftest import ROOT
from tests.judged_pairs import judge_as
from workbench.cli import main
from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign

PAGE = ROOT / "docs" / "use" / "what-if.md"
MOMENTS = {
    text.partition("\n")[0]: text.partition("\n")[2]
    for text in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
}
MOST_LINES = 15
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
BEFORE = {
    "A round was opened by mistake": ["workbench task round robust --open 2"],
    "The server dies": ["workbench campaign backup robust robust-monday.db"],
}
"""What has happened before a moment, besides what every campaign here has."""


def run(line: str) -> str:
    """What a command that succeeds says."""
    done = CliRunner().invoke(main, shlex.split(line)[1:], prog_name="workbench")
    assert done.exit_code == 0, (line, done.output)
    return done.output


def commands_of(moment: str) -> list[str]:
    (block,) = re.findall(r"^```sh\n(.*?)^```", MOMENTS[moment], re.MULTILINE | re.DOTALL)
    return [line for line in block.splitlines() if not line.startswith("workbench serve")]


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the campaign robust: three runs, two of them of team Delft, judged in part by anna and ben."""
    folder = tmp_path_factory.mktemp("task")
    (folder / "topics.tsv").write_text("301\tfrozen rivers\n312\twarm lakes\n")
    (folder / "corrected.tsv").write_text("312\twarm lakes in winter\n")
    texts = "".join(f'{{"id": "d{n}", "text": "The text of document {n}."}}\n' for n in range(1, 10))
    (folder / "documents.jsonl").write_text(texts)
    (folder / "corrected.jsonl").write_text('{"id": "d1", "text": "The whole text of document 1."}\n')
    for tag, first in (("delft1", 1), ("delft2", 2), ("athens", 3)):
        lines = (f"{topic} Q0 d{first + n} {n} {9 - n} {tag}\n" for topic in (301, 312) for n in range(5))
        (folder / f"{tag}.run").write_text("".join(lines))
    with pytest.MonkeyPatch.context() as at:
        at.chdir(folder)
        run('workbench new robust --grades "0:No,1:Highly,2:Partly"')
        run("workbench add topics robust topics.tsv")
        run("workbench add documents robust documents.jsonl --all")
        run("workbench add runs robust delft1.run delft2.run --team Delft")
        run("workbench add runs robust athens.run --team Athens")
        run("workbench pool robust --depth 5")
        with open_accounts(folder / "instance") as accounts:
            for name in ("anna", "ben"):
                add_account(accounts.at(NOW), name, f"a password of {name}")
        for name in ("anna", "ben"):
            run(f"workbench member add robust {name} --role assessor")
        run("workbench assign give robust anna 301 312")
        with open_campaign(folder / "instance" / "robust.db") as campaign:
            judge_as(campaign, "anna", "301", "d1", 1, NOW)
            judge_as(campaign, "anna", "312", "d2", 2, NOW)
    (folder / "delft1.run").write_text("301 Q0 d4 1 9 delft1\n312 Q0 d9 1 9 delft1\n")
    return folder


@pytest.fixture
def at_task(task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder, which commands run in."""
    folder = Path(shutil.copytree(task, tmp_path / "task"))
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_commands_of_a_moment_run_as_they_stand(at_task: Path, moment: str) -> None:
    for line in (*BEFORE.get(moment, ()), *commands_of(moment)):
        run(line)
    run("workbench campaign audit robust")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_is_short_and_says_what_becomes_of_numbers_and_how_to_see_it(moment: str) -> None:
    text = MOMENTS[moment].strip()
    assert len(text.splitlines()) <= MOST_LINES
    assert ["**Published numbers" in text, "**It worked** when" in text] == [True, True]


def test_the_published_scores_stay_as_they_were_after_every_moment(at_task: Path) -> None:
    published = "workbench score robust --as-of {} --format csv"
    with open_campaign(at_task / "instance" / "robust.db") as campaign:
        row = campaign.number("SELECT max(seq) FROM judgment")
    before = run(published.format(row))
    for line in commands_of("A team withdraws") + commands_of("A topic is wrong"):
        run(line)
    assert run(published.format(row)) == before
