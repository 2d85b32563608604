"""Summaries of what users did, added to a campaign: the logs themselves stay where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from workbench.core.errors import AlreadyDone
from workbench.core.impressions import Impression, InterleavedList
from workbench.core.wording import counted, none_such
from workbench.formats.impressions import read_impressions
from workbench.formats.text.files import refused
from workbench.formats.text.sources import load_with_source
from workbench.methods.online.clicks import click_metrics
from workbench.methods.online.interleaving import preferences
from workbench.methods.online.units import Unit, refuse
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, user_outcomes
from workbench.storage.campaign.collection.user_outcomes import MOST_ROWS, UserOutcomes


def add_outcomes(
    campaign: Campaign,
    files: Sequence[str],
    made: Sequence[InterleavedList] = (),
    by: Unit | None = None,
    *,
    dry_run: bool = False,
) -> UserOutcomes:
    """Add the summary of logs of clicks: metrics of each run, or, with the records `made`, preferences of pairs.

    With `dry_run` nothing is stored.

    Raises:
        InputError: as `click_metrics` and `preferences`, a run that the campaign does not have, or too many rows.
        AlreadyDone: the newest summary of the kind is of the same files.
    """
    loaded = [load_with_source(file) for file in files]
    seen = [each for content, _ in loaded for each in read_impressions(content)]
    numbers = {run.record.tag: run.run for run in runs.all_runs(campaign)}
    hashes = tuple(source.sha256 for _, source in loaded)
    if made:
        found = preferences(made, seen, by)
        of = {each.list_id: each.runs for each in made}
        _require_runs(((run, each) for each in seen for run in of[each.list_id]), numbers)
        pairs = tuple(
            (numbers[each.one], numbers[each.other], each.units, each.preference, each.p_holm)
            for each in found.preferences
        )
        outcomes = UserOutcomes(found.unit, hashes, preferences=pairs)
    else:
        message = "the list is interleaved; name the file that says which run its documents count for"
        refuse((each, message if each.list_id and not each.run else "") for each in seen)
        _require_runs(((each.run, each) for each in seen), numbers)
        clicks = click_metrics(seen, by=by)
        metrics = tuple(
            (numbers[each.run], each.metric, each.units, each.value, each.ratio.error)
            for each in clicks.metrics
        )
        outcomes = UserOutcomes(clicks.unit, hashes, metrics=metrics)
    if (rows := len(outcomes.metrics) + len(outcomes.preferences)) > MOST_ROWS:
        message = f"a summary of {rows:,} rows, but a campaign takes {MOST_ROWS:,}; add fewer runs"
        raise refused(seen[0].file, message)
    kind = user_outcomes.INTERLEAVING if made else user_outcomes.CLICKS
    with campaign.snapshot() if dry_run else campaign.write():
        if user_outcomes.newest(campaign).get(kind) == outcomes:
            raise AlreadyDone("these outcomes are in the campaign already; nothing was added")
        if not dry_run:
            user_outcomes.put(campaign, outcomes)
    return outcomes


def in_words(added: UserOutcomes) -> str:
    """What a summary has: `6 runs; the sample is users`."""
    of_runs, pairs = len({run for run, *_ in added.metrics}), len(added.preferences)
    what = counted(pairs, "pair of runs", "pairs of runs") if pairs else counted(of_runs, "run")
    return f"{what}; the sample is {added.unit}s"


def _require_runs(of_lists: Iterable[tuple[str, Impression]], numbers: Mapping[str, int]) -> None:
    """InputError with the first list of each run that is not in the campaign."""
    first: dict[str, Impression] = {}
    for run, each in of_lists:
        first.setdefault(run, each)
    refuse((each, none_such("run", run, list(numbers))) for run, each in first.items() if run not in numbers)
