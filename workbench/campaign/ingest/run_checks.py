"""Run files checked against a campaign, each for itself: what is wrong, what is odd, what was repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from workbench.campaign.ingest import naming
from workbench.campaign.ingest.answer_checks import sentences_in
from workbench.campaign.ingest.file_checks import NOTHING, FileCheck, report_on
from workbench.campaign.ingest.judged_before import JudgedBefore
from workbench.campaign.ingest.run_repairing import (
    offers,
    repaired_documents,
    repaired_topics,
    suggested_documents,
    without,
    without_own,
)
from workbench.campaign.ingest.senders import Place, Register, Sender
from workbench.campaign.ingest.topics import taken_from_runs
from workbench.core.errors import InputError, Problem
from workbench.core.findings import KINDS, NO_RUN, REPAIRED, Findings
from workbench.core.natural_order import natural
from workbench.core.run_costs import read_costs
from workbench.core.wording import listed
from workbench.formats.answers.forms import FORMS
from workbench.formats.row_entries import stem_of
from workbench.formats.run_costs import costs_in_header
from workbench.formats.run_metadata import run_metadata
from workbench.formats.run_repairs import AS_SENT, Repairs
from workbench.formats.runs import ExaminedRun, RunFile
from workbench.formats.text.files import STANDARD_STREAM
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topic_withdrawals, topics
from workbench.storage.campaign.log.kinds import LONGEST_HEADER
from workbench.storage.campaign.organising import settings

if TYPE_CHECKING:
    import polars as pl


class RunOptions(NamedTuple):
    """How run files are read, checked and named.

    Attributes:
        name: 'tag' names a run by the tag in its file, 'file' by its file's name.
        senders: by path, what holds for a file instead of the usual, see `Sender`.
        repairs: what to repair instead of refusing the file; each repair is recorded with its run.
        display_names: names of files that go by others than their paths.
        all_or_nothing: whether one bad file keeps the others out.
        encoding: what the files are in; '' for UTF-8.
        form: that of the answers which all files hold, '' where their fields tell it; None where each file tells by
            its beginning whether it holds any.
    """

    name: str = "tag"
    senders: Mapping[str, Sender] = MappingProxyType({})
    repairs: Repairs = AS_SENT
    display_names: naming.DisplayNames = naming.BY_PATH
    all_or_nothing: bool = True
    encoding: str = ""
    form: str | None = None


USUAL = RunOptions()


class Against(NamedTuple):
    """What run files are checked against.

    Attributes:
        topics: the ids of the campaign's topics, in the order of their files.
        withdrawn: those of them that take no part now: a run may leave them out.
        takes_topics: whether runs may bring topics.
        documents: the ids of the campaign's documents; None where it names no collection.
        complete: whether these are all there are.
        alone: whether there is no campaign at all.
        register: its runs by their names, and what else decides on the places of new runs.
        strange: documents of the files that it does not know; None for none, or where it names no collection.
        judged: what was judged before the round that is open; None for nothing.
    """

    topics: Sequence[str] = ()
    takes_topics: bool = True
    documents: naming.KnownDocuments | None = None
    complete: bool = False
    alone: bool = False
    register: Register = Register()
    withdrawn: Collection[str] = frozenset()
    strange: pl.Series | None = None
    judged: JudgedBefore | None = None

    @classmethod
    def campaign(cls, campaign: Campaign | None) -> Against:
        """What a campaign has now; without one the files alone are checked."""
        if campaign is None:
            return cls(alone=True)
        current, topic_ids = settings.read(campaign), list(topics.by_id(campaign))
        register = Register.of(campaign, current)
        return cls(
            topic_ids,
            taken_from_runs(current, topic_ids),
            naming.known_documents(campaign),
            current.documents_complete,
            register=register,
            withdrawn=topic_withdrawals.withdrawn(campaign).keys(),
            judged=JudgedBefore.of(campaign, register.now, current) if register.now.opened else None,
        )

    @property
    def files(self) -> dict[str, str]:
        """The file of each run of the campaign, by its name."""
        return {tag: run.record.file for tag, run in self.register.by_name.items()}


class CheckedRun(NamedTuple):
    """One file after its check: its findings, what could be read of it as it was repaired, and the run's place.

    `offers` are the options of add runs that would change something, by the kinds of findings that they repair.
    """

    file: str
    findings: Findings
    sha256: str
    run: RunFile | None
    place: Place
    offers: Mapping[str, str] = NOTHING

    @property
    def is_good(self) -> bool:
        """Whether the run may be added."""
        return self.run is not None and not self.findings.refuses


class RunsRefused(InputError):
    """Run files of which some are refused, with the report on each."""

    def __init__(self, checks: Sequence[FileCheck], problems: Iterable[Problem], more: int) -> None:
        super().__init__(problems, more)
        self.checks = tuple(checks)


def refusal(checked: Sequence[CheckedRun]) -> RunsRefused:
    """The error for files of which some are refused; of each the most decisive problems come first."""
    checks = reports(checked)
    problems = [problem for check in checks for problem in check.refusing]
    count = sum(check.counts[kind] for check in checks for kind in check.counts if KINDS[kind].refuses)
    return RunsRefused(checks, problems, count - len(problems))


def reports(checked: Iterable[CheckedRun]) -> list[FileCheck]:
    """The report on each file."""
    return [_report(each) for each in checked]


def _report(checked: CheckedRun) -> FileCheck:
    run, report = checked.run, report_on(checked.findings)._replace(sha256=checked.sha256)
    if run is None:
        return report
    return report._replace(
        run=checked.place.asked or checked.place.tag,
        repairs=run.repairs,
        topics=len(run.topics),
        documents=run.frame.height if run.answers is None else sentences_in(run.answers),
        form="" if run.answers is None else FORMS[run.answers.form].title,
        offers=checked.offers,
    )


def check_files(
    examined: Sequence[ExaminedRun], against: Against, senders: Sequence[Sender], options: RunOptions = USUAL
) -> list[CheckedRun]:
    """Each file checked and repaired; of two good files of one name the second is refused."""
    taken: dict[str, str] = {}
    checked = []
    columns = [each.run.frame["document_id"] for each in examined if each.run is not None]
    if columns and against.documents is not None:
        strange = naming.unknown_values(columns, against.documents)
        against = against._replace(strange=None if strange.is_empty() else strange)
    for each, sender in zip(examined, senders, strict=True):
        found = _checked(each, against, sender, options, taken)
        if found.is_good:
            taken[found.place.tag] = found.file
        checked.append(found)
    if against.takes_topics:
        _add_topics_of_no_other([each for each in checked if each.is_good], against.topics)
    return checked


def _checked(
    examined: ExaminedRun, against: Against, sender: Sender, options: RunOptions, taken: Mapping[str, str]
) -> CheckedRun:
    """One file checked; `taken` are the names that others of the same call have."""
    findings, run = examined.findings.copy(examined.file), examined.run
    is_of_answers = run is not None and run.answers is not None
    repairs = AS_SENT if is_of_answers else options.repairs
    sha256 = examined.source.sha256 if examined.source else ""
    if run is None:
        return CheckedRun(examined.file, findings, sha256, None, Place("", sender))
    if not against.takes_topics:
        run = repaired_topics(run, against.topics, repairs)
        _add_unknown_topics(findings, run, against.topics)
    strange, known = against.strange, against.documents
    if strange is not None and known is not None:
        run = repaired_documents(run, strange, known, repairs)
        if against.complete and repairs.extra_documents:
            run = without(run, "document_id", strange)
        _add_unknown_documents(findings, run, strange, known, against.complete)
    run = without_own(run, repairs)
    if against.judged is not None:
        against.judged.add_to(findings, run)
    if len(run.header) > LONGEST_HEADER:
        message = f"its comment lines have {len(run.header):,} characters; shorten them to {LONGEST_HEADER:,}"
        findings.add(None, "comments", message)
    if run.answers is not None:
        sender = sender.of_team(run.answers.team)
    elif run.frame.is_empty():
        findings.add(None, NO_RUN, "no line of it is left after the repairs; check the ids that it uses")
    if not sender.sha256:
        sender = _with_costs(findings, run, sender)
    place, wrong = against.register.place(sender.tag or run_name(run, options.name), sender, run.header)
    for kind, message in wrong:
        findings.add(None, kind, message)
    if sender.received is not None and against.takes_topics:
        message = (
            "the campaign has no file of topics yet, so runs of teams cannot be checked; ask an organiser"
        )
        findings.add(None, "not-taken", message)
    if not wrong:
        there = taken if place.renamed else {**against.files, **taken}
        old = against.register.by_name.get(place.asked)
        sent_again = old is not None and old.record.sha256 == sha256 and sender.received is None
        _add_name(findings, run, options.name, place.asked if sent_again else place.tag, there)
    for repair in run.repairs:
        findings.add(None, REPAIRED, repair.message)
    for warning in run.warnings:
        findings.add(warning.line, warning.kind, warning.message)
    if not against.takes_topics and "unknown-topic" not in findings.lines:
        awaited = set(against.topics).difference(against.withdrawn)
        if missing := sorted(awaited.difference(run.topics), key=natural):
            number = f"{len(missing)} of {len(awaited)}"
            message = f"nothing for {number} topics: {listed(missing)}; they will score 0"
            findings.add(None, "missing-topics", message)
    offered = {} if is_of_answers else _offers(findings, run, against)
    return CheckedRun(examined.file, findings, sha256, replace(run, file=examined.file), place, offered)


def _with_costs(findings: Findings, run: RunFile, sender: Sender) -> Sender:
    """The sender with the costs that the comments of the file give; what cannot be read is no reason to refuse it."""
    found = run_metadata(run.header)
    day = (sender.received or datetime.now(UTC)).astimezone(UTC).date()
    costs, wrong = read_costs(costs_in_header(found), day)
    if found.problem:
        findings.add(None, "costs", f"its ir_metadata is not read: {found.problem}")
    for line, message in wrong:
        findings.add(None, "costs", f"comment line {line}: {message}")
    return sender._replace(costs={name: value for name, value in costs.items() if value is not None})


def _offers(findings: Findings, run: RunFile, against: Against) -> dict[str, str]:
    """The options that repair what refuses a file; those for topics and documents where they change something."""
    found = {kind: [KINDS[kind].repair] for kind in findings.lines if KINDS[kind].repair}
    ordered = against.topics if "unknown-topic" in findings.lines else ()
    others = against.strange if "unknown-document" in findings.lines else None
    for kind, option in offers(run, ordered, others, against.documents):
        found.setdefault(kind, []).append(option)
    return {kind: ", ".join(options) for kind, options in found.items()}


def run_name(file: RunFile, name: str) -> str:
    """The name a run goes by: its tag, or its file's name as `stem_of` has it."""
    return file.tag if name == "tag" else stem_of(file.file)


