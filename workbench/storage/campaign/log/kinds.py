"""The kinds of events, each declared once: what it says, its fields, how long a text in each may be, and who it names.

From a declaration follow what `log.append_event` takes, and which names are ids in the file. Nothing that was appended
can be taken out again, so a kind that is not declared here, a field that is missing or unknown, and a text that is
too long are refused, for every door at once; code that reads from outside refuses earlier, with a message for its
sender.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workbench.core.errors import CampaignError
from workbench.core.model_answers import LONGEST_PROMPT
from workbench.core.values import LONGEST_ID, LONGEST_NAME, LONGEST_PATH

Names = Mapping[str, str]
"""The id of each name, or the other way round."""
Content = Mapping[str, Any]

NO_TEXT = 0
LONGEST_REASON = 1_000
LONGEST_TOPIC = 10_000_000
"""A topic can be a whole patent."""
LONGEST_HEADER = 1_000_000
"""Comment lines above a run."""
LONGEST_BANK = 10_000_000
"""The file of a topic's nuggets, with traces."""
LONGEST_SETTING = 1_000_000
"""Guidelines are settings."""

SETTINGS_WITH_NAMES = ("searchers",)
"""Settings whose value is a list of names."""


class TextTooLong(CampaignError):
    """A text that the log does not take."""

    @classmethod
    def of(cls, what: str, length: int, longest: int, unit: str = "characters") -> TextTooLong:
        """With the message that says how long it is and may be."""
        return cls(f"{what}: {length:,} {unit}, but the log takes at most {longest:,}; shorten it")


class Kind(str):
    """The name of a kind of event, with its declaration.

    Attributes:
        words: what such an event says.
        fields: the characters of the longest single text in each field; None where any field is one, as of settings.
        optional: the fields that are not in every event of the kind.
        renamed: the fields that hold names of people, with other names; they are ids in the file.
    """

    __slots__ = ("fields", "optional", "renamed", "words")

    words: str
    fields: Mapping[str, int] | None
    optional: frozenset[str]
    renamed: Callable[[Content, Names], dict[str, Any]] | None

    def check(self, content: Content) -> None:
        """TypeError for a field that is missing or unknown, TextTooLong for a text."""
        if self.fields is not None:
            given, required = set(content), set(self.fields) - self.optional
            if wrong := sorted((given - set(self.fields)) | (required - given)):
                there = ", ".join(self.fields) or "none"
                raise TypeError(
                    f"the fields of an event {self!r} are {there}; unknown or missing: {', '.join(wrong)}"
                )
        for name, value in content.items():
            longest = LONGEST_SETTING if self.fields is None else self.fields[name]
            length = max(map(len, _texts(value)), default=0)
            if length > longest:
                raise TextTooLong.of(f"{name} of an event {str(self)!r}", length, longest)


KINDS: dict[str, Kind] = {}
"""All kinds by their names."""


def kind(
    name: str,
    words: str,
    /,
    optional: tuple[str, ...] = (),
    renamed: Callable[[Content, Names], dict[str, Any]] | None = None,
    any_field: bool = False,
    **fields: int,
) -> Kind:
    """Declare a kind of event; `fields` are the characters of the longest text in each."""
    made = Kind(name)
    made.words, made.optional, made.renamed = words, frozenset(optional), renamed
    made.fields = None if any_field else fields
    KINDS[name] = made
    return made


def kind_named(name: str) -> Kind:
    """The declaration of a kind; CampaignError for one that is not declared."""
    if name not in KINDS:
        raise CampaignError(f"this workbench knows no event {name!r}; update it")
    return KINDS[name]


def translated(name: str, content: Content, names: Names) -> dict[str, Any]:
    """The content of an event with its people named by `names`, which has the new name of each."""
    renamed = KINDS[name].renamed if name in KINDS else None
    return dict(content) if renamed is None else {**content, **renamed(content, names)}


def names_people(name: str) -> bool:
    """Whether the content of such events names people, besides their actor."""
    return name in KINDS and KINDS[name].renamed is not None


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, the names of an object's values too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name)
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _settings(content: Content, names: Names) -> dict[str, Any]:
    named = {name: [names[each] for each in content[name]] for name in SETTINGS_WITH_NAMES if name in content}
    return {**content, **named}


def _in(field: str) -> Callable[[Content, Names], dict[str, Any]]:
    """A field that is a name."""
    return lambda content, names: {field: names[content[field]]}


def _each_of(field: str) -> Callable[[Content, Names], dict[str, Any]]:
    """A field that is a list of names."""
    return lambda content, names: {field: [names[each] for each in content[field]]}


def _at_the_end_of(field: str) -> Callable[[Content, Names], dict[str, Any]]:
    """A list of lists, each with a name at its end."""
    return lambda content, names: {field: [[*row[:-1], names[row[-1]]] for row in content[field]]}


