"""Adding runs to a campaign: checked against its topics and documents, ordered once, numbered, packed.

All runs of one call are ordered and numbered together, column by column: identifiers become numbers whose
order is the byte order of the ids, so that ordering 1.5 million lines is a sort of integers and floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from workbench.campaign.ingest.display_names import BY_PATH, DisplayNames, renamed
from workbench.campaign.ingest.numbering import PackedRun, PackedRuns, pack_runs
from workbench.campaign.ingest.run_checks import Against, CheckedRun, FileCheck, check_files, refusal, reports
from workbench.campaign.ingest.senders import Register, Sender, make_room, put_details, replaced_words
from workbench.campaign.ingest.topics import take_topic_ids
from workbench.core.errors import Problem
from workbench.core.findings import REPAIRED
from workbench.core.wording import listed
from workbench.formats.run_repairs import AS_SENT, Done, Repairs
from workbench.formats.runs import ExaminedRun, RunFile, examine_runs
from workbench.formats.text.files import STANDARD_STREAM
from workbench.formats.text.parse_mode import ParseMode
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import run_details, runs, withdrawals
from workbench.storage.campaign.collection.runs import RunRepair, RunWarning
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising.quota import check_quota

CHECKED_AGAINST = withdrawals.KINDS | {
    *("run", "topics", "documents", "settings", "pool"),
    run_details.DETAILS,
}
"""Kinds of events on which it depends whether a run is taken, and how its documents are numbered."""


class AddedRun(NamedTuple):
    """A run that is in the campaign now; `replaced` is a sentence on the run whose place it took, "" for none."""

    tag: str
    file: str
    lines: int
    topics: int
    replaced: str = ""


NO_SENDERS: Mapping[str, Sender] = MappingProxyType({})


class AddedRuns(NamedTuple):
    """The runs added, the topics taken from them, what deserves a look, and the report on each file."""

    runs: tuple[AddedRun, ...]
    topics_taken: tuple[str, ...]
    warnings: tuple[Problem, ...]
    checks: tuple[FileCheck, ...]

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
    name: str = "tag",
    actor: str,
    now: datetime | None = None,
    display_names: DisplayNames = BY_PATH,
    senders: Mapping[str, Sender] = NO_SENDERS,
    repairs: Repairs = AS_SENT,
    all_or_nothing: bool = True,
    encoding: str = "",
) -> AddedRuns:
    """Add all runs, or none of them; or, with `all_or_nothing` false, those whose files are good.

    Args:
        paths: run files as the user named them.
        team: who sent them; groups of runs by one team matter when the pool's fairness is examined.
        contributes: whether pools take documents from these runs unless told otherwise.
        name: 'tag' names a run by the tag in its file, 'file' by its file's name.
        display_names: names of files that go by others than their paths.
        senders: by path, what holds for a file instead of `team` and `contributes`, see `Sender`.
        repairs: what to repair instead of refusing the file; each repair is recorded with its run.
        all_or_nothing: whether one bad file keeps the others out.
        encoding: what the files are in; '' for UTF-8.

    Raises:
        RunsRefused: with every problem of every file; the campaign is unchanged then.
    """
    examined = _examined(paths, repairs, display_names, encoding)
    sent = [senders.get(path, Sender(team, contributes)) for path in paths]
    options = _Options(sent, name, repairs, all_or_nothing)
    prepared = _prepared(campaign, examined, options)
    if not prepared.good:
        return prepared.result(())
    with campaign.write():
        if log.newest_event(campaign, CHECKED_AGAINST).seq != prepared.as_of:  # another process was quicker
            prepared = _prepared(campaign, examined, options)
        taken = _take_topics(campaign, prepared, actor=actor, now=now)
        runs.extend_vocabularies(campaign, prepared.packed.new_documents)
        for place, run in zip(prepared.good, prepared.packed.runs, strict=True):
            where, file = prepared.checked[place].place, prepared.file(place)
            sender = where.sender
            make_room(campaign, where, actor=actor, now=now)
            record = _record(file, where.tag, sender, run)
            repaired = (*sender.repairs, *(RunRepair(*repair) for repair in file.repairs))
            warnings = _warnings_kept(prepared.checks[place])
            number = runs.put_run(
                campaign, record, run.rankings, repairs=repaired, warnings=warnings, actor=actor, now=now
            )
            put_details(campaign, number, where, actor=actor, now=now)
        check_quota(campaign)
    return prepared.result(taken)


class _Options(NamedTuple):
    senders: Sequence[Sender]
    name: str
    repairs: Repairs
    all_or_nothing: bool


class _Prepared(NamedTuple):
    """All that takes long of adding runs, done before the right to write is taken: others save judgments meanwhile.

    It holds while `as_of` is the newest event of the kinds that runs are CHECKED_AGAINST. `checks` are the reports on
    the files, `good` the places of those that are taken, `packed` their rankings.
    """

    as_of: int
    against: Against
    checked: Sequence[CheckedRun]
    checks: Sequence[FileCheck]
    good: Sequence[int]
    packed: PackedRuns

    def file(self, place: int) -> RunFile:
        """A file that is taken."""
        run = self.checked[place].run
        if run is None:
            raise LookupError(place)
        return run

    @property
    def files(self) -> list[RunFile]:
        """The files that are taken, in their order."""
        return [self.file(place) for place in self.good]

    @property
    def new_topics(self) -> list[str]:
        """The topics of these files that the campaign does not have, if it takes topics from runs."""
        if not self.against.takes_topics:
            return []
        found = {topic_id for file in self.files for topic_id in file.frame["topic_id"].unique()}
        return sorted(found.difference(self.against.topics))

    def result(self, taken: Sequence[str]) -> AddedRuns:
        """What is said of the files, once those that are good were added."""
        checks = self.checks
        added = (
            AddedRun(
                checks[place].run,
                checks[place].file,
                checks[place].documents,
                checks[place].topics,
                replaced_words(self.checked[place].place),
            )
            for place in self.good
        )
        warnings = (warning for place in self.good for warning in checks[place].warnings)
        return AddedRuns(tuple(added), tuple(taken), tuple(warnings), tuple(checks))


def _prepared(campaign: Campaign | None, examined: Sequence[ExaminedRun], options: _Options) -> _Prepared:
    """The files checked and their rankings packed; RunsRefused for files that are refused, if that is the choice."""
    as_of = 0 if campaign is None else log.newest_event(campaign, CHECKED_AGAINST).seq
    against = Against.campaign(campaign)
    checked = check_files(examined, against, options.senders, name=options.name, repairs=options.repairs)
    good = [place for place, each in enumerate(checked) if each.is_good]
    if options.all_or_nothing and len(good) < len(checked):
        raise refusal(checked)
    vocabularies = {} if campaign is None else runs.vocabularies(campaign)
    taken = [checked[place] for place in good]
    packed = pack_runs([each.run.frame for each in taken if each.run is not None], vocabularies)
    _add_same_rankings(taken, packed.runs, against.register)
    return _Prepared(as_of, against, checked, reports(checked), good, packed)


def check_runs(
    paths: Sequence[str],
    campaign: Campaign | None = None,
    *,
    name: str = "tag",
    display_names: DisplayNames = BY_PATH,
    repairs: Repairs = AS_SENT,
    all_or_nothing: bool = True,
    senders: Mapping[str, Sender] = NO_SENDERS,
    encoding: str = "",
) -> AddedRuns:
    """What `add_runs` would say, without changing anything; without a campaign the files alone are checked."""
    examined = _examined(paths, repairs, display_names, encoding)
    options = _Options([senders.get(path, Sender()) for path in paths], name, repairs, all_or_nothing)
    if campaign is None:
        return _prepared(None, examined, options).result(())
    with campaign.snapshot():
        prepared = _prepared(campaign, examined, options)
    return prepared.result(prepared.new_topics)


def changed_lines(
    paths: Sequence[str], campaign: Campaign | None, *, repairs: Repairs, encoding: str = ""
) -> Iterator[tuple[str, Done]]:
    """The repairs that change something, with their files and lines; the files are read for it."""
    examined = _examined([path for path in paths if path != STANDARD_STREAM], repairs, BY_PATH, encoding)
    against, senders = Against.campaign(campaign), [Sender()] * len(examined)
    for checked in check_files(examined, against, senders, repairs=repairs):
        yield from ((checked.file, done) for done in (checked.run.done if checked.run else ()))


def _examined(
    paths: Sequence[str], repairs: Repairs, display_names: DisplayNames, encoding: str = ""
) -> list[ExaminedRun]:
    """The files as they were read, under the names that they go by."""
    found = []
    for examined in examine_runs(paths, ParseMode(encoding=encoding), repairs):
        name = display_names.get(examined.file, examined.file)
        run = examined.run
        if run is not None and name != run.file:
            run = replace(run, file=name, warnings=renamed(run.warnings, display_names))
        found.append(examined._replace(file=name, run=run))
    return found


def _warnings_kept(check: FileCheck) -> list[RunWarning]:
    """The warnings about one file, as they are kept with its run; its repairs are in the log."""
    return [RunWarning(found.line, found.message) for found in check.problems if found.kind != REPAIRED]


def _take_topics(campaign: Campaign, prepared: _Prepared, *, actor: str, now: datetime | None) -> list[str]:
    new = prepared.new_topics
    if new:
        origin = listed([file.file for file in prepared.files])
        take_topic_ids(campaign, new, origin=origin, actor=actor, now=now)
    return new


def _add_same_rankings(
    checked: Sequence[CheckedRun], packed: Sequence[PackedRun], register: Register
) -> None:
    """Warnings for runs with the rankings of another one, of several the first."""
    seen: dict[str, str] = {}
    for tag, stored in register.by_name.items():
        seen.setdefault(stored.record.rankings_sha256, tag)
    for each, run in zip(checked, packed, strict=True):
        other = seen.setdefault(run.sha256, each.place.tag)
        if other != each.place.tag:
            message = f"its rankings and scores are exactly those of run {other!r}; was one file sent twice?"
            each.findings.add(None, "same-rankings", message)


def _record(file: RunFile, tag: str, sender: Sender, run: PackedRun) -> runs.RunRecord:
    return runs.RunRecord(
        tag=tag,
        team=sender.team,
        file=file.file,
        sha256=sender.sha256 or file.source.sha256,
        lines=file.frame.height,
        topics=len(run.rankings),
        contributes=sender.contributes,
        header=file.header,
        rankings_sha256=run.sha256,
    )
