"""The organiser's dashboard: the state of a campaign, what needs attention, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from flask import g, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.dashboard.campaign_warnings import (
    BLOCKS,
    CHECK,
    LEVELS,
    NOTE,
    About,
    CampaignWarning,
    campaign_warnings,
    dismiss_warning,
    show_warning_again,
)
from workbench.analysis.dashboard.progress import State, state_of
from workbench.analysis.dashboard.task_steps import steps_of
from workbench.core import plugins
from workbench.core.errors import AlreadyDone, CampaignError
from workbench.core.natural_order import natural
from workbench.core.wording import as_sentence, counted, weekday
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import near_duplicates
from workbench.storage.campaign.counts import activity
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.people import members
from workbench.web.access.rules import ORGANISERS, Pages, may_make_campaigns
from workbench.web.monitoring.watching import warnings_for
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import ShortName, Text
from workbench.web.requests.form_values import seen_campaign
from workbench.web.requests.successors import disabled_here
from workbench.web.setup.task_steps import way_of

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
        "Replace the texts, or take the marks back.", *("Add documents", "new_campaign.step", "documents")
    ),
    "unassigned": Way("They cannot be judged.", "Assign topics", "assignments.page"),
    "without judge": Way(
        "They wait until another assessor takes them over.", "Hand them over", "assignments.hand_over"
    ),
    "conflicts": Way(
        "Not adjudicated. The label rule on the Publish page decides which grade counts. By topic:",
        *("Adjudicate", "adjudication.page"),
    ),
    "warned": Way(
        "If a team sends a corrected file, withdraw the run and add the new one.", "Runs", "runs.page"
    ),
    "harmless": Way("", "Runs", "runs.page"),
    "without runs": Way("Every run scores 0 there.", "Runs", "runs.page"),
    "without pool": Way("They cannot be judged.", "Enlarge the pool", "pooling.page"),
    "few relevant": Way(
        "A single document can change their scores considerably. Search for more, or report them.",
        *("Search", "searching.page"),
    ),
    "many relevant": Way(
        "Most judged documents are relevant, so many unpooled ones probably are too.",
        *("Enlarge the pool", "pooling.page"),
    ),
}
"""What can be done about each warning."""


class Name(NamedTuple):
    """A run or topic that needs a look, what is to be said of it, and its page, if it has one."""

    name: str
    note: str = ""
    address: str = ""


class Entry(NamedTuple):
    """A warning as the page shows it; what cannot be dismissed has no word.

    Attributes:
        found: the warning.
        why: why it matters.
        names, more: the first of what it is about, and how many more there are.
        way, address: where something can be done about it.
    """

    found: CampaignWarning
    why: str
    names: tuple[Name, ...] = ()
    more: int = 0
    way: str = ""
    address: str = ""


def entries_of(state: State) -> list[Entry]:
    """What needs a look, the most urgent first; dismissed entries say who dismissed them."""
    of_server = (
        Entry(CampaignWarning("", BLOCKS, words, (), ""), "Contact the administrator of this server.")
        for words in warnings_for(g.campaign.name)
    )
    of_plugins = (
        Entry(CampaignWarning("", CHECK, as_sentence(words), (), ""), "All else works.")
        for plugin in plugins.KNOWN
        for words in plugin.troubles
    )
    return [*of_server, *of_plugins, *map(_entry, campaign_warnings(g.campaign, state))]


def _entry(found: CampaignWarning) -> Entry:
    way = WAYS[found.warning]
    names = tuple(Name(*each, _page_of(found.warning, each)) for each in found.about[:SHOWN])
    more = max(len(found.about) - SHOWN, 0)
    address = url_for(way.endpoint, campaign=g.campaign.name, kind=way.kind)
    return Entry(found, way.why, names, more, way.words, address)


def _page_of(warning: str, about: About) -> str:
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


blueprint = Pages("dashboard", __name__)

MOST_TOPICS = 50
"""Topics of the table, those with most left to judge; the page Topics has all."""

FEWEST_DAYS = 3
"""Of judging, from which on a chart by day shows more than the numbers do."""

MOST_ASSESSORS = 50
"""Assessors of the table, those who judged last; the page Assessor activity has all."""

BESIDES = (("adjudicated", "Adjudicated"), ("again", "Repeats"), ("norming", "Norming"))
"""What people do besides judging: what a person's state calls it, and what the table does."""


