"""Whether a campaign file is damaged: what it holds compared with the checks and hashes that it carries.

What numbers are made of is compared before anything is read: the log with its chain, the tables that follow from it
with the log, pairs of pools and warnings of runs with their checksums, and the structure of tables and indexes by
SQLite's own check. Stored rankings are compared when they are loaded (`ranking_checks`), a text when it is shown
(`documents`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from workbench.core.errors import DamagedCampaign
from workbench.core.keyed_locks import KeyedLocks
from workbench.storage.campaign.collection import documents, pools, runs
from workbench.storage.campaign.collection.ranking_checks import wrong_rankings
from workbench.storage.campaign.file import definitions
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.failures import SYMPTOMS
from workbench.storage.campaign.log.log import broken_rows
from workbench.storage.campaign.opening import derived, integrity
from workbench.storage.campaign.opening.beside import both

BULK = "source_documents"
"""The table that no number rests on and that may be large; its data carries a checksum of its own (zlib's)."""

Check = Callable[[Campaign], Iterator[str]]
_File = tuple[int, int, int, int]


def damage_in(campaign: Campaign) -> str | None:
    """The first damage in a campaign file, looked for everywhere; None where the file is whole."""
    return _first(campaign, (*_STRUCTURE, *_FOLLOWING, *_ELSEWHERE))


def damage_behind(campaign: Campaign) -> str | None:
    """What `damage_in` finds, looked for once per process as long as the file on the disk is the same."""
    return _once(campaign, _searched, lambda: damage_in(campaign))


def require_undamaged(campaign: Campaign) -> None:
    """Compare what numbers are made of, once per process as long as the file on the disk is the same.

    Raises DamagedCampaign with the first damage, however often it is asked.
    """
    damage = _once(campaign, _compared, lambda: _before_reading(campaign))
    if damage is not None:
        raise DamagedCampaign.of(campaign.path, damage)


def forget(path: Path) -> None:
    """Forget what was found out about a file."""
    for found in (_compared, _searched):
        found.pop(path.resolve(), None)


_Found = dict[Path, tuple[_File, str | None]]
_compared: _Found = {}
_searched: _Found = {}
_looking = KeyedLocks()


def _once(campaign: Campaign, found: _Found, look: Callable[[], str | None]) -> str | None:
    path = campaign.path.resolve()
    with _looking.of(path):
        file = _on_disk(path)
        if path not in found or found[path][0] != file:
            found[path] = file, look()
        return found[path][1]


def _on_disk(path: Path) -> _File:
    try:
        found = path.stat()
    except FileNotFoundError:  # gone, while this process has it open
        return 0, 0, 0, 0
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _before_reading(campaign: Campaign) -> str | None:
    """The first damage among what is compared before anything is read: SQLite's check goes on beside the others."""
    structure, following = both(
        campaign, partial(_first, checks=_STRUCTURE), partial(_first, checks=_FOLLOWING)
    )
    return structure or following


def _first(campaign: Campaign, checks: tuple[Check, ...]) -> str | None:
    try:
        with campaign.snapshot():
            return next((sentence for check in checks for sentence in check(campaign)), None)
    except SYMPTOMS as error:
        return " ".join(str(error).split()) or type(error).__name__


def _structure(campaign: Campaign) -> Iterator[str]:
    yield from integrity.redefined_tables(campaign)
    for table in sorted(definitions.definitions(definitions.known_migrations())["table"].keys() - {BULK}):
        yield from integrity.integrity_problems(campaign, table)


def _whole_structure(campaign: Campaign) -> Iterator[str]:
    yield from integrity.integrity_problems(campaign)
    yield from integrity.foreign_key_problems(campaign)


def _chain(campaign: Campaign) -> Iterator[str]:
    yield from (f"row {row.seq} of the log is not what was written" for row in broken_rows(campaign))


def _texts(campaign: Campaign) -> Iterator[str]:
    for document_id in documents.changed_texts(campaign):
        yield f"the text of document {document_id!r} is not the one that was stored"


def _values(campaign: Campaign) -> Iterator[str]:
    """Nothing, where every value can be read: text that is not UTF-8, and data that does not unpack, raise."""
    for source in documents.sources(campaign):
        for _ in documents.source_ids(campaign, source.source):
            pass
    yield from integrity.unreadable_values(campaign)


_STRUCTURE: tuple[Check, ...] = (_structure,)
_FOLLOWING: tuple[Check, ...] = (
    _chain,
    derived.differences,
    pools.wrong_pairs,
    runs.wrong_warnings,
)
_ELSEWHERE: tuple[Check, ...] = (_whole_structure, wrong_rankings, _texts, _values)
