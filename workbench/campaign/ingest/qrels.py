"""Importing qrels: judgments that people made elsewhere enter the same log, marked as imports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from workbench.campaign import questions
from workbench.campaign.ingest import naming, run_repairing
from workbench.campaign.ingest.topics import take_topic_ids, takes_topics
from workbench.core.errors import NOTE, CampaignError, InputError, Problem
from workbench.core.records import LONGEST_COMMENT, Judgment
from workbench.core.values import LONGEST_NAME
from workbench.core.wording import listed
from workbench.formats.judged_records import JudgedPair, JudgedRecords, judged_records
from workbench.formats.qrels import QrelsFile, qrels_of
from workbench.formats.row_forms import lines_of_bytes
from workbench.formats.run_repairs import AS_SENT, Done, Repairs
from workbench.formats.text.column_names import spelled_together
from workbench.formats.text.content import PARQUET_START, content_of
from workbench.formats.text.guesses import is_number
from workbench.formats.text.lines import STOP_AFTER, identifier_problem, shown
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.formats.text.sources import read_with_source
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, topics
from workbench.storage.campaign.grades import judgments, labels, sources
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import judges
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.quota import check_quota

if TYPE_CHECKING:
    import polars as pl


Pair = tuple[str, str]
Judged = QrelsFile | JudgedRecords


class ChangedLabel(NamedTuple):
    """A label in force that an import changes."""

    topic_id: str
    document_id: str
    before: int
    after: int


class AddedQrels(NamedTuple):
    """What an import did, or would do.

    Attributes:
        assessor: whose judgments these are.
        judgments: how many were appended.
        unchanged: lines that say what this assessor's judgment says already.
        outside_pool: lines on pairs outside every pool.
        repaired: the repairs that changed something, with their files.
        changed: the labels in force that are others now, in byte order of topic and document.
        first_labels: how many pairs had no label and have one now.
        not_in_force: pairs of the files on which another grade counts, or none.
        precedence: whose labels count before whose.
    """

    assessor: str
    judgments: int
    unchanged: int
    outside_pool: int
    warnings: tuple[Problem, ...]
    repaired: tuple[tuple[str, Done], ...]
    changed: tuple[ChangedLabel, ...]
    first_labels: int
    not_in_force: int
    precedence: sources.Precedence


def add_qrels(
    campaign: Campaign,
    paths: Sequence[str | Judged],
    *,
    assessor: str | None = None,
    repairs: Repairs = AS_SENT,
    names: bool = False,
    dry_run: bool = False,
) -> AddedQrels:
    """Append the lines of the files to the log as judgments of `assessor`; all or nothing.

    Pairs outside the pool count like any other and have no pool in the log. A line whose grade is in force
    already is not appended again, so that the same file can be imported twice. Where what is imported counts behind
    what was judged here is a setting.

    Args:
        paths: files of qrels, or what was read of them.
        assessor: whose judgments these are; "imported" unless another name is given.
        repairs: what to repair instead of refusing the files: topics, documents, repeated lines.
        names: whether people in files of other tools keep their names, and are not `assessor` and a number.
        dry_run: do all of it and keep nothing, to see what it would change.

    Raises:
        InputError: a file cannot be read, or names topics that are not there.
        CampaignError: the name cannot be read, or has judgments of another source.
    """
    files = read_all(paths, repairs)
    with campaign.write(keep=not dry_run):
        return store_qrels(campaign, files, assessor=assessor, repairs=repairs, names=names)


def store_qrels(
    campaign: Campaign,
    judged_files: Sequence[Judged],
    *,
    assessor: str | None = None,
    repairs: Repairs = AS_SENT,
    names: bool = False,
) -> AddedQrels:
    """The same with files that are read, inside the open write transaction; arguments and errors as in `add_qrels`."""
    assessor = "imported" if assessor is None else assessor
    files = list(_of_people(campaign, judged_files, assessor, names=names))
    of_files = (file.frame["assessor"].unique(maintain_order=True) for file in files)
    assessors = list(dict.fromkeys(chain.from_iterable(of_files))) or [assessor]
    for each in assessors:
        _check_assessor(campaign, each)
    labels_before = _labels(campaign)
    files = _of_known_topics(campaign, files, repairs)
    warnings = [warning for file in files for warning in (*file.warnings, *_strange(campaign, file))]
    pool_of = {pair.pooled[:2]: pair.pool for pair in pools.pooled_pairs(campaign)}
    stored = 0
    for file in files:
        take_topics_of(campaign, file.frame, file)
        documents.put_ids(campaign, file.frame["document_id"].unique().sort())
        stored += len(log.append_judgments(campaign, list(_new_judgments(campaign, file, pool_of))))
    questions.put_due(campaign)
    check_quota(campaign)
    after, precedence = _labels(campaign), sources.precedence_at(campaign)
    judged = [row for each in files for row in each.frame["topic_id", "document_id", "grade"].iter_rows()]
    grades = {row[:2]: row[2] for row in judged}
    return AddedQrels(
        assessor=listed(assessors),
        judgments=stored,
        unchanged=len(judged) - stored,
        outside_pool=sum(row[:2] not in pool_of for row in judged),
        warnings=tuple(warnings),
        repaired=tuple((file.file, done) for file in files for done in file.done),
        changed=tuple(
            ChangedLabel(*pair, labels_before[pair], grade)
            for pair, grade in after.items()
            if labels_before.get(pair, grade) != grade
        ),
        first_labels=len(after.keys() - labels_before.keys()),
        not_in_force=sum(after.get(pair) != grade for pair, grade in grades.items()),
        precedence=precedence,
    )


def _of_people(
    campaign: Campaign, files: Sequence[Judged], assessor: str, *, names: bool
) -> Iterator[QrelsFile]:
    """The files as qrels with assessors and comments; people have the assessor's name and a number, or their `names`.

    Raises InputError with the topics and grades that are not the campaign's, and with what one person says twice.
    """
    import polars as pl

    judged = [file for file in files if isinstance(file, JudgedRecords)]
    people = dict.fromkeys(pair.person for file in judged for pair in file.pairs if pair.person)
    codes = {each: each if names else f"{assessor}-{place}" for place, each in enumerate(people, start=1)}
    placed, problems = _placing(campaign), list[Problem]()
    for file in files:
        if isinstance(file, QrelsFile):
            of_one = {"assessor": pl.lit(assessor), "comment": pl.lit("")}
            yield replace(file, frame=file.frame.with_columns(**of_one))
            continue
        path, rows = file.source.path, dict[tuple[str, str, str], tuple[int, int | None, str]]()
        for pair in file.pairs:
            topic_id, grade, wrong = placed(pair)
            key = (topic_id, pair.document_id, codes.get(pair.person, assessor))
            if topic_id and key in rows:
                wrong.append(f"{pair.called} is in line {rows[key][0]} already; keep one of both")
            rows[key] = (pair.line, grade, pair.comment)
            problems += (Problem(path, pair.line, message) for message in wrong)
            if len(problems) >= STOP_AFTER:
                raise InputError(problems)
        if not problems:
            coded = f"its people are called {listed([*codes.values()])}, in the order of the file"
            notes = [f"{coded}; --names keeps their names"] * (bool(codes) and not names) + [*file.notes]
            columns = ["topic_id", "document_id", "assessor", "line", "grade", "comment"]
            frame = pl.DataFrame([(*key, *row) for key, row in rows.items()], columns, orient="row")
            warnings = tuple(Problem(path, None, note, NOTE) for note in notes)
            yield QrelsFile(path, file.source, frame, warnings)
    if problems:
        raise InputError(problems)


def _placing(campaign: Campaign) -> Callable[[JudgedPair], tuple[str, int | None, list[str]]]:
    """What gives a pair's topic, by id or only title, its grade, by number or name, and what is wrong with them."""
    titles, scale, takes_new = topics.titles(campaign), settings.read(campaign).grades, takes_topics(campaign)
    known = dict[str, str]()
    for topic_id, title in titles.items():
        plain = " ".join(title.split())
        known[plain] = "" if plain in known else topic_id
    known |= {"": "", **{topic_id: topic_id for topic_id in titles}}
    grades = {_spelled(grade.name): grade.grade for grade in scale}
    grades |= {str(grade.grade): grade.grade for grade in scale}
    steps = ", ".join(f"{grade.grade} {grade.name}" for grade in scale)

    def placed(pair: JudgedPair) -> tuple[str, int | None, list[str]]:
        wrong = [identifier_problem("document", pair.document_id)]
        is_new = takes_new and identifier_problem("topic", pair.topic) is None
        if not (topic_id := pair.topic if is_new else known.get(" ".join(pair.topic.split()), "")):
            name = shown(pair.topic)
            wrong += [f"{name} is the id or title of no topic, or of several; add the topic, or write its id"]
        if (grade := grades.get(_spelled(pair.value))) is None:
            wrong += [f"{shown(pair.value)} is not a grade of the campaign ({steps}), of {pair.called}"]
        if len(pair.comment) > LONGEST_COMMENT:
            most = f"{LONGEST_COMMENT:,} characters"
            wrong += [f"the comment is longer than {most}, of {pair.called}; shorten it"]
        return topic_id, grade, [message for message in wrong if message]

    return placed


