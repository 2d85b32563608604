"""Making pools, of a campaign and of run files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import click

from workbench.cli.campaigns import Asking, say, show_warnings, steps
from workbench.cli.exporting import output_option, write
from workbench.cli.options import Grouped, argument, command, option
from workbench.cli.tables import format_option, format_option_of, write_sentences, write_sheet
from workbench.cli.withdrawing import say_withdrawn
from workbench.cli.workers import workers_options
from workbench.core.errors import UnknownName
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.campaign.pools.making import MadePool
    from workbench.campaign.pools.plan import PoolPlan
    from workbench.campaign.pools.refusals import Growth
    from workbench.core.registry import Entry
    from workbench.jobs.cluster import Workers
    from workbench.storage.campaign import Campaign


Function = TypeVar("Function", bound=Callable[..., Any])


def strategies_in_groups() -> dict[str, list[str]]:
    """The names of the strategies by what one wants of a pool; their parameters would fill several screens."""
    from workbench.methods.pooling import WISHES, strategies_by_wish

    return {WISHES[wish].title: [one.name for one in found] for wish, found in strategies_by_wish().items()}


ties_option = option(
    "Order of equal scores by document id.",
    "--ties",
    type=click.Choice(["descending", "ascending"]),
    default="descending",
)


class Size(NamedTuple):
    """How much a strategy takes, and its other parameters."""

    depth: str | None = option("Documents of each ranking; short for --set depth=K.")
    budget: str | None = option(
        "Pairs in all, or a share of each topic's candidates (budget=N, percent=P).", metavar="N|P%"
    )
    per_topic: bool = option("The budget is that of each topic; short for --set per_topic=true.")
    assignments: tuple[str, ...] = option(
        "A parameter of the strategy; may be repeated.", "--set", metavar="NAME=VALUE"
    )


class Asked(NamedTuple):
    """Which pool to make, extend or retire."""

    strategy: str | None = option("One of those listed below.  [default: depth, or as before]")
    size: Size = Size()
    pairs_file: str | None = option(
        "Pairs of the strategy list: lines of topic and document, or qrels.", "--pairs", metavar="FILE"
    )
    runs_file: str | None = option(
        "Depths and priorities: a CSV as of workbench campaign runs.", metavar="FILE"
    )
    runs_per_team: str | None = option(
        "Only N runs of each team, by priority (--set runs_per_team=N).", metavar="N"
    )
    ties: str = ties_option
    tags: str | None = option(
        "Tags or patterns, separated by commas.  [default: those of the open round]", "--runs"
    )
    residual: bool = option("First take pairs judged before the open round out of the rankings.")
    viewing: Literal["shuffle", "document id", "best rank"] | None = option(
        "Order of a topic's documents on screen.  [default: unchanged, initially shuffle]", "--order"
    )
    order_seed: int | None = option("Seed of the shuffled order.  [default: unchanged, initially 0]")
    seed: int | None = option("The strategy's seed, as --set seed=S.  [default: --order-seed]")
    dry_run: bool = option("Show the size per topic and for other depths; create nothing.")
    retired: int | None = option("Retire the pool of this number; create none.", "--retire", metavar="POOL")
    reason: str = option("Why the pool is retired, for the log.", default="")
    yes: bool = option("Create a pool much larger than those before without asking.")


@command(
    cls=Grouped,
    heading="Strategies by what you want (workbench pooling strategies says more)",
    groups=strategies_in_groups,
)
def pool(campaign: Asking, asked: Asked, kind: str = format_option) -> None:
    """Create or extend the pool of documents that assessors judge.

    A deeper pool, or one over more runs, extends the existing one, and no judgment is lost, of a retired one neither.
    With --question alone it is pooled as before. FILE may be -, standard input.

    Example:
      workbench pool robust --depth 50 --dry-run --runs "bm25-*,colbert" --ties ascending
      workbench pool robust --strategy rrf --depth 100 --budget 5000 --set burn_in=5
      workbench pool rag --question support --depth 10
      workbench pool robust --retire 2 --reason "pooled the wrong runs"
    """
    from workbench.campaign.content_changes import withdrawn_tags
    from workbench.campaign.pools.making import named_runs
    from workbench.campaign.pools.plan import plan_pool
    from workbench.campaign.pools.pool_job import pool_name
    from workbench.campaign.pools.refusals import MuchLarger
    from workbench.methods.pooling import STRATEGIES
    from workbench.storage.campaign.collection import pools
    from workbench.storage.campaign.collection.pairs import is_of_pairs

    if kind != "table" and not asked.dry_run:
        raise click.UsageError("--format applies to the sizes that --dry-run shows")
    if asked.retired is not None:
        _retire(campaign, asked.retired, asked.reason)
        return
    if is_of_pairs(campaign):
        _pair(campaign, asked)
        return
    again = _as_newest(campaign, asked)
    strategy = asked.strategy or str(again.pop("strategy", "depth"))
    found = STRATEGIES.find(strategy)
    seed, order_seed = _seeds(found, asked.seed, asked.order_seed)
    more = {"seed": seed, "runs_per_team": asked.runs_per_team}
    ties = str(again.pop("ties", asked.ties))
    parameters = again or parameters_of(found, asked.size, more, _of_files(campaign, asked))
    planned = {
        "strategy": strategy,
        "ties": ties,
        "tags": named_runs(asked.tags or ""),
        "residual": asked.residual,
        **parameters,
    }
    plan = plan_pool(campaign, **planned) if asked.dry_run or found.kind == "adaptive" else None
    if plan is not None and asked.dry_run:
        _show_plan(campaign, plan, kind)
        return
    sure = asked.yes or not pools.in_force(campaign)
    if plan is not None and plan.growth.is_much_larger and not sure:
        _ask(plan.growth)
    name = pool_name(strategy, parameters)
    kept = {"viewing": asked.viewing, "viewing_seed": order_seed}
    try:
        made = _make(campaign, name, planned, **kept, much_larger=sure)
    except MuchLarger as error:
        _ask(error.growth)
        made = _make(campaign, name, planned, **kept)
    say(_made(made, plan))
    if made.pool.record.residual is not None:
        say(f"Pairs judged before round {made.pool.record.residual} are taken out of the rankings.")
    goes_on = not set(made.pool.record.runs).isdisjoint(withdrawn_tags(campaign))
    no_more = "such runs do not contribute to pools"
    say_withdrawn(campaign, "this pool goes on in an order drawn over them" if goes_on else no_more)
    _fetch_texts(campaign, name)


def _pair(campaign: Campaign, asked: Asked) -> None:
    """Choose pairs for a question about pairs of things, of all runs in force."""
    from workbench.campaign.pools.making import add_pool
    from workbench.methods.pairing import PAIRINGS

    taken = ("strategy", "size", "viewing", "order_seed", "seed", "ties", "reason", "yes")
    if asked.dry_run or any(
        getattr(asked, name) for name in asked._fields if name not in (*taken, "dry_run")
    ):
        raise click.UsageError(
            f"{campaign.question} is about pairs: give --strategy, --set, --order and --order-seed"
        )
    strategy = PAIRINGS.find(asked.strategy or "all-pairs")
    seed, order_seed = _seeds(strategy, asked.seed, asked.order_seed)
    parameters = parameters_of(strategy, asked.size, {"seed": seed}, {})
    made = add_pool(
        campaign, strategy=strategy.name, viewing=asked.viewing, viewing_seed=order_seed, **parameters
    )
    say(
        f"Pool {made.pool.pool}: {counted(made.pairs, 'pair')} to compare over {counted(made.topics, 'topic')}."
    )


def _as_newest(campaign: Campaign, asked: Asked) -> dict[str, Any]:
    """How a question's newest pool was made, where nothing says how to make another; {} else."""
    from workbench.campaign.pools.new_units import as_newest

    says_how = [asked.strategy, *asked.size, asked.pairs_file, asked.runs_file, asked.runs_per_team]
    if not campaign.question or any(says_how) or asked.seed is not None:
        return {}
    return as_newest(campaign) or {}


