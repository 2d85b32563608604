"""The warnings of a campaign that an organiser can dismiss: how urgent each is, what it says, and what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, NamedTuple

from workbench.analysis.dashboard.progress import State, TopicState
from workbench.campaign.assigning import without_judge
from workbench.core.errors import AlreadyDone, CampaignError
from workbench.core.results import FLAT, HIDDEN, IN_JSON, Column
from workbench.core.wording import counted, listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import broken, runs
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.organising import dismissals, settings
from workbench.storage.campaign.organising.dismissals import Dismissal

BLOCKS, CHECK, NOTE = "blocks", "check", "note"

LEVELS = {BLOCKS: "Stops judging", CHECK: "Check", NOTE: "Note"}
"""How urgent a warning is, the most urgent first, and what screens call it. Notes ask for nothing."""

CONFLICTS, WARNED, HARMLESS = "conflicts", "warned", "harmless"

SHOWN_TAGS = 3
"""How many runs are named for a warning that several have; the others are counted."""

ASKS_FOR_NOTHING = "nothing to do"
"""With these words a warning of a run ends that asks for nothing."""


FEW_RELEVANT = 3
"""A topic with fewer relevant documents, once half of its pool is judged, hardly tells systems apart: one document
more or less decides its scores."""

MANY_RELEVANT = 0.5
"""A topic with a larger share of relevant documents among the judged ones has many more that are not pooled."""

ENOUGH_JUDGED = 20
"""No share is computed of fewer graded documents."""


class About(NamedTuple):
    """A topic, a document or runs that a warning is about, and what is to be said of it."""

    name: str
    note: str = ""


class CampaignWarning(NamedTuple):
    """A warning as it stands.

    Attributes:
        warning: its word, by which it is dismissed.
        level: a word of LEVELS.
        words: what it says.
        about: what it is about, all of it; nothing where single pairs are not named.
        state: `about` as one word that changes with it.
        dismissed: by whom it is dismissed as it stands, if it is.
    """

    warning: str
    level: str
    words: Annotated[str, Column("Says", "says")]
    about: Annotated[tuple[About, ...], IN_JSON]
    state: Annotated[str, HIDDEN]
    dismissed: Annotated[Dismissal | None, FLAT, Column("Dismissed", "dismissed")] = None


def campaign_warnings(campaign: Campaign, state: State) -> list[CampaignWarning]:
    """The warnings of a campaign that stands as `state` says, the most urgent first, dismissed ones last."""
    before = dismissals.newest(campaign)
    found = [each for each in (*_about_pairs(campaign, state), *_about_runs(campaign, state)) if each]
    for place, each in enumerate(found):
        dismissal = before.get(each.warning)
        if dismissal is not None and dismissal.state == each.state:
            found[place] = each._replace(dismissed=dismissal)
    return sorted(found, key=lambda each: (each.dismissed is not None, list(LEVELS).index(each.level)))


def _about_pairs(campaign: Campaign, state: State) -> Iterator[CampaignWarning | None]:
    held_back = state.held_back  # also pairs whose text is marked as broken
    yield _warning(BLOCKS, "without text", held_back, "pooled pair", "without a text that can be judged")
    marks = [About(mark.document_id, mark.reason) for mark in broken.marked(campaign).values()]
    yield _warning(CHECK, "broken", len(marks), "document", "marked as broken", marks)
    if settings.read(campaign).who_judges == "assigned":
        given = assignments.owners(campaign).keys() | assignments.closed(campaign).keys()
        waiting = [topic for topic in state.topics if topic.judged < topic.pooled]
        unassigned = [topic for topic in waiting if topic.topic_id not in given]
        yield _topics(BLOCKS, "unassigned", unassigned, "unassigned")
    left = [
        About(topic_id, f"assigned to {listed(names)}")
        for topic_id, names in without_judge(campaign, state.disabled).items()
    ]
    yield _warning(
        BLOCKS, "without judge", len(left), "open topic", "assigned to people who cannot judge", left
    )
    number = sum(topic.conflicts for topic in state.topics)
    conflicts = [
        About(topic.topic_id, counted(topic.conflicts, "pair")) for topic in state.topics if topic.conflicts
    ]
    yield _warning(CHECK, CONFLICTS, number, "pair", "with conflicting grades", conflicts)


def _about_runs(campaign: Campaign, state: State) -> Iterator[CampaignWarning | None]:
    warned = _sentences(campaign)
    asking = sum(any(map(_asks, sentences)) for sentences in warned.values())
    others = sum(not all(map(_asks, sentences)) for sentences in warned.values())
    yield _warning(CHECK, WARNED, asking, "run", "added with warnings", _by_warning(warned, harmless=False))
    oddities = _by_warning(warned, harmless=True)
    yield _warning(NOTE, HARMLESS, others, "run", "with oddities that change nothing", oddities)
    without_runs = [topic for topic in state.topics if state.runs and not topic.runs]
    yield _topics(CHECK, "without runs", without_runs, "without any run")
    without_pool = [topic for topic in state.topics if state.pooled and topic.runs and not topic.pooled]
    yield _topics(BLOCKS, "without pool", without_pool, "without pooled documents")
    few, many = (
        [
            About(topic.topic_id, f"{topic.relevant:,} of {topic.graded:,} judged")
            for topic in filter(has, state.topics)
        ]
        for has in (has_few_relevant, has_many_relevant)
    )
    yield _warning(CHECK, "few relevant", len(few), "topic", "with very few relevant documents", few)
    yield _warning(CHECK, "many relevant", len(many), "topic", "with very many relevant documents", many)


def has_few_relevant(topic: TopicState) -> bool:
    """Whether a topic has hardly any relevant documents, though half of its pool is judged."""
    return topic.relevant < FEW_RELEVANT and topic.pooled > 0 and 2 * topic.judged >= topic.pooled


def has_many_relevant(topic: TopicState) -> bool:
    """Whether most of a topic's judged documents are relevant."""
    return topic.graded >= ENOUGH_JUDGED and topic.relevant > MANY_RELEVANT * topic.graded


