"""A small campaign, made with the workbench whose source is on PYTHONPATH, in an empty folder; see README.md."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

try:
    from workbench.judging import assessing
    from workbench.storage.campaign import open_campaign
except ImportError:  # before the rooms
    from workbench.campaign import open_campaign

    from workbench import judging as assessing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RUNS = {
    "alpha": {"1": "d1 d2 d3 d4", "2": "d1 d2 d5"},
    "beta": {"1": "d4 d2 d1", "2": "d2 d5 d6"},
    "gamma": {"1": "d6 d5", "2": "d6 d1"},
}
JUDGED = [
    ("anna", "1", "d1", 2),
    ("anna", "1", "d2", 0),
    ("ben", "1", "d2", 1),
    ("anna", "1", "d4", 1),
    ("anna", "2", "d1", 0),
    ("anna", "2", "d2", 2),
    ("anna", "2", "d2", 1),
    ("anna", "2", "d5", None),
    ("ben", "1", "d6", 0),
]


def run(*words: str, needed: bool = True) -> str:
    command = [sys.executable, "-W", "ignore", "-m", "workbench", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if needed and done.returncode:
        raise SystemExit(f"{words}: {done.stderr}")
    return done.stdout


def write_files() -> None:
    Path("topics.tsv").write_text("1\tfrozen rivers\n2\twarm lakes\n")
    texts = {number: "a river froze" if number % 2 else "a lake is warm" for number in range(1, 7)}
    documents = [
        {"id": f"d{n}", "title": f"Document {n}", "text": f"The text of document {n}: {text}"}
        for n, text in texts.items()
    ]
    Path("documents.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
    for tag, rankings in RUNS.items():
        lines = [
            f"{topic} Q0 {document} {rank} {100 - rank} {tag}\n"
            for topic, ranking in rankings.items()
            for rank, document in enumerate(ranking.split(), 1)
        ]
        Path(f"{tag}.run").write_text("".join(lines))
    Path("qrels.txt").write_text("1 0 d3 2\n2 0 d6 1\n2 0 d1 1\n")


def judge(campaign: Any, assessor: str, topic: str, document: str, grade: int | None) -> None:
    shown = assessing.show(campaign, topic, document, assessor)
    sent = assessing.Submission(
        uuid=str(uuid.uuid4()),
        topic_id=topic,
        document_id=document,
        pool=shown.pool,
        text_hash=shown.text_hash or "",
        topic_version=shown.topic_version,
        guideline_version=shown.guideline_version,
        kind="grade" if grade is not None else "can't tell",
        grade=grade,
        replaces=shown.mine.seq if shown.mine else None,
        comment="about ice" if document == "d1" and topic == "1" else "",
    )
    if "rationales" in assessing.Submission._fields and (topic, document) == ("1", "d1"):
        try:
            from workbench.core.records import Rationale
        except ImportError:
            from workbench.records import Rationale

        assert shown.document is not None
        place = shown.document.text.index("river")
        sent = sent._replace(rationales=(Rationale("text", place, place + 5, "river"),), input="key")
    assessing.judge(campaign, sent, assessor=assessor, now=NOW)


def adjudicate() -> None:
    """Decide on the one pair of which two assessors disagree, and let that count."""
    try:
        from workbench.agreement.adjudication import Decision
        from workbench.agreement.adjudication import adjudicate as decide
        from workbench.storage.campaign.grades import judgments
    except ImportError:
        from workbench.adjudicating import Decision
        from workbench.adjudicating import adjudicate as decide
        from workbench.campaign import judgments

    with open_campaign("old.db") as campaign:
        shown = assessing.show(campaign, "1", "d2", "olga")
        rows = [row for row in judgments.log(campaign) if (row.topic_id, row.document_id) == ("1", "d2")]
        decision = Decision(
            uuid=str(uuid.uuid4()),
            topic_id="1",
            document_id="d2",
            pool=shown.pool,
            text_hash=shown.text_hash or "",
            topic_version=shown.topic_version,
            guideline_version=shown.guideline_version,
            newest=max(row.seq for row in rows),
            grade=2,
            replaces=None,
        )
        decide(campaign, decision, adjudicator="olga", now=NOW)
    run("rule", "./old.db", "adjudicated first")


def main() -> None:
    write_files()
    run("new", "./old.db", "--title", "Old rivers", "--grades", "0:Not relevant,1:Relevant,2:Highly relevant")
    run("add", "topics", "./old.db", "topics.tsv")
    run("add", "documents", "./old.db", "documents.jsonl", "--all")
    run("add", "runs", "./old.db", "alpha.run", "beta.run", "gamma.run")
    run("pool", "./old.db", "--depth", "2")
    run("member", "add", "./old.db", "anna", "--role", "assessor", needed=False)
    with open_campaign("old.db") as campaign:
        for judged in JUDGED:
            judge(campaign, *judged)
    run("add", "qrels", "./old.db", "qrels.txt")
    run("withdraw", "./old.db", "gamma", "--reason", "indexed the wrong collection", needed=False)
    with suppress(ImportError):
        adjudicate()
    sys.stdout.write(run("audit", "./old.db").splitlines()[-1] + "\n")
    sys.stdout.write(run("export", "qrels", "./old.db"))
    sys.stdout.write(run("export", "scores", "./old.db", "-m", "AP", "-m", "nDCG@10", "-m", "P@5"))


if __name__ == "__main__":
    main()
