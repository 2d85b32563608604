"""A campaign in which everything happened that can be arranged between assessors, in small, the same to the byte of its
log each time it is made.
"""

from __future__ import annotations

import json
import random
import shlex
import uuid
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from workbench.campaign import assessing
from workbench.campaign.ingest import documents, qrels
from workbench.cli import main
from workbench.core.errors import JudgmentRefused
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import erasable, log
from workbench.storage.campaign.models import answers

MADE = datetime(2026, 2, 28, 12, tzinfo=UTC)
JUDGED = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCALE = "0:Not relevant,1:Relevant,2:Highly relevant"
IDS = ("doc-{}", "FT911-{}", "نص-{}", "文書{}", "d/{}?q=1", "Ünïcode_{}", "clueweb12-0000tw-00-{:05}")
WORDS = "river ice lake frozen water bridge winter boat flood bank source delta dam fish salt".split()
ASSESSORS = ("anna", "ben", "chloé", "ديمة")


class Chance(random.Random):
    """Chance with a seed."""

    def text(self, length: int) -> str:
        return " ".join(self.choices(WORDS, k=length))


class Made(datetime):
    """The clock of the log and of commands."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return MADE.astimezone(tz)


class Task(type(Path())):  # type: ignore[misc]
    """A path that is in the same folder for all who look."""

    def resolve(self, strict: bool = False) -> Path:
        return Path("/task", *self.parts)


@contextmanager
def same_each_time(first: int = 1) -> Iterator[None]:
    """In the block times, ids of people (from `first` on), uuids, salts, folders and the user are no chance."""
    ids, rows = count(first), count(1)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(log, "datetime", Made)
        secrets = SimpleNamespace(
            token_hex=lambda size: f"{next(ids):0{2 * size}x}", token_bytes=lambda size: bytes(size)
        )
        patched.setattr(erasable, "secrets", secrets)
        patched.setattr(documents, "Path", Task)
        patched.setattr(qrels, "uuid4", lambda: uuid.UUID(int=next(rows)))
        patched.setattr(answers, "uuid4", lambda: uuid.UUID(int=first << 64 | next(rows)))
        patched.setenv("LOGNAME", "root")
        yield


def run(line: str) -> None:
    done = CliRunner().invoke(main, shlex.split(line))
    assert done.exit_code == 0, f"{line}: {done.output}"


def name_of(number: int) -> str:
    return IDS[number % len(IDS)].format(number)


def write_task(folder: Path, chance: Chance, *, topics: int, documents: int, runs: int, depth: int) -> None:
    folder.mkdir()
    (folder / "topics.tsv").write_text("".join(f"{n}\t{chance.text(3)}\n" for n in range(1, topics + 1)))
    rows = [{"id": name_of(n), "title": chance.text(2), "text": chance.text(20)} for n in range(documents)]
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (folder / "documents.jsonl").write_text("".join(lines), encoding="utf-8")
    for number in range(runs):
        ranked = "".join(_ranking(chance, number, topic, documents, depth) for topic in range(1, topics + 1))
        (folder / f"sys{number}.run").write_text(ranked, encoding="utf-8")


def _ranking(chance: Chance, number: int, topic: int, documents: int, depth: int) -> str:
    if number % 9 == 0 and topic % 7 == 0:  # a run without some topics
        return ""
    ranking = chance.sample(range(documents), depth if number % 5 else depth // 3)
    ranking.sort(key=lambda each: (each * topic + number) % 13)
    return "".join(
        f"{topic} Q0 {name_of(each)} {rank} {100 - rank // 3} sys{number}\n"  # with ties
        for rank, each in enumerate(ranking, 1)
    )


def judge(
    campaign: Campaign, assessor: str, topic: str, document: str, grade: int | None, now: datetime
) -> None:
    shown = assessing.show(campaign, topic, document, assessor)
    sent = shown.judged(
        document,
        uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{assessor} {topic} {document} {now}")),
        kind="can't tell" if grade is None else "grade",
        grade=grade,
        replaces=shown.mine.seq if shown.mine else None,
    )
    with suppress(JudgmentRefused):  # a topic of another assessor
        assessing.judge(campaign, sent, assessor=assessor, now=now)


def judge_some(path: Path, chance: Chance, share: float) -> None:
    now = JUDGED
    with open_campaign(path) as campaign:
        for person in ASSESSORS:
            for progress in assessing.topic_progress(campaign, person):
                for item in assessing.queue(campaign, progress.topic_id, person):
                    if chance.random() < share:
                        now += timedelta(seconds=7)
                        grade = chance.choice((0, 0, 0, 1, 1, 2, None))
                        judge(campaign, person, progress.topic_id, item.document_id, grade, now)


def make_settled(path: Path) -> None:
    """Members, double judging, hidden repeats, a norming session, a changed rule, closed topics, a withdrawn run."""
    chance = Chance(1)
    with chdir(path.parent), same_each_time():
        write_task(Path("settled"), chance, topics=6, documents=60, runs=6, depth=12)
        name = f"./{path.name}"
        run(f"new {name} --title 'A settled campaign' --grades '{SCALE}'")
        run(f"add topics {name} settled/topics.tsv")
        run(f"add documents {name} settled/documents.jsonl --all")
        run(f"add runs {name} {' '.join(f'settled/sys{number}.run' for number in range(6))}")
        run(f"pool {name} --depth 4")
        for each in ASSESSORS:
            run(f"member add {name} {each} --role assessor")
        run(f"repeats {name} --share 0.2 --gap 5")
        run(f"assign who {name} assigned")
        run(f"assign spread {name}")
        run(f"assign double {name} --share 0.3 --seed 7")
        judge_some(path, chance, 0.5)
        run(f"norming open {name} 1 --number 4")
        run(f"norming reveal {name}")
        run(f"norming close {name}")
        run(f"rule {name} majority")
        run(f"assign close {name} 6")
        run(f"withdraw {name} sys3 --reason 'the wrong index'")