def _spelled(text: str) -> str:
    """A grade or its name without what spelling adds: 2.0 is 2, Not relevant is notrelevant."""
    number = float(text) if is_number(text.encode(errors="replace")) else 0.5
    return f"{number:.0f}" if number.is_integer() else spelled_together(text)


def _check_assessor(campaign: Campaign, assessor: str) -> None:
    if not assessor.strip() or not assessor.isprintable() or len(assessor) > LONGEST_NAME:
        raise CampaignError(
            f"{assessor[:LONGEST_NAME]!r} cannot be the name of an assessor; use at most {LONGEST_NAME} characters "
            "that can be printed"
        )
    others = sources.kinds_of(campaign, assessor) - {sources.IMPORT}  # the sources could not be distinguished
    if others or judges.versions(campaign, assessor):
        has = "judgments that were made here" if others - {sources.MODEL} else "labels of a model"
        raise CampaignError(
            f"{assessor!r} has {has} in this campaign; import under another name, with --assessor"
        )


def _labels(campaign: Campaign) -> dict[Pair, int]:
    return {label.pair: label.grade for label in labels.qrels(campaign)}


def read_all(
    paths: Sequence[str | Judged], repairs: Repairs = AS_SENT, parse_mode: ParseMode = STRICT
) -> list[Judged]:
    """Read files of qrels or of other tools, unless they are read; InputError with the problems of all of them."""
    once = bool(repairs.duplicates)
    files: list[Judged] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            files.append(_read(path, parse_mode, once=once) if isinstance(path, str) else path)
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return files