def _make(campaign: Campaign, name: str, planned: Mapping[str, Any], **rest: Any) -> MadePool:
    from workbench.campaign.near_duplicates import near_duplicate_steps
    from workbench.campaign.pools.making import add_pool
    from workbench.campaign.pools.pool_job import fetch_texts_first

    with steps(name) as on_step:
        fetch_texts_first(campaign, planned, on_step=on_step)
        on_step(0, None, "Pooling")
        return add_pool(campaign, **planned, **rest, on_topic=near_duplicate_steps(on_step))


def _made(made: MadePool, plan: PoolPlan | None) -> str:
    """The pool that was made, in a sentence; with the plan of what it grows to where it is adaptive."""
    over = f"from {counted(len(made.pool.record.runs), 'run')}"
    if plan is None:
        pairs, topics = counted(made.pairs, "pair"), counted(made.topics, "topic")
        return f"Pool {made.pool.pool}: {pairs} over {topics} {over}, {made.pool.pairs:,} of them new."
    pairs, topics = counted(plan.total, "pair"), counted(len(plan.by_topic), "topic")
    return (
        f"Pool {made.pool.pool}: up to {pairs} over {topics} {over}, "
        f"chosen while they are judged; {counted(made.pool.brought, 'pair')} so far."
    )


def _seeds(strategy: Entry, seed: int | None, order_seed: int | None) -> tuple[str | None, int | None]:
    if seed is None or strategy.parameter("seed") is not None:
        return None if seed is None else str(seed), order_seed
    if order_seed is not None:
        message = f"{strategy.name} has no seed, so --seed and --order-seed say the same; give one of them"
        raise click.UsageError(message)
    return None, seed


