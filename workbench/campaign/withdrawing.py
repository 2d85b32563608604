"""Taking runs out of a campaign and putting them back, by their tags."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.errors import AlreadyDone, NotThere
from workbench.core.wording import none_such
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, withdrawals
from workbench.storage.campaign.collection.runs import StoredRun


def withdraw_runs(campaign: Campaign, tags: Sequence[str], *, reason: str = "") -> list[StoredRun]:
    """Take runs out of the board and of every pool that is made from now on; all of them or none.

    They stay in the file, and what was pooled from them stays pooled.

    Raises:
        NotThere: a run does not exist.
        AlreadyDone: a run is withdrawn already.
    """
    with campaign.write():
        for run in runs_named(campaign, tags):
            if run.withdrawn is not None:
                message = f"run {run.record.tag!r} is withdrawn already, since log row {run.withdrawn}"
                raise AlreadyDone(message)
            withdrawals.withdraw(campaign, run.run, run.record.tag, reason=reason)
        return runs_named(campaign, tags)


def restore_runs(campaign: Campaign, tags: Sequence[str], *, reason: str = "") -> list[StoredRun]:
    """Put withdrawn runs back; arguments and errors as in `withdraw_runs`."""
    with campaign.write():
        for run in runs_named(campaign, tags):
            if run.withdrawn is None:
                raise AlreadyDone(f"run {run.record.tag!r} is not withdrawn")
            withdrawals.restore(campaign, run.run, run.record.tag, reason=reason)
        return runs_named(campaign, tags)


def runs_named(campaign: Campaign, tags: Sequence[str]) -> list[StoredRun]:
    """The runs of these tags, each once, withdrawn ones too; NotThere names those that do not exist."""
    found = {run.record.tag: run for run in runs.all_runs(campaign)}
    unknown = [tag for tag in tags if tag not in found]
    if unknown:
        raise NotThere(none_such("run", unknown, list(found), of=campaign.name))
    return [found[tag] for tag in dict.fromkeys(tags)]


def withdrawn_tags(campaign: Campaign) -> list[str]:
    """The tags of the runs that are out now, or were as of a place in the log."""
    return [run.record.tag for run in runs.all_runs(campaign) if run.withdrawn is not None]
