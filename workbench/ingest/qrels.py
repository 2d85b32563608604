"""Importing qrels: judgments made elsewhere enter the same log, marked as imports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from workbench.campaign import Campaign, documents, judgments, log, pools, settings, topics
from workbench.errors import InputError, Problem
from workbench.formats.qrels import QrelsFile, read_qrels
from workbench.ingest.naming import likely_mapping, listed
from workbench.ingest.topics import take_topic_ids, takes_topics
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
    files = [read_qrels(path) for path in paths]
    with campaign.write():
        frames = [_of_known_topics(campaign, file, known_topics_only) for file in files]
        warnings = [warning for file in files for warning in file.warnings]
        warnings += [warning for file in files for warning in _off_the_scale(campaign, file)]
        pool_of = {pair.pooled[:2]: pair.pool for pair in pools.pooled_pairs(campaign)}
        stored = 0
        for file, frame in zip(files, frames, strict=True):
            _take_topics(campaign, frame, file, actor=actor, now=now)
            documents.put_ids(campaign, frame["document_id"].unique().sort())
            rows = _judgments(campaign, frame, pool_of, assessor, file.file, now)
            stored += len(log.append_judgments(campaign, rows))
    pairs = [pair for frame in frames for pair in frame.select("topic_id", "document_id").iter_rows()]
    return AddedQrels(
        judgments=stored,
        unchanged=len(pairs) - stored,
        outside_pool=sum(pair not in pool_of for pair in pairs),
        left_out=sum(file.frame.height for file in files) - len(pairs),
        warnings=tuple(warnings),
    )


def _of_known_topics(campaign: Campaign, file: QrelsFile, known_only: bool) -> pl.DataFrame:
    import polars as pl

    if takes_topics(campaign):
        return file.frame
    known = topics.topic_ids(campaign)
    is_known = pl.col("topic_id").is_in(known)
    unknown = file.frame.filter(~is_known)["topic_id"].unique().sort().to_list()
    if unknown and not known_only:
        mapping = likely_mapping(unknown, set(known))
        hint = f" ({mapping})" if mapping else ""
        message = (
            f"{len(unknown)} topics are not in the campaign: {listed(unknown)}{hint}; "
            "add these topics first, or leave their lines out with --known-topics-only"
        )
        raise InputError([Problem(file.file, None, message)])
    return file.frame.filter(is_known)


def _off_the_scale(campaign: Campaign, file: QrelsFile) -> Iterator[Problem]:
    scale = {grade.grade for grade in settings.read(campaign).grades}
    strange = sorted(set(file.frame["grade"].unique().to_list()) - scale)
    if strange:
        message = (
            f"grades {', '.join(map(str, strange))} are not on the campaign's scale "
            f"({', '.join(map(str, sorted(scale)))}); they count as they are"
        )
        yield Problem(file.file, None, message)


def _take_topics(
    campaign: Campaign, frame: pl.DataFrame, file: QrelsFile, *, actor: str, now: datetime | None
) -> None:
    known = set(topics.topic_ids(campaign))
    new = sorted(set(frame["topic_id"].unique().to_list()) - known, key=str.encode)
    if new:
        take_topic_ids(campaign, new, origin=file.file, actor=actor, now=now)


def _judgments(
    campaign: Campaign,
    frame: pl.DataFrame,
    pool_of: dict[tuple[str, str], int],
    assessor: str,
    file: str,
    now: datetime | None,
) -> Iterator[Judgment]:
    received_at = log.timestamp(now)
    in_force = judgments.in_force_of(campaign, assessor)
    for topic_id, document_id, grade in frame.select("topic_id", "document_id", "grade").iter_rows():
        pair = (topic_id, document_id)
        before = in_force.get(pair)
        if before is not None and before.grade == grade:
            continue
        yield Judgment(
            seq=0,
            uuid=str(uuid4()),
            received_at=received_at,
            client_at=None,
            assessor=assessor,
            topic_id=topic_id,
            document_id=document_id,
            pool=pool_of.get(pair),
            text_hash=None,
            topic_version=None,
            guideline_version=None,
            kind="import",
            grade=grade,
            replaces=before.seq if before else None,
            active_seconds=None,
            comment="",
            source=file,
        )
