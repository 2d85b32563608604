"""Documents that came into a topic's queue after its page was loaded: adaptive pools choose while they are judged."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from flask import Flask, Response, current_app, g, jsonify, request

from workbench.campaign import assessing
from workbench.campaign.adaptive_pools import adaptive_pools
from workbench.campaign.assessing import QueueItem
from workbench.core.results import content
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.web.access.rules import JUDGES, Pages

NAME = "workbench_chosen_so_far"

blueprint = Pages("more_documents", __name__)


class ChosenSoFar:
    """Up to which row of each campaign's log the adaptive pools have chosen, as far as this server knows."""

    def __init__(self) -> None:
        """Nothing was looked at."""
        self._heads: dict[Path, log.Head] = {}

    def covers(self, campaign: Campaign) -> bool:
        """Whether they have chosen by all that is in the log."""
        return self._heads.get(campaign.path) == log.head(campaign)

    def note(self, campaign: Campaign, head: log.Head) -> None:
        """They have chosen by all that was in the log when this was its head."""
        self._heads[campaign.path] = head


def init_app(app: Flask) -> ChosenSoFar:
    """Have pages wait for what is chosen in this server; without it they expect nothing."""
    found: ChosenSoFar = app.extensions.setdefault(NAME, ChosenSoFar())
    return found


class Queue(NamedTuple):
    """A topic's queue.

    Attributes:
        queue: its documents, as the judging page has them.
        size: how many there are, where one that comes again, or did, is one more.
        awaited: whether more may be on their way.
    """

    queue: tuple[QueueItem, ...]
    size: int
    awaited: bool


@blueprint.get("/c/<campaign>/api/queue", allow=JUDGES)
def queue(campaign: str) -> Response:
    """One's documents of a topic in their order, how many they are, and whether a pool may add more in a moment."""
    topic_id = request.args.get("topic", "")
    items = assessing.queue(g.campaign, topic_id, g.member)
    size = assessing.size(g.campaign, items, topic_id, g.member)
    known: ChosenSoFar | None = current_app.extensions.get(NAME)
    awaited = known is not None and bool(adaptive_pools(g.campaign)) and not known.covers(g.campaign)
    return jsonify(content(Queue(tuple(items), size, awaited)))
