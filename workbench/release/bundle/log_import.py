"""A release's judgments and what was arranged between them, put into the log of a new campaign in their order."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import NamedTuple
from uuid import uuid4

from workbench.core.about import PAIRS
from workbench.core.errors import CampaignError, InputError, UnknownName
from workbench.core.model_answers import ModelAnswer, judge_of
from workbench.core.records import Judgment, Pooled
from workbench.formats.text.json_values import loads
from workbench.release.bundle.judging_arrangements import REASON, Arrangement, Content
from workbench.release.bundle.reading import Bundle, ReleasedDraw
from workbench.release.bundle.writing import MODEL_ANSWERS
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, draws, norming
from workbench.storage.campaign.collection import (
    choices,
    documents,
    nuggets,
    pooled_units,
    pools,
    rounds,
    runs,
    topic_withdrawals,
    user_outcomes,
)
from workbench.storage.campaign.collection.changed_ids import KIND as CHANGED_IDS
from workbench.storage.campaign.collection.pairs import pair_id
from workbench.storage.campaign.collection.pools import PoolRecord
from workbench.storage.campaign.collection.question_topics import about, question_of
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.kinds import CHOICE, KINDS
from workbench.storage.campaign.models import answers, judges
from workbench.storage.campaign.organising import settings

ARRANGEMENTS = "arrangements.jsonl"
BEFORE_POOLS = {pools.RETIREMENT, CHANGED_IDS, nuggets.NUGGETS}


class LaterPool(NamedTuple):
    """A pool, its pairs, and its place in the log that it came from."""

    seq: int
    record: PoolRecord
    pairs: list[Pooled]


class LogImport(NamedTuple):
    """The bundle, the campaign it is imported to, for who imports it, and its `known` topics.

    `later` are the pools that were made after the first was retired, `answered` the batches of models' answers, which
    are read once.
    """

    campaign: Campaign
    bundle: Bundle
    known: frozenset[str]
    later: tuple[LaterPool, ...] = ()
    answered: Iterator[tuple[int, Iterator[tuple[int, ModelAnswer]]]] = iter(())


def later_pools_from(bundle: Bundle) -> float:
    """The place in the bundle's log of the first step on which later pools depend: that a pool was retired, that ids
    changed, or nuggets; infinity where there is none.
    """
    later = (step.seq for step in bundle.arrangements() if step.kind in BEFORE_POOLS)
    return min(later, default=inf)


def choices_of(bundle: Bundle) -> list[choices.Choice]:
    """What adaptive pools chose, in the order of the bundle's log."""
    steps = [step for step in bundle.arrangements() if step.kind == CHOICE]
    return [choices.choice_of(step.content, step.seq) for step in steps]


def put_pool(campaign: Campaign, bundle: Bundle, pool: LaterPool) -> None:
    """Put a pool with its pairs, none of which may be pooled then; without units that only withdrawn runs had."""
    own = [pair[:2] for pair in pool.pairs]
    if len(set(own)) < len(own) or not set(own).isdisjoint(pools.all_pairs(campaign.asking(EVERY))):
        raise bundle.refused("pool.jsonl", "a pair is there twice; download it again")
    lost = pooled_units.lost(campaign, own)
    pools.put_pool(campaign, pool.record, [pair for pair in pool.pairs if pair[:2] not in lost])


def import_log(importing: LogImport) -> int:
    """Append a bundle's judgments, draws and arrangements in the open write transaction; how many judgments.

    The topics and all other pools are there already. InputError where the bundle says what cannot be.
    """
    campaign, bundle = importing.campaign, importing.bundle
    importing = importing._replace(answered=groupby(bundle.model_answers(), key=itemgetter(0)))
    released, arrangements = list(bundle.judgments()), bundle.arrangements()
    if foreign := sorted({judgment.topic_id for judgment in released} - importing.known):
        raise bundle.refused("judgments.jsonl", f"topic {foreign[0]!r} is not among the topics")
    documents.put_ids(campaign, sorted({each for judgment in released for each in judgment.documents}))
    steps: list[Arrangement | ReleasedDraw | LaterPool] = [*arrangements, *bundle.draws(), *importing.later]
    waiting, placed = deque(released), dict[int, int]()
    rows, chosen = [(0, log.newest_seq(campaign))], bool(choices_of(bundle))
    for step in sorted(steps, key=lambda step: step.seq):
        before: list[Judgment] = []
        while waiting and waiting[0].seq < step.seq:
            before.append(waiting.popleft())
        _append(importing, before, placed)
        if chosen:
            rows += [(judgment.seq, placed[judgment.seq]) for judgment in before]
        if isinstance(step, Arrangement) and step.kind == CHOICE:
            _put_choice(importing, choices.choice_of(step.content, step.seq), rows)
        else:
            _put(importing, step)
        rows.append((step.seq, log.newest_seq(campaign)))
    _append(importing, list(waiting), placed)
    if (left := next(importing.answered, None)) is not None:
        raise bundle.refused(MODEL_ANSWERS, f"batch {left[0]} is none of {ARRANGEMENTS}; download it again")
    _check_rule(importing)
    return len(released)


