"""Two campaigns in which much has happened, made with the workbench whose source is on PYTHONPATH; see README.md.

    PYTHONPATH=/tmp/source python make_messy.py          # makes settled.db and messy.db, in an empty folder

`settled` has everything that can be arranged between assessors, in small; `messy` is a task of 40 teams with ids in
many scripts, several pools, withdrawn runs, imports and labels of a model.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import uuid
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

try:
    from workbench.core.errors import JudgmentRefused
    from workbench.judging import assessing
    from workbench.storage.campaign import open_campaign
except ImportError:  # before the rooms
    from workbench.campaign import open_campaign
    from workbench.errors import JudgmentRefused

    from workbench import judging as assessing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCALE = "0:Not relevant,1:Relevant,2:Highly relevant"
IDS = ("doc-{}", "FT911-{}", "نص-{}", "文書{}", "d/{}?q=1", "Ünïcode_{}", "clueweb12-0000tw-00-{:05}")
WORDS = "river ice lake frozen water bridge winter boat flood bank source delta dam fish salt".split()
TEAMS = [f"team{number}" for number in range(1, 38)] + ["ΑΘΗΝΑ", "مختبر", "Ünseen & Co."]
ASSESSORS = ("anna", "ben", "chloé", "ديمة")


def run(*words: str) -> str:
    command = [sys.executable, "-W", "ignore", "-m", "workbench", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


class Chance(random.Random):
    """Chance with a seed, and documents by their number."""

    def text(self, length: int) -> str:
        return " ".join(self.choices(WORDS, k=length))


def name_of(number: int) -> str:
    return IDS[number % len(IDS)].format(number)


def write_task(folder: Path, chance: Chance, *, topics: int, documents: int, runs: int, depth: int) -> None:
    folder.mkdir()
    (folder / "topics.tsv").write_text("".join(f"{n}\t{chance.text(3)}\n" for n in range(1, topics + 1)))
    rows = [{"id": name_of(n), "title": chance.text(2), "text": chance.text(20)} for n in range(documents)]
    (folder / "documents.jsonl").write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    )
    for number in range(runs):
        lines = []
        for topic in range(1, topics + 1):
            if number % 9 == 0 and topic % 7 == 0:  # a run without some topics
                continue
            ranking = chance.sample(range(documents), depth if number % 5 else depth // 3)
            ranking.sort(key=lambda each: (each * topic + number) % 13)
            for rank, each in enumerate(ranking, 1):
                score = 100 - rank // 3  # ties
                lines.append(f"{topic} Q0 {name_of(each)} {rank} {score} sys{number}\n")
        (folder / f"sys{number}.run").write_text("".join(lines))


def judge(campaign: Any, assessor: str, topic: str, document: str, grade: int | None, now: datetime) -> None:
    shown = assessing.show(campaign, topic, document, assessor)
    sent = assessing.Submission(
        uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{assessor} {topic} {document} {now}")),
        topic_id=topic,
        document_id=document,
        pool=shown.pool,
        text_hash=shown.text_hash or "",
        topic_version=shown.topic_version,
        guideline_version=shown.guideline_version,
        kind="can't tell" if grade is None else "grade",
        grade=grade,
        replaces=shown.mine.seq if shown.mine else None,
    )
    with suppress(JudgmentRefused):  # a topic of somebody else
        assessing.judge(campaign, sent, assessor=assessor, now=now)


def judge_some(path: str, chance: Chance, share: float, *, people: tuple[str, ...] = ASSESSORS) -> None:
    now = NOW
    with open_campaign(path) as campaign:
        for person in people:
            for progress in assessing.topic_progress(campaign, person):
                for item in assessing.queue(campaign, progress.topic_id, person):
                    if chance.random() < share:
                        now += timedelta(seconds=7)
                        grade = chance.choice((0, 0, 0, 1, 1, 2, None))
                        judge(campaign, person, progress.topic_id, item.document_id, grade, now)


def settled(chance: Chance) -> None:
    """Members, double judging, hidden repeats, a norming session, a changed rule, closed topics."""
    folder, path = Path("settled"), "./settled.db"
    write_task(folder, chance, topics=6, documents=60, runs=6, depth=12)
    files = sorted(map(str, folder.glob("*.run")))
    run("new", path, "--title", "A settled campaign", "--grades", SCALE)
    run("add", "topics", path, str(folder / "topics.tsv"))
    run("add", "documents", path, str(folder / "documents.jsonl"), "--all")
    run("add", "runs", path, *files)
    run("pool", path, "--depth", "4")
    for name in ASSESSORS:
        run("member", "add", path, name, "--role", "assessor")
    run("repeats", path, "--share", "0.2", "--gap", "5")
    run("assign", "who", path, "assigned")
    run("assign", "spread", path)
    run("assign", "double", path, "--share", "0.3", "--seed", "7")
    judge_some(path, chance, 0.5)
    run("norming", "open", path, "1", "--number", "4")
    run("norming", "reveal", path)
    run("norming", "close", path)
    run("rule", path, "majority")
    run("assign", "close", path, "6")
    run("withdraw", path, "sys3", "--reason", "the wrong index")


def messy(chance: Chance) -> None:
    """Runs of 40 teams, three pools, imports, labels of a model, and qrels that nobody here judged."""
    folder, path = Path("messy"), "./messy.db"
    write_task(folder, chance, topics=25, documents=700, runs=40, depth=60)
    run("new", path, "--title", "Forty teams — أربعون فريقًا", "--grades", SCALE)
    run("add", "topics", path, str(folder / "topics.tsv"))
    run("add", "documents", path, str(folder / "documents.jsonl"), "--all")
    for number, team in enumerate(TEAMS):
        words = ["--no-pool"] if number % 11 == 10 else []
        run("add", "runs", path, str(folder / f"sys{number}.run"), "--team", team, *words)
    run("pool", path, "--depth", "2")
    run("pool", path, "--depth", "4")
    run("withdraw", path, "sys7", "sys8", "--reason", "run twice")
    judge_some(path, chance, 0.08)
    run("pool", path, "--depth", "5")
    lines = "".join(f"{topic} 0 {name_of(n)} {n % 3}\n" for topic in range(1, 26) for n in range(0, 700, 23))
    Path("imported.txt").write_text(lines)
    run("add", "qrels", path, "imported.txt", "--yes")
    Path("model.txt").write_text(lines.replace(" 2\n", " 1\n"))
    run("add", "qrels", path, "model.txt", "--source", "model", "--assessor", "a model", "--yes")
    run("rule", path, "median")
    run("withdraw", path, "sys8", "--restore")


def tell(path: str) -> None:
    scores = run("export", "scores", path, "-m", "AP", "-m", "nDCG@10", "-m", "P@5")
    qrels = run("export", "qrels", path)
    digests = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in (qrels, scores)]
    sys.stdout.write(f"{path}: {run('audit', path).splitlines()[-1]}\nqrels and scores: {digests}\n")


if __name__ == "__main__":
    settled(Chance(1))
    messy(Chance(2))
    tell("./settled.db")
    tell("./messy.db")
