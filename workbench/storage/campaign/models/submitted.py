"""What teams submitted of judges: labels, which are answers, leaderboards and nugget banks; and who is withdrawn.

The event of a leaderboard or a bank has its rows: run, topic (None: all together), measure and value of each score, or
topic, text and importance of each nugget. A withdrawn judge stays in the log, and takes no part in comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.model_answers import Submitted
from workbench.core.wording import counted
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds, log
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import State, part
from workbench.storage.campaign.models.answers import MODEL_ANSWERS
from workbench.storage.campaign.organising.quota import check_quota

FILE, WITHDRAWAL, RESTORATION = kinds.JUDGE_FILE, kinds.JUDGE_WITHDRAWAL, kinds.JUDGE_RESTORATION
LABELS, LEADERBOARD, BANK = "labels", "leaderboard", "nugget bank"
"""What a file holds."""
MOST_ROWS = {LEADERBOARD: 500_000, BANK: 20_000}
"""Of a file; each nugget is compared with all of the campaign's for its topic."""
Row = Sequence[str | float | None]


class JudgeFile(NamedTuple):
    """A file of a judge that a team submitted, which is also its receipt.

    Attributes:
        seq, at, actor, hash: the row of the log, when it was stored, who did, and the hash of the row.
        judge: whose it is.
        what: LABELS, LEADERBOARD or BANK.
        holds: how much of what, such as "83 runs, 119 topics, 2 measures".
        source: the name of the file.
        sha256: the checksum of the answers; "" where the row's hash alone covers what was stored.
        team, file_sha256, received: as `Submitted` has them.
        withdrawn: the row of the log since which the judge is withdrawn.
    """

    seq: int
    at: str
    judge: str
    what: str
    holds: str
    source: str
    sha256: str
    team: str
    file_sha256: str
    received: str
    actor: str = ""
    hash: str = ""
    withdrawn: int | None = None


def put(
    campaign: Campaign, judge: str, what: str, source: str, rows: Sequence[Row], holds: str, sent: Submitted
) -> None:
    """Store a leaderboard or a bank inside the open write transaction.

    CampaignError for more rows than MOST_ROWS, QuotaExceeded where the campaign is as large as it may be.
    """
    if len(rows) > (most := MOST_ROWS[what]):
        fewer = "send fewer measures" if what == LEADERBOARD else "send the important ones"
        message = f"{len(rows):,} scores or nuggets, but a file may have {most:,}; {fewer}"
        raise CampaignError(message)
    content = {"judge": judge, "what": what, "source": source, "rows": rows, "holds": holds}
    append_event(campaign, FILE, content | sent._asdict())
    check_quota(campaign)


def files(campaign: Campaign, team: str | None = None) -> list[JudgeFile]:
    """The files of all teams, or of one, in the order of the log."""
    state, out = State.of(campaign), withdrawn(campaign)
    found, rows = [], log.rows_of_events(campaign, state[_files])
    for each in (each for each in state[_files].values() if team in (None, each.team)):
        name, (_, actor, hash_) = state.names[each.judge], rows[each.seq]
        found.append(each._replace(judge=name, actor=actor, hash=hash_.hex(), withdrawn=out.get(name)))
    return found


def newest_rows(campaign: Campaign, what: str) -> dict[str, list[Row]]:
    """The rows of the newest leaderboard, or bank, of each judge that is not withdrawn, by its name."""
    left = (each for each in files(campaign) if each.what == what and each.withdrawn is None)
    newest = sorted({each.judge: each.seq for each in left}.items())
    return {name: events(campaign, FILE, at=seq)[0].content["rows"] for name, seq in newest}


def withdrawn(campaign: Campaign) -> dict[str, int]:
    """The judges that are withdrawn, each with the row of the log since which it is."""
    state = State.of(campaign)
    return {state.names[judge]: seq for judge, seq in state[_withdrawn].items()}


@part(MODEL_ANSWERS, FILE, start=dict)
def _files(found: dict[int, JudgeFile], event: Event) -> None:
    """The files by their rows, with the ids of judges."""
    said = {**event.content, "seq": event.seq, "at": event.at}
    if event.kind == MODEL_ANSWERS:
        holds = f"{counted(said['answers'], 'new answer')}, {said['unlabelled']:,} without a grade"
        said |= {"what": LABELS, "holds": holds}
    if said.get("team"):
        found[event.seq] = JudgeFile(*(said.get(name, "") for name in JudgeFile._fields[:10]))


def set_withdrawn(campaign: Campaign, judge: str, *, back: bool, reason: str) -> None:
    """Take a judge out inside the open write transaction, or put it `back`."""
    append_event(campaign, RESTORATION if back else WITHDRAWAL, {"judge": judge, "reason": reason})


@part(WITHDRAWAL, RESTORATION, start=dict)
def _withdrawn(found: dict[str, int], event: Event) -> None:
    found.pop(event.content["judge"], None)
    if event.kind == WITHDRAWAL:
        found[event.content["judge"]] = event.seq
