"""The names of people corrected, hidden and erased.

Each change is an event that names the person by id and no name, so that the log tells that there was one, and whatever
was computed with the former name is computed again. No hash covers names, so none of them changes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from workbench.core.errors import CampaignError
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import erasable, kinds
from workbench.storage.campaign.log.log import append_event

PERSON = kinds.PERSON
"""The kind of event that says that a person's name was corrected, hidden, shown again or erased."""

FEWEST_DIGITS = 4

PRIVATE = ("later", "own_term", "unmarked_term", "preference", "claim")
"""Tables of what belongs to one assessor and no result follows from."""


def correct(campaign: Campaign, name: str, to: str) -> None:
    """Show a person by another name, in the open write transaction; CampaignError if taken, or they are erased."""
    person = _known(campaign, name)
    if erasable.id_of(campaign, to) not in (to, person.id):
        raise CampaignError(f"{to} is the name of another person in {campaign.name}; choose another name")
    _change(campaign, person, to, erasable.NAMED, "corrected")


def hide(campaign: Campaign, name: str) -> str:
    """Show a person by a part of their id, inside the open write transaction; returns the name that is shown then."""
    person = _known(campaign, name)
    label = _label(campaign, person, "Person")
    _change(campaign, person, label, erasable.HIDDEN, "hidden")
    return label


def show(campaign: Campaign, name: str) -> str:
    """Show a person by the name of their account again, inside the open write transaction; returns that name."""
    person = _known(campaign, name)
    _change(campaign, person, str(person.name), erasable.NAMED, "shown")
    return str(person.name)


def erase(campaign: Campaign, name: str, *, words: bool = False) -> str:
    """Erase a person's name and what is the person's own, inside the open write transaction.

    Their judgments stay, under the id; with `words` comments and rationales of these are erased too. Free pages of the
    file are overwritten only between `begin_erasing` and `end_erasing`. Returns the name that is shown from now on.
    """
    person = _known(campaign, name)
    label = _label(campaign, person, "Erased person")
    for table in PRIVATE:
        campaign.execute(f"DELETE FROM {table} WHERE assessor = ?", [person.id])
    if words:
        erasable.erase_remarks(campaign, person.id)
    _change(campaign, person, label, erasable.ERASED, "erased", words=words)
    _rewrite(campaign)
    return label


def erasures_of_words(campaign: Campaign) -> dict[str, int]:
    """By id, the newest row of the log that says that a person's comments and rationales were erased."""
    return campaign.mapping(
        "SELECT content ->> '$.person', max(seq) FROM event WHERE kind = ? AND content ->> '$.words' "
        "GROUP BY content ->> '$.person'",
        [PERSON],
    )


def wrong_names_and_words(campaign: Campaign) -> Iterator[str]:
    """A sentence for each judgment whose words are not those that the log has hashes of, unless a later event
    says that they were erased; and for each id in the log that no person has.
    """
    erased = erasures_of_words(campaign)
    for seq, assessor, is_erased in erasable.wrong_remarks(campaign):
        if not is_erased:
            yield f"judgment {seq}: its comment and rationales do not match their hashes in the log"
        elif erased.get(assessor, 0) < seq:
            yield f"judgment {seq}: its comment and rationales are erased, but no row of the log says so"
    rows = campaign.execute(
        "SELECT actor FROM event WHERE actor <> '' UNION SELECT assessor FROM judgment EXCEPT SELECT id FROM person"
    )
    yield from (f"person {id_}: the log names them, but the table of people does not" for (id_,) in rows)


def begin_erasing(campaign: Campaign) -> None:
    """Have SQLite overwrite what is deleted through this connection; call it before the write transaction."""
    campaign.execute("PRAGMA secure_delete = ON")


def end_erasing(campaign: Campaign) -> bool:
    """Fold the write-ahead log, which holds former pages, into the file; False where that cannot be done now, since
    others read the file or the disk has no room: then the last one to close the file does it.
    """
    try:
        busy, *_ = campaign.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        return False
    return not busy


def _known(campaign: Campaign, name: str) -> erasable.Person:
    person = erasable.find(campaign, name)
    if person is not None and person.state != erasable.ERASED:
        return person
    raise CampaignError(f"{name!r} is not named in {campaign.name}")


def _label(campaign: Campaign, person: erasable.Person, words: str) -> str:
    """Words with as many digits of the id as tell the person from all others."""
    digits = person.id[1:]
    for length in range(FEWEST_DIGITS, len(digits)):
        label = f"{words} {digits[:length]}"
        if erasable.id_of(campaign, label) in (label, person.id):
            return label
    return f"{words} {digits}"


def _change(
    campaign: Campaign, person: erasable.Person, shown: str, state: str, change: str, *, words: bool = False
) -> None:
    content = {"person": person.shown, "change": change, **({"words": True} if words else {})}
    append_event(campaign, PERSON, content)
    connection = campaign.db.conn
    connection.execute(
        "UPDATE person SET shown = ?, state = ?, name = iif(? = 'erased', NULL, name) WHERE id = ?",
        [shown, state, state, person.id],
    )
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute(f"PRAGMA user_version = {int(version) + 1}")


def _rewrite(campaign: Campaign) -> None:
    """Write the table of names again: pages that were split once may hold copies of rows that SQLite takes for free."""
    connection = campaign.db.conn
    rows = connection.execute("SELECT id, name, shown, state FROM person ORDER BY id").fetchall()
    connection.execute("DELETE FROM person")
    connection.executemany("INSERT INTO person (id, name, shown, state) VALUES (?, ?, ?, ?)", rows)
