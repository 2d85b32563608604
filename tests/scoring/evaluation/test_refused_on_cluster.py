"""Files that workers cannot read: the words of one machine, exit status 1, and nothing printed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clusters import LIMIT, outcome, reader_of, running, workers
from tests.scoring.evaluation.test_parts import made
from tests.sentences import says
from tests.stores import bucket_of
from tests.stores import fill as fill_store

pytestmark = pytest.mark.slow

Change = Callable[[], None]


def evaluated(*words: str, **environment: str) -> tuple[str, str, int]:
    return outcome(running("eval", "-q", "-m", "all_trec", "--format", "csv", *words, **environment))


def while_listed(store: dict[str, str], qrels: str, change: Change, *words: str) -> tuple[str, str, int]:
    """The outcome of a command between whose listing of a bucket and whose reading something changes."""
    content = Path(qrels).read_bytes()
    Path(qrels).unlink()
    os.mkfifo(qrels)  # qrels are read after the listing and before the runs, and a reader waits for a writer
    begun = running("eval", "-q", "-m", "AP", "--format", "csv", *words, qrels, "s3://runs/*", **store)
    written = reader_of(qrels)
    change()
    os.write(written, content)
    os.close(written)
    found = outcome(begun)
    Path(qrels).unlink()
    Path(qrels).write_bytes(content)
    return found


def test_what_changes_in_a_bucket_after_it_was_listed_is_read_as_it_is_then_and_what_comes_is_not(
    scheduler: str, store: dict[str, str], tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path)
    files = {Path(run).name: Path(run).read_bytes() for run in runs}
    changes: dict[str, tuple[int, Change]] = {
        "one leaves": (1, lambda: bucket_of(store).rm("runs/run3")),
        "a better run": (0, lambda: fill_store(store, {"run2": files["run4"]})),
        "no run": (1, lambda: fill_store(store, {"run2": b"9 Q0 d1 0 x t\n"})),
        "one comes": (0, lambda: fill_store(store, {"run2-new": b"this is no run"})),
    }
    with workers(scheduler, **store):
        for name, (status, change) in changes.items():
            fill_store(store, files)
            alone = while_listed(store, qrels, change)
            assert (alone[2], "new" in alone[0], bool(alone[0])) == (status, False, status == 0), name
            if name == "one leaves":
                assert alone[1] == "s3://runs/run3: this file does not exist; check the address\n"
            fill_store(store, files)
            if name == "one comes":
                bucket_of(store).rm("runs/run2-new")
            assert while_listed(store, qrels, change, "--scheduler", scheduler) == alone, name
    assert evaluated("s3://runs/run2-new", "s3://runs/run0", **store)[2] == 1


def test_a_worker_without_credentials_says_so_and_shows_none(
    scheduler: str, store: dict[str, str], tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path)
    fill_store(store, {"a.run": Path(runs[0]).read_bytes()})
    without = {**store, "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "HOME": str(tmp_path)}
    alone = evaluated(qrels, "s3://runs/a.run", **without)
    assert (alone[0], alone[2]) == ("", 1)
    assert says(alone[1], "s3://runs/a.run: ")
    with workers(scheduler, **without):
        # The command itself has them: each machine reads with its own.
        assert evaluated("--scheduler", scheduler, qrels, "s3://runs/a.run", **store) == alone


def test_credentials_in_an_address_are_not_shown_by_workers_either(
    scheduler: str, web: str, tmp_path: Path
) -> None:
    qrels, runs = made(tmp_path)
    words = [
        qrels,
        f"http://anna:geheim@{web}/denied?sig=geheim",
        f"http://anna:geheim@{web}/cut?sig=geheim",
        runs[0],
    ]
    alone = evaluated(*words)
    assert (alone[0], alone[2]) == ("", 1)
    assert [line.split(": ")[0] for line in alone[1].splitlines()] == [
        f"http://...@{web}/denied...",
        f"http://...@{web}/cut...",
    ]
    assert "geheim" not in alone[1]
    with workers(scheduler):
        assert evaluated("--scheduler", scheduler, *words) == alone


def test_a_worker_that_may_not_read_a_file_says_so(scheduler: str, tmp_path: Path) -> None:
    qrels, runs = made(tmp_path)
    Path(runs[1]).chmod(0)
    words = [sys.executable, "-m", "tests.without_rights", "workbench", "eval", qrels, *runs]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LIMIT)
    refused = f"{runs[1]}: it may not be read or written; check its permissions"
    assert (ended.stdout, ended.returncode) == ("", 1)
    assert ended.stderr.splitlines()[0] == refused
    with workers(scheduler, by="tests.without_rights"):
        printed, said, status = evaluated("--scheduler", scheduler, qrels, *runs)
    assert (printed, said, status) == ("", f"{refused}\n", 1)
