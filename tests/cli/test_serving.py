"""serve and demo hand over what they were told, and refuse what cannot be served."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.release.backups.rotation import Schedule
from workbench.web.server.serving import Address


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the server was asked to serve, instead of serving it."""
    calls: list[tuple[Any, ...]] = []

    def note(instance: Path, campaigns: list[Path] | None, **options: Any) -> None:
        calls.append((instance, campaigns, options))

    monkeypatch.setattr("workbench.web.server.serving.serve", note)
    return calls


@pytest.mark.parametrize(
    ("words", "option", "value"),
    [
        (
            "small --port 8000 --no-open --allow-host judging.example.org --secure",
            "address",
            Address("127.0.0.1", 8000, ("judging.example.org",), True, False),
        ),
        ("small --host 0.0.0.0 --insecure", "address", Address("0.0.0.0", insecure=True)),
        ("--no-open", "open_browser", False),
        ("--log-requests", "log_requests", True),
        ("", "log_requests", False),
        ("", "backups", None),
        ("--backups kept", "backups", Schedule(Path("kept"))),
        (
            "--backups kept --backup-every 0.5 --keep 7",
            "backups",
            Schedule(Path("kept"), timedelta(minutes=30), 7),
        ),
    ],
)
def test_what_was_asked_for_is_handed_over(
    done: Workbench, served: list[tuple[Any, ...]], words: str, option: str, value: object
) -> None:
    done(f"serve {words}")
    ((instance, campaigns, options),) = served
    named = [Path("instance/small.db")] if "small" in words else None
    assert (instance, campaigns, options[option]) == (Path("instance"), named, value)


def test_organisers_need_a_second_factor_where_that_is_said_else_where_tls_is(
    done: Workbench, served: list[tuple[Any, ...]]
) -> None:
    for options in ("", "--second-factor required", "--second-factor optional --secure"):
        done(f"serve {options}")
    assert [options["operated"].second_factor for _, _, options in served] == [None, True, False]


def test_products_of_matrices_start_no_threads_beside_those_of_requests(
    done: Workbench, served: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("MKL_NUM_THREADS", "4")
    done("serve small")
    assert (os.environ["OPENBLAS_NUM_THREADS"], os.environ["MKL_NUM_THREADS"]) == ("1", "4")
    # It is said in time: the library reads it when numpy is imported.
    script = "import sys, workbench.cli.main, workbench.cli.serving; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_campaign_that_does_not_exist_stops_the_server(fails: Fails, served: list[tuple[Any, ...]]) -> None:
    result = fails("serve small missing")
    assert served == []
    assert "workbench new missing" in result


def test_a_port_in_use_is_a_clear_error(workbench: Workbench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = workbench("serve small --no-open --port", str(taken.getsockname()[1]))
    assert result.exit_code == 1
    assert says(result.stderr)


def test_others_are_served_with_accounts_alone_and_without_tls_only_when_it_is_said(
    fails: Fails, done: Workbench
) -> None:
    command = "serve small --no-open --host 0.0.0.0 --port 0"
    assert says(fails(command))
    done("user add anna", given="correct horse\ncorrect horse\n")
    assert "without TLS" in fails(command)


def test_the_demo_serves_its_own_campaign(
    done: Workbench, served: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bool] = []

    def ready(folder: Path, *, fresh: bool, progress: Callable[[int, int, str], None]) -> Path:
        made.append(fresh)
        progress(1, 1, "ready")
        return folder / "demo.db"

    monkeypatch.setattr("workbench.cli.demo.campaign.ready_demo", ready)
    shown = done("demo --fresh --no-open").stdout
    assert says(shown)
    assert made == [True]
    assert served[0][1] == [Path("instance/demo.db")]
    assert served[0][2]["demo"]


def test_the_tour_serves_a_second_campaign_and_lists_its_pages(
    done: Workbench, served: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ready(name: str) -> Callable[..., Path]:
        return lambda folder, *, fresh, progress: folder / f"{name}.db"

    monkeypatch.setattr("workbench.cli.demo.campaign.ready_demo", ready("demo"))
    monkeypatch.setattr("workbench.cli.demo.judged.ready_judged", ready("judged"))
    shown = done("demo --tour --no-open --port 8000").stdout
    assert "1. http://127.0.0.1:8000/c/judged/board " in shown
    assert served[0][1] == [Path("instance/demo.db"), Path("instance/judged.db")]


def test_the_campaign_of_answers_is_served_too_and_its_pages_are_listed(
    done: Workbench, served: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ready(name: str) -> Callable[..., Path]:
        return lambda folder, *, fresh, progress: folder / f"{name}.db"

    monkeypatch.setattr("workbench.cli.demo.campaign.ready_demo", ready("demo"))
    monkeypatch.setattr("workbench.cli.demo.answers.ready_answers", ready("answers"))
    shown = done("demo --answers --no-open --port 8000").stdout
    assert "1. http://127.0.0.1:8000/c/answers/judge?topic=205!nuggets " in shown
    assert says(shown.splitlines()[0])
    assert served[0][1] == [Path("instance/demo.db"), Path("instance/answers.db")]