def _read(path: str, parse_mode: ParseMode, *, once: bool) -> Judged:
    data, source = read_with_source(path)
    if not data.startswith(PARQUET_START):
        records = judged_records(content_of(path, data, parse_mode.encoding), source)
        if records is not None:
            return records
    return qrels_of(
        lines_of_bytes(path, data, is_run=False, parse_mode=parse_mode), source, parse_mode, once=once
    )


def _of_known_topics(campaign: Campaign, files: Sequence[QrelsFile], repairs: Repairs) -> list[QrelsFile]:
    """The files as they were repaired; InputError for topics that the campaign does not have then."""
    ordered = () if takes_topics(campaign) else list(topics.by_id(campaign))
    repaired = [_repaired(campaign, file, ordered, repairs) for file in files]
    problems: list[Problem] = []
    for file in repaired:
        if "line" in file.frame.columns:  # of another tool
            problems += naming.unknown_documents(campaign, file, "add them, or correct the ids")
    for file in repaired if ordered else ():
        options = ", ".join(option for _, option in run_repairing.offers(file, ordered))
        way_out = f"choose a repair: {options}" if options else "correct them"
        problems += naming.unknown_topics(file, sorted(ordered), way_out)
    if problems:
        raise InputError(problems)
    return repaired


def _repaired(campaign: Campaign, file: QrelsFile, ordered: Sequence[str], repairs: Repairs) -> QrelsFile:
    file = run_repairing.repaired_topics(file, ordered, repairs) if ordered else file
    known = naming.known_documents(campaign) if repairs.documents or repairs.extra_documents else None
    if known is not None:
        file = run_repairing.repaired_documents(
            file, naming.unknown_values([file.frame["document_id"]], known), known, repairs
        )
        if repairs.extra_documents and settings.read(campaign).documents_complete:
            file = run_repairing.without(
                file, "document_id", naming.unknown_values([file.frame["document_id"]], known)
            )
    return run_repairing.without_own(file, repairs)


def _strange(campaign: Campaign, file: QrelsFile) -> Iterator[Problem]:
    scale = [grade.grade for grade in settings.read(campaign).grades]
    grades = naming.first_rows(file.frame, "grade", scale)
    if not grades.is_empty():
        strange = ", ".join(map(str, sorted(grades["grade"].to_list())))
        message = (
            f"not on the campaign's scale ({', '.join(map(str, scale))}): grade {strange}; "
            "such grades count as they are"
        )
        yield Problem(file.file, file.line_of(grades["row"][0]), message)
    yield from naming.unknown_documents(campaign, file, "their judgments count")


def take_topics_of(campaign: Campaign, frame: pl.DataFrame, file: QrelsFile) -> None:
    """Take the topic ids of a file's lines that a campaign without topics does not have yet."""
    known = set(topics.topic_ids(campaign))
    new = sorted(set(frame["topic_id"].unique().to_list()) - known)
    if new:
        take_topic_ids(campaign, new, origin=file.file)


def _new_judgments(campaign: Campaign, file: QrelsFile, pool_of: Mapping[Pair, int]) -> Iterator[Judgment]:
    """The lines of a file that say something else than their assessor's labels in force."""
    in_force = cache(partial(judgments.in_force_of, campaign, kind=sources.IMPORT))
    received_at = log.timestamp(campaign.moment)
    rows = file.frame["topic_id", "document_id", "grade", "assessor", "comment"]
    for topic_id, document_id, grade, assessor, comment in rows.iter_rows():
        before = in_force(assessor).get((topic_id, document_id))
        if before is None or before.grade != grade:
            yield Judgment(
                uuid=str(uuid4()),
                topic_id=topic_id,
                document_id=document_id,
                pool=pool_of.get((topic_id, document_id)),
                assessor=assessor,
                kind=sources.IMPORT,
                source=file.file,
                received_at=received_at,
                grade=grade,
                comment=comment,
                replaces=None if before is None else before.seq,
            )