def _add_name(findings: Findings, run: RunFile, name: str, tag: str, taken: Mapping[str, str]) -> None:
    if name == "file" and run.file == STANDARD_STREAM:
        message = "standard input has no name to call the run by; leave out --name file, or save it as a file"
        findings.add(None, "name-taken", message)
    elif tag in taken:
        way_out = "name runs by their files with --name file, or change the tag"
        if tag != run.tag:
            way_out = "runs are named by their files here, so rename the file"
        findings.add(
            None, "name-taken", f"a run named {tag!r} is there already (from {taken[tag]}); {way_out}"
        )


def _add_unknown_topics(findings: Findings, run: RunFile, ordered: Sequence[str]) -> None:
    known, there = sorted(ordered), set(ordered)
    unknown = {topic_id: line for topic_id, line in run.topics.items() if topic_id not in there}
    if not unknown:
        return
    hint = ""
    way_out = "write topic ids as the campaign has them, or leave the lines out"
    given = list(run.topics)
    if mapping := naming.likely_topics(given, known):
        hint = f"; {mapping.words}"
    elif words := naming.by_position(given, known):
        hint, way_out = f"; {words}", f"{way_out}; or count so in the file of topics, for a new campaign"
    if words := naming.of_turns(unknown, known):
        hint += f"; {words}"
    explained = f", whose {naming.so_many_are(len(known), 'topic')} {listed(known)}{hint}: {way_out}"
    for topic_id, line in unknown.items():
        message = f"topic {topic_id!r} is not in the campaign{explained}"
        findings.add(line, "unknown-topic", message)
        explained = ""  # once for each file is enough


