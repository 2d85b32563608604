"""Makes a campaign as large as evaluation campaigns get: 143 runs over 50 topics to depth 1000, pooled and judged.

    .venv/bin/python benchmarks/large_campaign.py FILE.db [--runs N] [--topics N] [--depth N] [--pool-depth N]
        [--members N] [--judged SHARE]

The same numbers always make the same campaign, save the ids that its log has for people. Runs differ in how good
they are; 40 teams sent them. With --members there are so many people more, every other one an assessor, the rest
participants of the teams. The pool has depth 100, unless another is given, and 90 of 100 pairs are judged: by five
assessors at the same time, each with topics of their own, one judgment every twenty seconds, in the order of the log.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from uuid import UUID

import numpy as np

from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Grade, Judgment, Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import documents, runs, topics
from workbench.storage.campaign.collection.ranking_blobs import checksum_of_ids, pack_documents, pack_scores
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

SEED = 3
POOL_DEPTH = 100
JUDGED = 0.9
RELEVANT = 0.6
"""The share of relevant documents at the very top."""

ASSESSORS = ("Ann", "Ben", "Carla", "Dan", "Eva")
ORGANISER = "Anna"
TEAMS = 40
BEGUN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PACE = timedelta(seconds=4)
"""From one judgment of the log to the next; each assessor takes five times as long."""

GRADES = (Grade(0, "Not relevant"), Grade(1, "Relevant"), Grade(2, "Highly relevant"))


class Maker:
    """Runs that agree at the top and less and less further down, as real ones do, some better than others.

    The documents of a topic are in stretches, one for each rank, that grow with the rank, the best documents of
    a stretch first. A ranking has one of each stretch; a better run takes one from nearer its beginning. Then
    neighbours change places.
    """

    def __init__(
        self,
        n_runs: int = 143,
        n_topics: int = 50,
        depth: int = 1000,
        pool_depth: int = POOL_DEPTH,
        n_members: int = 0,
    ) -> None:
        self.rng = np.random.default_rng(SEED)
        self.n_members = n_members
        self.n_runs, self.n_topics, self.depth, self.pool_depth = n_runs, n_topics, depth, pool_depth
        self.width = 1 + np.arange(depth) // 8
        self.first = np.cumsum(self.width) - self.width
        self.n_documents = int(self.width.sum())
        self.pooled = np.zeros((n_topics, self.n_documents), np.bool_)
        self.skill = np.random.default_rng(SEED).uniform(0.6, 2.0, n_runs)

    def topic_ids(self) -> list[str]:
        """Names of the topics, from 301."""
        return [f"{301 + number}" for number in range(self.n_topics)]

    def document_id(self, topic_id: str, number: int) -> str:
        """A name as long as those of web collections."""
        return f"made{topic_id}-en00-{number:06d}"

    def rankings(self, run: int) -> np.ndarray:
        """One run's documents, uint32 (topics, depth)."""
        shape = (self.n_topics, self.depth)
        chosen = self.rng.random(shape) ** self.skill[run]
        found = self.first + (chosen * self.width).astype(np.int64)
        spread = self.rng.uniform(1 - 0.3 / self.skill[run], 1 + 0.4 / self.skill[run], shape)
        order = np.argsort(np.arange(self.depth) * spread, axis=1)
        found = np.take_along_axis(found, order, axis=1)
        self.pooled[np.arange(self.n_topics)[:, np.newaxis], found[:, : self.pool_depth]] = True
        return found.astype(np.uint32)

    def grades(self, topic: int, share: float) -> Iterator[tuple[int, int]]:
        """Numbers and grades of a topic's judged documents, from the top of the pool down."""
        chosen = np.flatnonzero(self.pooled[topic] & (self.rng.random(self.n_documents) < share))
        stretch = np.searchsorted(self.first, chosen, side="right") - 1
        place = (chosen - self.first[stretch]) / self.width[stretch]
        chance = RELEVANT * (1 - place) ** 2 / (1 + stretch / 25)
        grades = np.where(self.rng.random(len(chosen)) < chance, self.rng.integers(1, 3, len(chosen)), 0)
        return zip(chosen.tolist(), grades.tolist(), strict=True)


def made_text(document_id: str) -> str:
    """A text of a few words."""
    return f"All that {document_id} has to say."


