"""The eventful campaign, and texts that are compared with what is recorded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.log_rows import row
from tests.recorded.campaigns import make_settled, same_each_time
from tests.recorded.task import go_on
from workbench.analysis.trust.drawn import drawn
from workbench.campaign.pools.making import add_pool
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import judges
from workbench.storage.campaign.models.answers import put_answers
from workbench.storage.campaign.people import members

HERE = Path(__file__).parent
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
BERT = Judge("bert", model="bert-large", prompt="Is {document} about {topic}?", scale=(0, 1))
TOOK = {"input_tokens": 411, "output_tokens": 1, "seconds": 0.5, "cost": 0.001, "at": "2026-03-02T11:00:00Z"}
ROLES = {"Otto": "organiser", "Wilma": "adjudicator", "Olga": "observer", "Paul": "participant"}

AsRecorded = Callable[[str, str], None]


@pytest.fixture(scope="session")
def prepared_eventful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six runs over six topics, one withdrawn, four assessors, double judging, hidden repeats, a norming session.

    To which come a pool in a random order, of which some is judged, an adjudication, and labels from elsewhere.
    """
    make_settled(path := tmp_path_factory.mktemp("eventful") / "eventful.db")
    with same_each_time(101), open_campaign(path) as campaign:
        with campaign.write():
            for name, role in ROLES.items():
                members.put(campaign.by("Otto", NOW), name, role, team="Alpha" * (name == "Paul"))
        add_pool(campaign.by("Otto", NOW), strategy="sequential-pps", measure="RBP(p=0.8)", seed=4, depth=6)
        _judge_some(campaign)
    return path


def _judge_some(campaign: Campaign) -> None:
    rows = [
        row("Wilma", "4", "Ünïcode_33", 2, kind="adjudication", comment="It names the river."),
        row("Wilma", "6", "نص-16", 0, kind="adjudication"),
    ]
    order = drawn(campaign)
    assert order is not None
    waiting = order.pairs[: order.pooled]
    for number, (topic_id, document_id) in enumerate(waiting[:44]):
        kind = "can't tell" if number % 8 == 7 else "grade"
        grade = None if kind == "can't tell" else (0, 1, 0, 2)[number % 4]
        rows.append(
            row(
                ("anna", "ben")[number % 2],
                topic_id,
                document_id,
                grade,
                kind=kind,
                comment="?" * (not grade),
            )
        )
    rows += [row("earlier task", *pair, 1, kind="import") for pair in waiting[48:54]]
    with campaign.write():
        for number, each in enumerate(rows):
            at = NOW + timedelta(seconds=9 * number)
            stamped = each._replace(
                uuid=f"row-{number:032d}",
                received_at=at.isoformat(timespec="milliseconds"),
                active_seconds=4.0 + number,
            )
            log.append_judgments(campaign, [stamped])
        answers = [ModelAnswer(*pair, grade=number % 2, **TOOK) for number, pair in enumerate(waiting[40:50])]
        judges.put_judge(campaign.by("Otto", NOW), BERT)
        put_answers(campaign.by("Otto", NOW), "bert", answers, source="bert.jsonl")


@pytest.fixture
def eventful(prepared_eventful: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the campaign in `instance/` of an empty folder, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORKBENCH_INSTANCE", raising=False)
    (tmp_path / "instance").mkdir()
    return Path(shutil.copy(prepared_eventful, tmp_path / "instance" / "eventful.db"))


@pytest.fixture(scope="session")
def task(prepared_eventful: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The eventful campaign as a shared task goes on with it, beside the other."""
    path = Path(shutil.copy(prepared_eventful, prepared_eventful.with_name("task.db")))
    with same_each_time(201), open_campaign(path) as campaign:
        go_on(campaign, tmp_path_factory.mktemp("runs"))
    return path


@pytest.fixture(scope="session")
def as_recorded() -> AsRecorded:
    """Compare a text with what is recorded under a name, or record it if RECORD is set."""

    def compare(name: str, text: str) -> None:
        path = HERE / name
        if os.environ.get("RECORD"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare
