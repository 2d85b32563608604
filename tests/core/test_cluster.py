"""Where other processes are to do the work and cannot; with real ones: tests/scoring/evaluation/test_on_cluster.py."""

from __future__ import annotations

import io
import logging
import sys

import pytest
from click.testing import CliRunner

from tests.clusters import workers
from workbench.cli import main
from workbench.core.cluster import Task, Workers, cluster, in_order
from workbench.core.errors import ClusterError, Problem


def test_without_dask_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ClusterError, match=r"install it: pip install 'relevance-workbench\[distributed\]'"),
        cluster(Workers(number=2)),
    ):
        pass


def test_logs_have_the_name_of_a_task_and_not_what_it_was_given() -> None:
    assert repr([Task("s3://bucket/a.run", "s3://KEY:SECRET@bucket/a.run")]) == "[s3://bucket/a.run]"


def test_processes_here_and_a_scheduler_elsewhere_are_not_used_at_once() -> None:
    words = ["eval", "q", "r", "--workers", "2", "--scheduler", "tcp://h:1"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "give one of the two" in result.stderr


def test_results_and_problems_are_in_the_order_of_the_tasks_whatever_ends_first() -> None:
    missing, empty = (Problem("c.run", None, "is missing"),), (Problem("b.run", 1, "is empty"),)
    found = in_order([(3, "d"), (2, missing), (0, "a"), (1, empty)], str)
    assert found == (["a", "d"], [empty, missing])


@pytest.mark.slow
def test_what_the_library_logs_of_a_worker_that_died_is_not_shown(scheduler: str) -> None:
    distributed = logging.getLogger(pytest.importorskip("distributed").__name__)
    shown = logging.StreamHandler(io.StringIO())
    distributed.addHandler(shown)
    try:
        with workers(scheduler), cluster(Workers(scheduler)):
            distributed.getChild("client").warning("Couldn't gather 1 keys, rescheduling")
        assert shown.stream.getvalue() == ""
        distributed.getChild("client").warning("Afterwards")
        assert shown.stream.getvalue() == "Afterwards\n"
    finally:
        distributed.removeHandler(shown)
