"""What an unpacked release bundle says, read without trust: every value is checked before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from workbench.campaign.assignments import PARTS
from workbench.campaign.draws import ALLOCATIONS, STRATA, DrawnPair, DrawRecord
from workbench.campaign.labels import LABEL_RULES, NEWEST
from workbench.campaign.pools import PoolRecord
from workbench.campaign.schema import KINDS
from workbench.campaign.sources import EQUAL, IMPORT, IMPORTED_LABELS, MODEL, MODEL_LABELS, NEVER
from workbench.errors import InputError, Problem, WorkbenchError
from workbench.formats.scale import check_relevance
from workbench.pooling import ORDERS, STRATEGIES
from workbench.publishing import checked
from workbench.publishing.arranged import Arranged, arranged
from workbench.publishing.bundle import BUNDLE_FORMAT
from workbench.records import Grade, Pooled, Topic

WITHOUT_GRADE = ("can't tell", "cleared")
GRADED = ("grade", IMPORT, MODEL)
Read = TypeVar("Read")


class Release(NamedTuple):
    """The settings that a bundle carries, and the row of the log that it stands for; `assigned` is topic, part and
    assessor, where labels depend on that.
    """

    title: str
    grades: tuple[Grade, ...]
    relevant_from: int
    guidelines: str
    seq: int
    label_rule: str
    assigned: tuple[tuple[str, str, str], ...]
    imported_labels: str
    model_labels: str


class ReleasedRun(NamedTuple):
    """A run of the bundle's table; `path` is None where the run itself is not in it."""

    tag: str
    team: str
    file: str
    contributes: bool
    path: str | None


class ReleasedPool(NamedTuple):
    """How a pool was made, and the number under which its pairs name it."""

    number: int
    record: PoolRecord


class ReleasedPair(NamedTuple):
    """A pooled pair and the number of its pool."""

    pooled: Pooled
    pool: int


class ReleasedDraw(NamedTuple):
    """A draw of pairs to be judged twice, and the row of the log that it came from."""

    seq: int
    record: DrawRecord
    drawn: list[DrawnPair]


class ReleasedJudgment(NamedTuple):
    """A judgment as it was published: `seq` and `replaces` count the rows of the log that it came from."""

    seq: int
    assessor: str
    topic_id: str
    document_id: str
    pool: int | None
    kind: str
    grade: int | None
    replaces: int | None
    active_seconds: float | None
    input: str | None
    same_as: str | None
    comment: str
    taken_back: bool


class Bundle:
    """An unpacked bundle: its files by their paths, and the name of the archive for messages."""

    def __init__(self, name: str, files: Mapping[str, Path]) -> None:
        self.name = name
        self.files = files

    def release(self) -> Release:
        """What `settings.json` says; InputError for a bundle of a later workbench, or none at all."""
        if self._whole("settings.json", lambda told: checked.number(told["bundle"])) > BUNDLE_FORMAT:
            raise self.refused("settings.json", "a later workbench wrote it; update the workbench")
        return self._whole("settings.json", _release)

    def topics(self) -> list[Topic]:
        """The topics."""
        return list(self._lines("topics.jsonl", _topic))

    def runs(self) -> list[ReleasedRun]:
        """The runs that are in the bundle, and those that are only named."""
        return list(self._lines("runs.jsonl", _run))

    def pools(self) -> list[ReleasedPool]:
        """The pools, oldest first."""
        return self._whole("pools.json", lambda value: [_pool(each) for each in value])

    def pairs(self) -> Iterator[ReleasedPair]:
        """The pooled pairs."""
        return self._lines("pool.jsonl", _pair)

    def draws(self) -> list[ReleasedDraw]:
        """The draws of pairs to be judged twice, oldest first; none where the bundle has no such file."""
        if "drawn.json" not in self.files:
            return []
        return self._whole("drawn.json", lambda value: [_draw(each) for each in value])

    def arrangements(self) -> list[Arranged] | None:
        """How judging was arranged, oldest first; None where the bundle has no such file."""
        return (
            list(self._lines("arrangements.jsonl", arranged)) if "arrangements.jsonl" in self.files else None
        )

    def judgments(self) -> Iterator[ReleasedJudgment]:
        """The judgments in the order in which they were made."""
        return self._lines("judgments.jsonl", _judgment)

    def file(self, name: str) -> Path:
        """Where a file of the bundle was unpacked; InputError when it is not there."""
        if name not in self.files:
            raise self.refused(name, "the bundle lacks this file")
        return self.files[name]

    def refused(self, name: str, message: str, line: int | None = None) -> InputError:
        """The error for a file in the bundle."""
        return InputError([Problem(f"{self.name}/{name}", line, message)])

    def _whole(self, name: str, read: Callable[[Any], Read]) -> Read:
        return self._read(name, None, self.file(name).read_bytes(), read)

    def _lines(self, name: str, read: Callable[[Any], Read]) -> Iterator[Read]:
        with self.file(name).open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                yield self._read(name, number, line, read)

    def _read(self, name: str, line: int | None, data: bytes, read: Callable[[Any], Read]) -> Read:
        try:
            return read(json.loads(data, parse_constant=checked.decimal))
        except (
            ValueError,
            TypeError,
            LookupError,
            AttributeError,
            ArithmeticError,
            RecursionError,
            WorkbenchError,
        ) as error:
            message = (
                f"this is not what a bundle says there ({type(error).__name__}: {error}); download it again"
            )
            raise self.refused(name, message, line) from error


