"""What is said of a run beyond its file: priority, depth, description, costs; and corrections of its tag and team.

Each is an event of the log that holds what was before as well as what is from then on. So every point of the log has
its own names of runs, and what was pooled or printed under an earlier name can be found again. The tag of a run that
a pool names never changes: the records of pools hold tags.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from workbench.core.results import HIDDEN
from workbench.core.run_costs import HARDWARE, NO_COSTS, Costs
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import part

DETAILS = kinds.RUN_DETAILS
"""The kind of event."""

NAMES = ("tag", "team", "contributes")
"""What is part of a run's record; everything else is of its details."""

OBJECTS = ("description", "costs")
"""What is an object, which is empty before anything is said."""

NO_TEXTS: Mapping[str, str] = {}


class RunDetails(NamedTuple):
    """What the sender of a run said of it, as corrected since.

    `priority` orders a team's runs, 1 first; `depth` is how many of its documents a topic's pool should take; both are
    None where nothing was said. `description` has a text for each field that the organiser asks for; `replaces` is the
    number of the run whose place it took, `received` when the server had the file of a team's own submission. `costs`
    are by the names of `core.run_costs`.
    """

    priority: int | None = None
    depth: int | None = None
    description: Annotated[Mapping[str, str], HIDDEN] = NO_TEXTS
    replaces: Annotated[int | None, HIDDEN] = None
    received: Annotated[str | None, HIDDEN] = None
    costs: Annotated[Costs, HIDDEN] = NO_COSTS


NO_DETAILS = RunDetails()


def put(
    campaign: Campaign, run: int, was: Mapping[str, Any], changes: Mapping[str, Any], *, reason: str = ""
) -> int:
    """Record changes of a run, with former values `was`, inside the open write transaction; the event's `seq`."""
    content = {"run": run, "was": dict(was), "now": dict(changes), "reason": reason}
    return append_event(campaign, DETAILS, content)


def steps(campaign: Campaign) -> list[Event]:
    """Everything that was said and corrected; an event's `content` is what `put` gave it."""
    return events(campaign, DETAILS)


def details(campaign: Campaign) -> dict[int, RunDetails]:
    """What is said of runs, by number; under codes without description and machine, which may show whose they are."""
    found = _details(campaign)
    if not campaign.coded:
        return found
    return {
        run: said._replace(
            description=NO_TEXTS,
            received=None,
            costs={name: value for name, value in said.costs.items() if name != HARDWARE.name},
        )
        for run, said in found.items()
    }


@part(DETAILS, start=dict)
def _details(found: dict[int, RunDetails], event: Event) -> None:
    """What is said of each run of which something is said, by its number."""
    run, now = event.content["run"], event.content["now"]
    said = {name: value for name, value in now.items() if name in RunDetails._fields}
    found[run] = found.get(run, NO_DETAILS)._replace(**said)
