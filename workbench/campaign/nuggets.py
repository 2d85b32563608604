"""Nugget banks of a campaign's topics: added from files, and changed nugget by nugget.

A file replaces the bank of each of its topics; proposals join it. Either way each topic gets a new version of its bank,
or none where nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from math import inf
from typing import Any, NamedTuple, TypeVar

from workbench.core.errors import CampaignError, InputError, Problem
from workbench.core.records import Rationale
from workbench.core.wording import counted, none_such
from workbench.formats.answers.assigned import IMPORTANCES, VITAL
from workbench.formats.answers.bank_forms import BANK_FORMS, banks_by_topic
from workbench.formats.answers.banks import Bank, BankFile, Creator, GoldAnswer, Nugget, Reference
from workbench.formats.text.content import Content
from workbench.formats.text.lines import shown
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import nuggets, pooled_units, topics
from workbench.storage.campaign.collection.changed_ids import id_tables, newest_id
from workbench.storage.campaign.organising.quota import check_quota

Record = TypeVar("Record", bound=Any)


class BankChange(NamedTuple):
    """What another version of a topic's bank has: its nuggets, by id, and whether it is the same bank."""

    topic_id: str
    new: tuple[Nugget, ...]
    changed: tuple[Nugget, ...]
    gone: tuple[Nugget, ...]
    same: tuple[Nugget, ...]
    is_same: bool


def changes(before: Bank | None, after: Bank) -> BankChange:
    """What changes from one version to the next; both have ids. Where in a file a bank stands is no change."""
    old = {each.nugget_id: each for each in before.nuggets} if before else {}
    found: dict[str, list[Nugget]] = {"new": [], "changed": [], "same": []}
    for each in after.nuggets:
        was = old.pop(each.nugget_id, None)
        is_alike = was is not None and without_given(was) == without_given(each)
        found["new" if was is None else "same" if is_alike else "changed"].append(each)
    is_same = before is not None and before._replace(line=0) == after._replace(line=0)
    kinds = {name: tuple(some) for name, some in found.items()}
    return BankChange(after.topic_id, **kinds, gone=tuple(old.values()), is_same=is_same)


def counts_in_words(found: Sequence[BankChange]) -> str:
    """How many nuggets are new, changed, gone and the same."""
    names = ("new", "changed", "gone", "same")
    return ", ".join(f"{sum(len(getattr(each, name)) for each in found):,} {name}" for name in names)


def changes_in_words(found: Sequence[BankChange], *, would: bool) -> str:
    """What files of banks change, or would change, in a sentence without a full stop."""
    changed = sum(not each.is_same for each in found)
    if not changed:
        return f"nothing changes: {counted(len(found), 'topic')} had these nuggets already"
    said = f"{'would change' if would else 'changed'}, {len(found) - changed:,} the same"
    return f"nuggets of {counted(changed, 'topic')} {said}: {counts_in_words(found)}"


def add_nuggets(
    campaign: Campaign,
    paths: Sequence[str | Content],
    *,
    form: str = "",
    proposed: bool = False,
    dry_run: bool = False,
) -> list[BankChange]:
    """Set the banks of all topics in the files, or none of them; what changes, in the order of the files.

    A file that cannot be read, a topic that is in two files or not in the campaign, and what a bank may not hold are
    refused with an InputError. Nuggets that are only `proposed` join those of the bank that it lacks. `form` is one of
    BANK_FORMS, "" for what the fields of a file tell. Nothing changes in a `dry_run`.
    """
    if form not in ("", *BANK_FORMS):
        raise CampaignError(none_such("form of nuggets", form, list(BANK_FORMS)))
    given = banks_by_topic(paths, form).values()
    with campaign.snapshot() if dry_run else campaign.write():
        found, problems, known = [], list[Problem](), topics.topic_ids(campaign)
        for file, bank in given:
            before = nuggets.bank_of(campaign, bank.topic_id)
            bank = nuggets.under_newest_ids(campaign, bank)
            after = _joined(before, bank) if proposed else nuggets.with_ids(bank)
            found.append((file, bank, after, changes(before, after)))
            if bank.topic_id not in known:
                unknown = none_such("topic", bank.topic_id, known, of=campaign.name)
                problems.append(Problem(file.file, bank.line, unknown))
            faults = (f"topic {bank.topic_id}: {fault}" for fault in nuggets.faults(after))
            problems += (Problem(file.file, bank.line, fault) for fault in faults)
        if problems:
            raise InputError(problems)
        for file, bank, after, change in () if dry_run else found:
            if not change.is_same:
                container = file.container if after.given is bank.given else None
                nuggets.put(campaign, after, file=file.file, container=container)
                pooled_units.settle(campaign, [bank.topic_id])
        if not dry_run:
            check_quota(campaign)
    return [change for *_, change in found]


def _joined(before: Bank | None, bank: Bank) -> Bank:
    """The bank before with those nuggets of another that it lacks, as proposals."""
    bank = nuggets.with_ids(bank)
    proposals = [each._replace(proposed=True) for each in bank.nuggets]
    if before is None:
        return bank._replace(nuggets=tuple(proposals))
    known = {name for each in before.nuggets for name in (each.nugget_id, each.text)}
    lacking = (each for each in proposals if known.isdisjoint((each.nugget_id, each.text)))
    # What a record of another form was read from would be written as one of the bank's.
    more = lacking if bank.form == before.form else map(without_given, lacking)
    return before._replace(nuggets=(*before.nuggets, *more))


def without_given(record: Record) -> Record:
    """A record without what it and those in it were read from."""
    inner = [name for name in ("nuggets", "parts", "answers", "references") if hasattr(record, name)]
    bare: dict[str, Any] = {name: tuple(map(without_given, getattr(record, name))) for name in inner}
    found: Record = record._replace(**bare, **({"given": None} if hasattr(record, "given") else {}))
    return found


