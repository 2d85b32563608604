"""A campaign out of a release bundle: the same topics, runs, pools and judgments, so the same numbers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from workbench.campaign import Campaign, assignments, documents, draws, log, pools, settings, topics
from workbench.campaign.labels import NEWEST
from workbench.campaign.off_record import TAKEN_BACK
from workbench.errors import CampaignError
from workbench.ingest import add_runs
from workbench.ingest.runs import Sender
from workbench.publishing.archive import unpack_archive
from workbench.publishing.bundle_reading import Bundle, ReleasedJudgment, ReleasedPool, ReleasedRun
from workbench.records import Judgment, Pooled
from workbench.scoring import score_campaign
from workbench.scoring.rendering import RENDERINGS
from workbench.setting_up import new_campaign

RUNS_AT_ONCE = 25

OnStep = Callable[[str], object]


class Restored(NamedTuple):
    """What came out of a bundle.

    Attributes:
        topics, runs, pairs, judgments: how many of each are in the campaign now.
        not_there: tags of runs that took part in the pools or the table but are not in the bundle.
        same_scores: whether the board comes out byte for byte as it stands in the bundle; None without runs.
    """

    topics: int
    runs: int
    pairs: int
    judgments: int
    not_there: tuple[str, ...]
    same_scores: bool | None


def import_bundle(
    path: Path | str, target: Path, *, actor: str, now: datetime | None = None, on_step: OnStep | None = None
) -> Restored:
    """Make the campaign `target` of a bundle; nothing is left behind when that fails.

    The judgments enter the log in their order, under the names that the bundle gives, and say that they came from it.
    What a bundle leaves out (texts of documents, words of rationales, times) the campaign lacks.

    Raises:
        InputError: the file is no bundle, is damaged, holds more than it may, or says what cannot be.
        CampaignError: there is a file at `target` already.
    """
    if target.exists():
        message = f"{target}: already exists; choose another name, or remove the file first"
        raise CampaignError(message)
    told = on_step or (lambda step: None)
    with tempfile.TemporaryDirectory(prefix="workbench-bundle-") as folder:
        told("Checking the files")
        bundle = Bundle(Path(path).name, unpack_archive(path, Path(folder)))
        release = bundle.release()
        campaign = new_campaign(
            target,
            title=release.title,
            grades=release.grades,
            relevant_from=release.relevant_from,
            guidelines=release.guidelines,
            actor=actor,
            now=now,
        )
        try:
            restored = _fill(campaign, bundle, actor, now, told)
        except BaseException:
            campaign.close()
            target.unlink()
            raise
        campaign.close()
    return restored


def _fill(campaign: Campaign, bundle: Bundle, actor: str, now: datetime | None, told: OnStep) -> Restored:
    listed, in_it = bundle.topics(), [run for run in bundle.runs() if run.path is not None]
    if listed:
        with campaign.write():
            topics.put(campaign, listed, files=[{"file": bundle.name}], actor=actor, now=now)
    told("Adding the runs")
    _add_runs(campaign, bundle, in_it, actor, now)
    told("Adding the judgments")
    known = {topic.topic_id for topic in listed}
    with campaign.write():
        pairs = _put_pools(campaign, bundle, known, actor, now)
        judged = _put_judgments(campaign, bundle, known, now)
        _put_rule(campaign, bundle, known, actor, now)
        _put_draws(campaign, bundle, actor, now)
    told("Scoring")
    named = {tag for pool in bundle.pools() for tag in pool.record.runs} | {run.tag for run in bundle.runs()}
    return Restored(
        topics=len(listed),
        runs=len(in_it),
        pairs=pairs,
        judgments=judged,
        not_there=tuple(sorted(named - {run.tag for run in in_it})),
        same_scores=_same_scores(campaign, bundle) if in_it else None,
    )


def _add_runs(
    campaign: Campaign, bundle: Bundle, released: Sequence[ReleasedRun], actor: str, now: datetime | None
) -> None:
    """Add the runs in their order, so many at once as memory holds with ease."""
    if len({run.path for run in released}) < len(released):
        raise bundle.refused("runs.jsonl", "two runs are said to be in one file; download it again")
    for first in range(0, len(released), RUNS_AT_ONCE):
        some = {str(bundle.file(run.path or "")): run for run in released[first : first + RUNS_AT_ONCE]}
        add_runs(
            campaign,
            list(some),
            actor=actor,
            now=now,
            called={path: run.file for path, run in some.items()},
            senders={path: Sender(run.team, run.contributes) for path, run in some.items()},
        )


def _put_pools(campaign: Campaign, bundle: Bundle, known: set[str], actor: str, now: datetime | None) -> int:
    pairs: dict[int, list[Pooled]] = {}
    seen: set[tuple[str, str]] = set()
    for pair in bundle.pairs():
        if pair.pooled.topic_id not in known or pair.pooled[:2] in seen:
            message = f"topic {pair.pooled.topic_id!r} is unknown, or document {pair.pooled.document_id!r} stands twice"
            raise bundle.refused("pool.jsonl", message)
        seen.add(pair.pooled[:2])
        pairs.setdefault(pair.pool, []).append(pair.pooled)
    made = bundle.pools()
    _check_numbers(bundle, made, pairs)
    documents.put_ids(campaign, sorted({document_id for _, document_id in seen}))
    for pool in made:
        pools.put_pool(campaign, pool.record, pairs.get(pool.number, []), actor=actor, now=now)
    return len(seen)


def _check_numbers(bundle: Bundle, made: Sequence[ReleasedPool], pairs: Mapping[int, object]) -> None:
    numbers = [pool.number for pool in made]
    if numbers != list(range(1, len(made) + 1)) or not pairs.keys() <= set(numbers):
        raise bundle.refused("pools.json", "the pools are not those that the pairs name; download it again")


def _put_judgments(campaign: Campaign, bundle: Bundle, known: set[str], now: datetime | None) -> int:
    released = list(bundle.judgments())
    foreign = sorted({judgment.topic_id for judgment in released} - known)
    if foreign:
        raise bundle.refused("judgments.jsonl", f"topic {foreign[0]!r} is not among the topics")
    named = {judgment.document_id for judgment in released}
    named.update(judgment.same_as for judgment in released if judgment.same_as is not None)
    documents.put_ids(campaign, sorted(named))
    first = log.newest_seq(campaign) + 1
    return len(log.append_judgments(campaign, _placed(campaign, bundle, released, first, now)))


def _put_rule(campaign: Campaign, bundle: Bundle, known: set[str], actor: str, now: datetime | None) -> None:
    """The rule that makes labels, and what it looks at besides judgments."""
    release = bundle.release()
    foreign = sorted({topic_id for topic_id, _, _ in release.assigned} - known)
    if foreign or len({(topic_id, name) for topic_id, _, name in release.assigned}) < len(release.assigned):
        raise bundle.refused(
            "settings.json", "the assignments are not of the bundle's topics, or stand there twice"
        )
    if release.assigned:
        assignments.put(campaign, [], release.assigned, actor=actor, now=now)
    if release.label_rule != NEWEST:
        settings.change(campaign, {"label_rule": release.label_rule}, actor=actor, now=now)


def _put_draws(campaign: Campaign, bundle: Bundle, actor: str, now: datetime | None) -> None:
    """The draws of pairs to be judged twice: agreement weighs these pairs by their probabilities."""
    left = set(pools.all_pairs(campaign))
    for record, drawn in bundle.draws():
        pairs = [(pair.topic_id, pair.document_id) for pair in drawn]
        if len(set(pairs)) < len(pairs) or not left.issuperset(pairs):
            raise bundle.refused(
                "drawn.json", "a pair stands there twice, or is in no pool; download it again"
            )
        left.difference_update(pairs)
        draws.put(campaign, record, drawn, actor=actor, now=now)


def _placed(
    campaign: Campaign, bundle: Bundle, released: Sequence[ReleasedJudgment], first: int, now: datetime | None
) -> Iterator[Judgment]:
    """The judgments as rows of this log, whose next row is `first`."""
    placed: dict[int, int] = {}
    made = {pool.pool for pool in pools.all_pools(campaign)}
    received_at = log.timestamp(now)
    for place, judgment in enumerate(released, start=first):
        placed[judgment.seq] = place
        yield Judgment(
            seq=0,
            uuid=str(uuid4()),
            received_at=received_at,
            client_at=None,
            assessor=judgment.assessor,
            topic_id=judgment.topic_id,
            document_id=judgment.document_id,
            pool=judgment.pool if judgment.pool in made else None,
            text_hash=None,
            topic_version=None,
            guideline_version=None,
            kind=judgment.kind,
            grade=judgment.grade,
            replaces=placed.get(judgment.replaces) if judgment.replaces is not None else None,
            active_seconds=judgment.active_seconds,
            comment=judgment.comment,
            source=TAKEN_BACK if judgment.taken_back else bundle.name,
            input=judgment.input,
            same_as=judgment.same_as,
        )


def _same_scores(campaign: Campaign, bundle: Bundle) -> bool:
    found = "".join(RENDERINGS["csv"](score_campaign(campaign)))
    return found.encode() == bundle.file("scores/board.csv").read_bytes()
