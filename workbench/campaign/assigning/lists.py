"""Lists of assignments, from files and into files."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from workbench.campaign.assigning.changing import put_checked, without_judging_role
from workbench.core.errors import InputError, Problem
from workbench.core.wording import none_such
from workbench.formats.assignment_lists import read_assignments, write_json_lines, write_table
from workbench.formats.text.content import Content
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import topics


class Imported(NamedTuple):
    """What a list said: how many topics it gave to how many people, and those of them who are no members yet."""

    topics: int
    assessors: int
    without_judging_role: tuple[str, ...]


WRITERS = {"jsonl": write_json_lines, "csv": write_table}


def import_list(campaign: Campaign, content: Content, *, actor: str, now: datetime | None = None) -> Imported:
    """Assign topics as a list says, all of it or nothing.

    The assignees of a listed topic are replaced by those in the list; other topics are not changed. People
    who are no members yet are taken: they may be invited later.

    Raises InputError for lists that cannot be read and for topics that are not there, with their lines; CampaignError
    for an assessor who would have both parts of a topic.
    """
    rows = read_assignments(content)
    known = topics.topic_ids(campaign)
    there = set(known)
    problems = [
        Problem(content.file, row.line, none_such("topic", row.topic_id, known, of=campaign.name))
        for row in rows
        if row.topic_id not in there
    ]
    if problems:
        raise InputError(problems)
    with campaign.write():
        put_checked(
            campaign,
            {(row.topic_id, row.part) for row in rows},
            [(row.topic_id, row.part, row.assessor) for row in rows],
            actor=actor,
            now=now,
        )
    names = dict.fromkeys(row.assessor for row in rows)
    return Imported(len({row.topic_id for row in rows}), len(names), without_judging_role(campaign, names))


def export_list(campaign: Campaign, form: str = "jsonl") -> str:
    """The assignments as a file, `jsonl` or `csv`, that `import_list` reads back."""
    rows = assignments.all_assignments(campaign)
    return WRITERS[form]((row.topic_id, row.assessor, row.part) for row in rows)