def _add_topics_of_no_other(checked: Sequence[CheckedRun], known: Sequence[str]) -> None:
    files = [(each.findings, each.run.topics) for each in checked if each.run is not None]
    if len(files) == 1 and not known:
        return
    found_in = Counter(known)
    for _, lines in files:
        found_in.update(lines.keys())
    for findings, lines in files:
        ids = [topic_id for topic_id in lines if found_in[topic_id] == 1]
        if not ids:
            continue
        mapping = naming.likely_mapping(ids, found_in.keys() - ids)
        hint = f" ({mapping})" if mapping else ""
        message = (
            f"{naming.so_many_are(len(ids), 'topic')} in no other run: {listed(ids)}{hint}; "
            "is this how others name them?"
        )
        findings.add(lines[ids[0]], "topic-of-no-other", message)


def _add_unknown_documents(
    findings: Findings, run: RunFile, strange: pl.Series, known: naming.KnownDocuments, complete: bool
) -> None:
    unknown = naming.rows_with(run.frame, "document_id", strange)
    if unknown.is_empty():
        return
    ids, total = unknown["document_id"].to_list(), run.frame["document_id"].n_unique()
    first, mapping = ids[:1000], None
    if len(ids) > total / 2:
        mapping = naming.likely_mapping(first, naming.known_variants(first, known))
    elif suggested := suggested_documents(run, unknown["document_id"].head(1000), known):
        mapping = suggested.words
    hint = f"; {mapping}" if mapping else ""
    if not complete:
        message = (
            f"{len(ids):,} of {total:,} documents are in none of the campaign's sources: {listed(ids)}{hint}; "
            "they are taken, but will have no text to judge by"
        )
        findings.add(run.line_of(unknown["row"][0]), "document-without-text", message)
        return
    for document_id, row in unknown.iter_rows():
        message = (
            f"document {document_id!r} is not in the campaign's list of documents{hint}: "
            "correct the id, or add the documents that are missing"
        )
        findings.add(run.line_of(row), "unknown-document", message)
