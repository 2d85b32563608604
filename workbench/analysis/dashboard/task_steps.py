"""The steps from runs to qrels: where a campaign is, and what is next. Every door says it by this one declaration."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Literal, NamedTuple

from workbench.analysis.dashboard.progress import State, state_of
from workbench.campaign import assigning
from workbench.core.results import Column
from workbench.core.wording import counted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, rounds
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.people import members


class Step(NamedTuple):
    """A step from runs to qrels.

    Attributes:
        step: its word.
        title: what pages call it.
        state: "now" for the one that is next, "skipped" for an earlier one of which there is nothing.
        there: what there is of it.
        words: what to do.
        command: how to do it in a terminal.
    """

    step: str
    title: Annotated[str, Column("Called")]
    words: Annotated[str, Column("What to do")]
    command: str
    state: Literal["done", "now", "later", "skipped"] = "later"
    there: str = ""

    def of(self, campaign: Campaign) -> Step:
        """With the command for a campaign."""
        return self._replace(command=f"workbench {self.command.format(campaign.command_name)}")


STEPS = (
    Step("topics", "Topics", "Add topics first: they hold the information needs.", "add topics {} FILE"),
    Step("documents", "Documents", "Add documents: assessors read their texts.", "add documents {} FILE..."),
    Step(
        "runs", "Runs", "Add runs: the systems’ results, from which the pool is drawn.", "add runs {} RUN..."
    ),
    Step("pool", "Pool", "Choose which documents of the runs are judged.", "pool {} --depth 10"),
    Step("people", "Assessors", "Invite assessors, or judge yourself.", "member invite {} --role assessor"),
    Step("assign", "Assignments", "Give every topic to an assessor.", "assign spread {}"),
    Step("judge", "Judging", "Judge the pairs that are open.", "serve {}"),
    Step("agreement", "Agreement", "Adjudicate pairs with conflicting grades.", "judging agreement {}"),
    Step("stop", "Decision to stop", "See whether more judgments can change the order.", "analyse stop {}"),
    Step("release", "Release", "Publish the qrels.", "release bundle {0} -o {0}.zip"),
)
"""In their order. The first that waits is next."""

STEP = {each.step: each for each in STEPS}


class Steps(NamedTuple):
    """Where a campaign is on its way from runs to qrels.

    Attributes:
        round: the open round, of which runs and pools are counted; "" in a campaign of one round.
        steps: all steps in their order.
    """

    round: str
    steps: tuple[Step, ...]

    @property
    def next(self) -> Step:
        """The step that is next."""
        return next(step for step in self.steps if step.state == "now")


class _Found(NamedTuple):
    """What there is of a step, whether that is any, and whether the campaign waits for more."""

    there: str
    has: bool
    waits: bool


def steps_of(campaign: Campaign, state: State | None = None) -> Steps:
    """The steps of a campaign now; `state` is its state, where that is known."""
    with campaign.snapshot():
        last = rounds.all_rounds(campaign)[-1]
        found = list(_found(campaign, last, state or state_of(campaign, now=datetime.now(UTC))))
    at = next(place for place, each in enumerate(found) if each.waits)
    steps = []
    for place, (step, each) in enumerate(zip(STEPS, found, strict=True)):
        passed: Literal["skipped", "later"] = "skipped" if place < at else "later"
        mark = "now" if place == at else "done" if each.has and not each.waits else passed
        steps.append(step.of(campaign)._replace(state=mark, there=each.there))
    return Steps(last.name if last.number > 1 else "", tuple(steps))


def _found(campaign: Campaign, last: rounds.Round, it: State) -> Iterator[_Found]:
    """What there is of each step, in the order of STEPS."""
    yield _Found(counted(len(it.topics), "topic"), bool(it.topics), not it.topics)
    lack = f", {counted(it.held_back, 'pair')} without a text" if it.held_back else ""
    has_none = not (it.documents or it.pooled or it.judged_beyond)
    lacks_texts = it.held_back > 0 and it.open == 0
    yield _Found(counted(it.documents, "document") + lack, it.documents > 0, has_none or lacks_texts)
    sent = rounds.taking_part(campaign.of(rounds.OfRound(last)))
    teams = len({run.record.team for run in sent} - {""})
    of_teams = f" of {counted(teams, 'team')}" if teams else ""
    yield _Found(counted(len(sent), "run") + of_teams, bool(sent), not sent)
    made = [pool for pool in pools.in_force(campaign) if last.holds(pool.seq)]
    pooled = it.pooled if last.number == 1 else sum(pool.brought for pool in made)
    judged = it.judged_beyond if last.number == 1 else judgments.number_between(campaign, last.opened)
    said = f"{counted(pooled, 'pair')} in {counted(len(made), 'pool')}"
    yield _Found(said, bool(made), not (made or judged))
    yield from _found_of_judging(campaign, it)
    yield _Found(f"{counted(it.graded, 'pair')} with a grade", has=False, waits=True)


def _found_of_judging(campaign: Campaign, it: State) -> Iterator[_Found]:
    """What there is of the steps from the first assessor to the decision to stop."""
    who, roles = assigning.overview(campaign), members.all_members(campaign)
    closed = {row.topic_id for row in who.rows if row.is_closed}
    waiting = sum(topic.open for topic in it.topics if topic.topic_id not in closed)
    assessors = sum(role in ("assessor", "adjudicator") for role in roles.values())
    # Where there are no members at all, the people at this computer judge.
    lonely = waiting > 0 and not (assessors or it.judged) and bool(roles)
    yield _Found(counted(assessors, "assessor"), assessors > 0, lonely)
    given = f"{len(who.rows) - who.unassigned:,} of {counted(len(who.rows), 'topic')} assigned"
    said = {"anybody": "any assessor judges any topic", "claimed": "assessors claim topics"}
    is_assigned = who.who_judges == "assigned"
    yield _Found(said.get(who.who_judges, given), is_assigned, is_assigned and who.unassigned > 0)
    judged = f"{it.judged:,} of " if it.pooled else ""
    pairs = counted(it.pooled or it.judged_beyond, "pair")
    yield _Found(f"{judged}{pairs} judged", it.judged + it.judged_beyond > 0, waiting > 0)
    twice = max(0, sum(person.work.judged for person in it.assessors) - it.judged - it.judged_beyond)
    conflicts = sum(topic.conflicts for topic in it.topics)
    disputed = f", {counted(conflicts, 'conflict')}" if conflicts else ""
    yield _Found(counted(twice, "second judgment") + disputed, twice > 0 and not waiting, conflicts > 0)
    left = counted(it.pooled - it.judged, "pair")
    # Pairs without a text wait for no one, and nothing is decided by them.
    is_decided = it.judged > 0 and not (waiting or it.held_back)
    yield _Found(f"{left} left", is_decided, waits=False)
