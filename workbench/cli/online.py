"""What users do: interleaved lists and their outcomes, metrics of clicks, A/B tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.cli.analyses import write_answer
from workbench.cli.campaigns import Opened, Seen, say
from workbench.cli.exporting import output_option, write
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option_of, write_results
from workbench.core.impressions import LONGEST_LIST
from workbench.core.seed import SEED
from workbench.core.wording import counted
from workbench.methods.online.units import ABOUT, Unit

if TYPE_CHECKING:
    from workbench.core.impressions import Impression, InterleavedList

format_option = format_option_of("table", "csv", "json", "latex")
by_option = option("What the sample is.  [default: users, else sessions, else topics]", "--by")
cutoff_option = option("The k of CTR@k.", default=10, least=1, metavar="K")
LISTS = "What workbench online interleave wrote; may be repeated."
EVEN = 0.001


@command()
def interleave(
    one: str = argument("RUN"),
    other: str = argument("RUN"),
    depth: int = option("The most documents of a list.", default=10, least=1, most=LONGEST_LIST),
    lists: int = option(
        "How many lists for each topic; each should be shown once.", default=1, least=1, most=100_000
    ),
    seed: int = option("Random seed: the same seed gives the same lists.", default=SEED, least=0),
    output: str = output_option,
) -> None:
    """Interleave two runs by team draft, with a record of which run each document counts for.

    In each round a coin says which run adds its next document first. A document that both would add next counts for
    neither. Written is a JSON line for each list; a click log names the lists by list_id. Show each list to one user:
    many users of one list share its coins, and only topics are a sample then.

    Example:
      workbench online interleave bm25.run dense.run --lists 100 -o lists.jsonl
    """
    from workbench.formats.interleaved import written_interleaved
    from workbench.formats.runs import read_runs
    from workbench.methods.online.interleaving import interleaved_lists

    runs = read_runs([one, other])
    made = interleaved_lists(*runs, depth=depth, lists=lists, seed=seed)
    write(output, map(written_interleaved, made))
    if lacking := len(runs[0].topics.keys() ^ runs[1].topics.keys()):
        say(f"{counted(lacking, 'topic')} without lists: one of the runs lacks them.")


@command()
def clicks(
    files: Sequence[str] = argument("FILE...", required=True),
    by: Unit | None = by_option,
    cutoff: int = cutoff_option,
    kind: str = format_option,
) -> None:
    """Metrics of clicks by run: click-through, reciprocal rank, clicks, abandonment, seconds to the first click.

    FILE is a log of clicks, CSV or JSON lines, with a record for each list that a user saw: topic_id, shown (ids by
    rank), clicked (ids in the order of the clicks), and if known user_id, session_id, run and seconds (from the list to
    each click). Intervals of 95 % are by the delta method; there is none where too few users differ.

    Example:
      workbench online clicks clicks.jsonl
      workbench online clicks march.csv april.csv --by topic --format csv
    """
    from workbench.methods.online.clicks import ClickMetric, click_metrics

    found = click_metrics(_read(files), cutoff=cutoff, by=by)
    write_results(kind, ClickMetric, found.metrics, found)
    say(ABOUT[found.unit])


@command()
def ab(
    files: Sequence[str] = argument("FILE...", required=True),
    baseline: str = option(
        "The group that others are compared with.  [default: the first]", default="", metavar="RUN"
    ),
    cutoff: int = cutoff_option,
    kind: str = format_option,
) -> None:
    """Compare the groups of an A/B test: Welch's test of each metric, with users as the sample (delta method).

    The run (or group) of each list of the log says which ranking its user saw; each user is in one group. Holm's
    correction is for all tests of the table. Groups of other sizes than an even split gives are named.

    Example:
      workbench online ab clicks.jsonl --baseline bm25
    """
    from workbench.methods.online.clicks import GroupDifference, ab_test

    found = ab_test(_read(files), baseline=baseline, cutoff=cutoff)
    write_results(kind, GroupDifference, found.differences, found)
    of_groups = zip(found.split.groups, found.split.units, strict=True)
    sizes = ", ".join(f"{group} {size:,}" for group, size in of_groups)
    say(f"{found.unit.capitalize()}s: {sizes}. {ABOUT[found.unit]}")
    if found.split.p < EVEN:
        say(
            f"Warning: an even split gives such sizes with p = {found.split.p:.2g}. Unless it was meant to be uneven, "
            "the assignment or the log prefers a group, and the differences above are no effect of the runs."
        )


@command()
def interleaving(
    files: Sequence[str] = argument("FILE...", required=True),
    lists: tuple[str, ...] = option(LISTS, metavar="FILE", required=True),
    by: Unit | None = by_option,
    kind: str = format_option,
) -> None:
    """Outcomes of interleaved lists: which run of each pair users prefer, with a t-test and the sign test.

    FILE is a log of clicks whose records have a list_id. A list prefers the run that more of its clicked documents
    count for; lists without a click do not count, ties do.

    Example:
      workbench online interleaving clicks.jsonl --lists lists.jsonl
    """
    from workbench.methods.online.interleaving import Preference, preferences

    found = preferences(_lists(lists), _read(files), by)
    write_results(kind, Preference, found.preferences, found)
    say(ABOUT[found.unit])


@command("outcomes")
def add_outcomes(
    campaign: Opened,
    files: Sequence[str] = argument("FILE...", required=True),
    lists: tuple[str, ...] = option(LISTS, metavar="FILE"),
    by: Unit | None = by_option,
) -> None:
    """Add the summary of what users did: metrics of clicks by run, or with --lists the outcomes of interleaving.

    The campaign gets values and standard errors of its runs and the SHA-256 of each file; no user, query or click. The
    newest summary of each kind counts.

    Example:
      workbench add outcomes robust clicks.jsonl
      workbench add outcomes robust interleaved.jsonl --lists lists.jsonl
    """
    from workbench.campaign import outcomes

    added = outcomes.add_outcomes(campaign, files, _lists(lists), by)
    say(f"Outcomes added: {outcomes.in_words(added)}.")


@command()
def boards(
    campaign: Seen,
    metric: str = option("The metric of clicks that orders the runs.", default="CTR@10"),
    kind: str = format_option,
) -> None:
    """How far leaderboards agree with what users did: tau_b with each measure's board, and pairs that users decide.

    Low and high are where tau_b lies in 95 % of the draws of topics and errors; no confidence interval. The best
    measure is chosen by the same data: see in how many of the draws it is the best.

    Example:
      workbench online boards robust --metric clicks
    """
    from workbench.analysis.online.agreement import ONLINE

    found = write_answer(ONLINE, campaign, kind, metric=metric)
    if found.unit and not found.measures:
        say("No measure has a leaderboard yet: no topic counts.")
    elif not found.unit and not found.pairs:
        say(f"Nothing is known of users yet: workbench add outcomes {campaign.command_name} FILE...")


def _read(files: Sequence[str]) -> list[Impression]:
    from workbench.formats.impressions import read_impressions

    return [each for file in files for each in read_impressions(file)]


def _lists(files: Sequence[str]) -> list[InterleavedList]:
    from workbench.formats.interleaved import read_interleaved

    return [each for file in files for each in read_interleaved(file)]
