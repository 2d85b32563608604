"""The organiser's dashboard: the state of a campaign, what needs attention, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from flask import Blueprint, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from workbench.agreement.progress import (
    Attention,
    RunWithWarnings,
    State,
    TopicState,
    attention_of,
    next_step,
    state_of,
)
from workbench.core.natural_order import natural
from workbench.core.wording import counted, listed
from workbench.storage.campaign.collection import settings
from workbench.storage.campaign.people import members
from workbench.web.access.rules import allow_in_campaign, may_make_campaigns
from workbench.web.monitoring.watching import warnings_for

blueprint = Blueprint("dashboard", __name__)

SHOWN_TAGS = 3
SHOWN = 8
"""How many topics or warnings an entry names, and how many runs a warning; the others are counted."""


BESIDES = (("adjudicated", "Adjudicated"), ("again", "Repeats"), ("norming", "Norming"))
"""What people do besides judging: what a person's state calls it, and what the table does."""


class NextStep(NamedTuple):
    """What to do next: a sentence, what its button says, and where it leads."""

    words: str
    button: str
    address: str


class Name(NamedTuple):
    """A run or topic that needs a look, what is to be said of it, and its page, if it has one."""

    name: str
    note: str = ""
    address: str = ""


class Entry(NamedTuple):
    """Something that needs a look: what it is, why it matters, the first of what it is about, how many more there
    are, and where something can be done about it.
    """

    words: str
    why: str
    names: tuple[Name, ...]
    more: int
    way: str
    address: str


@blueprint.get("/c/<campaign>/dashboard")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """The campaign at a glance."""
    now = datetime.now(UTC)
    state = state_of(g.campaign, now=now)
    return render_template(
        "setup/dashboard/page.html",
        settings=settings.read(g.campaign),
        state=state,
        topics=sorted(state.topics, key=lambda topic: natural(topic.topic_id)),
        lead=sentence(state),
        end=None if state.pace.end is None else day(state.pace.end),
        step=_step(next_step(state), state),
        entries=[*_about_the_server(), *entries(attention_of(g.campaign, state))],
        relevant=sum(topic.relevant for topic in state.topics),
        name=campaign,
        besides=[each for each in BESIDES if any(getattr(person, each[0]) for person in state.assessors)],
        days_judged=any(person.hours for person in state.assessors),
        may_make=may_make_campaigns(),
    )


@blueprint.get("/c/<campaign>/desk")
@allow_in_campaign("organiser")
def old_address(campaign: str) -> Response:
    """Redirect the address of earlier versions, which bookmarks may hold."""
    address, query = url_for(".page", campaign=campaign), request.query_string.decode("latin-1")
    return redirect(f"{address}?{query}" if query else address, 308)


def sentence(state: State) -> str:
    """Where the campaign stands, in one sentence."""
    if not state.pooled:
        have = [
            counted(number, word)
            for number, word in (
                (len(state.topics), "topic"),
                (state.documents, "document"),
                (state.runs, "run"),
            )
            if number
        ]
        judged = f", {counted(state.judged_beyond, 'judged pair')}" if state.judged_beyond else ""
        return f"{', '.join(have)}{judged}; no pool yet." if have else "No data yet."
    done = f"{state.judged:,} of {counted(state.pooled, 'pooled pair')} judged"
    if state.judged == state.pooled:
        return f"All {counted(state.pooled, 'pooled pair')} judged."
    if state.open == 0:
        return f"{done}; the remaining pairs lack a text."
    if state.pace.end is not None:
        return f"{done}; at this pace done on {day(state.pace.end)}."
    return f"{done}; no judgments in the last two weeks." if state.judged else f"{done}."


def entries(found: Attention) -> list[Entry]:
    """What needs a look, in words; the most urgent first."""
    seen = [*_about_pairs(found), *_about_runs(found), *_about_relevance(found)]
    return [entry for entry in seen if entry is not None]


def _about_the_server() -> Iterator[Entry]:
    """What an administrator should see to before it stops the judging."""
    for words in warnings_for(g.campaign.name):
        yield Entry(words, "Contact the administrator of this server.", (), 0, "", "")


def _about_pairs(found: Attention) -> Iterator[Entry | None]:
    yield _entry(
        found.without_text,
        "pooled pair",
        "without a text",
        "They are held back until the documents are added.",
        (),
        ("Add documents", _address("new_campaign.step", kind="documents")),
    )
    yield _entry(
        len(found.unassigned),
        "topic",
        "unassigned",
        "They cannot be judged.",
        [_topic(topic_id) for topic_id in found.unassigned],
        ("Assign topics", _address("assignments.page")),
    )
    yield _entry(
        sum(topic.conflicts for topic in found.conflicts),
        "pair",
        "with conflicting grades",
        "Not adjudicated. The label rule on the Publish page decides which grade counts. By topic:",
        [_topic(topic.topic_id, counted(topic.conflicts, "pair")) for topic in found.conflicts],
        ("Adjudicate", _address("adjudication.page")),
    )