def _release(told: Any) -> Release:
    grades = tuple(
        Grade(checked.grade(each["grade"]), checked.text(each["name"]), checked.text(each["guideline"]))
        for each in told["grades"]
    )
    check_relevance([grade.grade for grade in grades], relevant_from := checked.number(told["relevant_from"]))
    title, guidelines = checked.text(told["title"]), checked.text(told["guidelines"])
    rule = told.get("label_rule", NEWEST)  # bundles of the first versions do not say it
    if rule not in LABEL_RULES:
        raise ValueError(rule)
    assigned = tuple(map(_assigned, told.get("assigned", ())))
    seq = checked.number(told["as_of"]["seq"])
    imported = checked.one_of(told.get("imported_labels", EQUAL), IMPORTED_LABELS)
    models = checked.one_of(told.get("model_labels", NEVER), MODEL_LABELS)
    return Release(title, grades, relevant_from, guidelines, seq, rule, assigned, imported, models)


def _grade(told: Any) -> Grade:
    return Grade(checked.grade(told["grade"]), checked.text(told["name"]), checked.text(told["guideline"]))


def _assigned(told: Any) -> tuple[str, str, str]:
    if told["part"] not in PARTS:
        raise ValueError(told["part"])
    return checked.identifier("topic", told["topic_id"]), told["part"], checked.name(told["assessor"])


def _topic(told: Any) -> Topic:
    return Topic(
        checked.identifier("topic", told["topic_id"]),
        checked.text(told["title"]),
        checked.text(told["description"]),
        checked.text(told["narrative"]),
        {checked.text(name): checked.text(value) for name, value in told["fields"].items()},
    )


def _run(told: Any) -> ReleasedRun:
    path = None if told["path"] is None else checked.text(told["path"])
    contributes = bool(told["in_pools_by_default"])
    return ReleasedRun(
        checked.text(told["run"]), checked.text(told["team"]), checked.text(told["file"]), contributes, path
    )


def _pool(told: Any) -> ReleasedPool:
    if told["ties"] not in {"descending", "ascending"} or told["viewing"] not in ORDERS:
        raise ValueError(told["ties"], told["viewing"])
    strategy, seed = STRATEGIES[checked.text(told["strategy"])], checked.number(told["seed"])
    if not isinstance(told["runs"], list) or told["parameters"].keys() != set(strategy.parameters):
        raise ValueError(told["runs"], told["parameters"])
    parameters = {name: checked.depth(value) for name, value in told["parameters"].items()}
    tags = tuple(checked.text(tag) for tag in told["runs"])
    record = PoolRecord(strategy.name, parameters, told["ties"], tags, told["viewing"], seed)
    return ReleasedPool(checked.number(told["pool"]), record)


def _draw(told: Any) -> ReleasedDraw:
    words = told["stratify"], told["allocate"]
    if words[0] not in STRATA or words[1] not in ALLOCATIONS:
        raise ValueError(words)
    record = DrawRecord(
        checked.probability(told["share"]),
        checked.number(told["seed"]),
        *words,
        checked.number(told["pairs"]),
    )
    return ReleasedDraw(checked.number(told["seq"]), record, [_drawn(each) for each in told["drawn"]])


def _drawn(told: Any) -> DrawnPair:
    return DrawnPair(
        checked.identifier("topic", told["topic_id"]),
        checked.identifier("document", told["document_id"]),
        checked.text(told["stratum"]),
        checked.probability(told["inclusion_probability"]),
    )


def _pair(told: Any) -> ReleasedPair:
    pooled = Pooled(
        checked.identifier("topic", told["topic_id"]),
        checked.identifier("document", told["document_id"]),
        checked.number(told["best_rank"]),
        checked.number(told["runs"]),
        checked.number(told["stratum"]),
        checked.probability(told["inclusion_probability"]),
    )
    return ReleasedPair(pooled, checked.number(told["pool"]))


def _judgment(told: Any) -> ReleasedJudgment:
    kind = checked.text(told["kind"])
    grade = None if told["grade"] is None else checked.grade(told["grade"])
    if (
        kind not in KINDS
        or (kind in WITHOUT_GRADE and grade is not None)
        or (kind in GRADED and grade is None)
    ):
        raise ValueError(kind, grade)
    same_as = None if told["same_as"] is None else checked.identifier("document", told["same_as"])
    return ReleasedJudgment(
        checked.number(told["seq"]),
        checked.name(told["assessor"]),
        checked.identifier("topic", told["topic_id"]),
        checked.identifier("document", told["document_id"]),
        None if told["pool"] is None else checked.number(told["pool"]),
        kind,
        grade,
        None if told["replaces"] is None else checked.number(told["replaces"]),
        None if told["active_seconds"] is None else checked.decimal(told["active_seconds"]),
        None if told["input"] is None else checked.text(told["input"]),
        same_as,
        checked.text(told.get("comment", "")),
        told.get("taken_back") is True,
    )
