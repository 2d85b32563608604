"""Adding runs to a campaign: checked against its topics and documents, ordered once, numbered, packed.

All runs of one call are ordered and numbered together, column by column: identifiers become numbers whose
order is the byte order of the ids, so that ordering 1.5 million lines is a sort of integers and floats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import listed
from workbench.formats.runs import RunFile, read_runs
from workbench.formats.text.files import STANDARD_STREAM
from workbench.setup.ingest.display_names import BY_PATH, DisplayNames, renamed, with_display_names
from workbench.setup.ingest.naming import by_position, likely_mapping, so_many_are
from workbench.setup.ingest.numbering import PackedRun, PackedRuns, pack_runs
from workbench.setup.ingest.topics import take_topic_ids, takes_topics
from workbench.setup.ingest.unknown import first_rows, known_documents
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, runs, settings, topics
from workbench.storage.campaign.collection.quota import check_quota
from workbench.storage.campaign.collection.runs import RunWarning
from workbench.storage.campaign.log import log

if TYPE_CHECKING:
    import polars as pl

OnRead = Callable[[str], None]
LONGEST_LIST = 25
CHECKED_AGAINST = frozenset({"run", "topics", "documents", "settings"})
"""Kinds of events on which it depends whether a run is taken, and how its documents are numbered."""


class AddedRun(NamedTuple):
    """A run that is in the campaign now."""

    tag: str
    file: str
    lines: int
    topics: int


class Sender(NamedTuple):
    """Who sent a run, and whether pools take documents from it unless told otherwise."""

    team: str
    contributes: bool


NOBODY: Mapping[str, Sender] = MappingProxyType({})


class AddedRuns(NamedTuple):
    """The runs added, the topics that the campaign took from them, and what deserves a look."""

    runs: tuple[AddedRun, ...]
    topics_taken: tuple[str, ...]
    warnings: tuple[Problem, ...]


def add_runs(
    campaign: Campaign,
    paths: Sequence[str],
    *,
    team: str = "",
    contributes: bool = True,
    name: str = "tag",
    actor: str,
    now: datetime | None = None,
    on_read: OnRead | None = None,
    display_names: DisplayNames = BY_PATH,
    senders: Mapping[str, Sender] = NOBODY,
) -> AddedRuns:
    """Add all runs, or none of them.

    Args:
        campaign: an open campaign.
        paths: run files as the user named them.
        team: who sent them; groups of runs by one team matter when the pool's fairness is examined.
        contributes: whether pools take documents from these runs unless told otherwise.
        name: 'tag' names a run by the tag in its file, 'file' by its file's name.
        actor: who adds them, for the log.
        now: the time to record.
        on_read: called with each path, in order, once its file was read.
        display_names: names of files that go by others than their paths.
        senders: by path, what holds for a file instead of `team` and `contributes`.

    Raises:
        InputError: with every problem of every file; the campaign is unchanged then.
    """
    files = _read(paths, on_read, display_names)
    names = _names(files, name)
    prepared = _prepared(campaign, files, names)
    with campaign.write():
        if log.newest_event(campaign, CHECKED_AGAINST).seq != prepared.as_of:  # another process was quicker
            prepared = _prepared(campaign, files, names)
        _, packed, warnings = prepared
        taken = _take_topics(campaign, files, actor=actor, now=now)
        runs.extend_vocabularies(campaign, packed.new_documents)
        for path, file, tag, run in zip(paths, files, names, packed.runs, strict=True):
            record = _record(file, tag, *senders.get(path, Sender(team, contributes)), run)
            number = runs.put_run(campaign, record, run.rankings, actor=actor, now=now)
            runs.put_warnings(campaign, number, _about(warnings, file.file))
        check_quota(campaign)
    added = (
        AddedRun(tag, file.file, file.frame.height, len(run.rankings))
        for tag, file, run in zip(names, files, packed.runs, strict=True)
    )
    return AddedRuns(tuple(added), tuple(taken), tuple(warnings))


class _Prepared(NamedTuple):
    """All that takes long of adding runs, done before the right to write is taken: others save judgments meanwhile.

    It holds while `as_of` is the newest event of the kinds that runs are CHECKED_AGAINST.
    """

    as_of: int
    packed: PackedRuns
    warnings: list[Problem]


def _prepared(campaign: Campaign, files: Sequence[RunFile], names: Sequence[str]) -> _Prepared:
    as_of = log.newest_event(campaign, CHECKED_AGAINST).seq
    warnings = _check(campaign, files, names)
    packed = pack_runs([file.frame for file in files], runs.vocabularies(campaign))
    warnings += _same_rankings(names, files, packed.runs, _checksums(campaign))
    return _Prepared(as_of, packed, warnings)


def check_runs(
    paths: Sequence[str],
    campaign: Campaign | None = None,
    *,
    name: str = "tag",
    on_read: OnRead | None = None,
    display_names: DisplayNames = BY_PATH,
) -> AddedRuns:
    """What `add_runs` would say, without changing anything; without a campaign the files alone are checked."""
    files = _read(paths, on_read, display_names)
    names = _names(files, name)
    packed = pack_runs([file.frame for file in files], {}).runs
    if campaign is None:
        warnings, taken = _check_alone(files, names), []
        warnings += _same_rankings(names, files, packed, {})
    else:
        with campaign.snapshot():
            warnings = _check(campaign, files, names)
            taken = _new_topics(campaign, files) if takes_topics(campaign) else []
            warnings += _same_rankings(names, files, packed, _checksums(campaign))
    checked = (
        AddedRun(tag, file.file, file.frame.height, file.frame["topic_id"].n_unique())
        for tag, file in zip(names, files, strict=True)
    )
    return AddedRuns(tuple(checked), tuple(taken), tuple(warnings))


def _read(paths: Sequence[str], on_read: OnRead | None, display_names: DisplayNames) -> list[RunFile]:
    with with_display_names(display_names):
        files = read_runs(paths, on_read=on_read)
    return [
        replace(
            file, file=display_names.get(file.file, file.file), warnings=renamed(file.warnings, display_names)
        )
        for file in files
    ]


def _about(warnings: Sequence[Problem], file: str) -> list[RunWarning]:
    """The warnings about one file, as they are kept with its run."""
    return [RunWarning(warning.line, warning.message) for warning in warnings if warning.file == file]


def run_name(file: RunFile, name: str) -> str:
    """The name a run goes by: its tag, or its file's name without .gz and the like and one more suffix."""
    if name == "tag":
        return file.tag
    path = Path(file.file)
    if path.suffix in {".gz", ".xz", ".bz2", ".zst"}:
        path = path.with_suffix("")
    stem = path.stem if path.suffix in {".txt", ".run", ".trec", ".res"} else path.name
    return "_".join(stem.split())


