"""The warnings of a campaign that an organiser can dismiss: how urgent each is, what it says, and what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from workbench.analysis.dashboard.progress import Attention, RunWithWarnings, State, TopicState, attention_of
from workbench.core.errors import AlreadyDone, CampaignError
from workbench.core.wording import counted, listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.text_bounds import LONGEST_REASON
from workbench.storage.campaign.organising import dismissals
from workbench.storage.campaign.organising.dismissals import Dismissal

BLOCKS, CHECK, NOTE = "blocks", "check", "note"

LEVELS = {BLOCKS: "Stops judging", CHECK: "Check", NOTE: "Note"}
"""How urgent a warning is, the most urgent first, and what screens call it. Notes ask for nothing."""

CONFLICTS, WARNED, HARMLESS = "conflicts", "warned", "harmless"

SHOWN_TAGS = 3
"""How many runs are named for a warning that several have; the others are counted."""

ASKS_FOR_NOTHING = "nothing to do"
"""With these words a warning of a run ends that asks for nothing."""


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
    words: str
    about: tuple[About, ...]
    state: str
    dismissed: Dismissal | None = None


def campaign_warnings(campaign: Campaign, state: State) -> list[CampaignWarning]:
    """The warnings of a campaign that stands as `state` says, the most urgent first, dismissed ones too."""
    found = attention_of(campaign, state)
    before = dismissals.newest(campaign)
    every = [each for each in (*_about_pairs(found), *_about_runs(found), *_about_relevance(found)) if each]
    known = [each._replace(dismissed=_holding(before.get(each.warning), each)) for each in every]
    return sorted(known, key=lambda each: list(LEVELS).index(each.level))


def _holding(dismissal: Dismissal | None, found: CampaignWarning) -> Dismissal | None:
    return dismissal if dismissal is not None and dismissal.state == found.state else None


def _about_pairs(found: Attention) -> Iterator[CampaignWarning | None]:
    pairs = found.without_text
    yield _warning(BLOCKS, "without text", pairs, "pooled pair", "without a text that can be judged")
    broken = [About(mark.document_id, mark.reason) for mark in found.broken]
    yield _warning(CHECK, "broken", len(broken), "document", "marked as broken", broken)
    yield _topics(BLOCKS, "unassigned", found.unassigned, "unassigned")
    left = [
        About(topic_id, f"assigned to {listed(names)}") for topic_id, names in found.without_judge.items()
    ]
    yield _warning(
        BLOCKS, "without judge", len(left), "open topic", "assigned to people who cannot judge", left
    )
    conflicts = [About(topic.topic_id, counted(topic.conflicts, "pair")) for topic in found.conflicts]
    number = sum(topic.conflicts for topic in found.conflicts)
    yield _warning(CHECK, CONFLICTS, number, "pair", "with conflicting grades", conflicts)


def _about_runs(found: Attention) -> Iterator[CampaignWarning | None]:
    asking = sum(any(map(_asks, run.warnings)) for run in found.warned)
    others = sum(not all(map(_asks, run.warnings)) for run in found.warned)
    yield _warning(
        CHECK, WARNED, asking, "run", "added with warnings", _by_warning(found.warned, harmless=False)
    )
    yield _warning(
        NOTE,
        HARMLESS,
        others,
        "run",
        "with oddities that change nothing",
        _by_warning(found.warned, harmless=True),
    )
    yield _topics(CHECK, "without runs", found.without_runs, "without any run")
    yield _topics(BLOCKS, "without pool", found.without_pool, "without pooled documents")


def _about_relevance(found: Attention) -> Iterator[CampaignWarning | None]:
    few, many = _with_shares(found.few_relevant), _with_shares(found.many_relevant)
    yield _warning(CHECK, "few relevant", len(few), "topic", "with very few relevant documents", few)
    yield _warning(CHECK, "many relevant", len(many), "topic", "with very many relevant documents", many)


def _topics(level: str, warning: str, topic_ids: Sequence[str], what: str) -> CampaignWarning | None:
    return _warning(level, warning, len(topic_ids), "topic", what, list(map(About, topic_ids)))


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
    """Whether a warning of a run asks for something."""
    return ASKS_FOR_NOTHING not in warning


def _by_warning(warned: Sequence[RunWithWarnings], *, harmless: bool) -> list[About]:
    """The runs of each warning, as one name, with its sentence: systems of one team tend to share their faults."""
    tags: dict[str, list[str]] = {}
    for run in warned:
        for warning in dict.fromkeys(run.warnings):
            if _asks(warning) is not harmless:
                tags.setdefault(warning, []).append(run.tag)
    return [About(listed(found, SHOWN_TAGS), warning) for warning, found in tags.items()]


def _with_shares(topics: Sequence[TopicState]) -> list[About]:
    return [About(topic.topic_id, f"{topic.relevant:,} of {topic.graded:,} judged") for topic in topics]


def dismiss_warning(
    campaign: Campaign,
    warning: str,
    state: str,
    *,
    current: Iterable[CampaignWarning],
    note: str,
    actor: str,
    now: datetime | None = None,
) -> None:
    """Dismiss a warning with a note.

    Args:
        campaign: an open campaign.
        warning, state: which, and as it was on the page.
        current: the warnings as they are now.
        note: why it needs no attention.
        actor: the organiser.
        now: the time to record.

    Raises:
        AlreadyDone: it is gone, says something else now, or is dismissed.
        CampaignError: no note, or one that is too long.
    """
    if not note.strip() or len(note) > LONGEST_REASON:
        message = f"write a note of 1 to {LONGEST_REASON:,} characters: why it needs no attention"
        raise CampaignError(message)
    with campaign.write():
        if (warning, state) not in {(each.warning, each.state) for each in current}:
            message = "this warning has changed since the page was opened; nothing was dismissed"
            raise AlreadyDone(message)
        before = dismissals.newest(campaign).get(warning)
        if before is not None and before.state == state:
            message = f"{before.actor} dismissed this warning already"
            raise AlreadyDone(message)
        dismissals.dismiss(campaign, warning, state, note=note.strip(), actor=actor, now=now)


def show_warning_again(campaign: Campaign, warning: str, *, actor: str, now: datetime | None = None) -> None:
    """Show a dismissed warning again; AlreadyDone when it is not dismissed."""
    with campaign.write():
        if warning not in dismissals.newest(campaign):
            message = "this warning is not dismissed"
            raise AlreadyDone(message)
        dismissals.show_again(campaign, warning, actor=actor, now=now)
