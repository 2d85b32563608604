"""What pages take longest to find is in memory before somebody asks: after a start, and after runs or pools changed.

Boards, plans and comparisons keep what they have read and follow the log by themselves. Reading it for the first time
takes seconds for a large campaign, and this does it by the way, in a thread of its own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from jinja2 import Environment

from workbench.adjudicating import kept_conflicts
from workbench.campaign import Campaign, log, runs
from workbench.charts import load_library
from workbench.comparing import compare_runs
from workbench.comparing.kept import kept_pairs
from workbench.errors import WorkbenchError
from workbench.labelling import rule_state
from workbench.planning import plan_pool
from workbench.progress import state_of
from workbench.publishing.facts import kept_facts
from workbench.run_profiles import run_table
from workbench.scoring import board_of
from workbench.scoring.board import CHANGES_EVERYTHING
from workbench.scoring.certainty import certainty_of
from workbench.scoring.past import past_of
from workbench.scoring.stability import stability
from workbench.web.board_menu import SHOWN_MEASURES
from workbench.web.connections import Connections

LOOK_EVERY = 2.0
LAST_WORD = 10.0
"""Seconds from one look at the campaigns to the next, and those that a stop waits for what is being read."""

MOST_DOCUMENTS = 50_000_000
"""Ranked documents that are read by the way, of all campaigns together; what is beyond is read when it is asked for."""

logger = logging.getLogger("workbench.web")


def _board(campaign: Campaign) -> object:
    return board_of(campaign).table(campaign, SHOWN_MEASURES)


def _certainty(campaign: Campaign) -> object:
    return certainty_of(campaign, SHOWN_MEASURES)


def _plan(campaign: Campaign) -> object:
    return plan_pool(campaign, depth=1)


def _past(campaign: Campaign) -> object:
    return past_of(campaign).table(campaign, SHOWN_MEASURES, log.newest_seq(campaign))


def _comparison(campaign: Campaign) -> object:
    tags = [run.record.tag for run in runs.in_force(campaign)]
    return compare_runs(campaign, tags[:2]) if len(tags) > 1 else None


def _pairs(campaign: Campaign) -> object:
    return kept_pairs(campaign)


def _stability(campaign: Campaign) -> object:
    return stability(campaign, "AP")


def _state(campaign: Campaign) -> object:
    return state_of(campaign, now=datetime.now(UTC))


def _release(campaign: Campaign) -> object:
    return rule_state(campaign, sum(kept_facts(campaign).qrels.values()))


def _conflicts(campaign: Campaign) -> object:
    return kept_conflicts(campaign, anew=True)


def _runs(campaign: Campaign) -> object:
    return run_table(campaign)


def _figures(_campaign: Campaign) -> None:
    load_library()


STEPS: tuple[Callable[[Campaign], object], ...] = (
    _state,
    _board,
    _plan,
    _certainty,
    _past,
    _comparison,
    _pairs,
    _stability,
    _release,
    _conflicts,
    _runs,
    _figures,
)
"""What is made ready, that which most pages need first."""


def warm(campaign: Campaign, *, is_stopped: Callable[[], bool] = lambda: False) -> None:
    """Have in memory what the organiser's pages of a campaign start from, step by step, unless it is to stop."""
    for step in STEPS:
        if is_stopped():
            return
        try:
            step(campaign)
        except WorkbenchError as error:
            # A campaign without runs or judgments has no such page yet.
            logger.debug("%s: not made ready: %s", campaign.name, error)


def compile_templates(templates: Environment, *, is_stopped: Callable[[], bool] = lambda: False) -> None:
    """Have every page's template compiled, which Jinja otherwise does when the page is first asked for."""
    for name in templates.list_templates(extensions=["html"]):
        if is_stopped():
            return
        templates.get_template(name)


def keep_warm(held: Connections, stop: threading.Event, *, pause: float = LOOK_EVERY) -> None:
    """Warm each campaign once, and again after an event that changes more than labels, until `stop` is set."""
    known: dict[str, tuple[log.Head, int]] = {}
    while True:
        try:
            for name in _changed(held, known):
                campaign = held.campaign(name)
                if campaign is not None and not stop.is_set():
                    warm(campaign, is_stopped=stop.is_set)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong here, pages find it themselves and say so
            logger.debug("not made ready: %s", error)
        finally:
            held.settle()
        if stop.wait(pause):
            return


@contextmanager
def keeping_warm(held: Connections, templates: Environment) -> Iterator[None]:
    """Compile templates and keep campaigns warm in a thread of its own for as long as the block runs."""
    stop = threading.Event()

    def run() -> None:
        compile_templates(templates, is_stopped=stop.is_set)
        keep_warm(held, stop)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(LAST_WORD)


def _changed(held: Connections, known: dict[str, tuple[log.Head, int]]) -> Iterator[str]:
    """The campaigns whose runs, pools, topics or settings are not those `known`, which learns of them.

    `known` has the newest event of these kinds and the number of ranked documents of each campaign.
    """
    documents = 0
    for name in sorted(held.paths()):
        try:
            campaign = held.campaign(name)
            if campaign is None:
                continue
            before, event = known.get(name), log.newest_event(campaign, CHANGES_EVERYTHING)
            if before is None or before[0] != event:
                known[name] = event, sum(run.record.lines for run in runs.in_force(campaign))
        except WorkbenchError:
            continue
        documents += known[name][1]
        if documents <= MOST_DOCUMENTS and known[name] != before:
            yield name
