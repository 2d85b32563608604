"""The rules for runs that teams submit themselves: whether it is open, until when, how many, with which description.

The rules are settings, hence events of the log. The server's clock decides, by the moment at which it had received the
whole file; how long checking it takes after that does not matter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.wording import counted, listed
from workbench.formats.run_metadata import run_metadata
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import rounds, runs
from workbench.storage.campaign.models import judges, submitted
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

MOST_RUNS = 10_000
MOST_FIELDS = 30
LONGEST_FIELD, LONGEST_PATH = 60, 200
LONGEST_TEXT = 2_000
"""Characters of a text of the description."""

REQUIRED = "*"
"""What ends the name of a field that has to be filled in."""

TIME = "2027-03-01 23:59"


class Field(NamedTuple):
    """A field of descriptions: its name, the value of ir_metadata that fills it ("" for none), if it is required."""

    name: str
    path: str = ""
    required: bool = False

    def __str__(self) -> str:
        return f"{self.name}{REQUIRED if self.required else ''}{'=' + self.path if self.path else ''}"


class Rules(NamedTuple):
    """The rules in force: `deadline` None for none, `limit` 0 for any number; with `judges` teams submit these."""

    is_open: bool = False
    deadline: datetime | None = None
    limit: int = 0
    fields: tuple[Field, ...] = ()
    judges: bool = False

    @property
    def noun(self) -> str:
        """What teams submit."""
        return "judge" if self.judges else "run"

    def takes(self, now: datetime) -> bool:
        """Whether a file that is received now is in time."""
        return self.is_open and (self.deadline is None or now <= self.deadline)


def rules_of(campaign: Campaign) -> Rules:
    """The rules of a campaign now."""
    return rules_in(settings.read(campaign))


def rules_in(found: Settings) -> Rules:
    """The rules that these settings say."""
    deadline = datetime.fromisoformat(found.submission_deadline) if found.submission_deadline else None
    fields = tuple(Field(*field) for field in found.description_fields)
    return Rules(found.submissions_open, deadline, found.runs_per_team, fields, found.submit_judges)


def mark_of(rules: Rules) -> str:
    """What tells rules from others, for forms that show them."""
    return sha256(json.dumps(_as_settings(rules)).encode()).hexdigest()[:16]


def change_rules(campaign: Campaign, rules: Rules, *, seen: str | None = None) -> bool:
    """Put other rules in force, False if they are the same; CampaignError if those `seen`, by `mark_of`, changed."""
    with campaign.write():
        if seen is not None and seen != mark_of(rules_of(campaign)):
            message = "another organiser changed the rules meanwhile; nothing was saved: reload the page and try again"
            raise CampaignError(message)
        before = _as_settings(rules_of(campaign))
        changes = {name: value for name, value in _as_settings(rules).items() if value != before[name]}
        if changes:
            settings.change(campaign, changes)
    return bool(changes)


def _as_settings(rules: Rules) -> dict[str, object]:
    return {
        "submissions_open": rules.is_open,
        "submission_deadline": "" if rules.deadline is None else in_utc(rules.deadline),
        "runs_per_team": rules.limit,
        "description_fields": [list(field) for field in rules.fields],
        "submit_judges": rules.judges,
    }


def in_utc(moment: datetime) -> str:
    """A moment to the second as settings have it: 2027-03-01T23:59:00+00:00."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def parse_deadline(text: str) -> datetime | None:
    """The moment that a text says, UTC where it names no zone; None for no text. CampaignError for anything else.

    >>> parse_deadline("2027-03-01 23:59+02:00").isoformat()
    '2027-03-01T21:59:00+00:00'
    """
    if not (text := " ".join(text.split())):
        return None
    try:
        moment = datetime.fromisoformat(text)
        if not re.search(r"\d\d:\d\d", text) or not text.isascii():
            raise ValueError
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        said = repr(text[:LONGEST_FIELD])
        message = f"{said} is not a day and time; write {TIME} for UTC, or {TIME}+01:00 for another zone"
        raise CampaignError(message) from error


def parse_limit(number: int) -> int:
    """A limit that can be kept; CampaignError for others."""
    if not 0 <= number <= MOST_RUNS:
        raise CampaignError(
            f"a limit of {number:,} runs for each team is not possible; write 1 to {MOST_RUNS:,}, or 0 for no limit"
        )
    return number


def parse_fields(lines: Sequence[str]) -> tuple[Field, ...]:
    """The fields that lines name, blank ones left out; CampaignError for what cannot be one.

    >>> [str(field) for field in parse_fields(["Method*=method.automatic", "Model"])]
    ['Method*=method.automatic', 'Model']
    """
    fields = [_field(" ".join(line.split())) for line in lines if line.strip()]
    names = [field.name.casefold() for field in fields]
    twice = [field.name for field in fields if names.count(field.name.casefold()) > 1]
    if twice:
        raise CampaignError(f"the field {twice[0]!r} is listed twice; keep one of them")
    if len(fields) > MOST_FIELDS:
        message = f"{len(fields)} fields are more than the {MOST_FIELDS} that a description may have; leave some out"
        raise CampaignError(message)
    return tuple(fields)