SETTINGS = kind("settings", "settings were changed", renamed=_settings, any_field=True)
MEMBER = kind(
    "member", "a person was given a role, or lost it", renamed=_in("name"), optional=("team",),
    name=LONGEST_NAME, role=LONGEST_NAME, team=LONGEST_NAME,
)  # fmt: skip
PERSON = kind(
    "person", "a name was corrected, hidden, shown or erased", renamed=_in("person"), optional=("words",),
    person=LONGEST_NAME, change=LONGEST_NAME, words=NO_TEXT,
)  # fmt: skip

TOPICS = kind(
    "topics", "topics were given, changed or deleted", optional=("removed", "reason", "question"),
    files=LONGEST_PATH, topics=LONGEST_TOPIC, removed=LONGEST_ID, reason=LONGEST_REASON, question=LONGEST_NAME,
)  # fmt: skip
TOPIC_WITHDRAWAL, TOPIC_RESTORATION = (
    kind(name, words, topics=LONGEST_ID, reason=LONGEST_REASON)
    for name, words in (
        ("topic withdrawal", "topics were taken out"),
        ("topic restoration", "topics were put back"),
    )
)
NUGGETS = kind(
    "nuggets", "a topic's nuggets were set", renamed=_each_of("people"), optional=("container",),
    topic=LONGEST_ID, bank=LONGEST_BANK, people=LONGEST_NAME, file=LONGEST_PATH, container=LONGEST_BANK,
)  # fmt: skip
DOCUMENTS = kind(
    "documents", "a file of documents was added",
    source=NO_TEXT, path=LONGEST_PATH, size=NO_TEXT, sha256=LONGEST_NAME, documents=NO_TEXT,
)  # fmt: skip
CHANGED_TEXTS = kind("changed texts", "a file replaced texts of documents", source=NO_TEXT, texts=LONGEST_ID)
DELETED_DOCUMENTS = kind(
    "deleted documents", "documents that nothing referred to were deleted",
    documents=LONGEST_ID, sources=LONGEST_NAME, reason=LONGEST_REASON,
)  # fmt: skip
BROKEN_DOCUMENT, MENDED_DOCUMENT = (
    kind(name, words, document=LONGEST_ID, text_hash=LONGEST_NAME, reason=LONGEST_REASON)
    for name, words in (
        ("broken document", "a document cannot be judged"),
        ("document not broken", "a document can be judged after all"),
    )
)
RUN = kind(
    "run", "a run was added", optional=("repairs", "warnings", "form", "answers_sha256"),
    run=NO_TEXT, tag=LONGEST_ID, team=LONGEST_NAME, file=LONGEST_PATH, sha256=LONGEST_NAME, lines=NO_TEXT,
    topics=NO_TEXT, contributes=NO_TEXT, header=LONGEST_HEADER, rankings_sha256=LONGEST_NAME, repairs=LONGEST_ID,
    warnings=LONGEST_HEADER, form=LONGEST_NAME, answers_sha256=LONGEST_NAME,
)  # fmt: skip
RUN_DETAILS = kind(
    "run details", "a run was described or corrected",
    run=NO_TEXT, was=LONGEST_ID, now=LONGEST_ID, reason=LONGEST_REASON,
)  # fmt: skip
RUN_CODES = kind("run codes", "runs were given codes for a blind release", codes=LONGEST_NAME)
WITHDRAWAL, RESTORATION = (
    kind(name, words, run=NO_TEXT, tag=LONGEST_ID, reason=LONGEST_REASON)
    for name, words in (("withdrawal", "a run was taken out"), ("restoration", "a run was put back"))
)
USER_OUTCOMES = kind(
    "user outcomes", "what users did with runs was added, as a summary",
    unit=LONGEST_NAME, files=LONGEST_NAME, metrics=LONGEST_NAME, preferences=LONGEST_NAME,
)  # fmt: skip
ROUND = kind("round", "a round was opened", optional=("runs",), name=LONGEST_NAME, runs=NO_TEXT)
ROUND_CANCELLED = kind("round cancelled", "a round that held nothing was cancelled", name=LONGEST_NAME)
CHANGED_IDS = kind("changed ids", "documents have other ids in a new release", ids=LONGEST_ID)

POOL = kind(
    "pool", "a pool was made", optional=("residual", "question", "plugin"),
    pool=NO_TEXT, strategy=LONGEST_ID, parameters=LONGEST_ID, ties=LONGEST_NAME, runs=LONGEST_ID, viewing=LONGEST_NAME,
    seed=NO_TEXT, residual=LONGEST_NAME, question=LONGEST_NAME, plugin=LONGEST_NAME, pairs=NO_TEXT,
    pairs_sha256=LONGEST_NAME,
)  # fmt: skip
RETIREMENT = kind("retirement", "a pool was taken out", pool=NO_TEXT, reason=LONGEST_REASON)
CHOICE = kind(
    "choice", "an adaptive pool took in further pairs of a topic", optional=("texts", "compared"),
    pool=NO_TEXT, topic=LONGEST_ID, pairs=LONGEST_ID, seen=NO_TEXT, texts=LONGEST_NAME, compared=LONGEST_ID,
)  # fmt: skip

