"""The page of one's own judgments: those that the filters of its address leave, and the filters there are."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from workbench.campaign import assessing
from workbench.core.natural_order import natural
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.grades import own_judgments
from workbench.storage.campaign.grades.own_judgments import Entry, JudgmentFilter, Tally
from workbench.storage.campaign.organising import settings
from workbench.web.judging.keys import GradeButton, grade_buttons

PAGE = 50
LONGEST_SEARCH = 200
FILTERS = ("topic", "judged", "note", "rationale", "same", "q", "versions")


class Choice(NamedTuple):
    """One choice of a filter: its value in the address, what it says, and how many judgments it has."""

    value: str
    name: str
    judgments: int


def judged(campaign: Campaign, assessor: str, args: MultiDict[str, str]) -> dict[str, object]:
    """What the template needs: an assessor's judgments in force, newest first, 50 a page, by the filters in `args`.

    A judgment of a pair that is to be judged again is left out until that is done; the counts have it all the time.
    """
    wanted, current = filter_of(args), settings.read(campaign)
    with campaign.snapshot():
        tallies = own_judgments.tallies(campaign, assessor)
        hidden = assessing.hidden_again(campaign, assessor)
        seqs = [seq for seq in own_judgments.matching(campaign, assessor, wanted) if seq not in hidden]
        found = own_judgments.count(campaign, assessor, wanted)
        pages = max(1, -(-len(seqs) // PAGE))
        page = min(max(1, args.get("page", 1, type=int)), pages)
        entries = own_judgments.entries(campaign, seqs[(page - 1) * PAGE : page * PAGE])
    buttons = {button.grade: button for button in grade_buttons(current.grades, current.relevant_from)}
    return {
        "total": sum(tally.judgments for tally in tallies if tally.kind != "cleared"),
        "found": found,
        "entries": entries,
        "titles": _titles(campaign, entries),
        "buttons": buttons,
        "topic_choices": _topic_choices(campaign, tallies),
        "grade_choices": _grade_choices(tallies, buttons),
        "wanted": wanted,
        "is_filtered": wanted != JudgmentFilter(),
        "args": args,
        "page": page,
        "pages": pages,
        "others": {name: value for name in FILTERS if (value := args.get(name))},
    }


def filter_of(args: MultiDict[str, str]) -> JudgmentFilter:
    """The filters in an address; what is not understood filters nothing."""
    judged = args.get("judged", "")
    is_grade = judged.removeprefix("-").isdecimal() and len(judged) < 12
    return JudgmentFilter(
        topic_id=args.get("topic") or None,
        kind=judged if judged in {"can't tell", "cleared"} else None,
        grade=int(judged) if is_grade else None,
        note=bool(args.get("note")),
        rationale=bool(args.get("rationale")),
        same_as=bool(args.get("same")),
        text=args.get("q", "").strip()[:LONGEST_SEARCH],
    )


def _titles(campaign: Campaign, entries: list[Entry]) -> dict[str, str]:
    """The titles of the topics on a page, by id; the id itself where there is no title."""
    titles = topics.titles(campaign)
    return {each: titles.get(each) or each for each in {entry.judgment.topic_id for entry in entries}}


def _topic_choices(campaign: Campaign, tallies: list[Tally]) -> list[Choice]:
    counts: Counter[str] = Counter()
    for tally in tallies:
        counts[tally.topic_id] += tally.judgments * (tally.kind != "cleared")
    titles = topics.titles(campaign)
    return [
        Choice(each, f"{each} {titles[each]}".strip(), counts[each]) for each in sorted(counts, key=natural)
    ]


def _grade_choices(tallies: list[Tally], buttons: dict[int, GradeButton]) -> list[Choice]:
    """The grades of the scale in the order of their buttons, then others that were given, then can't tell, cleared."""
    counts: Counter[tuple[str, int | None]] = Counter()
    for tally in tallies:
        counts["grade" if tally.grade is not None else tally.kind, tally.grade] += tally.judgments
    former = sorted(grade for _, grade in counts if grade is not None and grade not in buttons)
    grades = [(grade, button.name) for grade, button in buttons.items()]
    grades += [(grade, f"{grade}, no longer on the scale") for grade in former]
    graded = [Choice(str(grade), name, counts["grade", grade]) for grade, name in grades]
    others = [("can't tell", "Can’t tell"), ("cleared", "Cleared")]
    return [*graded, *(Choice(kind, name, counts[kind, None]) for kind, name in others)]
