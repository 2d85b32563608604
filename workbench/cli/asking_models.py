"""Asking a model for labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.campaigns import Opened, say, steps
from workbench.cli.options import command, option
from workbench.cli.tables import format_option, write_results

if TYPE_CHECKING:
    from workbench.campaign.asking_models.declaring import Declaration
    from workbench.campaign.asking_models.outcomes import Run


class Declared(NamedTuple):
    """What makes a judge."""

    judge: str = option("The judge: a declared one, or with --model a new one or version.", metavar="NAME")
    model: str = option("The model, as the endpoint names it.", default="")
    question: str = option("The question it judges.  [default: relevance]", default="", metavar="NAME")
    prompt: str = option("A shipped prompt by its name, or a file.", default="", metavar="NAME|FILE")
    narrative: bool = option("Show the topic's narrative in a shipped prompt.")
    temperature: float = option("Temperature.", default=0.0, metavar="T")
    seed: int | None = option("Seed; each repeat adds its number.", metavar="N")
    samples: int = option("How often each pair is asked.", default=1, metavar="N")
    max_tokens: int = option("The longest answer.", default=512, metavar="N")
    further: tuple[str, ...] = option("Another parameter; may be repeated.", "--set", metavar="NAME=VALUE")
    plain: bool = option("The endpoint takes no JSON schema for answers.")
    most: int = option("How much of a text is sent.", "--cut", default=2_000, metavar="N")
    unit: Literal["words", "characters"] = option("What --cut counts.", "--by", default="words")
    refuse: bool = option("Refuse longer texts instead of cutting them.")
    family: str = option("Models that it is related to, such as llama.", default="")

    def said(self) -> Declaration:
        """The declaration of the judge."""
        from workbench.campaign.asking_models.declaring import Declaration, read_further
        from workbench.core.errors import CampaignError
        from workbench.core.wording import none_such
        from workbench.formats.prompts.templates import PROMPTS

        prompt = self.prompt
        if prompt and prompt not in PROMPTS:
            try:
                prompt = Path(prompt).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                raise CampaignError(f"{prompt}: not UTF-8; convert the file") from None
            except FileNotFoundError:
                raise CampaignError(
                    none_such("prompt or file", prompt, [*PROMPTS], shown=len(PROMPTS))
                ) from None
        given = self._asdict() | {"prompt": prompt, "further": read_further(self.further)}
        return Declaration(given.pop("judge"), **given)


class Running(NamedTuple):
    """How it is asked."""

    endpoint: str = option("The address, such as http://127.0.0.1:8080/v1.", default="", metavar="ADDRESS")
    keys: Path | None = option("The file of keys.  [default: model_keys beside the campaign]")
    replay: bool = option("Take answers from the prompt cache alone, and check the stored ones by it.")
    probe: int = option(
        "Ask about so many documents without sense of both kinds for each topic, in place of the pooled pairs.",
        default=0,
        least=0,
        most=100,
        metavar="N",
    )
    topics: tuple[str, ...] = option("Only this topic; may be repeated.", "--topic", metavar="TOPIC")
    limit: int | None = option("At most so many of the missing answers.", least=1, metavar="N")
    at_once: int = option("Requests under way at the same time.", default=4, least=1, most=64, metavar="N")
    timeout: float = option("Seconds for one answer.", default=120.0, least=0.1, metavar="N")
    prices: tuple[float, float] = option(
        "Of a million tokens sent, and received.", default=(0.0, 0.0), metavar="X Y", show_default=False
    )
    most_cost: float | None = option("Stop before this cost.", least=0, metavar="X")
    most_tokens: int | None = option("Stop before so many tokens.", least=0, metavar="N")
    dry_run: bool = option("Show what would be sent and cost.")

    def run(self, folder: Path) -> Run:
        """The run; UsageError where it has nowhere to get answers from."""
        from workbench.campaign.asking_models.outcomes import Prices, Run
        from workbench.campaign.model_endpoints import KEYS_FILE

        if bool(self.endpoint) == self.replay and not self.dry_run:
            raise click.UsageError("name an --endpoint, or take answers from the cache with --replay")
        return Run(
            "" if self.replay else self.endpoint,
            self.keys or folder / KEYS_FILE,
            self.at_once,
            self.timeout,
            Prices(*self.prices),
            self.most_cost,
            self.most_tokens,
        )


@command("judge-by-model")
def judge_by_model(campaign: Opened, declared: Declared, running: Running, kind: str = format_option) -> None:
    """Ask a model for labels of the pooled pairs that have none of it yet.

    An endpoint speaks OpenAI's chat protocol, and is one that the setting model-endpoints names. WORKBENCH_MODEL_KEY or
    the file of keys has its key. The same command goes on where a run ended.

    Example:
      workbench campaign set robust model-endpoints "http://127.0.0.1:8080/v1 documents"
      workbench judge-by-model robust --judge small-7b --model qwen-7b --dry-run --prices 0.5 1.5
      workbench judge-by-model robust --judge small-7b --model qwen-7b --endpoint http://127.0.0.1:8080/v1
      workbench judge-by-model robust --judge small-7b --endpoint http://127.0.0.1:8080/v1 --probe 3
    """
    from workbench.campaign.asking_models.declaring import declare, judge_of
    from workbench.campaign.asking_models.outcomes import Finished, Preview
    from workbench.campaign.asking_models.prompts import Chosen
    from workbench.campaign.asking_models.running import ask, endpoint_of, preview
    from workbench.storage.campaign.models.judges import judge_named

    chosen, run = Chosen(running.topics, running.limit, running.probe), running.run(campaign.path.parent)
    judge = judge_of(campaign, declared.said()) if declared.model else judge_named(campaign, declared.judge)
    if running.dry_run:
        write_results(kind, Preview, [preview(campaign, judge, chosen, run)])
        return
    endpoint_of(campaign, judge, run)  # what is wrong with it is said before the judge is in the log
    if declared.model:
        declare(campaign, declared.said())
    with steps("Labels") as on_step:
        done = ask(campaign, declared.judge, chosen, run, on_step=on_step)
    if kind == "table":
        say(*done.sentences())
    else:
        write_results(kind, Finished, [done], done)
    if done.ended or done.differ:
        click.get_current_context().exit(1)