def change_bank(
    campaign: Campaign, topic_id: str, version: int | None, change: Callable[[Bank], Bank]
) -> int | None:
    """Change a topic's bank that was read as of `version`, the row that set it, 0 for none; returns the new row.

    Without a `version` the newest bank changes. None where nothing does. NotThere for an unknown topic; CampaignError
    where another version came since, and for what the bank may not hold.
    """
    with campaign.write():
        topic = topics.named(campaign, topic_id).topic
        now = nuggets.current(campaign, topic_id)
        if version not in (None, now.seq if now else 0):
            by = now.actor if now else "another person"
            raise CampaignError(
                f"{by} changed the nuggets of topic {topic_id} since this page was loaded, and nothing of yours was "
                "saved; look at what is there now, and make your change again"
            )
        before = now.bank if now else Bank(topic_id, (), "", topic.title)
        after = nuggets.with_ids(change(before))
        if now and after == before:
            return None
        row = nuggets.put(campaign, after)
        pooled_units.settle(campaign, [topic_id])
        return row


def find(bank: Bank, nugget_id: str) -> Nugget:
    """A nugget of a bank; CampaignError where it is not there."""
    found = next((each for each in bank.nuggets if each.nugget_id == nugget_id), None)
    if found is None:
        raise CampaignError(f"topic {bank.topic_id} has no nugget {shown(nugget_id)}; load its page again")
    return found


def replaced(bank: Bank, nugget_id: str, *by: Nugget) -> Bank:
    """The bank with others, or none, in the place of a nugget; CampaignError where it is not there."""
    place = bank.nuggets.index(find(bank, nugget_id))
    return bank._replace(nuggets=(*bank.nuggets[:place], *by, *bank.nuggets[place + 1 :]))


def with_new(bank: Bank, nugget: Nugget) -> Bank:
    """The bank with a nugget at its end, which gets an id that no other has."""
    own = nuggets.with_ids(bank._replace(nuggets=(nugget,))).nuggets[0]
    same = next((each for each in bank.nuggets if each.text == nugget.text), None)
    if same is not None:
        raise CampaignError(f"topic {bank.topic_id} has the nugget {shown(nugget.text)} already; change that")
    if any(each.nugget_id == own.nugget_id for each in bank.nuggets):  # its text was another once
        text = f"{nugget.text} {len(bank.nuggets)}"
        own = own._replace(nugget_id=sha256(text.encode()).hexdigest()[: nuggets.ID_DIGITS])
    return bank._replace(nuggets=(*bank.nuggets, own))


def with_answers(nugget: Nugget, texts: Sequence[str], creator: Creator) -> Nugget:
    """A nugget with these acceptable answers: those that it has as they are, new ones of their creator."""
    there = {each.text: each for each in nugget.answers}
    answers = tuple(there.get(text, GoldAnswer(text, creators=(creator,))) for text in dict.fromkeys(texts))
    is_question = nugget.is_question or bool(answers)
    return nugget._replace(answers=answers, is_question=is_question)


def merged(bank: Bank, nugget_id: str, other_id: str) -> Bank:
    """One nugget of two: text and place of the first, all else of both, the higher importance, proposed if both."""
    first, other = find(bank, nugget_id), find(bank, other_id)
    if first == other:
        raise CampaignError("a nugget is merged with another one; choose two")
    both = dict[str, Any]()
    for name in ("references", "creators", "answers", "parts"):
        there = [without_given(each) for each in getattr(first, name)]
        more = (each for each in getattr(other, name) if without_given(each) not in there)
        both[name] = (*getattr(first, name), *more)
    importance = max(first.importance, other.importance, key=weight)
    one = first._replace(**both, importance=importance, proposed=first.proposed and other.proposed)
    return replaced(replaced(bank, other_id), nugget_id, one)


def weight(importance: str) -> float:
    """How important a nugget is, more for a larger number: words and letters in their order, numbers as they are."""
    if importance in IMPORTANCES:
        return -IMPORTANCES.index(importance)
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", importance):
        return float(importance)
    return -ord(importance[0]) if importance else -inf


def reference_to(campaign: Campaign, document_id: str, kept: Rationale) -> Reference:
    """Where a rationale stands in a document; in its title it has no span, which is one of the text."""
    document_id = newest_id(id_tables(campaign), document_id)
    return Reference(document_id, (kept.start, kept.end) if kept.field == "text" else None)


class BankCounts(NamedTuple):
    """A topic's bank: versions, nuggets that are judged, vital ones, proposals, and who changed it last."""

    topic: str
    version: int
    nuggets: int
    vital: int
    proposed: int
    last_change: str
    by: str


def bank_counts(campaign: Campaign, topic_ids: Sequence[str]) -> list[BankCounts]:
    """The banks of those of these topics that have one, in their order."""
    found = []
    for topic_id in topic_ids:
        if now := nuggets.current(campaign, topic_id):
            judged = nuggets.judged(now.bank)
            number = len(nuggets.rows(campaign)[topic_id])
            vital = sum(each.importance == VITAL for each in judged)
            waiting = len(now.bank.nuggets) - len(judged)
            found.append(BankCounts(topic_id, number, len(judged), vital, waiting, now.at, now.actor))
    return found


def written_reference(reference: Reference) -> str:
    """A reference in a few letters, such as d1 (3 to 9)."""
    start, end = reference.span or (0, 0)
    return f"{reference.document_id} ({start} to {end})" if reference.span else reference.document_id


def without_proposals(file: BankFile) -> BankFile:
    """A file of banks as others read it, who know no proposals."""
    return file._replace(banks=tuple(bank._replace(nuggets=nuggets.judged(bank)) for bank in file.banks))