ASSIGNMENT = kind(
    "assignment", "topics were given to assessors", renamed=_at_the_end_of("assigned"),
    replaced=LONGEST_ID, assigned=LONGEST_ID,
)  # fmt: skip
CLOSING, REOPENING = (
    kind(name, words, topics=LONGEST_ID, reason=LONGEST_REASON)
    for name, words in (("closing", "topics were closed"), ("reopening", "topics were opened again"))
)
DRAW = kind(
    "draw", "pairs were drawn for second judgments",
    share=NO_TEXT, seed=NO_TEXT, stratify=LONGEST_NAME, allocate=LONGEST_NAME, pairs=NO_TEXT, drawn=LONGEST_ID,
)  # fmt: skip
JUDGING_AGAIN, JUDGING_AGAIN_TAKEN_BACK = (
    kind(name, words, renamed=_at_the_end_of("pairs"), pairs=LONGEST_ID, reason=LONGEST_REASON)
    for name, words in (
        ("judging again", "assessors are to judge pairs again"),
        ("judging again taken back", "assessors need not judge pairs again"),
    )
)
NORMING_OPENED = kind(
    "norming opened", "a norming session was opened", norming=NO_TEXT, topic=LONGEST_ID, documents=LONGEST_ID
)
NORMING_REVEALED = kind("norming revealed", "the grades of a norming session were revealed", norming=NO_TEXT)
NORMING_CLOSED = kind("norming closed", "a norming session was closed", norming=NO_TEXT, counts=NO_TEXT)
JUDGE = kind(
    "judge", "a model was declared that judges, or changed", renamed=_in("name"),
    name=LONGEST_NAME, model=LONGEST_REASON, provider=LONGEST_REASON, family=LONGEST_REASON, prompt=LONGEST_PROMPT,
    parameters=LONGEST_PROMPT, question=LONGEST_NAME, scale=NO_TEXT, narrative=NO_TEXT, cut=LONGEST_REASON,
    version=NO_TEXT,
)  # fmt: skip
MODEL_ANSWERS = kind(
    "model answers", "answers of a model were stored, with their labels", renamed=_in("judge"),
    optional=("team", "file_sha256", "received"),
    judge=LONGEST_NAME, version=NO_TEXT, source=LONGEST_PATH, answers=NO_TEXT, unlabelled=NO_TEXT, marked=NO_TEXT,
    labels=NO_TEXT, sha256=LONGEST_NAME, team=LONGEST_NAME, file_sha256=LONGEST_NAME, received=LONGEST_NAME,
)  # fmt: skip
JUDGE_FILE = kind(
    "judge file", "a team submitted a leaderboard or nuggets of a judge", renamed=_in("judge"),
    judge=LONGEST_NAME, what=LONGEST_NAME, source=LONGEST_PATH, rows=LONGEST_ID, holds=LONGEST_REASON,
    team=LONGEST_NAME, file_sha256=LONGEST_NAME, received=LONGEST_NAME,
)  # fmt: skip
JUDGE_WITHDRAWAL, JUDGE_RESTORATION = (
    kind(name, words, renamed=_in("judge"), judge=LONGEST_NAME, reason=LONGEST_REASON)
    for name, words in (
        ("judge withdrawal", "a judge that a team submitted was taken out"),
        ("judge restoration", "a judge that a team submitted was put back"),
    )
)
LABEL_SHOWN = kind(
    "label shown", "a model's label was shown to an assessor after they had judged the pair",
    renamed=lambda content, names: {each: names[content[each]] for each in ("judge", "assessor")},
    judge=LONGEST_NAME, topic=LONGEST_ID, document=LONGEST_ID, assessor=LONGEST_NAME, grade=NO_TEXT,
)  # fmt: skip
GUIDELINES_READ = kind("guidelines read", "the actor read a version of the guidelines", version=NO_TEXT)
TRAINING_PAIR = kind(
    "training pair", "a pair became an example or part of the practice set",
    topic=LONGEST_ID, document=LONGEST_ID, use=LONGEST_NAME, grade=NO_TEXT, reason=LONGEST_REASON,
)  # fmt: skip
TRAINING_PAIR_REMOVED = kind(
    "training pair removed",
    "a pair was removed from the examples or the practice set",
    topic=LONGEST_ID,
    document=LONGEST_ID,
    use=LONGEST_NAME,
)
PRACTICE_ANSWER = kind(
    "practice answer", "the actor judged a pair of the practice set",
    topic=LONGEST_ID, document=LONGEST_ID, grade=NO_TEXT, expected=NO_TEXT,
)  # fmt: skip
PRACTICE_AGAIN = kind("practice again", "the actor began the practice set again")
WARNING_DISMISSED = kind(
    "warning dismissed", "a warning of the dashboard was dismissed",
    warning=LONGEST_REASON, state=LONGEST_REASON, note=LONGEST_REASON,
)  # fmt: skip
WARNING_SHOWN_AGAIN = kind(
    "warning shown again", "a dismissed warning is to be shown", warning=LONGEST_REASON
)
WEBHOOK = kind("webhook", "a webhook was added", host=LONGEST_ID, events=LONGEST_NAME)
WEBHOOK_REMOVED = kind("webhook removed", "a webhook was removed", webhook=NO_TEXT)
