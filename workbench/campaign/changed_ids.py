"""Ids of documents that changed between releases: a table's rows are checked, shown by what they change, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.campaign.rounds import RoundCounts, round_counts
from workbench.core.errors import AlreadyDone, CampaignError, InputError, Problem
from workbench.core.wording import counted, listed
from workbench.formats.changed_ids import read_changed_ids
from workbench.formats.text.content import Content
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import changed_ids, documents, nuggets
from workbench.storage.campaign.collection.changed_ids import Table, newest_id, under_new_ids
from workbench.storage.campaign.collection.references import referred_to
from workbench.storage.campaign.grades import labels


class IdChanges(NamedTuple):
    """What a table changes: the open round with its judgments; ids, and rows that change none; judged documents, and
    their pairs; `referred` documents to which nuggets refer; `unlike` grades of documents that become one, as text;
    `unknown` old ids, which nothing in the campaign has. `row` is the event's, 0 before.
    """

    at: RoundCounts
    ids: int
    idle: int
    judged: int
    pairs: int
    referred: int
    unlike: Sequence[str]
    unknown: Sequence[str]
    row: int = 0

    @property
    def sentences(self) -> list[str]:
        """The same in sentences."""
        name, given = self.at.round.name, self.at.judgments
        said = {
            f"Document ids that change in round {name}: {self.ids:,}; {self.judged:,} of them have judgments "
            f"({counted(self.pairs, 'pair')}).": True,
            f"Round {name} has {counted(given, 'judgment')} already: its own qrels change too.": given,
            f"Nuggets refer to {self.referred:,} of these documents, by the new ids from then on.": self.referred,
            f"Rows without an effect: {self.idle:,}.": self.idle,
            f"Old ids that no document, run, pool, judgment or nugget has: {listed(self.unknown)}; "
            "check that each row is old,new.": self.unknown,
            "Unlike grades of documents that become one, of which that under the new id counts, else the highest: "
            f"{listed(self.unlike)}.": self.unlike,
        }
        return [sentence for sentence, is_so in said.items() if is_so]


def change_ids(campaign: Campaign, content: Content, *, dry_run: bool = False) -> IdChanges:
    """Put a table of old and new ids in force from the next row of the log on; with `dry_run` nothing is stored.

    Raises:
        InputError: with all rows that are wrong: see `read_changed_ids`, ids in a circle, one that changed before.
        AlreadyDone: no row changes anything.
        CampaignError: the first round is open, whose qrels would change.
    """
    with campaign.snapshot() if dry_run else campaign.write():
        if not (at := round_counts(campaign)[-1]).round.opened:
            way_out = f"open the next: workbench task round {campaign.command_name} --open 2"
            raise CampaignError(f"ids change between rounds, and the first is open; {way_out}")
        tables = changed_ids.id_tables(campaign)
        table, idle = _checked(content, tables)
        judged, pairs, unlike = _judged(campaign, tables, table)
        referred = table.keys() & nuggets.documents(campaign)
        unknown = _unknown(campaign, table.keys() - referred)
        found = IdChanges(at, len(table), idle, judged, pairs, len(referred), unlike, unknown)
        return found if dry_run else found._replace(row=changed_ids.put(campaign, table))


def _checked(content: Content, tables: Sequence[Table]) -> tuple[Table, int]:
    """The new id of each old one, by the table's rows one after the other; and how many rows change nothing."""
    rows, problems, last = read_changed_ids(content), list[Problem](), dict[str, str]()
    step = {row.old: row.new for row in rows if row.new != newest_id(tables, row.old)}
    for row in rows:
        path, at = dict[str, None](), row.old
        while at in step and at not in last and at not in path:
            path[at] = None
            at = step[at]
        if at in path:
            message = f"{' → '.join([*path, at])} leads back; leave one of these rows out"
            problems.append(Problem(content.file, row.line, message))
        last |= dict.fromkeys(path, last.get(at, at))
    for row in rows:
        old, new = (newest_id(tables, each) for each in row[:2])
        if old != row.old and last.get(old, old) != last.get(row.new, row.new):
            message = f"{row.old} became {old} by an earlier table; write {old},{row.new}"
            problems.append(Problem(content.file, row.line, message))
        elif new not in row[:2]:
            message = f"{row.new} became {new} by an earlier table; write {row.old},{new}"
            problems.append(Problem(content.file, row.line, message))
    if problems:
        raise InputError(problems)
    table = {old: new for old, new in last.items() if old == newest_id(tables, old)}
    if not table:
        raise AlreadyDone(f"{content.file}: every document has its new id already; nothing is changed")
    return table, len(rows) - len(table)


def _judged(campaign: Campaign, tables: Sequence[Table], table: Table) -> tuple[int, int, list[str]]:
    """How many judged documents change, and pairs of them, and whose grades differ."""
    judged, pairs, unlike = set[str](), 0, list[str]()
    for topic in labels.each_topic(campaign):
        given = under_new_ids(tables, dict(zip(topic.document_ids, topic.grades, strict=True)))
        now, together = under_new_ids([table], given), dict[str, dict[str, int]]()
        for old in sorted(table.keys() & given.keys()):
            together.setdefault(table[old], {})[old] = given[old]
        for new, grades in together.items():
            judged.update(grades)
            pairs += len(grades)
            grades |= {new: given[new]} if new in given else {}
            if len(set(grades.values())) > 1:
                said = " and ".join(f"{each} ({grade})" for each, grade in grades.items())
                unlike.append(f"topic {topic.topic_id}: {said} become {new} ({now[new]})")
    return len(judged), pairs, unlike


def _unknown(campaign: Campaign, left: set[str]) -> list[str]:
    left = left - referred_to(campaign, "document").keys() - set(documents.with_text(campaign))
    for source in documents.sources(campaign) if left else ():
        left = left.difference(*documents.source_ids(campaign, source.source))
    return sorted(left)
