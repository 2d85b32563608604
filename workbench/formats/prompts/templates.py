"""Templates of prompts, shipped or not: plain text with fields in double braces, which are filled in one pass.

A template is one message of the user, or several behind lines `[system]`, `[user]` and `[assistant]`; names behind a
line `[marks]` are asked for beside the grade. A text that is filled in is never read as a template itself.

What is judged is data: each text of a document or an answer is fenced by a tag with a hash of it, which the text cannot
hold, so that it cannot end its own fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from workbench.core.about import ANSWERS, CITATIONS, DOCUMENTS, NUGGETS, PAIRS, SPANS
from workbench.core.errors import CampaignError
from workbench.core.records import Grade, Topic
from workbench.core.registry import Entry, Registry
from workbench.core.wording import listed, none_such

FIELD = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")
SECTION = re.compile(r"^\[(system|user|assistant|marks)\]\s*$", re.MULTILINE)
OF_TOPIC = "topic."
"""How fields of a topic begin that are no title, description or narrative: topic.background."""

TOPIC_FIELDS = ("title", "description", "narrative")
ALWAYS = (*TOPIC_FIELDS, "scale")
TEXTS = {
    DOCUMENTS: ("document_title", "document"),
    CITATIONS: ("sentence", "document_title", "document"),
    NUGGETS: ("nugget", "answer"),
    ANSWERS: ("answer",),
    SPANS: ("nugget", "document_title", "document", "span"),
    **dict.fromkeys(PAIRS, ("left_text", "right_text")),
}
"""The fields of what is judged, by what the question is about; the template has the last one, about pairs both."""

FOLDER = Path(__file__).parent / "texts"

BINARY = "binary"
"""The template whose judge gives two grades: the lowest from 0 on, and the smallest that is relevant."""

PROMPTS = Registry("prompt", "prompts", Entry, str)
"""The prompts that are chosen by name: functions that return a template's text."""
prompt = PROMPTS.register
for _name in ("four-grades", BINARY, "criteria", "citation", "nugget", "answer", "span", "pair"):
    prompt(_name)(partial((FOLDER / f"{_name}.txt").read_text, encoding="utf-8"))
FIRST_SHIPPED = {
    DOCUMENTS: "four-grades",
    CITATIONS: "citation",
    NUGGETS: "nugget",
    ANSWERS: "answer",
    SPANS: "span",
    **dict.fromkeys(PAIRS, "pair"),
}
"""The first template for questions about documents or one kind of units."""

Message = dict[str, str]
"""A message with its `role` and `content`."""


class Template(NamedTuple):
    """A template that was read: roles with texts, and what is asked for beside the grade."""

    parts: tuple[tuple[str, str], ...]
    marks: tuple[str, ...] = ()

    @property
    def fields(self) -> set[str]:
        """The names in double braces."""
        return {name for _, text in self.parts for name in FIELD.findall(text)}

    def filled(self, values: Mapping[str, str]) -> list[Message]:
        """The messages with these values; KeyError for a field without one."""
        return [
            {"role": role, "content": FIELD.sub(lambda found: values[found[1]], text)}
            for role, text in self.parts
        ]


def shipped(name: str, *, narrative: bool) -> str:
    """The text of a template by its name, without the lines of the narrative unless it is wanted."""
    lines = str(PROMPTS.find(name).function()).splitlines(keepends=True)
    return "".join(line for line in lines if narrative or "{{narrative}}" not in line)


def parse(text: str, about: str) -> Template:
    """Read a template of a question about documents or units.

    CampaignError where it has a field that there is not, lacks what is judged, or has no message of the user.
    """
    pieces = SECTION.split(text.replace("\r\n", "\n"))
    found = list(zip(pieces[1::2], pieces[2::2], strict=True))
    if pieces[0].strip():
        found.insert(0, ("user", pieces[0]))
    marks = tuple(re.findall(r"\w+", " ".join(part for role, part in found if role == "marks")))
    template = Template(tuple((role, part.strip()) for role, part in found if role != "marks"), marks)
    if "user" not in dict(template.parts):
        raise CampaignError("the prompt has no message of the user; write it behind a line [user]")
    known = [*ALWAYS, *TEXTS[about]]
    for name in sorted(template.fields):
        if name not in known and not name.startswith(OF_TOPIC):
            raise CampaignError(
                f"{none_such('field', name, known, of='a prompt', shown=len(known))}; "
                f"other fields of topics are written as {{{{{OF_TOPIC}NAME}}}}"
            )
    for needed in TEXTS[about][0 if about in PAIRS else -1 :]:
        if needed not in template.fields:
            raise CampaignError(
                f"the prompt lacks {{{{{needed}}}}}, so the model would not see what it judges"
            )
    return template


def refuse_lacking(fields: Iterable[str], topics: Sequence[Topic]) -> None:
    """CampaignError for fields that some of these topics lack, with the topics."""
    for name in sorted(fields):
        if name in TOPIC_FIELDS or name.startswith(OF_TOPIC):
            lacking = [topic.topic_id for topic in topics if not of_topic(topic, name).strip()]
            if lacking:
                raise CampaignError(
                    f"the prompt names {{{{{name}}}}}, which topic {listed(lacking)} "
                    f"{'lacks' if len(lacking) == 1 else 'lack'}; nothing was sent. Add it, or use another prompt"
                )


def of_topic(topic: Topic, name: str) -> str:
    """What a topic has under the name of a field; "" for nothing."""
    if name in TOPIC_FIELDS:
        return str(getattr(topic, name))
    return topic.fields.get(name.removeprefix(OF_TOPIC), "")


def scale_text(grades: Iterable[Grade]) -> str:
    """A line for each grade, with its guideline.

    >>> print(scale_text([Grade(0, "Not relevant"), Grade(1, "Relevant", "Answers a part.")]))
    0 = Not relevant
    1 = Relevant: Answers a part.
    """
    return "\n".join(
        f"{each.grade} = {each.name}{f': {each.guideline}' if each.guideline else ''}" for each in grades
    )


def fenced(text: str) -> str:
    """A text between two tags that it does not hold."""
    tag = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    while tag in text:
        tag = sha256(tag.encode()).hexdigest()[:16]
    return f"<data-{tag}>\n{text}\n</data-{tag}>"
