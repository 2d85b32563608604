"""Uploaded files: each one is checked and added separately, with a report of the result.

A file that holds an error adds nothing. The files beside it are not held back by that: each report says whether
its file was added. What reads a file knows the campaign by its path alone, so that another process can do it, which is
ended when a file takes it too long or too much memory.
"""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from workbench.campaign.ingest import RunOptions, add_documents, add_runs, add_topics, check_runs
from workbench.campaign.ingest.check_report import in_numbers, in_short, size_of
from workbench.campaign.ingest.file_checks import FileCheck
from workbench.campaign.ingest.naming import with_display_names
from workbench.campaign.ingest.run_checks import RunsRefused
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.model_labels import LabelUpload
from workbench.campaign.nuggets import add_nuggets, changes_in_words, counts_in_words
from workbench.campaign.outcomes import add_outcomes, in_words
from workbench.campaign.pools.listing import PairsOfFile, pairs_of_file
from workbench.campaign.pools.refusals import MuchLarger
from workbench.campaign.sample_import import add_sample, sample_words
from workbench.campaign.submissions.judges import take_judge
from workbench.campaign.submissions.overview import without_others
from workbench.core.errors import (
    SHOWN_PROBLEMS,
    CampaignError,
    CampaignUnavailable,
    InputError,
    Problem,
    UnknownName,
)
from workbench.core.wording import counted, none_such
from workbench.formats.documents.open_file import counting_unpacked, open_with_start
from workbench.formats.interleaved import read_interleaved
from workbench.formats.run_repairs import AS_SENT, Repairs
from workbench.formats.samples import read_sample
from workbench.formats.text.archives import Room, Unpacked, archive_kind, unpack_runs
from workbench.formats.text.compression import unpacked_size
from workbench.formats.text.content import PARQUET_START, content_of
from workbench.formats.text.files import read_bytes
from workbench.formats.topics.fields import USUAL, FieldChoice
from workbench.jobs.processes import Cancelled, JobFailed, OnStep, Run, Work
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log.log import newest_seq

MEGABYTE = 1_000_000
MOST_PAIRS = 50_000
"""Pairs of a list: until it is a pool, the record of the job that read it keeps them."""


class Sent(NamedTuple):
    """A file as it arrived: where it lies now, and the name it goes by, see `formats.text.addresses.clean_name`."""

    path: Path
    name: str


class UploadOptions(NamedTuple):
    """What the sender decided about the files: whether they are to be checked alone, and whether the report is for a
    team, which learns nothing of other teams' runs. For runs: team, whether pools draw on them, what names them ('tag'
    or 'file'), repairs, who sent them, all (`sender`) or by file (`senders`), and whether they replace the runs of
    their names. For documents: whether they are the whole collection, the fields of text and title, whether identical
    ones are taken once, and what becomes of `stored_texts` that differ ('keep', 'replace', or 'judge again', which also
    clears their judgments). For labels of a model: what is said of them. For topics: the fields of title, description
    and narrative. For a sample: whose judgments. For nuggets: whether a person has to accept each. For
    outcomes: the records of interleaved lists.
    """

    team: str = ""
    contributes: bool = True
    name: str = "tag"
    only_check: bool = False
    complete: bool = False
    document_fields: Mapping[str, str] = {}
    identical_once: bool = False
    stored_texts: str = "keep"
    replaces: bool = False
    fields: FieldChoice = USUAL
    assessor: str = ""
    repairs: Repairs = AS_SENT
    sender: Sender | None = None
    senders: Mapping[str, Sender] = {}
    for_team: bool = False
    proposed: bool = False
    labels: LabelUpload = LabelUpload()
    lists: Sent | None = None


class Report(NamedTuple):
    """What became of one file: whether it is in the campaign now, a sentence, what is wrong, and what is odd.

    `more` is how many problems there are beyond those that are listed; `check` is the report on a run's check.
    """

    file: str
    added: bool
    sentence: str
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    more: int = 0
    check: FileCheck | None = None


def _room(expanded: int, way: str) -> Room:
    """What the files of one request may hold unpacked, in bytes; what is more goes the other `way`."""
    return Room(
        expanded,
        f"unpacked, what was sent holds more than {expanded / MEGABYTE:,.0f} MB, which is more than the server takes "
        f"at once in a browser; send less at once, or {way}",
    )