def _append(importing: LogImport, released: Sequence[Judgment], placed: dict[int, int]) -> None:
    """Append judgments; `placed` maps rows of the bundle's log to rows of this log, and is filled."""
    first = log.newest_seq(importing.campaign) + 1
    log.append_judgments(importing.campaign, _rows(importing, released, first, placed))


def _rows(
    importing: LogImport, released: Sequence[Judgment], first: int, placed: dict[int, int]
) -> Iterator[Judgment]:
    made = {pool.pool for pool in pools.all_pools(importing.campaign.asking(EVERY))}
    received_at = log.timestamp(importing.campaign.moment)
    for place, judgment in enumerate(released, start=first):
        placed[judgment.seq] = place
        yield judgment._replace(
            uuid=str(uuid4()),
            received_at=received_at,
            pool=judgment.pool if judgment.pool in made else None,
            replaces=None if judgment.replaces is None else placed.get(judgment.replaces),
        )


def _put(importing: LogImport, step: Arrangement | ReleasedDraw | LaterPool) -> None:
    if isinstance(step, ReleasedDraw):
        _put_draw(importing, step)
        return
    if isinstance(step, LaterPool):
        put_pool(importing.campaign, importing.bundle, step)
        return
    if foreign := sorted(step.topic_ids - importing.known):
        raise _refused(importing, f"topic {foreign[0]!r} is not among the topics")
    campaign, content = importing.campaign, step.content
    match step.kind:
        case "settings":
            settings.change(campaign, content)
        case assignments.ASSIGNMENT:
            assignments.put(campaign, content["replaced"], content["assigned"])
        case topic_withdrawals.WITHDRAWAL:
            _put_absence(importing, content["topics"], is_out=False)
        case topic_withdrawals.RESTORATION:
            _put_absence(importing, content["topics"], is_out=True)
        case rounds.ROUND:
            _put_round(importing, content["name"], content.get("runs", ()))
        case nuggets.NUGGETS:
            _put_nuggets(importing, content)
        case user_outcomes.KIND:
            tags = {run.record.tag: run.run for run in runs.all_runs(campaign)}
            if (own := user_outcomes.renamed(content, tags))["metrics"] or own["preferences"]:
                log.append_event(campaign, step.kind, own)
        case judges.JUDGE:
            _put_judge(importing, content)
        case answers.MODEL_ANSWERS:
            _put_model_answers(importing, step)
        case pools.RETIREMENT:
            _put_retirement(importing, content["pool"])
        case _:  # of these the file has nothing but their events
            _check_order(importing, step)
            reason = {REASON: ""} if REASON in (KINDS[step.kind].fields or ()) else {}
            log.append_event(campaign, step.kind, content | reason)


def _put_absence(importing: LogImport, topic_ids: Sequence[str], *, is_out: bool) -> None:
    out = topic_withdrawals.withdrawn(importing.campaign)
    wrong = next((topic_id for topic_id in topic_ids if (topic_id in out) is not is_out), None)
    if wrong is not None or len(set(topic_ids)) < len(topic_ids):
        raise _refused(importing, f"topic {wrong!r} is withdrawn or restored twice")
    put = topic_withdrawals.restore if is_out else topic_withdrawals.withdraw
    put(importing.campaign, topic_ids)


def _put_round(importing: LogImport, name: str, tags: Collection[str]) -> None:
    """Open a round with those of its runs that the bundle has: all runs are there before."""
    if rounds.find(importing.campaign, name) is not None:
        raise _refused(importing, f"round {name} is opened twice")
    own = [run.run for run in runs.all_runs(importing.campaign) if run.record.tag in tags]
    rounds.put_round(importing.campaign, name, runs=own)


def _put_choice(importing: LogImport, choice: choices.Choice, rows: Sequence[tuple[int, int]]) -> None:
    """Put a choice of an adaptive pool; `rows` are the places in the bundle's log that have one in this log."""
    campaign = importing.campaign.asking(question_of(importing.campaign, choice.topic_id))
    there = set(pools.pooled_of_topic(campaign, choice.topic_id))
    own = [document_id for document_id, _, _ in choice.pairs]
    made = {pool.pool for pool in pools.in_force(campaign)}
    is_later = choice.seen >= choice.seq
    if choice.topic_id not in importing.known or choice.pool not in made or is_later or not own:
        raise _refused(importing, f"row {choice.seq} chooses for pool {choice.pool}, which cannot be then")
    if len(set(own)) < len(own) or not there.isdisjoint(own):
        raise _refused(importing, f"row {choice.seq} chooses a document that is pooled already")
    kind, named = about(campaign, choice.topic_id), [each[:2] for each in choice.compared]
    is_as_named = own == [pair_id(kind, *each) for each in named] and all(a < b for a, b in named)
    if not is_as_named if kind in PAIRS else named:
        raise _refused(
            importing, f"row {choice.seq} chooses pairs whose ids are not those of what they compare"
        )
    seen = rows[bisect_right(rows, choice.seen, key=itemgetter(0)) - 1][1]
    lost = pooled_units.lost(campaign, [(choice.topic_id, document_id) for document_id in own])
    left = tuple(row for row in choice.pairs if (choice.topic_id, row[0]) not in lost)
    choices.put_choice(campaign, choice._replace(seen=seen, pairs=left))


