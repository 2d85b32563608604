"""What has come in so far: the runs of each team, who is missing, and the receipt of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Protocol, TypeVar

from workbench.campaign.submission_rules import Field, Rules, rules_of, shown_time
from workbench.core.natural_order import natural
from workbench.core.wording import Message, counted, listed, message_counting, message_with
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import rounds, run_details, runs
from workbench.storage.campaign.collection.run_details import RunDetails
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models.submitted import JudgeFile, files
from workbench.storage.campaign.people import members


class Receipt(NamedTuple):
    """What a team can show for a run: the file's name and checksum, when the server received it and stored it, by whom,
    and the row of the log with its hash.
    """

    run: StoredRun
    details: RunDetails
    received: str
    stored: str
    actor: str
    hash: str


class TeamRuns(NamedTuple):
    """A team: the accounts of its members, and receipts of its runs and files of its judges, withdrawn ones too."""

    team: str
    members: tuple[str, ...]
    receipts: tuple[Receipt, ...]
    files: tuple[JudgeFile, ...] = ()

    @property
    def newest(self) -> str:
        """When its newest file was received; "" for none."""
        received = [receipt.received for receipt in self.receipts]
        return max(received + [file.received for file in self.files], default="")

    def submitted(self, rules: Rules) -> int:
        """How many runs take part, or judges where the rules ask for them."""
        if rules.judges:
            return len({each.judge for each in self.files if each.withdrawn is None})
        return sum(each.run.withdrawn is None for each in self.receipts)


class Overview(NamedTuple):
    """The rules, all teams by name, and the participants who have no team yet."""

    rules: Rules
    teams: tuple[TeamRuns, ...]
    without_team: tuple[str, ...]

    @property
    def missing(self) -> list[TeamRuns]:
        """Teams with members that have submitted nothing that takes part."""
        return [team for team in self.teams if not team.submitted(self.rules)]


def overview(campaign: Campaign) -> Overview:
    """What has come in up to now, in the round that is open; a team that sent runs in an earlier one may be missing."""
    with campaign.snapshot():
        found, people, of_judges = receipts(campaign), members.teams(campaign), files(campaign)
        rules, now = rules_of(campaign), rounds.all_rounds(campaign)[-1]
    teams = {receipt.run.record.team for receipt in found} | set(people.values())
    teams |= {file.team for file in of_judges}
    listed_teams = tuple(
        TeamRuns(
            team,
            tuple(name for name, of in people.items() if of == team),
            tuple(each for each in found if each.run.record.team == team and now.has(each.run)),
            tuple(each for each in of_judges if each.team == team and now.holds(each.seq)),
        )
        for team in sorted(teams - {""}, key=natural)
    )
    return Overview(rules, listed_teams, tuple(name for name, team in people.items() if not team))


def receipts(campaign: Campaign, team: str | None = None) -> list[Receipt]:
    """The receipts of all runs, or of a team's, in the order in which they were added."""
    wanted = [run for run in runs.all_runs(campaign) if team in (None, run.record.team)]
    said, rows = run_details.details(campaign), log.rows_of_events(campaign, [run.seq for run in wanted])
    found = []
    for run in wanted:
        (at, actor, hash_), details = rows[run.seq], said.get(run.run, run_details.NO_DETAILS)
        found.append(Receipt(run, details, details.received or at, at, actor, hash_.hex()))
    return found


def judge_receipt_lines(campaign: Campaign, file: JudgeFile) -> Iterator[str]:
    """A receipt of a file of a judge as a file of text."""
    rows: dict[str, object] = {"Campaign": campaign.name, "Team": file.team, "Judge": file.judge}
    rows |= {"File": file.source, "SHA-256 of the file": file.file_sha256, file.what.capitalize(): file.holds}
    rows |= {"SHA-256 of the answers": file.sha256, "Received": file.received, "Stored": file.at}
    return _lines(rows | {"By": file.actor, "Log row": file.seq, "Hash of the row": file.hash})


def _lines(rows: Mapping[str, object]) -> Iterator[str]:
    return (f"{name}: {' '.join(str(value).split())}\n" for name, value in rows.items() if value != "")


