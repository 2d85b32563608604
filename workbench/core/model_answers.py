"""Judges, which are models with a prompt, and what each answered about a topic and a document, or a unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from workbench.core import values
from workbench.core.battles import PREFERS_FIRST, PREFERS_NEITHER, PREFERS_SECOND
from workbench.core.values import Given

LONGEST_PROMPT, LONGEST_ANSWER = 1_000_000, 10_000_000
LONGEST_WORDS = 1_000
MOST_SAMPLES, MOST_GRADES = 1_000_000, 1_000

UNREADABLE, OFF_SCALE, REFUSED = "unreadable", "off the scale", "refused"
CUT_OFF, NO_ANSWER = "cut off", "no answer"
"""Usual reasons why an answer is no label; a runner may give others."""

TOPIC_WORDS, COMMON_WORDS = "topic", "common"
"""The kinds of a probe's documents, by their words."""
PROBE = re.compile(f"probe-({TOPIC_WORDS}|{COMMON_WORDS})-[0-9a-f]{{16}}")
"""The ids of a probe's documents, which are made up and get no labels in a campaign."""

NO_PARAMETERS: Mapping[str, Any] = MappingProxyType({})

Pair = tuple[str, str]
Samples = dict[int, int]
"""The grade of each sample that has one, by its number."""

_ID, _WORDS = values.text(values.LONGEST_ID), values.text(LONGEST_WORDS)
_VERSION = values.whole("a version from 0", 0)


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError("an object is expected")
    return value


_OBJECT = values.Values(_object, {"type": "object"})


class Judge(NamedTuple):
    """A model with its prompt, whose labels stand in the log under `name`; a changed judge is a new version of it.

    Attributes:
        name: the assessor of its labels.
        model, provider, family: which model, who runs it, and which models it is related to; "" for unknown.
        prompt: the whole text of the template, "" for unknown.
        parameters: what is sent with each prompt, such as a temperature.
        question: the question that it answers, "" for relevance.
        scale: the grades that it can give, ascending.
        narrative: whether it is shown the narrative of the topic.
        cut: the rule by which long texts are cut, "" for none.
        version: from 1; the log gives it.
    """

    name: Annotated[str, Given(values.text(values.LONGEST_NAME))]
    model: Annotated[str, Given(_WORDS)] = ""
    provider: Annotated[str, Given(_WORDS)] = ""
    family: Annotated[str, Given(_WORDS)] = ""
    prompt: Annotated[str, Given(values.text(LONGEST_PROMPT))] = ""
    parameters: Annotated[Mapping[str, Any], Given(_OBJECT)] = NO_PARAMETERS
    question: Annotated[str, Given(values.text(values.LONGEST_NAME))] = ""
    scale: Annotated[tuple[int, ...], Given(values.several(values.INTEGER, MOST_GRADES, "grade"))] = (0, 1)
    narrative: Annotated[bool, Given(values.TRUTH)] = False
    cut: Annotated[str, Given(_WORDS)] = ""
    version: Annotated[int, Given(_VERSION)] = 0

    @property
    def content(self) -> dict[str, Any]:
        """The judge as JSON has it."""
        return {**self._asdict(), "scale": list(self.scale), "parameters": dict(self.parameters)}

    @property
    def prompt_sha256(self) -> str:
        """SHA-256 of the template in UTF-8, hexadecimal; "" where it is unknown."""
        return sha256(self.prompt.encode("utf-8", "surrogatepass")).hexdigest() if self.prompt else ""


_TOKENS = values.whole("a number of tokens", 0)


