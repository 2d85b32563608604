"""A small TREC-COVID of three rounds: new runs in each, a new topic in the second, new documents in the later two.

In the third round the grade of a pair is changed that was judged in the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.conftest import write_run
from tests.log_rows import row
from workbench.campaign.ingest import add_runs
from workbench.campaign.rounds import open_round
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.log import log

Runs = dict[str, dict[str, str]]
Grades = dict[tuple[str, str], int]


class Data(NamedTuple):
    """What comes in a round: topics, runs and grades; `residual` are the runs without what was judged before."""

    topics: str
    runs: Runs
    residual: Runs
    grades: Grades


FIRST_RUNS = {"a1": {"1": "d1 d2 d3 d4", "2": "d1 d5"}, "b1": {"1": "d2 d4 d1", "2": "d6 d1"}}

ROUNDS = {
    "1": Data(
        "12",
        FIRST_RUNS,
        FIRST_RUNS,
        {("1", "d1"): 1, ("1", "d2"): 0, ("1", "d4"): 0, ("2", "d1"): 0, ("2", "d6"): 1},
    ),
    "2": Data(
        "3",
        {
            "a2": {"1": "d1 n1 d3 d2 n2", "2": "d6 d5 n3", "3": "n1 d1"},
            "b2": {"1": "d3 d1 n2", "2": "n3 d1", "3": "d2 n1"},
        },
        {"a2": {"1": "n1 d3 n2", "2": "d5 n3", "3": "n1 d1"}, "b2": {"1": "d3 n2", "2": "n3", "3": "d2 n1"}},
        {
            ("1", "n1"): 1,
            ("1", "d3"): 0,
            ("1", "n2"): 1,
            ("2", "d5"): 1,
            ("2", "n3"): 0,
            ("3", "n1"): 1,
            ("3", "d1"): 0,
            ("3", "d2"): 0,
        },
    ),
    "3": Data(
        "",
        {"c3": {"1": "n1 d2 z1 d4 d3 z2", "2": "d6 z3 n3", "3": "n1 z1"}},
        {"c3": {"1": "z1 z2", "2": "z3", "3": "z1"}},
        {("1", "z1"): 0, ("1", "z2"): 1, ("2", "z3"): 1, ("3", "z1"): 0, ("1", "d2"): 1},
    ),
}

CHANGED = ("1", "d2")
"""The pair whose grade is changed in the third round."""


def add_round(campaign: Campaign, data: Data, folder: Path) -> None:
    """Add the topics and runs of a round."""
    if data.topics:
        with campaign.write():
            topics.put(campaign.by("org"), [Topic(each, "") for each in data.topics], files=[])
    files = [write_run(folder / f"{tag}.run", tag, rankings) for tag, rankings in data.runs.items()]
    add_runs(campaign.by("org"), files)


def judge(campaign: Campaign, grades: Grades) -> None:
    """Append grades to the log."""
    with campaign.write():
        documents.put_ids(campaign, sorted({document_id for _, document_id in grades}))
        log.append_judgments(campaign, [row("ann", *pair, grade) for pair, grade in grades.items()])


@contextmanager
def three_rounds(folder: Path) -> Iterator[Campaign]:
    """The campaign `covid` in a file of that name in the folder, where its run files are too."""
    with create_campaign(folder / "covid.db") as campaign:
        for name, data in ROUNDS.items():
            if name != "1":
                open_round(campaign.by("org"), name)
            add_round(campaign, data, folder)
            judge(campaign, data.grades)
        yield campaign
