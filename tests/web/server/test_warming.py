"""What pages start from is read before somebody asks, and again when runs or pools have changed."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from flask.testing import FlaskClient
from jinja2 import DictLoader, Environment, FunctionLoader

from tests.fixture_types import JudgeAs
from tests.three_rounds import three_rounds
from tests.waiting import wait_until
from workbench.campaign.pools.making import add_pool
from workbench.campaign.rounds import seen_by_name
from workbench.scoring.board import Board, board_of
from workbench.scoring.board import live as boards
from workbench.storage.campaign import Campaign, open_campaign
from workbench.web.requests.connections import Connections
from workbench.web.server import warming
from workbench.web.server.warming import (
    UNUSED,
    Known,
    compile_templates,
    drop_unused,
    keeping_warm,
    warm,
    warm_what_changed,
)


@pytest.fixture
def warmed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the campaigns that were warmed, in their order."""
    names: list[str] = []
    monkeypatch.setattr(warming, "warm", lambda campaign, is_stopped: names.append(campaign.name))
    return names


@pytest.fixture
def held(instance: Path, small: Path) -> Iterator[Connections]:
    held = Connections(instance, [small])
    yield held
    held.close()


def looks(held: Connections, number: int, between: Callable[[], object] = lambda: None) -> None:
    """Look so many times at the campaigns; `between` happens after each."""
    known: Known = {}
    for _ in range(number):
        warm_what_changed(held, known, threading.Event())
        between()


