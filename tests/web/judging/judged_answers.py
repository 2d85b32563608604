"""A campaign of an assessor who judges answers: what they cite, and which nuggets they hold."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.asked_answers import add_answers, add_texts, put_bank
from tests.fixture_types import MakeCampaign
from tests.made_answers import GRAZERS, REEFS, YEARS, answer
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import CITATIONS, NUGGETS, SPANS
from workbench.core.records import Document, Topic
from workbench.formats.answers.banks import Nugget, Reference
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import units
from workbench.storage.campaign.collection.unit_records import Unit

TOPIC = Topic("17", "How do coral reefs recover from heat?", "What helps reefs after they bleach.")
FILLER = "\n\n".join(
    f"Paragraph {number} of a long report about the sea and its tides." for number in range(60)
)
TEXTS = {
    REEFS: f"{FILLER}\n\nThe survey found that reefs recover slowly, over ten to fifteen years.\n\n{FILLER}",
    YEARS: "Cooler years let young corals settle. In warm years few of them live.",
}
"""What is cited and has a text; GRAZERS has none."""
SLOW, COOL, FISH = (
    "Reefs recover slowly.",
    "Cooler years help young corals.",
    "Grazing fish keep algae short.",
)
BANK = (
    Nugget("Recovery takes decades", importance="vital"),
    Nugget("Grazing fish help"),
    Nugget("Cooler years help"),
)
ARABIC = "تتعافى الشعاب المرجانية ببطء", "تساعد السنوات الباردة"
"""A sentence and a nugget that are read from right to left."""


def answers_campaign(make_campaign: MakeCampaign) -> Path:
    """The campaign `rag`: two runs answer topic 17, and both say COOL and cite YEARS for it."""
    first = answer("17", (SLOW, [0]), (COOL, [1, 0]), run="alpha", team="zeta")
    second = answer("17", (FISH, [1]), (COOL, [0]), run="omega", team="zeta", cites=(YEARS, GRAZERS))
    return campaign_of(make_campaign, [first, second], BANK)


def many_answers(make_campaign: MakeCampaign) -> Path:
    """The same with ten runs of five sentences, each with one document, and five nuggets: 50 units of each question."""
    lines = [
        answer("17", *((f"Reef {run}{place} recovers.", [place % 2]) for place in range(5)), run=f"run{run}")
        for run in range(10)
    ]
    return campaign_of(make_campaign, lines, tuple(Nugget(f"Fact {number}") for number in range(5)))


def campaign_of(make_campaign: MakeCampaign, lines: Iterable[str], bank: Iterable[Nugget]) -> Path:
    """The campaign `rag` with these runs of answers and nuggets, all units pooled, and TEXTS."""
    path = make_campaign("rag", [TOPIC], [Document("d1", "One", "About reefs.")], {"base": {"17": ["d1"]}})
    with open_campaign(path) as campaign:
        for line in lines:
            add_answers(campaign, line)
        put_bank(campaign, *bank, topic_id="17")
        for about in (CITATIONS, NUGGETS):
            declare(campaign.by("Anna"), USUAL[about])
            pool_units(campaign, USUAL[about].name)
        add_texts(campaign, TEXTS)
    return path


SPAN = "reefs recover slowly"
"""What a nugget refers to in the text of REEFS."""


def ask_spans(path: Path, span: tuple[int, int] | None = None) -> None:
    """Ask about the spans that nuggets refer to: the first of the bank refers to SPAN, or to another place of REEFS."""
    start = TEXTS[REEFS].index(SPAN)
    reference = Reference(REEFS, span or (start, start + len(SPAN)))
    with open_campaign(path) as campaign:
        put_bank(campaign, BANK[0]._replace(references=(reference,)), *BANK[1:], topic_id="17")
        declare(campaign.by("Anna"), USUAL[SPANS])
        pool_units(campaign, "spans")


def pool_units(campaign: Campaign, name: str) -> None:
    """Pool all units of a question."""
    add_pool(campaign.asking(name).by("Anna"), depth=1000)


def unit_of(path: Path, topic_id: str, text: str, cited: str = "", run: int | None = None) -> Unit:
    """The unit that says this, of what it cites or of the run that had it first."""
    with open_campaign(path) as campaign:
        return next(
            unit
            for unit in units.of_topic(campaign, topic_id).units
            if unit.text == text and unit.cited == cited and run in (None, unit.run)
        )