def _put_nuggets(importing: LogImport, content: Content) -> None:
    try:
        bank = nuggets.bank_in(content)
        around = loads(content.get("container", "{}"))
        container = {**around, "banks": dict.fromkeys(around["banks"], bank.given)} if around else None
        nuggets.put(importing.campaign, bank, file=importing.bundle.name, container=container)
        pooled_units.settle(importing.campaign, [bank.topic_id])
    except (AttributeError, TypeError, ValueError, LookupError, RecursionError, CampaignError) as error:
        what = f"nuggets of topic {content['topic']!r} are none ({type(error).__name__}: {error})"
        raise _refused(importing, what) from error


def _put_judge(importing: LogImport, content: Content) -> None:
    try:
        judge = judges.put_judge(importing.campaign, judge_of(content))
    except (CampaignError, UnknownName, ValueError) as error:
        raise _refused(importing, str(error)) from error
    if judge.version != content["version"]:
        raise _refused(importing, f"version {content['version']} of judge {judge.name!r} cannot be then")


def _put_model_answers(importing: LogImport, step: Arrangement) -> None:
    """Put a batch of answers; their labels are judgments of the bundle."""
    content, bundle = step.content, importing.bundle
    known = judges.versions(importing.campaign, content["judge"])
    seq, found = next(importing.answered, (0, iter(())))
    rows = [answer for _, answer in found]
    if seq != step.seq or answers.checksum(rows) != content["sha256"]:
        raise bundle.refused(MODEL_ANSWERS, f"the batch of row {step.seq} is another; download it again")
    if not known or content["version"] != known[-1].version:
        raise _refused(importing, f"row {step.seq} has answers of a judge that is not there then")
    if foreign := sorted({row.topic_id for row in rows} - importing.known):
        raise bundle.refused(MODEL_ANSWERS, f"topic {foreign[0]!r} is not among the topics")
    answers.put_batch(importing.campaign, known[-1], rows, source=bundle.name, labels=content["labels"])


def _put_retirement(importing: LogImport, number: int) -> None:
    if number not in {pool.pool for pool in pools.in_force(importing.campaign.asking(EVERY))}:
        raise _refused(importing, f"pool {number}, which is retired, is not there then")
    pools.retire(importing.campaign, number)


def _check_order(importing: LogImport, step: Arrangement) -> None:
    """Refuse a session that begins before another has ended, and what is about a session or round that is not open."""
    campaign, content = importing.campaign, step.content
    there, number = norming.open_session(campaign), content.get("norming")
    if step.kind == norming.OPENED:
        if there or number != len(norming.all_sessions(campaign)) + 1:
            raise _refused(importing, f"norming session {number} begins before the one before it has ended")
        documents.put_ids(campaign, content["documents"])
    elif step.kind in norming.KINDS and (there is None or there.norming != number):
        raise _refused(importing, f"norming session {number} is not open then")
    elif step.kind == rounds.CANCELLED:
        at = rounds.all_rounds(campaign)[-1]
        if not at.opened or at.name != content["name"]:
            raise _refused(importing, f"round {content['name']}, which is cancelled, is not open then")


def _put_draw(importing: LogImport, draw: ReleasedDraw) -> None:
    """A draw of pairs to be judged twice: agreement weighs these pairs by their probabilities."""
    already = draws.drawn(importing.campaign)
    lost = pooled_units.lost(importing.campaign, draw.drawn)
    there = {*pools.all_pairs(importing.campaign.asking(EVERY)), *lost}
    left = {pair for pair in there if pair[1] not in already.get(pair[0], ())}
    pairs = [(pair.topic_id, pair.document_id) for pair in draw.drawn]
    if len(set(pairs)) < len(pairs) or not left.issuperset(pairs):
        message = "a pair is there twice, or is in no pool; download it again"
        raise importing.bundle.refused("drawn.json", message)
    draws.put(importing.campaign, draw.record, draw.drawn)


def _check_rule(importing: LogImport) -> None:
    release, now = importing.bundle.release(), settings.read(importing.campaign)
    stated, found = release.label_rule, labels.rule_at(importing.campaign)
    if stated != found:
        raise _refused(importing, f"the rule of labels is {found!r} by it, and {stated!r} by settings.json")
    if (release.grades, release.relevant_from) != (now.grades, now.relevant_from):
        raise _refused(importing, "the scale by it is not the one by settings.json")
    sources_stated = release.imported_labels, release.model_labels
    sources_found = now.imported_labels, now.model_labels
    if sources_stated != sources_found:
        message = f"imported and models' labels count {sources_found!r} by it, and {sources_stated!r} by settings.json"
        raise _refused(importing, message)


def _refused(importing: LogImport, message: str) -> InputError:
    return importing.bundle.refused(ARRANGEMENTS, f"{message}; download it again")
