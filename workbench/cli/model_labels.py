"""Labels of models: added from files, and exported."""

from __future__ import annotations

import json
from typing import Literal, NamedTuple

import click

from workbench.cli.adding import files_argument
from workbench.cli.campaigns import Opened, Then, say, show_warnings
from workbench.cli.exporting import output_option, write
from workbench.cli.options import command, option
from workbench.cli.tables import format_option_of
from workbench.core.errors import CampaignError


class ModelLabels(NamedTuple):
    """The files of labels, in which form they are, and whose."""

    files: tuple[str, ...] = files_argument
    form: Literal["qrels", "rag25", "autojudge", "umbrela", "nuggetizer", "workbench"] = option(
        "The form of the files; it is never guessed.", required=True
    )
    judge: str | None = option("The judge's name. Needed, but for --form workbench.", metavar="NAME")
    model: str | None = option("The model, such as some-model-7b.")
    provider: str | None = option("Who runs the model.")
    family: str | None = option("The family of models that it belongs to.")
    prompt: str | None = option("A file with the prompt template.", metavar="FILE")
    parameters: str | None = option("A JSON object, such as '{\"temperature\": 0}'.", metavar="JSON")
    question: str | None = option("The question that it answers.  [default: relevance]", metavar="NAME")
    scale: str | None = option("Its grades, such as 0,1,2,3.  [default: those of the campaign or question]")
    narrative: bool | None = option("Whether it saw the narrative.", "--narrative/--no-narrative")
    cut: str | None = option("The rule by which long texts were cut.")
    sample: int = option("The number of the repeat that the files are, from 0.", default=0, least=0)
    against: str | None = option("What UMBRELA was given, with the ids.", metavar="FILE")
    dry_run: bool = option("Show what the import would do, and change nothing.")


@command("model-labels")
def add_model_labels(campaign: Opened, asked: ModelLabels) -> None:
    """Add labels that a model gave, as answers of a judge; all of them or none. They never count unless a rule says so.

    qrels has four columns (also LLMJudge's); rag25 six: topic Q0 segment grade confidence name; autojudge is qrels with
    True, False or md5: ids of texts; umbrela is JSON lines without ids, joined with --against; nuggetizer is assigned
    answers, for a --question about nuggets; workbench is what workbench export model-labels writes.

    An answer that could not be read is unlabelled, never grade 0. A judge that is described otherwise than before
    becomes a new version; what is not said stays.

    Example:
      workbench add model-labels robust labels.txt --form qrels --judge gpt --model some-model --prompt prompt.txt
      workbench add model-labels rag out.jsonl --form umbrela --against in.jsonl --judge umbrela --scale 0,1,2,3
    """
    from workbench.campaign.model_labels import OWN, LabelFiles, add_model_labels, judge_with
    from workbench.storage.campaign.grades.sources import precedence_at

    judge = None
    if (asked.judge is None) is not (asked.form == OWN):
        raise click.UsageError("name the judge with --judge; files of --form workbench have theirs in them")
    if asked.judge is not None:
        judge = judge_with(campaign, asked.judge, **_said(asked))
    files = LabelFiles(asked.files, asked.form, asked.against, asked.sample)
    added = add_model_labels(campaign, files, judge, dry_run=asked.dry_run)
    show_warnings(added.warnings)
    say(f"{'Dry run: nothing is changed. ' * asked.dry_run}{added.sentence}.")
    if precedence_at(campaign).models is None:
        say(
            "Labels of models do not count; to use them for pairs without a human label: "
            f"workbench judging rule {campaign.command_name} --models gaps"
        )


def _said(asked: ModelLabels) -> dict[str, object]:
    """What the options say of a judge."""
    from workbench.campaign.model_labels import parse_scale
    from workbench.formats.text.content import content_of
    from workbench.formats.text.files import read_bytes

    said: dict[str, object] = {name: getattr(asked, name) for name in SAID}
    if asked.prompt is not None:
        said["prompt"] = content_of(asked.prompt, read_bytes(asked.prompt)).data.decode()
    try:
        said["scale"] = parse_scale(asked.scale or "") or None
        if asked.parameters is not None:
            said["parameters"] = json.loads(asked.parameters, parse_constant=float.fromhex)
    except (ValueError, RecursionError, CampaignError) as error:
        raise click.UsageError(f"write --parameters as a JSON object, --scale as 0,1,2 ({error})") from None
    if not isinstance(said.get("parameters", {}), dict):
        raise click.UsageError("write --parameters as a JSON object")
    return said


SAID = ("model", "provider", "family", "question", "narrative", "cut")


@command("model-labels")
def export_model_labels(
    campaign: Then,
    judge: tuple[str, ...] = option("Only this judge; may be repeated."),
    output: str = output_option,
    kind: str = format_option_of(
        "jsonl", "qrels", says="Judges and all answers, or the labels of one judge in four columns"
    ),
) -> None:
    """Export the labels that models gave, with the judges, every raw answer, and answers that are no label.

    workbench add model-labels --form workbench reads the JSON lines again, into the same judges, answers and labels.

    Example:
      workbench export model-labels robust -o labels.jsonl
      workbench export model-labels robust --judge some-model --format qrels -o some-model.txt
    """
    from workbench.formats.model_labels.exported import exported_lines
    from workbench.formats.qrels import write_qrels
    from workbench.release.export import model_label_steps, model_qrels
    from workbench.storage.campaign.models.judges import judge_named

    names = [judge_named(campaign, name).name for name in judge]
    if kind == "jsonl":
        write(output, exported_lines(model_label_steps(campaign, names)))
    elif len(names) != 1:
        raise click.UsageError("the labels of one judge are qrels: name it with --judge")
    else:
        write_qrels(output, model_qrels(campaign, names[0]))
