"""Every job of the pages: its name and kind, what tells it from others, its steps, and what it ends with."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, SignIn, TokenOf
from workbench.jobs.processes import Job, JobStore, StartedJob, Step, Title
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

SAID = """
Can we stop (stop, Anna) one 3600 s -> /c/small/stop?measure=P@2&alpha=0.05&as-of=14 | 2 steps
Certain pairs over time (history, Anna) one 3600 s -> /c/small/stop?measure=P@2&as-of=14#history | 6 steps
Leaving out (reuse, Anna) one 900 s -> /c/small/reuse?measure=P@2&by=run&depth=3&as-of=14 | 3 steps
Effect of disagreement (disagreement, Anna) one 900 s -> /c/small/agreement/effect?measure=P@2&as-of=14 | 3 steps
Simulation (simulation, Anna) one 900 s \
-> /c/small/simulation?strategy=depth&depth=2&budget=3&seeds=5&measure=P@2&as-of=14 | 2 steps
Release bundle with runs (release, Anna) one 900 s -> /c/small/publish/bundle?runs=1&as_of=14 | 18 steps
Team sheets as HTML (release, Anna) one 900 s -> /c/small/publish/sheets?format=html&as_of=14 | 2 steps
Audit (release, Anna) one 900 s ->  | 17 steps
Search for topic 2 (search, Anna) 900 s -> /c/small/search | 1 steps
Pool (pool found by search, Anna) 900 s -> /c/small/search?job=… | 2 steps
Pool by depth (pool, Anna) 900 s \
-> /c/small/pool?depth=100&strategy=depth&ties=descending&hours_per_day=4&assessors=2 | 2 steps
Retire pool 1 (pool, Anna) 900 s -> /c/small/pool?retired=17 | 3 steps
Check and add more.tsv (add topics, Anna) 600 s -> /c/small/add/topics | 1 steps
Submit aa1.run (submit run, Paul) 600 s -> /c/small/submit | 1 steps
""".replace("\\\n", "")


@pytest.fixture
def all_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds in a large campaign takes long in a small one."""
    monkeypatch.setattr("workbench.analysis.registry.Analysis.takes_long", lambda *_, **__: True)


class Noted:
    """The jobs that are begun, as lines: name, kind, owner, whether one at a time, limit, address, steps."""

    def __init__(self, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
        self.book: JobStore = app.extensions["workbench_jobs"]
        self.begun: list[tuple[str, str]] = []
        self.lines: list[str] = []
        self._steps: list[Step] = []
        begin, report = JobStore.begin, Job.report

        def noted(book: JobStore, owner: str, title: Title, body: Any, **more: Any) -> StartedJob:
            one = " one" * (more["key"] is not None)
            name = title.name.partition(":")[0]
            self.lines.append(f"{name} ({title.kind}, {title.by}){one} {more['limits'].seconds:g} s")
            self._steps.clear()
            started = begin(book, owner, title, body, **more)
            self.begun.append((owner, started.id))
            return started

        def reported(job: Job, step: Step) -> None:
            self._steps.append(step)
            report(job, step)

        monkeypatch.setattr(JobStore, "begin", noted)
        monkeypatch.setattr(Job, "report", reported)

    def after(self) -> None:
        """Note the end of the newest job, which says so in a sentence."""
        found = self.book.find(*self.begun[-1])
        assert found is not None
        assert (found.state, bool(found.outcome.said)) == ("done", True)
        assert all(step.what and step.done <= (step.total or step.done) for step in self._steps)
        address = re.sub(r"\b[0-9a-f]{16}\b", "…", found.outcome.address)
        self.lines[-1] += f" -> {address} | {len(self._steps)} steps"


@pytest.mark.usefixtures("all_is_long")
def test_every_job_says_what_it_is_how_far_it_is_and_what_became_of_it(
    anna: FlaskClient,
    app: Flask,
    small: Path,
    judging_as: JudgeAs,
    client_of: SignIn,
    token_of: TokenOf,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_campaign(small) as campaign:
        for pair in ("Ben 1 d1 1", "Ben 1 d2 0", "Ben 1 d6 1", "Carla 1 d1 0", "Ben 2 d1 1"):
            name, topic_id, document_id, grade = pair.split()
            judging_as(campaign, name, topic_id, document_id, int(grade))
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
    noted = Noted(app, monkeypatch)
    for address in (
        "stop?measure=P@2",
        "api/certain/history?measure=P@2",
        "reuse?measure=P@2&by=run&depth=3",
        "agreement/effect?measure=P@2",
        "simulation?strategy=depth&depth=2&budget=3&measure=P@2",
        "publish/bundle?runs=1",
        "publish/sheets?format=html",
    ):
        anna.get(f"/c/small/{address}").close()
        noted.after()
    forms: tuple[tuple[str, dict[str, Any]], ...] = (
        ("publish/audit", {}),
        ("search", {"topic": "2", "query": "document", "limit": "3"}),
        ("search/pool", {"document": "d3"}),
        ("pool", {"strategy": "depth", "depth": "100", "expected": "0"}),
        ("pool/retire", {"pool": "1", "reason": "too deep"}),
        ("add/topics", {"files": (io.BytesIO(b"3\tnew\n"), "more.tsv")}),
    )
    for address, form in forms:
        sent = {"csrf_token": token_of(anna), "job": noted.begun[-1][1], **form}
        anna.post(f"/c/small/{address}", data=sent).close()
        noted.after()
    assert anna.get(f"/c/small/search?job={noted.begun[0][1]}").status_code == 404, "of another kind"
    paul = client_of(app, "Paul")
    run = (io.BytesIO(b"1 Q0 d1 1 2.0 aa1\n"), "aa1.run")
    paul.post("/c/small/submit", data={"csrf_token": token_of(paul), "files": run})
    noted.after()
    assert noted.lines == SAID.strip().split("\n")
