"""Rounds of a campaign: an event of the log opens one, and what follows it belongs to it until the next is opened.

Before the first such event a campaign is in its first round, which is called FIRST. Nothing else is stored: the place
in the log of a run, a topic, a pool or a judgment tells the round that it came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.storage.campaign.collection.runs import StoredRun, all_runs, in_force
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, up_to
from workbench.storage.campaign.log.state import State, part

ROUND, CANCELLED = kinds.ROUND, kinds.ROUND_CANCELLED
"""The kinds of events that open a round, and that cancel the open one: what follows belongs to the one before again.
The `content` of both has the round's name; a campaign that came out of a release has its runs before all rounds, so
`runs` has the numbers of those that belong to the round that is opened."""

FIRST = "1"

ALL, RESIDUAL, OWN = "all", "residual", "own"
JUDGED = {
    ALL: "by all judgments",
    RESIDUAL: "without what was judged before",
    OWN: "by its own judgments only",
}
"""Which judgments count for a round's runs, and what that is called: all up to its last row; of the pairs first judged
in the round alone, with all others taken out of the rankings (the residual collection) or with whole rankings."""


class Round(NamedTuple):
    """A round: its number from 1, its name, and its rows of the log, `opened` + 1 to `last`.

    `opened` is the `seq` of the event that opened it, 0 for the first round; `last` the row before the next round's
    event, None while the round is open. `at` and `actor` say when it was opened and by whom, "" for the first.
    `moved_in` and `moved_out` are runs that belong to this round, or to another, whatever their rows say.
    """

    number: int
    name: str
    opened: int
    last: int | None = None
    at: str = ""
    actor: str = ""
    moved_in: frozenset[int] = frozenset()
    moved_out: frozenset[int] = frozenset()

    def holds(self, seq: int) -> bool:
        """Whether a row of the log belongs to the round."""
        return self.opened < seq <= up_to(self.last)

    def has(self, run: StoredRun) -> bool:
        """Whether a run belongs to the round."""
        return run.run in self.moved_in or (self.holds(run.seq) and run.run not in self.moved_out)


class OfRound(NamedTuple):
    """The part of a campaign that its scores are of: the runs of a round, and which judgments count for them.

    `judged` is one of JUDGED. What "residual" takes out of rankings is out of the judgments too, so the labels are
    those of the round's own qrels.
    """

    round: Round
    judged: str = ALL

    def row(self, as_of: int | None) -> int | None:
        """The row that is looked at: `as_of`, else the round's last, None for now; CampaignError if before it."""
        if as_of is None:
            return self.round.last
        if as_of <= self.round.opened:
            message = (
                f"round {self.round.name} begins after log row {self.round.opened}, so it has no row {as_of}"
            )
            raise CampaignError(message)
        return as_of


def seen_by(campaign: Campaign, part: OfRound | None) -> Campaign:
    """The campaign by a round, as of its last row or another, None for the whole; CampaignError if before it."""
    return campaign.whole if part is None else campaign.at(part.row(campaign.as_of)).of(part)


@part(ROUND, CANCELLED, start=lambda: [Round(1, FIRST, 0)])
def _rounds(found: list[Round], event: Event) -> None:
    """The rounds in their order; which runs were moved out of them is not said."""
    if event.kind == CANCELLED:
        found.pop()
        found[-1] = found[-1]._replace(last=None)
        return
    found[-1] = found[-1]._replace(last=event.seq - 1)
    named = frozenset(event.content.get("runs", ()))
    found.append(Round(len(found) + 1, event.content["name"], event.seq, None, event.at, event.actor, named))


def all_rounds(campaign: Campaign) -> list[Round]:
    """The rounds up to now, or to a row of the log, in their order; at least the first."""
    state = State.of(campaign)
    moved = frozenset[int]().union(*(each.moved_in for each in state[_rounds]))
    names = state.names
    return [
        each._replace(actor=names[each.actor], moved_out=moved - each.moved_in) for each in state[_rounds]
    ]


def find(campaign: Campaign, name: str) -> Round | None:
    """The round of this name, or None."""
    return next((each for each in all_rounds(campaign) if each.name == name), None)


def called(campaign: Campaign, run: StoredRun) -> StoredRun:
    """The run by the tag that its team sent, where the campaign is looked at by the run's round; else as it is."""
    part: OfRound | None = campaign.part
    if part is None or not part.round.has(run):
        return run
    return run._replace(record=run.record._replace(tag=run.sent_as))


def by_name(campaign: Campaign) -> dict[str, StoredRun]:
    """All runs by their tags; those of the round that the campaign is looked at by also by the tags that were sent."""
    stored, part = all_runs(campaign), campaign.part
    own = {run.sent_as: run for run in stored if part is not None and part.round.has(run)}
    return {run.record.tag: run for run in stored} | own


def taking_part(campaign: Campaign) -> list[StoredRun]:
    """The runs in force; of a round alone, by the tags that were sent, where the campaign is looked at by one."""
    part: OfRound | None = campaign.part
    return [called(campaign, run) for run in in_force(campaign) if part is None or part.round.has(run)]


def with_teams_of_now(campaign: Campaign, stored: Iterable[StoredRun]) -> list[StoredRun]:
    """Runs as of a row with the teams that they have now: these are the ones that results are for."""
    teams = {run.run: run.record.team for run in all_runs(campaign.now)}
    return [run._replace(record=run.record._replace(team=teams[run.run])) for run in stored]


def named_teams(campaign: Campaign) -> set[str]:
    """The teams with a run that takes part; runs without a team have none."""
    return {run.record.team for run in with_teams_of_now(campaign, taking_part(campaign))} - {""}


def runs_of_team(campaign: Campaign, team: str) -> list[StoredRun]:
    """The runs of a team, withdrawn ones too, by the tags as in `taking_part`; "" has none."""
    part: OfRound | None = campaign.part
    stored = with_teams_of_now(campaign, all_runs(campaign))
    of_team = (run for run in stored if team and run.record.team == team)
    return [called(campaign, run) for run in of_team if part is None or part.round.has(run)]


def seen_with(campaign: Campaign, run: StoredRun) -> Campaign:
    """The campaign by the round that a run belongs to, where it is looked at by another round; else as it is."""
    part: OfRound | None = campaign.part
    if part is None or part.round.has(run):
        return campaign
    own = next(each for each in all_rounds(campaign.now) if each.has(run))
    return seen_by(campaign.now, OfRound(own))


def put_round(campaign: Campaign, name: str, *, runs: Sequence[int] = ()) -> Round:
    """Open a round inside the open write transaction; `runs` are those added before that belong to it."""
    content = {"name": name, "runs": list(runs)} if runs else {"name": name}
    append_event(campaign, ROUND, content)
    return all_rounds(campaign)[-1]


def cancel(campaign: Campaign, name: str) -> int:
    """Cancel the open round, which is not the first, inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, CANCELLED, {"name": name})