class ModelAnswer(NamedTuple):
    """One answer of a judge about a pair: a grade, or why there is none, and what it took.

    Attributes:
        topic_id, document_id: what was judged; of a unit the topic of its question.
        sample: the number of the repeat, from 0.
        grade: the label; None where the answer is none, which is never grade 0.
        failure: why it is no label; "" where there is a grade.
        raw: the answer as the model gave it, "" for unknown.
        model: the model that the endpoint named.
        prompt_sha256: SHA-256 of the prompt as it was sent, hexadecimal; "" for unknown.
        input_tokens, output_tokens, seconds, cost: what it took; None for unknown.
        at: when the answer came, in ISO 8601; None for unknown.
        marked: what is suspicious about it, such as a document that tells the model what to answer.
    """

    topic_id: Annotated[str, Given(_ID, column="topic")]
    document_id: Annotated[str, Given(_ID, column="document")]
    sample: Annotated[int, Given(values.whole("a repeat number from 0", 0, MOST_SAMPLES))] = 0
    grade: Annotated[int | None, Given(values.INTEGER)] = None
    failure: Annotated[str, Given(_WORDS)] = ""
    raw: Annotated[str, Given(values.text(LONGEST_ANSWER))] = ""
    model: Annotated[str, Given(_WORDS)] = ""
    prompt_sha256: Annotated[str, Given(values.text(values.LONGEST_NAME))] = ""
    input_tokens: Annotated[int | None, Given(_TOKENS)] = None
    output_tokens: Annotated[int | None, Given(_TOKENS)] = None
    seconds: Annotated[float | None, Given(values.number("a number of seconds", 10_000_000))] = None
    cost: Annotated[float | None, Given(values.number("a cost", 1_000_000_000))] = None
    at: Annotated[str | None, Given(values.MOMENT)] = None
    marked: Annotated[str, Given(_WORDS)] = ""

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic_id, self.document_id

    @property
    def is_label(self) -> bool:
        """Whether it has a grade, and is about no made-up document of a probe."""
        return self.grade is not None and not PROBE.fullmatch(self.document_id)

    def checked(self) -> ModelAnswer:
        """The answer as it is stored; ValueError for a value that no answer has."""
        found = {field.name: field.read_named(getattr(self, field.name)) for field in FIELDS}
        if (self.grade is None) is not bool(self.failure):
            raise ValueError("an answer has either a grade or a reason why it is no label")
        return ModelAnswer(**found)


class Submitted(NamedTuple):
    """Which team submitted a file of answers, the checksum of the file, and when the server had received it."""

    team: str
    file_sha256: str
    received: str


class Effort(NamedTuple):
    """What a label of a judge took in the mean, repeats and failed answers counted; None where no answer says it.

    Attributes:
        tokens: sent and received.
        cost: in the currency of the prices.
    """

    tokens: float | None = None
    cost: float | None = None


def effort_of(answers: Iterable[ModelAnswer]) -> Effort:
    """What answers took by the pairs that have a grade: each value of those answers alone that have it."""
    total, labelled = [0.0, 0.0], (set[Pair](), set[Pair]())
    for each in answers:
        sent, received = each.input_tokens, each.output_tokens
        tokens = None if sent is None or received is None else sent + received
        for place, value in enumerate((tokens, each.cost)):
            if value is not None:
                total[place] += value
                labelled[place].update([each.pair] if each.grade is not None else ())
    return Effort(
        *(value / len(pairs) if pairs else None for value, pairs in zip(total, labelled, strict=True))
    )


FIELDS, JUDGE_FIELDS = values.declared(ModelAnswer), values.declared(Judge)


def answer_of(content: Mapping[str, Any]) -> ModelAnswer:
    """The answer in a JSON object; ValueError for a value that no answer has, a field too many, and one too few."""
    _check_names(content, FIELDS)
    return ModelAnswer(**content).checked()


def judge_of(content: Mapping[str, Any]) -> Judge:
    """The judge in a JSON object; errors as of `answer_of`."""
    _check_names(content, JUDGE_FIELDS)
    return Judge(**{field.name: field.read_named(content[field.name]) for field in JUDGE_FIELDS})


def _check_names(content: Mapping[str, Any], fields: Sequence[values.Declared]) -> None:
    names = [field.name for field in fields]
    if wrong := sorted(set(names) ^ content.keys()):
        raise ValueError(f"unknown or missing: {wrong[0]}; the fields are {', '.join(names)}")


def mode(grades: Iterable[int], *, of_pairs: bool = False) -> int:
    """The most frequent of several grades, the lowest of those that are equally frequent.

    Of pairs of things a tie where both are preferred as often, so that neither gains from its place in the pair.

    >>> mode([2, 1, 2, 1, 0]), mode([2, 1], of_pairs=True), mode([2, 3, 1, 2], of_pairs=True)
    (1, 3, 2)
    """
    counts = Counter(grades)
    found = min(counts, key=lambda grade: (-counts[grade], grade))
    is_even = of_pairs and found == PREFERS_FIRST and counts[PREFERS_SECOND] == counts[found]
    return PREFERS_NEITHER if is_even else found


class Labelled(NamedTuple):
    """The samples of a pair with a grade, of one version of a judge."""

    version: int
    samples: Samples

    def label(self, *, of_pairs: bool = False) -> int:
        """The most frequent grade of the samples, as `mode`."""
        return mode(self.samples.values(), of_pairs=of_pairs)


def add_answer(
    found: dict[Pair, Labelled], version: int, answer: ModelAnswer, key: Pair | None = None
) -> None:
    """Take in an answer under its pair, or another key; what comes earlier in the log is there already."""
    if answer.grade is not None:
        key = key or answer.pair
        if (labelled := found.get(key)) is None or labelled.version < version:
            labelled = found[key] = Labelled(version, {})
        if labelled.version == version:
            labelled.samples[answer.sample] = answer.grade