def _topics(level: str, warning: str, topics: Sequence[TopicState], what: str) -> CampaignWarning | None:
    about = [About(topic.topic_id) for topic in topics]
    return _warning(level, warning, len(about), "topic", what, about)


def _warning(
    level: str, warning: str, number: int, noun: str, what: str, about: Sequence[About] = ()
) -> CampaignWarning | None:
    """A warning, or None where there is nothing of the kind.

    Its state is what it is about: the names, or how many there are where none are named. Shares of topics change with
    every judgment, so notes count only where they are what is wrong.
    """
    if not number:
        return None
    counts = warning in {CONFLICTS, WARNED, HARMLESS}
    names = [f"{each.name}\0{each.note}" if counts else each.name for each in about] or [str(number)]
    state = sha256("\n".join(sorted(names)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return CampaignWarning(warning, level, f"{counted(number, noun)} {what}.", tuple(about), state)


def _asks(warning: str) -> bool:
    return ASKS_FOR_NOTHING not in warning


def _sentences(campaign: Campaign) -> dict[str, list[str]]:
    """The warnings with which runs in force were added, by their tags."""
    return {
        run.record.tag: [warning.message for warning in run.warnings]
        for run in runs.in_force(campaign)
        if run.warnings
    }


def _by_warning(warned: Mapping[str, Sequence[str]], *, harmless: bool) -> list[About]:
    """The runs of each warning, as one name, with its sentence: systems of one team tend to share their faults."""
    tags: dict[str, list[str]] = {}
    for tag, sentences in warned.items():
        for sentence in dict.fromkeys(sentences):
            if _asks(sentence) is not harmless:
                tags.setdefault(sentence, []).append(tag)
    return [About(listed(found, SHOWN_TAGS), sentence) for sentence, found in tags.items()]


def dismiss_warning(
    campaign: Campaign, warning: str, state: str, *, current: Iterable[CampaignWarning], note: str
) -> None:
    """Dismiss a warning, whose `state` was on the page, with a note why it needs no attention.

    Raises:
        AlreadyDone: it is gone, says something else now, or is dismissed.
        CampaignError: no note, or one that is too long.
    """
    if not note.strip() or len(note) > LONGEST_REASON:
        raise CampaignError(f"write a note of 1 to {LONGEST_REASON:,} characters: why it needs no attention")
    with campaign.write():
        if (warning, state) not in {(each.warning, each.state) for each in current}:
            raise AlreadyDone("this warning has changed since the page was opened; nothing was dismissed")
        before = dismissals.newest(campaign).get(warning)
        if before is not None and before.state == state:
            raise AlreadyDone(f"{before.actor} dismissed this warning already")
        dismissals.dismiss(campaign, warning, state, note=note.strip())


def show_warning_again(campaign: Campaign, warning: str) -> None:
    """Show a dismissed warning again; AlreadyDone when it is not dismissed."""
    with campaign.write():
        if warning not in dismissals.newest(campaign):
            raise AlreadyDone("this warning is not dismissed")
        dismissals.show_again(campaign, warning)