def test_after_warming_the_board_answers_without_reading_rankings(
    small: Path, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        warm(campaign)
        monkeypatch.setattr(boards, "load_scoring", lambda *_: pytest.fail("read again"))
        table = boards.board_of(campaign).table(campaign, ("AP",))
    assert [row.tag for row in table.rows] == ["alpha", "beta"]
    assert isinstance(boards.board_of(campaign), Board)


def test_after_warming_the_board_of_the_open_round_answers_without_reading_rankings_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with three_rounds(tmp_path) as campaign:
        warm(campaign)
        monkeypatch.setattr(boards, "load_scoring", lambda *_: pytest.fail("read again"))
        for part, tags in (("3", ["c3"]), ("all", ["a1", "b1", "a2", "b2", "c3"])):
            seen = seen_by_name(campaign, part)
            table = boards.board_of(seen).table(seen, ("AP",))
            assert [row.tag for row in table.rows] == tags


def test_a_campaign_without_runs_pools_or_judgments_is_passed_over_in_silence(
    instance: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_campaign(instance / "robust.db") as campaign:
        warm(campaign)
    assert caplog.records == []


def test_warming_ends_between_two_steps_when_the_server_stops(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(warming, "STEPS", {step: lambda _, step=step: done.append(step) for step in "abc"})
    with open_campaign(small) as campaign:
        warm(campaign, is_stopped=lambda: len(done) == 2)
    assert done == ["a", "b"]


def test_each_campaign_is_warmed_once_while_nothing_changes_but_judgments(
    held: Connections, small: Path, warmed: list[str], judging_as: JudgeAs
) -> None:
    def judge() -> None:
        with open_campaign(small) as campaign:
            judging_as(campaign, "Ben", "1", "d1", 1)

    looks(held, 3, judge)
    assert warmed == ["small"]


def test_a_pool_that_grows_while_the_server_runs_is_noticed(
    held: Connections, small: Path, warmed: list[str]
) -> None:
    def grow() -> None:
        with open_campaign(small) as campaign:
            add_pool(campaign.by("Anna"), depth=4 + len(warmed))

    looks(held, 3, grow)
    assert warmed == ["small", "small", "small"]


def test_a_file_that_is_no_campaign_keeps_no_other_from_being_warmed(
    instance: Path, small: Path, warmed: list[str]
) -> None:
    (instance / "broken.db").write_text("no database")
    held = Connections(instance, None)
    looks(held, 2)
    held.close()
    assert warmed == ["robust", "small"]


@pytest.mark.parametrize(
    ("most", "after", "kept"),
    [
        (412, UNUSED + 1, {"robust", "small"}),  # robust has no topic yet, so small is the largest
        (411, UNUSED + 1, {"robust"}),
        (411, 0, {"robust", "small"}),
    ],
)
def test_campaigns_beyond_the_bound_lose_what_they_have_not_used_lately(
    instance: Path,
    small: Path,
    warmed: list[str],
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    after: float,
    kept: set[str],
) -> None:
    monkeypatch.setattr(warming, "MOST_DOCUMENTS", most)
    held, known = Connections(instance, None), Known()
    warm_what_changed(held, known, threading.Event())
    with open_campaign(instance / "robust.db") as robust, open_campaign(small) as other:
        before = {campaign.name: board_of(campaign) for campaign in (robust, other)}
        drop_unused(known, now=monotonic() + after)
        assert {it.name for it in (robust, other) if board_of(it) is before[it.name]} == kept
    held.close()


def test_pages_are_the_same_after_what_they_kept_was_dropped(
    anna: FlaskClient, small: Path, held: Connections, judging_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pages() -> list[str]:
        found = [
            anna.get(f"/c/small/{page}").get_data(as_text=True)
            for page in ("topics", "runs", "pool", "board.csv", "api/board")
        ]
        return [
            re.sub(r'(?<=csrf-token" content=")[^"]+|(?<=csrf_token" value=")[^"]+', "", it) for it in found
        ]

    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        known = Known()
        warm_what_changed(held, known, threading.Event())
        before, board = pages(), board_of(campaign)
        monkeypatch.setattr(warming, "MOST_DOCUMENTS", 0)
        drop_unused(known, now=monotonic() + UNUSED + 1)
        assert pages() == before
        assert board_of(campaign) is not board


def test_templates_are_compiled_before_a_page_needs_them() -> None:
    templates = Environment(loader=DictLoader({"a.html": "A", "b.html": "B", "c.txt": "C"}))
    compile_templates(templates)
    assert templates.cache is not None
    assert sorted(template.name for template in templates.cache.values()) == ["a.html", "b.html"]


def test_the_thread_ends_with_the_block(held: Connections, warmed: list[str]) -> None:
    before = set(threading.enumerate())
    templates = Environment(loader=DictLoader({"a.html": "A"}))
    with keeping_warm(held, templates):
        (thread,) = set(threading.enumerate()) - before
        wait_until(lambda: warmed == ["small"])
        assert thread.is_alive()
    assert not thread.is_alive()
    assert templates.cache is not None
    assert [template.name for template in templates.cache.values()] == ["a.html"]


def test_compiling_ends_between_two_templates_when_the_server_stops() -> None:
    asked = []

    def load(name: str) -> str:
        asked.append(name)
        return "x"

    templates = Environment(loader=FunctionLoader(load), autoescape=True)
    templates.list_templates = lambda *_, **__: ["a.html", "b.html", "c.html"]  # type: ignore[method-assign]
    compile_templates(templates, is_stopped=lambda: len(asked) == 2)
    assert asked == ["a.html", "b.html"]


def test_a_campaign_that_cannot_be_warmed_keeps_no_other_from_it(
    instance: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []

    def fails_first(campaign: Campaign, is_stopped: object) -> None:
        names.append(campaign.name)
        if len(names) == 1:
            raise RuntimeError("odd")

    monkeypatch.setattr(warming, "warm", fails_first)
    held, known = Connections(instance, None), Known()
    with pytest.raises(RuntimeError, match="odd"):
        warm_what_changed(held, known, threading.Event())
    warm_what_changed(held, known, threading.Event())
    held.close()
    assert names == ["robust", "small"]


def test_a_campaign_that_is_gone_is_passed_over(
    held: Connections, small: Path, warmed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held, "paths", lambda: {"gone": small.with_name("gone.db"), "small": small})
    looks(held, 3)
    assert warmed == ["small"]


@pytest.mark.parametrize(
    ("documents", "values", "names"),
    [(411, 10**6, []), (412, 10**6, ["small"]), (412, 412 * 15 - 1, []), (412, 412 * 15, ["small"])],
)
def test_no_more_is_preloaded_than_fits_and_values_may_take(
    held: Connections,
    warmed: list[str],
    monkeypatch: pytest.MonkeyPatch,
    documents: int,
    values: int,
    names: list[str],
) -> None:
    # Two topics, and two runs, each with four documents of topic 1 and two of topic 2.
    monkeypatch.setattr(warming, "MOST_DOCUMENTS", documents)
    monkeypatch.setattr(warming, "bound_of_values", lambda: values)
    looks(held, 2)
    assert warmed == names