def _about_runs(found: Attention) -> Iterator[Entry | None]:
    runs = ("Runs", _address("runs.page"))
    yield _entry(len(found.warned), "run", "added with warnings", "", _by_warning(found.warned), runs)
    yield _entry(
        len(found.without_runs),
        "topic",
        "without any run",
        "Every run scores 0 there.",
        [_topic(topic_id) for topic_id in found.without_runs],
        runs,
    )
    yield _entry(
        len(found.without_pool),
        "topic",
        "without pooled documents",
        "They cannot be judged.",
        [_topic(topic_id) for topic_id in found.without_pool],
        ("Enlarge the pool", _address("pooling.page")),
    )


def _about_relevance(found: Attention) -> Iterator[Entry | None]:
    yield _entry(
        len(found.few_relevant),
        "topic",
        "with very few relevant documents",
        "A single document can change their scores considerably.",
        _with_shares(found.few_relevant),
        ("Topics", _address("topics.page")),
    )
    yield _entry(
        len(found.many_relevant),
        "topic",
        "with very many relevant documents",
        "Most judged documents are relevant, so many unpooled ones probably are too.",
        _with_shares(found.many_relevant),
        ("Enlarge the pool", _address("pooling.page")),
    )


def day(when: date) -> str:
    """A day in words: Friday, 6 March 2026."""
    return f"{when:%A}, {when.day} {when:%B %Y}"


def _entry(
    number: int, noun: str, what: str, why: str, names: Sequence[Name], way: tuple[str, str]
) -> Entry | None:
    if not number:
        return None
    return Entry(
        f"{counted(number, noun)} {what}.", why, tuple(names[:SHOWN]), max(len(names) - SHOWN, 0), *way
    )


def _topic(topic_id: str, note: str = "") -> Name:
    return Name(topic_id, note, url_for("topics.topic", campaign=g.campaign.name, topic=topic_id))


def _by_warning(warned: Sequence[RunWithWarnings]) -> list[Name]:
    """The runs of each warning, as one name, with its sentence: systems of one team tend to share their faults."""
    tags: dict[str, list[str]] = {}
    for run in warned:
        for warning in dict.fromkeys(run.warnings):
            tags.setdefault(warning, []).append(run.tag)
    return [Name(listed(found, SHOWN_TAGS), warning) for warning, found in tags.items()]


def _with_shares(topics: Sequence[TopicState]) -> list[Name]:
    return [_topic(topic.topic_id, f"{topic.relevant:,} of {topic.graded:,} judged") for topic in topics]


def _step(word: str, state: State) -> NextStep:
    waiting = f"{counted(state.open, 'pooled pair')} can be judged now.{_alone()}"
    steps = {
        "topics": ("Add topics first: they hold the information needs.", "Add topics", "new_campaign.step"),
        "documents": (
            "Add documents next: assessors read their texts.",
            "Add documents",
            "new_campaign.step",
        ),
        "runs": (
            "Add runs next: the systems’ results, from which the pool is drawn.",
            "Add runs",
            "new_campaign.step",
        ),
        "pool": ("Runs are added. Choose a pool depth next.", "Create a pool", "pooling.page"),
        "texts": ("The remaining pairs lack a text.", "Add documents", "new_campaign.step"),
        "judge": (waiting, "Judge", "campaigns.home"),
        "conflicts": (
            "All pairs are judged; some have conflicting grades.",
            "Adjudicate",
            "adjudication.page",
        ),
        "publish": ("All pairs are judged. Publish the qrels.", "Publish", "publish.page"),
    }
    words, button, endpoint = steps[word]
    kind = ("documents" if word == "texts" else word) if endpoint == "new_campaign.step" else None
    return NextStep(words, button, _address(endpoint, kind=kind))


def _alone() -> str:
    """What to do where only organisers can judge."""
    if g.viewer.local or set(members.all_members(g.campaign).values()) & {"assessor", "adjudicator"}:
        return ""
    return " Only organisers can judge so far. Invite assessors under Assessors, People."


def _address(endpoint: str, kind: str | None = None) -> str:
    """A page of this request's campaign; a `kind` that is None is left out."""
    return url_for(endpoint, campaign=g.campaign.name, kind=kind)
