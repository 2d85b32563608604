"""Exports: what leaves a campaign, in the formats that the field reads, as of any point of its log."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.campaign.content_changes import runs_named
from workbench.core.errors import CampaignError
from workbench.core.records import Qrel, TopicQrels
from workbench.core.registry import Registry
from workbench.formats.model_labels.exported import Step
from workbench.formats.runs import RankedDocuments, run_text
from workbench.formats.samples import SampledPair, probability_lines, strata_lines
from workbench.formats.tables.csv_cells import csv_lines
from workbench.jobs.observing import observed, observed_rows
from workbench.methods.measures.registry import NO_SAMPLE
from workbench.methods.measures.sampled_rankings import OUTSIDE
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import changed_ids, pools, runs
from workbench.storage.campaign.collection.question_topics import topic_of
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents, unpack_scores
from workbench.storage.campaign.collection.rounds import Round
from workbench.storage.campaign.collection.run_codes import codes_of_judges
from workbench.storage.campaign.counts.publication import judgments_by_kind
from workbench.storage.campaign.grades import judgments, labels, rationales
from workbench.storage.campaign.grades.adjudications import disputes
from workbench.storage.campaign.grades.chosen_labels import offered
from workbench.storage.campaign.grades.residual import judged_before
from workbench.storage.campaign.grades.scales import Scales, as_given
from workbench.storage.campaign.grades.sources import IMPORT, MODEL, precedence_at
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import answers, judges

if TYPE_CHECKING:
    from workbench.scoring.board.loading import Scoring


class Export(NamedTuple):
    """A file on offer: what its name ends in, the function that makes its lines, and what it is.

    `name` is the whole name of a file that is not called by the campaign and its ending.
    """

    title: str
    ending: str
    lines: Callable[[Campaign], Iterable[str]]
    words: str = ""
    name: str = ""


def _export(_: str, function: Callable[[Campaign], Iterable[str]], *, title: str, ending: str) -> Export:
    return Export(title, ending, function, (inspect.getdoc(function) or "").partition("\n\n")[0])


EXPORTS = Registry("export", "exports", _export, Iterable)
"""What every campaign offers as a file: on the release page, and what plugins add also as `workbench export NAME`."""
export = EXPORTS.register


class ExportedQrels(NamedTuple):
    """Qrels by topic, sorted by topic and document in byte order, and what a reader of them should know.

    `left_out` counts pairs whose grade is special (negative) and was not asked for, `conflicts` pairs on
    which assessors disagree, where `rule` (one of LABEL_RULES) chose. `head` is the point of the log that the qrels
    stand for.
    """

    topics: list[TopicQrels]
    left_out: int
    conflicts: int
    head: log.Head
    rule: str

    @property
    def qrels(self) -> list[Qrel]:
        """The same line by line."""
        return [qrel for topic in self.topics for qrel in topic.rows()]


def export_qrels(
    campaign: Campaign, *, special: bool = False, only: Collection[str] = (), of_round: Round | None = None
) -> ExportedQrels:
    """Every pair's label by the rule in force, in memory; negative grades only with `special`.

    `only` are some of HERE, IMPORT and MODEL of `sources`: the labels that there would be without all other judgments.
    With a round, the pairs that had no label when it was opened, as of its last row unless the campaign is read as of
    another.
    """
    with campaign.snapshot():
        streamed = StreamedQrels(campaign, special=special, only=only, of_round=of_round)
        kept = list(streamed)
    return ExportedQrels(kept, streamed.left_out, streamed.conflicts, streamed.head, streamed.rule)


class StreamedQrels:
    """The same topic by topic, however many there are; arguments as in `export_qrels`.

    Documents have the ids of the newest release, and the answers to a question are under the topics themselves, unless
    they are wanted `as_judged`.

    Iterate once, inside `campaign.snapshot()`. `head`, `rule` and the counts are those of
    ExportedQrels, and `written` counts what was given; counts are whole at the end.
    """

    def __init__(
        self,
        campaign: Campaign,
        *,
        special: bool = False,
        only: Collection[str] = (),
        of_round: Round | None = None,
        as_judged: bool = False,
    ) -> None:
        if of_round is not None and campaign.as_of is None:
            campaign = campaign.at(of_round.last)
        chosen = precedence_at(campaign).of(only) if only else None
        self.head, self.rule = log.head(campaign), labels.rule_at(campaign)
        self._campaign, self._special, self._as_judged = campaign, special, as_judged
        self._earlier = {} if of_round is None else judged_before(campaign, of_round)
        self._labels = labels.each_topic(campaign, precedence=chosen)
        self._tables = [] if as_judged else changed_ids.id_tables(campaign)
        self.written = self.left_out = self.conflicts = 0

    def __iter__(self) -> Iterator[TopicQrels]:
        """The labels in byte order of topic and document; topics without any are left out."""
        for topic_id, document_ids, grades, _, repeated in self._labels:
            earlier = self._earlier.get(topic_id, ())
            if repeated:
                unlike = disputes(self._campaign, topic_id)
                self.conflicts += sum(each.document_id not in earlier for each in unlike)
            found = TopicQrels(topic_id, document_ids, grades)
            if self._tables:
                given = changed_ids.under_new_ids(self._tables, dict(zip(document_ids, grades, strict=True)))
                found = TopicQrels(topic_id, *zip(*sorted(given.items()), strict=True)) if given else found
            if earlier:
                found = found.chosen([document_id not in earlier for document_id in found.document_ids])
            if kept := self._without_special(found):
                self.written += len(kept.grades)
                itself = topic_id if self._as_judged else topic_of(self._campaign, topic_id)
                yield kept._replace(topic_id=itself)

    def _without_special(self, found: TopicQrels) -> TopicQrels | None:
        """What is exported of a topic's labels, None for nothing; special ones that are not are counted."""
        if not self._special and min(found.grades, default=0) < 0:
            total = len(found.grades)
            found = found.chosen([grade >= 0 for grade in found.grades])
            self.left_out += total - len(found.grades)
        return found if found.grades else None


