"""Which row of the log a number, a date, or a date and time means: one reading for the command line and the browser."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.log import newest_seq

FORMS = "a log row such as 1234, a date such as 2026-03-01, or a time such as 2026-03-01 14:30"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_ROW = re.compile(r"\d{1,3}(,\d{3})+|\d{1,18}", re.ASCII)
LONGEST = 40
"""Characters of a typed value that an error message repeats."""


class NotARow(CampaignError):
    """A text that names no row, date or time in any campaign."""


class AsOf(NamedTuple):
    """A row of the log, and the moment that it was found by.

    Attributes:
        seq: the row; 0 is the empty log.
        until: the moment in the zone it was typed in; None where the row itself was given.
        at: when that row was written; None where the row itself was given.
        written_later: how many rows up to `seq` carry a time after `until`, because the clock was put back.
    """

    seq: int
    until: datetime | None = None
    at: datetime | None = None
    written_later: int = 0

    def __str__(self) -> str:
        """What a page or a terminal says of a date; empty where the row itself was given."""
        if self.until is None or self.at is None:
            return ""
        rows = "row carries" if self.written_later == 1 else "rows carry"
        clock = (
            f"; {self.written_later:,} earlier {rows} a later time, because the clock was put back"
            if self.written_later
            else ""
        )
        return f"{_shown(self.until)} is log row {self.seq:,}, written {_shown(self.at)}{clock}."


def find_as_of(campaign: Campaign, text: str, *, now: datetime | None = None) -> AsOf | None:
    """The last row of the log that was written up to the moment that `text` names; None where it is empty.

    The log's order counts: where the clock was put back, the last row with a time up to the moment is taken, with all
    rows before it, even if some of these carry a later time. A row that was written after others with a clock that
    was right again belongs to the moment; the wrong times before it must not hide it.

    Args:
        campaign: an open campaign.
        text: a row; or an ISO 8601 date, which means its end; or a date and time, to the minute or finer, inclusive.
            Without an offset it is in the time zone of this computer.
        now: the present moment, for tests.

    Raises:
        NotARow: the text is none of these.
        CampaignError: it names a time that the zone does not have or has twice, lies in the future or before the
            first row, or names a row that the log does not have yet.
    """
    text = text.strip()
    if not text:
        return None
    if _ROW.fullmatch(text):
        return AsOf(_existing(campaign, int(text.replace(",", ""))))
    begins, until = _moment(text)
    now = now or datetime.now(UTC)
    if begins > now:
        message = f"{text} is in the future; choose a date or time up to now ({_shown(now.astimezone(until.tzinfo))})"
        raise CampaignError(message)
    return _last_row(campaign, until)


def _existing(campaign: Campaign, seq: int) -> int:
    newest = newest_seq(campaign)
    if seq > newest:
        raise CampaignError(f"{campaign.name}: the log has no row {seq} yet; its newest row is {newest}")
    return seq


def _last_row(campaign: Campaign, until: datetime) -> AsOf:
    stamp = until.astimezone(UTC).isoformat(timespec="milliseconds")
    rows = campaign.execute(
        """SELECT * FROM (SELECT seq, at FROM event WHERE at <= :stamp ORDER BY seq DESC LIMIT 1)
        UNION ALL SELECT * FROM
            (SELECT seq, received_at FROM judgment WHERE received_at <= :stamp ORDER BY seq DESC LIMIT 1)
        ORDER BY seq DESC LIMIT 1""",
        {"stamp": stamp},
    ).fetchall()
    if not rows:
        raise CampaignError(_before_the_log(campaign, until))
    ((seq, at),) = rows
    later = campaign.number(
        """SELECT (SELECT count(*) FROM event WHERE seq < :seq AND at > :stamp)
            + (SELECT count(*) FROM judgment WHERE seq < :seq AND received_at > :stamp)""",
        {"seq": seq, "stamp": stamp},
    )
    return AsOf(int(seq), until, datetime.fromisoformat(at).astimezone(until.tzinfo), int(later))


def _before_the_log(campaign: Campaign, until: datetime) -> str:
    first = campaign.execute("SELECT at FROM event ORDER BY seq LIMIT 1").fetchone()
    begins = (
        "is empty" if first is None else f"begins at {_shown(datetime.fromisoformat(first[0]).astimezone())}"
    )
    return f"{campaign.name}: no row was written up to {_shown(until)}; the log {begins}"


def _moment(text: str) -> tuple[datetime, datetime]:
    """The beginning and the end of what is named: those of a day for a date, else the same moment twice."""
    try:
        if _DATE.fullmatch(text):
            day = datetime.fromisoformat(text)
            last = datetime.combine(day, time.max)
            return _in_zone(text, day, on_twice=0), _in_zone(text, last, on_twice=1)
        if not _DATE.match(text):
            raise ValueError
        typed = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise NotARow(f"{text[:LONGEST]!r} is not {FORMS}") from None
    moment = typed if typed.tzinfo is not None else _in_zone(text, typed)
    return moment, moment


def _in_zone(text: str, local: datetime, *, on_twice: int | None = None) -> datetime:
    """A local time with its offset; where clocks are put back, `on_twice` chooses the first or second of the two."""
    first, second = (local.replace(fold=fold).astimezone() for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    if on_twice is not None:
        return second if on_twice else first
    # The two offsets of a gap are those after and before it, so neither gives the typed time back.
    exists = first.astimezone(UTC).astimezone().replace(tzinfo=None) == local
    both = " or ".join(f"{text}{_offset(offset)}" for offset in (first, second))
    problem = "occurs twice" if exists else "does not exist"
    raise CampaignError(
        f"{text} {problem} in the time zone {first:%Z}, because the clocks change; add an offset: {both}"
    )


def _shown(moment: datetime) -> str:
    zone = moment.tzname() or ""
    words = f"UTC{_offset(moment)}" if moment.utcoffset() != timedelta(0) else "UTC"
    name = f"{zone}, {words}" if zone and not zone.startswith(("UTC", "+", "-")) else words
    return f"{moment:%Y-%m-%d %H:%M:%S} ({name})"


def _offset(moment: datetime) -> str:
    return f"{moment:%z}"[:3] + ":" + f"{moment:%z}"[3:5]
