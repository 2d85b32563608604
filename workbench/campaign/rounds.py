"""Rounds of a campaign: opening the next, finding one by its name, and what came in each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from workbench.core.errors import AlreadyDone, CampaignError, NotThere, UnknownName
from workbench.core.results import Column
from workbench.core.wording import counted, listed
from workbench.formats.tables.sheets import Sheet
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, rounds, run_details, runs, topics
from workbench.storage.campaign.collection.rounds import ALL, OWN, RESIDUAL, OfRound, Round, seen_by
from workbench.storage.campaign.grades import judgments

NAME = re.compile(r"[\w.]{1,40}")
"""Names of rounds are in the names of files, where a hyphen joins two of them."""


EVERY = "all"
"""What all rounds together are called where a round is named."""


class SeveralRounds(CampaignError):
    """What was asked for has no view by round, and would be published with the scores of all rounds mixed."""


COLUMNS = (
    Column("Round", "round", "text"),
    Column("Opened", "opened", "text"),
    Column("After log row", "after", "count"),
    Column("Runs", "runs", "count"),
    Column("Topics", "topics", "count"),
    Column("Pools", "pools", "count"),
    Column("Judgments", "judgments", "count"),
)


class RoundCounts(NamedTuple):
    """A round and its runs, topics, pools and rows of judgments, with those withdrawn or retired since."""

    round: Round
    runs: int
    topics: int
    pools: int
    judgments: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing came in the round."""
        return not any(self[1:])


def open_round(campaign: Campaign, name: str) -> Round:
    """Open the next round: runs, topics, pools and judgments from now on belong to it.

    Raises:
        CampaignError: the name has other characters than letters, digits, dots and underscores.
        AlreadyDone: a round of that name is there, or nothing came in the round that is open.
    """
    if not NAME.fullmatch(name) or name == EVERY:
        message = (
            f"{name[:50]!r} cannot be the name of a round; use up to 40 letters, digits and dots, such as 2"
        )
        raise CampaignError(message)
    with campaign.write():
        counts = round_counts(campaign)
        if name in {each.round.name for each in counts}:
            message = f"round {name} is there already; choose another name, such as {len(counts) + 1}"
            raise AlreadyDone(message)
        if counts[-1].is_empty:
            message = f"round {counts[-1].round.name} is still empty: add runs, topics, pools or judgments to it first"
            raise AlreadyDone(message)
        return rounds.put_round(campaign, name)


class Cancellation(NamedTuple):
    """The open round with what came in it, and the round before, to which that belongs once it is cancelled."""

    counts: RoundCounts
    before: Round

    @property
    def moved(self) -> str:
        """What then belongs to the round before, in a sentence; "" for nothing."""
        named = ((self.counts.runs, "run"), (self.counts.topics, "topic"), (self.counts.pools, "pool"))
        parts = [counted(number, one) for number, one in named if number]
        *first, last = parts or [""]
        came = f"{', '.join(first)} and {last}" if first else last
        belong = "belong" if sum(self.counts[1:]) > 1 else "belongs"
        return came and f"{came} of round {self.counts.round.name} then {belong} to round {self.before.name}."


def cancellation(campaign: Campaign, name: str) -> Cancellation:
    """What cancelling the open round of this name does.

    Raises:
        NotThere: there is no such round.
        CampaignError: it is the first, another is open, judgments came in it, or a pool is of its residual collection.
    """
    found, counts = find_round(campaign, name), round_counts(campaign)
    open_now = counts[-1].round
    if not found.opened:
        raise CampaignError(f"round {name} is the first round of {campaign.name}, which cannot be cancelled")
    if found != open_now:
        raise CampaignError(
            f"round {name} is over since round {open_now.name} was opened; only that can be cancelled"
        )
    way_out = f"so round {name} stays; open the next round instead"
    if given := counts[-1].judgments:
        raise CampaignError(f"{counted(given, 'judgment')} came in it, {way_out}")
    if of_it := [pool.pool for pool in pools.all_pools(campaign) if pool.record.residual == name]:
        raise CampaignError(f"pool {of_it[0]} is of its residual collection, {way_out}")
    if found.moved_in:
        raise CampaignError(f"its runs came with it out of a release, {way_out}")
    return Cancellation(counts[-1], counts[-2].round)


