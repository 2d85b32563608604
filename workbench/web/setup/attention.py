"""What needs an organiser's attention, in words: how urgent it is, what it is about, and what can be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from flask import g, url_for

from workbench.agreement.progress import Attention, RunWithWarnings, TopicState
from workbench.core.wording import counted, listed
from workbench.storage.campaign.collection import dismissals, near_duplicates
from workbench.storage.campaign.collection.broken import Mark
from workbench.storage.campaign.collection.dismissals import Dismissal
from workbench.web.monitoring.watching import warnings_for

BLOCKS, CHECK, NOTE = "blocks", "check", "note"

LEVELS = {BLOCKS: "Stops judging", CHECK: "Check", NOTE: "Note"}
"""How urgent an entry is, the most urgent first, and what the page calls it. Notes ask for nothing."""

SHOWN_TAGS = 3
SHOWN = 8
"""How many topics or warnings an entry names, and how many runs a warning; the others are counted."""

HARMLESS = "nothing to do"
"""With these words a warning of a run ends that asks for nothing."""


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
        dismissed: by whom it is dismissed as it stands, if it is.
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


def entries(found: Attention) -> list[Entry]:
    """What needs a look, the most urgent first; dismissed entries say by whom."""
    before = dismissals.newest(g.campaign)
    seen = [*_about_the_server(), *_about_pairs(found), *_about_runs(found), *_about_relevance(found)]
    told = [
        entry._replace(dismissed=_holding(before.get(entry.warning), entry))
        for entry in seen
        if entry is not None
    ]
    return sorted(told, key=lambda entry: list(LEVELS).index(entry.level))


def standing(found: Attention) -> dict[str, str]:
    """The state of each warning that can be dismissed."""
    return {entry.warning: entry.state for entry in entries(found) if entry.warning}


def _holding(dismissal: Dismissal | None, entry: Entry) -> Dismissal | None:
    return dismissal if dismissal is not None and dismissal.state == entry.state else None


def _about_the_server() -> Iterator[Entry]:
    """What an administrator should see to before it stops the judging."""
    for words in warnings_for(g.campaign.name):
        yield Entry(words, "Contact the administrator of this server.", (), 0, "", "", BLOCKS)


def _about_pairs(found: Attention) -> Iterator[Entry | None]:
    yield _entry(
        (BLOCKS, "without text"),
        found.without_text,
        "pooled pair",
        "without a text that can be judged",
        "They are in no queue until the documents are added.",
        (),
        ("Add documents", _address("new_campaign.step", kind="documents")),
    )
    yield _entry(
        (CHECK, "broken"),
        len(found.broken),
        "document",
        "marked as broken",
        "Replace the texts (workbench add documents --changed), or take the marks back.",
        [_marked(mark) for mark in found.broken],
        ("Add documents", _address("new_campaign.step", kind="documents")),
    )
    yield _entry(
        (BLOCKS, "unassigned"),
        len(found.unassigned),
        "topic",
        "unassigned",
        "They cannot be judged.",
        [_topic(topic_id) for topic_id in found.unassigned],
        ("Assign topics", _address("assignments.page")),
    )
    yield _entry(
        (CHECK, "conflicts"),
        sum(topic.conflicts for topic in found.conflicts),
        "pair",
        "with conflicting grades",
        "Not adjudicated. The label rule on the Publish page decides which grade counts. By topic:",
        [_judgments(topic, "conflict", counted(topic.conflicts, "pair")) for topic in found.conflicts],
        ("Adjudicate", _address("adjudication.page")),
    )


def _about_runs(found: Attention) -> Iterator[Entry | None]:
    runs = ("Runs", _address("runs.page"))
    asking, harmless = _by_warning(found.warned, harmless=False), _by_warning(found.warned, harmless=True)
    yield _entry(
        (CHECK, "warned"),
        sum(any(map(_asks, run.warnings)) for run in found.warned),
        "run",
        "added with warnings",
        "If a team sends a corrected file, withdraw the run and add the new one.",
        asking,
        runs,
    )
    yield _entry(
        (NOTE, "harmless"),
        sum(not all(map(_asks, run.warnings)) for run in found.warned),
        "run",
        "with oddities that change nothing",
        "",
        harmless,
        runs,
    )
    yield _entry(
        (CHECK, "without runs"),
        len(found.without_runs),
        "topic",
        "without any run",
        "Every run scores 0 there.",
        [_topic(topic_id) for topic_id in found.without_runs],
        runs,
    )
    yield _entry(
        (BLOCKS, "without pool"),
        len(found.without_pool),
        "topic",
        "without pooled documents",
        "They cannot be judged.",
        [_topic(topic_id) for topic_id in found.without_pool],
        ("Enlarge the pool", _address("pooling.page")),
    )


def _about_relevance(found: Attention) -> Iterator[Entry | None]:
    yield _entry(
        (CHECK, "few relevant"),
        len(found.few_relevant),
        "topic",
        "with very few relevant documents",
        "A single document can change their scores considerably. Search for more, or report them.",
        _with_shares(found.few_relevant),
        ("Search", _address("searching.page")),
    )
    yield _entry(
        (CHECK, "many relevant"),
        len(found.many_relevant),
        "topic",
        "with very many relevant documents",
        "Most judged documents are relevant, so many unpooled ones probably are too.",
        _with_shares(found.many_relevant),
        ("Enlarge the pool", _address("pooling.page")),
    )


def _entry(
    kind: tuple[str, str],
    number: int,
    noun: str,
    what: str,
    why: str,
    names: Sequence[Name],
    way: tuple[str, str],
) -> Entry | None:
    """An entry of a level and a warning's word, or None where there is nothing of the kind.

    Its state is what it is about: the names, or how many there are where none are named. Shares of topics change with
    every judgment, so notes count only where they are what is wrong.
    """
    if not number:
        return None
    level, warning = kind
    counts = warning in {"conflicts", "warned", "harmless"}
    about = [f"{each.name}\0{each.note}" if counts else each.name for each in names] or [str(number)]
    state = sha256("\n".join(sorted(about)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    words = f"{counted(number, noun)} {what}."
    return Entry(words, why, tuple(names[:SHOWN]), max(len(names) - SHOWN, 0), *way, level, warning, state)


def _topic(topic_id: str, note: str = "") -> Name:
    return Name(topic_id, note, url_for("topics.topic", campaign=g.campaign.name, topic=topic_id))


def _judgments(topic: TopicState, look: str, note: str) -> Name:
    """A topic's judgments, those that deserve a second look for one reason."""
    address = url_for("pairs.of_topic", campaign=g.campaign.name, topic=topic.topic_id, look=look)
    return Name(topic.topic_id, note, address)


