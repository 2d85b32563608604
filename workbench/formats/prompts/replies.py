"""What an endpoint answers by OpenAI's chat protocol, and the grade in it, or why there is none: nothing is guessed.

A reply that is a JSON object, also between the fences of Markdown, has its grade under `grade`. Any other reply has the
grade that stands alone, or behind `grade` or `score` with a colon or an equals sign; where such grades differ it has
none. What stands between `<think>` and `</think>` is not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from workbench.core.model_answers import CUT_OFF, LONGEST_WORDS, NO_ANSWER, OFF_SCALE, REFUSED, UNREADABLE
from workbench.core.values import LONE_SURROGATE
from workbench.formats.text.json_values import loads

OTHER_CHOICES, TOO_LARGE, OTHER_MODEL = "another number of choices", "too large", "another model"
MARKS = (0, 1, 2, 3)
"""What a template's marks can be."""

TOO_LARGE_BODY = '{"choices": [], "too_large": true}'
"""Kept for an answer that was larger than is read."""

THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
FENCE = re.compile(r"^```\w*\s*\n(.*)\n```$", re.DOTALL)
GRADE = re.compile(r"\b(?:grade|score)\b[\"'*`\s]*[:=][\"'*`\s]*([+-]?\d{1,9})(?![\w.,/]*\d)", re.IGNORECASE)
INTEGER = re.compile(r"[+-]?\d{1,9}")


class Reply(NamedTuple):
    """An answer of an endpoint.

    Attributes:
        text: what the model said, or why it refused.
        failure: why it is no label whatever it says; "" where the text is to be read.
        model: the model that the endpoint names, "" for none.
        input_tokens, output_tokens: as the endpoint counts them; None where it does not say.
    """

    text: str
    failure: str
    model: str
    input_tokens: int | None
    output_tokens: int | None


def reply_of(body: str) -> Reply:
    """The reply in the body of an answer; ValueError where it is not of the protocol."""
    found = loads(body)
    choices = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(choices, list):
        raise ValueError("it has no list of choices")
    text, failure = _said(choices)
    used = found.get("usage")
    counts = [_count(used, name) for name in ("prompt_tokens", "completion_tokens")]
    model = found.get("model")
    named = _whole(model if type(model) is str else "")[:LONGEST_WORDS]
    return Reply(_whole(text), TOO_LARGE if "too_large" in found else failure, named, *counts)


def grade_in(text: str, scale: Sequence[int]) -> tuple[int | None, str]:
    """The grade in a reply, or None and why there is none."""
    said = THOUGHT.sub("", text).strip()
    said = fence[1].strip() if (fence := FENCE.match(said)) else said
    if not said:
        return None, NO_ANSWER
    try:
        found = loads(said)
    except json.JSONDecodeError:
        grades = {said} if INTEGER.fullmatch(said) else set(GRADE.findall(said))
    else:
        given = found.get("grade") if isinstance(found, dict) else found
        grades = {given} if isinstance(given, str) and INTEGER.fullmatch(given) else set()
    numbers = set(map(int, grades))
    if len(numbers) != 1:
        return None, UNREADABLE
    (grade,) = numbers
    return (grade, "") if grade in scale else (None, OFF_SCALE)


def answer_schema(scale: Sequence[int], marks: Sequence[str]) -> dict[str, Any]:
    """What an endpoint is asked to answer in: the grade, behind the marks, as JSON Schema."""
    fields = {mark: {"type": "integer", "enum": list(MARKS)} for mark in marks}
    schema = {
        "type": "object",
        "properties": {**fields, "grade": {"type": "integer", "enum": list(scale)}},
        "required": [*fields, "grade"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "judgment", "strict": True, "schema": schema}}


def _said(choices: Sequence[Any]) -> tuple[str, str]:
    if len(choices) != 1:
        return "", OTHER_CHOICES
    choice = choices[0] if isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text, refusal, ended = message.get("content"), message.get("refusal"), choice.get("finish_reason")
    text = text if type(text) is str else ""
    if ended == "content_filter" or refusal:
        return text or str(refusal or ""), REFUSED
    return text, CUT_OFF if ended == "length" else ""


def _count(used: object, name: str) -> int | None:
    found = used.get(name) if isinstance(used, Mapping) else None
    return int(found) if isinstance(found, str) and re.fullmatch(r"\d{1,12}", found) else None


def _whole(text: str) -> str:
    """The text without halves of characters, which no file takes."""
    return LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