def _retire(campaign: Campaign, number: int, reason: str) -> None:
    from workbench.campaign.pools.pool_job import retire_pool

    pool, judged = retire_pool(campaign, number, reason=reason)
    pairs = pool.brought
    kept = f"{counted(judged, 'judged pair')} of it {'stays' if judged == 1 else 'stay'} in qrels and scores."
    are = "is" if pairs == 1 else "are"
    say(
        f"Pool {number} retired: its {counted(pairs, 'pair')} {are} no longer judged. "
        + (kept if judged else "None was judged.")
    )


def _ask(growth: Growth) -> None:
    """Ask before a pool that is much larger than all before it; click.Abort unless the answer is yes."""
    from workbench.campaign.pools.refusals import MuchLarger

    click.confirm(f"{MuchLarger(growth)}. Create it? (--yes answers this)", abort=True, err=True)


def _of_files(campaign: Campaign, asked: Asked) -> dict[str, Any]:
    """The parameters that --pairs and --runs-file stand for, after warnings about the files were shown."""
    from workbench.campaign.pools.listing import pairs_of_file, runs_of_file

    found: dict[str, Any] = {}
    if asked.pairs_file is not None:
        pairs = pairs_of_file(campaign, asked.pairs_file)
        show_warnings(pairs.warnings)
        found["pairs"] = pairs.pairs
    if asked.runs_file is not None:
        parameters, warnings = runs_of_file(campaign, asked.runs_file)
        show_warnings(warnings)
        found |= parameters
    return found


def parameters_of(
    strategy: Entry, size: Size, more: Mapping[str, str | None], of_files: Mapping[str, Any]
) -> dict[str, Any]:
    """The strategy's parameters out of options of their own, of --set and of files.

    click.UsageError says what is wrong.
    """
    options = {"depth": size.depth, **more, **_budget_of(strategy, size)}
    own = [f"{name}={value}" for name, value in options.items() if value is not None]
    try:
        given = strategy.read_assignments([*own, *size.assignments], of_files)
        return strategy.check(given | dict(of_files))
    except UnknownName as error:
        raise click.UsageError(
            f"{error} (write --set NAME=VALUE, --depth K or --pairs FILE; "
            "workbench pooling strategies lists the parameters)"
        ) from error


def _budget_of(strategy: Entry, size: Size) -> dict[str, str | None]:
    """The parameters that --budget and --per-topic are short for; click.UsageError where the strategy has none."""
    if size.budget is None and not size.per_topic:
        return {}
    if strategy.parameter("budget") is None:
        raise click.UsageError(
            f"{strategy.name} has no budget; choose a strategy that orders the documents, such as "
            "--strategy rrf --depth 100 --budget 500 (workbench pooling strategies lists them)"
        )
    number = (size.budget or "").strip()
    given = {"percent": number.removesuffix("%").strip()} if number.endswith("%") else {"budget": size.budget}
    return given | {"per_topic": "true" if size.per_topic else None}