def _take(room: Room, sent: Sent) -> None:
    """Refuse a file that would fill memory or disk once it is unpacked, before anything else reads it.

    What was measured counts also if the file is refused, since measuring takes time as well.
    """
    with sent.path.open("rb") as stream:
        size = unpacked_size(stream, room.left)
    room.count(sent.name, size)


class _Task(NamedTuple):
    """One file to be taken, and all that is to be known for that; `inside` are the files of one that was unpacked."""

    campaign: Path
    kind: str
    sent: Sent
    options: UploadOptions
    actor: str
    now: datetime | None
    through: str
    inside: Mapping[str, str] = {}


def _here(work: Work) -> Any:
    return work.function(*work.arguments, on_step=lambda *step: None)


def receive(
    campaign: Campaign,
    kind: str,
    files: Sequence[Sent],
    *,
    options: UploadOptions | None = None,
    expanded: int,
    run: Run = _here,
) -> Iterator[Report]:
    """Check and add files one after another, and yield each one's report.

    A file whose reading was ended adds nothing, and neither do those behind it: they are not read.

    Args:
        kind: one of KINDS.
        files: the files as they arrived.
        options: what the sender decided about all of them.
        expanded: how many bytes all compressed files together may hold at most.
        run: what does the work on each file.

    Raises UnknownName for another kind, or another way to name runs, and Cancelled.
    """
    options = options or UploadOptions()
    if kind not in KINDS:
        raise UnknownName(none_such("kind of files", kind, list(KINDS)))
    if options.name not in NAMES:
        raise UnknownName(f"runs are named by {' or '.join(NAMES)}, not by {options.name!r}")
    way, waiting = _way(campaign, kind, options), deque(files)
    all_added, place, notes = True, 0, tuple[Problem, ...]()
    room = _room(expanded, way)
    while waiting:
        sent, place = waiting.popleft(), place + 1
        # Only with the last file, and when none of the others was refused, is the collection complete.
        complete = options.complete and all_added and not waiting
        who = (campaign.actor, campaign.moment, campaign.through)
        task = _Task(campaign.path, kind, sent, options._replace(complete=complete), *who)
        before = newest_seq(campaign)
        try:
            what = f"{sent.name} ({place} of {place + len(waiting)})"
            report, room = run(Work(_taken, (task, room, what), reports=True))
        except Cancelled:
            raise
        except JobFailed as error:
            yield _ended(sent, error, way, may_be_added=newest_seq(campaign) != before)
            why = f"not read, because the check of {sent.name} was stopped; send it again without that file"
            yield from (_not_added(behind, why) for behind in waiting)
            return
        if isinstance(report, Unpacked):  # its files are next, each by itself
            waiting.extendleft(reversed([Sent(Path(path), name) for path, name in report.files.items()]))
            place, notes = place - 1, report.notes
            continue
        all_added &= report.added
        yield report._replace(warnings=(*notes, *report.warnings))
        notes = ()


def read_list(campaign: Campaign, sent: Sent, expanded: int, *, on_step: OnStep) -> PairsOfFile:
    """The pairs of a list; InputError as in `pairs_of_file`, for more than MOST_PAIRS, or `expanded` bytes unpacked."""
    on_step(0, None, f"Reading {sent.name}")
    way = f"make the pool in a terminal: workbench pool {shlex.quote(campaign.name)} --strategy list --pairs FILE"
    path, room = str(sent.path), _room(expanded, way)
    _take(room, sent)
    with with_display_names({path: sent.name}), counting_unpacked(partial(room.count, sent.name)):
        found = pairs_of_file(campaign.with_bare_name(), path)
    if len(found.pairs) > MOST_PAIRS:
        message = f"{len(found.pairs):,} pairs, and the page takes at most {MOST_PAIRS:,}; {way}"
        raise InputError([Problem(sent.name, None, message)])
    return found


def _way(campaign: Campaign, kind: str, options: UploadOptions) -> str:
    """How a file gets into the campaign that is too much for a page."""
    if options.for_team:
        return "ask an organiser to add it"
    named = "sample" if kind == "samples" else kind
    return f"add it in a terminal: workbench add {named} {shlex.quote(campaign.name)} FILE"


