"""Files that somebody sent: each one is checked and added on its own, with a report that says what became of it.

A file that holds an error adds nothing. The files beside it are not held back by that: each report says whether
its file was added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from workbench.campaign import Campaign
from workbench.errors import SHOWN_PROBLEMS, CampaignUnavailable, InputError, Problem, UnknownName
from workbench.formats.compression import unpacked_size
from workbench.formats.document_reading import open_with_start
from workbench.formats.topic_fields import USUAL, FieldChoice
from workbench.ingest import add_documents, add_runs, add_topics, check_runs
from workbench.ingest.called import by_their_names

LONGEST_NAME = 120
MEGABYTE = 1_000_000
PARQUET = b"PAR1"


class Sent(NamedTuple):
    """A file as it arrived: where it lies now, and the name it goes by, see `clean_name`."""

    path: Path
    name: str


class Wishes(NamedTuple):
    """What the sender decided about the files. For runs: the team, whether pools draw on them, what names them
    ('tag' or 'file'), and whether they are to be checked alone. For documents: whether they are the whole collection.
    For topics: which fields are title, description and narrative.
    """

    team: str = ""
    contributes: bool = True
    name: str = "tag"
    only_check: bool = False
    complete: bool = False
    fields: FieldChoice = USUAL


class Report(NamedTuple):
    """What became of one file: whether it is in the campaign now, a sentence, what is wrong, and what is odd.

    `more` is how many problems there are beyond those that are listed.
    """

    file: str
    added: bool
    sentence: str
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    more: int = 0


class _Received(NamedTuple):
    sentence: str
    warnings: tuple[Problem, ...]
    added: bool = True


class _Room:
    """What the compressed files of one request may still hold, in bytes of all that they may."""

    def __init__(self, expanded: int) -> None:
        self._all = self._left = expanded

    def take(self, sent: Sent) -> None:
        """Refuse a file that would fill memory or disk once it is unpacked, before anything else reads it.

        What was measured counts also if the file is refused, since measuring takes time as well.
        """
        with sent.path.open("rb") as stream:
            size = unpacked_size(stream, self._left)
        is_first, self._left = self._left == self._all, self._left - size
        if self._left >= 0:
            return
        self._left = 0
        what = "the file holds" if is_first else "the compressed files up to this one hold"
        message = (
            f"unpacked, {what} more than {self._all / MEGABYTE:,.0f} MB, which is more than the server takes at once "
            f"in a browser; {'' if is_first else 'send it by itself, or '}add it in a terminal with workbench add"
        )
        raise InputError([Problem(sent.name, None, message)])


Receive = Callable[[Campaign, Sent, Wishes, str, datetime | None], _Received]


def receive(
    campaign: Campaign,
    kind: str,
    files: Sequence[Sent],
    *,
    wishes: Wishes | None = None,
    actor: str,
    expanded: int,
    now: datetime | None = None,
) -> Iterator[Report]:
    """Check and add files one after another, and yield each one's report.

    Args:
        campaign: an open campaign.
        kind: 'topics', 'documents' or 'runs'.
        files: the files as they arrived.
        wishes: what the sender decided about all of them.
        actor: who sent them, for the log.
        expanded: how many bytes all compressed files together may hold at most.
        now: the time to record.

    Raises UnknownName for another kind, or another way to name runs.
    """
    wishes = wishes or Wishes()
    if kind not in KINDS:
        message = f"there is no kind {kind!r} of files; there is: {', '.join(KINDS)}"
        raise UnknownName(message)
    if wishes.name not in NAMES:
        message = f"runs are named by {' or '.join(NAMES)}, not by {wishes.name!r}"
        raise UnknownName(message)
    all_added, room = True, _Room(expanded)
    for place, sent in enumerate(files, start=1):
        # Only with the last file, and when none of the others was refused, is the collection complete.
        complete = wishes.complete and all_added and place == len(files)
        report = _report(campaign, KINDS[kind], sent, wishes._replace(complete=complete), actor, room, now)
        all_added &= report.added
        yield report


def clean_name(given: str | None) -> str:
    """A name without folders, control characters and excess length, to be shown; 'file' where none is left."""
    last = re.split(r"[/\\]", given or "")[-1]
    readable = "".join(character for character in last if character.isprintable()).strip()
    name = readable if len(readable) <= LONGEST_NAME else readable[:40] + "…" + readable[40 - LONGEST_NAME :]
    return "file" if name in {"", ".", "..", "-"} else name


def _report(
    campaign: Campaign,
    take: Receive,
    sent: Sent,
    wishes: Wishes,
    actor: str,
    room: _Room,
    now: datetime | None,
) -> Report:
    try:
        room.take(sent)
        _refuse_parquet(sent)
        received = take(campaign, sent, wishes, actor, now)
    except InputError as error:
        shown = error.problems[:SHOWN_PROBLEMS]
        return Report(sent.name, False, "not added", shown, more=len(error.problems) - len(shown))
    except CampaignUnavailable:
        busy = Problem(sent.name, None, "the campaign cannot be written at the moment; send this file again")
        return Report(sent.name, False, "not added", (busy,))
    warnings = received.warnings
    shown = warnings[:SHOWN_PROBLEMS]
    return Report(
        sent.name, received.added, received.sentence, warnings=shown, more=len(warnings) - len(shown)
    )


def _refuse_parquet(sent: Sent) -> None:
    path = str(sent.path)
    with by_their_names({path: sent.name}):
        unpacked, start = open_with_start(path)
        unpacked.close()
    if start.startswith(PARQUET):  # what it holds unpacked is not known before it is read
        message = (
            "parquet files are not taken in a browser; add it in a terminal with workbench add documents"
        )
        raise InputError([Problem(sent.name, None, message)])


def _take_topics(
    campaign: Campaign, sent: Sent, wishes: Wishes, actor: str, now: datetime | None
) -> _Received:
    path = str(sent.path)
    added = add_topics(campaign, [path], actor=actor, now=now, called={path: sent.name}, choice=wishes.fields)
    counts = ((added.new, "new"), (added.changed, "changed"), (added.unchanged, "as before"))
    said = ", ".join(f"{_counted(count, 'topic')} {word}" for count, word in counts if count)
    return _Received(f"added: {said}", added.warnings)


def _take_documents(
    campaign: Campaign, sent: Sent, wishes: Wishes, actor: str, now: datetime | None
) -> _Received:
    if sent.path.stat().st_size == 0:  # a single document without a text, as a folder may well have some
        raise InputError([Problem(sent.name, None, "the file is empty")])
    path = str(sent.path)
    added = add_documents(
        campaign,
        [path],
        keep_all=True,  # the file is gone when a later pool asks for more texts
        complete=wishes.complete,
        actor=actor,
        now=now,
        called={path: sent.name},
    )
    return _Received(
        f"added: {_counted(added.documents, 'document')}, {_counted(added.texts, 'text')} new", added.warnings
    )


def _take_runs(campaign: Campaign, sent: Sent, wishes: Wishes, actor: str, now: datetime | None) -> _Received:
    path = str(sent.path)
    called = {path: sent.name}
    if wishes.only_check:
        found = check_runs([path], campaign, name=wishes.name, called=called)
    else:
        found = add_runs(
            campaign,
            [path],
            team=wishes.team,
            contributes=wishes.contributes,
            name=wishes.name,
            actor=actor,
            now=now,
            called=called,
        )
    (run,) = found.runs
    done = "good, not added" if wishes.only_check else "added"
    said = f"{done}: run {run.tag}, {_counted(run.topics, 'topic')}, {_counted(run.lines, 'line')}"
    if found.topics_taken:
        said += f"; {_counted(len(found.topics_taken), 'topic id')} taken from it"
    return _Received(said, found.warnings, added=not wishes.only_check)


KINDS: dict[str, Receive] = {"topics": _take_topics, "documents": _take_documents, "runs": _take_runs}
NAMES = ("tag", "file")


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"