def _marked(mark: Mark) -> Name:
    """A document that is marked as broken, and the page of its pair with the first topic that pooled it."""
    topics = near_duplicates.topics_of(g.campaign, [mark.document_id])[:1]
    campaign = g.campaign.name
    address = (
        url_for("pairs.page", campaign=campaign, topic=topics[0], document=mark.document_id) if topics else ""
    )
    return Name(mark.document_id, mark.reason, address)


def _asks(warning: str) -> bool:
    """Whether a warning of a run asks for something."""
    return HARMLESS not in warning


def _by_warning(warned: Sequence[RunWithWarnings], *, harmless: bool) -> list[Name]:
    """The runs of each warning, as one name, with its sentence: systems of one team tend to share their faults."""
    tags: dict[str, list[str]] = {}
    for run in warned:
        for warning in dict.fromkeys(run.warnings):
            if _asks(warning) is not harmless:
                tags.setdefault(warning, []).append(run.tag)
    return [Name(listed(found, SHOWN_TAGS), warning) for warning, found in tags.items()]


def _with_shares(topics: Sequence[TopicState]) -> list[Name]:
    return [_topic(topic.topic_id, f"{topic.relevant:,} of {topic.graded:,} judged") for topic in topics]


def _address(endpoint: str, kind: str | None = None) -> str:
    """A page of this request's campaign; a `kind` that is None is left out."""
    return url_for(endpoint, campaign=g.campaign.name, kind=kind)
