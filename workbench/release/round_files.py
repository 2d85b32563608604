"""The files of a campaign's rounds: the qrels of each by TREC-COVID's names; and what scores of parts are of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.campaign.rounds import name_of
from workbench.core.about import PAIRS
from workbench.formats.qrels import qrels_lines
from workbench.release.export import StreamedQrels
from workbench.release.names import qrels_name
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rounds import ALL, JUDGED, OfRound, Round, all_rounds
from workbench.storage.campaign.organising import settings


class RoundQrels(NamedTuple):
    """Qrels of a round, as of its end: of the pairs first judged in it where it is `alone`, else of all up to it."""

    name: str
    round: Round
    alone: bool

    def lines(self, campaign: Campaign) -> Iterator[str]:
        """The file's lines, without special grades."""
        with campaign.snapshot():
            of_round = self.round if self.alone else None
            yield from qrels_lines(self.name, StreamedQrels(_at_end(campaign, self.round), of_round=of_round))


def qrels_of_rounds(campaign: Campaign) -> list[RoundQrels]:
    """The qrels of each round, and from the second on of all up to it; none in a campaign of one round."""
    first, *later = every = all_rounds(campaign)
    return [
        RoundQrels(qrels_name(campaign.name, (each if alone else first).name, each.name), each, alone)
        for each in (every if later else ())
        for alone in ((True, False) if each.opened else (True,))
    ]


def parts_of_rounds(campaign: Campaign) -> dict[str, Campaign]:
    """The campaign by each round as of its end and by what counts as judged, by `part_named`'s names; of one round {}.

    Nothing was judged before the first round, so it is there once.
    """
    every = all_rounds(campaign)
    parts = [OfRound(each, judged) for each in every for judged in (JUDGED if each.opened else (ALL,))]
    return {name_of(part): _at_end(campaign, part.round).of(part) for part in parts if len(every) > 1}


def scored_parts(campaign: Campaign) -> dict[str, Campaign]:
    """What a bundle has scores of besides the whole: the parts of rounds, and of questions; by the folder of each."""
    of_rounds = {f"scores/round-{name}": part for name, part in parts_of_rounds(campaign).items()}
    asked = [each.name for each in settings.read(campaign.asking("")).questions if each.about not in PAIRS]
    return of_rounds | {f"scores/of-{name}": campaign.asking(name) for name in asked}


def _at_end(campaign: Campaign, at: Round) -> Campaign:
    return campaign if at.last is None else campaign.at(at.last)
