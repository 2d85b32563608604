"""What an unpacked release bundle says, read without trust: every value is checked before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from workbench.campaign.submission_rules import LONGEST_FIELD, LONGEST_TEXT, MOST_FIELDS
from workbench.core.errors import InputError, Problem, WorkbenchError
from workbench.core.model_answers import ModelAnswer, answer_of
from workbench.core.records import REMAPPED, TAKEN_BACK, Grade, Judgment, Pooled, Question, Topic
from workbench.core.run_costs import checked_costs
from workbench.formats.answers.forms import FORMS
from workbench.formats.run_tables import LONGEST_NUMBER
from workbench.formats.scale import check_relevance
from workbench.methods.pairing import PAIRINGS
from workbench.methods.pooling import ORDERS, STRATEGIES
from workbench.release.bundle import checked_values as checked
from workbench.release.bundle.judging_arrangements import Arrangement, arranged
from workbench.release.bundle.writing import BUNDLE_FORMAT, MODEL_ANSWERS, PUBLISHED
from workbench.storage.campaign.assigning.draws import ALLOCATIONS, STRATA, DrawnPair, DrawRecord
from workbench.storage.campaign.collection.pools import PoolRecord
from workbench.storage.campaign.collection.runs import RunRepair
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.sources import IMPORTED_LABELS, MODEL_LABELS

IMPORTED = tuple(field for field in PUBLISHED if field.given.part != "shown" or field.name == "left")
Read = TypeVar("Read")


class Release(NamedTuple):
    """The settings in a bundle, and its log row."""

    title: str
    grades: tuple[Grade, ...]
    relevant_from: int
    guidelines: str
    seq: int
    label_rule: str
    imported_labels: str
    model_labels: str
    questions: tuple[Question, ...] = ()


class ReleasedRun(NamedTuple):
    """A run of the bundle's table; `path` is None where the run itself is not in it.

    `sha256` is the checksum of the file as it was submitted, `repairs` what was changed before it was stored, `said`
    what its sender said of it, by the names of `RunDetails`, `form` that of its answers, "" for a run of documents.
    """

    tag: str
    team: str
    file: str
    contributes: bool
    path: str | None
    sha256: str
    repairs: tuple[RunRepair, ...]
    said: Mapping[str, Any]
    form: str


class ReleasedPool(NamedTuple):
    """How a pool was made, the number under which its pairs name it, and its place in the log that it came from."""

    number: int
    record: PoolRecord
    seq: int


class ReleasedPair(NamedTuple):
    """A pooled pair, the number of its pool, and the place of its choice in the log that it came from."""

    pooled: Pooled
    pool: int
    choice: int | None = None


class ReleasedDraw(NamedTuple):
    """A draw of pairs to be judged twice, and the row of the log that it came from."""

    seq: int
    record: DrawRecord
    drawn: list[DrawnPair]


class Bundle:
    """An unpacked bundle: its files by their paths, and the name of the archive for messages."""

    def __init__(self, name: str, files: Mapping[str, Path]) -> None:
        self.name = name
        self.files = files

    def release(self) -> Release:
        """What `settings.json` says; InputError for a bundle of another format, or none at all."""
        found = self._whole("settings.json", lambda content: checked.number(content["bundle"]))
        if found != BUNDLE_FORMAT:
            message = (
                f"the bundle has format {found}, and this workbench reads format {BUNDLE_FORMAT}; "
                "use the version of the workbench that wrote it"
            )
            raise self.refused("settings.json", message)
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

    def arrangements(self) -> list[Arrangement]:
        """How judging was arranged, oldest first; none where the bundle has no such file."""
        if "arrangements.jsonl" not in self.files:
            return []
        return list(self._lines("arrangements.jsonl", arranged))

    def judgments(self) -> Iterator[Judgment]:
        """The judgments in the order in which they were made.

        Their `seq` and `replaces` count the rows of the log that they came from; `source` is the bundle or of _SOURCES.
        """
        return self._lines("judgments.jsonl", lambda content: _judgment(content, self.name))

    def model_answers(self) -> Iterator[tuple[int, ModelAnswer]]:
        """What models answered, each with the row of the log that its batch came from; none without such a file."""
        return self._lines(MODEL_ANSWERS, _model_answer) if MODEL_ANSWERS in self.files else iter(())

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


def _scale(value: Any) -> tuple[Grade, ...]:
    return tuple(
        Grade(checked.grade(each[0]), *map(checked.text, each[1:])) for each in checked.listing(value)
    )


_question = checked.record(
    Question,
    grades=_scale,
    labels=_scale,
    asked_from=checked.optional(checked.grade),
    counts=lambda value: tuple(map(checked.row(checked.grade, checked.grade), checked.listing(value))),
)
_whole_release = checked.record(
    Release,
    grades=lambda value: tuple(map(checked.record(Grade), value)),
    label_rule=checked.one_of(LABEL_RULES),
    imported_labels=checked.one_of(IMPORTED_LABELS),
    model_labels=checked.one_of(MODEL_LABELS),
    questions=lambda value: tuple(map(_question, checked.listing(value))),
)


def _release(content: Any) -> Release:
    found = _whole_release({"questions": [], **content, "seq": content["as_of"]["seq"]})
    check_relevance([each.grade for each in found.grades], found.relevant_from)
    return found


def _texts(value: Any) -> dict[str, str]:
    return {checked.text(name): checked.text(each) for name, each in dict(value).items()}


_topic = checked.record(Topic, fields=_texts)
_repair = checked.record(RunRepair)
_drawn = checked.record(DrawnPair)
_pooled = checked.record(Pooled)
_draw_record = checked.record(
    DrawRecord,
    share=checked.probability,
    stratify=checked.one_of(STRATA),
    allocate=checked.one_of(ALLOCATIONS),
)
_wanted = checked.within(1, 10**LONGEST_NUMBER - 1)
_form = checked.one_of(("", *FORMS))
_ties, _viewing = checked.one_of(("descending", "ascending")), checked.one_of(ORDERS)


def _run(content: Any) -> ReleasedRun:
    return ReleasedRun(
        checked.text(content["run"]),
        checked.text(content["team"]),
        checked.text(content["file"]),
        bool(content["in_pools_by_default"]),
        checked.optional(checked.text)(content["path"]),
        checked.text(content["sha256"]),
        tuple(map(_repair, content["repairs"])),
        _said(content),
        _form(content["form"]),
    )


def _said(content: Any) -> dict[str, Any]:
    said = {name: _wanted(content[name]) for name in ("priority", "depth") if content[name] is not None}
    texts = _texts(content["description"])
    if len(texts) > MOST_FIELDS:
        raise ValueError(f"{len(texts):,} fields of a description")
    if any(len(name) > LONGEST_FIELD or len(text) > LONGEST_TEXT for name, text in texts.items()):
        raise ValueError("a field of a description is too long")
    if sent := checked.text(content["sent"]):
        said["sent"] = sent
    costs = checked_costs(dict(content["costs"]))
    return said | ({"description": texts} if texts else {}) | ({"costs": costs} if costs else {})


def _pool(content: Any) -> ReleasedPool:
    name = checked.text(content["strategy"])
    strategy = PAIRINGS.get(name) or STRATEGIES.find(name, content.get("plugin", ""))
    given = {name: checked.parameter(value) for name, value in content["parameters"].items()}
    record = PoolRecord(
        strategy.name,
        strategy.check(given),
        _ties(content["ties"]),
        tuple(checked.list_of(checked.text)(content["runs"])),
        _viewing(content["viewing"]),
        checked.number(content["seed"]),
        checked.optional(checked.text)(content.get("residual")),
        checked.text(content.get("question", "")),
        checked.text(content.get("plugin", "")),
    )
    return ReleasedPool(checked.number(content["pool"]), record, checked.number(content["seq"]))


def _draw(content: Any) -> ReleasedDraw:
    drawn = [_drawn(each) for each in content["drawn"]]
    return ReleasedDraw(checked.number(content["seq"]), _draw_record(content), drawn)


def _pair(content: Any) -> ReleasedPair:
    choice = checked.optional(checked.number)(content.get("choice"))
    return ReleasedPair(_pooled(content), checked.number(content["pool"]), choice)


def _model_answer(content: Any) -> tuple[int, ModelAnswer]:
    batch = checked.number(content.pop("batch"))
    answer = answer_of(content)
    checked.topic_id(answer.topic_id)
    checked.document_id(answer.document_id)
    return batch, answer


_SOURCES = {"taken_back": TAKEN_BACK, "remapped": REMAPPED}


def _judgment(content: Any, source: str) -> Judgment:
    """A judgment, without what was shown and with no words of rationales: the new campaign has other versions."""
    judgment = Judgment(
        seq=checked.number(content["seq"]),
        assessor=checked.name(content["assessor"]),
        comment=checked.text(content.get("comment", "")),
        source=next((each for word, each in _SOURCES.items() if content.get(word) is True), source),
        **{field.name: field.read_named(content[field.name]) for field in IMPORTED},
    )
    checked.topic_id(judgment.topic_id)
    for document_id in judgment.documents:
        checked.document_id(document_id)
    if judgment.grade is not None:
        checked.grade(judgment.grade)
    if not judgment.has_its_grade():
        raise ValueError(judgment.kind, judgment.grade)
    return judgment
