"""Sentences on what needs an organiser's attention: how urgent it is, what it is about, and what can be done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flask import g, url_for

from workbench.analysis.dashboard.campaign_warnings import BLOCKS, About, CampaignWarning, campaign_warnings
from workbench.analysis.dashboard.progress import State
from workbench.storage.campaign.collection import near_duplicates
from workbench.storage.campaign.organising.dismissals import Dismissal
from workbench.web.monitoring.watching import warnings_for

SHOWN = 8
"""How many topics, documents or warnings of runs an entry names; the others are counted."""


class Way(NamedTuple):
    """Why a warning matters, and where something can be done about it: a button, its page, and a part of it."""

    why: str
    words: str
    endpoint: str
    kind: str | None = None


WAYS = {
    "without text": Way(
        "They are in no queue until the documents are added.",
        "Add documents",
        "new_campaign.step",
        "documents",
    ),
    "broken": Way(
        "Replace the texts (workbench add documents --changed), or take the marks back.",
        "Add documents",
        "new_campaign.step",
        "documents",
    ),
    "unassigned": Way("They cannot be judged.", "Assign topics", "assignments.page"),
    "without judge": Way("They wait until another assessor has them.", "Hand them over", "assignments.page"),
    "conflicts": Way(
        "Not adjudicated. The label rule on the Publish page decides which grade counts. By topic:",
        "Adjudicate",
        "adjudication.page",
    ),
    "warned": Way(
        "If a team sends a corrected file, withdraw the run and add the new one.", "Runs", "runs.page"
    ),
    "harmless": Way("", "Runs", "runs.page"),
    "without runs": Way("Every run scores 0 there.", "Runs", "runs.page"),
    "without pool": Way("They cannot be judged.", "Enlarge the pool", "pooling.page"),
    "few relevant": Way(
        "A single document can change their scores considerably. Search for more, or report them.",
        "Search",
        "searching.page",
    ),
    "many relevant": Way(
        "Most judged documents are relevant, so many unpooled ones probably are too.",
        "Enlarge the pool",
        "pooling.page",
    ),
}
"""What can be done about each warning."""


class Name(NamedTuple):
    """A run or topic that needs a look, what is to be said of it, and its page, if it has one."""

    name: str
    note: str = ""
    address: str = ""


class Entry(NamedTuple):
    """Something that needs a look.

    Attributes:
        words, why: what it is, and why it matters.
        names, more: the first of what it is about, and how many more there are.
        way, address: where something can be done about it.
        level: a word of LEVELS.
        warning: its word, by which it is dismissed; "" for what cannot be.
        state: what it is about, as one word that changes with it.
        dismissed: who dismissed it in its present state; None if it is not dismissed.
    """

    words: str
    why: str
    names: tuple[Name, ...]
    more: int
    way: str
    address: str
    level: str
    warning: str = ""
    state: str = ""
    dismissed: Dismissal | None = None


def entries(state: State) -> list[Entry]:
    """What needs a look, the most urgent first; dismissed entries say who dismissed them."""
    return [*_about_the_server(), *map(_entry, campaign_warnings(g.campaign, state))]


def _about_the_server() -> Iterator[Entry]:
    """What an administrator should see to before it stops the judging."""
    for words in warnings_for(g.campaign.name):
        yield Entry(words, "Contact the administrator of this server.", (), 0, "", "", BLOCKS)


def _entry(found: CampaignWarning) -> Entry:
    way = WAYS[found.warning]
    names = tuple(Name(*each, _page_of(found.warning, each)) for each in found.about[:SHOWN])
    more = max(len(found.about) - SHOWN, 0)
    # Addresses leave out a `kind` that is None.
    address = url_for(way.endpoint, campaign=g.campaign.name, kind=way.kind)
    shown = (found.words, way.why, names, more, way.words, address)
    return Entry(*shown, found.level, found.warning, found.state, found.dismissed)


def _page_of(warning: str, about: About) -> str:
    """The page of what a warning is about, or ""."""
    campaign = g.campaign.name
    if warning in {"warned", "harmless"}:
        return ""
    if warning == "conflicts":
        return url_for("pairs.of_topic", campaign=campaign, topic=about.name, look="conflict")
    if warning == "broken":  # the pair with the first topic that pooled the document
        topics = near_duplicates.topics_of(g.campaign, [about.name])[:1]
        return (
            url_for("pairs.page", campaign=campaign, topic=topics[0], document=about.name) if topics else ""
        )
    return url_for("topics.topic", campaign=campaign, topic=about.name)
