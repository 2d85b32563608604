"""Every job of the pages: its name and kind, what tells it from others, its steps, and what it ends with."""

from __future__ import annotations

import io
import re
import textwrap
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
Can we stop: measure P@2, alpha 0.05 (stop, by Anna)
  one for ('stop', 'P@2', 0.05, None)
  in 3600 s; refused by CampaignError, GradesDoNotFit, NotThere, UnknownName
  done: As of log row 14.
  Show the result /c/small/stop?measure=P@2&alpha=0.05&as-of=14
  Topic 1 0/2; Topic 2 1/2
Certain pairs over time: measure P@2 (history, by Anna)
  one for ('history', 'P@2', None)
  in 3600 s; refused by CampaignError, GradesDoNotFit, NotThere, UnknownName
  done: As of log row 14.
  Show the result /c/small/stop?measure=P@2&as-of=14#history
  Log row 9 0/6; Log row 10 1/6; Log row 11 2/6; Log row 12 3/6; Log row 13 4/6; Log row 14 5/6
Leaving out: measure P@2, by run, depth 3 (reuse, by Anna)
  one for ('reuse', 'P@2', 'run', 3, None)
  in 900 s; refused by CampaignError, GradesDoNotFit, NotThere, UnknownName
  done: As of log row 14.
  Show the result /c/small/reuse?measure=P@2&by=run&depth=3&as-of=14
  Scoring again: 0 runs 0/None; Scoring again: 1 run 1/None; Scoring again: 2 runs 2/None
Effect of disagreement: measure P@2 (disagreement, by Anna)
  one for ('disagreement', 'P@2', None)
  in 900 s; refused by CampaignError, GradesDoNotFit, NotThere, UnknownName
  done: As of log row 14.
  Show the result /c/small/agreement/effect?measure=P@2&as-of=14
  Scoring by each assessor: 0 leaderboards 0/None; Scoring by each assessor: 1 leaderboard 1/None;
    Scoring by each assessor: 2 leaderboards 2/None
Simulation: strategy depth, depth 2, budget 3, seeds 5, measure P@2 (simulation, by Anna)
  one for ('simulation', ('depth',), 2, '3', 5, 'P@2', None, None, None, None)
  in 900 s; refused by CampaignError, GradesDoNotFit, NotThere, UnknownName
  done: As of log row 14.
  Show the result /c/small/simulation?strategy=depth&depth=2&budget=3&seeds=5&measure=P@2&as-of=14
  with seq, measure, rows, verdict, plan
  Replaying strategies 0/1; Replaying strategies 1/1
