"""The demo's campaign, made the way an organiser would make one: files first, then `add` and `pool`.

The files stay in a folder beside the campaign (`demo.db` and `demo/`), to be looked at or loaded again by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.cli.demo.documents import read_standard_library
from workbench.cli.demo.runs import RECIPES, run_lines
from workbench.cli.demo.topics import GRADES, GUIDELINES, TOPICS
from workbench.core.records import Document, Topic
from workbench.formats.text.writing import write_atomically
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.file.replacing import fold, put_over_unused, replacement
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

NAME = "demo"
TITLE = "Python's standard library"
DEPTH = 10
ACTOR = "demo"
TEAMS = tuple(dict.fromkeys(recipe.team for recipe in RECIPES))
STEPS = 2 + len(RECIPES) + len(TEAMS) + 3

OnStep = Callable[[int, int, str], object]


def ready_demo(instance: Path, *, fresh: bool = False, progress: OnStep | None = None) -> Path:
    """The demo's campaign file in an instance folder; created on the first call, and again if `fresh`.

    `fresh` deletes the judgments of the old demo.
    """
    path = instance / f"{NAME}.db"
    if fresh or not path.exists():
        make_demo(path, progress=progress)
    return path


def make_demo(path: Path, *, progress: OnStep | None = None) -> None:
    """Make the campaign file `path` and the folder of its source files, in place of what is there.

    Takes some seconds. The file appears when it is whole, so that an interrupted call leaves none.
    `progress` is called with the number of steps done, the number of all steps, and what comes next.
    CampaignUnavailable when a server has the one that is there open.
    """
    steps = _Steps(progress)
    folder = path.with_suffix("")
    with in_place_of(path) as draft:
        files = _write_files(folder, steps)
        with new_campaign(draft, title=TITLE, grades=GRADES, guidelines=GUIDELINES, actor=ACTOR) as campaign:
            _fill(campaign, files, steps)


@contextmanager
def in_place_of(path: Path) -> Iterator[Path]:
    """A draft that gets the name `path` after the block; CampaignUnavailable if a process has that file open."""
    with replacement(path) as draft:
        yield draft
        fold(draft)
        put_over_unused(draft, path)


def simulated(campaign: Campaign, names: Sequence[str]) -> None:
    """Say that the assessors are simulated, and give these their role."""
    with campaign.write():
        settings.change(campaign.by(ACTOR), {"assessors_simulated": True})
        for name in names:
            members.put(campaign.by(ACTOR), name, "assessor", team="")


class _Steps:
    """Counts the steps of the work as they begin."""

    def __init__(self, progress: OnStep | None) -> None:
        self.progress = progress
        self.done = 0

    def begin(self, words: str) -> None:
        if self.progress is not None:
            self.progress(self.done, STEPS, words)
        self.done += 1


def _write_files(folder: Path, steps: _Steps) -> Path:
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    steps.begin("writing the topics")
    write_atomically(folder / "topics.jsonl", json_lines(TOPICS))
    steps.begin("reading the documentation of Python's standard library")
    documents = list(read_standard_library())
    write_atomically(folder / "documents.jsonl", json_lines(documents))
    for recipe in RECIPES:
        steps.begin(f"making the run {recipe.tag}")
        lines = run_lines(recipe, TOPICS, documents)
        write_atomically(folder / "runs" / f"{recipe.tag}.run", (f"{line}\n" for line in lines))
    return folder


def _fill(campaign: Campaign, folder: Path, steps: _Steps) -> None:
    steps.begin("adding the topics")
    add_topics(campaign.by(ACTOR), [str(folder / "topics.jsonl")])
    steps.begin("adding the documents")
    add_documents(campaign.by(ACTOR), [str(folder / "documents.jsonl")], keep_all=True, complete=True)
    for team in TEAMS:
        steps.begin(f"adding the runs of {team}")
        files = [str(folder / "runs" / f"{recipe.tag}.run") for recipe in RECIPES if recipe.team == team]
        add_runs(campaign.by(ACTOR), files, team=team)
    steps.begin(f"pooling at depth {DEPTH}")
    add_pool(campaign.by(ACTOR), depth=DEPTH)


def json_lines(records: Iterable[Topic] | Iterable[Document]) -> Iterator[str]:
    """Topics or documents as JSON lines, as `add` reads them."""
    for record in records:
        named = {
            name: value for name, value in record._asdict().items() if name not in {"fields", "media_type"}
        }
        yield json.dumps({**named, **record.fields}, ensure_ascii=False) + "\n"
