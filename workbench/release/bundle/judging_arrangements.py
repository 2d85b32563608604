"""How judging was arranged, as a release tells it: rules of labels, who was to judge what, and what again, sessions,
topics closed, documents marked as broken, what adaptive pools chose, nuggets of topics.

Each row is an event of the log without who did it and why, since reasons are free text. Draws have a file of their own,
pools and runs too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from workbench.campaign.assessing.repeats import LARGEST_GAP
from workbench.campaign.assigning.changing import LONGEST_LEASE
from workbench.campaign.campaign_settings import LARGEST_SEED
from workbench.campaign.nuggets import without_given
from workbench.campaign.rounds import NAME
from workbench.core.impressions import LONGEST_TIME
from workbench.core.model_answers import JUDGE_FIELDS, Submitted
from workbench.core.ranking import HIGHEST_GRADE
from workbench.core.values import LARGEST_INTEGER
from workbench.formats.tables.json_text import json_line
from workbench.methods.online.metrics import USUAL
from workbench.release.bundle import checked_values as checked
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, norming
from workbench.storage.campaign.collection import (
    broken,
    changed_ids,
    nuggets,
    pools,
    rounds,
    runs,
    topic_withdrawals,
    user_outcomes,
)
from workbench.storage.campaign.grades import judging_again, shown_labels
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.kinds import CHOICE
from workbench.storage.campaign.models import answers, judges, submitted
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import SECOND_LOOKS, WHO_JUDGES

Content = dict[str, Any]
REASON = "reason"


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


_share = checked.within(0, 1, checked.decimal)
SETTINGS: Mapping[str, checked.Reader] = {
    "label_rule": checked.one_of(LABEL_RULES),
    "imported_labels": checked.one_of(IMPORTED_LABELS),
    "model_labels": checked.one_of(MODEL_LABELS),
    "who_judges": checked.one_of(WHO_JUDGES),
    "lease_minutes": checked.within(1, LONGEST_LEASE),
    "repeat_share": _share,
    "repeat_gap": checked.within(1, LARGEST_GAP),
    "repeat_seed": checked.number,
    "second_look_judge": checked.text,
    "second_look_control": _share,
    "second_look_seed": checked.within(0, LARGEST_SEED),
    "second_looks": checked.one_of(SECOND_LOOKS),
}
"""The settings that say how judging goes, each with the reader of its value."""

SCALE: Mapping[str, checked.Reader] = {
    "grades": checked.list_of(checked.row(checked.grade, checked.text, checked.text)),
    "relevant_from": checked.within(1, HIGHEST_GRADE),
    "remapped": checked.list_of(checked.row(checked.grade, checked.grade)),
    "asked_again": checked.list_of(checked.grade),
}
"""Those of the scale, where it was another: rows of the log have the names that grades had then."""

REPORTED = (
    *(assignments.ASSIGNMENT, assignments.CLOSING, assignments.REOPENING),
    *(topic_withdrawals.WITHDRAWAL, topic_withdrawals.RESTORATION),
    *(pools.RETIREMENT, CHOICE),
    *(rounds.ROUND, rounds.CANCELLED, changed_ids.KIND),
    *(judging_again.REQUESTED, judging_again.TAKEN_BACK),
    *(judges.JUDGE, answers.MODEL_ANSWERS, shown_labels.LABEL_SHOWN),
    *(submitted.WITHDRAWAL, submitted.RESTORATION),
    *(broken.BROKEN, broken.REPAIRED, nuggets.NUGGETS),
    user_outcomes.KIND,
    *norming.KINDS,
)
"""The kinds of events that are reported besides settings, with all their fields but reasons."""


def arrangement_rows(campaign: Campaign, judged: Mapping[str, str]) -> Iterator[str]:
    """The arrangements as JSONL, in the order of the log; `judged` names each assessor, others are left out.

    Others who made nuggets are maker-1, maker-2 ...
    """
    every = rounds.all_rounds(campaign)
    stored = runs.all_runs(campaign)
    in_round = {at.opened: [run.record.tag for run in stored if at.has(run)] for at in every}
    told = (*SETTINGS, *(SCALE if settings.read(campaign).scale_version else ()))
    makers = dict[str, str]()
    for event in log.events(campaign, settings.SETTINGS, *REPORTED):
        of_bank = event.kind == nuggets.NUGGETS
        content = _bank(event.content, judged, makers) if of_bank else _written(event, judged, told)
        if content is not None and event.kind == rounds.ROUND:
            content = {"name": content["name"], "runs": in_round.get(event.seq, [])}
        if content is not None and event.kind == user_outcomes.KIND:
            content = user_outcomes.renamed(content, {run.run: run.record.tag for run in stored})
        if content is not None:
            yield json_line({"seq": event.seq, "day": event.at[:10], "kind": event.kind, **content})


def _written(event: log.Event, judged: Mapping[str, str], told: Iterable[str]) -> Content | None:
    """What a row says of an event besides its kind, of settings those `told`; None where there is nothing to tell."""
    content = event.content
    if event.kind == "settings":
        chosen = {name: content[name] for name in told if name in content}
        if judge := chosen.get("second_look_judge"):
            chosen["second_look_judge"] = judged.get(judge, judge)
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
    if event.kind == judges.JUDGE:
        return content | {"name": judged.get(content["name"], content["name"])}
    if event.kind == shown_labels.LABEL_SHOWN:
        judge, who = judged.get(content["judge"], content["judge"]), judged.get(content["assessor"])
        return content | {"judge": judge, "assessor": who} if who else None
    if event.kind == answers.MODEL_ANSWERS:
        told_of = {name: value for name, value in content.items() if name not in Submitted._fields}
        return told_of | {"judge": judged.get(content["judge"], content["judge"]), "source": ""}
    if event.kind in (submitted.WITHDRAWAL, submitted.RESTORATION):
        return {"judge": judged.get(content["judge"], content["judge"])}
    return {name: value for name, value in content.items() if name != REASON}


def _bank(content: Content, judged: Mapping[str, str], makers: dict[str, str]) -> Content:
    """What a row says of a bank of nuggets: of what it was read from nothing where that may name people."""
    if not content["people"]:
        return content | {"file": ""}
    bare = nuggets.content_of(without_given(nuggets.bank_in(content)), "")
    named = (
        judged.get(each) or makers.setdefault(each, f"maker-{len(makers) + 1}") for each in bare["people"]
    )
    return bare | {"people": list(named)}


def arranged(content: Any) -> Arrangement:
    """A row as it was read, checked; raises what readers do, or LookupError."""
    seq, kind = checked.number(content["seq"]), checked.text(content["kind"])
    if kind == "settings":
        chosen = {name: {**SETTINGS, **SCALE}[name](value) for name, value in content["chosen"].items()}
        return Arrangement(seq, kind, chosen)
    declared = {str(each): each for each in REPORTED}[kind]
    readers = {**_FIELDS, **_OF_KINDS.get(kind, {})}
    names = (name for name in declared.fields or () if name != REASON)
    found = {
        name: readers[name](content[name])
        for name in names
        if name in content or name not in declared.optional
    }
    return Arrangement(seq, declared, found)


def _documents(value: Any) -> list[str]:
    named: list[str] = checked.list_of(checked.document_id)(value)
    if not named or len(set(named)) < len(named):
        raise ValueError(f"{named!r} are not documents of a session")
    return named


def _round_name(value: Any) -> str:
    if not NAME.fullmatch(found := checked.text(value)):
        raise ValueError(f"{found!r} is not the name of a round")
    return found


_PART = checked.one_of(assignments.PARTS)
_FIELDS: Mapping[str, checked.Reader] = {
    "assessor": checked.name,
    "assigned": checked.list_of(checked.row(checked.topic_id, _PART, checked.name)),
    "bank": dict,
    "container": checked.text,
    "counts": checked.truth,
    "document": checked.document_id,
    "documents": _documents,
    "file": checked.one_of(("",)),
    "ids": checked.list_of(checked.row(checked.document_id, checked.document_id)),
    "grade": checked.grade,
    "judge": checked.name,
    "name": _round_name,
    "norming": checked.number,
    "pairs": checked.list_of(checked.row(checked.topic_id, checked.document_id, checked.name)),
    "people": checked.list_of(checked.name),
    "pool": checked.number,
    "replaced": checked.list_of(checked.row(checked.topic_id, _PART)),
    "runs": checked.list_of(checked.text),
    "seen": checked.number,
    "text_hash": checked.sha256,
    "texts": checked.sha256,
    "topic": checked.topic_id,
    "topics": checked.list_of(checked.topic_id),
}
"""The readers of the fields of events by their names."""

_COUNT = checked.within(0, LARGEST_INTEGER)
_VALUE = checked.optional(checked.within(-LONGEST_TIME, LONGEST_TIME, checked.decimal))
"""No value of users is larger than that of seconds to a click."""
_OF_KINDS: Mapping[str, Mapping[str, checked.Reader]] = {
    CHOICE: {
        "pairs": checked.list_of(checked.row(checked.document_id, checked.number, checked.number)),
        "compared": checked.list_of(
            checked.row(checked.document_id, checked.document_id, checked.probability)
        ),
    },
    judges.JUDGE: {field.name: field.read_stored for field in JUDGE_FIELDS}
    | {"name": checked.name, "scale": checked.list_of(checked.grade)},
    user_outcomes.KIND: {
        "unit": checked.one_of(("user", "session", "topic")),
        "files": checked.list_of(checked.sha256, user_outcomes.MOST_ROWS),
        **{
            name: checked.list_of(
                checked.row(checked.text, second, _COUNT, _VALUE, _VALUE), user_outcomes.MOST_ROWS
            )
            for name, second in (("metrics", checked.one_of(USUAL)), ("preferences", checked.text))
        },
    },
    answers.MODEL_ANSWERS: {
        **dict.fromkeys(("version", "answers", "unlabelled", "marked", "labels"), _COUNT),
        "judge": checked.name,
        "source": checked.one_of(("",)),
        "sha256": checked.sha256,
    },
}
"""Those that differ in some kinds."""