def model_label_steps(campaign: Campaign, names: Collection[str] = ()) -> Iterator[Step]:
    """The judges of these names, or all, and their answers, in the order of the log."""
    known = {
        each.name: list(reversed(judges.versions(campaign, each.name))) for each in judges.judges(campaign)
    }
    batches = {batch.seq: batch.judge for batch in answers.batches(campaign)}
    rows = groupby(answers.each_answer(campaign), key=attrgetter("batch"))
    declared, before = dict[str, Step](), ""
    for event in log.events(campaign, judges.JUDGE, answers.MODEL_ANSWERS):
        name = event.content["name"] if event.kind == judges.JUDGE else batches[event.seq]
        if event.kind == judges.JUDGE:
            step = declared[name] = Step(known[name].pop(), [], [])
        else:
            step = Step(None, [each.answer for each in next(rows)[1]], [])
        if not names or name in names:
            if step.judge is None and name != before:  # answers are of the judge before them
                yield declared[name]
            before = name
            yield step


def model_qrels(campaign: Campaign, judge: str) -> Iterator[TopicQrels]:
    """The labels of a judge in force, in byte order of topics and documents, under the topics themselves."""
    found = sorted(judgments.in_force_of(campaign, judge, kind=MODEL).items())
    for topic_id, rows in groupby(found, key=lambda row: row[0][0]):
        documents, labels_ = zip(*((pair[1], given.grade) for pair, given in rows), strict=True)
        yield TopicQrels(topic_of(campaign, topic_id), documents, labels_)


def layers_in(campaign: Campaign, only: Collection[str] = ()) -> str:
    """Which layers of labels count, in a sentence: what was judged here, imports, and models by their names."""
    precedence, there = precedence_at(campaign), judgments_by_kind(campaign)
    counting = precedence.of(only) if only else precedence
    found = ["judged here"] * (counting.here is not None)
    found += ["imported"] * (counting.imports is not None and IMPORT in there)
    codes = codes_of_judges(campaign) if campaign.coded else {}
    of_it = [each.name for each in judges.judges(campaign) if each.question == campaign.question]
    models = [codes.get(name, name) for name in of_it]
    if models and counting.models is not None:
        found.append(f"of models ({', '.join(models)})")
        models = []
    out = f"; those of {', '.join(models)} (models) do not count" if models else ""
    return f"Layers of labels: {', '.join(found) or 'none'}{out}."


