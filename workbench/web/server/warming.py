"""Preload what pages take longest to compute, in a background thread: after a start, and after runs or pools changed.

Boards, histories and plans keep what they have read and follow the log from there. Reading it for the first time takes
seconds for a large campaign. No more is preloaded than may be kept; of campaigns beyond it, what was not used lately is
dropped.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from jinja2 import Environment

from workbench.analysis.adjudication.conflicts import cached_conflicts
from workbench.analysis.comparing.runs import compare_runs
from workbench.analysis.run_profiles.table import run_table
from workbench.analysis.trust.intervals import intervals_of
from workbench.analysis.trust.stability import stability
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.rounds import seen_by_name
from workbench.core.errors import WorkbenchError
from workbench.jobs.background import in_background
from workbench.methods.charts import load_library
from workbench.scoring.board import board_of
from workbench.scoring.board.live import CHANGES_EVERYTHING
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.collection.rounds import taking_part
from workbench.storage.campaign.file.connection import CampaignFile
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import bound_of_values, forget_unused, keep_within_bound
from workbench.web.requests.connections import Connections
from workbench.web.scoring.board_request import SHOWN_MEASURES

LOOK_EVERY = 2.0
STOP_PATIENCE = 10.0
"""Seconds from one look at the campaigns to the next, and those that a stop waits for what is being read."""

MOST_DOCUMENTS = 50_000_000
"""Ranked documents of all campaigns together that are preloaded and kept, fewer where 750 MB are not allowed. What is
beyond is read when a page needs it, and kept while it is used."""

A_DOCUMENT, A_TOPIC = 15, 200
"""Once all pages were opened, a ranked document takes so many bytes, and a topic counts as so many documents."""

UNUSED = 300.0
"""Seconds for which values of campaigns beyond these are kept after their last use."""

logger = logging.getLogger("workbench.web")


class Size(NamedTuple):
    """How many ranked documents a campaign counts as, in its file and after the newest event that changed them."""

    file: CampaignFile
    event: log.Head
    documents: int


Known = dict[str, Size]
"""The campaigns of a server, by name."""

STEPS: dict[str, Callable[[Campaign], object]] = {
    "leaderboard": lambda campaign: board_of(campaign).table(campaign, SHOWN_MEASURES),
    "pool plan": lambda campaign: plan_pool(campaign, depth=1),
    # The board keeps the bounds that this scores.
    "intervals": lambda campaign: intervals_of(campaign, SHOWN_MEASURES),
    "history": lambda campaign: board_history_of(campaign).table(
        campaign, SHOWN_MEASURES, log.newest_seq(campaign)
    ),
    "stability": lambda campaign: stability(campaign, "AP"),
    "conflicts": lambda campaign: cached_conflicts(campaign, refresh=True),
    "runs": run_table,
    "comparison": lambda campaign: compare_runs(
        campaign, [run.record.tag for run in taking_part(campaign)][:2]
    ),
    "charts": lambda _: load_library(),
}
"""What is preloaded, that which most pages need first. Values that the next judgment makes out of date are not: the
first who asks computes those, as after every judgment.

Jobs do not take their place: each is what one page computes in this process and keeps here, and without it the first
who opens that page waits. What each takes is printed by benchmarks/organisers_pages.py.
"""


OF_ROUNDS = {"leaderboard", "intervals", "stability", "comparison"}
"""What pages show of the round that is open, where none is asked for, as well as of all rounds together."""


def warm(campaign: Campaign, *, is_stopped: Callable[[], bool] = lambda: False) -> None:
    """Preload what the organiser's pages of a campaign start from, step by step, unless it is to stop."""
    open_now = seen_by_name(campaign, None)
    for name, step in STEPS.items():
        if is_stopped():
            return
        try:
            step(campaign)
            if name in OF_ROUNDS and open_now.part is not None:
                step(open_now)
        except WorkbenchError as error:
            # A campaign without runs or judgments has no such page yet.
            logger.debug("%s: %s not made ready: %s", campaign.name, name, error)


def compile_templates(templates: Environment, *, is_stopped: Callable[[], bool] = lambda: False) -> None:
    """Have every page's template compiled, which Jinja otherwise does when the page is first asked for."""
    for name in templates.list_templates(extensions=["html"]):
        if is_stopped():
            return
        templates.get_template(name)


def warm_what_changed(held: Connections, known: Known, stop: threading.Event) -> None:
    """Warm each campaign that is not as it was `known`: once, and after each event that changes more than labels."""
    for name in _changed(held, known):
        with held.visiting(name) as campaign:
            if campaign is not None and not stop.is_set():
                warm(campaign, is_stopped=stop.is_set)


def drop_unused(known: Known, *, now: float) -> None:
    """Drop what the largest campaigns, those beyond what is preloaded, have not needed for UNUSED seconds.

    Small ones stay, so a visit to a large one takes nothing from them. `now` is a time of `monotonic`.
    """
    documents = 0
    for size in sorted(known.values(), key=lambda size: size.documents):
        documents += size.documents
        if documents > _most_documents():
            forget_unused(size.file, since=now - UNUSED)


@contextmanager
def keeping_warm(held: Connections, templates: Environment) -> Iterator[None]:
    """Compile templates and keep campaigns warm in a thread of its own for as long as the block runs."""
    known: Known = {}
    to_compile = [templates]

    def turn(stop: threading.Event) -> None:
        while to_compile:
            compile_templates(to_compile.pop(), is_stopped=stop.is_set)
        warm_what_changed(held, known, stop)
        drop_unused(known, now=monotonic())
        keep_within_bound()

    with in_background("preloading", turn, pause=LOOK_EVERY, patience=STOP_PATIENCE):
        yield


def _changed(held: Connections, known: Known) -> Iterator[str]:
    """The campaigns whose runs, pools, topics or settings are not those `known`, which learns of them."""
    documents = 0
    for name in sorted(held.paths()):
        try:
            with held.visiting(name) as campaign:
                if campaign is None:
                    continue
                before, event = known.get(name), log.newest_event(campaign, CHANGES_EVERYTHING)
                if before is None or before[:2] != (campaign.file, event):
                    lines = sum(run.record.lines for run in runs.in_force(campaign))
                    known[name] = Size(campaign.file, event, A_TOPIC * topics.count(campaign) + lines)
        except WorkbenchError:
            continue
        documents += known[name].documents
        if documents <= _most_documents() and known[name] != before:
            yield name


def _most_documents() -> float:
    return min(MOST_DOCUMENTS, bound_of_values() / A_DOCUMENT)
