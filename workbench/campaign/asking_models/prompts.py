"""The prompts of a judge that have no answer yet, topic by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from workbench.campaign.asking_models.declaring import sent_with, template_of
from workbench.campaign.asking_models.probe import probe_documents
from workbench.campaign.near_duplicates import plain_text
from workbench.core.about import DOCUMENTS
from workbench.core.battles import FIRST, SECOND, called
from workbench.core.errors import CampaignError, NotThere
from workbench.core.model_answers import Judge, ModelAnswer, Pair
from workbench.core.natural_order import natural
from workbench.core.wording import listed, none_such
from workbench.formats.prompts.lengths import first_words, speaks_to_model, tokens_of
from workbench.formats.prompts.templates import TEXTS, Message, fenced, of_topic, refuse_lacking, scale_text
from workbench.methods.pairing import left_in_prompt
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pairs, pooled_units, pools, topics, units
from workbench.storage.campaign.collection.pairs import Thing, is_of_pairs
from workbench.storage.campaign.collection.question_topics import about, topic_of
from workbench.storage.campaign.models.answers import each_answer
from workbench.storage.campaign.organising import settings
from workbench.storage.prompt_cache import key_of

TOO_LONG = "text too long"


class Chosen(NamedTuple):
    """Which pairs are asked about: those of these topics, or of all; at most so many of those that are missing.

    With a `probe` so many documents of it of each kind for each topic, in the place of pooled pairs.
    """

    topics: tuple[str, ...] = ()
    limit: int | None = None
    probe: int = 0


class Prompt(NamedTuple):
    """What is sent about a pair; without messages where a text is longer than the judge takes.

    Attributes:
        topic_id, document_id, sample: what is asked, and for the how manieth time, from 0.
        messages, parameters: what is sent.
        key: under which the answer is kept.
        marked: what is to be said of the texts: which was cut, and which speaks to the model.
        left: which thing of a pair stands on the left, first or second; None where none is compared.
    """

    topic_id: str
    document_id: str
    sample: int
    messages: Sequence[Message]
    parameters: Mapping[str, Any]
    key: str
    marked: str
    left: str | None

    @property
    def of(self) -> tuple[Pair, int]:
        """Which answer is asked for: the pair, and the number of the repeat."""
        return (self.topic_id, self.document_id), self.sample

    @property
    def tokens(self) -> int:
        """About how many tokens are sent."""
        return tokens_of(self.messages)


class Missing(NamedTuple):
    """The pairs that are asked about, by topic in order, and the model that the endpoint named so far.

    `probe` has the texts of documents that are made up, by topic and id; `answered` what is answered already, with the
    answers where they are asked for again.
    """

    by_topic: dict[str, list[tuple[str, int]]]
    without_text: int
    model: str
    probe: Mapping[str, Mapping[str, str]]
    answered: Mapping[tuple[Pair, int], ModelAnswer | None]


def missing(campaign: Campaign, judge: Judge, chosen: Chosen, *, again: bool = False) -> Missing:
    """The pooled pairs, with the repeats of each, that this version of a judge has not answered; with `again` all.

    NotThere for a topic that has no pooled pairs. CampaignError for grades that are not on the scale any more, for a
    field of the prompt that a topic lacks, and for a probe where no documents are judged.
    """
    seen = settings.asking(campaign, judge.question)
    _check_scale(seen, judge)
    if chosen.probe and about(seen) != DOCUMENTS:
        raise CampaignError(f"a probe is of documents, and {judge.name!r} judges {about(seen)}; leave it out")
    keys = sorted(pools.pooled_by_topic(seen), key=natural)
    if chosen.topics:
        wanted = {key: topic_of(campaign, key) for key in keys}
        if strange := [each for each in chosen.topics if each not in wanted.values()]:
            raise NotThere(
                none_such("topic", strange, list(wanted.values()), of=f"the pools of {campaign.name}")
            )
        keys = [key for key in keys if wanted[key] in chosen.topics]
    template = template_of(campaign, judge)
    refuse_lacking(template.fields, [topics.named(campaign, topic_of(campaign, key)).topic for key in keys])
    answered, model = _answered(campaign, judge, with_answers=again)
    found: dict[str, list[tuple[str, int]]] = {}
    left, without = chosen.limit, 0
    made = probe_documents(campaign, each=chosen.probe) if chosen.probe else {}
    probe = {key: made[topic_of(campaign, key)] for key in keys if made}
    by_topic: Mapping[str, Mapping[str, object]] = probe or pools.pooled_of_topics(seen, keys)
    for key, pooled in by_topic.items():
        without += sum(not has_text for has_text in pooled.values())
        asked = [
            (document_id, sample)
            for document_id, has_text in pooled.items()
            if has_text
            for sample in range(judge.parameters["samples"])
            if again or ((key, document_id), sample) not in answered
        ][:left]
        left = None if left is None else left - len(asked)
        if asked:
            found[key] = asked
    return Missing(found, without, model, probe, answered)


def prompts(campaign: Campaign, judge: Judge, asked: Missing) -> Iterator[Prompt]:
    """The prompts of these pairs, in their order; the texts of a topic are read when their turn comes."""
    template = template_of(campaign, judge)
    seen = settings.asking(campaign, judge.question)
    compares, grades = is_of_pairs(seen), settings.read(seen).grades
    named = (
        each._replace(name=called(FIRST if compares else None, each.grade, each.name)) for each in grades
    )
    scale = scale_text(each for each in named if each.grade in judge.scale)
    parameters = [sent_with(judge, template, sample) for sample in range(judge.parameters["samples"])]
    for key, wanted in asked.by_topic.items():
        topic = topics.named(campaign, topic_of(campaign, key)).topic
        of_all = {name: of_topic(topic, name) for name in template.fields} | {"scale": scale}
        last: tuple[str, str | None] = "", None
        for document_id, sample in wanted:
            left = left_in_prompt(topic.topic_id, document_id, sample) if compares else None
            if (document_id, left) != last:
                last = document_id, left
                made_up = asked.probe[key][document_id] if asked.probe else None
                texts = _texts(seen, key, document_id, left, made_up)
                shown, said, is_refused = _within(judge, texts)
                messages = template.filled({**of_all, **shown})
            hashed, sent = (
                key_of(judge.model, messages, parameters[sample], sample),
                () if is_refused else messages,
            )
            yield Prompt(key, document_id, sample, sent, parameters[sample], hashed, said, left)


def _within(judge: Judge, texts: Mapping[str, str]) -> tuple[dict[str, str], str, bool]:
    """The texts as they are sent, what is to be said of them, and whether one is refused for its length."""
    most, unit, refuse = judge.parameters["cut"]
    cut = {name: first_words(text, most) if unit == "words" else text[:most] for name, text in texts.items()}
    # What is behind the last word within the bound may be blanks alone.
    shorter = [name for name, text in texts.items() if cut[name].rstrip() != text.rstrip()]
    said = [f"the {name.replace('_', ' ')} was cut to its first {most:,} {unit}" for name in shorter]
    for name, text in cut.items():
        if phrase := speaks_to_model(text):
            said.append(f"the {name.replace('_', ' ')} seems to speak to the model: “{phrase}”")
    return {name: fenced(text) for name, text in cut.items()}, "; ".join(said), bool(refuse and shorter)


def _texts(
    campaign: Campaign, key: str, document_id: str, left: str | None, made_up: str | None
) -> dict[str, str]:
    """What is judged, by the fields of a prompt; of a pair with the thing `left` on the left."""
    asked = about(campaign, key)
    if made_up is not None:
        return dict(zip(TEXTS[asked], ("", made_up), strict=True))
    stored = documents.find(campaign, document_id)
    if stored is None:
        raise NotThere(
            f"document {document_id!r} of topic {key!r} has no text any more; run the command again"
        )
    if asked == DOCUMENTS:
        return {"document_title": stored.document.title, "document": plain_text(stored.document)}
    unit = units.find(campaign, key, document_id)
    if unit is not None and unit.sides:
        things = [pairs.thing_of(campaign, key, each) for each in unit.sides]
        sides = [_said_by(campaign, thing) for thing in things if thing is not None]
        if len(sides) == len(things):
            return dict(zip(TEXTS[asked], sides[::-1] if left == SECOND else sides, strict=True))
    read = None if unit is None else pooled_units.read_of(campaign, key, unit)
    if unit is None or read is None:
        raise NotThere(
            f"the text that {document_id!r} of topic {key!r} is judged by is not there; add its documents"
        )
    found = {"sentence": unit.text, "nugget": unit.text, "answer": plain_text(read)}
    span = read.text[slice(*unit.span or (0, 0))]
    found |= {"document_title": read.title, "document": plain_text(read), "span": span}
    return {name: found[name] for name in TEXTS[asked]}


def _said_by(campaign: Campaign, thing: Thing) -> str:
    """What one side of a pair says: an answer, a document with its title, or several of a list behind their ranks."""
    texts = dict.fromkeys(thing.documents, "(no text)")
    for stored in documents.some(campaign, texts):
        texts[stored.document.document_id] = f"{stored.document.title}\n{plain_text(stored.document)}".strip()
    if len(texts) > 1:
        return "\n\n".join(f"{rank}. {text}" for rank, text in enumerate(texts.values(), start=1))
    return "".join(texts.values()) or thing.text


def _answered(
    campaign: Campaign, judge: Judge, *, with_answers: bool
) -> tuple[dict[tuple[Pair, int], ModelAnswer | None], str]:
    """What this version of a judge answered, and the model that its first answer with a grade names."""
    found, model = dict[tuple[Pair, int], ModelAnswer | None](), ""
    for _, version, answer in each_answer(campaign, judge.name):
        if version == judge.version:
            found[answer.pair, answer.sample] = answer if with_answers else None
            if answer.grade is not None:
                model = model or answer.model
    return found, model


def _check_scale(campaign: Campaign, judge: Judge) -> None:
    known = {each.grade for each in settings.read(campaign).grades}
    if gone := [str(grade) for grade in judge.scale if grade not in known]:
        raise CampaignError(
            f"{judge.name!r} gives grades that are not on the scale any more ({listed(gone)}); declare it again"
        )
