"""Making a campaign and filling it: new, add."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.campaigns import (
    Opened,
    actor,
    instance_option,
    path_of,
    say,
    show_warnings,
    steps,
    warn_of_network,
)
from workbench.cli.options import Group, argument, command, option
from workbench.cli.repair_options import encoding_option
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.campaign.ingest.documents import AddedDocuments
    from workbench.core.records import Topic

LINE = 100
"""Characters of a topic's field that are printed."""

files_argument = argument("FILE...", required=True)


class Start(NamedTuple):
    """What a campaign begins with."""

    title: str | None = option("The campaign's title on screen.  [default: the file's name]")
    grades: str | None = option(
        'The scale, e.g. "0:Not relevant,1:Relevant,2:Highly relevant" (default: 0 and 1).'
    )
    relevant_from: int = option("The smallest relevant grade.", default=1)
    guidelines: str | None = option("A Markdown file with guidelines for assessors.", metavar="FILE")


@command()
def new(asked: Start, campaign: str = argument(), instance: str | None = instance_option) -> None:
    """Create an empty campaign.

    Write a grade as NUMBER:NAME, or NUMBER:NAME|GUIDELINE with a line of help for assessors. Negative grades
    are special (spam, for example): exports omit them from qrels unless called with --special.

    Example:
      workbench new robust --title "Robust 2003" --grades "0:Not relevant,1:Relevant,2:Highly relevant"
      workbench new web.db --grades "-2:Spam,0:Not relevant,1:Relevant|Answers part of it,2:Key"
    """
    from workbench.analysis.dashboard.task_steps import STEPS
    from workbench.campaign.campaign_settings import SETTINGS
    from workbench.campaign.new_campaign import new_campaign
    from workbench.core.records import COMMAND
    from workbench.formats.scale import check_relevance, parse_scale
    from workbench.storage.campaign.organising import settings
    from workbench.storage.instance import command_name, instance_folder

    scale = settings.BINARY if asked.grades is None else parse_scale(asked.grades, asked.relevant_from)
    check_relevance([grade.grade for grade in scale], asked.relevant_from)
    text = SETTINGS["guidelines"].value_of(_text_of(asked.guidelines)) if asked.guidelines else ""
    path = path_of(campaign, instance)
    if path.parent == Path(instance or "instance"):
        instance_folder(instance)
    warn_of_network(path)
    new_campaign(
        path,
        title=asked.title or path.stem,
        grades=scale,
        relevant_from=asked.relevant_from,
        guidelines=text,
        actor=actor(),
        through=COMMAND,
    ).close()
    name = command_name(path)
    say(f"Created {path}. Next: workbench {STEPS[0].command.format(name)}")
    say(f"All steps: workbench campaign steps {name}")


@click.group(cls=Group)
def add() -> None:
    """Add topics, documents, runs, qrels or a sample to a campaign.

    An error in a file is reported with its line number, and nothing is changed.

    Example:
      workbench add topics robust topics.robust03.txt
      workbench add documents robust collection/ --complete
      workbench add runs robust runs/*.gz --team Glasgow
      workbench add qrels robust qrels.txt --assessor NIST
    """


class TopicFiles(NamedTuple):
    """The files of topics, and how they are read."""

    files: tuple[str, ...] = files_argument
    title_field: str | None = option(
        "The field that is the title.  [default: the usual names]", metavar="NAME"
    )
    description_field: str | None = option("The field that is the description.", metavar="NAME")
    narrative_field: str | None = option("The field that is the narrative.", metavar="NAME")
    per_turn: bool = option("Make each turn of a conversation a topic, such as 81_2.", "--topic-per-turn")
    encoding: str = encoding_option


@add.command("topics")
def add_topics(campaign: Opened, asked: TopicFiles) -> None:
    """Add topics: TREC SGML (old and new), XML, TSV, CSV, id:text, JSON, JSONL or parquet, plain or compressed.

    Assessors see every field of a topic; the first topic is printed as they see it. Files may be addresses, or ids of
    ir_datasets such as irds:cranfield.

    Example:
      workbench add topics robust topics.robust03.txt
      workbench add topics clef queries.xml --title-field en
    """
    from workbench.campaign.ingest import add_topics
    from workbench.core.natural_order import natural
    from workbench.formats.topics.fields import FieldChoice
    from workbench.storage.campaign.collection import topics

    choice = FieldChoice(
        asked.title_field, asked.description_field, asked.narrative_field, asked.per_turn, asked.encoding
    )
    added = add_topics(campaign, asked.files, choice=choice)
    found = [stored.topic for stored in topics.all_topics(campaign)]
    total = len(found)
    show_warnings(added.warnings)
    say(
        f"{counted(added.new, 'topic')} added, {added.changed:,} changed, {added.unchanged:,} unchanged; "
        f"the campaign has {counted(total, 'topic')} now."
    )
    say(_as_seen(min(found, key=lambda topic: natural(topic.topic_id))))


