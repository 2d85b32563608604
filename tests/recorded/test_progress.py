"""The bars that commands show on a terminal once they take long: what each is called, and how many of its steps are
done by its end. How many pages a file has is left to SQLite.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest
from rich import progress

from tests.recorded.conftest import AsRecorded
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import make_pool_of, retire_pool_of
from workbench.campaign.searching import Query, pool_found, search_texts
from workbench.cli import campaigns
from workbench.cli.main import main
from workbench.release.archive_jobs import make_bundle, make_sheets
from workbench.release.bundle.writing import BundleOptions
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.opening.damage import forget
from workbench.storage.campaign.opening.in_worker import work_on

FILES = {
    "more.run": "1 Q0 doc-7 1 3 more\n2 Q0 doc-35 1 3 more\n",
    "more.jsonl": '{"id": "doc-7", "text": "another text"}\n',
    "more.qrels": "1 0 doc-7 1\n",
}

COMMANDS = """
topics C
score C
compare C sys0 sys1 --permutations 200
compare C --all --permutations 200
reuse C
certain C
certain C --history
stop C
assessors C
agreement C
agreement C --by pair
agreement C -m AP
conflicts C -m P@1
warnings C
pool C --depth 3 --dry-run
pool C --depth 3
pool C --strategy mtf --depth 5 --budget 20
add runs C more.run
add documents C more.jsonl
add qrels C more.qrels --assessor earlier --yes
search C 1 river
export judgments C -o x
export rationales C -o x
export pool C -o x
export pool C --format csv -o x
export qrels C -o x
export scores C -o x
export topic-scores C -o x
export latex C -o x
export runs C -o x
export hours C -o x
report C -o sheets --format html
bundle C -o x.zip --runs
import-bundle other x.zip
member export C anna -o x
simulate more.qrels more.run --strategy depth --depth 3
simulate C --strategy depth --strategy mtf --depth 3
backup C x.db
restore third x.db
""".strip().splitlines()


PAGES = re.compile(r"^(Checking the file|Copying): (\d+) of \2 ", re.MULTILINE)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Bar:
    """Takes the place of rich's bar, and keeps what it is called and how far it is, in the order of the bars."""

    begun: ClassVar[list[Bar]] = []

    def __init__(self, *columns: object, **options: object) -> None:
        self.called: list[str] = []
        self.done, self.total = 0, None

    def __enter__(self) -> Self:
        self.begun.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def add_task(self, what: str, total: int | None) -> None:
        self.called, self.total = [what], total

    def advance(self, task: None, steps: int) -> None:
        self.done += steps

    def update(self, task: None, *, completed: int, total: int | None, description: str) -> None:
        self.called.append(description)
        self.done, self.total = completed, total

    def __str__(self) -> str:
        of_all = "" if self.total is None else f" of {self.total}"
        last = f", last {self.called[-1]!r}" if self.called[1:] else ""
        return f"{self.called[0]}: {self.done}{of_all} at its end{last}\n"


def test_bars_are_called_as_they_were_and_are_full_at_their_end(
    eventful: Path, as_recorded: AsRecorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(campaigns, "LATE", -1.0)
    monkeypatch.setattr(progress, "Progress", Bar)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    written = []
    for line in COMMANDS:
        forget(eventful)  # else it was checked by another command of this process
        monkeypatch.setattr(sys, "stderr", Terminal())
        monkeypatch.setattr(Bar, "begun", [])
        main(shlex.split(line.replace(" C", " eventful", 1)), standalone_mode=False)
        written.append(f"$ workbench {line}\n{''.join(map(str, Bar.begun))}")
    as_recorded("progress.txt", PAGES.sub(r"\1: all pages ", "".join(written)))


def test_jobs_begin_with_no_step_done_and_say_what_they_do_as_they_did(
    eventful: Path, as_recorded: AsRecorded
) -> None:
    written: list[str] = []

    def on_step(done: int, total: int | None, what: str) -> None:
        written.append(f"{done} of {total}: {what}\n")

    with open_campaign(eventful) as campaign:
        then, by_otto = campaign.at(log.newest_seq(campaign)), campaign.by("Otto")
        target = eventful.with_name("archive.zip")
        written.append("search\n")
        search = search_texts(campaign, Query("1", "river", limit=99), on_step=on_step)
        written.append("pool what was found\n")
        new = next(each.document_id for each in search.found if not each.pooled)
        work_on(by_otto, pool_found, search, [new]).do(on_step)
        written.append("pool\n")
        planned: dict[str, Any] = {"strategy": "depth", "depth": 6}
        new_pairs = plan_pool(campaign, **planned).at_depth.new
        made = work_on(by_otto, make_pool_of, planned, {}, new_pairs).do(on_step)
        written.append("retire a pool\n")
        work_on(by_otto, retire_pool_of, made.pool, "by mistake").do(on_step)
        written.append(f"sheets: {work_on(then, make_sheets, target, 'html').do(on_step)}\n")
        written.append(f"bundle: {work_on(then, make_bundle, target, BundleOptions()).do(on_step)}\n")
    as_recorded("progress_of_jobs.txt", "".join(written))
