"""A campaign out of a release bundle: the same topics, runs, pools and judgments, so the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.new_campaign import NAME_TAKEN, new_campaign
from workbench.campaign.questions import check_question
from workbench.core.atomic_files import scratch_folder
from workbench.core.records import Grade, Pooled
from workbench.jobs.processes import OnStep
from workbench.release.archive import unpack_archive
from workbench.release.bundle.log_import import (
    LaterPool,
    LogImport,
    choices_of,
    import_log,
    later_pools_from,
    put_pool,
)
from workbench.release.bundle.reading import Bundle, ReleasedRun
from workbench.release.round_files import scored_parts
from workbench.release.tables import scores_of
from workbench.scoring.board.table import RENDERINGS
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, run_details, runs, topics
from workbench.storage.campaign.collection.question_topics import key_of
from workbench.storage.campaign.file.replacing import fold, whole_file
from workbench.storage.campaign.organising import settings

RUNS_AT_ONCE = 25

STEPS = ("Checking the files", "Adding the runs", "Adding the judgments", "Scoring")


class Restored(NamedTuple):
    """What came out of a bundle.

    Attributes:
        topics, runs, pairs, judgments: how many of each are in the campaign now.
        not_there: tags of runs that took part in the pools or the table but are not in the bundle.
        same_scores: whether the board comes out with every digit as it is in the bundle; None without runs.
    """

    topics: int
    runs: int
    pairs: int
    judgments: int
    not_there: tuple[str, ...]
    same_scores: bool | None


def import_bundle(
    path: Path | str, target: Path, *, actor: str, through: str = "", on_step: OnStep | None = None
) -> Restored:
    """Create the campaign `target` from a bundle, whole or not at all.

    The judgments enter the log in their order, under the names that the bundle gives, and say that they came from it;
    between them what was arranged: rules of labels, repeats, assignments, draws, norming sessions, closed topics.
    What a bundle leaves out (texts of documents, words of rationales, times) the campaign lacks.

    `on_step` is called as each of STEPS begins.

    Raises:
        InputError: the file is no bundle, is damaged, holds more than it may, or says what cannot be.
        CampaignError: there is a file at `target` already.
    """

    def report(step: str) -> None:
        if on_step is not None:
            on_step(STEPS.index(step), len(STEPS), step)

    with whole_file(target, NAME_TAKEN) as draft:
        with scratch_folder() as folder:
            report("Checking the files")
            bundle = Bundle(Path(path).name, unpack_archive(path, folder))
            release = bundle.release()
            first = next((each.content for each in bundle.arrangements() if "grades" in each.content), {})
            with new_campaign(
                draft,
                title=release.title,
                grades=tuple(Grade(*each) for each in first.get("grades", release.grades)),
                relevant_from=first.get("relevant_from", release.relevant_from),
                guidelines=release.guidelines,
                imported_labels=None,
                actor=actor,
                through=through,
            ) as campaign:
                restored = _fill(campaign, bundle, report)
        fold(draft)
    return restored


def _fill(campaign: Campaign, bundle: Bundle, report: Callable[[str], None]) -> Restored:
    listed, in_it = bundle.topics(), [run for run in bundle.runs() if run.path is not None]
    questions = bundle.release().questions
    with campaign.write():
        if questions:
            _put_questions(campaign, bundle)
        if listed:
            topics.put(campaign, listed, files=[{"file": bundle.name}])
    report("Adding the runs")
    _add_runs(campaign, bundle, in_it)
    report("Adding the judgments")
    names = ("", *(each.name for each in questions))
    known = {key_of(topic.topic_id, name) for topic in listed for name in names}
    with campaign.write():
        pairs, later = _put_pools(campaign, bundle, known)
        judged = import_log(LogImport(campaign, bundle, frozenset(known), later))
    report("Scoring")
    named = {tag for pool in bundle.pools() for tag in pool.record.runs} | {run.tag for run in bundle.runs()}
    return Restored(
        topics=len(listed),
        runs=len(in_it),
        pairs=pairs,
        judgments=judged,
        not_there=tuple(sorted(named - {run.tag for run in in_it})),
        same_scores=_same_scores(campaign, bundle) if in_it else None,
    )


def _put_questions(campaign: Campaign, bundle: Bundle) -> None:
    """Put the questions before the topics, which bring theirs along."""
    release = bundle.release()
    try:
        for question in release.questions:
            check_question(question, release.grades)
    except SettingRefused as error:
        raise bundle.refused("settings.json", str(error)) from error
    settings.change(campaign, {"questions": [each.content for each in release.questions]})


def _add_runs(campaign: Campaign, bundle: Bundle, released: Sequence[ReleasedRun]) -> None:
    """Add the runs in their order, as many at once as fit in memory with ease, with what their senders said of them."""
    if len({run.path for run in released}) < len(released):
        raise bundle.refused("runs.jsonl", "two runs are said to be in one file; download it again")
    first = 0
    while chunk := released[first : first + RUNS_AT_ONCE]:
        form = chunk[0].form
        chunk = list(takewhile(lambda run: run.form == form, chunk))  # noqa: B023 - it is read at once
        first += len(chunk)
        some = {str(bundle.file(run.path or "")): run for run in chunk}
        options = RunOptions(
            senders={
                # Records of answers name the run as it was sent.
                path: Sender(run.team, run.contributes, run.sha256, run.repairs, run.tag if form else "")
                for path, run in some.items()
            },
            display_names={path: run.file for path, run in some.items()},
            form=form or None,
        )
        add_runs(campaign, list(some), options=options)
    numbers = {run.record.tag: run.run for run in runs.all_runs(campaign)}
    with campaign.write():
        for run in released:
            if run.said and run.tag in numbers:
                was: dict[str, Any] = {name: {} if name in run_details.OBJECTS else None for name in run.said}
                run_details.put(campaign, numbers[run.tag], was, run.said)


def _put_pools(campaign: Campaign, bundle: Bundle, known: set[str]) -> tuple[int, tuple[LaterPool, ...]]:
    """Put the pools; how many pairs there are, and the pools that have to wait until earlier ones are retired."""
    pairs: dict[int, list[Pooled]] = {}
    chosen: set[tuple[int, int, Pooled]] = set()
    seen: set[tuple[str, str]] = set()
    for pair in bundle.pairs():
        if pair.pooled.topic_id not in known:
            raise bundle.refused(
                "pool.jsonl", f"topic {pair.pooled.topic_id!r} is unknown; download it again"
            )
        seen.add(pair.pooled[:2])
        if pair.choice is None:
            pairs.setdefault(pair.pool, []).append(pair.pooled)
        else:  # they come with their choices
            chosen.add((pair.choice, pair.pool, pair.pooled))
    made = bundle.pools()
    if chosen != {(each.seq, each.pool, pair) for each in choices_of(bundle) for pair in each.pooled}:
        raise bundle.refused("pool.jsonl", "the pairs that were chosen are not those of arrangements.jsonl")
    numbers = [pool.number for pool in made]
    if numbers != list(range(1, len(made) + 1)) or not pairs.keys() <= set(numbers):
        raise bundle.refused("pools.json", "the pools are not those that the pairs name; download it again")
    documents.put_ids(campaign, sorted({document_id for _, document_id in seen}))
    first_later = later_pools_from(bundle)
    waiting = [LaterPool(pool.seq, pool.record, pairs.get(pool.number, [])) for pool in made]
    for pool in waiting:
        if pool.seq < first_later:
            put_pool(campaign, bundle, pool)
    return len(seen), tuple(pool for pool in waiting if pool.seq >= first_later)


def _same_scores(campaign: Campaign, bundle: Bundle) -> bool:
    """Whether the board has the same lines, in any order, and those of rounds and questions, but for withdrawn runs."""
    if _lines(campaign) != sorted(bundle.file("scores/board.csv").read_bytes().splitlines()):
        return False
    for folder, part in scored_parts(campaign).items():
        found, released = _lines(part), bundle.file(f"{folder}/board.csv").read_bytes().splitlines()
        runs_here = {line.partition(b",")[0] for line in found}
        if found != sorted(line for line in released if line.partition(b",")[0] in runs_here):
            return False
    return True


def _lines(campaign: Campaign) -> list[bytes]:
    return sorted("".join(RENDERINGS["csv"](scores_of(campaign).board)).encode().splitlines())