def _names(files: Sequence[RunFile], name: str) -> list[str]:
    """The name of each run; InputError for one that has none."""
    if name == "file" and any(file.file == STANDARD_STREAM for file in files):
        message = "standard input has no name to call the run by; leave out --name file, or save it as a file"
        raise InputError([Problem(STANDARD_STREAM, None, message)])
    return [run_name(file, name) for file in files]


def _check_alone(files: Sequence[RunFile], names: Sequence[str]) -> list[Problem]:
    """As `_check`, for files that are not meant for a campaign yet."""
    problems = list(_repeated_names(names, files, {}))
    if problems:
        raise InputError(problems)
    return [*(warning for file in files for warning in file.warnings), *_topics_of_no_other(files, ())]


def _check(campaign: Campaign, files: Sequence[RunFile], names: Sequence[str]) -> list[Problem]:
    """Warnings of files against a campaign; InputError with everything that stands in the way."""
    existing = {run.record.tag: run.record.file for run in runs.all_runs(campaign)}
    problems = list(_repeated_names(names, files, existing))
    warnings = [warning for file in files for warning in file.warnings]
    known, takes = topics.topic_ids(campaign), takes_topics(campaign)
    if takes:
        warnings += _topics_of_no_other(files, known)
    else:
        for file in files:
            problems += _unknown_topics(file, known)
            warnings += _missing_topics(file, known)
    if documents.sources(campaign):
        complete = settings.read(campaign).documents_complete
        known_ids = known_documents(campaign)
        for file in files:
            (problems if complete else warnings).extend(_unknown_documents(file, known_ids, complete))
    if problems:
        raise InputError(problems)
    return warnings


def _repeated_names(
    names: Sequence[str], files: Sequence[RunFile], existing: Mapping[str, str]
) -> Iterator[Problem]:
    seen = dict(existing)
    for tag, file in zip(names, files, strict=True):
        if tag in seen:
            message = f"a run named {tag!r} is there already (from {seen[tag]})"
            way_out = "name runs by their files with --name file, or change the tag"
            if tag != file.tag:
                way_out = "runs are named by their files here, so rename the file"
            yield Problem(file.file, None, f"{message}; {way_out}")
        seen.setdefault(tag, file.file)


def _unknown_topics(file: RunFile, known: Sequence[str]) -> Iterator[Problem]:
    unknown = first_rows(file.frame, "topic_id", known)
    if unknown.is_empty():
        return
    ids = unknown["topic_id"].to_list()
    way_out = "write topic ids as the campaign has them, or leave the lines out"
    if mapping := likely_mapping(ids, set(known)):
        hint = f"; {mapping}"
    elif mapping := by_position(_topic_ids(file), known):
        hint, way_out = f"; {mapping}", f"{way_out}; or count so in the file of topics, for a new campaign"
    else:
        hint = ""
    explained = f", whose {so_many_are(len(known), 'topic')} {listed(known)}{hint}: {way_out}"
    for topic_id, row in unknown.head(LONGEST_LIST).iter_rows():
        yield Problem(file.file, file.line_of(row), f"topic {topic_id!r} is not in the campaign{explained}")
        explained = ""  # once for each file is enough
    if len(ids) > LONGEST_LIST:
        message = f"and {len(ids) - LONGEST_LIST:,} more topics that are not in the campaign"
        yield Problem(file.file, None, message)