def cancel_round(campaign: Campaign, name: str) -> Cancellation:
    """Cancel the open round: all in it is the round before's; runs keep their names. Errors as `cancellation`."""
    with campaign.write():
        found = cancellation(campaign, name)
        for run in runs.all_runs(campaign):
            if run.sent and found.counts.round.has(run):
                run_details.put(campaign, run.run, {"sent": run.sent}, {"sent": ""})
        rounds.cancel(campaign, name)
        return found


def find_round(campaign: Campaign, name: str) -> Round:
    """The round of this name; NotThere lists those that there are."""
    found = rounds.find(campaign, name)
    if found is None:
        names = listed([each.name for each in rounds.all_rounds(campaign)], 25)
        raise NotThere(
            f"{campaign.name} has no round {name}; it has {names}. "
            f"To open it: workbench task round {campaign.command_name} --open {name}"
        )
    return found


def part_named(campaign: Campaign, text: str | None) -> OfRound | None:
    """The part of a campaign that a text names: `2`, `2-residual`, `2-own`, `all`; None for all that it has.

    Without one it is the round that is open, or was as of the row that the campaign is seen as of; in a campaign of one
    round all of it. NotThere for a round that there is not, UnknownName for other judgments than JUDGED.
    """
    name, _, judged = (text or "").strip().partition("-")
    if not name:
        last = rounds.all_rounds(campaign)[-1]
        return OfRound(last) if last.number > 1 else None
    if name == EVERY and not judged:
        return None
    found = find_round(campaign.now, name)
    if judged and judged not in (RESIDUAL, OWN):
        raise UnknownName(
            f"of round {name} there are {name}, {name}-{RESIDUAL} and {name}-{OWN}, not {text!r}"
        )
    return OfRound(found, judged or ALL)


def name_of(part: OfRound | None) -> str:
    """What `part_named` reads."""
    if part is None:
        return EVERY
    return part.round.name if part.judged == ALL else f"{part.round.name}-{part.judged}"


def seen_by_name(campaign: Campaign, text: str | None) -> Campaign:
    """The campaign by the part that a text names, as of the end of a round that is over; errors as `OfRound.row`."""
    return seen_by(campaign, part_named(campaign, text))


def rounds_note(campaign: Campaign) -> str:
    """What scores over all runs mix in a campaign of several rounds, in a sentence; "" in one of its rounds."""
    number = len(rounds.all_rounds(campaign))
    if number == 1 or campaign.part is not None:
        return ""
    return (
        f"All {number} rounds together: every run is scored on the topics and by the judgments of all rounds."
    )


BY_ROUND = "Those of a single round: --round NAME."
"""How to see what `rounds_note` is not about."""


def require_one_round(campaign: Campaign, what: str) -> None:
    """SeveralRounds where several rounds are seen together; `what` begins the sentence: "Team sheets"."""
    if rounds_note(campaign):
        raise SeveralRounds(
            f"{what} would mix the rounds of {campaign.name}: every run would be scored on the topics and by the "
            "judgments of all rounds; choose one of them, such as --round 2"
        )


def round_counts(campaign: Campaign) -> list[RoundCounts]:
    """All rounds with what came in each, the first round first. A topic came with the event that first named it."""
    stored, first_seqs = runs.all_runs(campaign), topics.first_seqs(campaign).values()
    made = [pool.seq for pool in pools.all_pools(campaign)]
    return [
        RoundCounts(
            each,
            sum(map(each.has, stored)),
            sum(map(each.holds, first_seqs)),
            sum(map(each.holds, made)),
            judgments.number_between(campaign, each.opened, each.last),
        )
        for each in rounds.all_rounds(campaign)
    ]


def sheet_of(counts: Iterable[RoundCounts]) -> Sheet:
    """The rounds as rows; the first has no time at which it was opened."""
    rows = ((each.round.name, each.round.at, each.round.opened, *each[1:]) for each in counts)
    return Sheet(COLUMNS, tuple(rows))