def receipt_lines(campaign: Campaign, receipt: Receipt, fields: Sequence[Field]) -> Iterator[str]:
    """A receipt as a file of text."""
    record, said = receipt.run.record, receipt.details
    texts = {field.name: said.description.get(field.name, "") for field in fields}
    rows: dict[str, object] = {
        "Campaign": campaign.name,
        "Team": record.team,
        "Run": receipt.run.sent_as,
        "Among all rounds": record.tag if receipt.run.sent else "",
        "File": record.file.replace("\\", "/").split("/")[-1],
        "SHA-256 of the file": record.sha256,
        "SHA-256 of the rankings": record.rankings_sha256,
        "SHA-256 of the answers": record.answers_sha256,
        "Form": record.form_title,
        "Cited documents" if record.form else "Lines": record.lines,
        "Topics": record.topics,
        "Priority": said.priority or "",
        "Received": receipt.received,
        "Stored": receipt.stored,
        "By": receipt.actor,
        "Log row": receipt.run.seq,
        "Hash of the row": receipt.hash,
    }
    return _lines({**rows, **texts})


def state_words(rules: Rules, now: datetime | None = None) -> Message:
    """Whether teams can submit now, in a sentence."""
    now = now or datetime.now(UTC)
    limit = _limit(rules)
    if not rules.is_open:
        return message_with("Submission is closed.")
    if rules.deadline is None and limit:
        return message_with("Submission is open, %(limit)s, without a deadline.", limit=limit)
    if rules.deadline is None:
        return message_with("Submission is open, without a deadline.")
    when = shown_time(rules.deadline)
    if not rules.takes(now):
        return message_with("The deadline was %(when)s; nothing more is taken.", when=when)
    if limit:
        return message_with("Submission is open until %(when)s, %(limit)s.", when=when, limit=limit)
    return message_with("Submission is open until %(when)s.", when=when)


def _limit(rules: Rules) -> Message | None:
    if not rules.limit:
        return None
    if rules.judges:
        return message_counting("%(num)s judge for each team", "%(num)s judges for each team", rules.limit)
    return message_counting("%(num)s run for each team", "%(num)s runs for each team", rules.limit)


def missing_words(found: Overview) -> str:
    """Who has sent something and who has not, in a sentence."""
    done = len(found.teams) - len(found.missing)
    total = sum(team.submitted(found.rules) for team in found.teams)
    text = f"{counted(done, 'team')} of {len(found.teams):,} with {counted(total, found.rules.noun)}."
    if found.missing:
        text += f" Missing: {listed([team.team for team in found.missing], 50)}."
    return text


def as_json(found: Overview, now: datetime) -> Mapping[str, object]:
    """The overview as programs read it."""
    rules = found.rules
    return {
        "open": rules.takes(now),
        "deadline": None if rules.deadline is None else rules.deadline.isoformat(timespec="seconds"),
        "runs_per_team": rules.limit or None,
        "submitted": f"{rules.noun}s",
        "fields": [str(field) for field in rules.fields],
        "teams": [
            {
                "team": team.team,
                "members": list(team.members),
                "missing": team in found.missing,
                "runs": [_as_json(receipt) for receipt in team.receipts],
                "judges": [each._asdict() for each in team.files],
            }
            for team in found.teams
        ],
        "participants_without_team": list(found.without_team),
    }


def _as_json(receipt: Receipt) -> dict[str, object]:
    record, said = receipt.run.record, receipt.details
    return {
        "run": record.tag,
        "file": record.file.replace("\\", "/").split("/")[-1],
        "sha256": record.sha256,
        "received": receipt.received,
        "by": receipt.actor,
        "seq": receipt.run.seq,
        "hash": receipt.hash,
        "priority": said.priority,
        "depth": said.depth,
        "description": dict(said.description),
        "withdrawn_at_seq": receipt.run.withdrawn,
    }


class _Said(Protocol):
    @property
    def message(self) -> str: ...


Said = TypeVar("Said", bound=_Said)


def without_others(campaign: Campaign, team: str, said: Sequence[Said]) -> tuple[Said, ...]:
    """The findings that name no run of another team, as that of two runs with the same rankings does."""
    others = [repr(run.record.tag) for run in runs.all_runs(campaign) if run.record.team != team]
    return tuple(each for each in said if not any(tag in each.message for tag in others))