def _fetch_texts(campaign: Campaign, name: str) -> None:
    from workbench.campaign.pools.pool_job import fetch_texts
    from workbench.core.wording import listed

    with steps(name) as on_step:
        fetched = fetch_texts(campaign, on_step=on_step)
    if fetched.found:
        say(f"{counted(fetched.found, 'text')} read from the recorded sources.")
    for source in fetched.gone:
        say(f"Warning: {source} is missing or has changed since it was added; its texts cannot be read.")
    missing = fetched.without_text
    if missing:
        say(
            f"{counted(len(missing), 'pooled document')} without a text ({listed(missing)}): "
            "these cannot be judged yet. "
            f"Add the files that contain them: workbench add documents {campaign.command_name} FILE..."
        )


def _show_plan(campaign: Campaign, plan: PoolPlan, kind: str) -> None:
    from workbench.campaign.pools.plan import sheet_of_topics, sheets_of
    from workbench.core.results import content

    hours, how = _time_needed(campaign, plan)
    if kind == "table":
        click.echo(f"Pool over {counted(len(plan.tags), 'run')}")
    write_sheet(kind, sheet_of_topics(plan), content(plan) | {"hours": hours}, shown=sheets_of(plan))
    chosen = plan.how if plan.depth is None else f"at depth {plan.depth}"
    to_judge = counted(plan.at_depth.to_judge, "pair")
    sentences = (
        plan.choice_words,
        plan.precision_words,
        f"{counted(plan.total, 'pair')} {chosen}, {plan.pooled_already:,} of them pooled already. "
        f"{to_judge} to judge then: {hours:,.1f} hours at {how}. Nothing was created.",
        f"Creating it would be refused: {plan.refused}." if plan.refused else "",
    )
    write_sentences(kind, sentences)


def _time_needed(campaign: Campaign, plan: PoolPlan) -> tuple[float, str]:
    """The hours that the open pairs take, and at which pace: that of the log, or an assumed one."""
    from workbench.campaign.pools.pace import ASSUMED_PER_HOUR, hours_for, measured_pace

    pace = measured_pace(campaign)
    hours = hours_for(plan.at_depth.to_judge, pace.per_hour if pace else ASSUMED_PER_HOUR)
    return hours, "the pace so far" if pace else f"an assumed {ASSUMED_PER_HOUR:g} per hour"


class OfFiles(NamedTuple):
    """What to pool, and how."""

    runs: tuple[str, ...] = argument("RUN...", required=True)
    strategy: str = option("A strategy of workbench pool that looks at runs alone.", default="depth")
    size: Size = Size()
    ties: str = ties_option
    workers: Workers | None = workers_options("read and cut the runs", " Runs are paths or addresses there.")


@command("pool-files")
def pool_files(
    asked: OfFiles,
    kind: str = format_option_of(
        "text", "csv", says="Pairs only, or a table with best rank, runs, stratum and inclusion probability"
    ),
    output: str = output_option,
) -> None:
    """Write the pool of run files, one topic and document a line, without a campaign.

    The pairs are those that workbench pool would choose from the same runs. Of each run only the top goes on, so that
    all runs together may be larger than memory, and workers may read them. A campaign takes the pairs as a list.
    Files may be addresses such as s3://bucket/bm25.run.gz, see docs/run/scale.md; - is standard input.

    Example:
      workbench pooling pool-files runs/*.gz --depth 100 -o pool.txt
      workbench pool robust --strategy list --pairs pool.txt
      workbench pooling pool-files runs/*.gz --strategy rrf --depth 100 --budget 5000 --format csv > pool.csv
      workbench pooling pool-files --scheduler tcp://head:8786 's3://trec/runs/*.gz' --depth 20 -o pool.txt
    """
    from workbench.campaign.pools.of_files import pool_files as pooled
    from workbench.formats.tables.csv_cells import csv_lines
    from workbench.formats.text.content import expanded
    from workbench.methods.pooling import STRATEGIES

    found = STRATEGIES.find(asked.strategy)
    parameters = parameters_of(found, asked.size, {}, {})
    files = expanded(asked.runs)
    pool = pooled(
        files, strategy=asked.strategy, ties=asked.ties, parameters=parameters, workers=asked.workers
    )
    show_warnings(pool.warnings)
    if kind == "csv":
        lines = csv_lines([pool.pairs.columns, *pool.pairs.iter_rows()])
    else:
        lines = (f"{topic_id} {document_id}\n" for topic_id, document_id, *_ in pool.pairs.iter_rows())
    write(output, lines)
    topics = pool.pairs["topic_id"].n_unique()
    say(
        f"{counted(pool.pairs.height, 'pair')} over {counted(topics, 'topic')} from {counted(len(files), 'run')}."
    )
