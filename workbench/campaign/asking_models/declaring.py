"""Declaring a judge that is asked here: its prompt, what is sent with it, and how texts are cut."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from workbench.campaign.model_labels import judge_with
from workbench.core.errors import CampaignError
from workbench.core.model_answers import LONGEST_PROMPT, Judge
from workbench.core.wording import counted
from workbench.formats.prompts.replies import answer_schema
from workbench.formats.prompts.templates import BINARY, FIRST_SHIPPED, PROMPTS, Template, parse, shipped
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.models.judges import put_judge
from workbench.storage.campaign.organising import settings

MOST_SAMPLES, MOST_TOKENS, MOST_WORDS, MOST_FURTHER = 100, 100_000, 1_000_000, 20
CUT = ("most", "unit", "refuse")
"""What stands under the parameter `cut`, which is not sent."""

FIXED = frozenset({"samples", "plain", "cut", "model", "messages", "n", "stream", "response_format"})
"""Names that are no parameters of a request, or are sent by themselves."""

OWN = FIXED | {"temperature", "seed", "max_tokens"}
"""What cannot be set as a further parameter."""

COMPLETION_TOKENS = "max_completion_tokens"
"""What newer models of OpenAI take in the place of max_tokens."""


class Declaration(NamedTuple):
    """What an organiser says of a judge.

    Attributes:
        name: the assessor of its labels.
        model: the model, as the endpoint names it.
        question: what it judges, "" for relevance.
        prompt: a shipped template by its name, or a text; "" for the first one that fits.
        narrative: whether a shipped template shows the narrative of the topic.
        temperature, seed: what is sent; None for the endpoint's own. Each repeat adds its number to the seed.
        max_tokens: the longest answer.
        samples: how often each pair is asked.
        plain: whether the endpoint takes no schema for answers.
        most, unit: how long texts may be, in words or characters; longer ones are cut to their beginning.
        refuse: whether longer ones are refused.
        further: other parameters of the request, by name.
        family: which models it is related to.
    """

    name: str
    model: str
    question: str = ""
    prompt: str = ""
    narrative: bool = False
    temperature: float | None = 0.0
    seed: int | None = None
    max_tokens: int = 512
    samples: int = 1
    plain: bool = False
    most: int = 2_000
    unit: str = "words"
    refuse: bool = False
    further: Mapping[str, Any] = {}
    family: str = ""


def declare(campaign: Campaign, said: Declaration) -> Judge:
    """Put a judge into the log, or the next version of it where something changed; errors as of `judge_of`."""
    judge = judge_of(campaign, said)
    with campaign.write():
        return put_judge(campaign, judge)


def judge_of(campaign: Campaign, said: Declaration) -> Judge:
    """The judge that an organiser declares; the newest version of it where nothing changed, else without a version.

    CampaignError where the prompt does not fit, or a parameter is out of its range.
    """
    seen = settings.asking(campaign, said.question)
    _check(said)
    name = said.prompt or FIRST_SHIPPED[about(seen)]
    prompt = shipped(name, narrative=said.narrative) if name in PROMPTS else said.prompt
    if len(prompt) > LONGEST_PROMPT:
        raise CampaignError(f"the prompt has {len(prompt):,} characters, at most {LONGEST_PROMPT:,}")
    template = parse(prompt, about(seen))
    current = settings.read(seen)
    scale = sorted(each.grade for each in current.grades)
    if name == BINARY:
        scale = [min(grade for grade in scale if grade >= 0), current.relevant_from]
    sent = {"temperature": said.temperature, "seed": said.seed, "max_tokens": said.max_tokens}
    return judge_with(
        campaign,
        said.name,
        model=said.model,
        provider="",  # what a file said of another model
        family=said.family,
        prompt=prompt,
        parameters={
            **{key: value for key, value in sent.items() if value is not None},
            **said.further,
            "samples": said.samples,
            "plain": said.plain,
            "cut": [said.most, said.unit, said.refuse],
        },
        question=said.question,
        scale=tuple(sorted(set(scale))),
        narrative="narrative" in template.fields,
        cut=f"{'refused above' if said.refuse else 'cut to the first'} {said.most:,} {said.unit}",
    )


def template_of(campaign: Campaign, judge: Judge) -> Template:
    """The template of a judge, and CampaignError for a judge that cannot be asked here."""
    samples, cut, tokens = (judge.parameters.get(name) for name in ("samples", "cut", "max_tokens"))
    # One out of a bundle may say anything.
    is_sound = type(samples) is int and 1 <= samples <= MOST_SAMPLES and type(tokens) is int
    if not (judge.model and judge.prompt and is_sound and isinstance(cut, list) and len(cut) == len(CUT)):
        raise CampaignError(f"{judge.name!r} was not declared to be asked here; name its model and prompt")
    return parse(judge.prompt, about(settings.asking(campaign, judge.question)))


def sent_with(judge: Judge, template: Template, sample: int) -> dict[str, Any]:
    """The parameters of the request for a repeat, from 0."""
    parameters = {name: value for name, value in judge.parameters.items() if name not in FIXED}
    if COMPLETION_TOKENS in parameters:
        del parameters["max_tokens"]
    if "seed" in parameters:
        parameters["seed"] += sample
    if not judge.parameters["plain"]:
        parameters["response_format"] = answer_schema(judge.scale, template.marks)
    return parameters


def longest_answer(judge: Judge) -> int:
    """The most tokens of an answer."""
    return int(judge.parameters.get(COMPLETION_TOKENS, judge.parameters["max_tokens"]))


def read_further(texts: Sequence[str]) -> dict[str, Any]:
    """Further parameters as NAME=VALUE, the value in JSON or a plain word; CampaignError for what is none."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not re.fullmatch(r"[a-z_]{1,50}", name) or name in OWN:
            raise CampaignError(f"{text[:100]!r} is no parameter of a request; write it like top_p=0.9")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found


def _check(said: Declaration) -> None:
    bounds = (
        ("repeats", said.samples, 1, MOST_SAMPLES),
        ("tokens of an answer", said.max_tokens, 1, MOST_TOKENS),
        (f"{said.unit} of a text", said.most, 1, MOST_WORDS),
        ("degrees of temperature", 0 if said.temperature is None else said.temperature, 0, 10),
        ("as a seed", 0 if said.seed is None else said.seed, 0, 2**31 - 1 - MOST_SAMPLES),
    )
    for what, value, least, most in bounds:
        if not least <= value <= most:
            raise CampaignError(f"{value:,} {what}: write a number from {least:,} to {most:,}")
    tokens = said.further.get(COMPLETION_TOKENS, 1)
    if type(tokens) is not int or not 1 <= tokens <= MOST_TOKENS:
        raise CampaignError(f"{COMPLETION_TOKENS} is {tokens!r}; write a number from 1 to {MOST_TOKENS:,}")
    if not said.model.strip():
        raise CampaignError(f"{said.name!r} has no model; name it as the endpoint does")
    if said.unit not in ("words", "characters"):
        raise CampaignError(f"texts are cut by words or characters, not by {said.unit!r}")
    if len(said.further) > MOST_FURTHER:
        raise CampaignError(f"{counted(len(said.further), 'parameter')}, at most {MOST_FURTHER}")