def pool_lines(campaign: Campaign) -> Iterator[str]:
    """One pooled pair a line, topic and document, in byte order."""
    for pair in _pairs(campaign):
        yield f"{pair.pooled.topic_id} {pair.pooled.document_id}\n"


def _pairs(campaign: Campaign) -> Iterator[pools.PooledPair]:
    for topic_id in observed(pools.pooled_topics(campaign), "Writing pairs"):
        yield from pools.each_pair(campaign, topic_id)


def pool_csv(campaign: Campaign) -> Iterator[str]:
    """Every pooled pair with the pool that brought it in, its best rank, and how many runs had it."""
    header = ("topic_id", "document_id", "pool", "best_rank", "runs", "stratum", "inclusion_probability")
    pairs = _pairs(campaign)
    rows = ((*pair.pooled[:2], pair.pool, *pair.pooled[2:]) for pair in pairs)
    return csv_lines([header, *rows])


def judgment_lines(campaign: Campaign) -> Iterator[str]:
    """The judgment log as JSONL in its own order: every row by the names of its columns, its hash in hexadecimal.

    `grade_name` is what the grade was called when it was given. Rationales are a list of objects with field, start, end
    and text, empty where there are none. `chosen_names` are the labels that were chosen, null where none can be.
    """
    scales = Scales(campaign)
    total = sum(judgments_by_kind(campaign).values())
    for judgment, row_hash in observed_rows(log.hashed_judgments(campaign), total, "Writing judgments"):
        kept = [rationale._asdict() for rationale in judgment.rationales]
        name = scales.name_of(judgment)
        row = {**judgment._asdict(), "rationales": kept, "grade_name": name, "hash": row_hash.hex()}
        there = None if judgment.chosen is None else offered(campaign, judgment.topic_id)
        row["chosen_names"] = there and there.named(judgment.chosen or 0)
        yield json.dumps(row, ensure_ascii=False) + "\n"


def rationale_lines(campaign: Campaign) -> Iterator[str]:
    """The rationales of all judgments in force as JSONL, by topic, document and assessor in byte order.

    `start` and `end` count code points of `field`, from 0, the end not included; `seq` is the judgment's row,
    `grade_name` what the grade was called when it was given.
    """
    for _, rows in groupby(rationales.in_force(campaign), attrgetter("topic_id")):
        some = list(rows)
        given = as_given(campaign, {each.seq for each in some})
        for each in some:
            name = given[each.seq].name if each.seq in given else None
            yield json.dumps(each._asdict() | {"grade_name": name}, ensure_ascii=False) + "\n"


class ExportedRun(NamedTuple):
    """A run as it can be written again: its tag, the comment lines of its file, and its rankings in byte order of
    the topics, their documents in the order that scores use; of a run of answers also the `records` as they were sent.
    """

    tag: str
    header: str
    rankings: Iterator[RankedDocuments]
    records: Iterable[str] | None = None

    @property
    def ending(self) -> str:
        """What the name of its file ends with."""
        return ".run" if self.records is None else ".jsonl"

    def text(self, path: str) -> Iterator[str]:
        """The text of its file: six columns, or the records; errors as in `run_text`, under the name `path`."""
        if self.records is None:
            return run_text(path, self.header, self.rankings, self.tag)
        return (f"{record}\n" for record in self.records)


def export_run(
    campaign: Campaign, tag: str, vocabulary_of: Callable[[str], list[str]] | None = None
) -> ExportedRun:
    """One run in rank order; NotThere for an unknown tag. `vocabulary_of` as in `rankings_of_run`."""
    (stored,) = runs_named(campaign, [tag])
    return exported(campaign, stored, vocabulary_of or partial(runs.vocabulary, campaign))


def exported(
    campaign: Campaign, stored: runs.StoredRun, vocabulary_of: Callable[[str], list[str]]
) -> ExportedRun:
    """The same of a run that is known."""
    rankings = rankings_of_run(campaign, stored, vocabulary_of)
    records = (answer.record for answer in runs.answers_of(campaign, stored)) if stored.record.form else None
    return ExportedRun(stored.record.tag, stored.record.header, rankings, records)


