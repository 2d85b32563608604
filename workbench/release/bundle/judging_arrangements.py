"""How judging was arranged, as a release tells it: rules of labels, who was to judge what, and what again, sessions,
topics closed, documents marked as broken, what adaptive pools chose.

Each row is an event of the log without who did it and why, since reasons are free text. Draws have a file of their own,
pools and runs too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from workbench.campaign.assessing.repeats import LARGEST_GAP
from workbench.campaign.assigning.changing import LONGEST_LEASE
from workbench.campaign.rounds import NAME
from workbench.formats.tables.json_text import json_line
from workbench.release.bundle import checked_values
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, norming
from workbench.storage.campaign.collection import broken, pools, rounds, runs, topic_withdrawals
from workbench.storage.campaign.grades import judging_again
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.changes_since import CHOICE
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import WHO_JUDGES

Content = dict[str, Any]


class Arrangement(NamedTuple):
    """An event: its place in the log that it came from, its kind, and its content, checked."""

    seq: int
    kind: str
    content: Content

    @property
    def topic_ids(self) -> set[str]:
        """The topics that it is about."""
        content = self.content
        named = {content["topic"]} if "topic" in content else set()
        listed = (
            content.get(name, ()) for name in ("replaced", "assigned", "pairs") if "topic" not in content
        )
        return named.union(content.get("topics", ()), (first for rows in listed for first, *_ in rows))


def _share(value: Any) -> float:
    if not 0 <= (share := checked_values.decimal(value)) <= 1:
        raise ValueError(f"{share} is not a share")
    return share


SETTINGS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "label_rule": lambda value: checked_values.one_of(value, LABEL_RULES),
        "imported_labels": lambda value: checked_values.one_of(value, IMPORTED_LABELS),
        "model_labels": lambda value: checked_values.one_of(value, MODEL_LABELS),
        "who_judges": lambda value: checked_values.one_of(value, WHO_JUDGES),
        "lease_minutes": lambda value: checked_values.within(value, 1, LONGEST_LEASE),
        "repeat_share": _share,
        "repeat_gap": lambda value: checked_values.within(value, 1, LARGEST_GAP),
        "repeat_seed": checked_values.number,
    }
)
"""The settings that say how judging goes, each with the function that checks a value."""


def arrangement_rows(
    campaign: Campaign, judged: Mapping[str, str], as_of: int | None = None
) -> Iterator[str]:
    """The arrangements as JSONL, in the order of the log.

    Args:
        campaign: an open campaign.
        judged: those who judged, each with what they are called; others are left out.
        as_of: a row of the log.
    """
    every = rounds.all_rounds(campaign, as_of)
    stored = runs.all_runs(campaign, as_of)
    in_round = {at.opened: [run.record.tag for run in stored if at.has(run)] for at in every}
    for event in log.events(campaign, settings.SETTINGS, *_READ, as_of=as_of):
        content = _written(event, judged)
        if content is not None and event.kind == rounds.ROUND:
            content = {"name": content["name"], "runs": in_round.get(event.seq, [])}
        if content is not None:
            yield json_line({"seq": event.seq, "day": event.at[:10], "kind": event.kind, **content})


def _written(event: log.Event, judged: Mapping[str, str]) -> Content | None:
    """What a row says of an event besides its kind; None where there is nothing to tell."""
    content = event.content
    if event.kind == "settings":
        chosen = {name: content[name] for name in SETTINGS if name in content}
        return {"chosen": chosen} if chosen else None
    if event.kind == assignments.ASSIGNMENT:
        given = [
            [topic_id, part, judged[name]] for topic_id, part, name in content["assigned"] if name in judged
        ]
        return {"replaced": content["replaced"], "assigned": given} if given or content["replaced"] else None
    if event.kind in judging_again.KINDS:
        asked = [
            [topic_id, each, judged[name]] for topic_id, each, name in content["pairs"] if name in judged
        ]
        return {"pairs": asked} if asked else None
    return {name: value for name, value in content.items() if name != "reason"}


def arranged(content: Any) -> Arrangement:
    """A row as it was read, checked; raises what the functions of `checked` do, or LookupError."""
    seq, kind = checked_values.number(content["seq"]), checked_values.text(content["kind"])
    if kind == "settings":
        return Arrangement(
            seq, kind, {name: SETTINGS[name](value) for name, value in content["chosen"].items()}
        )
    return Arrangement(seq, kind, _READ[kind](content))


def _assignment(content: Any) -> Content:
    replaced = [
        (checked_values.identifier("topic", topic_id), checked_values.one_of(part, assignments.PARTS))
        for topic_id, part in checked_values.listing(content["replaced"])
    ]
    given = [
        (
            checked_values.identifier("topic", topic_id),
            checked_values.one_of(part, assignments.PARTS),
            checked_values.name(assessor),
        )
        for topic_id, part, assessor in checked_values.listing(content["assigned"])
    ]
    return {"replaced": replaced, "assigned": given}


def _topics(content: Any) -> Content:
    return {
        "topics": [
            checked_values.identifier("topic", each) for each in checked_values.listing(content["topics"])
        ]
    }


def _opened(content: Any) -> Content:
    named = [
        checked_values.identifier("document", each) for each in checked_values.listing(content["documents"])
    ]
    if not named or len(set(named)) < len(named):
        raise ValueError(f"{named!r} are no documents of a session")
    return {
        **_session(content),
        "topic": checked_values.identifier("topic", content["topic"]),
        "documents": named,
    }


def _retirement(content: Any) -> Content:
    return {"pool": checked_values.number(content["pool"])}


def _round(content: Any) -> Content:
    if not NAME.fullmatch(name := checked_values.text(content["name"])):
        raise ValueError(f"{name!r} is no name of a round")
    tags = [checked_values.text(tag) for tag in checked_values.listing(content.get("runs", []))]
    return {"name": name, "runs": tags}


def _choice(content: Any) -> Content:
    pairs = [
        [
            checked_values.identifier("document", document_id),
            checked_values.number(best_rank),
            checked_values.number(runs),
        ]
        for document_id, best_rank, runs in checked_values.listing(content["pairs"])
    ]
    return {
        **_retirement(content),
        "topic": checked_values.identifier("topic", content["topic"]),
        "pairs": pairs,
        "seen": checked_values.number(content["seen"]),
        **({"texts": checked_values.sha256(content["texts"])} if "texts" in content else {}),
    }


def _again(content: Any) -> Content:
    pairs = [
        (
            checked_values.identifier("topic", topic_id),
            checked_values.identifier("document", document_id),
            checked_values.name(assessor),
        )
        for topic_id, document_id, assessor in checked_values.listing(content["pairs"])
    ]
    return {"pairs": pairs}


def _broken(content: Any) -> Content:
    return {
        "document": checked_values.identifier("document", content["document"]),
        "text_hash": checked_values.sha256(content["text_hash"]),
    }


def _session(content: Any) -> Content:
    return {"norming": checked_values.number(content["norming"])}


def _closed(content: Any) -> Content:
    if not isinstance(content["counts"], bool):
        raise TypeError(f"{content['counts']!r} is neither true nor false")
    return {**_session(content), "counts": content["counts"]}


_READ: Mapping[str, Callable[[Any], Content]] = MappingProxyType(
    {
        assignments.ASSIGNMENT: _assignment,
        assignments.CLOSING: _topics,
        assignments.REOPENING: _topics,
        pools.RETIREMENT: _retirement,
        topic_withdrawals.WITHDRAWAL: _topics,
        topic_withdrawals.RESTORATION: _topics,
        rounds.ROUND: _round,
        rounds.CANCELLED: _round,
        CHOICE: _choice,
        judging_again.REQUESTED: _again,
        judging_again.TAKEN_BACK: _again,
        broken.BROKEN: _broken,
        broken.REPAIRED: _broken,
        norming.OPENED: _opened,
        norming.REVEALED: _session,
        norming.CLOSED: _closed,
    }
)
"""The kinds of events that are reported besides settings, each with the function that checks a row."""
