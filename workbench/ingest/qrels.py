"""Importing qrels: judgments made elsewhere enter the same log, marked as imports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from workbench.campaign import Campaign, documents, judgments, log, pools, settings, topics
from workbench.errors import CampaignError, InputError, Problem
from workbench.formats.qrels import QrelsFile, read_qrels
from workbench.ingest.naming import by_position, likely_mapping, listed, so_many_are
from workbench.ingest.topics import take_topic_ids, takes_topics
from workbench.ingest.unknown import first_rows, known_documents
from workbench.records import Judgment

if TYPE_CHECKING:
    import polars as pl


class AddedQrels(NamedTuple):
    """How many judgments were appended, how many lines said what this assessor's judgment says already, how
    many lines are on pairs outside every pool, and how many of unknown topics were left out when asked for.
    """

    judgments: int
    unchanged: int
    outside_pool: int
    left_out: int
    warnings: tuple[Problem, ...]


def add_qrels(
    campaign: Campaign,
    paths: Sequence[str],
    *,
    assessor: str = "imported",
    known_topics_only: bool = False,
    actor: str,
    now: datetime | None = None,
) -> AddedQrels:
    """Append the lines of the files to the log as judgments of `assessor`; all or nothing.

    Pairs outside the pool count like any other and have no pool in the log. A line whose grade is in force
    already is not appended again, so that the same file can be imported twice.
    """
    if not assessor.strip() or not assessor.isprintable():
        message = f"{assessor!r} is no name of an assessor; give one that can be read"
        raise CampaignError(message)
    files = _read_all(paths)
    with campaign.write():
        frames = _of_known_topics(campaign, files, known_topics_only)
        warnings = [warning for file in files for warning in (*file.warnings, *_strange(campaign, file))]
        pool_of = {pair.pooled[:2]: pair.pool for pair in pools.pooled_pairs(campaign)}
        stored = 0
        for file, frame in zip(files, frames, strict=True):
            _take_topics(campaign, frame, file, actor=actor, now=now)
            documents.put_ids(campaign, frame["document_id"].unique().sort())
            imported = _Import(assessor, file.file, log.timestamp(now), pool_of)
            rows = imported.new_judgments(frame, judgments.in_force_of(campaign, assessor))
            stored += len(log.append_judgments(campaign, rows))
    pairs = [pair for frame in frames for pair in frame.select("topic_id", "document_id").iter_rows()]
    return AddedQrels(
        judgments=stored,
        unchanged=len(pairs) - stored,
        outside_pool=sum(pair not in pool_of for pair in pairs),
        left_out=sum(file.frame.height for file in files) - len(pairs),
        warnings=tuple(warnings),
    )


def _read_all(paths: Sequence[str]) -> list[QrelsFile]:
    files: list[QrelsFile] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            files.append(read_qrels(path))
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return files


def _of_known_topics(campaign: Campaign, files: Sequence[QrelsFile], known_only: bool) -> list[pl.DataFrame]:
    """The lines of each file on topics of the campaign; InputError for others, unless these may be left out."""
    import polars as pl

    if takes_topics(campaign):
        return [file.frame for file in files]
    known = topics.topic_ids(campaign)
    if not known_only:
        problems = [problem for file in files for problem in _unknown_topics(file, known)]
        if problems:
            raise InputError(problems)
    return [file.frame.filter(pl.col("topic_id").is_in(known)) for file in files]


def _unknown_topics(file: QrelsFile, known: Sequence[str]) -> Iterator[Problem]:
    unknown = first_rows(file.frame, "topic_id", known)
    if unknown.is_empty():
        return
    ids = unknown["topic_id"].to_list()
    found = file.frame["topic_id"].unique().to_list()
    mapping = likely_mapping(ids, set(known)) or by_position(found, known, what="the file")
    hint = f" ({mapping})" if mapping else ""
    message = (
        f"{so_many_are(len(ids), 'topic')} not in the campaign, "
        f"whose {so_many_are(len(known), 'topic')} {listed(known)}: {listed(ids)}{hint}; "
        "add these topics first, or leave their lines out with --known-topics-only"
    )
    yield Problem(file.file, file.line_of(unknown["row"][0]), message)


def _strange(campaign: Campaign, file: QrelsFile) -> Iterator[Problem]:
    """Warnings for grades off the scale, and for documents that none of the recorded sources holds."""
    scale = [grade.grade for grade in settings.read(campaign).grades]
    grades = first_rows(file.frame, "grade", scale)
    if not grades.is_empty():
        strange = ", ".join(map(str, sorted(grades["grade"].to_list())))
        message = (
            f"not on the campaign's scale ({', '.join(map(str, scale))}): grade {strange}; "
            "such grades count as they are"
        )
        yield Problem(file.file, file.line_of(grades["row"][0]), message)
    if not documents.sources(campaign):
        return
    known = known_documents(campaign)
    unknown = first_rows(file.frame, "document_id", known)
    if not unknown.is_empty():
        ids = unknown["document_id"].to_list()
        mapping = likely_mapping(ids[:1000], set(known.to_list()))
        hint = f" ({mapping})" if mapping else ""
        message = (
            f"{so_many_are(len(ids), 'document')} in none of the campaign's sources: {listed(ids)}{hint}; "
            "their judgments count"
        )
        yield Problem(file.file, file.line_of(unknown["row"][0]), message)


def _take_topics(
    campaign: Campaign, frame: pl.DataFrame, file: QrelsFile, *, actor: str, now: datetime | None
) -> None:
    known = set(topics.topic_ids(campaign))
    new = sorted(set(frame["topic_id"].unique().to_list()) - known)
    if new:
        take_topic_ids(campaign, new, origin=file.file, actor=actor, now=now)


class _Import(NamedTuple):
    """What all judgments of one file have in common, and the pools that pairs came from."""

    assessor: str
    file: str
    received_at: str
    pool_of: Mapping[tuple[str, str], int]

    def new_judgments(
        self, frame: pl.DataFrame, in_force: Mapping[tuple[str, str], judgments.InForce]
    ) -> Iterator[Judgment]:
        """The lines that say something new; `in_force` is what the assessor said before."""
        for topic_id, document_id, grade in frame.select("topic_id", "document_id", "grade").iter_rows():
            before = in_force.get((topic_id, document_id))
            if before is None or before.grade != grade:
                yield self._judgment(topic_id, document_id, grade, None if before is None else before.seq)

    def _judgment(self, topic_id: str, document_id: str, grade: int, replaces: int | None) -> Judgment:
        return Judgment(
            seq=0,
            uuid=str(uuid4()),
            received_at=self.received_at,
            client_at=None,
            assessor=self.assessor,
            topic_id=topic_id,
            document_id=document_id,
            pool=self.pool_of.get((topic_id, document_id)),
            text_hash=None,
            topic_version=None,
            guideline_version=None,
            kind="import",
            grade=grade,
            replaces=replaces,
            active_seconds=None,
            comment="",
            source=self.file,
        )
