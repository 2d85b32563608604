"""Where other processes are to do the work and cannot; with real ones: tests/scoring/evaluation/test_on_cluster.py."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from workbench.cli import main
from workbench.core.cluster import Task, Workers, cluster
from workbench.core.errors import ClusterError


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
