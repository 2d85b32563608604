"""Adding runs to a campaign: checked against its topics and documents, ordered once, numbered, packed.

All runs of one call are ordered and numbered together, column by column: identifiers become numbers whose
order is the byte order of the ids, so that ordering 1.5 million lines is a sort of integers and floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from workbench.campaign.ingest.answer_checks import examine_sent, words_of_run, words_sha256
from workbench.campaign.ingest.file_checks import FileCheck
from workbench.campaign.ingest.naming import DisplayNames, renamed
from workbench.campaign.ingest.numbering import PackedRun, PackedRuns, pack_runs
from workbench.campaign.ingest.run_checks import (
    USUAL,
    Against,
    CheckedRun,
    RunOptions,
    check_files,
    refusal,
    reports,
)
from workbench.campaign.ingest.senders import Place, Register, Sender, make_room, put_details, replaced_words
from workbench.campaign.ingest.topics import take_topic_ids
from workbench.core.atomic_files import scratch_folder
from workbench.core.errors import InputError, Problem
from workbench.core.findings import REPAIRED, Findings
from workbench.core.wording import listed
from workbench.formats.run_repairs import Done
from workbench.formats.runs import ExaminedRun, RunFile, examine_runs
from workbench.formats.text.archives import Unpacked, archive_kind, unpack_runs
from workbench.formats.text.files import STANDARD_STREAM
from workbench.formats.text.parse_mode import ParseMode
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pooled_units, run_details, runs, sent_answers, withdrawals
from workbench.storage.campaign.collection.runs import RunRepair, RunWarning
from workbench.storage.campaign.collection.sent_answers import SentAnswer
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.quota import check_quota
from workbench.storage.campaign.organising.settings import ANY_FORM

NOBODY = Sender()
CHECKED_AGAINST = withdrawals.KINDS | {
    *("run", "topics", "documents", "settings", "pool"),
    run_details.DETAILS,
}
"""Kinds of events on which it depends whether a run is taken, and how its documents are numbered."""


class AddedRun(NamedTuple):
    """A run now in the campaign; `replaced` says which it replaced, `lines` describe one of answers."""

    tag: str
    file: str
    lines: int
    topics: int
    replaced: str = ""
    form: str = ""


class AddedRuns(NamedTuple):
    """Runs added, topics taken from them, warnings, report on each file, and files `passed` over of archives."""

    runs: tuple[AddedRun, ...]
    topics_taken: tuple[str, ...]
    warnings: tuple[Problem, ...]
    checks: tuple[FileCheck, ...]
    passed: tuple[Problem, ...] = ()

    @property
    def refused(self) -> tuple[FileCheck, ...]:
        """The reports on the files that were not taken."""
        return tuple(check for check in self.checks if check.verdict == "refused")


def add_runs(
    campaign: Campaign,
    paths: Sequence[str],
    *,
    team: str = "",
    contributes: bool = True,
    options: RunOptions = USUAL,
) -> AddedRuns:
    """Add all runs, or none of them; or, with `all_or_nothing` false, those whose files are good.

    Args:
        paths: run files as the user named them, and archives of such files.
        team: who sent them; groups of runs by one team matter when the pool's fairness is examined.
        contributes: whether pools take documents from these runs unless told otherwise.

    Raises:
        RunsRefused: with every problem of every file; the campaign is unchanged then.
    """
    examined, senders, passed = _examined(campaign, paths, options, Sender(team, contributes))
    prepared = _prepared(campaign, examined, senders, options)
    if not prepared.good:
        return prepared.result((), passed)
    with campaign.write():
        if log.newest_event(campaign, CHECKED_AGAINST).seq != prepared.as_of:  # another process was quicker
            prepared = _prepared(campaign, examined, senders, options)
        if taken := prepared.new_topics:
            origin = listed([file.file for _, file in prepared.good])
            take_topic_ids(campaign, taken, origin=origin)
        runs.extend_vocabularies(campaign, prepared.packed.new_documents)
        for (place, file), run in zip(prepared.good, prepared.packed.runs, strict=True):
            where = prepared.checked[place].place
            make_room(campaign, where)
            record = _record(file, where, run)
            repaired = (*where.sender.repairs, *(RunRepair(*repair) for repair in file.repairs))
            # Its repairs are in the log.
            kept = [each for each in prepared.checks[place].problems if each.kind != REPAIRED]
            warnings = [RunWarning(each.line, each.message) for each in kept]
            answers = _sent(file)
            number = runs.put_run(
                campaign, record, run.rankings, repairs=repaired, warnings=warnings, answers=answers
            )
            put_details(campaign, number, where)
        is_added = all(prepared.checked[place].place.replaced is None for place, _ in prepared.good)
        pooled_units.settle(campaign, only_back=is_added)
        pooled_units.put_late_texts(campaign)
        check_quota(campaign)
    return prepared.result(taken, passed)


class _Prepared(NamedTuple):
    """All that takes long of adding runs, done before the right to write is taken: others save judgments meanwhile.

    It holds while `as_of` is the newest event of the kinds that runs are CHECKED_AGAINST. `checks` are the reports on
    the files, `good` the places of those that are taken with what was read of them, `packed` their rankings.
    """

    as_of: int
    against: Against
    checked: Sequence[CheckedRun]
    checks: Sequence[FileCheck]
    good: Sequence[tuple[int, RunFile]]
    packed: PackedRuns

    @property
    def new_topics(self) -> list[str]:
        """The topics of these files that the campaign does not have, if it takes topics from runs."""
        if not self.against.takes_topics:
            return []
        found = {topic_id for _, file in self.good for topic_id in file.topics}
        return sorted(found.difference(self.against.topics))

    def result(self, taken: Sequence[str], passed: Sequence[Problem]) -> AddedRuns:
        """What is said of the files, once those that are good were added."""
        good = [(self.checks[place], self.checked[place].place) for place, _ in self.good]
        added = (
            AddedRun(check.run, check.file, check.documents, check.topics, replaced_words(place), check.form)
            for check, place in good
        )
        warnings = (warning for check, _ in good for warning in check.warnings)
        return AddedRuns(tuple(added), tuple(taken), tuple(warnings), tuple(self.checks), tuple(passed))


def _prepared(
    campaign: Campaign | None, examined: Sequence[ExaminedRun], senders: Sequence[Sender], options: RunOptions
) -> _Prepared:
    """The files checked and their rankings packed; RunsRefused for files that are refused, if that is the choice."""
    as_of = 0 if campaign is None else log.newest_event(campaign, CHECKED_AGAINST).seq
    against = Against.campaign(campaign)
    checked = check_files(examined, against, senders, options)
    good = [(place, each.run) for place, each in enumerate(checked) if each.is_good and each.run is not None]
    if options.all_or_nothing and len(good) < len(checked):
        raise refusal(checked)
    vocabularies = {} if campaign is None else runs.vocabularies(campaign)
    packed = pack_runs([run.frame for _, run in good], vocabularies)
    _add_same_rankings([checked[place] for place, _ in good], packed.runs, against.register)
    return _Prepared(as_of, against, checked, reports(checked), good, packed)


def check_runs(
    paths: Sequence[str], campaign: Campaign | None = None, *, options: RunOptions = USUAL
) -> AddedRuns:
    """What `add_runs` would say, without changing anything; without a campaign the files alone are checked."""
    examined, senders, passed = _examined(campaign, paths, options)
    if campaign is None:
        return _prepared(None, examined, senders, options).result((), passed)
    with campaign.snapshot():
        prepared = _prepared(campaign, examined, senders, options)
    return prepared.result(prepared.new_topics, passed)


def changed_lines(
    paths: Sequence[str], campaign: Campaign | None, *, options: RunOptions = USUAL
) -> Iterator[tuple[str, Done]]:
    """The repairs that change something, with their files and lines; the files are read for it."""
    again = [path for path in paths if path != STANDARD_STREAM]
    examined, senders, _ = _examined(campaign, again, options)
    for checked in check_files(examined, Against.campaign(campaign), senders, options):
        yield from ((checked.file, done) for done in (checked.run.done if checked.run else ()))


def _examined(
    campaign: Campaign | None, paths: Sequence[str], options: RunOptions, usual: Sender = NOBODY
) -> tuple[list[ExaminedRun], list[Sender], list[Problem]]:
    """Files that were read, those in archives one by one; who sent each; and what is said of others in archives."""
    names, passed, refused = dict(options.display_names), list[Problem](), list[ExaminedRun]()
    files = list[tuple[str, Sender]]()
    with scratch_folder() as folder:
        for place, path in enumerate(paths):
            name, inside = names.get(path, path), Unpacked({path: names.get(path, path)}, ())
            if archive_kind(path):
                try:
                    inside = unpack_runs(path, name, folder / str(place))
                except InputError as error:
                    refused.append(ExaminedRun(name, Findings(name, error.problems)))
                    continue
            names |= inside.files
            passed += inside.notes
            files += [(file, options.senders.get(path, usual)) for file in inside.files]
        mode = ParseMode(encoding=options.encoding)
        taken = ANY_FORM if campaign is None else settings.read(campaign).answer_form
        examine = partial(examine_sent, options.form, taken)
        examined = examine_runs([file for file, _ in files], mode, options.repairs, examine=examine)
        read = [_named(each, names) for each in examined]
    senders = [*(sender for _, sender in files), *[usual] * len(refused)]
    return [*read, *refused], senders, passed


def _named(examined: ExaminedRun, names: DisplayNames) -> ExaminedRun:
    """What was read of a file under the name that it goes by."""
    name, run = names.get(examined.file, examined.file), examined.run
    if run is not None and name != run.file:
        run = replace(run, file=name, warnings=renamed(run.warnings, names))
    return examined._replace(file=name, run=run)


def _add_same_rankings(
    checked: Sequence[CheckedRun], packed: Sequence[PackedRun], register: Register
) -> None:
    """Say which run ranks the same documents in the same order as another, under whatever tag and with whatever scores:
    the stored runs, and the files before it. Runs of answers are compared by what they say, too.
    """
    seen: dict[tuple[str, tuple[tuple[str, bytes], ...]], list[tuple[str, str]]] = {}
    for each, run in zip(checked, packed, strict=True):
        order = tuple((topic_id, documents) for topic_id, documents, _ in run.rankings)
        answers = None if each.run is None else each.run.answers
        words = "" if answers is None else words_sha256(answers.answers)
        others = seen.setdefault((words, order), list(_stored_alike(words, order, register)))
        for other, sha256 in others:
            same = "rankings and scores" if sha256 == run.sha256 else "rankings, but not its scores,"
            same = "answers" if words else same
            message = f"its {same} are exactly those of run {other}; was one file sent twice?"
            each.findings.add(None, "same-rankings", message)
        others.append((f"{each.place.tag!r} ({each.file})", run.sha256))


def _stored_alike(
    words: str, order: Sequence[tuple[str, bytes]], register: Register
) -> Iterator[tuple[str, str]]:
    """The stored runs with these words and this order of documents, and the checksum of each with its scores."""
    if (campaign := register.campaign) is not None:
        found = runs.with_order(campaign, order, register.by_name.values())
        for run in (each for each in found if words_of_run(campaign, each) == words):
            team, day = run.record.team, log.rows_of_events(campaign, [run.seq])[run.seq][0][:10]
            said = f"{run.record.tag!r}{f' of team {team}' if team else ''}, added on {day}"
            yield said, run.record.rankings_sha256


def _record(file: RunFile, place: Place, run: PackedRun) -> runs.RunRecord:
    sender = place.sender
    return runs.RunRecord(
        tag=place.tag,
        team=sender.team,
        file=file.file,
        sha256=sender.sha256 or file.source.sha256,
        lines=file.frame.height,
        topics=len(file.topics),
        contributes=sender.contributes,
        header=file.header,
        rankings_sha256=run.sha256,
        form="" if file.answers is None else file.answers.form,
        answers_sha256="" if file.answers is None else sent_answers.checksum(_sent(file)),
    )


def _sent(file: RunFile) -> list[SentAnswer]:
    return [SentAnswer(each.topic_id, each.record) for each in file.answers.answers] if file.answers else []