def _topics_of_no_other(files: Sequence[RunFile], known: Sequence[str]) -> Iterator[Problem]:
    """Warnings for topics that one run alone has, while a campaign still takes its topics from runs."""
    if len(files) == 1 and not known:
        return
    found_in = Counter(known)
    for file in files:
        found_in.update(_topic_ids(file))
    elsewhere = [topic_id for topic_id, count in found_in.items() if count > 1]
    for file in files:
        alone = first_rows(file.frame, "topic_id", elsewhere)
        if alone.is_empty():
            continue
        ids = alone["topic_id"].to_list()
        others = found_in.keys() - ids
        mapping = likely_mapping(ids, others)
        hint = f" ({mapping})" if mapping else ""
        message = (
            f"{so_many_are(len(ids), 'topic')} in no other run: {listed(ids)}{hint}; "
            "is this how others name them?"
        )
        yield Problem(file.file, file.line_of(alone["row"][0]), message)


def _missing_topics(file: RunFile, known: Sequence[str]) -> Iterator[Problem]:
    present = set(_topic_ids(file))
    missing = [topic_id for topic_id in known if topic_id not in present]
    if missing:
        message = f"nothing for {len(missing)} of {len(known)} topics: {listed(missing)}; they will score 0"
        yield Problem(file.file, None, message)


def _unknown_documents(file: RunFile, known: pl.Series, complete: bool) -> Iterator[Problem]:
    unknown = first_rows(file.frame, "document_id", known)
    if unknown.is_empty():
        return
    ids, total = unknown["document_id"].to_list(), file.frame["document_id"].n_unique()
    mapping = None
    if len(ids) > total / 2:
        mapping = likely_mapping(ids[:1000], set(known.to_list()))
    hint = f"; {mapping}" if mapping else ""
    if not complete:
        message = (
            f"{len(ids):,} of {total:,} documents are in none of the campaign's sources: {listed(ids)}{hint}; "
            "they are taken, but will have no text to judge by"
        )
        yield Problem(file.file, file.line_of(unknown["row"][0]), message)
        return
    for document_id, row in unknown.head(LONGEST_LIST).iter_rows():
        message = (
            f"document {document_id!r} is not in the campaign's list of documents{hint}: "
            "correct the id, or add the documents that are missing"
        )
        yield Problem(file.file, file.line_of(row), message)
    if len(ids) > LONGEST_LIST:
        message = f"and {len(ids) - LONGEST_LIST:,} more documents that are not in the campaign's list"
        yield Problem(file.file, None, message)


def _topic_ids(file: RunFile) -> list[str]:
    return file.frame["topic_id"].unique().to_list()


def _new_topics(campaign: Campaign, files: Sequence[RunFile]) -> list[str]:
    found = {topic_id for file in files for topic_id in _topic_ids(file)}
    return sorted(found.difference(topics.topic_ids(campaign)))


def _take_topics(
    campaign: Campaign, files: Sequence[RunFile], *, actor: str, now: datetime | None
) -> list[str]:
    new = _new_topics(campaign, files)
    if new:
        origin = listed([file.file for file in files])
        take_topic_ids(campaign, new, origin=origin, actor=actor, now=now)
    return new


def _checksums(campaign: Campaign) -> dict[str, str]:
    """The checksum of each run with its tag; of equal ones the first run's."""
    return {run.record.rankings_sha256: run.record.tag for run in reversed(runs.all_runs(campaign))}


def _same_rankings(
    names: Sequence[str], files: Sequence[RunFile], packed: Sequence[PackedRun], existing: Mapping[str, str]
) -> list[Problem]:
    seen = dict(existing)
    warnings = []
    for file, tag, run in zip(files, names, packed, strict=True):
        other = seen.setdefault(run.sha256, tag)
        if other != tag:
            message = f"its rankings and scores are exactly those of run {other!r}; was one file sent twice?"
            warnings.append(Problem(file.file, None, message))
    return warnings


def _record(file: RunFile, tag: str, team: str, contributes: bool, run: PackedRun) -> runs.RunRecord:
    return runs.RunRecord(
        tag=tag,
        team=team,
        file=file.file,
        sha256=file.source.sha256,
        lines=file.frame.height,
        topics=len(run.rankings),
        contributes=contributes,
        header=file.header,
        rankings_sha256=run.sha256,
    )