class Collection(NamedTuple):
    """The files of a collection, and how they are read."""

    files: tuple[str, ...] = files_argument
    keep_all: bool = option("Store every text, not only those of pooled documents.", "--all")
    complete: bool = option("These files are the whole collection: refuse runs that name other documents.")
    changed: bool = option("Replace stored texts that differ; without it they are kept.")
    judge_again: bool = option(
        "Clear judgments given on another text than the one stored now, so that the pairs are judged again."
    )
    id_field: str = option(
        "The field that is the id, also of files added later.  [default: the usual names]",
        default="",
        metavar="NAME",
    )
    text_field: str = option("The field that is the text, in the same way.", default="", metavar="NAME")
    title_field: str = option("The field that is the title, in the same way.", default="", metavar="NAME")
    address_field: str = option("The field that is shown as a link.", default="", metavar="NAME")
    encoding: str = option(
        "What the files are in, also when they are read again, such as shift_jis.  [default: recognised]",
        default="",
        metavar="NAME",
    )
    duplicates: Literal["identical"] | None = option(
        "Take documents once that stand twice with the same content."
    )


@add.command("documents")
def add_documents(campaign: Opened, asked: Collection) -> None:
    """Add documents: TREC SGML, WARC, JSONL, TSV, CSV, XML, parquet, or a folder of text, HTML, PDF and images.

    A collection may be larger than memory: it is read once. Only texts of pooled documents are stored;
    a pool created later reads its texts from the same files again. Files may be addresses such as
    s3://bucket/docs.jsonl.zst (docs/run/scale.md), or ids of ir_datasets such as irds:cranfield (docs/use/formats.md).

    Where a later release of the collection has other texts, --changed takes them, and so do the options for
    fields and --encoding: the log keeps the hashes of the old ones, and judgments name the text they were given on.

    Example:
      workbench add documents robust disks4and5.jsonl.gz --complete
      workbench add documents web 's3://collections/web/*.jsonl.zst' --complete
      workbench add documents covid cord-19-may-19.jsonl --changed --judge-again
      workbench add documents intranet pages/ --all
      workbench add documents claims claims.csv --id-field nr --text-field vclaim --address-field link
    """
    from workbench.campaign.ingest import add_documents
    from workbench.campaign.near_duplicates import near_duplicate_steps
    from workbench.core.wording import listed
    from workbench.formats.text.addresses import is_address
    from workbench.formats.text.content import expanded
    from workbench.jobs.processes import counting

    paths = expanded(asked.files)
    total = None if any(map(is_address, paths)) else sum(_size(Path(path)) for path in paths)
    with steps("Add documents") as on_step:
        added = add_documents(
            campaign,
            paths,
            keep_all=asked.keep_all,
            complete=asked.complete,
            changed=asked.changed,
            judge_again=asked.judge_again,
            fields={
                "id_field": asked.id_field,
                "text_field": asked.text_field,
                "title_field": asked.title_field,
                "address_field": asked.address_field,
                "document_encoding": asked.encoding,
            },
            identical_once=asked.duplicates == "identical",
            on_bytes=counting(on_step, "Reading documents", total),
            on_topic=near_duplicate_steps(on_step),
        )
    show_warnings(added.warnings)
    say(_documents_added(added))
    if asked.changed or added.changed:
        say(f"{counted(added.changed, 'text')} changed.")
    if asked.judge_again:
        say(f"{counted(added.cleared, 'judgment')} of other texts cleared; these pairs are open again.")
    elif added.on_other_texts:
        given = counted(added.on_other_texts, "judgment")
        say(f"{given} in force on other texts than those stored now; --judge-again clears them.")
    if added.without_text:
        missing = counted(len(added.without_text), "pooled document")
        say(f"{missing} still without text ({listed(added.without_text)}).")


def _documents_added(added: AddedDocuments) -> str:
    seen = f"{counted(added.documents, 'document')} seen"
    if added.texts or added.changed:
        return f"{seen}, {counted(added.texts, 'text')} stored."
    return (
        f"{seen}; no text was needed: texts are stored with the pool that needs them (--all stores all now)."
    )


def _as_seen(topic: Topic) -> str:
    """A topic as an assessor sees it, each field on a line cut to its beginning."""
    named = {"description": topic.description, "narrative": topic.narrative, **topic.fields}
    texts = (topic.title or topic.topic_id, *(f"{name}: {text}" for name, text in named.items() if text))
    printable = ("".join(each if each.isprintable() else " " for each in text[:LINE]) for text in texts)
    lines = (f"{line} …" if len(line) == LINE else line for line in printable)
    return "\n  ".join((f"Assessors see topic {topic.topic_id} as:", *lines))


def _text_of(path: str) -> str:
    from workbench.formats.text.encoding import decode
    from workbench.formats.text.files import read_bytes

    return decode(read_bytes(path)).text


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else 0