def _taken(task: _Task, room: Room, what: str, *, on_step: OnStep) -> tuple[Report | Unpacked, Room]:
    """Check and add one file; its report, and what room is left for others. An archive of runs is unpacked alone."""
    on_step(0, None, f"Checking {what}")
    with open_campaign(task.campaign).with_bare_name() as campaign:
        return _report(campaign.by(task.actor, task.now, through=task.through), task, room), room


def _report(campaign: Campaign, task: _Task, room: Room) -> Report | Unpacked:
    sent = task.sent
    try:
        if task.kind in ("runs", "model-labels") and archive_kind(sent.path):
            unpacked = unpack_runs(sent.path, sent.name, Path(f"{sent.path}-files"), room)
            if task.kind == "runs":
                return unpacked
            task = task._replace(inside=unpacked.files)
        received = [each for each in (sent, task.options.lists) if each is not None]
        for each in received:
            _take(room, each)
        _refuse_parquet(sent, _way(campaign, task.kind, task.options))
        names = with_display_names({str(path): name for path, name in received if task.kind != "runs"})
        with names, counting_unpacked(partial(room.count, sent.name)):
            report = KINDS[task.kind](campaign, task)
    except RunsRefused as error:  # of each kind of problem the first, and how many more there are
        check = error.checks[0]
        problems, warnings = (tuple(in_short(check, refusing=refusing)) for refusing in (True, False))
        said = f"not added: {in_numbers(check, refusing=True)}"
        return Report(check.file, False, said, problems, warnings, check=check)
    except InputError as error:
        shown = error.problems[:SHOWN_PROBLEMS]
        more = len(error.problems) - len(shown) + error.more
        return Report(sent.name, False, "not added", shown, more=more)
    except CampaignUnavailable:
        return _not_added(sent, "the campaign cannot be written at the moment; send this file again")
    except (CampaignError, UnknownName) as error:
        return _not_added(sent, str(error))
    shown = report.warnings[:SHOWN_PROBLEMS]
    return report._replace(warnings=shown, more=len(report.warnings) - len(shown))


def _not_added(sent: Sent, message: str) -> Report:
    return Report(sent.name, False, "not added", (Problem(sent.name, None, message),))


def _ended(sent: Sent, error: JobFailed, way: str, *, may_be_added: bool) -> Report:
    """The report of a file whose reading was ended; `may_be_added` when the log has grown meanwhile."""
    way_out = f"send it in smaller parts, or {way}"
    if may_be_added:  # it may have been ended at the very last moment, and others may have judged
        way_out = f"check whether it is in the list on this page; if not, {way_out}"
    return _not_added(sent, f"the check was stopped: {error}; {way_out}")


def _refuse_parquet(sent: Sent, way: str) -> None:
    with with_display_names({str(sent.path): sent.name}):
        unpacked, start = open_with_start(str(sent.path))
        unpacked.close()
    if start.startswith(PARQUET_START):  # what it holds unpacked is not known before it is read
        message = f"parquet files are not taken in a browser; {way}"
        raise InputError([Problem(sent.name, None, message)])


def _added(
    task: _Task, said: str, warnings: tuple[Problem, ...] = (), check: FileCheck | None = None
) -> Report:
    """The report of a file that was added, or would be where it was to be checked alone."""
    is_check = task.options.only_check
    sentence = f"{'good, not added' if is_check else 'added'}: {said}"
    return Report(task.sent.name, not is_check, sentence, warnings=warnings, check=check)


def _take_topics(campaign: Campaign, task: _Task) -> Report:
    sent, path = task.sent, str(task.sent.path)
    added = add_topics(campaign, [path], display_names={path: sent.name}, choice=task.options.fields)
    counts = ((added.new, "new"), (added.changed, "changed"), (added.unchanged, "as before"))
    said = ", ".join(f"{counted(count, 'topic')} {word}" for count, word in counts if count)
    return _added(task, said, added.warnings)