@blueprint.get("/c/<campaign>/dashboard", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The campaign at a glance."""
    return _page()


@blueprint.post("/c/<campaign>/dashboard", allow=ORGANISERS)
def change(
    campaign: str,
    *,
    do: Literal["dismiss", "show again"],
    warning: ShortName,
    state: Text = "",
    note: Text = "",
) -> ResponseReturnValue:
    """Dismiss the warning of the form as it stands, with a note, or show it again."""
    try:
        if do == "show again":
            show_warning_again(g.campaign, warning)
        else:
            current = campaign_warnings(g.campaign, _state(g.campaign))
            dismiss_warning(g.campaign, warning, state, current=current, note=note)
    except CampaignError as error:
        return make_response(_page(str(error)), 409 if isinstance(error, AlreadyDone) else 422)
    say("The warning is shown again." if do == "show again" else "Warning dismissed.")
    return redirect(f"{url_for('.page', campaign=campaign)}#attention", 303)


def _page(problem: str = "") -> str:
    """The page; the numbers at a glance and by topic are of a round."""
    whole = _state(g.campaign)
    part = seen_campaign().part
    state = whole if part is None else _state(g.campaign.of(part))
    entries = entries_of(whole)
    current = [entry for entry in entries if entry.found.dismissed is None]
    judging = [person for person in state.assessors if person.role in members.JUDGES or person.work.last_at]
    newest = sorted(judging, key=lambda person: person.work.last_at, reverse=True)[:MOST_ASSESSORS]
    most_left = sorted(state.topics, key=lambda topic: (-topic.open, natural(topic.topic_id)))[:MOST_TOPICS]
    return render_template(
        "setup/dashboard/page.html",
        problem=problem,
        state=state,
        topics=sorted(most_left, key=lambda topic: natural(topic.topic_id)),
        assessors=[person for person in judging if person in newest],
        judging=len(judging),
        lead=sentence(state),
        idle=_without_judge(current),
        end=None if state.pace.end is None else weekday(state.pace.end),
        following=way_of(steps_of(g.campaign, whole).next)
        if part is None or part.round.last is None
        else None,
        entries=[entry for entry in current if entry.found.level != NOTE],
        notes=[entry for entry in current if entry.found.level == NOTE],
        dismissed=[entry for entry in entries if entry.found.dismissed is not None],
        levels=LEVELS,
        longest_note=LONGEST_REASON,
        besides=[
            each for each in BESIDES if any(getattr(person.work, each[0]) for person in state.assessors)
        ],
        days_judged=len({day for day, _, _ in activity.by_day(g.campaign)}) >= FEWEST_DAYS,
        may_make=may_make_campaigns(),
    )


def sentence(state: State) -> str:
    """Where the campaign stands, in one sentence."""
    if not state.pooled:
        numbers = ((len(state.topics), "topic"), (state.documents, "document"), (state.runs, "run"))
        have = [counted(number, word) for number, word in numbers if number]
        judged = f", {counted(state.judged_beyond, 'judged pair')}" if state.judged_beyond else ""
        return f"{', '.join(have)}{judged}; no pool yet." if have else "No data yet."
    done = f"{state.judged:,} of {counted(state.pooled, 'pooled pair')} judged"
    if state.judged == state.pooled:
        return f"All {counted(state.pooled, 'pooled pair')} judged."
    if state.open == 0:
        return f"{done}; the remaining pairs lack a text."
    if state.pace.end is not None:
        return f"{done}; at this pace done on {weekday(state.pace.end)}."
    if state.pace.gone:
        return f"{done}; those who judged in the last two weeks have left, or have no open topics."
    return f"{done}; no judgments in the last two weeks." if state.judged else f"{done}."


def _state(campaign: Campaign) -> State:
    return state_of(campaign, now=datetime.now(UTC), disabled=disabled_here())


def _without_judge(entries: Sequence[Entry]) -> int:
    """How many open topics no one can judge."""
    found = (entry.found for entry in entries if entry.found.warning in ("unassigned", "without judge"))
    return len({about.name for each in found for about in each.about})