def rankings_of_topic(campaign: Campaign, topic_id: str) -> Iterator[tuple[int, RankedDocuments]]:
    """Each run's number with its ranking for one topic, those of withdrawn runs too, by run."""
    vocabulary = runs.vocabulary(campaign, topic_id)
    for ranking in runs.rankings_of_topic(campaign, topic_id):
        yield ranking.run, _ranked(ranking, vocabulary)


def vocabularies_once(campaign: Campaign) -> Callable[[str], list[str]]:
    """For `rankings_of_run` of several runs: a topic's ids are read once, and the same list for all runs."""
    return cache(partial(runs.vocabulary, campaign))


def rankings_of_run(
    campaign: Campaign, stored: runs.StoredRun, vocabulary_of: Callable[[str], list[str]]
) -> Iterator[RankedDocuments]:
    """A run's rankings in the order that scores use; `vocabulary_of` a topic gives its documents' ids."""
    for ranking in runs.packed_rankings(campaign, run=stored.run):
        yield _ranked(ranking, vocabulary_of(ranking.topic_id))


def _ranked(ranking: runs.PackedRanking, vocabulary: list[str]) -> RankedDocuments:
    numbers, scores = unpack_documents(ranking.documents).tolist(), unpack_scores(ranking.scores).tolist()
    return RankedDocuments(ranking.topic_id, [vocabulary[number] for number in numbers], scores)


def sampling_qrels(campaign: Campaign) -> Iterator[str]:
    """Sampling qrels of five columns: every candidate with its stratum, and -1 where it is not judged.

    Raises:
        CampaignError: the pools are not a sample, or not one of strata in which each candidate had the same chance.
    """
    scoring = _sampled(campaign)
    if scoring.sample is not None and not scoring.sample.has_strata:
        raise CampaignError(
            f"each document of {campaign.name} had a chance of its own, which five columns have no place for; "
            "export prels: --format prels"
        )
    return strata_lines(f"{campaign.name}.sample.txt", _sampled_pairs(campaign, scoring))


def prels(campaign: Campaign) -> Iterator[str]:
    """Prels: what is judged of the sample, with the probability of being judged by now; errors where there is none."""
    scoring = _sampled(campaign)
    return probability_lines(f"{campaign.name}.prels.txt", _sampled_pairs(campaign, scoring, by_now=True))


def sample_csv(campaign: Campaign) -> Iterator[str]:
    """A table of all candidates with stratum, inclusion probability and grade; errors where there is no sample."""
    scoring = _sampled(campaign)
    header = ("topic_id", "document_id", "stratum", "inclusion_probability", "drawn", "grade")
    drawn = {pair[:2] for pair in _sampled_pairs(campaign, scoring, only_drawn=True)}
    rows: Iterable[tuple[object, ...]] = (
        (*pair[:4], int(pair[:2] in drawn), "" if pair.grade is None else pair.grade)
        for pair in _sampled_pairs(campaign, scoring)
    )
    return csv_lines([header, *rows])


def _sampled(campaign: Campaign) -> Scoring:
    from workbench.scoring.board.loading import load_scoring

    scoring = load_scoring(campaign)
    if scoring.sample is None:
        reason = scoring.why_no_sample or NO_SAMPLE.partition("; ")[2]
        raise CampaignError(f"{campaign.name} has no sample to export: {reason}")
    return scoring


def _sampled_pairs(
    campaign: Campaign, scoring: Scoring, *, by_now: bool = False, only_drawn: bool = False
) -> Iterator[SampledPair]:
    """The candidates by topic and document in byte order; `by_now` has the probability of being judged by now."""
    sample, n_topics = scoring.sample, len(scoring.topic_ids)
    if sample is None:
        return
    for topic in range(n_topics):
        topic_id, one = scoring.topic_ids[topic], scoring.sampled(topic, topic + 1).labels
        names = dict(enumerate(runs.vocabulary(campaign, topic_id)))
        names |= {number: name for name, number in scoring.numbers.get(topic_id, {}).items()}
        chance = one.chance if by_now else one.probability
        kept = one.drawn if only_drawn else one.stratum != OUTSIDE
        found = (
            SampledPair(
                topic_id,
                names[number],
                int(one.stratum[number]) + 1,
                float(chance[number]),
                int(one.grade[number]) if one.grade[number] >= 0 else None,
            )
            for number in np.flatnonzero(kept).tolist()
        )
        yield from sorted(found, key=lambda pair: pair.document_id)
