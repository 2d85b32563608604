"""The command for hidden repeats: their share, and their progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import command, option
from workbench.cli.tables import format_option, text_sheet, write_list
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.storage.campaign import Campaign


@command()
def repeats(
    campaign: Opened,
    share: float | None = option(
        "The share of each assessor's pairs to repeat, such as 0.03; 0 for none.",
        least=0,
        most=1,
        metavar="P",
    ),
    gap: int | None = option(
        "The smallest number of judgments between a pair and its repeat.  [default: 30]", least=1, metavar="N"
    ),
    seed: int | None = option("Random seed of the draw.  [default: 0]", metavar="SEED"),
    kind: str = format_option,
) -> None:
    """Set up hidden repeats, or show their progress.

    A repeated pair looks like any other to its assessor, without the first grade. The second judgment is stored, and
    never replaces the first. For self-agreement see workbench judging agreement CAMPAIGN
    --by assessor.

    Example:
      workbench judging repeats robust --share 0.03
      workbench judging repeats robust
    """
    from workbench.campaign.assessing import set_repeats
    from workbench.storage.campaign.organising import settings

    rules = settings.read(campaign)
    given = (share, gap, seed)
    if given != (None, None, None):
        now = (rules.repeat_share, rules.repeat_gap, rules.repeat_seed)
        updated = [old if new is None else new for new, old in zip(given, now, strict=True)]
        set_repeats(campaign, float(updated[0]), int(updated[1]), int(updated[2]))
    _show(campaign, kind)


def _show(campaign: Campaign, kind: str) -> None:
    from workbench.campaign.assessing import state_of_repeats
    from workbench.storage.campaign.organising import settings

    rules = settings.read(campaign)
    write_list(kind, text_sheet(("Assessor", "Drawn", "Due", "Repeated"), state_of_repeats(campaign)))
    if rules.repeat_share:
        say(
            f"{rules.repeat_share:.1%} of each assessor's pairs are repeated after at least "
            f"{counted(rules.repeat_gap, 'more judgment')} (seed {rules.repeat_seed})."
        )
    else:
        say("No pairs are repeated. Set a share: workbench judging repeats CAMPAIGN --share 0.03")
