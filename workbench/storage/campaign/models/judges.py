"""The judges of a campaign, each declared by an event of the log; what changes in one is a new version of it."""

from __future__ import annotations

from workbench.core.errors import CampaignError, UnknownName
from workbench.core.model_answers import Judge
from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE
from workbench.core.wording import none_such
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades import sources
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import State, part
from workbench.storage.campaign.organising import settings

JUDGE = kinds.JUDGE

Versions = tuple[Judge, ...]


def put_judge(campaign: Campaign, judge: Judge) -> Judge:
    """Declare a judge inside the open write transaction, and return it with its version.

    Nothing is appended where the newest version is the same.

    Raises:
        CampaignError: the name cannot be read, or has judgments that are not of a model; the campaign has no such
            question, forbids labels of models, or the judge can give no grade.
    """
    _check(campaign, judge)
    before = versions(campaign, judge.name)
    judge = judge._replace(scale=tuple(sorted(set(judge.scale))), version=len(before) + 1)
    if before and before[-1] == judge._replace(version=len(before)):
        return before[-1]
    append_event(campaign, JUDGE, judge.content)
    return judge


def judges(campaign: Campaign) -> list[Judge]:
    """The newest version of each judge, in the order in which they were first declared."""
    state = State.of(campaign)
    return [each[-1]._replace(name=state.names[id_]) for id_, each in state[_versions].items()]


def versions(campaign: Campaign, name: str) -> Versions:
    """Every version of a judge, the first one first; none where no judge has the name."""
    found = State.of(campaign)[_versions].get(id_of(campaign, name), ())
    return tuple(each._replace(name=name) for each in found)


def judge_named(campaign: Campaign, name: str) -> Judge:
    """The newest version of a judge; UnknownName where no judge has the name."""
    if found := versions(campaign, name):
        return found[-1]
    raise UnknownName(none_such("judge", name, [each.name for each in judges(campaign)]))


def require_allowed(campaign: Campaign) -> None:
    """CampaignError where the campaign forbids labels of models."""
    if settings.read(campaign).model_labels == sources.FORBIDDEN:
        raise CampaignError(
            f"{campaign.name} takes no labels of models; allow them with "
            f"`workbench judging rule {campaign.command_name} --models never`, which does not let them count"
        )


@part(JUDGE, start=dict)
def _versions(found: dict[str, Versions], event: Event) -> None:
    """The versions of each judge by the id of its name."""
    judge = Judge(**{**event.content, "scale": tuple(event.content["scale"])})
    found[judge.name] = (*found.get(judge.name, ()), judge)


def _check(campaign: Campaign, judge: Judge) -> None:
    require_allowed(campaign)
    if not judge.name.strip() or not judge.name.isprintable():
        raise CampaignError(
            f"{judge.name!r} cannot be the name of a judge; use characters that can be printed"
        )
    if sources.kinds_of(campaign, judge.name) - {sources.MODEL}:
        raise CampaignError(
            f"{judge.name!r} has judgments in this campaign that are no labels of a model; choose another name"
        )
    if not judge.scale:
        raise CampaignError(f"{judge.name!r} can give no grade; name the grades of its scale")
    if beyond := [grade for grade in judge.scale if not LOWEST_GRADE <= grade <= HIGHEST_GRADE]:
        raise CampaignError(
            f"{judge.name!r}: grade {beyond[0]} is beyond {LOWEST_GRADE} to {HIGHEST_GRADE}; correct its scale"
        )
    if judge.question:
        settings.read(campaign).question(judge.question)
