"""The release bundle: one archive with all that a campaign publishes, the same bytes for the same row of its log."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, NamedTuple

from workbench import __version__
from workbench.campaign.rounds import sheet_of as rounds_sheet
from workbench.core import plugins
from workbench.core.about import PAIRS
from workbench.core.records import NORMING, REMAPPED, TAKEN_BACK, Judgment
from workbench.core.values import declared
from workbench.formats.qrels import qrels_lines
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.json_text import json_line, json_text
from workbench.formats.text.files import PIECE
from workbench.formats.text.writing import write_atomically
from workbench.jobs.processes import OnStep
from workbench.release.archive import Content, write_archive
from workbench.release.bundle.datasheet import datasheet_lines
from workbench.release.bundle.how_judged import answers, how_judged, reusable
from workbench.release.bundle.judging_arrangements import arrangement_rows
from workbench.release.bundle.readme import citation_lines, guideline_lines, readme_lines
from workbench.release.campaign_summary import CampaignSummary, summarise_campaign
from workbench.release.export import StreamedQrels, exported, layers_in, vocabularies_once
from workbench.release.latex import board_latex
from workbench.release.names import file_name, numbered_names, pseudonyms
from workbench.release.round_files import qrels_of_rounds, scored_parts
from workbench.release.tables import Scores, run_rows, runs_csv, scores_of, topic_scores_csv
from workbench.scoring.board.table import RENDERINGS
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, draws, norming
from workbench.storage.campaign.collection import pools, runs
from workbench.storage.campaign.collection.run_codes import codes_of_judges
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import up_to
from workbench.storage.campaign.models import answers as model_answers

BUNDLE_FORMAT = 1
"""Raised when a bundle is written otherwise than before; a workbench reads its own format alone."""

MODEL_ANSWERS = "model-answers.jsonl"

NAMES = ("pseudonyms", "names")

CALCULATING = ("numpy", "polars", "scipy")
"""The libraries that calculate: arrays, the order of rankings, and the tests and intervals."""


class BundleOptions(NamedTuple):
    """What goes into a bundle besides what always does: the runs, what assessors wrote, and who they are."""

    runs: bool = False
    comments: bool = False
    names: str = "pseudonyms"


DEFAULT = BundleOptions()


def write_bundle(
    campaign: Campaign, stream: IO[bytes], *, options: BundleOptions = DEFAULT, on_step: OnStep | None = None
) -> CampaignSummary:
    """Write the bundle as of now, or of a row of the log, and return what it says of the campaign.

    The log only grows, so that all files are as of the same row, whatever is judged while they are written. The same
    row, options and versions of the programs give the same bytes: no clock is asked. The stream can seek; `on_step` is
    called before each file is written.
    """
    facts = summarise_campaign(campaign)
    write_archive(
        stream, bundle_name(facts), _contents(campaign.at(facts.head.seq), facts, options), on_step=on_step
    )
    return facts


def bundle_name(facts: CampaignSummary) -> str:
    """What a bundle and the folder in it are called: the campaign and the row of its log."""
    return f"{file_name(facts.name)}-{facts.head.seq}"


def _contents(campaign: Campaign, facts: CampaignSummary, options: BundleOptions) -> dict[str, Content]:
    """Every file of the bundle but the checksums, each with what makes its lines when it is written."""
    scores = cache(lambda: scores_of(campaign))
    judged = cache(lambda: answers(facts, how_judged(campaign)))
    people = {} if options.names == "names" else pseudonyms(facts.assessors)
    people |= codes_of_judges(campaign) if campaign.coded else {}
    contents: dict[str, Content] = {
        "settings.json": lambda: [json_text(_settings(campaign, facts, options))],
        "versions.json": lambda: [json_text(versions())],
        "guidelines.md": lambda: guideline_lines(facts),
        "topics.jsonl": lambda: (
            json_line(topic._asdict() | {"fields": dict(topic.fields)}) for topic in facts.topics
        ),
        "pool.jsonl": lambda: _pool_rows(campaign),
        "pools.json": lambda: [json_text([_pool(pool) for pool in facts.pools])],
        "judgments.jsonl": lambda: judgment_rows(campaign, people, comments=options.comments),
        "runs.csv": lambda: runs_csv((*facts.runs, *facts.withdrawn), facts.details),
        "runs.jsonl": lambda: _run_rows(facts, with_files=options.runs),
        "scores/board.csv": lambda: _board_csv(scores),
        # A table for papers would be of scores that mix rounds.
        **({} if facts.over_rounds else {"scores/board.tex": lambda: board_latex(scores())}),
        "scores/topics.csv": lambda: _topics_csv(scores),
        "DATASHEET.md": lambda: datasheet_lines(facts, judged(), reusable(campaign)),
        "CITATION.cff": lambda: citation_lines(facts),
        **_qrels(campaign, facts),
        **_of_rounds(campaign, facts),
        **_of_parts(campaign),
        **_draws(campaign),
        **_arrangements(campaign, facts, people),
        **_model_answers(campaign),
        **(_runs(campaign, facts) if options.runs else {}),
    }
    readme_options = {"pseudonyms": options.names != "names", "comments": options.comments}
    contents["README.md"] = lambda: readme_lines(facts, contents, judged(), **readme_options)
    return contents


def _qrels(campaign: Campaign, facts: CampaignSummary) -> dict[str, Content]:
    def lines(name: str, special: bool, question: str = "") -> Iterator[str]:
        with campaign.snapshot():
            yield from qrels_lines(name, StreamedQrels(campaign.asking(question), special=special))

    found: dict[str, Content] = {"qrels.txt": lambda: lines("qrels.txt", False)}
    if facts.special:
        found["qrels-with-special.txt"] = lambda: lines("qrels-with-special.txt", True)
    graded = (each.name for each in facts.settings.questions if each.about not in PAIRS)
    names = {f"qrels-of-{name}.txt": name for name in graded}
    return found | {file: partial(lines, file, False, name) for file, name in names.items()}


def _of_rounds(campaign: Campaign, facts: CampaignSummary) -> dict[str, Content]:
    """The rounds of a campaign of several, and their qrels."""
    if not facts.over_rounds:
        return {}
    return {
        "rounds.csv": lambda: as_csv(rounds_sheet(facts.rounds)),
        **{f"qrels/{each.name}": partial(each.lines, campaign) for each in qrels_of_rounds(campaign)},
    }


def _of_parts(campaign: Campaign) -> dict[str, Content]:
    """The scores of each round and question."""
    scores = {folder: cache(partial(scores_of, part)) for folder, part in scored_parts(campaign).items()}
    return {f"{folder}/board.csv": partial(_board_csv, found) for folder, found in scores.items()} | {
        f"{folder}/topics.csv": partial(_topics_csv, found) for folder, found in scores.items()
    }


def _board_csv(scores: Callable[[], Scores]) -> Iterable[str]:
    return RENDERINGS["csv"](scores().board)


def _topics_csv(scores: Callable[[], Scores]) -> Iterator[str]:
    return topic_scores_csv(scores())


def _draws(campaign: Campaign) -> dict[str, Content]:
    rows = [
        {**draw.record._asdict(), "drawn": [pair._asdict() for pair in draw.drawn], "seq": draw.seq}
        for draw in draws.all_draws(campaign.asking(EVERY))
    ]
    return {"drawn.json": lambda: [json_text(rows)]} if rows else {}


def _arrangements(
    campaign: Campaign, facts: CampaignSummary, people: Mapping[str, str]
) -> dict[str, Content]:
    judged = {name: name for name in facts.assessors} | dict(people)
    rows = list(arrangement_rows(campaign, judged))
    return {"arrangements.jsonl": lambda: rows} if rows else {}


def _model_answers(campaign: Campaign) -> dict[str, Content]:
    """What models answered that judge, with the log row of each batch; arrangements have the judges and batches."""
    if not model_answers.batches(campaign):
        return {}
    return {
        MODEL_ANSWERS: lambda: (
            json_line({"batch": each.batch, **each.answer._asdict()})
            for each in model_answers.each_answer(campaign)
        )
    }


def run_paths(facts: CampaignSummary) -> list[str]:
    """Where each run that takes part lies in a bundle that holds the runs."""
    names = numbered_names((run.record.tag for run in facts.runs), "")
    endings = (".jsonl" if run.record.form else ".run" for run in facts.runs)
    return [f"runs/{name}{ending}" for name, ending in zip(names, endings, strict=True)]


def _runs(campaign: Campaign, facts: CampaignSummary) -> dict[str, Content]:
    runs.require_rankings(campaign)  # run by run it would read the ids of every topic for each run
    vocabulary_of = vocabularies_once(campaign)

    def content(path: str, stored: runs.StoredRun) -> Content:
        return lambda: exported(campaign, stored, vocabulary_of).text(path)

    return {path: content(path, run) for path, run in zip(run_paths(facts), facts.runs, strict=True)}


def _run_rows(facts: CampaignSummary, *, with_files: bool) -> Iterator[str]:
    paths = run_paths(facts) if with_files else [None] * len(facts.runs)
    rows = run_rows((*facts.runs, *facts.withdrawn), facts.details)
    for path, row in zip([*paths, *[None] * len(facts.withdrawn)], rows, strict=True):
        yield json_line({**row, "path": path})


def _pool_rows(campaign: Campaign) -> Iterator[str]:
    for pair in pools.each_pair_ever(campaign.asking(EVERY)):
        chosen = {} if pair.choice is None else {"choice": pair.choice}
        yield json_line({**pair.pooled._asdict(), "pool": pair.pool} | chosen)


def _pool(pool: pools.StoredPool) -> dict[str, object]:
    return {"pool": pool.pool, **pool.record.as_content(), "pairs": pool.pairs, "seq": pool.seq} | (
        {} if pool.retired is None else {"retired": pool.retired}
    )


def _settings(campaign: Campaign, facts: CampaignSummary, options: BundleOptions) -> dict[str, object]:
    settings = facts.settings
    return {
        "bundle": BUNDLE_FORMAT,
        "campaign": facts.name,
        "title": settings.title,
        "grades": [grade._asdict() for grade in settings.grades],
        "relevant_from": settings.relevant_from,
        "scales": [
            {"seq": version, "day": at[:10], "grades": [grade._asdict() for grade in then.grades]}
            | {name: getattr(then, name) for name in ("relevant_from", "remapped", "asked_again")}
            for version, at, then in facts.scales
        ],
        **({"questions": [each.content for each in settings.questions]} if settings.questions else {}),
        "guidelines": settings.guidelines,
        "label_rule": settings.label_rule,
        "imported_labels": settings.imported_labels,
        "model_labels": settings.model_labels,
        "layers": layers_in(campaign),
        "who_judges": settings.who_judges,
        "repeats": {"share": settings.repeat_share, "gap": settings.repeat_gap, "seed": settings.repeat_seed},
        "closed_topics": sorted(assignments.closed(campaign)),
        "as_of": {"seq": facts.head.seq, "hash": facts.head.hash.hex(), "at": facts.at},
        "assessors": options.names,
        "comments": options.comments,
        "runs": options.runs,
    }


def versions() -> dict[str, str]:
    """The programs that scores, rankings and statistics depend on, plugins too, with their versions."""
    libraries = {name: version(name) for name in CALCULATING}
    beside = {f"plugin {each.name}": each.version for each in plugins.load() if each.adds}
    return {"workbench": __version__, "python": platform.python_version(), **libraries, **beside}


class SavedBundle(NamedTuple):
    """Where a bundle was written, and what it says of the campaign."""

    path: Path
    facts: CampaignSummary


def save_bundle(
    campaign: Campaign,
    path: Path | None = None,
    *,
    options: BundleOptions = DEFAULT,
    on_step: OnStep | None = None,
) -> SavedBundle:
    """Write the bundle to a file, whole or not at all; without a path, into this folder under its own name.

    Arguments as in `write_bundle`. Raises InputError when it cannot be written there.
    """
    with tempfile.TemporaryFile() as draft:
        facts = write_bundle(campaign, draft, options=options, on_step=on_step)
        path = path or Path(f"{bundle_name(facts)}.zip")
        draft.seek(0)
        write_atomically(path, iter(partial(draft.read, PIECE), b""))
    return SavedBundle(path, facts)


PUBLISHED = tuple(field for field in declared(Judgment) if field.given.published)
"""Fields of a judgment that are published as they are."""


def judgment_rows(campaign: Campaign, names: Mapping[str, str], *, comments: bool = False) -> Iterator[str]:
    """The log's judgments as JSONL, in its order, those out of force included, as they may leave the organisers.

    Left out are the assessors' names, the hashes of the rows (they cover the names, so that a guess at a name could be
    tried against them), uuids, the time of day, the file that an import came from, and the words of rationales, which
    belong to the documents; where these stand is kept. A row with `taken_back` takes back a hidden repeat, a second
    look, or what was said in a norming session: without it such a row says that the assessor could not tell. A row with
    `norming` was said in the session of that number, or is a grade that was taken over from it. A row with `remapped`
    says on a new scale what the row that it replaces said on the old one, or clears it.
    An assessor who is not in `names` goes by their own name.
    """
    sessions = norming.all_sessions(campaign)
    for judgment, _ in log.hashed_judgments(campaign):
        yield json_line(_row(judgment, names, sessions, comments=comments))


def _row(
    judgment: Judgment, names: Mapping[str, str], sessions: Sequence[norming.Session], *, comments: bool
) -> dict[str, Any]:
    places = [[kept.field, kept.start, kept.end] for kept in judgment.rationales]
    row = {
        "seq": judgment.seq,
        "day": judgment.received_at[:10],
        "assessor": names.get(judgment.assessor, judgment.assessor),
        **{field.name: getattr(judgment, field.name) for field in PUBLISHED},
        "rationales": places,
        **({"taken_back": True} if judgment.source == TAKEN_BACK else {}),
        **({"remapped": True} if judgment.source == REMAPPED else {}),
        **_session(judgment, sessions),
    }
    return {**row, "comment": judgment.comment} if comments else row


def _session(judgment: Judgment, sessions: Sequence[norming.Session]) -> dict[str, int]:
    """The session in which a judgment was said, or from which it was taken over; one is open at a time."""
    for each in sessions:
        within = each.opened < judgment.seq < up_to(each.closed)
        if within and (judgment.kind == NORMING or judgment.source == norming.source_of(each.norming)):
            return {"norming": each.norming}
    return {}