def make(path: Path, maker: Maker, *, share: float = JUDGED, text: Callable[[str], str] = made_text) -> None:
    """The campaign, by the functions that store what `workbench add` and `workbench pool` have read and computed."""
    with create_campaign(path) as campaign:
        _begin(campaign, maker)
        scores = pack_scores(np.arange(maker.depth, 0, -1, dtype=np.float64))
        for number in range(maker.n_runs):
            _add_run(campaign, maker, number, scores)
        _store_texts(campaign, maker, text)
        add_pool(campaign.by(ORGANISER, BEGUN), depth=maker.pool_depth)
        _judge(campaign, maker, share)


def _begin(campaign: Campaign, maker: Maker) -> None:
    ids = maker.topic_ids()
    with campaign.write():
        changes = {"title": "A large campaign", "grades": GRADES, "relevant_from": 1}
        settings.change(campaign.by(ORGANISER, BEGUN), changes)
        for name, role in {ORGANISER: "organiser", **dict.fromkeys(ASSESSORS, "assessor")}.items():
            members.put(campaign.by(ORGANISER, BEGUN), name, role)
        for number in range(maker.n_members):
            role, team = ("participant", f"team{number % TEAMS:02d}") if number % 2 else ("assessor", "")
            members.put(campaign.by(ORGANISER, BEGUN), f"member{number:04d}", role, team=team)
        made = [Topic(each, f"what is said of {each}", f"Find what is said of {each}.") for each in ids]
        topics.put(campaign.by(ORGANISER, BEGUN), made, files=[])
        names = {
            each: [maker.document_id(each, number) for number in range(maker.n_documents)] for each in ids
        }
        runs.extend_vocabularies(campaign, {each: (0, named) for each, named in names.items()})


def _add_run(campaign: Campaign, maker: Maker, number: int, scores: bytes) -> None:
    ranked = list(zip(maker.topic_ids(), maker.rankings(number), strict=True))
    packed = [(topic_id, pack_documents(row), scores) for topic_id, row in ranked]
    named = [
        (topic_id, "\n".join(maker.document_id(topic_id, each) for each in row.tolist()), scores)
        for topic_id, row in ranked
    ]
    record = runs.RunRecord(
        tag=f"run{number:03d}",
        team=f"team{number % TEAMS:02d}",
        file=f"run{number:03d}.gz",
        sha256="",
        lines=maker.n_topics * maker.depth,
        topics=maker.n_topics,
        contributes=True,
        header="",
        rankings_sha256=checksum_of_ids(sorted(named)),
    )
    with campaign.write():
        runs.put_run(campaign.by(ORGANISER, BEGUN), record, packed)


def _store_texts(campaign: Campaign, maker: Maker, text: Callable[[str], str]) -> None:
    named = [
        maker.document_id(topic_id, number)
        for topic, topic_id in enumerate(maker.topic_ids())
        for number in np.flatnonzero(maker.pooled[topic]).tolist()
    ]
    texts = (Document(each, f"On {each}", text(each)) for each in named)
    with campaign.write():
        campaign.db.conn.executemany(
            "INSERT INTO document (document, title, text, media_type, fields, text_hash) VALUES (?, ?, ?, ?, ?, ?)",
            map(documents.document_row, texts),
        )


def _judge(campaign: Campaign, maker: Maker, share: float) -> None:
    """All assessors at the same time: the first judgment of each, then the second of each, and so on."""
    ids = maker.topic_ids()
    piles: list[list[tuple[str, str, int]]] = [[] for _ in ASSESSORS]
    for topic, topic_id in enumerate(ids):
        piles[topic % len(piles)] += [
            (topic_id, maker.document_id(topic_id, number), grade)
            for number, grade in maker.grades(topic, share)
        ]
    rows = [
        (assessor, *pair)
        for together in zip_longest(*piles)
        for assessor, pair in zip(ASSESSORS, together, strict=True)
        if pair is not None
    ]
    with campaign.write():
        log.append_judgments(campaign, _judgments(rows))


def _judgments(rows: Sequence[tuple[str, str, str, int]]) -> Iterator[Judgment]:
    for number, (assessor, topic_id, document_id, grade) in enumerate(rows):
        at = log.timestamp(BEGUN + number * PACE)
        yield Judgment(
            0, str(UUID(int=number)), at, at, assessor, topic_id, document_id, 1, None, None, None,
            "grade", grade, None, 20.0, "", "screen",
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--runs", type=int, default=143)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--pool-depth", type=int, default=POOL_DEPTH)
    parser.add_argument("--members", type=int, default=0, help="so many people more")
    parser.add_argument("--judged", type=float, default=JUDGED, help="the share of the pool that is judged")
    given = parser.parse_args()
    maker = Maker(given.runs, given.topics, given.depth, given.pool_depth, given.members)
    make(given.file, maker, share=given.judged)
    print(f"{given.file}: {given.file.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
