"""The people that the log names: it has a random id for each, and the table `person` their names.

Names can be corrected, hidden and erased there, since no hash covers them. All functions outside this package take and
give names; `Ids` turns names into ids where rows are written or compared, `shown` is the SQL that turns an id into the
name that is displayed.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign

NAMED, HIDDEN, ERASED = "named", "hidden", "erased"

ID_BYTES = 8
"""Random bytes of an id, which is written in hexadecimal digits behind a `p`."""


class Person(NamedTuple):
    """A person that the log names by `id`: the name that signs in (None once erased), and the one that is shown."""

    id: str
    name: str | None
    shown: str
    state: str


ID_OF = """coalesce((SELECT id FROM person WHERE name = ?1), (SELECT id FROM person WHERE shown = ?1), ?1)"""
"""The id of the person whose name is the first parameter of a statement, as `id_of` gives it."""


def id_of(campaign: Campaign, name: str) -> str:
    """The id of the person who signs in under a name, or is shown by it; the name itself where it has no id."""
    return campaign.ids.get(name) or campaign.once(
        ("id", name), lambda: str(campaign.execute(f"SELECT {ID_OF}", [name]).fetchone()[0])
    )


def find(campaign: Campaign, name: str) -> Person | None:
    """The person who signs in under a name, or is shown by it; None where the log has no id for it."""
    row = campaign.execute(
        "SELECT id, name, shown, state FROM person WHERE id = ?", [id_of(campaign, name)]
    ).fetchone()
    return None if row is None else Person(*row)


def names_version(campaign: Campaign) -> int:
    """A number that grows whenever a name is corrected, hidden or erased: what was read before may name them still."""
    return campaign.number("PRAGMA user_version")


class Ids(dict[str, str]):
    """The id of each name, for rows that are written: a name without an id gets one, inside the open write transaction.

    No name at all is its own id.
    """

    def __init__(self, campaign: Campaign) -> None:
        super().__init__({"": ""})
        self._campaign = campaign

    def __missing__(self, name: str) -> str:
        found = id_of(self._campaign, name)
        if found == name:
            found = f"p{secrets.token_hex(ID_BYTES)}"
            self._campaign.execute(
                "INSERT INTO person (id, name, shown) VALUES (?, ?, ?)", [found, name, name]
            )
        self[name] = found
        return found


class ShownNames(dict[str, str]):
    """The name that is shown for each id; `known` are names that others know already, and get what is found here."""

    def __init__(self, campaign: Campaign, known: dict[str, str] | None = None) -> None:
        super().__init__()
        self._campaign, self._known = campaign, {} if known is None else known

    def __missing__(self, id_: str) -> str:
        if id_ and id_ not in self._known:
            row = self._campaign.execute("SELECT shown FROM person WHERE id = ?", [id_]).fetchone()
            if row is None:
                return id_
            self._known[id_] = str(row[0])
        self[id_] = self._known.get(id_, id_)
        return self[id_]
