"""Summaries of what users did, added to a campaign: the logs themselves stay where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.analysis.online.clicks import click_metrics, ratios_by_run
from workbench.analysis.online.interleaving import preferences
from workbench.analysis.online.units import Unit, units_of
from workbench.core.errors import AlreadyDone, InputError, Problem
from workbench.core.impressions import Impression, InterleavedList
from workbench.core.wording import none_such
from workbench.formats.impressions import read_impressions
from workbench.formats.text.sources import load_with_source
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, user_outcomes
from workbench.storage.campaign.collection.user_outcomes import MetricRow, PairRow, UserOutcomes

MOST_PAIRS = 2_000
CUTOFF = 10


def add_outcomes(
    campaign: Campaign, files: Sequence[str], made: Sequence[InterleavedList] = (), by: Unit | None = None
) -> UserOutcomes:
    """Add the summary of logs of clicks: metrics of each run, or, with the records `made`, preferences of pairs.

    Raises:
        InputError: as `click_metrics` and `preferences`, a run that the campaign does not have, or too many pairs.
        AlreadyDone: the newest summary of the kind is of the same files.
    """
    loaded = [load_with_source(file) for file in files]
    seen = [each for content, _ in loaded for each in read_impressions(content)]
    numbers = {run.record.tag: run.run for run in runs.all_runs(campaign)}
    hashes = tuple(source.sha256 for _, source in loaded)
    found = _of_pairs(seen, made, by, numbers) if made else _of_runs(seen, by, numbers)
    outcomes = found._replace(files=hashes)
    kind = user_outcomes.INTERLEAVING if made else user_outcomes.CLICKS
    with campaign.write():
        if user_outcomes.newest(campaign).get(kind) == outcomes:
            raise AlreadyDone("these outcomes are in the campaign already; nothing was added")
        user_outcomes.put(campaign, outcomes)
    return outcomes


def _of_runs(seen: Sequence[Impression], by: Unit | None, numbers: Mapping[str, int]) -> UserOutcomes:
    _require_runs({each.run: each for each in reversed(seen)}, numbers)
    unit = click_metrics(seen, cutoff=CUTOFF, by=by).unit
    rows: list[MetricRow] = [
        (numbers[run], name, of.units, each.value, each.error)
        for run, of in ratios_by_run(seen, units_of(seen, unit), CUTOFF).items()
        for name, each in of.ratios.items()
    ]
    return UserOutcomes(unit, (), metrics=tuple(rows))


def _of_pairs(
    seen: Sequence[Impression], made: Sequence[InterleavedList], by: Unit | None, numbers: Mapping[str, int]
) -> UserOutcomes:
    found = preferences(made, seen, by)
    first = {each.list_id: each for each in reversed(seen)}
    _require_runs(
        {run: first[each.list_id] for each in made if each.list_id in first for run in each.runs}, numbers
    )
    if len(found.preferences) > MOST_PAIRS:
        message = f"{len(found.preferences):,} pairs of runs, but a campaign takes {MOST_PAIRS:,}; add fewer"
        raise InputError([Problem(seen[0].file, None, message)])
    rows: list[PairRow] = [
        (numbers[each.one], numbers[each.other], each.units, each.preference, each.p_holm)
        for each in found.preferences
    ]
    return UserOutcomes(found.unit, (), preferences=tuple(rows))


def _require_runs(first: Mapping[str, Impression], numbers: Mapping[str, int]) -> None:
    """InputError with the first list of each run that is not in the campaign."""
    problems = [
        Problem(each.file, each.line, none_such("run", run, list(numbers)))
        for run, each in first.items()
        if run not in numbers
    ]
    if problems:
        raise InputError(problems)
