"""Summaries of what users did, added to a campaign: the logs themselves stay where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from workbench.analysis.online.clicks import click_metrics
from workbench.analysis.online.interleaving import preferences
from workbench.analysis.online.units import Unit, refuse
from workbench.core.errors import AlreadyDone, InputError, Problem
from workbench.core.impressions import Impression, InterleavedList
from workbench.core.wording import none_such
from workbench.formats.impressions import read_impressions
from workbench.formats.text.sources import load_with_source
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, user_outcomes
from workbench.storage.campaign.collection.user_outcomes import UserOutcomes


def add_outcomes(
    campaign: Campaign, files: Sequence[str], made: Sequence[InterleavedList] = (), by: Unit | None = None
) -> UserOutcomes:
    """Add the summary of logs of clicks: metrics of each run, or, with the records `made`, preferences of pairs.

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
        _require_runs(((each.run, each) for each in seen), numbers)
        clicks = click_metrics(seen, by=by)
        metrics = tuple(
            (numbers[each.run], each.metric, each.units, each.value, each.ratio.error)
            for each in clicks.metrics
        )
        outcomes = UserOutcomes(clicks.unit, hashes, metrics=metrics)
    if (rows := len(outcomes.metrics) + len(outcomes.preferences)) > user_outcomes.MOST_ROWS:
        message = (
            f"a summary of {rows:,} rows, but a campaign takes {user_outcomes.MOST_ROWS:,}; add fewer runs"
        )
        raise InputError([Problem(seen[0].file, None, message)])
    kind = user_outcomes.INTERLEAVING if made else user_outcomes.CLICKS
    with campaign.write():
        if user_outcomes.newest(campaign).get(kind) == outcomes:
            raise AlreadyDone("these outcomes are in the campaign already; nothing was added")
        user_outcomes.put(campaign, outcomes)
    return outcomes


def _require_runs(of_lists: Iterable[tuple[str, Impression]], numbers: Mapping[str, int]) -> None:
    """InputError with the first list of each run that is not in the campaign."""
    first: dict[str, Impression] = {}
    for run, each in of_lists:
        if run not in numbers:
            first.setdefault(run, each)
    refuse((each, none_such("run", run, list(numbers))) for run, each in first.items())