def _take_documents(campaign: Campaign, task: _Task) -> Report:
    sent, options, path = task.sent, task.options, str(task.sent.path)
    if sent.path.stat().st_size == 0:  # a single document without a text, as a folder may well have some
        raise InputError([Problem(sent.name, None, "the file is empty")])
    added = add_documents(
        campaign,
        [path],
        keep_all=True,  # the file is gone when a later pool asks for more texts
        complete=options.complete,
        changed=options.stored_texts != "keep",
        judge_again=options.stored_texts == "judge again",
        fields=options.document_fields,
        identical_once=options.identical_once,
        display_names={path: sent.name},
    )
    said = f"{counted(added.documents, 'document')}, {counted(added.texts, 'text')} new"
    said += f", {added.changed:,} replaced" if options.stored_texts != "keep" or added.changed else ""
    said += f", {counted(added.cleared, 'judgment')} cleared" if added.cleared else ""
    if others := added.on_other_texts:
        said += f"; still counted: {counted(others, 'judgment')} of other texts"
    return _added(task, said, added.warnings)


def _take_runs(campaign: Campaign, task: _Task) -> Report:
    sent, options, path = task.sent, task.options, str(task.sent.path)
    usual = options.sender or Sender(options.team, options.contributes, replaces=options.replaces)
    # A file of an archive is of the sender of that.
    sender = options.senders.get(sent.name.split("/")[0], usual)
    given = RunOptions(options.name, {path: sender}, options.repairs, {path: sent.name})
    if options.only_check:
        found = check_runs([path], campaign, options=given)
    else:
        found = add_runs(campaign, [path], options=given)
    ((run,), (check,)) = found.runs, found.checks
    said = size_of(check)
    said += f"; repaired: {'; '.join(each.message for each in check.repairs)}" if check.repairs else ""
    taken = counted(len(found.topics_taken), "topic id")
    said += f"; {taken} taken from it" if found.topics_taken else ""
    said += f"; {run.replaced}" if run.replaced else ""
    warnings = tuple(in_short(check, refusing=False))
    if options.for_team:
        return _added(task, said, without_others(campaign, usual.team, warnings))
    return _added(task, said, warnings, check)


def _take_sample(campaign: Campaign, task: _Task) -> Report:
    sent, options, path = task.sent, task.options, str(task.sent.path)
    try:
        added = add_sample(
            campaign,
            replace(read_sample(path), file=sent.name),
            assessor=options.assessor or None,
            dry_run=options.only_check,
            may_change_labels=False,
            much_larger=options.only_check,
        )
    except MuchLarger as error:
        raise CampaignError(f"{error}; {_way(campaign, task.kind, options)}") from error
    judged = f"{counted(added.qrels.judgments, 'judgment')} of {added.qrels.assessor}"
    return _added(task, f"{sample_words(added, would=options.only_check)} {judged}.", added.warnings)


def _take_nuggets(campaign: Campaign, task: _Task) -> Report:
    sent, is_check = task.sent, task.options.only_check
    content = content_of(sent.name, read_bytes(sent.path))
    found = add_nuggets(campaign, [content], proposed=task.options.proposed, dry_run=is_check)
    # What is lost is said of each topic.
    lost = (each for each in found if each.changed or each.gone)
    warnings = tuple(
        Problem(sent.name, None, f"topic {each.topic_id}: {counts_in_words([each])}") for each in lost
    )
    return _added(task, changes_in_words(found, would=is_check), warnings)


def _take_model_labels(campaign: Campaign, task: _Task) -> Report:
    sent, options, inside = task.sent, task.options, task.inside
    said = options.labels, options.sender
    return _added(task, *take_judge(campaign, sent, *said, inside=inside, dry_run=options.only_check))


def _take_outcomes(campaign: Campaign, task: _Task) -> Report:
    made = read_interleaved(lists.path) if (lists := task.options.lists) else ()
    added = add_outcomes(campaign, [str(task.sent.path)], made, dry_run=task.options.only_check)
    return _added(task, in_words(added))


KINDS: dict[str, Callable[[Campaign, _Task], Report]] = {
    "topics": _take_topics,
    "documents": _take_documents,
    "runs": _take_runs,
    "samples": _take_sample,
    "nuggets": _take_nuggets,
    "model-labels": _take_model_labels,
    "outcomes": _take_outcomes,
}
NAMES = ("tag", "file")