Release bundle with runs (release, by Anna)
  one for (('make_bundle', (BundleOptions(runs=True, comments=False, names='pseu
  in 900 s; refused by none
  done: small-14.zip, …, as of log row 14.
  Download /c/small/publish/bundle?runs=1&as_of=14
  CITATION.cff 0/18; DATASHEET.md 1/18; README.md 2/18; guidelines.md 3/18; judgments.jsonl 4/18;
    pool.jsonl 5/18; pools.json 6/18; qrels.txt 7/18; runs.csv 8/18; runs.jsonl 9/18;
    runs/001-alpha.run 10/18; runs/002-beta.run 11/18; scores/board.csv 12/18; scores/board.tex
    13/18; scores/topics.csv 14/18; settings.json 15/18; topics.jsonl 16/18; versions.json 17/18
Team sheets as HTML (release, by Anna)
  one for (('make_sheets', ('html',)), None)
  in 900 s; refused by none
  done: small-sheets.zip, …, as of log row 14.
  Download /c/small/publish/sheets?format=html&as_of=14
  Scoring the runs 0/None; Runs-without-a-team.html 0/1
Audit (release, by Anna)
  one for audit
  in 900 s; refused by none
  done: All 13 checks hold, as of log row 14, hash ….
  with findings
  the database is sound 0/13; the chain of hashes is whole 1/13; comments and rationales are those
    of the log, or were erased 2/13; every judgment was made on the text that is stored 3/13; the
    log replayed gives what the file says now 4/13; only runs that take part are withdrawn, and only
    withdrawn ones restored 5/13; every claim of a topic expires 6/13; every ranking is the one that
    was added 7/13; every value can be read, and pairs are those that were stored 8/13; every pool
    holds the pairs that its recipe gives 9/13; every adaptive pool chose what its strategy chooses
    by the judgments that it had 10/13; what is stored as near duplicates is almost the same 11/13;
    exported and imported again it gives the same qrels and scores 12/13
Search for topic 2: document (search, by Anna)
  in 900 s; refused by CampaignError, NotThere, AlreadyDone
  done: 3 documents found in 6 texts.
  Show what was found /c/small/search
  with topic_id, words, any_word, limit, document_ids, texts, excerpts
  Reading the texts 0/None
Pool: 1 document found by search for topic 2 (pool found by search, by Anna)
  in 900 s; refused by CampaignError, NotThere, AlreadyDone
  done: Pool 2 created: 1 new pair.
  Show the search /c/small/search?job=…
  Pooling 0/None; Looking for near duplicates: topic 2 0/1
Pool: depth 100 (pool, by Anna)
  in 900 s; refused by CampaignError, NotThere, UnknownName
  done: Pool 3 created: 0 new pairs.
  Show the pool /c/small/pool?depth=100&strategy=depth&ties=descending&hours_per_day=4&assessors=2
  Pooling 0/None; Reading texts of pooled documents 0/0
Retire pool 1 (pool, by Anna)
  in 900 s; refused by CampaignError, NotThere, UnknownName, AlreadyDone
  done: Pool 1 retired.
  Show the pools /c/small/pool?retired=17
  Retiring 0/None; Looking for near duplicates: topic 1 0/2; Looking for near duplicates: topic 2
    1/2
Check and add more.tsv (add topics, by Anna)
  in 600 s; refused by none
  done: 1 file added.
  Show topics /c/small/add/topics
  with reports, there
  Checking more.tsv (1 of 1) 0/None
Submit aa1.run (submit run, by Paul)
  in 600 s; refused by none
  done: Nothing was submitted.
  Show the report /c/small/submit
  with reports
  Checking aa1.run (1 of 1) 0/None
"""


@pytest.fixture
def all_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds in a large campaign takes long in a small one."""
    monkeypatch.setattr("workbench.analysis.registry.Analysis.takes_long", lambda *_, **__: True)


class Noted:
    """The jobs that are begun, as lines."""

    def __init__(self, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
        self.book: JobStore = app.extensions["workbench_jobs"]
        self.begun: list[tuple[str, str]] = []
        self._lines: list[str] = []
        self._steps: list[str] = []
        begin, report = JobStore.begin, Job.report

        def noted(book: JobStore, owner: str, title: Title, body: Any, **more: Any) -> StartedJob:
            self._lines.append(f"{title.name} ({title.kind}, by {title.by})")
            self._lines += [f"  one for {more['key']}"[:80]] * (more["key"] is not None)
            refusals = ", ".join(each.__name__ for each in more.get("user_errors", ()))
            self._lines.append(f"  in {more['limits'].seconds:g} s; refused by {refusals or 'none'}")
            self._steps.clear()
            started = begin(book, owner, title, body, **more)
            self.begun.append((owner, started.id))
            return started

        def reported(job: Job, step: Step) -> None:
            self._steps.append(f"{step.what} {step.done}/{step.total}")
            report(job, step)

        monkeypatch.setattr(JobStore, "begin", noted)
        monkeypatch.setattr(Job, "report", reported)

    def after(self) -> None:
        """Note the steps and the end of the newest job."""
        found = self.book.find(*self.begun[-1])
        assert found is not None
        said, address, link, detail = found.outcome
        end = [
            f"{found.state}: {said}",
            f"{link} {address}".strip(),
            f"with {', '.join(detail)}" if detail else "",
        ]
        self._lines += [f"  {line}" for line in end if line]
        self._lines += textwrap.wrap(
            "; ".join(self._steps), 100, initial_indent="  ", subsequent_indent="    "
        )

    @property
    def text(self) -> str:
        return re.sub(r"\b[0-9a-f]{16}\b|[\d.]+ kB", "…", "\n".join(self._lines))


@pytest.mark.usefixtures("all_is_long")
def test_every_job_says_what_it_is_how_far_it_is_and_what_became_of_it(
    app: Flask,
    anna: FlaskClient,
    small: Path,
    judging_as: JudgeAs,
    client_of: SignIn,
    token_of: TokenOf,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_campaign(small) as campaign:
        for name, topic_id, document_id, grade in (
            ("Ben", "1", "d1", 1),
            ("Ben", "1", "d2", 0),
            ("Ben", "1", "d6", 1),
            ("Carla", "1", "d1", 0),
            ("Ben", "2", "d1", 1),
        ):
            judging_as(campaign, name, topic_id, document_id, grade)
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
    assert noted.text == SAID.strip()