def _field(text: str) -> Field:
    named, _, path = (part.strip() for part in text.partition("="))
    name = named.removesuffix(REQUIRED).strip()
    if not name or len(name) > LONGEST_FIELD or not name.isprintable():
        raise CampaignError(
            f"{text[:LONGEST_FIELD]!r} names no field; write NAME, NAME* if it must be filled in, or "
            f"NAME=method.automatic to fill it from ir_metadata, with a name of at most {LONGEST_FIELD} characters"
        )
    if len(path) > LONGEST_PATH or not path.isprintable():
        message = f"the field {name!r}: a path in ir_metadata has at most {LONGEST_PATH} characters"
        raise CampaignError(message)
    return Field(name, path, named.endswith(REQUIRED))


def described(fields: Sequence[Field], header: str, given: Mapping[str, str]) -> dict[str, str]:
    """The description of a run: what was given, else what the comments above the run say."""
    found = run_metadata(header).values if any(field.path for field in fields) else {}
    texts = {field.name: given.get(field.name, "") or found.get(field.path, "") for field in fields}
    return {name: text for name, text in texts.items() if text}


def unknown_field(fields: Sequence[Field], description: Mapping[str, str]) -> str:
    """What is wrong with the names in a description, with the way out; "" for nothing."""
    names = [field.name for field in fields]
    unknown = sorted(description.keys() - set(names))
    there = listed(names, MOST_FIELDS) or "none"
    return f"the description has no field {unknown[0]!r}; its fields are {there}" if unknown else ""


def wrong_description(fields: Sequence[Field], description: Mapping[str, str], *, complete: bool) -> str:
    """What is wrong with a description, with the way out; "" for nothing. `complete` asks for the required fields."""
    for name, text in description.items():
        if len(text) > LONGEST_TEXT:
            return f"the field {name!r} has {len(text):,} characters; shorten it to {LONGEST_TEXT:,}"
    missing = [field for field in fields if field.required and not description.get(field.name)]
    if not complete or not missing:
        return ""
    paths = [field.path for field in missing if field.path]
    hint = f", or write {listed(paths)} in the ir_metadata of the file" if paths else ""
    return f"the description lacks {listed([field.name for field in missing], MOST_FIELDS)}: fill it in{hint}"


def refusal(
    campaign: Campaign, team: str, received: datetime, *, replaces: runs.StoredRun | None = None
) -> str:
    """Why a run of this team is not taken, with the way out; "" where it is. For the open write transaction."""
    rules, now = rules_of(campaign), rounds.all_rounds(campaign)[-1]
    there = (run for run in runs.in_force(campaign) if run.record.team == team and run != replaces)
    mine = [run.sent_as for run in there if now.has(run)]
    return _refusal(rules, team, received, judges=False) or _beyond(rules, team, mine)


def _refusal(rules: Rules, team: str, received: datetime, *, judges: bool) -> str:
    """Why nothing at all is taken of this team, or no judges, or no runs."""
    asked, sent = ("runs", "judges") if judges else ("judges", "runs")
    other = f"teams submit {asked} here, no {sent}; ask an organiser of the campaign"
    return refusal_now(rules, team, received) or other * (rules.judges is not judges)


def _beyond(rules: Rules, team: str, names: Sequence[str]) -> str:
    """Why a team that has these runs or judges may have no other; "" where it may."""
    if not rules.limit or len(names) < rules.limit:
        return ""
    named = "name of the judge" if rules.judges else "tag of the run"
    return (
        f"team {team} has {counted(len(names), rules.noun)} of {rules.limit:,} already ({listed(names, rules.limit)}); "
        f"send the file with the {named} that it is to replace"
    )


def refusal_of_judge(campaign: Campaign, team: str, received: datetime, name: str) -> str:
    """Why a file of a judge of this team is not taken, as `refusal` has it."""
    rules, now = rules_of(campaign), rounds.all_rounds(campaign)[-1]
    sent, out = submitted.files(campaign), submitted.withdrawn(campaign)
    if why := _refusal(rules, team, received, judges=True):
        return why
    teams = {each.team for each in sent if each.judge == name}
    if teams - {team} or (judges.versions(campaign, name) and not teams):
        return f"the name {name!r} is taken by a judge that is not your team's; rename the file"
    if name in out:
        return f"{name!r} is withdrawn; rename the file, or ask an organiser to restore the judge"
    mine = {each.judge: None for each in sent if each.team == team and now.holds(each.seq)}
    return _beyond(rules, team, [each for each in mine if each not in {name, *out}])


def refusal_now(rules: Rules, team: str, received: datetime) -> str:
    """Why nothing at all is taken of this team at this moment, with the way out; "" where files are."""
    if not team:
        return "you have no team yet; ask an organiser to set it on the page People"
    if not rules.is_open:
        return "submission is closed; ask an organiser of the campaign"
    if rules.deadline is not None and received > rules.deadline:
        return (
            f"the deadline was {shown_time(rules.deadline)}, and the server received this at "
            f"{shown_time(received)}; ask an organiser of the campaign"
        )
    return ""


def shown_time(moment: datetime) -> str:
    """A moment as people read it: 2027-03-01 23:59:00 UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
