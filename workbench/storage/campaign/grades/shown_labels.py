"""Labels of models that were shown to assessors, after they had judged: events of the log.

What an assessor says of a pair from then on is a second look. Pairs of the control group are never shown: they follow
from a seed in the log, the topic and the document, so that anyone can draw them again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from workbench.core.records import REMAPPED, SECOND_LOOK
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import State, part
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

LABEL_SHOWN = kinds.LABEL_SHOWN


class ShownLabel(NamedTuple):
    """A model's label that an assessor was shown: whose it was, its grade, and the row of the log that says so."""

    judge: str
    grade: int
    seq: int = 0


Shown = tuple[str, str, str]
"""Topic, document and assessor."""


def is_control(rules: Settings, topic_id: str, document_id: str) -> bool:
    """Whether a pair is a control, never shown: 64 bits of BLAKE2b of the words, by 2^64, below the share."""
    words = ("second look", str(rules.second_look_seed), topic_id, document_id)
    number = int.from_bytes(
        blake2b("\0".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    )
    return number < rules.second_look_control * 2**64


def label_of(campaign: Campaign, judge: str, topic_id: str, document_id: str) -> int | None:
    """The grade of a judge's newest label of a pair; None without one."""
    grade: int | None = campaign.value(
        """SELECT grade FROM judgment WHERE topic = ? AND document = ? AND assessor = ? AND kind = 'model'
        ORDER BY seq DESC LIMIT 1""",
        [topic_id, document_id, id_of(campaign, judge)],
    )
    return grade


def put(campaign: Campaign, shown: Shown, label: ShownLabel) -> ShownLabel:
    """A label is shown to an assessor; inside the open write transaction."""
    topic_id, document_id, assessor = shown
    content = {"judge": label.judge, "grade": label.grade}
    about = {"topic": topic_id, "document": document_id, "assessor": assessor}
    return label._replace(seq=append_event(campaign.by(assessor), LABEL_SHOWN, {**content, **about}))


@part(LABEL_SHOWN, start=dict)
def _shown(found: dict[Shown, ShownLabel], event: Event) -> None:
    """The label that each assessor was shown first of a pair, with ids of assessors and judges."""
    said = event.content
    label = ShownLabel(said["judge"], said["grade"], event.seq)
    found.setdefault((said["topic"], said["document"], said["assessor"]), label)


def find(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> ShownLabel | None:
    """What an assessor was shown of a pair; None before that."""
    found = _shown(campaign)
    label = found.get((topic_id, document_id, id_of(campaign, assessor))) if found else None
    return label and label._replace(judge=State.of(campaign).names[label.judge])


def shown_to(campaign: Campaign, assessor: str) -> frozenset[tuple[str, str]]:
    """The pairs of which an assessor was shown a label."""
    found = _shown(campaign)
    who = id_of(campaign, assessor) if found else ""
    return frozenset((topic_id, document_id) for topic_id, document_id, name in found if name == who)


def _rules(campaign: Campaign) -> list[tuple[int, Settings]]:
    """The settings of second looks since each row of the log that changed them, and nothing of the others."""
    found, names = [(0, Settings(""))], [name for name in Settings._fields if name.startswith("second_look")]
    for event in events(campaign, settings.SETTINGS):
        if changed := {name: event.content[name] for name in names if name in event.content}:
            found.append((event.seq, found[-1][1]._replace(**changed)))
    return found


class FirstGrade(NamedTuple):
    """An assessor's first grade of a pair, given after a judge's label was there: the model's grade then, their first,
    what they say now, second looks included (None for no grade), whether the pair is never shown, and whether it was.
    """

    topic_id: str
    document_id: str
    assessor: str
    model: int
    first: int
    last: int | None
    control: bool
    shown: bool


def first_grades(campaign: Campaign, judge: str) -> Iterator[FirstGrade]:
    """The first grades that were given while a judge's labels were shown, now or as of a row of the log.

    Grades that another scale replaced are left out, and so are those before which the assessor could not tell.
    """
    rules, labels = _rules(campaign), dict[tuple[str, str], list[tuple[int, int]]]()
    if all(each.second_look_judge != judge for _, each in rules):
        return
    rows = campaign.execute(
        "SELECT topic, document, seq, grade FROM judgment WHERE kind = 'model' AND assessor = ? AND seq <= ?",
        [id_of(campaign, judge), campaign.up_to],
    )
    for *pair, seq, grade in rows:
        labels.setdefault((pair[0], pair[1]), []).append((seq, grade))
    shown, names = _shown(campaign), State.of(campaign).names
    said = campaign.execute(
        f"""SELECT topic, document, assessor, seq, kind, grade, source FROM judgment
        WHERE kind IN ({OWN_KINDS}, '{SECOND_LOOK}') AND seq <= ? ORDER BY topic, document, assessor, seq""",
        [campaign.up_to],
    )
    for (topic_id, document_id, who), given in groupby(said, itemgetter(0, 1, 2)):
        pair = list(given)
        *_, seq, kind, first, _ = pair[0]
        before = max((row for row in labels.get((topic_id, document_id), ()) if row[0] < seq), default=None)
        then = rules[bisect_right(rules, seq, key=itemgetter(0)) - 1][1]
        if kind != "grade" or before is None or then.second_look_judge != judge:
            continue
        if all(row[-1] != REMAPPED for row in pair):
            control, key = is_control(then, topic_id, document_id), (topic_id, document_id, who)
            yield FirstGrade(*key[:2], names[who], before[1], first, pair[-1][5], control, key in shown)
